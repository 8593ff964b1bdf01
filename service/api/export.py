"""A game as one file."""

from __future__ import annotations

from collections.abc import AsyncIterator

from litestar import get
from litestar.response import Stream

from service.api.callers import require
from service.api.outgoing import NDJSON, PRIVATE, behind
from service.api.parameters import FromCaller, FromService, Game


@get(
    "/v1/games/{game:str}/export",
    operation_id="exportGame",
    summary="Export the game",
    tags=["events"],
    media_type=NDJSON,
)
async def export_game(service: FromService, caller: FromCaller, game: Game) -> Stream:
    """Export the game for `omenlog verify` and `omenlog replay`: a header, then a line for each commit.

    The referee, and after the disclosure everybody, gets the whole log with the pack and the key of the salts, and after
    the disclosure the seed. Before, a role gets what it was told, each commit with the proof that it stands in the chain.
    """
    require(caller, game)
    lines: AsyncIterator[bytes] = service.exporting.lines(caller)
    version = await service.reading.version(caller)
    headers = {"ETag": f'"{version}"', "Content-Disposition": f'attachment; filename="{game}.ndjson"', **PRIVATE}
    first = await anext(lines)
    return Stream(behind(first, lines), media_type=NDJSON, headers=headers)
