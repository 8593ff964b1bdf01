"""The referee's desk and what is kept beside the log: disputes, messages, standing orders."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response
from litestar.params import PathParameter, QueryParameter

from content.patterns import whole
from domain.facts.events.desk import DisputeOpened
from domain.rulebook.turn.standing_orders import Orders
from service.games.desk.disputes import (
    AskDispute,
    AskEvidence,
    AskReopening,
    AskRuling,
    DisputeList,
    DisputeShown,
    RulingTried,
)
from service.games.desk.precedents import CURSOR, PrecedentList
from service.games.desk.side import Messages, PostMessage
from service.games.lobby.answers import CommitAnswer
from service.games.orders import LeaveOrders
from service.games.play.submit import Done
from service.games.talk import Message
from service.http.bodies import JSON, read_body
from service.http.callers import callers_behind, looking_as, require
from service.http.incoming import (
    As,
    FromCaller,
    FromService,
    Game,
    IdempotencyKey,
    IfMatch,
    IfNoneMatch,
    Limit,
    SeatNumber,
    accepted,
    idempotency_key,
    if_match,
    shown,
)
from service.http.operation import ANY, SAME, link, operation
from service.http.outgoing import MARKDOWN, PRIVATE, AnyRequest, committed, created, versioned
from service.problems import forbidden

MessageName = Annotated[str, PathParameter(pattern=whole(r"^[0-9]{1,3}-[0-9]{1,6}$"), description="The message's id.")]


@operation("GET /v1/games/{game:str}/messages", "Read messages", "side")
async def get_messages(service: FromService, caller: FromCaller, game: Game) -> Response[Messages]:
    """Read the messages that the caller was told: to the table, from its side, from the referee or, for the referee, from anybody.

    Spectators and the host read those to the table; where they lag behind, as late as they see the game. A live stream tells of each message that
    is sent or erased while it is open: open it first, then read here what was sent before, and tell them apart by `id`. To whom the caller may
    write is listed in `to`.
    """
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
    """Send a message to the table, to the caller's side or to the referee or, as the referee, to a side or seat.

    Everybody at the table, spectators too, reads what is sent to `table`, before, during and after the game. Only seats and referees send.
    Messages are not part of the log: nobody else learns that one was sent. The recipients are fixed when it is sent; a player who changes sides
    later keeps the messages received so far and learns none that are older. With a hidden traitor there are no sides to write to.
    """
    require(caller, game)
    asked: PostMessage = await read_body(request, service)
    posted = await service.side.post(caller, asked, key=idempotency_key(idempotency_key_))
    return created(posted.message, None, f"/v1/games/{game}/messages", replayed=posted.replayed)


@operation("DELETE /v1/games/{game:str}/messages/{message:str}", "Erase a message", "side", problems="not-found")
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


@operation("DELETE /v1/games/{game:str}/seats/{seat:int}/orders", "Withdraw orders", "side", problems="not-found")
async def withdraw_orders(service: FromService, caller: FromCaller, game: Game, seat: SeatNumber) -> None:
    """Withdraw the standing orders of the caller's seat."""
    require(caller, game)
    if (caller.role, caller.seat) != ("seat", seat):
        raise forbidden()
    await service.side.withdraw(caller)


# -- disputes -----------------------------------------------------------------------------------------------------------

Number = Annotated[int, PathParameter(ge=1, le=9999, description="The dispute's number, counted from 1.")]


@operation(
    "POST /v1/games/{game:str}/disputes",
    "Dispute what happened",
    "disputes",
    body=AskDispute,
    problems="dispute-open dispute-limit unfit-span not-started game-over conflict",
    links={"dispute": link("listDisputes", SAME)},
)
async def open_dispute(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Dispute what happened in some commits, with a claim for the referee (the default) or for the table.

    A seat has at most one open dispute. Everybody learns that there is a dispute; only the referee reads the claim, unless it is addressed to the
    table. Play goes on, unless the game's option `disputes` says otherwise. If nobody rules in time, what happened stands.
    """
    require(caller, game)
    asked: AskDispute = await read_body(request, service)
    done = await service.disputing.open(caller, asked, idempotency_key(idempotency_key_))
    return await committed(service, caller, done, f"/v1/games/{game}/disputes/{_opened(done)}")


@operation("GET /v1/games/{game:str}/disputes", "List disputes", "disputes")
async def list_disputes(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, if_none_match: IfNoneMatch = None
) -> Response[DisputeList]:
    """List all disputes of a game, open and closed, as far as the caller's role was told of them."""
    require(caller, game)
    found, version = await service.disputing.list(caller)
    return versioned(request, if_none_match, version, lambda: found, caller.name, found)


@operation(
    "GET /v1/games/{game:str}/disputes/{number:int}",
    "Read a dispute",
    "disputes",
    problems="not-found not-acceptable",
    media=(MARKDOWN,),
)
async def get_dispute(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
) -> Response[DisputeShown]:
    """Read one dispute: its span, claim, evidence and ruling, as far as the caller's role was told of them.

    With `Accept: text/markdown` the answer is a page to be pasted into a forum: the claim, what happened in the disputed and cited commits, step by
    step, the texts of the rules, the ruling with what it changed or took back, and its reasons. Of the commits no more than 40 are told. A
    referee who wants to show it to everybody asks for it `as=spectator`.
    """
    kind = accepted(request.headers.get("Accept"), (JSON, MARKDOWN))
    eyes = await looking_as(service, caller, game, as_, confidential=True)
    if kind == JSON:
        found, version = await service.disputing.one(caller, number, eyes.principal)
        return versioned(request, if_none_match, version, lambda: found, caller.name, found)
    page, version, found = await service.ruling_pages.page(caller, number, eyes.principal)

    def written() -> Response[str]:
        return Response(page, media_type=MARKDOWN)

    return versioned(request, if_none_match, version, written, caller.name, kind, found)


@operation(
    "POST /v1/games/{game:str}/disputes/{number:int}/evidence",
    "Give evidence",
    "disputes",
    body=AskEvidence,
    problems="not-found unfit-evidence unknown-rule unfit-span dispute-limit dispute-closed not-started game-over "
    "conflict",
)
async def give_evidence(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    idempotency_key_: IdempotencyKey = None,
) -> Response[CommitAnswer]:
    """Cite commits and rules, with an optional note. The referee reads it; in a dispute before the table, everybody does.

    In other disputes everybody learns only that there is evidence, and who gave it.
    """
    require(caller, game)
    asked: AskEvidence = await read_body(request, service)
    done = await service.disputing.give(caller, number, asked, idempotency_key(idempotency_key_))
    return await committed(service, caller, done, f"/v1/games/{game}/disputes/{number}")


@operation(
    "POST /v1/games/{game:str}/disputes/{number:int}/withdrawal",
    "Withdraw a dispute",
    "disputes",
    problems="not-found dispute-closed not-started game-over conflict",
)
async def withdraw_dispute(
    service: FromService, caller: FromCaller, game: Game, number: Number, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Withdraw the caller's own dispute. It stays in the log."""
    require(caller, game)
    done = await service.disputing.withdraw(caller, number, idempotency_key(idempotency_key_))
    return await committed(service, caller, done, f"/v1/games/{game}/disputes/{number}")


@operation(
    "POST /v1/games/{game:str}/disputes/{number:int}/ruling",
    "Rule on a dispute",
    "disputes",
    body=AskRuling,
    problems="not-found unfit-ruling dispute-limit unknown-rule unfit-span unfit-amendment ruling-open "
    "decision-closed illegal-command dispute-closed invalid-precondition stale-version not-started game-over conflict",
    others={"200": ("With `dry_run`: what it would do. Nothing has changed.", RulingTried)},
)
async def rule_dispute(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    idempotency_key_: IdempotencyKey = None,
    if_match_: IfMatch = None,
) -> Response[CommitAnswer]:
    """Rule that what happened stands, that it is amended, or that play goes back to a commit. At the table, a seat proposes and all others are asked.

    A rewind is a commit like any other: nothing is erased, and spent dice are never dealt again. The referee is told what players saw in the
    commits that are taken back. Seats that are asked answer by `choose` with the decision `dispute-1-2` (the second proposal in dispute 1), which
    `decisions` lists.

    A rewind to before an amendment undoes it; `reapply` does its steps again in the same commit. With `dry_run` the answer is 200 with what would
    change for each role, as if all who are asked agreed: for all roles if the referee asks, for its own alone if a seat does. With `If-Match` the
    ruling is made only at that version: what was tried is then what comes of it.
    """
    require(caller, game)
    asked: AskRuling = await read_body(request, service)
    expected = if_match(if_match_)
    if asked.dry_run:
        tried = await service.disputing.try_ruling(caller, number, asked, expected)
        return Response(tried, status_code=200, headers=PRIVATE)  # type: ignore[arg-type]  # `others` says so
    done = await service.disputing.rule(caller, number, asked, idempotency_key(idempotency_key_), expected)
    return await committed(service, caller, done, f"/v1/games/{game}/disputes/{number}")


@operation(
    "POST /v1/games/{game:str}/disputes/{number:int}/reopening",
    "Reopen a dispute",
    "disputes",
    body=AskReopening,
    problems="not-found dispute-open dispute-closed dispute-limit ruling-open not-started game-over conflict",
)
async def reopen_dispute(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    idempotency_key_: IdempotencyKey = None,
) -> Response[CommitAnswer]:
    """As the referee, reopen a dispute that was ruled on, by the referee or by the table. Its time to be decided begins anew.

    What was ruled stands until it is ruled again: precedents hold, and nothing that the ruling has changed is changed back. If nobody rules in
    time it stands for good. The seat that opened the dispute can't withdraw it any more.
    """
    require(caller, game)
    asked: AskReopening = await read_body(request, service)
    done = await service.disputing.reopen(caller, number, asked, idempotency_key(idempotency_key_))
    return await committed(service, caller, done, f"/v1/games/{game}/disputes/{number}")


@operation(
    "GET /v1/precedents",
    "Find precedents",
    "disputes",
    security=ANY,
    problems="unknown-rule not-found damaged-log archive-missing",
)
async def find_precedents(
    request: AnyRequest,
    service: FromService,
    rule: Annotated[
        str,
        QueryParameter(examples=shown("2E-MOVE-002"), max_length=40, description="Only rulings that cite this rule."),
    ] = "",
    after: Annotated[str | None, QueryParameter(pattern=CURSOR, description="The `next` of the previous page.")] = None,
    limit: Limit = 100,
) -> Response[PrecedentList]:
    """Find precedents of all games that the caller may see: those of its token's game, or of all games whose tokens are bound to its account.

    Anybody is shown precedents of finished games that are listed and whose record is public (options `listed` and `public_record`). A page
    searches no more than 50 games: it may be short or empty and still not be the last. Go on as long as there is a `next`.
    """
    callers = await callers_behind(service, request)
    page = await service.precedents.page(callers, rule, after or "", min(limit, service.settings.page_limit))
    return Response(page, headers=PRIVATE)


class _Opened(msgspec.Struct):
    type: str
    number: int = 0


_event = msgspec.json.Decoder(_Opened)


def _opened(done: Done) -> int:
    """The number of the dispute that a commit opened; of a retry, that of the first one."""
    events = (_event.decode(part.body) for part in done.parts.events)
    return next(event.number for event in events if event.type == DisputeOpened.__name__)
