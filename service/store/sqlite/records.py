"""What lies beside the log in a SQLite file: refusals, webhooks, accounts.

Refusals and webhooks have a connection and a thread of their own. Their tables are not part of the log's schema and its versions: they are
made if they aren't there. What a webhook's record says is in its body, which has defaults for whatever is added; so a file goes back and
forth between versions of Omenlog. A refusal is not worth a sync of its own; one that the machine lost with its power is missed by nobody.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import PathLike, fspath
from typing import ClassVar, Self, TypeVar

import msgspec

from service.store.port import AccountRecord, NoSuchAccount, Place, StoreUnavailable
from service.store.records import RefusalRecord, WebhookRecord
from service.store.sqlite.errors import store_error

T = TypeVar("T")


class SqliteBeside:
    """A store on a SQLite file that `SqliteLogStore.open` has made safe before. Made by `open`.

    WAL is a property of the file; how much a connection syncs is its own affair, and stands in `SETUP`.
    """

    NAME: ClassVar[str]
    """What its thread is called."""
    SETUP: ClassVar[tuple[str, ...]]
    """Statements that each connection begins with: pragmas, then tables unless they are there."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"omenlog-{self.NAME}")
        self._closed = False

    @classmethod
    async def open(cls, path: str | PathLike[str], *, patience: float = 5.0) -> Self:
        """Opens the store.

        Args:
            path: the file in which the games are.
            patience: seconds to wait for a lock that another connection or process holds, before `StoreUnavailable`.

        Raises:
            StoreError: it can't be opened or written.
        """
        name = fspath(path)
        return cls(name, await asyncio.to_thread(_connect, name, patience, cls.SETUP))

    async def close(self) -> None:
        """Lets go of the connection and the thread."""
        if not self._closed:
            self._closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._db.close)
            self._thread.shutdown()

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does a transaction on the store's thread."""
        if self._closed:
            raise StoreUnavailable(f"{self._path}: the store is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._db)
        except sqlite3.Error as error:
            raise store_error(error, self._path) from error


def _connect(path: str, patience: float, setup: tuple[str, ...]) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise store_error(error, path) from error
    try:
        for statement in setup:
            db.execute(statement).fetchall()
    except sqlite3.Error as error:
        with contextlib.suppress(sqlite3.Error):
            db.close()
        raise store_error(error, path) from error
    return db


def create_account(db: sqlite3.Connection, account: AccountRecord) -> None:
    """`LogStore.create_account`."""
    db.execute("INSERT INTO accounts VALUES (?, ?, ?)", (account.id, account.hash, account.created))


def enter_account(db: sqlite3.Connection, account: str, place: Place) -> int:
    """`LogStore.enter_account`."""
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
    """`LogStore.find_account`."""
    row = db.execute("SELECT id, hash, created FROM accounts WHERE hash = ?", (digest,)).fetchone()
    return None if row is None else AccountRecord(id=row[0], hash=row[1], created=row[2])


def list_accounts(db: sqlite3.Connection) -> list[AccountRecord]:
    """`LogStore.list_accounts`."""
    rows = db.execute("SELECT id, hash, created FROM accounts ORDER BY id")
    return [AccountRecord(id=name, hash=digest, created=created) for name, digest, created in rows]


def account_places(db: sqlite3.Connection, account: str) -> list[Place]:
    """`LogStore.account_places`."""
    rows = db.execute("SELECT game, token FROM places WHERE account = ? ORDER BY number", (account,))
    return [Place(*row) for row in rows]


REFUSAL_SETTINGS = (
    "PRAGMA synchronous = NORMAL",
    # What is erased is overwritten.
    "PRAGMA secure_delete = ON",
)
REFUSAL_TABLES = (
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
ADD_REFUSAL = "INSERT INTO refusals (game, number, seat, body) VALUES (?, ?, ?, ?)"
BOUND_SEAT = """
    DELETE FROM refusals WHERE game = ? AND seat = ? AND place <=
        (SELECT place FROM refusals WHERE game = ? AND seat = ? ORDER BY place DESC LIMIT 1 OFFSET ?)
"""
BOUND_GAME = """
    DELETE FROM refusals WHERE game = ? AND place <=
        (SELECT place FROM refusals WHERE game = ? ORDER BY place DESC LIMIT 1 OFFSET ?)
"""
REFUSALS_BETWEEN = (
    "SELECT game, number, seat, body FROM refusals WHERE game = ? AND number BETWEEN ? AND ? ORDER BY place"
)


class SqliteRefusalStore(SqliteBeside):
    """`RefusalStore` on a SQLite file."""

    NAME = "refusals"
    SETUP = (*REFUSAL_SETTINGS, *REFUSAL_TABLES)

    async def add(self, record: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        game, seat = record.game, record.seat

        def added(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            try:
                db.execute(ADD_REFUSAL, (game, record.number, seat, record.body))
                db.execute(BOUND_SEAT, (game, seat, game, seat, per_seat))
                db.execute(BOUND_GAME, (game, game, per_game))
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

        await self._do(added)

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        found = await self._do(lambda db: db.execute(REFUSALS_BETWEEN, (game, first, last)).fetchall())
        return [RefusalRecord(game=game, number=number, seat=seat, body=body) for game, number, seat, body in found]

    async def erase(self, game: str, seat: int | None = None) -> int:
        statement, row = "DELETE FROM refusals WHERE game = ?", (game,)
        if seat is not None:
            return await self._do(lambda db: db.execute(f"{statement} AND seat = ?", (game, seat)).rowcount)
        return await self._do(lambda db: db.execute(statement, row).rowcount)


WEBHOOK_SETTINGS = (
    "PRAGMA synchronous = FULL",
    # An address or a key that is forgotten is overwritten.
    "PRAGMA secure_delete = FAST",
)
WEBHOOK_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS webhooks (
        id TEXT NOT NULL PRIMARY KEY,
        game TEXT NOT NULL,
        ready REAL,
        revision INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT
    """,
    "CREATE INDEX IF NOT EXISTS webhooks_of_game ON webhooks (game, id)",
    "CREATE INDEX IF NOT EXISTS webhooks_ready ON webhooks (ready, id) WHERE ready IS NOT NULL",
)
FIND_WEBHOOKS = "SELECT id, game, body, ready, revision FROM webhooks"


class SqliteWebhookStore(SqliteBeside):
    """`WebhookStore` on a SQLite file."""

    NAME = "webhooks"
    SETUP = (*WEBHOOK_SETTINGS, *WEBHOOK_TABLES)

    async def add(self, record: WebhookRecord) -> bool:
        row = (record.id, record.game, record.ready, record.body)
        statement = "INSERT OR IGNORE INTO webhooks (id, game, ready, revision, body) VALUES (?, ?, ?, 1, ?)"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def get(self, name: str) -> WebhookRecord | None:
        found = await self._do(lambda db: db.execute(f"{FIND_WEBHOOKS} WHERE id = ?", (name,)).fetchone())
        return None if found is None else _webhook(found)

    async def of_games(self, *games: str) -> list[WebhookRecord]:
        asked = msgspec.json.encode(games).decode()
        which = "WHERE game IN (SELECT value FROM json_each(?)) ORDER BY id"
        found = await self._do(lambda db: db.execute(f"{FIND_WEBHOOKS} {which}", (asked,)).fetchall())
        return [_webhook(row) for row in found]

    async def ready(self, now: float) -> list[WebhookRecord]:
        found = await self._do(
            lambda db: db.execute(f"{FIND_WEBHOOKS} WHERE ready <= ? ORDER BY ready, id", (now,)).fetchall()
        )
        return [_webhook(row) for row in found]

    async def put(self, record: WebhookRecord) -> bool:
        row = (record.body, record.ready, record.id, record.revision)
        statement = "UPDATE webhooks SET body = ?, ready = ?, revision = revision + 1 WHERE id = ? AND revision = ?"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def remove(self, name: str) -> bool:
        return await self._do(lambda db: db.execute("DELETE FROM webhooks WHERE id = ?", (name,)).rowcount == 1)


def _webhook(row: tuple[str, str, bytes, float | None, int]) -> WebhookRecord:
    name, game, body, ready, revision = row
    return WebhookRecord(id=name, game=game, body=body, ready=ready, revision=revision)
