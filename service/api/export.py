"""A game as one file."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.response import Stream

from service.api.callers import authenticate, require
from service.api.games import PERHAPS
from service.api.outgoing import NDJSON, AnyRequest, behind, versioned
from service.api.parameters import FromService, Game, IfNoneMatch
from service.bootstrap import Service
from service.identity import Caller
from service.problems import ProblemError


@get(
    "/v1/games/{game:str}/export",
    operation_id="exportGame",
    summary="Export the game",
    tags=["events"],
    media_type=NDJSON,
    security=PERHAPS,
)
async def export_game(
    request: AnyRequest, service: FromService, game: Game, if_none_match: IfNoneMatch = None
) -> Response[Any]:
    """Export the game for `omenlog verify` and `omenlog replay`: a header, then a line for each commit.

    The referee, and after the disclosure everybody, gets the whole log with the pack and the key of the salts, and after
    the disclosure the seed. Before, a role gets what it was told, each commit with the proof that it stands in the chain.
    Of a game that is finished and disclosed anybody gets it, if the game's option `public_record` says so.
    """
    caller = await _reader(request, service, game)
    export = await service.exporting.begin(caller)
    first = await anext(export.lines)

    def file() -> Response[Any]:
        named = {"Content-Disposition": f'attachment; filename="{game}.ndjson"'}
        return Stream(behind(first, export.lines), media_type=NDJSON, headers=named)

    return versioned(request, if_none_match, export.version, file, "full" if export.full else caller.name)


async def _reader(request: AnyRequest, service: Service, game: str) -> Caller:
    """Whose export it is: the caller's, or of a public record a spectator's, who sees all of it.

    Raises:
        ProblemError: `unauthorized`, `forbidden` or `too-many-requests`.
    """
    try:
        caller = await authenticate(service, request)
        require(caller, game)
    except ProblemError as problem:
        if problem.code == "too-many-requests" or not await service.exporting.is_public(game):
            raise
        return Caller(game, "public", "spectator")
    return caller
