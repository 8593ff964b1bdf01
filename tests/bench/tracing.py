"""Contestants: 100 commits of a 2,000-command game told step by step to the referee, from SQLite and from Redis.

Each trace begins somewhere else in the game, in a process that has the game in memory: what the referee knew before the span is loaded
as it is for any view of the past, then the span is read, decided again, put into words and encoded.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from service.bootstrap import Service
from service.identity import Caller
from tests.bench.folder import FOLDER
from tests.bench.plans import enact, plans, serve
from tests.bench.sample import Round, Sample, checksum, share
from tests.support.redis import DURABLE, server

COMMANDS = 2000
SPAN = 100
"""Commits in a trace."""
TRACES = 19
"""In a full round: one beginning at every hundredth commit."""
SNAPSHOTS = 100
"""Commits between two snapshots, as the service is set by default."""


@contextmanager
def from_sqlite(scale: int) -> Iterator[Round]:
    """The game lies in a file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        yield from _tracing(scale, f"sqlite:///{Path(folder) / 'trace.db'}")


@contextmanager
def from_redis(scale: int) -> Iterator[Round]:
    """The game lies in a Redis that syncs each write."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, server(Path(folder) / "redis", *DURABLE) as running:
        yield from _tracing(scale, running.url)


def _tracing(scale: int, store: str) -> Iterator[Round]:
    with asyncio.Runner() as runner:
        service, game = runner.run(_played(store))
        try:
            yield lambda: runner.run(_trace(service, game, share(TRACES, scale)))
        finally:
            runner.run(service.close())


async def _played(store: str) -> tuple[Service, str]:
    (game,) = plans(1, least=COMMANDS, haunted=False)
    service = await serve(store, snapshot_every=SNAPSHOTS)
    return service, await enact(service, game)


async def _trace(service: Service, game: str, times: int) -> Sample:
    told: list[bytes] = []
    costs: list[float] = []
    used = time.process_time()
    for first in range(1, times * SPAN, SPAN):
        begun = time.perf_counter()
        span = await service.tracing.span(Caller(game, "referee", "referee"), first, first + SPAN - 1, None)
        page = await service.tracing.page(span, 0, SPAN)
        told.append(msgspec.json.encode(page.steps))
        costs.append(time.perf_counter() - begun)
    used = time.process_time() - used
    return Sample(
        count=times * SPAN,
        seconds=sum(costs),
        proofs={"the traces": checksum(told)},
        notes={
            "median ms": 1000 * statistics.median(costs),
            "slowest ms": 1000 * max(costs),
            "ms of the processor a trace": 1000 * used / times,
            "bytes a commit": sum(map(len, told)) / (times * SPAN),
        },
    )
