"""Contestants: forks of a game of 2,000 commands, made by the service on SQLite and on Redis, and forks in a haunt with a hidden traitor.

The games are in memory with what their roles know, as those that are played are. The first fork of a round of the long game, which finds what the
roles know forgotten and reads and folds the whole log for all of them, is told apart. Where the traitor is hidden, a seat's fork guesses
who it is, and decides every command since the haunt began again to see whether that could be.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from service.bootstrap import Service
from service.identity import Caller
from service.log.requests import ForkGame
from tests.bench.folder import FOLDER
from tests.bench.games import SEATS, exact
from tests.bench.plans import serve
from tests.bench.sample import Round, Sample, checksum, share
from tests.bench.verifying import COMMANDS, long_game
from tests.laws.forking import play_far_back
from tests.support.keeping import keep
from tests.support.packs import rules
from tests.support.redis import DURABLE, server

FORKS = 24
"""In a full round, half of them the referee's."""
HAUNT, SEED, COMMITS = "the-hollow-guest", 101, 370
"""A game that was taken back and rewound again and again, and whose traitor nobody knows yet."""


@contextmanager
def on_sqlite(scale: int) -> Iterator[Round]:
    """On a file of the checkout's disk."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        yield from _forking(scale, f"sqlite:///{Path(folder) / 'fork.db'}")


@contextmanager
def on_redis(scale: int) -> Iterator[Round]:
    """On a Redis of its own, which syncs each write."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, server(Path(folder), *DURABLE) as redis:
        yield from _forking(scale, redis.url)


@contextmanager
def hidden_traitor(scale: int) -> Iterator[Round]:
    """By turns for each of the three heroes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    played = play_far_back(rules("second-edition"), SEED, seats=SEATS, haunt=HAUNT, most=COMMITS)
    haunt = played.state.haunt
    if haunt is None or not haunt.hidden or len(played.commits) < COMMITS:
        raise AssertionError("no traitor is hidden so late in this game: choose another seed")
    with TemporaryDirectory(dir=FOLDER) as folder, asyncio.Runner() as runner:
        service = runner.run(serve(f"sqlite:///{Path(folder) / 'fork.db'}", forks_per_token=1_000_000))
        game = runner.run(keep(service, played))
        heroes = [Caller(game, f"seat-{seat}", "seat", seat) for seat in range(SEATS) if seat != haunt.traitor]

        def play_round() -> Sample:
            costs = [runner.run(_fork(service, hero)) for _ in range(share(FORKS // 2, scale)) for hero in heroes]
            return Sample(
                count=len(costs),
                seconds=sum(wall for wall, _ in costs),
                proofs={"the game whose traitor is hidden": checksum([exact(played.state)])},
                notes={
                    "seat ms": 1000 * statistics.median([wall for wall, _ in costs]),
                    "seat CPU ms": 1000 * statistics.median([cpu for _, cpu in costs]),
                },
            )

        yield play_round
        runner.run(service.close())


async def _fork(service: Service, who: Caller) -> tuple[float, float]:
    """Seconds, by the clock and of the processor, of a fork that is then removed."""
    begun, spent = time.perf_counter(), time.process_time()
    made = await service.fork_maker.fork(who, ForkGame(), "", b"")
    cost = time.perf_counter() - begun, time.process_time() - spent
    await service.store.remove(made.answer.game.id)
    return cost


def _forking(scale: int, store: str) -> Iterator[Round]:
    with asyncio.Runner() as runner:
        service = runner.run(serve(store, forks_per_token=1_000_000))
        game = runner.run(long_game(service, share(COMMANDS, scale)))

        async def forget() -> None:
            (await service.tables.live(game)).roles.clear()

        def play_round() -> Sample:
            who = {"referee": Caller(game, "referee", "referee"), "seat": Caller(game, "seat-1", "seat", 1)}
            runner.run(forget())
            first, first_cpu = runner.run(_fork(service, who["referee"]))
            costs: dict[str, list[tuple[float, float]]] = {name: [] for name in who}
            for _ in range(share(FORKS // 2, scale)):
                for name, caller in who.items():
                    costs[name].append(runner.run(_fork(service, caller)))
            wall = {f"{name} ms": 1000 * statistics.median([one[0] for one in found]) for name, found in costs.items()}
            cpu = {
                f"{name} CPU ms": 1000 * statistics.median([one[1] for one in found]) for name, found in costs.items()
            }
            cold = {"referee, roles forgotten ms": 1000 * first, "referee, roles forgotten CPU ms": 1000 * first_cpu}
            every = [cost for found in costs.values() for cost, _ in found]
            return Sample(count=len(every), seconds=sum(every), notes={**wall, **cpu, **cold})

        yield play_round
        runner.run(service.close())
