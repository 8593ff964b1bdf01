"""What would come of it: odds, dry runs, and sandboxes."""

from __future__ import annotations

from litestar import Response

from domain.facts.commands import AnyCommand
from projections.choices.odds import Odds
from projections.choices.odds_asked import AnyAsked
from service.games.fork.forks import ForkList
from service.games.fork.maker import GameForked
from service.games.read.what_if import DryRun
from service.http.bodies import fingerprint, read_body
from service.http.callers import looking_as, require
from service.http.incoming import As, At, FromCaller, FromService, Game, StrongKey, strong_key
from service.http.operation import MADE, SAME, link, operation
from service.http.outgoing import PRIVATE, AnyRequest, created
from service.log.requests import ForkGame
from service.problems import forbidden


@operation(
    "POST /v1/games/{game:str}/odds",
    "Compute exact odds",
    "what if",
    body=AnyAsked,
    problems="ahead-of-log unfit-odds",
    never="store-full",
    litestar={"status_code": 200},
)
async def get_odds(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, at: At = None, as_: As = None
) -> Response[Odds]:
    """Compute the exact odds of dice, a trait roll, the haunt roll or an attack, from what the caller's role knows, now or as of a commit.

    Nothing is sampled, no die is used, and nobody else is told. Cards that affect a roll count if `use` names them: extra dice or points, another
    trait, a result named or kept, dice rolled again. Dice are rolled again wherever that helps to reach `at_least`, or else to raise the mean. The
    service refuses odds that depend on more than the roll; `not_counted` names what else a card does.
    """
    eyes = await looking_as(service, caller, game, as_)
    asked: AnyAsked = await read_body(request, service)
    return Response(await service.what_if.odds(caller, asked, at=at, as_=eyes.principal), headers=PRIVATE)


@operation(
    "POST /v1/games/{game:str}/dry-runs",
    "Try a command without doing it",
    "what if",
    body=AnyCommand,
    problems="ahead-of-log unfit-entry",
    never="store-full",
    litestar={"status_code": 200},
)
async def dry_run(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, at: At = None, as_: As = None
) -> Response[DryRun]:
    """Tell whether a command would be accepted, and what it would ask first: how many dice, which stack, whose decision.

    The answer is computed from what the caller's role knows, so it reveals nothing else, and never what dice or cards would show. Nothing
    changes: no commit is written, and no die or idempotency key is used.
    """
    eyes = await looking_as(service, caller, game, as_)
    if caller.role not in ("seat", "referee"):
        raise forbidden()
    command: AnyCommand = await read_body(request, service)
    return Response(await service.what_if.dry_run(caller, command, at=at, as_=eyes.principal), headers=PRIVATE)


@operation(
    "POST /v1/games/{game:str}/forks",
    "Make a sandbox",
    "what if",
    body=ForkGame,
    problems="ahead-of-log unfit-tape is-fork not-started game-over half-done too-many-forks no-world conflict",
    headers={"ETag": False},
    secrets=True,
    links={
        "game": link("getGame", MADE),
        "decisions": link("getDecisions", MADE, says="With a seat's token of the fork."),
        "list": link("listForks", SAME),
    },
)
async def fork_game(
    request: AnyRequest, service: FromService, caller: FromCaller, game: Game, idempotency_key_: StrongKey = None
) -> Response[GameForked]:
    """Make a sandbox: a separate game that starts where this one stood, with fresh dice or a tape.

    For the referee, it starts from the truth. For everybody else, it starts from a world that agrees with all that their role knew, and the rest
    is invented; they get the tokens of all seats, except those whose side's book they have not read. A sandbox is marked as one wherever it is
    shown. Only its maker and the referee see it listed. It tells its parent nothing, is never disclosed, and is removed when it expires.
    """
    require(caller, game)
    key = strong_key(idempotency_key_)
    asked: ForkGame = await read_body(request, service)
    made = await service.fork_maker.fork(caller, asked, key, fingerprint(f"fork:{game}:{caller.token}", asked))
    fork = made.answer.game
    return created(made.answer, fork.version, f"/v1/games/{fork.id}", replayed=made.replayed)


@operation("GET /v1/games/{game:str}/forks", "List sandboxes", "what if")
async def list_forks(service: FromService, caller: FromCaller, game: Game) -> Response[ForkList]:
    """List the sandboxes that the caller's token has made of a game. The referee sees all of them."""
    require(caller, game)
    return Response(await service.forks.of(caller), headers=PRIVATE)
