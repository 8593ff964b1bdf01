"""Disputes: what a seat objects to, the evidence, and how it is ruled."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response
from litestar.params import PathParameter

from domain.facts.events.desk import DisputeOpened
from service.games.desk.disputes import AskDispute, AskEvidence, AskRuling, DisputeList, DisputeShown
from service.games.lobby.answers import CommitAnswer
from service.games.play.submit import Done
from service.http.bodies import read_body
from service.http.callers import require
from service.http.incoming import FromCaller, FromService, Game, IdempotencyKey, IfNoneMatch, idempotency_key
from service.http.operation import SAME, link, operation
from service.http.outgoing import AnyRequest, committed, versioned

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
    return committed(caller, done, f"/v1/games/{game}/disputes/{_opened(done)}")


@operation("GET /v1/games/{game:str}/disputes", "List disputes", "disputes")
async def list_disputes(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, if_none_match: IfNoneMatch = None
) -> Response[DisputeList]:
    """List all disputes of a game, open and closed, as far as the caller's role was told of them."""
    require(caller, game)
    found, version = await service.disputing.list(caller)
    return versioned(request, if_none_match, version, lambda: found, caller.name, found)


@operation("GET /v1/games/{game:str}/disputes/{number:int}", "Read a dispute", "disputes", problems="not-found")
async def get_dispute(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    if_none_match: IfNoneMatch = None,
) -> Response[DisputeShown]:
    """Read one dispute: its span, claim, evidence and ruling, as far as the caller's role was told of them."""
    require(caller, game)
    found, version = await service.disputing.one(caller, number)
    return versioned(request, if_none_match, version, lambda: found, caller.name, found)


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
    return committed(caller, done, f"/v1/games/{game}/disputes/{number}")


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
    return committed(caller, done, f"/v1/games/{game}/disputes/{number}")


@operation(
    "POST /v1/games/{game:str}/disputes/{number:int}/ruling",
    "Rule on a dispute",
    "disputes",
    body=AskRuling,
    problems="not-found unfit-ruling dispute-limit unknown-rule unfit-span unfit-amendment ruling-open "
    "decision-closed illegal-command dispute-closed not-started game-over conflict",
)
async def rule_dispute(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    idempotency_key_: IdempotencyKey = None,
) -> Response[CommitAnswer]:
    """Rule that what happened stands, that it is amended, or that play goes back to a commit. At the table, a seat proposes and all others are asked.

    A rewind is a commit like any other: nothing is erased, and spent dice are never dealt again. The referee is told what players saw in the
    commits that are taken back. Seats that are asked answer by `choose` with the decision `dispute-1-2` (the second proposal in dispute 1), which
    `decisions` lists.
    """
    require(caller, game)
    asked: AskRuling = await read_body(request, service)
    done = await service.disputing.rule(caller, number, asked, idempotency_key(idempotency_key_))
    return committed(caller, done, f"/v1/games/{game}/disputes/{number}")


class _Opened(msgspec.Struct):
    type: str
    number: int = 0


_event = msgspec.json.Decoder(_Opened)


def _opened(done: Done) -> int:
    """The number of the dispute that a commit opened; of a retry, that of the first one."""
    events = (_event.decode(part.body) for part in done.parts.events)
    return next(event.number for event in events if event.type == DisputeOpened.__name__)
