"""The store of webhooks in the SQLite file of the games, by a connection and a thread of its own.

Its table is not part of the log's schema and its versions: it is made if it isn't there, and what a record says is in its body, which
has defaults for whatever is added. So a file goes back and forth between an Omenlog that knows of webhooks and one that doesn't.
"""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import PathLike, fspath
from typing import Self, TypeVar

from service.ports.log import StoreUnavailable
from service.ports.webhooks import WebhookRecord
from service.store.sqlite_errors import store_error

T = TypeVar("T")

TABLES = (
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
FOUND = "SELECT id, game, body, ready, revision FROM webhooks"


class SqliteWebhookStore:
    """`WebhookStore` on a SQLite file, which `SqliteLogStore.open` has made safe before. Made by `open`."""

    def __init__(self, path: str, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="omenlog-webhooks")
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
        return cls(name, await asyncio.to_thread(_connect, name, patience))

    async def add(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.add`."""
        row = (record.id, record.game, record.ready, record.body)
        statement = "INSERT OR IGNORE INTO webhooks (id, game, ready, revision, body) VALUES (?, ?, ?, 1, ?)"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def get(self, name: str) -> WebhookRecord | None:
        """See `WebhookStore.get`."""
        found = await self._do(lambda db: db.execute(f"{FOUND} WHERE id = ?", (name,)).fetchone())
        return None if found is None else _record(found)

    async def of_game(self, game: str) -> list[WebhookRecord]:
        """See `WebhookStore.of_game`."""
        found = await self._do(lambda db: db.execute(f"{FOUND} WHERE game = ? ORDER BY id", (game,)).fetchall())
        return [_record(row) for row in found]

    async def ready(self, now: float) -> list[WebhookRecord]:
        """See `WebhookStore.ready`."""
        found = await self._do(lambda db: db.execute(f"{FOUND} WHERE ready <= ? ORDER BY ready, id", (now,)).fetchall())
        return [_record(row) for row in found]

    async def put(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.put`."""
        row = (record.body, record.ready, record.id, record.revision)
        statement = "UPDATE webhooks SET body = ?, ready = ?, revision = revision + 1 WHERE id = ? AND revision = ?"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def remove(self, name: str) -> bool:
        """See `WebhookStore.remove`."""
        return await self._do(lambda db: db.execute("DELETE FROM webhooks WHERE id = ?", (name,)).rowcount == 1)

    async def close(self) -> None:
        """See `WebhookStore.close`."""
        if not self._closed:
            self._closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._db.close)
            self._thread.shutdown()

    async def _do(self, statement: Callable[[sqlite3.Connection], T]) -> T:
        """Runs one statement, which is a transaction by itself, on the store's thread."""
        if self._closed:
            raise StoreUnavailable(f"{self._path}: the store is closed")
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, statement, self._db)
        except sqlite3.Error as error:
            raise store_error(error, self._path) from error


def _connect(path: str, patience: float) -> sqlite3.Connection:
    try:
        db = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise store_error(error, path) from error
    try:
        # WAL is a property of the file; how much a connection syncs is its own affair.
        db.execute("PRAGMA synchronous = FULL")
        # An address or a key that is forgotten is overwritten.
        db.execute("PRAGMA secure_delete = FAST").fetchall()
        for table in TABLES:
            db.execute(table)
    except sqlite3.Error as error:
        with contextlib.suppress(sqlite3.Error):
            db.close()
        raise store_error(error, path) from error
    return db


def _record(row: tuple[str, str, bytes, float | None, int]) -> WebhookRecord:
    name, game, body, ready, revision = row
    return WebhookRecord(id=name, game=game, body=body, ready=ready, revision=revision)
