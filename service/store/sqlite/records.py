"""What is kept beside the log in a SQLite file: subscriptions and refusals; and the accounts, which are part of the log's schema.

Records have a connection and a thread of their own. Their tables are made if they aren't there and have no version: what a record says is in its
body, which has defaults for whatever is added, so a file goes back and forth between versions of Omenlog.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import PathLike, fspath
from typing import Self, TypeVar

import msgspec

from service.store.port import AccountRecord, NoSuchAccount, Place, Record, RefusalRecord, StoreUnavailable
from service.store.sqlite.schema import connect, store_error

T = TypeVar("T")

TABLES = (
    """
    CREATE TABLE IF NOT EXISTS webhooks (
        id TEXT NOT NULL PRIMARY KEY,
        game TEXT NOT NULL, -- the owner
        ready REAL,
        revision INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX IF NOT EXISTS webhooks_of_game ON webhooks (game, id)",
    "CREATE INDEX IF NOT EXISTS webhooks_ready ON webhooks (ready, id) WHERE ready IS NOT NULL",
    """
    CREATE TABLE IF NOT EXISTS refusals (
        place INTEGER PRIMARY KEY AUTOINCREMENT,
        game TEXT NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX IF NOT EXISTS refusals_of_game ON refusals (game, place)",
    "CREATE INDEX IF NOT EXISTS refusals_of_seat ON refusals (game, seat, place)",
)
DURABLE = ("PRAGMA synchronous = FULL", "PRAGMA secure_delete = FAST")
"""How records are written: an address or a key that is removed is overwritten."""
ERASABLE = ("PRAGMA synchronous = NORMAL", "PRAGMA secure_delete = ON")
"""How refusals are written: not worth a sync each, but overwritten wherever they lay once they are erased."""

FIND = "SELECT id, game, body, ready, revision FROM webhooks"
ADD_REFUSAL = "INSERT INTO refusals (game, number, seat, body) VALUES (?, ?, ?, ?)"
BOUND_SEAT = """
    DELETE FROM refusals WHERE game = ? AND seat = ? AND place <=
        (SELECT place FROM refusals WHERE game = ? AND seat = ? ORDER BY place DESC LIMIT 1 OFFSET ?)
"""
BOUND_GAME = """
    DELETE FROM refusals WHERE game = ? AND place <=
        (SELECT place FROM refusals WHERE game = ? ORDER BY place DESC LIMIT 1 OFFSET ?)
"""
REFUSALS = "SELECT game, number, seat, body FROM refusals WHERE game = ? AND number BETWEEN ? AND ? ORDER BY place"


class SqliteRecordStore:
    """`RecordStore` on a SQLite file that `SqliteLogStore.open` has made safe before. Made by `open`."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="omenlog-records")
        self._closed = False

    @classmethod
    async def open(cls, path: str | PathLike[str], *, patience: float = 5.0) -> Self:
        """Opens the file in which the games are, and waits `patience` seconds for locks. Raises `StoreError`."""
        name = fspath(path)
        return cls(name, await asyncio.to_thread(connect, name, patience, _prepare))

    async def add(self, record: Record) -> bool:
        row = (record.id, record.owner, record.ready, record.body)
        statement = "INSERT OR IGNORE INTO webhooks (id, game, ready, revision, body) VALUES (?, ?, ?, 1, ?)"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def get(self, name: str) -> Record | None:
        found = await self._do(lambda db: db.execute(f"{FIND} WHERE id = ?", (name,)).fetchone())
        return None if found is None else _record(found)

    async def of_owners(self, *owners: str) -> list[Record]:
        asked = msgspec.json.encode(owners).decode()
        which = "WHERE game IN (SELECT value FROM json_each(?)) ORDER BY id"
        return await self._do(lambda db: [_record(row) for row in db.execute(f"{FIND} {which}", (asked,))])

    async def ready(self, now: float) -> list[Record]:
        which = "WHERE ready <= ? ORDER BY ready, id"
        return await self._do(lambda db: [_record(row) for row in db.execute(f"{FIND} {which}", (now,))])

    async def put(self, record: Record) -> bool:
        row = (record.body, record.ready, record.id, record.revision)
        statement = "UPDATE webhooks SET body = ?, ready = ?, revision = revision + 1 WHERE id = ? AND revision = ?"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def remove(self, name: str) -> bool:
        return await self._do(lambda db: db.execute("DELETE FROM webhooks WHERE id = ?", (name,)).rowcount == 1)

    async def add_refusal(self, refusal: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        game, seat = refusal.game, refusal.seat

        def added(db: sqlite3.Connection) -> None:
            with _erasable(db):
                db.execute(ADD_REFUSAL, (game, refusal.number, seat, refusal.body))
                db.execute(BOUND_SEAT, (game, seat, game, seat, per_seat))
                db.execute(BOUND_GAME, (game, game, per_game))

        await self._do(added)

    async def refusals(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        found = await self._do(lambda db: db.execute(REFUSALS, (game, first, last)).fetchall())
        return [RefusalRecord(game=game, number=number, seat=seat, body=body) for game, number, seat, body in found]

    async def erase_refusals(self, game: str, seat: int | None = None) -> int:
        def erased(db: sqlite3.Connection) -> int:
            with _erasable(db):
                return db.execute(
                    "DELETE FROM refusals WHERE game = ? AND (? IS NULL OR seat = ?)", (game, seat, seat)
                ).rowcount

        return await self._do(erased)

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._db.close)
            self._thread.shutdown()

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StoreUnavailable(f"{self._path}: the store is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._db)
        except sqlite3.Error as error:
            raise store_error(error, self._path) from error


def _prepare(db: sqlite3.Connection) -> None:
    for statement in (*DURABLE, *TABLES):
        db.execute(statement).fetchall()


@contextlib.contextmanager
def _erasable(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction on refusals."""
    for setting in ERASABLE:
        db.execute(setting).fetchall()
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        for setting in DURABLE:
            db.execute(setting).fetchall()


def _record(row: tuple[str, str, bytes, float | None, int]) -> Record:
    name, owner, body, ready, revision = row
    return Record(id=name, owner=owner, body=body, ready=ready, revision=revision)


def create_account(db: sqlite3.Connection, account: AccountRecord) -> None:
    db.execute("INSERT INTO accounts VALUES (?, ?, ?)", (account.id, account.hash, account.created))


def enter_account(db: sqlite3.Connection, account: str, place: Place) -> int:
    if db.execute("SELECT 1 FROM accounts WHERE id = ?", (account,)).fetchone() is None:
        raise NoSuchAccount(account)
    db.execute(
        """
        INSERT INTO places SELECT ?1, (SELECT coalesce(max(number), 0) + 1 FROM places WHERE account = ?1), ?2, ?3
        WHERE NOT EXISTS (SELECT 1 FROM places WHERE account = ?1 AND game = ?2 AND token = ?3)
        """,
        (account, place.game, place.token),
    )
    (number,) = db.execute(
        "SELECT number FROM places WHERE account = ? AND game = ? AND token = ?", (account, place.game, place.token)
    ).fetchone()
    return int(number)


def find_account(db: sqlite3.Connection, digest: bytes) -> AccountRecord | None:
    row = db.execute("SELECT id, hash, created FROM accounts WHERE hash = ?", (digest,)).fetchone()
    return None if row is None else AccountRecord(id=row[0], hash=row[1], created=row[2])


def list_accounts(db: sqlite3.Connection) -> list[AccountRecord]:
    rows = db.execute("SELECT id, hash, created FROM accounts ORDER BY id")
    return [AccountRecord(id=name, hash=digest, created=created) for name, digest, created in rows]


def account_places(db: sqlite3.Connection, account: str) -> list[Place]:
    rows = db.execute("SELECT game, token FROM places WHERE account = ? ORDER BY number", (account,))
    return [Place(*row) for row in rows]
