"""Side streams: messages of a side, and standing orders."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import PathParameter

from content.patterns import whole
from service.games.desk.side import Message, Messages, PostMessage
from service.games.orders import LeaveOrders, Orders
from service.http.bodies import read_body
from service.http.callers import require
from service.http.incoming import FromCaller, FromService, Game, IdempotencyKey, SeatNumber, idempotency_key
from service.http.operation import operation
from service.http.outgoing import PRIVATE, AnyRequest, created
from service.problems import forbidden

MessageName = Annotated[str, PathParameter(pattern=whole(r"^[0-9]{1,3}-[0-9]{1,6}$"), description="The message's id.")]


@operation("GET /v1/games/{game:str}/messages", "Read messages", "side")
async def get_messages(service: FromService, caller: FromCaller, game: Game) -> Response[Messages]:
    """Read the caller's private messages: from its side, from the referee or, for the referee, from anybody."""
    require(caller, game)
    return Response(await service.side.messages(caller), headers=PRIVATE)


@operation(
    "POST /v1/games/{game:str}/messages",
    "Send a message",
    "side",
    body=PostMessage,
    problems="no-side stream-full illegal-command",
)
async def post_message(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[Message]:
    """Send a message to the caller's side or to the referee or, as the referee, to a side or seat.

    Messages are not part of the log: nobody else learns that one was sent. The recipients are fixed when it is sent; a player who changes sides
    later keeps the messages received so far and learns none that are older. With a hidden traitor there are no sides to write to.
    """
    require(caller, game)
    asked: PostMessage = await read_body(request, service)
    posted = await service.side.post(caller, asked, key=idempotency_key(idempotency_key_))
    return created(posted.message, None, f"/v1/games/{game}/messages", replayed=posted.replayed)


@operation(
    "DELETE /v1/games/{game:str}/messages/{message:str}",
    "Erase a message",
    "side",
    problems="not-found",
    litestar={"status_code": 204},
)
async def erase_message(service: FromService, caller: FromCaller, game: Game, message: MessageName) -> None:
    """Erase the text of a message that the caller sent; the referee may erase any. Its digest remains."""
    require(caller, game)
    await service.side.erase(caller, message)


@operation("GET /v1/games/{game:str}/seats/{seat:int}/orders", "Read orders", "side", problems="not-found")
async def get_orders(service: FromService, caller: FromCaller, game: Game, seat: SeatNumber) -> Response[Orders]:
    """Read the standing orders of the caller's seat (the referee: of any seat), how far they have come, and why they ended."""
    require(caller, game)
    if caller.role != "referee" and (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    return Response(await service.side.orders(caller, seat), headers=PRIVATE)


@operation(
    "PUT /v1/games/{game:str}/seats/{seat:int}/orders",
    "Leave orders",
    "side",
    body=LeaveOrders,
    problems="not-found unfit-orders game-over",
)
async def leave_orders(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, seat: SeatNumber
) -> Response[Orders]:
    """Leave standing orders for the caller's next turn, replacing earlier ones. If it is already the caller's turn, they start at once.

    Each step is posted when its time comes, as a commit by `auto`. Steps whose condition does not hold are skipped, answers are given only if
    they are asked for, and the first step that cannot be done ends the orders. When the haunt begins, orders left before it end, except for steps
    that say `in_haunt` or ask for `haunt: true`.
    """
    require(caller, game)
    if (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    asked: LeaveOrders = await read_body(request, service)
    return Response(await service.side.leave(caller, asked), headers=PRIVATE)


@operation(
    "DELETE /v1/games/{game:str}/seats/{seat:int}/orders",
    "Withdraw orders",
    "side",
    problems="not-found",
    litestar={"status_code": 204},
)
async def withdraw_orders(service: FromService, caller: FromCaller, game: Game, seat: SeatNumber) -> None:
    """Withdraw the standing orders of the caller's seat."""
    require(caller, game)
    if (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    await service.side.withdraw(caller)
