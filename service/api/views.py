"""What a role sees, and what it may do."""

from __future__ import annotations

from litestar import Response, get

from projections.view import GameView
from service.api.callers import looking_as
from service.api.outgoing import AnyRequest, versioned
from service.api.parameters import As, At, FromCaller, FromService, Game, IfNoneMatch
from service.bootstrap import Service
from service.games.read.reading import DecisionsShown, Seen, decisions, view
from service.identity import Caller


@get("/v1/games/{game:str}/view", operation_id="getView", summary="See the game", tags=["play"])
async def get_view(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    at: At = None,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
) -> Response[GameView]:
    """See the house, the explorers and all else that the caller's role was told, now or as of a commit."""
    seen = await look(service, caller, game, at, as_)
    return versioned(request, if_none_match, seen.version, lambda: view(seen), caller.name, seen.beside)


@get("/v1/games/{game:str}/decisions", operation_id="getDecisions", summary="See what can be done", tags=["play"])
async def get_decisions(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    at: At = None,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
) -> Response[DecisionsShown]:
    """See what the game waits for, and for the caller every legal command, ready to post."""
    seen = await look(service, caller, game, at, as_)
    return versioned(request, if_none_match, seen.version, lambda: decisions(seen), caller.name, seen.beside)


async def look(service: Service, caller: Caller, game: str, at: int | None, as_: str | None) -> Seen:
    """What the caller's role knows, or for the referee another role. Raises `forbidden` for anybody else who asks for another's."""
    eyes = await looking_as(service, caller, game, as_)
    return await service.reading.seen(caller, at=at, as_=eyes.principal)
