"""Audits of a game as jobs."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get, post
from litestar.params import PathParameter

from content.patterns import whole
from service.api.callers import require
from service.api.outgoing import PRIVATE
from service.api.parameters import FromCaller, FromService, Game
from service.games.read.verifying import Verification

Name = Annotated[str, PathParameter(pattern=whole(r"^[0-9]{1,9}$"), description="The verification's id.")]


@post(
    "/v1/games/{game:str}/verifications",
    operation_id="askVerification",
    summary="Have a game audited",
    tags=["proof"],
    status_code=202,
)
async def ask_verification(service: FromService, caller: FromCaller, game: Game) -> Response[Verification]:
    """Have the whole log audited as it stands: the chain, every command decided again, every die, of a game of any revision.

    A seat or the referee may ask while the game goes on, everybody once it is disclosed. Until then a seat is told the outcome
    and the first commit that differs, not what it is. Asked for twice at one version, it is one job. What the service
    says of itself is no proof: export the game and run `omenlog verify` for that.
    """
    require(caller, game)
    asked = await service.verifying.ask(caller)
    where = f"/v1/games/{game}/verifications/{asked.id}"
    return Response(asked, status_code=202, headers={**PRIVATE, "Location": where})


@get(
    "/v1/games/{game:str}/verifications/{verification:str}",
    operation_id="getVerification",
    summary="See how far an audit is",
    tags=["proof"],
)
async def get_verification(
    service: FromService, caller: FromCaller, game: Game, verification: Name
) -> Response[Verification]:
    """See how far an audit is, and once it is done its verdict."""
    require(caller, game)
    return Response(await service.verifying.show(caller, verification), headers=PRIVATE)
