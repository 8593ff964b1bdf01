"""A game as one file."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.response import Stream

from service.api.callers import require
from service.api.outgoing import NDJSON, AnyRequest, behind, versioned
from service.api.parameters import FromCaller, FromService, Game, IfNoneMatch


@get(
    "/v1/games/{game:str}/export",
    operation_id="exportGame",
    summary="Export the game",
    tags=["events"],
    media_type=NDJSON,
)
async def export_game(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, if_none_match: IfNoneMatch = None
) -> Response[Any]:
    """Export the game for `omenlog verify` and `omenlog replay`: a header, then a line for each commit.

    The referee, and after the disclosure everybody, gets the whole log with the pack and the key of the salts, and after
    the disclosure the seed. Before, a role gets what it was told, each commit with the proof that it stands in the chain.
    """
    require(caller, game)
    export = await service.exporting.begin(caller)
    first = await anext(export.lines)

    def file() -> Response[Any]:
        named = {"Content-Disposition": f'attachment; filename="{game}.ndjson"'}
        return Stream(behind(first, export.lines), media_type=NDJSON, headers=named)

    return versioned(request, if_none_match, export.version, file, caller.name, export.full)
