"""What a role sees and may do, at any moment, and what would come of it: differences, pictures, posts, odds, dry runs, forks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post, route
from litestar.params import QueryParameter

from domain.facts.commands import AnyCommand
from projections.board import board_of
from projections.choices.decisions import decisions_of
from projections.choices.odds import Odds
from projections.choices.odds_asked import AnyAsked
from projections.diff.compare import GameDiff, Moment, difference
from projections.diff.markdown import diff_as_markdown
from projections.text.post import status_post
from projections.view.game import GameView, view_of
from service.bootstrap import Service
from service.games.fork.forking import GameForked
from service.games.fork.forks import ForkList
from service.games.read.reading import DecisionsShown, Seen, decisions, view
from service.games.read.trying import DryRun
from service.http.bodies import fingerprint, read_body
from service.http.callers import looking_as, require
from service.http.edge import SECRETS
from service.http.incoming import MOST, As, At, FromCaller, FromService, Game, IfNoneMatch, StrongKey, strong_key
from service.http.outgoing import HARMLESS, PRIVATE, AnyRequest, created, versioned
from service.identity import Caller
from service.log.requests import ForkGame
from service.problems import FieldError, ProblemError, forbidden


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


MARKDOWN = "text/markdown"
SVG = "image/svg+xml"


@get(
    "/v1/games/{game:str}/board.svg",
    operation_id="getBoard",
    summary="See the house as a picture",
    tags=["play"],
    media_type=SVG,
)
async def get_board(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    at: At = None,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
) -> Response[str]:
    """See the view of the caller's role as a drawing that can be printed: each floor with its rooms, doors and whoever is there.

    It is drawn from the same view as `getView` answers, shows nothing else, and the same view is always the same bytes.
    """
    seen = await look(service, caller, game, at, as_)

    def drawn() -> Response[str]:
        return Response(board_of(view(seen)), media_type=SVG, headers=HARMLESS)

    return versioned(request, if_none_match, seen.version, drawn, caller.name, seen.beside)


@get("/v1/games/{game:str}/diff", operation_id="getDiff", summary="See what changed between two commits", tags=["play"])
async def get_diff(  # noqa: PLR0913 -- as above
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    from_: Annotated[
        int,
        QueryParameter(name="from", ge=1, le=MOST, description="The earlier commit: what changed since it was made."),
    ],
    to: Annotated[
        int | None,
        QueryParameter(ge=1, le=MOST, description="The later commit; by default the latest that the caller may see."),
    ] = None,
    as_: As = None,
    format_: Annotated[
        Literal["json", "markdown"], QueryParameter(name="format", description="`json`, or `markdown` to be pasted.")
    ] = "json",
    if_none_match: IfNoneMatch = None,
) -> Response[GameDiff]:
    """See what changed for the caller's role between two commits: in its view, and in what it might do.

    Both sides are what the role saw then: what it was never told is in neither. Each change says what was before and after, and a line of words.
    """
    if to is not None and from_ > to:
        detail = f"from ({from_}) is behind to ({to}): name the earlier commit first."
        raise ProblemError("unfit-span", detail, errors=[FieldError("from", detail)])
    earlier = _moment(await look(service, caller, game, from_, as_))
    seen = await look(service, caller, game, to, as_)
    later = _moment(seen)

    def compared() -> object:
        found = difference(earlier, later)
        return Response(diff_as_markdown(found), media_type=MARKDOWN) if format_ == "markdown" else found

    return versioned(request, if_none_match, seen.version, compared, caller.name)


def _moment(seen: Seen) -> Moment:
    """What is made at once, before the role's state goes on with the game."""
    return Moment(
        view_of(seen.rules, seen.state, seen.principal),
        decisions_of(seen.rules, seen.state, seen.principal, seen.passed),
    )


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


_asked = msgspec.json.Decoder(AnyAsked)
_command = msgspec.json.Decoder(AnyCommand)
_fork = msgspec.json.Decoder(ForkGame)


@post(
    "/v1/games/{game:str}/odds",
    operation_id="getOdds",
    summary="Compute exact odds",
    tags=["what if"],
    status_code=200,
    opt={"body": AnyAsked},
)
async def get_odds(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, at: At = None, as_: As = None
) -> Response[Odds]:
    """Compute the exact odds of dice, a trait roll, the haunt roll or an attack, from what the caller's role knows, now or as of a commit.

    Nothing is sampled, no die is spent and nothing is told to anybody else. Cards that answer a roll are counted where `use` names them: more
    dice, points, another trait, a result named or kept, dice rolled again. Dice are rolled again as serves `at_least` best, else the
    mean. What hangs on more than the roll is refused, and what else a card does is named by `not_counted`.
    """
    eyes = await looking_as(service, caller, game, as_)
    asked: AnyAsked = await read_body(request, service, _asked)
    return Response(await service.trying.odds(caller, asked, at=at, as_=eyes.principal), headers=PRIVATE)


@post(
    "/v1/games/{game:str}/dry-runs",
    operation_id="dryRun",
    summary="Try a command without doing it",
    tags=["what if"],
    status_code=200,
    opt={"body": AnyCommand},
)
async def dry_run(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, at: At = None, as_: As = None
) -> Response[DryRun]:
    """Tell whether a command would be accepted, and what it would ask first: how many dice, which stack, whose decision.

    It is decided from what the caller's role knows, so the answer tells nothing that the role couldn't know, and never what dice or
    cards would show. Nothing changes: no commit, no die, no idempotency key.
    """
    eyes = await looking_as(service, caller, game, as_)
    if caller.role not in ("seat", "referee"):
        raise forbidden()
    command: AnyCommand = await read_body(request, service, _command)
    return Response(await service.trying.dry_run(caller, command, at=at, as_=eyes.principal), headers=PRIVATE)


@post(
    "/v1/games/{game:str}/forks",
    operation_id="forkGame",
    summary="Make a sandbox",
    tags=["what if"],
    opt={SECRETS: True, "body": ForkGame},
)
async def fork_game(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, idempotency_key_: StrongKey = None
) -> Response[GameForked]:
    """Make a sandbox: a game of its own that begins where this one stood, with fresh dice or a tape.

    For the referee it begins with what is true. For everybody else it begins with a world that agrees with all that their role knew, and in
    which the rest is invented; so they get the tokens of all seats, but of those whose side's book they have not read. A sandbox is marked
    as one wherever it is shown, is listed to whoever made it and to the referee, tells its parent nothing, is never disclosed, and is removed
    when it expires.
    """
    require(caller, game)
    key = strong_key(idempotency_key_)
    asked: ForkGame = await read_body(request, service, _fork)
    made = await service.forking.fork(caller, asked, key, fingerprint(f"fork:{game}:{caller.token}", asked))
    fork = made.answer.game
    return created(made.answer, fork.version, f"/v1/games/{fork.id}", replayed=made.replayed)


@get("/v1/games/{game:str}/forks", operation_id="listForks", summary="List sandboxes", tags=["what if"])
async def list_forks(service: FromService, caller: FromCaller, game: Game) -> Response[ForkList]:
    """List the forks that the caller's token has made of a game, and for the referee all of them."""
    require(caller, game)
    return Response(await service.forks.of(caller), headers=PRIVATE)


@route("/v1/games/{game:str}/forks", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_forks() -> Response[None]:
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "GET, OPTIONS, POST"})
