"""What lies beside the log in a SQLite file: a connection and a thread of its own for each such store."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import PathLike, fspath
from typing import ClassVar, Self, TypeVar

from service.ports.log import StoreUnavailable
from service.store.sqlite_errors import store_error

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
