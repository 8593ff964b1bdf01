"""The SQL of accounts. Every function runs inside a transaction that its caller opened, or reads."""

import sqlite3

from service.ports.log import AccountRecord, NoSuchAccount, Place


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
