"""Contestants: commits appended to a SQLite store, and the bare INSERT of the same rows into a file of the same kind.

Both files have the same tables, indexes and pragmas, and every row has the same bytes, key and fingerprint. The bare side is a loop
around `sqlite3` on one thread; ours is the store as the service uses it: an event loop, a writer's thread behind it, an answer for each commit.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import uvloop

from domain.facts.audience import EVERYBODY
from domain.facts.commands import EndTurn
from domain.facts.events import Told
from service.log.chain import FIRST, Salts, seal
from service.log.commits import Draft, read_folded
from service.store.port import Applied, NewGame
from service.store.sqlite.log import SqliteLogStore
from service.store.sqlite.schema import open_writer
from service.store.sqlite.statements import INSERT_COMMIT
from tests.bench.folder import FOLDER
from tests.bench.replaying import stored_logs
from tests.bench.sample import Round, Sample, checksum, share

SINGLE = 1500
"""Commits of one game in a full round, each with an fsync of its own."""
GROUPS = 60
"""Groups in a full round."""
GROUP = 50
"""Commits that are asked for at once, each of another game."""


class Row(msgspec.Struct, frozen=True):
    """A commit to be stored."""

    game: str
    number: int
    body: bytes
    key: str
    fingerprint: bytes


def rows(games: int, commits: int, events: int) -> list[list[Row]]:
    """For each number in turn, a commit of every game, with so many events of a game that was played."""
    played = [told for body in stored_logs(1)[0] for told in read_folded(body).events]
    supply = itertools.cycle(played)
    heads = [FIRST] * games
    found: list[list[Row]] = []
    for number in range(1, commits + 1):
        step = []
        for game in range(games):
            told = list(itertools.islice(supply, events))
            body, heads[game] = _commit(f"game-{game}", number, told, heads[game])
            key = hashlib.sha256(body).hexdigest()
            step.append(Row(f"game-{game}", number, body, key, hashlib.sha256(key.encode()).digest()))
        found.append(step)
    return found


def _commit(game: str, number: int, told: Sequence[Told], prev: str) -> tuple[bytes, str]:
    draft = Draft(
        game=game,
        number=number,
        at="2026-01-01T00:00:00.000Z",
        rules=1,
        pack="sha256:" + "0" * 64,
        actor="seat:0",
        command=EndTurn(decision="turn-1"),
        command_to=EVERYBODY,
        told=told,
    )
    sealed = seal(draft, prev, Salts(b"\x00" * 32))
    return sealed.body, sealed.hash


# -- ours ---------------------------------------------------------------------------------------------------------------


async def _store(steps: Sequence[Sequence[Row]], path: Path) -> float:
    """Seconds to append all steps, the commits of a step at once."""
    store = await SqliteLogStore.open(path)
    for row in steps[0]:
        await store.create(NewGame(id=row.game, created="", status="started", facts=b""))
    begun = time.perf_counter()
    for step in steps:
        waiting = [
            store.append(row.game, row.number - 1, row.body, key=row.key, fingerprint=row.fingerprint) for row in step
        ]
        answers = await asyncio.gather(*waiting) if len(waiting) > 1 else [await waiting[0]]
        if not all(isinstance(answer, Applied) for answer in answers):
            raise AssertionError(answers)
    seconds = time.perf_counter() - begun
    await store.close()
    return seconds


def _ours(steps: Sequence[Sequence[Row]], path: Path) -> float:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:  # the loop that the service runs on
        return runner.run(_store(steps, path))


# -- bare ---------------------------------------------------------------------------------------------------------------


def _bare(steps: Sequence[Sequence[Row]], path: Path) -> float:
    """Seconds to INSERT all steps, the rows of a step in one transaction."""
    db = open_writer(str(path), patience=5.0, max_bytes=None)
    for row in steps[0]:
        db.execute("INSERT INTO games (id, created, status, facts) VALUES (?, '', 'started', x'')", (row.game,))
    begun = time.perf_counter()
    for step in steps:
        values = [(one.game, one.number, one.number - 1 or None, one.body, one.key, one.fingerprint) for one in step]
        if len(values) == 1:
            db.execute(INSERT_COMMIT, values[0])
        else:
            db.execute("BEGIN IMMEDIATE")
            db.executemany(INSERT_COMMIT, values)
            db.execute("COMMIT")
    seconds = time.perf_counter() - begun
    db.close()
    return seconds


def _stored(path: Path) -> Iterator[bytes]:
    with sqlite3.connect(path) as db:
        for game, number, body in db.execute("SELECT game, number, body FROM commits ORDER BY game, number"):
            yield b"%b %d " % (game.encode(), number)
            yield body
    db.close()


# -- contestants --------------------------------------------------------------------------------------------------------

Write = Callable[[Sequence[Sequence[Row]], Path], float]


def _contestant(write: Write, steps: list[list[Row]], events: int, what: str) -> Iterator[Round]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    commits = sum(map(len, steps))

    def play_round() -> Sample:
        with TemporaryDirectory(dir=FOLDER) as folder:
            path = Path(folder) / "append.db"
            seconds = write(steps, path)
            proof = checksum(_stored(path))
        return Sample(
            count=commits * events,
            seconds=seconds,
            proofs={f"rows stored, {what}": proof},
            notes={"commits": commits, "us a commit": 1e6 * seconds / commits},
        )

    yield play_round


@contextmanager
def one_event(scale: int) -> Iterator[Round]:
    """Commits of one event, each asked for when the one before is answered."""
    yield from _contestant(_ours, rows(1, share(SINGLE, scale), 1), 1, "1 event a commit")


@contextmanager
def bare_one_event(scale: int) -> Iterator[Round]:
    """The same rows."""
    yield from _contestant(_bare, rows(1, share(SINGLE, scale), 1), 1, "1 event a commit")


@contextmanager
def ten_events(scale: int) -> Iterator[Round]:
    """Commits of ten events, likewise."""
    yield from _contestant(_ours, rows(1, share(SINGLE, scale), 10), 10, "10 events a commit")


@contextmanager
def bare_ten_events(scale: int) -> Iterator[Round]:
    """The same rows."""
    yield from _contestant(_bare, rows(1, share(SINGLE, scale), 10), 10, "10 events a commit")


@contextmanager
def groups(scale: int) -> Iterator[Round]:
    """Commits of 50 games asked for at once."""
    yield from _contestant(_ours, rows(GROUP, share(GROUPS, scale), 3), 3, "groups of 50 commits")


@contextmanager
def bare_groups(scale: int) -> Iterator[Round]:
    """The same rows, 50 in a transaction."""
    yield from _contestant(_bare, rows(GROUP, share(GROUPS, scale), 3), 3, "groups of 50 commits")
