"""The status post: the game as a moderator pastes it into a forum."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Response, get
from litestar.params import QueryParameter

from projections.post import status_post
from service.api.callers import require
from service.api.outgoing import AnyRequest, versioned
from service.api.parameters import As, At, FromCaller, FromService, Game, IfNoneMatch
from service.api.views import look

TEXT = "text/plain"


@get(
    "/v1/games/{game:str}/post",
    operation_id="getPost",
    summary="Write a status post",
    tags=["play"],
    media_type=TEXT,
)
async def get_post(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    format_: Annotated[
        Literal["markdown", "bbcode"],
        QueryParameter(name="format", description="What the forum understands: `markdown` or `bbcode`."),
    ] = "markdown",
    at: At = None,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
) -> Response[str]:
    """Write the state of the game as a post for a forum, which can be pasted as it stands.

    It holds what lies open on the table alone, whoever asks: whose turn it is, who has to answer what until when (and what the
    moderator throws), who was passed over in the last round, the explorers, monsters and items, the haunt, a plan of each floor.
    """
    require(caller, game)
    names = await service.reading.names(game)
    seen = await look(service, caller, game, at, as_)
    players = seen.players(names)

    def written() -> Response[str]:
        text = status_post(seen.rules, seen.state, format_, players, seen.due, seen.passed_over)
        return Response(text, media_type=TEXT)

    return versioned(request, if_none_match, seen.version, written, caller.name, seen.beside, players)
