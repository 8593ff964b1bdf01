"""The log store on SQLite: one file, one machine, every acknowledged commit on the disk.

Writes go through a single connection and its thread, which groups those that wait into one transaction; a commit that comes
alone is written on the loop's own thread (`writer`). Reads go to a small pool of threads with connections of their own,
which never wait for a write. Only `head`, which every request asks, is answered on the loop's own thread: from memory where nobody else
has written (`Heads`), else in some microseconds from the cache, where another thread would cost many times that.

Several processes of one machine may serve one file: SQLite's locks put their transactions in order, and each looks
every `HEARING` seconds whether others have written, which takes microseconds. A network file system can't do that. To copy a running
store use `copy`, or SQLite's own `VACUUM INTO` or `.backup`: the file alone, without its `-wal`, lacks what was written last.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, TypeVarTuple

from service.store.port import Appended, Head, Health, Heard, RecordChanges, StoreDamaged, StoreError, StoreUnavailable
from service.store.sqlite import records as accounts
from service.store.sqlite import statements
from service.store.sqlite.schema import APPLICATION_ID, durability, open_reader, open_writer, scrub, store_error
from service.store.sqlite.writer import Heads, Writer

HEARING = 0.02
"""Seconds between two looks for what other processes have written: short enough that nobody at a table waits for news."""
RESTING = 10
"""A look that takes longer is followed by a pause so many times as long, of at most `LONGEST` seconds."""
LONGEST = 0.25

T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")


def _writes(
    work: Callable[Concatenate[sqlite3.Connection, P], T],
) -> Callable[Concatenate[SqliteLogStore, P], Coroutine[Any, Any, T]]:
    """The method that does this in a transaction of the writer."""

    async def write(self: SqliteLogStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._writer.submit(lambda db: work(db, *args, **kwargs))

    return write


def _reads(
    question: Callable[Concatenate[sqlite3.Connection, P], T],
) -> Callable[Concatenate[SqliteLogStore, P], Coroutine[Any, Any, T]]:
    """The method that asks this on a thread of the pool."""

    async def read(self: SqliteLogStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._read(lambda db: question(db, *args, **kwargs))

    return read


class SqliteLogStore:
    """`LogStore` on a SQLite file. Made by `open`, and bound to the event loop that ran it."""

    def __init__(
        self, path: str, writer: sqlite3.Connection, own: sqlite3.Connection, readers: Sequence[sqlite3.Connection]
    ) -> None:
        self._path = path
        self._own = own
        self._loop = asyncio.get_running_loop()
        self._writer = Writer(writer, path, self._loop)
        self._heads = Heads(path)
        self._together = self._append_all  # the same object each time, by which the writer knows what goes together
        self._pool = ThreadPoolExecutor(len(readers), thread_name_prefix="omenlog-reader")
        self._idle: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        for reader in readers:
            self._idle.put(reader)
        self._readers = readers
        self._watched: dict[str, int] = {}  # games, each with the revision at which it was heard of
        self._hearing: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(
        cls, path: str | PathLike[str], *, readers: int = 2, patience: float = 5.0, max_bytes: int | None = None
    ) -> Self:
        """Opens a store, creating the file if its folder exists. Raises as `open_writer` does.

        There are `readers` threads that read, 1 or more. A lock that another process holds is waited for `patience` seconds, then `StoreUnavailable`.
        The file may grow to `max_bytes`, then `StoreFull`; None for as much as the disk holds.
        """
        name = fspath(path)
        return cls(name, *await asyncio.to_thread(_connect, name, readers, patience, max_bytes))

    # ---- writes ----

    create = _writes(statements.create)

    async def append(
        self,
        game: str,
        expected: int,
        commit: bytes,
        *,
        key: str | None = None,
        fingerprint: bytes = b"",
        spend: Sequence[bytes] = (),
        changes: RecordChanges | None = None,
        revision: int | None = None,
    ) -> Appended:
        if spend or changes is not None or revision is not None:
            return await self._writer.submit(
                statements.append, game, expected, commit, key, fingerprint, spend, changes, revision
            )
        for answer in self._writer.at_once(self._together, game, expected, commit, key, fingerprint):
            return answer
        return await self._writer.submit(
            statements.append, game, expected, commit, key, fingerprint, atomic=True, together=self._together
        )

    def _append_all(
        self, db: sqlite3.Connection, appends: Sequence[tuple[str, int, bytes, str | None, bytes]]
    ) -> Sequence[Appended]:
        """A transaction of several appends, or of one, on whichever thread; after it their heads are known."""
        answers = statements.append_all(db, appends)
        self._heads.appended(appends)
        return answers

    update_game = _writes(statements.update_game)
    strip = _writes(statements.strip)
    remove = _writes(statements.remove)
    put_snapshot = _writes(statements.put_snapshot)
    put_pack = _writes(statements.put_pack)
    create_account = _writes(accounts.create_account)
    enter_account = _writes(accounts.enter_account)

    async def scrub(self) -> None:
        self._require_open()
        await asyncio.to_thread(scrub, self._path)

    # ---- reads ----

    async def head(self, game: str) -> Head | None:
        self._require_open()
        try:
            return self._heads.find(game, self._ask_head, writing=self._writer.at_work)
        except sqlite3.Error:  # a lock, for which the loop must not wait
            return await self._read(statements.head, game)

    def _ask_head(self, game: str) -> Head | None:
        return statements.head(self._own, game)

    load = _reads(statements.load)
    version = _reads(statements.version)
    read = _reads(statements.read)
    read_stored = _reads(statements.read_stored)
    creation = _reads(statements.creation)
    find_creation = _reads(statements.find_creation)
    get_game = _reads(statements.get_game)
    list_games = _reads(statements.list_games)
    secret = _reads(statements.secret)
    find_token = _reads(statements.find_token)
    list_tokens = _reads(statements.list_tokens)
    get_texts = _reads(statements.get_texts)
    find_texts = _reads(statements.find_texts)
    find_account = _reads(accounts.find_account)
    list_accounts = _reads(accounts.list_accounts)
    account_places = _reads(accounts.account_places)
    get_pack = _reads(statements.get_pack)
    list_packs = _reads(statements.list_packs)

    # ---- news of other processes ----

    def listen(self, heard: Heard) -> None:
        self._hearing = self._loop.create_task(self._hear(heard))

    def watch(self, game: str) -> None:
        self._watched.setdefault(game, 0)

    def unwatch(self, game: str) -> None:
        self._watched.pop(game, None)

    async def _hear(self, heard: Heard) -> None:
        position: int | None = None
        seen, known = -1, -1
        while True:
            began = self._loop.time()
            # What goes wrong here goes wrong for somebody who can be told, too.
            with contextlib.suppress(sqlite3.Error, StoreError):
                now, last = statements.data_version(self._own), statements.last_position(self._own)
                others = self._heads.others(writing=self._writer.at_work)
                if others == known:  # all commits up to `last` were made here, or were heard of
                    position = last
                elif now != seen:
                    position, heads = await self._read(statements.news, position, dict(self._watched))
                    seen, known = now, known if others is None else others
                    for game in heads.keys() & self._watched.keys():
                        self._watched[game] = heads[game].revision
                        heard(game, heads[game])
            took = self._loop.time() - began
            await asyncio.sleep(min(max(HEARING, RESTING * took), LONGEST))

    # ---- life ----

    async def check(self) -> Health:
        written, (mode, level) = await self._writer.submit(_probe)
        found = await self._read(statements.last_beat)
        if found < written:
            raise StoreDamaged(f"{self._path}: a probe was written and committed, yet an older one was read back")
        durable = (mode, level) == ("wal", "full")
        return Health(adapter="sqlite", durable=durable, journal_mode=mode, synchronous=level)

    async def close(self) -> None:
        self._closed = True
        if self._hearing is not None:
            self._hearing.cancel()
            await asyncio.wait([self._hearing])
        await asyncio.to_thread(self._pool.shutdown)
        self._own.close()
        for reader in self._readers:
            reader.close()
        # Last, so that the connection that can write puts the WAL away.
        await self._writer.close()

    async def _read(self, question: Callable[[sqlite3.Connection, *Ts], T], *arguments: *Ts) -> T:
        self._require_open()
        return await self._loop.run_in_executor(self._pool, self._ask, question, *arguments)

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(f"{self._path}: the store is closed")

    def _ask(self, question: Callable[[sqlite3.Connection, *Ts], T], *arguments: *Ts) -> T:
        """Runs on a thread of the pool, of which there are as many as connections: one is always idle."""
        reader = self._idle.get()
        try:
            return question(reader, *arguments)
        except sqlite3.Error as error:
            raise store_error(error, self._path) from error
        finally:
            self._idle.put(reader)


def _connect(
    path: str, readers: int, patience: float, max_bytes: int | None
) -> tuple[sqlite3.Connection, sqlite3.Connection, list[sqlite3.Connection]]:
    writer = open_writer(path, patience=patience, max_bytes=max_bytes)
    opened = [writer]
    try:
        opened.append(open_reader(path, patience=0))
        opened.extend(open_reader(path, patience=patience) for _ in range(readers))
    except BaseException:
        for connection in opened:
            connection.close()
        raise
    return writer, opened[1], opened[2:]


def _probe(db: sqlite3.Connection) -> tuple[int, tuple[str, str]]:
    return statements.beat(db), durability(db)


# ---- copies of a store in use ----

PAGES = 2_000  # copied at a time; whoever writes meanwhile waits for no more than these
PATIENCE = 5.0  # seconds to wait for a lock that another process holds

Progress = Callable[[int, int], None]
"""Told how many pages are copied, of how many."""
Look = Callable[[Path], None]
"""Checks a copy before it has its name, and raises if it is not good."""


def copy(source: Path, target: Path, *, look: Look, progress: Progress = lambda _done, _all: None) -> None:
    """Copy a store as of one moment, commits of that moment's write-ahead log included.

    Raises `FileNotFoundError`, `FileExistsError`, or `StoreError` if the source can't be read or the copy is not sound.
    """
    if not source.exists():
        raise FileNotFoundError(2, "no such file", str(source))
    make(target, lambda part: _copy(source, part, progress), look=look)


def make(target: Path, fill: Callable[[Path], None], *, look: Look) -> None:
    """Make the file of a store, which appears under its name only when it is whole, checked and on the disk.

    Until then the copy is beside it as `.part`. Raises `FileExistsError`, or `StoreError` if it is not sound.
    """
    if target.exists():
        raise FileExistsError(17, "a file is there already", str(target))
    part = target.with_name(f"{target.name}.part")
    _clear(part)
    try:
        fill(part)
        _check(part)
        look(part)
        _settle(part, target)
    finally:
        _clear(part)


def _clear(part: Path) -> None:
    for beside in ("", "-wal", "-shm"):
        part.with_name(f"{part.name}{beside}").unlink(missing_ok=True)


def _copy(source: Path, part: Path, progress: Progress) -> None:
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as found,
            closing(sqlite3.connect(part)) as made,
        ):
            (mark,) = found.execute("PRAGMA application_id").fetchone()
            if mark != APPLICATION_ID:
                raise StoreDamaged(f"{source}: not an Omenlog store")
            found.backup(made, pages=PAGES, progress=lambda _status, left, whole: progress(whole - left, whole))
            # A copy is one file: what it would need beside it could be forgotten on the way.
            made.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise store_error(error, str(source)) from error


def _check(part: Path) -> None:
    """Open it as the service does, which refuses other files, and check every page."""
    connection = open_writer(str(part), patience=PATIENCE, max_bytes=None)
    with closing(connection):
        (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        connection.execute("PRAGMA journal_mode = DELETE")
    if said != "ok" or broken is not None:
        raise StoreDamaged(f"{part}: the copy is not sound ({said}); the store itself is damaged")


def _settle(part: Path, target: Path) -> None:
    with part.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(part, target)  # unlike a rename it never takes the place of a file that came meanwhile
    except FileExistsError:
        raise
    except OSError as error:
        raise StoreUnavailable(f"{target}: could not create it: {error}") from error
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
