"""Copy a SQLite store while it is in use."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from service.store.port import StoreDamaged, StoreUnavailable
from service.store.sqlite.schema import APPLICATION_ID, open_writer, store_error

PAGES = 2_000  # copied at a time; whoever writes meanwhile waits for no more than these
PATIENCE = 5.0  # seconds to wait for a lock that another process holds

Progress = Callable[[int, int], None]
"""Told how many pages are copied, of how many."""
Look = Callable[[Path], None]
"""Checks a copy before it has its name, and raises if it is not good."""


def copy(source: Path, target: Path, *, look: Look, progress: Progress = lambda _done, _all: None) -> None:
    """Copy a store as it stands at one moment, commits of that moment's write-ahead log included.

    Raises `FileNotFoundError`, `FileExistsError`, or `StoreError` if the source can't be read or the copy is not sound.
    """
    if not source.exists():
        raise FileNotFoundError(2, "no such file", str(source))
    make(target, lambda part: _copy(source, part, progress), look=look)


def make(target: Path, fill: Callable[[Path], None], *, look: Look) -> None:
    """Make the file of a store, which appears under its name only when it is whole, checked and on the disk.

    Until then it lies beside it as `.part`. Raises `FileExistsError`, or `StoreError` if it is not sound.
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
    """Sync the file, then name it."""
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
