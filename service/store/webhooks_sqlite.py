"""The store of webhooks in the SQLite file of the games, by a connection and a thread of its own.

Its table is not part of the log's schema and its versions: it is made if it isn't there, and what a record says is in its body, which
has defaults for whatever is added. So a file goes back and forth between an Omenlog that knows of webhooks and one that doesn't.
"""

import msgspec

from service.ports.webhooks import WebhookRecord
from service.store.sqlite_beside import SqliteBeside

SETTINGS = (
    "PRAGMA synchronous = FULL",
    # An address or a key that is forgotten is overwritten.
    "PRAGMA secure_delete = FAST",
)
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


class SqliteWebhookStore(SqliteBeside):
    """`WebhookStore` on a SQLite file."""

    NAME = "webhooks"
    SETUP = (*SETTINGS, *TABLES)

    async def add(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.add`."""
        row = (record.id, record.game, record.ready, record.body)
        statement = "INSERT OR IGNORE INTO webhooks (id, game, ready, revision, body) VALUES (?, ?, ?, 1, ?)"
        return await self._do(lambda db: db.execute(statement, row).rowcount == 1)

    async def get(self, name: str) -> WebhookRecord | None:
        """See `WebhookStore.get`."""
        found = await self._do(lambda db: db.execute(f"{FOUND} WHERE id = ?", (name,)).fetchone())
        return None if found is None else _record(found)

    async def of_games(self, *games: str) -> list[WebhookRecord]:
        """See `WebhookStore.of_games`."""
        asked = msgspec.json.encode(games).decode()
        which = "WHERE game IN (SELECT value FROM json_each(?)) ORDER BY id"
        found = await self._do(lambda db: db.execute(f"{FOUND} {which}", (asked,)).fetchall())
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


def _record(row: tuple[str, str, bytes, float | None, int]) -> WebhookRecord:
    name, game, body, ready, revision = row
    return WebhookRecord(id=name, game=game, body=body, ready=ready, revision=revision)
