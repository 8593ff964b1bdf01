"""A game that is played alone: the event loop writes its commits by itself, and promises no less than the writer's thread."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.store.port import AlreadyApplied, Applied, Conflict, NewGame
from service.store.sqlite import writer
from service.store.sqlite.log import SqliteLogStore

ALONE = 22
"""Appends, one after the other, after which the loop writes: several rounds of looking whether somebody else comes."""

PATIENCE = 8.0
"""Seconds that the store waits for a lock."""


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteLogStore]:
    """A store with the games `g` and `h`, on a disk that counts as quick; `g` has been played alone."""
    monkeypatch.setattr(writer, "QUICK", 60.0)
    opened = await SqliteLogStore.open(tmp_path / "log.db", patience=PATIENCE)
    for name in ("g", "h"):
        await opened.create(NewGame(id=name, created="2026-01-02T03:04:05Z", status="open", facts=b""))
    await play(opened, 0)
    yield opened
    await opened.close()


async def play(store: SqliteLogStore, version: int, commits: int = ALONE, size: int = 100) -> None:
    for number in range(version, version + commits):
        assert await store.append("g", number, b"x" * size, key=f"k{number}") == Applied(number + 1)


async def test_whoever_looks_from_elsewhere_finds_each_commit_as_soon_as_it_is_acknowledged(
    store: SqliteLogStore, elsewhere: sqlite3.Connection
) -> None:
    for number in range(ALONE, 2 * ALONE):
        await store.append("g", number, b"%d" % number)
        (found,) = elsewhere.execute("SELECT body FROM commits ORDER BY position DESC LIMIT 1").fetchone()
        assert found == b"%d" % number


async def test_a_retry_and_a_stale_version_are_answered_as_ever(store: SqliteLogStore) -> None:
    assert await store.append("g", 0, b"again", key="k0") == AlreadyApplied(1, b"")
    await play(store, ALONE)
    assert await store.append("g", 3, b"stale", key="new") == Conflict(2 * ALONE)
    await play(store, 2 * ALONE)
    assert await store.version("g") == 3 * ALONE


async def test_a_lock_that_anelsewhere_holds_does_not_hold_up_the_loop(
    store: SqliteLogStore, elsewhere: sqlite3.Connection
) -> None:
    elsewhere.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(store.append("g", ALONE, b"x"))
    async with asyncio.timeout(PATIENCE / 2):  # the loop must get on long before the store's patience ends
        assert await store.read("g", ALONE, 1) == []
    assert not waiting.done()
    elsewhere.execute("COMMIT")
    assert await waiting == Applied(ALONE + 1)


async def test_of_many_who_come_at_once_after_a_quiet_time_one_wins(store: SqliteLogStore) -> None:
    answers = await asyncio.gather(*[store.append("g", ALONE, b"%d" % one) for one in range(8)])
    assert sorted(map(type, answers), key=str) == [Applied, *[Conflict] * 7]
    (body,) = await store.read("g", ALONE, 8)
    assert answers[int(body)] == Applied(ALONE + 1)


async def test_canceling_the_task_gives_up_the_answer_not_the_write(store: SqliteLogStore) -> None:
    for version in range(ALONE, 2 * ALONE):
        task = asyncio.create_task(store.append("g", version, b"x"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert await store.append("g", version, b"y") == Conflict(version + 1)
        for number in range(writer.CALM):
            await store.append("h", (version - ALONE) * writer.CALM + number, b"x")


async def test_the_write_ahead_log_is_put_away_in_time(
    store: SqliteLogStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "IN_A_ROW", 20)
    monkeypatch.setattr(writer, "CHECKPOINT_PAGES", 50)
    await play(store, ALONE, 40, size=4000)
    settled = (tmp_path / "log.db-wal").stat().st_size
    await play(store, ALONE + 40, 160, size=4000)
    assert (tmp_path / "log.db-wal").stat().st_size < 2 * settled
