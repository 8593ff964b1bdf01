"""What if: exact odds, dry runs, forks."""

from __future__ import annotations

import msgspec
from litestar import Response, get, post, route

from domain.commands import AnyCommand
from projections.odds import Odds
from projections.odds_asked import AnyAsked
from service.games.fork.forking import GameForked
from service.games.fork.forks import ForkList
from service.games.read.trying import DryRun
from service.http.bodies import fingerprint, read_body
from service.http.callers import looking_as, require
from service.http.edge import SECRETS
from service.http.incoming import As, At, FromCaller, FromService, Game, StrongKey, strong_key
from service.http.outgoing import PRIVATE, AnyRequest, created
from service.log.requests import ForkGame
from service.problems import forbidden

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
