"""SQLite's errors in the words of the port: what was wrong, where, and what to do about it."""

import os
import sqlite3
from pathlib import Path

from service.store.port import StoreDamaged, StoreError, StoreFull, StoreUnavailable

OUT_OF_ROOM = 1 << 20
"""Free bytes below which an I/O error means a full disk: SQLite says FULL for its files, but not for its WAL index."""

_PRIMARY_CODE = 0xFF
"""An extended result code carries its primary code in the lowest byte."""

_KINDS: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_CORRUPT: (
        StoreDamaged,
        "the file is damaged",
        "Stop the service, keep a copy of the file and its -wal, restore a backup, or try `sqlite3 FILE .recover`",
    ),
    sqlite3.SQLITE_NOTADB: (
        StoreDamaged,
        "the file isn't a database, or its first page is damaged",
        "Check the name; if it is right, keep a copy of the file and restore a backup or import exported games",
    ),
    sqlite3.SQLITE_FULL: (
        StoreFull,
        "there is no room left, and nothing was written",
        "Make room on the disk, or raise the store's size limit, and try again",
    ),
    sqlite3.SQLITE_BUSY: (
        StoreUnavailable,
        "another process holds the database locked",
        "End it, or try again: a file is meant for one service at a time",
    ),
    sqlite3.SQLITE_READONLY: (
        StoreUnavailable,
        "the file or its file system is read-only",
        "Give the service's user the right to write the file and its folder",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        StoreUnavailable,
        "the file can't be opened",
        "Check that its folder exists and that the service's user may write there",
    ),
    sqlite3.SQLITE_IOERR: (
        StoreUnavailable,
        "the disk reported an error, and nothing was acknowledged",
        "Look into the system's log, check the disk, then restart",
    ),
}
_OWN_FAULT = (StoreError, "the database refused a statement", "This is a fault in Omenlog: please report it")


def store_error(error: sqlite3.Error, path: str) -> StoreError:
    """The port's exception for an error of SQLite.

    Args:
        error: what the driver raised.
        path: the database file, for the message and to see whether its disk is full.

    Returns:
        An exception to raise or to hand to whoever waits; a plain `StoreError` if no better kind fits.
    """
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
    if code == sqlite3.SQLITE_IOERR and _out_of_room(path):
        code = sqlite3.SQLITE_FULL
    kind, what, advice = _KINDS.get(code, _OWN_FAULT)
    said = " ".join(str(error).split())
    return kind(f"{path}: {what} (SQLite: {said}). {advice}.")


def _out_of_room(path: str) -> bool:
    try:
        disk = os.statvfs(Path(path).parent)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < OUT_OF_ROOM
