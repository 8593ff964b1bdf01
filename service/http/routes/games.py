"""Games as a whole: opened, listed, started, closed, imported, exported, audited."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from content.patterns import whole
from service.bootstrap import Service
from service.games.lobby.answers import CommitAnswer, GameDetails, GameList, GameOpenedAnswer
from service.games.lobby.importing import GameImported
from service.games.read.proof import Verification
from service.http.bodies import check_media_type, fingerprint, read_body, read_bytes
from service.http.callers import (
    authenticate,
    check_opening_key,
    count_anonymous,
    identify_if_known,
    opener_behind,
    require,
)
from service.http.incoming import (
    GAME,
    FromCaller,
    FromService,
    Game,
    IdempotencyKey,
    IfNoneMatch,
    Limit,
    StrongKey,
    idempotency_key,
    strong_key,
)
from service.http.operation import MADE, OPENING_KEY, PERHAPS, SAME, Example, link, operation
from service.http.outgoing import NDJSON, PRIVATE, AnyRequest, behind, committed, created, versioned
from service.identity import Caller
from service.log.requests import OpenGame, StartGame
from service.problems import ProblemError


@operation(
    "POST /v1/games",
    "Open a game",
    "games",
    security=OPENING_KEY,
    body=OpenGame,
    problems="too-many-games unknown-edition unknown-pack unknown-character character-taken name-taken unfit-options "
    "unfit-setup unfit-seats unfit-tape unknown-account account-full",
    headers={"ETag": False},
    secrets=True,
    links={
        "game": link("getGame", MADE),
        "claim": link(
            "claimSeat",
            MADE | {"seat": "0"},
            body={"invite": "$response.body#/invites/seats/0/secret"},
            says="With the seat's invite. For a hotseat all seats are claimed already.",
        ),
        "referee": link("joinReferee", MADE, body={"invite": "$response.body#/invites/referee/secret"}),
        "spectators": link("joinSpectators", MADE, body={"invite": "$response.body#/invites/spectators/0/secret"}),
        "start": link("startGame", MADE, says="With the host's token."),
        "close": link("closeGame", MADE, says="With the host's token."),
        "rotate": link(
            "rotateToken", MADE | {"token": "$response.body#/tokens/host/id"}, says="With the host's token."
        ),
    },
)
async def open_game(
    request: AnyRequest, service: FromService, idempotency_key_: StrongKey = None
) -> Response[GameOpenedAnswer]:
    """Open a game: the service draws the seed, commits to it, and makes tokens and invites.

    The answer shows tokens and invites once. The host's token manages the game and sees what a spectator sees. Whoever takes a place exchanges
    its invite for a token; a spectator's is good for as many as its `good_for` says. With `hotseat` all tokens come at once, and everybody can see
    that one person received them. `account` binds the tokens in the answer to an account, as `bindToken` does.

    The operator may restrict this to holders of the opening key (`OMENLOG_OPENING_KEY`), which is then sent as a bearer token.
    """
    count_anonymous(service, request)
    check_opening_key(service, request)
    key = strong_key(idempotency_key_)
    asked: OpenGame = await read_body(request, service)
    made = await service.opening.open(asked, key, fingerprint("open", asked), await opener_behind(service, request))
    game = made.answer.game
    return created(made.answer, game.version, f"/v1/games/{game.id}", replayed=made.replayed)


@operation(
    "GET /v1/games",
    "List games",
    "games",
    security=PERHAPS,
    problems="not-found",
    links={"game": link("getGame", {"game": "$response.body#/games/0/id"})},
    example=Example("/v1/games"),
)
async def list_games(
    request: AnyRequest,
    service: FromService,
    status: Annotated[
        Literal["open", "started", "finished", "abandoned"] | None,
        QueryParameter(description="Only games with this status."),
    ] = None,
    order: Annotated[
        Literal["oldest", "newest"], QueryParameter(description="Whether the oldest or the newest game comes first.")
    ] = "oldest",
    after: Annotated[
        str | None, QueryParameter(pattern=GAME, description="The last game of the previous page: its `next`.")
    ] = None,
    limit: Limit = 100,
) -> Response[GameList]:
    """List the games whose makers chose to list them (option `listed`), with their public facts.

    A page may hold fewer games than you asked for even if it is not the last: go on as long as there is a `next`. Players' names are shown only
    to a caller with a token of that game.
    """
    caller = await identify_if_known(service, request)
    page = await service.reading.games(
        caller, status=status, newest=order == "newest", after=after, limit=min(limit, service.settings.page_limit)
    )
    return Response(page, headers=PRIVATE)


@operation(
    "GET /v1/games/{game:str}",
    "Get a game's public facts",
    "games",
    security=PERHAPS,
    problems="not-found",
    never="damaged-log archive-missing",
    example=Example("/v1/games/{game}"),
)
async def get_game(
    request: AnyRequest, service: FromService, game: Game, if_none_match: IfNoneMatch = None
) -> Response[GameDetails]:
    """Get a game's public facts: its state, seats, options and pinned versions. With a token of this game, also the players' names."""
    caller = await identify_if_known(service, request)
    shown = await service.reading.game(game, caller)
    # Of all that is shown only these digests are of secrets, salted, and they never change.
    decides = msgspec.structs.replace(shown, commitment="", pack_digest="")
    return versioned(request, if_none_match, shown.version, lambda: shown, decides)


@operation(
    "POST /v1/games/{game:str}/start",
    "Start a game",
    "games",
    body=StartGame,
    body_needed=False,
    problems="not-open game-over seats-free unfit-scenario conflict",
    links={
        "decisions": link("getDecisions", SAME),
        "view": link("getView", SAME),
        "events": link("getEvents", SAME),
        "export": link("exportGame", SAME),
        "trace": link("getTrace", SAME),
        "heads": link("getHeads", SAME),
        "proofs": link("getProofs", SAME, says="With a seat's token."),
        "verification": link("askVerification", SAME, says="With a seat's token."),
    },
)
async def start_game(
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    idempotency_key_: IdempotencyKey = None,
) -> Response[CommitAnswer]:
    """Set up the house and start the first turn. All seats must be claimed; from here on, characters and entropy are fixed.

    A pack with scenarios needs one: the host names it here, unless the game's option `scenario` does.
    """
    require(caller, game, "host")
    asked: StartGame = await read_body(request, service)
    key, scenario = idempotency_key(idempotency_key_), asked.scenario or ""
    done = await service.life.start(caller, key, fingerprint("start", asked if scenario else None), scenario)
    return await committed(service, caller, done)


@operation("POST /v1/games/{game:str}/close", "Close a game", "games", problems="game-over conflict")
async def close_game(
    service: FromService, caller: FromCaller, game: Game, idempotency_key_: IdempotencyKey = None
) -> Response[CommitAnswer]:
    """Abandon a game. It stays readable."""
    require(caller, game, "host")
    done = await service.life.close(caller, idempotency_key(idempotency_key_), fingerprint("close", None))
    return await committed(service, caller, done)


@operation(
    "POST /v1/games/import",
    "Import a game",
    "proof",
    security=OPENING_KEY,
    body=NDJSON,
    problems="unsupported-media-type request-timeout body-too-large unfit-export unknown-pack newer-revision "
    "not-disclosed diverged-export unverified-export game-exists",
    headers={"ETag": True},
    secrets=True,
    links={"game": link("getGame", MADE)},
    litestar={"request_max_body_size": None},
    no_example="Its body is a whole game.",
)
async def import_game(
    request: AnyRequest, service: FromService, idempotency_key_: StrongKey = None
) -> Response[GameImported]:
    """Import a game that is over and disclosed, from its full export.

    The service audits the export first: every link of its chain, every decision, every die. It refuses an export that diverges, that cannot be
    verified, that comes from a newer revision of the rules, or whose game is already here. The tokens in the answer can read and export the game;
    it cannot be played on.
    """
    count_anonymous(service, request)
    check_opening_key(service, request)
    key = strong_key(idempotency_key_)
    check_media_type(request.headers.get("Content-Type"), request.headers.get("Content-Encoding"), NDJSON)
    with service.importing.place():
        imported = await service.importing.bring(
            await read_bytes(request, service.settings.import_limit, "OMENLOG_IMPORT_LIMIT"), key
        )
    game = imported.answer.game
    return created(imported.answer, game.version, f"/v1/games/{game.id}", replayed=imported.replayed)


@operation(
    "GET /v1/games/{game:str}/export",
    "Export a game",
    "events",
    security=PERHAPS,
    problems="unauthorized forbidden",
    media=(NDJSON,),
    litestar={"media_type": NDJSON},
    no_example="It is a whole game.",
)
async def export_game(
    request: AnyRequest, service: FromService, game: Game, if_none_match: IfNoneMatch = None
) -> Response[Any]:
    """Export the game for `omenlog verify` and `omenlog replay`: a header, then one line for each commit.

    The referee gets the whole log, with the pack and the key of the salts; once the game is disclosed, everybody does, and the seed too. Before,
    a role gets what it was told, each commit with a proof that it belongs to the chain. A game that is finished and disclosed can be exported
    without a token if its option `public_record` says so.
    """
    caller = await _reader(request, service, game)
    export = await service.exporting.begin(caller)
    first = await anext(export.lines)

    def file() -> Response[Any]:
        named = {"Content-Disposition": f'attachment; filename="{game}.ndjson"'}
        return Stream(behind(first, export.lines), media_type=NDJSON, headers=named)

    return versioned(request, if_none_match, export.version, file, "full" if export.full else caller.name)


async def _reader(request: AnyRequest, service: Service, game: str) -> Caller:
    """Whose export it is: the caller's, or of a public record a spectator's, who sees all of it."""
    try:
        caller = (await authenticate(service, request)).caller
        require(caller, game)
    except ProblemError as problem:
        if problem.code == "too-many-requests" or not await service.exporting.is_public(game):
            raise
        return Caller(game, "public", "spectator")
    return caller


Name = Annotated[str, PathParameter(pattern=whole(r"^[0-9]{1,9}$"), description="The verification's id.")]


@operation(
    "POST /v1/games/{game:str}/verifications",
    "Request an audit",
    "proof",
    problems="jobs-unavailable",
    never="store-full",
    headers={"Location": True},
    links={"verdict": link("getVerification", SAME | {"verification": "$response.body#/id"})},
    litestar={"status_code": 202},
)
async def ask_verification(service: FromService, caller: FromCaller, game: Game) -> Response[Verification]:
    """Have the whole log audited: the chain, every command decided again, every die, at any revision of the rules.

    A seat or the referee may ask while the game goes on; everybody may, once it is disclosed. Until then a seat is told the outcome and the first
    commit that differs, but not how it differs. Asking twice at one version makes one job. What the service says of itself is no proof: for that,
    export the game and run `omenlog verify`.
    """
    require(caller, game)
    asked = await service.verifying.ask(caller)
    where = f"/v1/games/{game}/verifications/{asked.id}"
    return Response(asked, status_code=202, headers={**PRIVATE, "Location": where})


@operation(
    "GET /v1/games/{game:str}/verifications/{verification:str}",
    "Get an audit",
    "proof",
    problems="not-found jobs-unavailable",
)
async def get_verification(
    service: FromService, caller: FromCaller, game: Game, verification: Name
) -> Response[Verification]:
    """See how far an audit has come and, once it is done, its verdict."""
    require(caller, game)
    return Response(await service.verifying.show(caller, verification), headers=PRIVATE)
