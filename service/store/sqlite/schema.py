"""The SQLite file: its tables, connections that are known to be safe before anybody uses them, and its errors in the words of the port."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from service.store.port import StoreDamaged, StoreError, StoreFull, StoreTooNew, StoreUnavailable

APPLICATION_ID = 0x4F4D454E  # `OMEN`: marks the file as ours, so that another program's is never taken for a log

SCHEMA_VERSION = 4  # stored as `user_version`; a file with a higher one is left alone

CHECKPOINT_PAGES = 4000
"""WAL pages (4 KiB each) after which the writer copies them into the file. SQLite's own 1,000 cost a quarter of the
append rate, because a busy game's last page is then copied again and again."""

WAL_BYTES_KEPT = 64 << 20  # a WAL that has grown beyond this is cut back to it at the next checkpoint
CACHE_KIB = 64 << 10  # page cache of the writer; each reader has a quarter
SCRUBBING = 10.0  # seconds to wait until nobody reads from the write-ahead log
WAITING = 0.02  # seconds between two tries where SQLite does not wait for a lock by itself
SYNCHRONOUS_LEVELS = ("off", "normal", "full", "extra")  # by the number that `PRAGMA synchronous` answers

CHECKED_BYTES = 64 << 20
"""Up to this size a file is checked in full when it is opened (some tenths of a second); damage in a larger one shows
when the damaged page is read."""

ACCOUNTS = (
    "CREATE TABLE accounts (id TEXT NOT NULL PRIMARY KEY, hash BLOB NOT NULL UNIQUE, created TEXT NOT NULL) STRICT",
    """
    CREATE TABLE places (
        account TEXT NOT NULL REFERENCES accounts (id),
        number INTEGER NOT NULL,
        game TEXT NOT NULL,
        token TEXT NOT NULL,
        PRIMARY KEY (account, number),
        UNIQUE (account, game, token)
    ) STRICT, WITHOUT ROWID
    """,
)

TABLES = (
    """
    CREATE TABLE games (
        position INTEGER PRIMARY KEY, -- the order of creation
        id TEXT NOT NULL UNIQUE,
        created TEXT NOT NULL,
        status TEXT NOT NULL,
        facts BLOB NOT NULL,
        revision INTEGER NOT NULL DEFAULT 0 -- counts the changes of what lies beside the log
    ) STRICT
    """,
    # Apart from `games`, so that no query for public facts can name it by a slip.
    """
    CREATE TABLE secrets (
        game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
        body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE creations (
        creator TEXT NOT NULL,
        key TEXT NOT NULL,
        game TEXT NOT NULL REFERENCES games (id),
        fingerprint BLOB NOT NULL,
        PRIMARY KEY (creator, key)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX creations_by_game ON creations (game)",
    # Dense numbering is a law of the schema: a commit needs its predecessor and a free number, so one INSERT checks the
    # expected version. WITHOUT ROWID would put whole commits into inner pages and halve the append rate.
    """
    CREATE TABLE commits (
        position INTEGER PRIMARY KEY, -- the order of all commits of all games
        game TEXT NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        previous INTEGER,
        body BLOB NOT NULL,
        key TEXT,
        fingerprint BLOB,
        UNIQUE (game, number),
        FOREIGN KEY (game, previous) REFERENCES commits (game, number),
        CHECK (number = coalesce(previous, 0) + 1)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX commit_keys ON commits (game, key) WHERE key IS NOT NULL",
    """
    CREATE TABLE tokens (
        game TEXT NOT NULL REFERENCES games (id),
        id TEXT NOT NULL,
        hash BLOB NOT NULL UNIQUE,
        role TEXT NOT NULL,
        seat INTEGER,
        expires TEXT,
        revoked INTEGER NOT NULL,
        spent INTEGER NOT NULL,
        account TEXT NOT NULL DEFAULT '', -- to which it is bound
        good_for INTEGER NOT NULL DEFAULT 1, -- people whom an invite serves
        claims INTEGER NOT NULL DEFAULT 0, -- of whom so many have come
        PRIMARY KEY (game, id)
    ) STRICT
    """,
    *ACCOUNTS,
    """
    CREATE TABLE texts (
        game TEXT NOT NULL REFERENCES games (id),
        key TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (game, key)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE snapshots (
        game TEXT NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        body BLOB NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT
    """,
    "CREATE TABLE packs (digest TEXT NOT NULL PRIMARY KEY, body BLOB NOT NULL) STRICT",
    "CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), beat INTEGER NOT NULL) STRICT",
    "INSERT INTO probe VALUES (1, 0)",
)


UPGRADES: dict[int, tuple[str, ...]] = {
    1: (
        "ALTER TABLE games ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX creations_by_game ON creations (game)",
    ),
    2: ("ALTER TABLE tokens ADD COLUMN account TEXT NOT NULL DEFAULT ''", *ACCOUNTS),
    3: (
        "ALTER TABLE tokens ADD COLUMN good_for INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE tokens ADD COLUMN claims INTEGER NOT NULL DEFAULT 0",
    ),
}
"""By the schema that a file has: what makes it the next one."""


def open_writer(path: str, *, patience: float, max_bytes: int | None) -> sqlite3.Connection:
    """Opens the file for the one writer, creates what is missing, and refuses whatever would not be safe.

    The connection is in WAL mode with synchronous=FULL and foreign keys, each read back. A file of up to `CHECKED_BYTES` was checked in full.

    Raises:
        StoreDamaged: the file is not a database or fails its check.
        StoreTooNew: a newer Omenlog wrote it.
        StoreFull: there is no room to create it.
        StoreUnavailable: it can't be opened, is locked, read-only or another program's, or can't be made durable.
    """

    def prepare(connection: sqlite3.Connection) -> None:
        fresh = _recognize(connection, path)
        _write_ahead(connection, patience)
        _make_durable(connection, path)
        if max_bytes is not None:
            connection.execute(f"PRAGMA max_page_count = {max_bytes // _setting(connection, 'page_size')}")
        if not fresh and Path(path).stat().st_size <= CHECKED_BYTES:
            _verify(connection, path)
        _lay_out(connection)

    return connect(path, patience, prepare)


def open_reader(path: str, *, patience: float) -> sqlite3.Connection:
    """A connection that can't write, to a file that `open_writer` has opened before. Raises as that does."""

    def prepare(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA query_only = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB // 4}")

    return connect(path, patience, prepare)


def durability(connection: sqlite3.Connection) -> tuple[str, str]:
    """The journal mode and the synchronous level in force, as the database itself reports them, in lower case."""
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    return mode, SYNCHRONOUS_LEVELS[_setting(connection, "synchronous")]


def scrub(path: str) -> None:
    """Empty the write-ahead log, which still holds what was erased. Raises `StoreUnavailable` if others keep reading from it."""
    try:
        with closing(sqlite3.connect(path, timeout=SCRUBBING, isolation_level=None)) as connection:
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise store_error(error, path) from error
    if busy:
        raise StoreUnavailable(
            f"{path}: what was erased is gone from the store, but is still in {path}-wal, which others are reading. Run this again"
        )


def connect(path: str, patience: float, prepare: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Connects and prepares; whatever goes wrong leaves no connection behind."""
    try:
        connection = sqlite3.connect(
            path, timeout=patience, isolation_level=None, check_same_thread=False, cached_statements=256
        )
    except sqlite3.Error as error:
        raise store_error(error, path) from error
    try:
        prepare(connection)
    except sqlite3.Error as error:
        connection.close()
        raise store_error(error, path) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _setting(connection: sqlite3.Connection, name: str) -> int:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def _recognize(connection: sqlite3.Connection, path: str) -> bool:
    """Whether the file is new. Refuses files of others, before anything is written to them."""
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if objects == 0:
        return True
    if _setting(connection, "application_id") != APPLICATION_ID:
        raise StoreUnavailable(f"{path}: the database belongs to another program. Use another file for the games")
    version = _setting(connection, "user_version")
    if version > SCHEMA_VERSION:
        raise StoreTooNew(
            f"{path}: the file has schema {version}, this Omenlog knows {SCHEMA_VERSION} at most. "
            "Run the newer Omenlog that wrote it, or restore a backup from before the upgrade"
        )
    return False


def _write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Switch to WAL, where SQLite itself does not wait for others who are about to write."""
    end = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(WAITING)
        else:
            return


def _make_durable(connection: sqlite3.Connection, path: str) -> None:
    """Sets what an acknowledgement rests on, and reads it back: not every file system can do WAL."""
    for setting in (
        "synchronous = FULL",
        "foreign_keys = ON",
        # What is erased is overwritten with zeros, where that costs no further page.
        "secure_delete = FAST",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
        f"journal_size_limit = {WAL_BYTES_KEPT}",
        f"cache_size = -{CACHE_KIB}",
    ):
        connection.execute(f"PRAGMA {setting}").fetchall()
    mode, level = durability(connection)
    if (mode, level) != ("wal", "full") or not _setting(connection, "foreign_keys"):
        raise StoreUnavailable(
            f"{path}: the database runs with journal mode {mode} and synchronous level {level}; Omenlog needs wal and "
            "full to keep its word after a power cut. Put the file on a local disk"
        )


def _lay_out(connection: sqlite3.Connection) -> None:
    """Creates the tables if there are none, and writes, so that a read-only file shows now and not to a player."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _setting(connection, "user_version")
        for number in range(version, SCHEMA_VERSION) if version else ():
            for change in UPGRADES[number]:
                connection.execute(change)
        for table in () if version else TABLES:
            connection.execute(table)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("UPDATE probe SET beat = beat + 1")
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _verify(connection: sqlite3.Connection, path: str) -> None:
    (finding,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if finding != "ok":
        damage = sqlite3.DatabaseError(finding)
        damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise store_error(damage, path)


# ---- errors ----

OUT_OF_ROOM = 1 << 20
"""Free bytes below which an I/O error means a full disk: SQLite says FULL for its files, but not for its WAL index."""

_PRIMARY_CODE = 0xFF  # an extended result code carries its primary code in the lowest byte

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
    """The port's exception for an error of SQLite; a plain `StoreError` if no better kind fits."""
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
