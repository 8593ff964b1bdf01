"""What the SQLite store does when things go wrong while it runs: no room, locks, canceled tasks, a bad job of many."""

import asyncio
import os
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from service.store.port import (
    AlreadyApplied,
    Applied,
    Conflict,
    NewGame,
    NoSuchGame,
    RecordChanges,
    StoreError,
    StoreFull,
    StoreUnavailable,
    TokenRecord,
)
from service.store.sqlite.log import SqliteLogStore

MIB = 1 << 20


def game(name: str, *commits: bytes) -> NewGame:
    return NewGame(id=name, created="2026-01-02T03:04:05Z", status="open", facts=b"", commits=commits)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteLogStore]:
    """A store with game `g`, that waits but a moment for other processes."""
    opened = await SqliteLogStore.open(tmp_path / "log.db", patience=0.05)
    await opened.create(game("g"))
    yield opened
    await opened.close()


# ---- no room ----


def may_mount() -> bool:
    """Whether we may mount a file system, and so can have a disk that is really full."""
    trial = "d=$(mktemp -d) && mount -t tmpfs -o size=1m none $d && umount $d && rmdir $d"
    return os.geteuid() == 0 and subprocess.run(["sh", "-c", trial], check=False, capture_output=True).returncode == 0


class SmallDisk:
    """A folder on a disk of 4 MiB."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Takes all the room that is left."""
        with (self.folder / "filler").open("wb", buffering=0) as filler:
            try:
                while filler.write(b"\0" * 4096):
                    pass
            except OSError:  # there is no room left
                return

    def make_room(self) -> None:
        (self.folder / "filler").unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[SmallDisk]:
    mount = tmp_path / "disk"
    mount.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(mount)], check=True)
    yield SmallDisk(mount)
    subprocess.run(["umount", "--lazy", str(mount)], check=True)


if may_mount():

    async def test_a_full_disk_changes_nothing_and_room_heals_it(small_disk: SmallDisk) -> None:
        path = small_disk.folder / "log.db"
        store = await SqliteLogStore.open(path)
        names = [f"g{n}" for n in range(20)]
        for name in names:
            await store.create(game(name, b"one"))

        small_disk.fill()
        big = b"x" * 10_000
        refused = await asyncio.gather(*(store.append(name, 1, big, key="k") for name in names), return_exceptions=True)
        assert {type(answer) for answer in refused} == {StoreFull}
        assert "there is no room left, and nothing was written" in str(refused[0])
        assert "Make room" in str(refused[0])
        with pytest.raises(StoreFull):
            await store.check()
        assert [await store.read(name, 0, 10) for name in names] == [[b"one"]] * len(names)

        small_disk.make_room()
        assert [await store.append(name, 1, big, key="k") for name in names] == [Applied(2)] * len(names)
        assert (await store.check()).durable
        await store.close()
        store = await SqliteLogStore.open(path)
        assert [await store.read(name, 0, 10) for name in names] == [[b"one", big]] * len(names)
        await store.close()

    async def test_no_store_is_created_on_a_full_disk(small_disk: SmallDisk) -> None:
        small_disk.fill()
        with pytest.raises(StoreFull, match="no room left"):
            await SqliteLogStore.open(small_disk.folder / "log.db")


async def test_a_store_that_may_not_grow_refuses_what_does_not_fit_and_takes_what_does(tmp_path: Path) -> None:
    store = await SqliteLogStore.open(tmp_path / "log.db", max_bytes=MIB)
    await store.create(game("g", b"one"))
    await store.create(game("h", b"one"))
    changes = RecordChanges(status="changed")
    too_big, fits = await asyncio.gather(
        store.append("g", 1, b"x" * MIB, key="k", changes=changes),
        store.append("h", 1, b"two"),
        return_exceptions=True,
    )
    assert isinstance(too_big, StoreFull)
    assert "raise the store's size limit" in str(too_big)
    assert fits == Applied(2)
    record = await store.get_game("g")
    assert record is not None
    assert (record.version, record.status) == (1, "open")
    assert await store.append("g", 1, b"two", key="k") == Applied(2), "the refused append used up its key"
    await store.close()


# ---- several at once ----


async def test_a_bad_job_spoils_none_of_those_that_share_its_transaction(
    store: SqliteLogStore, elsewhere: sqlite3.Connection
) -> None:
    stolen = TokenRecord(id="b", hash=b"T", game="g", role="seat")
    await store.update_game("g", RecordChanges(tokens=(TokenRecord(id="a", hash=b"T", game="g", role="seat"),)))
    elsewhere.execute("BEGIN IMMEDIATE")
    waiting = [
        asyncio.ensure_future(job)
        for job in (
            store.check(),  # the writer waits with this one for the lock, and meanwhile the others gather
            store.append("g", 0, b"one", key="k"),
            store.append("nowhere", 0, b"x"),
            store.append("g", 1, b"x", changes=RecordChanges(status="x", tokens=(stolen,))),
            store.append("g", 1, "\ud800".encode("utf-8", "surrogatepass"), key="\ud800"),
            store.append("g", 0, b"late"),
            store.append("g", 1, b"two", changes=RecordChanges(status="started")),
        )
    ]
    await asyncio.sleep(0.02)
    elsewhere.execute("ROLLBACK")
    _, first, unknown, theft, unspeakable, late, last = await asyncio.gather(*waiting, return_exceptions=True)
    assert first == Applied(1)
    assert isinstance(unknown, NoSuchGame)
    assert isinstance(theft, StoreError)
    assert isinstance(unspeakable, UnicodeEncodeError)
    assert late == Conflict(1)
    assert last == Applied(2)
    assert await store.read("g", 0, 10) == [b"one", b"two"]
    record = await store.get_game("g")
    assert record is not None
    assert record.status == "started"
    assert await store.list_tokens("g") == [TokenRecord(id="a", hash=b"T", game="g", role="seat")]


@pytest.mark.parametrize("bad", ["late", "unspeakable", "endless", "unknown"])
async def test_a_bad_append_spoils_none_of_those_that_share_its_statement(store: SqliteLogStore, bad: str) -> None:
    await store.append("g", 0, b"one", key="k")
    names = [f"g{number}" for number in range(5)]
    for name in names:
        await store.create(game(name))
    trouble = {
        "late": store.append("g", 0, b"late"),
        "unspeakable": store.append("g", 1, b"x", key="\ud800"),
        "endless": store.append("g", 1 << 70, b"x"),
        "unknown": store.append("nowhere", 0, b"x"),
    }
    chosen = trouble.pop(bad)
    for coroutine in trouble.values():
        coroutine.close()
    answers = await asyncio.gather(chosen, *[store.append(name, 0, b"a") for name in names], return_exceptions=True)
    assert answers[1:] == [Applied(1)] * len(names)
    assert answers[0] == Conflict(1) or isinstance(answers[0], (UnicodeEncodeError, NoSuchGame))
    assert [await store.read(name, 0, 10) for name in names] == [[b"a"]] * len(names)
    assert await store.read("g", 0, 10) == [b"one"]


async def test_more_jobs_than_fit_one_transaction_are_all_done(store: SqliteLogStore) -> None:
    answers = await asyncio.gather(*(store.append("g", number, b"x") for number in range(1000)))
    assert answers == [Applied(number + 1) for number in range(1000)]


# ---- locks and canceled tasks ----


async def test_a_locked_file_is_unavailable_until_it_is_let_go(
    store: SqliteLogStore, elsewhere: sqlite3.Connection
) -> None:
    elsewhere.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match=r"log\.db: another process holds the database locked"):
        await store.append("g", 0, b"one")
    with pytest.raises(StoreUnavailable):
        await store.check()
    assert await store.read("g", 0, 10) == [], "a writer of another process keeps nobody from reading"
    elsewhere.execute("ROLLBACK")
    assert await store.append("g", 0, b"one") == Applied(1)


async def test_a_new_file_that_another_service_is_opening_is_waited_for(tmp_path: Path) -> None:
    """Whoever is about to write a file that has no write-ahead log yet, SQLite does not wait for."""
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        opening = asyncio.create_task(SqliteLogStore.open(tmp_path / "log.db", patience=10))
        await asyncio.sleep(0.3)
        other.execute("ROLLBACK")
        await (await opening).close()


async def test_a_locked_file_is_not_opened(tmp_path: Path, elsewhere: sqlite3.Connection) -> None:
    elsewhere.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        await SqliteLogStore.open(tmp_path / "log.db", patience=0.05)


async def test_a_version_that_anelsewhere_wrote_is_a_conflict(tmp_path: Path, store: SqliteLogStore) -> None:
    rival = await SqliteLogStore.open(tmp_path / "log.db")
    assert await rival.append("g", 0, b"theirs") == Applied(1)
    assert await store.append("g", 0, b"ours") == Conflict(1)
    assert await store.read("g", 0, 10) == [b"theirs"]
    await rival.close()


async def test_canceling_the_task_gives_up_the_answer_not_the_write(
    store: SqliteLogStore, elsewhere: sqlite3.Connection
) -> None:
    elsewhere.execute("BEGIN IMMEDIATE")
    tasks = [asyncio.create_task(store.append("g", n, b"%d" % n, key=f"k{n}", fingerprint=b"f")) for n in range(4)]
    await asyncio.sleep(0.01)
    for task in tasks[:3]:
        task.cancel()
    elsewhere.execute("ROLLBACK")
    answers = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), timeout=5)
    assert [type(answer) for answer in answers[:3]] == [asyncio.CancelledError] * 3
    assert answers[3] == Applied(4)
    assert await store.append("g", 0, b"0", key="k0", fingerprint=b"f") == AlreadyApplied(1, b"f")
    assert await store.read("g", 0, 10) == [b"0", b"1", b"2", b"3"]


# ---- erasing ----


async def test_an_erased_name_is_gone_from_the_files_too(tmp_path: Path) -> None:
    store = await SqliteLogStore.open(tmp_path / "log.db")
    await store.create(game("g"))
    await store.update_game("g", RecordChanges(texts={"seat:0": "Rumpelstilzchen"}))
    await store.update_game("g", RecordChanges(texts={"seat:0": None}))
    await store.close()
    assert b"Rumpelstilzchen" not in everything_in(tmp_path)


def everything_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))
