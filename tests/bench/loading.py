"""Contestants: a game of 500 commands brought into memory by the service, from its log alone and from its snapshot."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from service.bootstrap import Service
from service.games.tables import Tables
from tests.bench.folder import FOLDER
from tests.bench.games import exact
from tests.bench.plans import Plan, enact, plans, serve
from tests.bench.sample import Round, Sample, checksum, share

COMMANDS = 500
LOADS = 40
"""Loads in a full round."""
SNAPSHOTS = 100
"""Commits between two snapshots, as the service is set by default: the latest is of commit 500 of 506."""


@contextmanager
def from_log(scale: int) -> Iterator[Round]:
    """Every commit is read, decoded and applied."""
    yield from _loading(scale, snapshot_every=1_000_000)


@contextmanager
def from_snapshot(scale: int) -> Iterator[Round]:
    """The latest snapshot is read and decoded, and the few commits behind it are applied."""
    yield from _loading(scale, snapshot_every=SNAPSHOTS)


def _loading(scale: int, snapshot_every: int) -> Iterator[Round]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (game,) = plans(1, least=COMMANDS)
    with TemporaryDirectory(dir=FOLDER) as folder, asyncio.Runner() as runner:
        service, name = runner.run(_played(game, Path(folder) / "load.db", snapshot_every))
        try:
            yield lambda: runner.run(_load(service, name, share(LOADS, scale)))
        finally:
            runner.run(service.close())


async def _played(game: Plan, path: Path, snapshot_every: int) -> tuple[Service, str]:
    service = await serve(f"sqlite:///{path}", snapshot_every=snapshot_every)
    name = await enact(service, game)
    await service.tables.close()
    return service, name


async def _load(service: Service, name: str, times: int) -> Sample:
    state, version = b"", 0
    costs: list[float] = []
    for _ in range(times):
        tables = Tables(service.store, service.library, most=1, snapshot_every=1_000_000)
        begun = time.perf_counter()
        live = await tables.live(name)
        costs.append(time.perf_counter() - begun)
        state, version = exact(live.state), live.version
        del live  # here, or the next load would be charged with forgetting this one
    loaded = await service.store.load(name, ("",))
    kept = 0 if loaded is None or loaded.snapshot is None else loaded.snapshot.number
    return Sample(
        count=times,
        seconds=sum(costs),
        proofs={"the state that was loaded": checksum([state])},
        notes={"median ms": 1000 * statistics.median(costs), "commits": version, "snapshot of commit": kept},
    )
