"""Games as a whole: opened, listed, started, closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post, route
from litestar.params import QueryParameter

from service.api.bodies import fingerprint, read_body
from service.api.callers import check_opening_key, count_anonymous, identify_if_known, opener_behind, require
from service.api.edge import SECRETS
from service.api.incoming import idempotency_key, strong_key
from service.api.outgoing import PRIVATE, AnyRequest, committed, created, versioned
from service.api.parameters import GAME, FromCaller, FromService, Game, IdempotencyKey, IfNoneMatch, Limit, StrongKey
from service.games.lobby.answers import CommitAnswer, GameList, GameOpenedAnswer, GameShown
from service.log.requests import OpenGame

_open_game = msgspec.json.Decoder(OpenGame)
_PAGE = 100


OPENING: Sequence[dict[str, list[str]]] = [{}, {"opening": []}]
"""Anybody, or whoever has the opening key: as the operator chooses."""
PERHAPS: Sequence[dict[str, list[str]]] = [{}, {"token": []}]
"""Anybody; who shows a token of the game is told the players' names."""


@post(
    "/v1/games",
    operation_id="openGame",
    summary="Open a game",
    tags=["games"],
    security=OPENING,
    opt={SECRETS: True, "body": OpenGame},
)
async def open_game(
    request: AnyRequest, service: FromService, idempotency_key_: StrongKey = None
) -> Response[GameOpenedAnswer]:
    """Open a game: the seed is drawn and promised, tokens and invites are made.

    The answer shows tokens and invites once. The host's token arranges the game and sees what a spectator sees. Invites
    are exchanged for tokens by whoever takes the place. With `hotseat` all tokens come at once, and everybody can see
    that one person got them.

    Whoever runs the service may keep this for those who have its opening key (`OMENLOG_OPENING_KEY`): then it is sent as a token is.
    """
    count_anonymous(service, request)
    check_opening_key(service, request)
    key = strong_key(idempotency_key_)
    asked: OpenGame = await read_body(request, service, _open_game)
    made = await service.opening.open(asked, key, fingerprint("open", asked), await opener_behind(service, request))
    game = made.answer.game
    return created(made.answer, game.version, f"/v1/games/{game.id}", replayed=made.replayed)


@get("/v1/games", operation_id="listGames", summary="List games", tags=["games"], security=PERHAPS)
async def list_games(
    request: AnyRequest,
    service: FromService,
    status: Annotated[
        Literal["open", "started", "finished", "abandoned"] | None,
        QueryParameter(description="Only games in this one."),
    ] = None,
    order: Annotated[
        Literal["oldest", "newest"], QueryParameter(description="Which game comes first, by their opening.")
    ] = "oldest",
    after: Annotated[
        str | None,
        QueryParameter(pattern=GAME, description="The game behind which the page begins: `next` of the page before."),
    ] = None,
    limit: Limit = _PAGE,
) -> Response[GameList]:
    """List the games whose makers have chosen so (option `listed`), with their public facts.

    A page may hold fewer games than asked for and still not be the last: go on as long as there is a `next`. Players' names are told only to
    whoever shows a token of that very game.
    """
    caller = await identify_if_known(service, request)
    page = await service.reading.games(
        caller, status=status, newest=order == "newest", after=after, limit=min(limit, service.settings.page_limit)
    )
    return Response(page, headers=PRIVATE)


@route("/v1/games", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_games() -> Response[None]:
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "GET, OPTIONS, POST"})


@get(
    "/v1/games/{game:str}",
    operation_id="getGame",
    summary="Get a game's public facts",
    tags=["games"],
    security=PERHAPS,
)
async def get_game(
    request: AnyRequest, service: FromService, game: Game, if_none_match: IfNoneMatch = None
) -> Response[GameShown]:
    """Get what everybody may know of a game: its life, seats, options and pins; with a token of this game the players' names, too."""
    caller = await identify_if_known(service, request)
    shown = await service.reading.game(game, caller)
    # Of all that is shown only these digests are of secrets, salted, and they never change.
    decides = msgspec.structs.replace(shown, commitment="", pack_digest="")
    return versioned(request, if_none_match, shown.version, lambda: shown, decides)


@post("/v1/games/{game:str}/start", operation_id="startGame", summary="Start a game", tags=["games"])
async def start_game(
    service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Set the house up and give the first turn. All seats must be claimed; from here on characters and entropy are fixed."""
    require(caller, game, "host")
    done = await service.life.start(caller, idempotency_key(idempotency_key_), fingerprint("start", None))
    return committed(caller, done)


@post("/v1/games/{game:str}/close", operation_id="closeGame", summary="Close a game", tags=["games"])
async def close_game(
    service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Abandon a game. It stays readable."""
    require(caller, game, "host")
    done = await service.life.close(caller, idempotency_key(idempotency_key_), fingerprint("close", None))
    return committed(caller, done)
