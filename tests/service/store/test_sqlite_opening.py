"""What the SQLite store finds when it is opened: its own settings, and files that it must not touch."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from service.store.port import (
    AccountRecord,
    Head,
    Health,
    NewGame,
    Place,
    RecordChanges,
    StoreDamaged,
    StoreTooNew,
    StoreUnavailable,
)
from service.store.sqlite import schema
from service.store.sqlite.log import SqliteLogStore

NOBODY = "65534"
"""The user id that owns nothing."""

COMMITS = tuple(b"%03d" % number * 100 for number in range(300))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a store may be created."""
    return tmp_path / "log.db"


@pytest.fixture
async def filled(path: Path) -> Path:
    """The file of a store that was closed, with 300 commits in game `g`."""
    await fill(path)
    return path


async def fill(path: Path) -> None:
    store = await SqliteLogStore.open(path)
    await store.create(NewGame(id="g", created="2026-01-02T03:04:05Z", status="open", facts=b"", commits=COMMITS))
    await store.close()


# ---- durable or not at all ----


async def test_wal_and_full_synchronous_are_read_back(path: Path) -> None:
    store = await SqliteLogStore.open(path)
    assert await store.check() == Health(adapter="sqlite", durable=True, journal_mode="wal", synchronous="full")
    await store.close()


async def test_a_database_that_cannot_do_wal_is_refused() -> None:
    with pytest.raises(StoreUnavailable, match=r"journal mode memory.*needs wal"):
        await SqliteLogStore.open(":memory:")


def test_the_tables_themselves_forbid_a_gap_and_a_second_commit_of_a_number(filled: Path) -> None:
    insert = "INSERT INTO commits (game, number, previous, body) VALUES ('g', ?, ?, x'00')"
    with closing(schema.open_writer(str(filled), patience=1, max_bytes=None)) as connection:
        for number, previous in ((300, 299), (302, 301), (302, 300), (0, None), (1, None)):
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(insert, (number, previous))
        connection.execute(insert, (301, 300))


async def test_an_empty_file_becomes_a_store(path: Path) -> None:
    overwrite(path, b"")
    store = await SqliteLogStore.open(path)
    assert (await store.check()).durable
    await store.close()


# ---- files that are not ours, or not whole ----


async def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    diary = b"Dear diary, " * 1000
    overwrite(path, diary)
    with pytest.raises(StoreDamaged, match=r"log\.db: the file isn't a database.*restore a backup"):
        await SqliteLogStore.open(path)
    assert content(path) == diary


async def test_a_damaged_header_is_refused(filled: Path) -> None:
    damage(filled, 0, 100)
    with pytest.raises(StoreDamaged, match="first page is damaged"):
        await SqliteLogStore.open(filled)


async def test_damage_in_the_middle_is_found_when_the_store_is_opened(filled: Path) -> None:
    damage(filled, len(content(filled)) // 2, 8192)
    with pytest.raises(StoreDamaged, match=r"log\.db: the file is damaged.*\.recover"):
        await SqliteLogStore.open(filled)


async def test_a_file_that_was_cut_off_is_refused(filled: Path) -> None:
    overwrite(filled, content(filled)[:50_000])
    with pytest.raises(StoreDamaged, match="the file is damaged"):
        await SqliteLogStore.open(filled)


async def test_damage_in_a_file_too_large_to_check_shows_where_it_is_met(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = 100_000  # the first page of every table is among the first 24
    damage(filled, keep, len(content(filled)) - keep)
    monkeypatch.setattr(schema, "CHECKED_BYTES", 0)
    store = await SqliteLogStore.open(filled)
    with pytest.raises(StoreDamaged, match="the file is damaged"):
        await store.read("g", 0, 1000)
    with pytest.raises(StoreDamaged, match="the file is damaged"):
        await store.append("g", 300, b"next")
    await store.close()


async def test_a_newer_schema_is_left_alone(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as connection:
        connection.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    before = content(filled)
    with pytest.raises(
        StoreTooNew,
        match=rf"schema {schema.SCHEMA_VERSION + 1}, this Omenlog knows {schema.SCHEMA_VERSION}.*newer Omenlog",
    ):
        await SqliteLogStore.open(filled)
    assert content(filled) == before


async def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (title TEXT)")
    before = content(path)
    with pytest.raises(StoreUnavailable, match="another program"):
        await SqliteLogStore.open(path)
    assert content(path) == before


async def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=r"nowhere/log\.db: the file can't be opened.*folder exists"):
        await SqliteLogStore.open(tmp_path / "nowhere" / "log.db")


# ---- files that can't be written ----

OPEN_AND_REPORT = """
import asyncio, os, sys
from service.store.sqlite.log import SqliteLogStore
if os.geteuid() == 0:
    os.setuid(int(sys.argv[2]))  # nothing is read-only for root
try:
    asyncio.run(SqliteLogStore.open(sys.argv[1]))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.fixture(params=["file", "folder"])
async def read_only(request: pytest.FixtureRequest) -> AsyncIterator[Path]:
    """A store that may be read but not written, because of its file alone or of its folder too."""
    with tempfile.TemporaryDirectory() as folder:  # not below `tmp_path`, which other users can't enter
        path = Path(folder) / "log.db"
        await fill(path)
        path.chmod(0o444)
        path.parent.chmod(0o777 if request.param == "file" else 0o555)
        yield path
        path.parent.chmod(0o755)


def test_a_file_that_cannot_be_written_is_refused_when_it_is_opened(read_only: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", OPEN_AND_REPORT, str(read_only), NOBODY],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdout.startswith(f"StoreUnavailable {read_only}: the file")
    assert "right to write" in child.stdout or "may write there" in child.stdout


# ---- what happens to files ----


def content(path: Path) -> bytes:
    return path.read_bytes()


def overwrite(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def damage(path: Path, offset: int, length: int) -> None:
    """Writes other bytes into a file, as a failing disk does."""
    whole = path.read_bytes()
    path.write_bytes(whole[:offset] + b"\xa5" * length + whole[offset + length :])


async def test_a_file_of_the_first_schema_is_brought_up_to_date(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("DROP INDEX creations_by_game")
        connection.execute("ALTER TABLE games DROP COLUMN revision")
        connection.execute("ALTER TABLE tokens DROP COLUMN account")
        connection.execute("ALTER TABLE tokens DROP COLUMN good_for")
        connection.execute("ALTER TABLE tokens DROP COLUMN claims")
        connection.execute("DROP TABLE places")
        connection.execute("DROP TABLE accounts")
        connection.execute("PRAGMA user_version = 1")
    store = await SqliteLogStore.open(filled)
    assert await store.head("g") == Head(300, 0)
    await store.update_game("g", RecordChanges(status="closed"))
    assert await store.head("g") == Head(300, 1)
    await store.create_account(AccountRecord(id="ann", hash=b"A", created=""))
    assert await store.enter_account("ann", Place("g", "host")) == 1
    await store.close()
