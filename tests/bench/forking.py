"""Contestants: forks of a game of 2,000 commands, made by the service on SQLite and on Redis.

The game is in memory with what its roles know, as one that is played is. The first fork of a round, which finds what the roles know forgotten and
reads and folds the whole log for all of them, is told apart.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from service.identity import Caller
from service.log.requests import ForkGame
from tests.bench.folder import FOLDER
from tests.bench.games import SEATS
from tests.bench.plans import serve
from tests.bench.sample import Round, Sample, share
from tests.bench.verifying import COMMANDS, hidden_game, long_game
from tests.support.redis import DURABLE, server

FORKS = 24
"""In a full round, half of them the referee's."""
COMMITS = 370
"""Of the game whose traitor is hidden."""


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


def _forking(scale: int, store: str) -> Iterator[Round]:
    with asyncio.Runner() as runner:
        service = runner.run(serve(store, forks_per_token=1_000_000))
        game = runner.run(long_game(service, share(COMMANDS, scale)))

        async def fork(who: Caller) -> tuple[float, float]:
            begun, spent = time.perf_counter(), time.process_time()
            made = await service.fork_maker.fork(who, ForkGame(), "", b"")
            cost = time.perf_counter() - begun, time.process_time() - spent
            await service.store.remove(made.answer.game.id)
            return cost

        async def forget() -> None:
            (await service.tables.live(game)).roles.clear()

        def play_round() -> Sample:
            who = {"referee": Caller(game, "referee", "referee"), "seat": Caller(game, "seat-1", "seat", 1)}
            runner.run(forget())
            first, first_cpu = runner.run(fork(who["referee"]))
            costs: dict[str, list[tuple[float, float]]] = {name: [] for name in who}
            for _ in range(share(FORKS // 2, scale)):
                for name, caller in who.items():
                    costs[name].append(runner.run(fork(caller)))
            wall = {f"{name} ms": 1000 * statistics.median([one[0] for one in found]) for name, found in costs.items()}
            cpu = {
                f"{name} CPU ms": 1000 * statistics.median([one[1] for one in found]) for name, found in costs.items()
            }
            cold = {"referee, roles forgotten ms": 1000 * first, "referee, roles forgotten CPU ms": 1000 * first_cpu}
            every = [cost for found in costs.values() for cost, _ in found]
            return Sample(count=len(every), seconds=sum(every), notes={**wall, **cpu, **cold})

        yield play_round
        runner.run(service.close())


@contextmanager
def hidden(scale: int) -> Iterator[Round]:
    """A seat's, on a file, where it may not know who the traitor is, and a world has to be found that fits what it knows."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, asyncio.Runner() as runner:
        service = runner.run(serve(f"sqlite:///{Path(folder) / 'hidden.db'}", forks_per_token=1_000_000))
        game = runner.run(hidden_game(service, COMMITS))

        async def fork(seat: int) -> float:
            begun = time.perf_counter()
            made = await service.fork_maker.fork(Caller(game, f"seat-{seat}", "seat", seat), ForkGame(), "", b"")
            cost = time.perf_counter() - begun
            await service.store.remove(made.answer.game.id)
            return cost

        def play_round() -> Sample:
            costs = [runner.run(fork(number % SEATS)) for number in range(share(FORKS, scale))]
            notes = {"median ms": 1000 * statistics.median(costs), "slowest ms": 1000 * max(costs)}
            return Sample(count=len(costs), seconds=sum(costs), notes=notes)

        yield play_round
        runner.run(service.close())
