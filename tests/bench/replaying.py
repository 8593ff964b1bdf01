"""Contestants: stored logs folded into fresh states, and the same bytes only decoded."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from domain.facts.state import State
from service.log.commits import Folded, read_folded
from service.log.reader import PAGE
from service.store.port import NewGame
from service.store.sqlite.log import SqliteLogStore
from tests.bench.folder import FOLDER
from tests.bench.games import exact
from tests.bench.plans import enact, plan, serve
from tests.bench.sample import Round, Sample, checksum, share

GAMES = 20
"""Games in a log."""
PASSES = 5
"""How often a full round goes over all of them."""


def stored_logs(games: int) -> list[list[bytes]]:
    """The commits of whole random games, byte for byte as the service stores them."""

    async def play() -> list[list[bytes]]:
        service = await serve("memory:")
        names = [await enact(service, plan(seed)) for seed in range(games)]
        logs = [await service.store.read(name, 0, 1_000_000) for name in names]
        await service.close()
        return logs

    return asyncio.run(play())


@contextmanager
def fold(scale: int) -> Iterator[Round]:
    """Decode each commit and apply its events to a state that was empty."""
    logs = stored_logs(share(GAMES, scale))
    events = _events(logs)

    def play_round() -> Sample:
        ends: list[State] = []
        begun = time.perf_counter()
        for _ in range(PASSES):
            ends = []
            for log in logs:
                state = State()
                for body in log:
                    for told in read_folded(body).events:
                        told.event.apply(state)
                ends.append(state)
        seconds = time.perf_counter() - begun
        proofs = {**_proofs(logs), "states folded from the logs": checksum(exact(state) for state in ends)}
        return Sample(count=events * PASSES, seconds=seconds, proofs=proofs, notes=_notes(logs))

    yield play_round


@contextmanager
def cold(scale: int) -> Iterator[Round]:
    """Read each log from a SQLite store, page by page as the service does, decode it and apply its events."""
    logs = stored_logs(share(GAMES, scale))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, asyncio.Runner() as runner:
        store = runner.run(_filled(Path(folder) / "cold.db", logs))

        def play_round() -> Sample:
            begun = time.perf_counter()
            ends = runner.run(_read_and_fold(store, len(logs)))
            seconds = time.perf_counter() - begun
            proofs = {**_proofs(logs), "states folded from the logs": checksum(exact(state) for state in ends)}
            return Sample(count=_events(logs), seconds=seconds, proofs=proofs, notes=_notes(logs))

        yield play_round
        runner.run(store.close())


async def _filled(path: Path, logs: list[list[bytes]]) -> SqliteLogStore:
    store = await SqliteLogStore.open(path)
    for number, log in enumerate(logs):
        await store.create(NewGame(id=str(number), created="", status="finished", facts=b"", commits=log))
    return store


async def _read_and_fold(store: SqliteLogStore, games: int) -> list[State]:
    ends = []
    for number in range(games):
        state = State()
        after = 0
        while page := await store.read(str(number), after, PAGE):
            for body in page:
                for told in read_folded(body).events:
                    told.event.apply(state)
            after += len(page)
        ends.append(state)
    return ends


@contextmanager
def decode(scale: int) -> Iterator[Round]:
    """Decode the same bytes into the same events, and drop them."""
    logs = stored_logs(share(GAMES, scale))
    events = _events(logs)

    def play_round() -> Sample:
        last: Folded | None = None
        begun = time.perf_counter()
        for _ in range(PASSES):
            for log in logs:
                for body in log:
                    last = read_folded(body)
        seconds = time.perf_counter() - begun
        if last is None:
            raise AssertionError("there are no logs")
        return Sample(count=events * PASSES, seconds=seconds, proofs=_proofs(logs), notes=_notes(logs))

    yield play_round


def _events(logs: list[list[bytes]]) -> int:
    return sum(len(read_folded(body).events) for log in logs for body in log)


def _proofs(logs: list[list[bytes]]) -> dict[str, str]:
    return {"stored logs that are replayed": checksum(body for log in logs for body in log)}


def _notes(logs: list[list[bytes]]) -> dict[str, float]:
    commits = sum(len(log) for log in logs)
    return {"commits": commits, "bytes a commit": sum(len(body) for log in logs for body in log) / commits}
