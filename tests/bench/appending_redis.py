"""Contestants: real commits of 50 games appended to a Redis that syncs each write, by the store and by bare `XADD`.

Both write the same bytes, fifty at a time as fifty players would, through pipelines of one kind and on the event loop of the
service, to servers of their own on the disk of the checkout.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from service.store.port import Applied, NewGame
from service.store.redis.connection import connect, parse
from service.store.redis.lanes import Lane
from service.store.redis.log import LANES, RedisLogStore
from tests.bench.folder import FOLDER
from tests.bench.replaying import stored_logs
from tests.bench.sample import Round, Sample, checksum, share
from tests.support.redis import DURABLE, server

GAMES = 50
COMMITS = 240
"""Commits of each game in a full round."""
PLAYED = 20
"""Games that are played to have so many commits."""
UNDISTURBED = ("--auto-aof-rewrite-percentage", "0")
"""Or Redis would write its file anew in the middle of one round or another."""

Entry = tuple[bytes, str, bytes]
"""A commit, its key, the fingerprint of the request."""
Play = Callable[[int], Awaitable[float]]
"""Plays one round, whose number it is told, and gives the seconds that it took."""


@contextmanager
def store(scale: int) -> Iterator[Round]:
    """Fifty tasks that append, each to its game, and wait for the answer before they append again."""
    games = _games(scale)
    with _redis() as url, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        log = runner.run(RedisLogStore.open(url))

        async def play(number: int) -> float:
            names = [f"r{number}g{game}" for game in range(len(games))]
            for name in names:
                await log.create(NewGame(id=name, created="2026-01-01T00:00:00.000Z", status="started", facts=b"{}"))

            async def write(name: str, entries: Sequence[Entry]) -> None:
                for version, (commit, key, fingerprint) in enumerate(entries):
                    answer = await log.append(name, version, commit, key=key, fingerprint=fingerprint)
                    if answer != Applied(version + 1):
                        raise AssertionError(f"{name}: {answer}")

            begun = time.perf_counter()
            await asyncio.gather(*map(write, names, games))
            return time.perf_counter() - begun

        try:
            yield _rounds(runner, games, play)
        finally:
            runner.run(log.close())


@contextmanager
def bare(scale: int) -> Iterator[Round]:
    """The same tasks send one `XADD` each, through as many lanes: no condition, no key that is found again."""
    games = _games(scale)
    with _redis() as url, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        client = connect(parse(url))
        lanes = [Lane(client, url) for _ in range(LANES)]

        async def play(number: int) -> float:
            async def write(game: int, entries: Sequence[Entry]) -> None:
                lane, name = lanes[game % LANES], f"r{number}g{game}"
                for version, (commit, key, fingerprint) in enumerate(entries, start=1):
                    await lane.send(("XADD", name, f"{version}-0", "c", commit, "k", key, "f", fingerprint))

            begun = time.perf_counter()
            await asyncio.gather(*(write(game, entries) for game, entries in enumerate(games)))
            return time.perf_counter() - begun

        try:
            yield _rounds(runner, games, play)
        finally:
            runner.run(client.aclose())


@contextmanager
def _redis() -> Iterator[str]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder, server(Path(folder) / "redis", *DURABLE, *UNDISTURBED) as running:
        yield running.url


def _games(scale: int) -> list[list[Entry]]:
    """Commits as the service stores them, dealt to fifty games."""
    each = share(COMMITS, scale)
    bodies = [body for log in stored_logs(PLAYED) for body in log]
    numbers = count()
    return [
        [_entry(bodies[number % len(bodies)], number) for _, number in zip(range(each), numbers, strict=False)]
        for _ in range(GAMES)
    ]


def _entry(body: bytes, number: int) -> Entry:
    digest = hashlib.sha256(b"%d" % number)
    return body, digest.hexdigest(), digest.digest()


def _rounds(runner: asyncio.Runner, games: list[list[Entry]], play: Play) -> Round:
    numbers = count()
    sizes = [len(commit) for entries in games for commit, _, _ in entries]
    proofs = {"commits appended to Redis": checksum(commit for entries in games for commit, _, _ in entries)}
    notes = {"games": float(len(games)), "bytes a commit": sum(sizes) / len(sizes)}

    async def measured() -> Sample:
        seconds = await play(next(numbers))
        return Sample(count=len(sizes), seconds=seconds, proofs=proofs, notes=notes)

    return lambda: runner.run(measured())
