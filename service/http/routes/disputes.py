"""Disputes: what a seat objects to, the evidence, and how it is ruled."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, get, post, route
from litestar.params import PathParameter

from domain.facts.events.desk import DisputeOpened
from service.games.desk.disputes import AskDispute, AskEvidence, AskRuling, DisputeList, DisputeShown
from service.games.lobby.answers import CommitAnswer
from service.games.play.submit import Done
from service.http.bodies import read_body
from service.http.callers import require
from service.http.incoming import FromCaller, FromService, Game, IdempotencyKey, IfNoneMatch, idempotency_key
from service.http.outgoing import AnyRequest, committed, versioned

_dispute = msgspec.json.Decoder(AskDispute)
_evidence = msgspec.json.Decoder(AskEvidence)
_ruling = msgspec.json.Decoder(AskRuling)

Number = Annotated[int, PathParameter(ge=1, le=9999, description="The dispute's number, counted from 1.")]


@post(
    "/v1/games/{game:str}/disputes",
    operation_id="openDispute",
    summary="Dispute what happened",
    tags=["disputes"],
    opt={"body": AskDispute},
)
async def open_dispute(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Dispute what happened in some commits, with a claim for the referee (default) or for the table.

    A seat has one open dispute at a time. Everybody learns that there is one; what it claims only the referee, unless it is addressed
    to the table. Play goes on, unless the game's option `disputes` says otherwise. If nobody rules in time, what happened stands.
    """
    require(caller, game)
    asked: AskDispute = await read_body(request, service, _dispute)
    done = await service.disputing.open(caller, asked, idempotency_key(idempotency_key_))
    return committed(caller, done, f"/v1/games/{game}/disputes/{_opened(done)}")


@get("/v1/games/{game:str}/disputes", operation_id="listDisputes", summary="List disputes", tags=["disputes"])
async def list_disputes(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, if_none_match: IfNoneMatch = None
) -> Response[DisputeList]:
    """List all disputes of a game, open and closed, as far as the caller's role was told."""
    require(caller, game)
    found, version = await service.disputing.list(caller)
    return versioned(request, if_none_match, version, lambda: found, caller.name, found)


@route("/v1/games/{game:str}/disputes", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_disputes() -> Response[None]:
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "GET, OPTIONS, POST"})


@get(
    "/v1/games/{game:str}/disputes/{number:int}",
    operation_id="getDispute",
    summary="Read a dispute",
    tags=["disputes"],
)
async def get_dispute(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    if_none_match: IfNoneMatch = None,
) -> Response[DisputeShown]:
    """Read one dispute: its span, claim, evidence and ruling, as far as the caller's role was told."""
    require(caller, game)
    found, version = await service.disputing.one(caller, number)
    return versioned(request, if_none_match, version, lambda: found, caller.name, found)


@post(
    "/v1/games/{game:str}/disputes/{number:int}/evidence",
    operation_id="giveEvidence",
    summary="Give evidence",
    tags=["disputes"],
    opt={"body": AskEvidence},
)
async def give_evidence(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    idempotency_key_: IdempotencyKey = None,
) -> Response[CommitAnswer]:
    """Point at commits and rules, with a note perhaps. The referee is told, and everybody if the dispute is the table's.

    Of other disputes everybody learns that there is evidence, and who gave it.
    """
    require(caller, game)
    asked: AskEvidence = await read_body(request, service, _evidence)
    done = await service.disputing.give(caller, number, asked, idempotency_key(idempotency_key_))
    return committed(caller, done, f"/v1/games/{game}/disputes/{number}")


@post(
    "/v1/games/{game:str}/disputes/{number:int}/withdrawal",
    operation_id="withdrawDispute",
    summary="Withdraw a dispute",
    tags=["disputes"],
)
async def withdraw_dispute(
    service: FromService, caller: FromCaller, game: Game, number: Number, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Withdraw the own dispute. It stays in the log."""
    require(caller, game)
    done = await service.disputing.withdraw(caller, number, idempotency_key(idempotency_key_))
    return committed(caller, done, f"/v1/games/{game}/disputes/{number}")


@post(
    "/v1/games/{game:str}/disputes/{number:int}/ruling",
    operation_id="ruleDispute",
    summary="Rule on a dispute",
    tags=["disputes"],
    opt={"body": AskRuling},
)
async def rule_dispute(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    number: Number,
    idempotency_key_: IdempotencyKey = None,
) -> Response[CommitAnswer]:
    """Rule: what happened stands, is amended, or play goes back to a commit. At the table a seat proposes, and all others are asked.

    A rewind is a commit like any other: nothing is erased, and spent dice are never dealt again. The referee is told what players saw in the
    commits that are taken back. What seats are asked they answer by `choose`, with the decision
    `dispute-1-2` (of dispute 1 the second proposal), which `decisions` lists.
    """
    require(caller, game)
    asked: AskRuling = await read_body(request, service, _ruling)
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
