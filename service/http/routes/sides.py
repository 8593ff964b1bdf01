"""Side streams: messages of a side, and standing orders."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, delete, get, post, put, route
from litestar.params import PathParameter

from content.patterns import whole
from service.games.desk.side import Message, Messages, PostMessage
from service.games.orders import LeaveOrders, Orders
from service.http.bodies import read_body
from service.http.callers import require
from service.http.incoming import FromCaller, FromService, Game, IdempotencyKey, SeatNumber, idempotency_key
from service.http.outgoing import PRIVATE, AnyRequest, created
from service.problems import forbidden

_message = msgspec.json.Decoder(PostMessage)
_orders = msgspec.json.Decoder(LeaveOrders)

MessageName = Annotated[str, PathParameter(pattern=whole(r"^[0-9]{1,3}-[0-9]{1,6}$"), description="The message's id.")]


@get("/v1/games/{game:str}/messages", operation_id="getMessages", summary="Read messages", tags=["side"])
async def get_messages(service: FromService, caller: FromCaller, game: Game) -> Response[Messages]:
    """Read what the caller was told in private: by its side, by the referee, or (the referee) by anybody."""
    require(caller, game)
    return Response(await service.side.messages(caller), headers=PRIVATE)


@post(
    "/v1/games/{game:str}/messages",
    operation_id="postMessage",
    summary="Send a message",
    tags=["side"],
    opt={"body": PostMessage},
)
async def post_message(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[Message]:
    """Send a message to the own side, to the referee, or as the referee to a side or seat.

    It lies beside the log: nobody else learns that there was one. Who is told is settled now; who changes sides later keeps
    what it was told and learns nothing older. With a hidden traitor there are no sides to talk to.
    """
    require(caller, game)
    asked: PostMessage = await read_body(request, service, _message)
    posted = await service.side.post(caller, asked, key=idempotency_key(idempotency_key_))
    return created(posted.message, None, f"/v1/games/{game}/messages", replayed=posted.replayed)


@delete(
    "/v1/games/{game:str}/messages/{message:str}",
    operation_id="eraseMessage",
    summary="Erase a message",
    tags=["side"],
    status_code=204,
)
async def erase_message(service: FromService, caller: FromCaller, game: Game, message: MessageName) -> None:
    """Erase the text of a message that the caller sent (the referee: any). Its digest remains."""
    require(caller, game)
    await service.side.erase(caller, message)


@get("/v1/games/{game:str}/seats/{seat:int}/orders", operation_id="getOrders", summary="Read orders", tags=["side"])
async def get_orders(service: FromService, caller: FromCaller, game: Game, seat: SeatNumber) -> Response[Orders]:
    """Read the standing orders of the own seat (the referee: of any), how far they have come, and why they ended."""
    require(caller, game)
    if caller.role != "referee" and (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    return Response(await service.side.orders(caller, seat), headers=PRIVATE)


@put(
    "/v1/games/{game:str}/seats/{seat:int}/orders",
    operation_id="leaveOrders",
    summary="Leave orders",
    tags=["side"],
    opt={"body": LeaveOrders},
)
async def leave_orders(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, seat: SeatNumber
) -> Response[Orders]:
    """Leave standing orders for the own turn, in place of those left before; if it is the turn already, they begin at once.

    Each step is posted when its time comes, as a commit by `auto`: steps whose condition does not hold are passed over, answers
    are given only if something is asked, and the first step that can't be done ends the orders. Orders left before the haunt end when
    it begins; of steps that say `in_haunt` or ask for `haunt: true` those alone are left then.
    """
    require(caller, game)
    if (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    asked: LeaveOrders = await read_body(request, service, _orders)
    return Response(await service.side.leave(caller, asked), headers=PRIVATE)


@delete(
    "/v1/games/{game:str}/seats/{seat:int}/orders",
    operation_id="withdrawOrders",
    summary="Withdraw orders",
    tags=["side"],
    status_code=204,
)
async def withdraw_orders(service: FromService, caller: FromCaller, game: Game, seat: SeatNumber) -> None:
    """Take back the orders of the own seat."""
    require(caller, game)
    if (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    await service.side.withdraw(caller)


@route("/v1/games/{game:str}/messages", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_messages(game: Game) -> Response[None]:  # noqa: ARG001 -- the path has it
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "GET, OPTIONS, POST"})


@route("/v1/games/{game:str}/seats/{seat:int}/orders", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_orders(game: Game, seat: SeatNumber) -> Response[None]:  # noqa: ARG001 -- the path has them
    """As above."""
    return Response(None, status_code=204, headers={"Allow": "DELETE, GET, OPTIONS, PUT"})
