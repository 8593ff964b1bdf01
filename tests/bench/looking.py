"""Contestants: what a role saw at any commit of a game of 2,000 commands, answered from SQLite and from Redis.

First with nothing of the game in memory, as by a process that has just started, then again with what it kept meanwhile.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from openapi.writer.outside import Fixed
from service.bootstrap import Service
from service.games.horizon import Horizon
from service.games.read.reading import Reading, view
from service.games.tables import Tables
from service.identity import Caller
from tests.bench.folder import FOLDER
from tests.bench.games import SEATS
from tests.bench.loading import SNAPSHOTS
from tests.bench.plans import enact, encode, plans, serve
from tests.bench.sample import Round, Sample, checksum, share
from tests.support.redis import DURABLE, server

COMMANDS = 2_000
LOOKS = 60
"""Moments in a full round, each with the eyes of one role."""


@contextmanager
def sqlite(scale: int) -> Iterator[Round]:
    """The game lies in a SQLite file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        yield from _looking(f"sqlite:///{Path(folder) / 'look.db'}", scale)


@contextmanager
def redis(scale: int) -> Iterator[Round]:
    """The game lies in a Redis."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, server(Path(folder) / "redis", *DURABLE) as running:
        yield from _looking(running.url, scale)


def _looking(store: str, scale: int) -> Iterator[Round]:
    (game,) = plans(1, least=COMMANDS, haunted=False)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        service = runner.run(serve(store, snapshot_every=SNAPSHOTS))
        try:
            name = runner.run(enact(service, game))
            runner.run(service.tables.close())
            yield lambda: runner.run(_look(service, name, share(LOOKS, scale)))
        finally:
            runner.run(service.close())


async def _look(service: Service, name: str, looks: int) -> Sample:
    head = (await service.tables.live(name)).version
    lot = random.Random(looks)
    seats = [Caller(name, f"seat-{seat}", "seat", seat) for seat in range(SEATS)]
    callers = [*seats, Caller(name, "spectator-1", "spectator"), Caller(name, "referee", "referee")]
    moments = [(callers[number % len(callers)], lot.randint(1, head)) for number in range(looks)]
    tables = Tables(service.store, service.library, most=1, snapshot_every=1_000_000)
    reading = Reading(tables, Horizon(tables, Fixed()))
    seen: list[bytes] = []
    first = []
    spent = -time.process_time()
    for caller, number in moments:
        tables.table(name).drop()
        first.append(await _ask(reading, caller, number, seen))
    spent += time.process_time()
    for caller in callers:
        await reading.seen(caller)
        await reading.seen(caller, at=head - 1)
    again = [await _ask(reading, caller, number, seen) for caller, number in moments]
    if seen[:looks] != seen[looks:]:
        raise AssertionError("looked at again, a moment was another")
    return Sample(
        count=2 * looks,
        seconds=sum(first) + sum(again),
        proofs={"views at commits of a long game": checksum(seen)},
        notes={
            "first p95 ms": _p95(first),
            "first median ms": 1000 * statistics.median(first),
            "first mean of processor time ms": 1000 * spent / looks,
            "again p95 ms": _p95(again),
            "again median ms": 1000 * statistics.median(again),
            "commits": head,
        },
    )


async def _ask(reading: Reading, caller: Caller, number: int, seen: list[bytes]) -> float:
    begun = time.perf_counter()
    seen.append(encode(view(await reading.seen(caller, at=number))))
    return time.perf_counter() - begun


def _p95(costs: list[float]) -> float:
    return 1000 * sorted(costs)[len(costs) * 95 // 100]
