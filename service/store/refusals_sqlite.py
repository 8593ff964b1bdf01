"""The store of refusals in the SQLite file of the games, by a connection and a thread of its own.

Like the table of webhooks, this one is not part of the log's schema and its versions: it is made if it isn't there. A refusal is
not worth a sync of its own; one that the machine lost with its power is missed by nobody.
"""

import sqlite3

from service.ports.refusals import RefusalRecord
from service.store.sqlite_beside import SqliteBeside

SETTINGS = (
    "PRAGMA synchronous = NORMAL",
    # What is erased is overwritten.
    "PRAGMA secure_delete = ON",
)
TABLES = (
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
ADD = "INSERT INTO refusals (game, number, seat, body) VALUES (?, ?, ?, ?)"
BOUND_SEAT = """
    DELETE FROM refusals WHERE game = ? AND seat = ? AND place <=
        (SELECT place FROM refusals WHERE game = ? AND seat = ? ORDER BY place DESC LIMIT 1 OFFSET ?)
"""
BOUND_GAME = """
    DELETE FROM refusals WHERE game = ? AND place <=
        (SELECT place FROM refusals WHERE game = ? ORDER BY place DESC LIMIT 1 OFFSET ?)
"""
BETWEEN = "SELECT game, number, seat, body FROM refusals WHERE game = ? AND number BETWEEN ? AND ? ORDER BY place"


class SqliteRefusalStore(SqliteBeside):
    """`RefusalStore` on a SQLite file."""

    NAME = "refusals"
    SETUP = (*SETTINGS, *TABLES)

    async def add(self, record: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        """See `RefusalStore.add`."""
        game, seat = record.game, record.seat

        def added(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            try:
                db.execute(ADD, (game, record.number, seat, record.body))
                db.execute(BOUND_SEAT, (game, seat, game, seat, per_seat))
                db.execute(BOUND_GAME, (game, game, per_game))
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

        await self._do(added)

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """See `RefusalStore.between`."""
        found = await self._do(lambda db: db.execute(BETWEEN, (game, first, last)).fetchall())
        return [RefusalRecord(game=game, number=number, seat=seat, body=body) for game, number, seat, body in found]

    async def erase(self, game: str, seat: int | None = None) -> int:
        """See `RefusalStore.erase`."""
        statement, row = "DELETE FROM refusals WHERE game = ?", (game,)
        if seat is not None:
            return await self._do(lambda db: db.execute(f"{statement} AND seat = ?", (game, seat)).rowcount)
        return await self._do(lambda db: db.execute(statement, row).rowcount)
