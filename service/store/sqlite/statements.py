"""What the SQLite log store says to its database: a function without a docstring does what `LogStore` says of the method of that name.

Writes run inside a transaction of the writer, reads on a connection of the reading pool.
"""

import sqlite3
from collections.abc import Mapping, Sequence

import msgspec

from service.store.port import (
    STRIPPED,
    AlreadyApplied,
    AlreadyCreated,
    Appended,
    Applied,
    Conflict,
    Created,
    Creation,
    GameExists,
    GameRecord,
    Head,
    InviteSpent,
    Loaded,
    NewGame,
    NoSuchGame,
    Opened,
    RecordChanges,
    Snapshot,
    StoredCommit,
    StoreError,
    TokenRecord,
)

ROOM = 65_536  # bytes that must be free for the store to count as one that can be written; hardly any commit is larger
MAX_INTEGER = (1 << 63) - 1  # the largest number that SQLite holds; a larger bound in a question is brought down to it

RECORD = """
    SELECT id, created, status, facts, (SELECT coalesce(max(number), 0) FROM commits WHERE game = games.id), revision FROM games
"""
HEAD = "SELECT (SELECT coalesce(max(number), 0) FROM commits WHERE game = games.id), revision FROM games WHERE id = ?"
LOAD = """
    SELECT (SELECT coalesce(max(number), 0) FROM commits WHERE game = games.id), revision, facts, body
    FROM games JOIN secrets ON secrets.game = games.id WHERE games.id = ?
"""
INSERT_COMMIT = "INSERT INTO commits (game, number, previous, body, key, fingerprint) VALUES (?, ?, ?, ?, ?, ?)"
ONE_MORE = ", (?, ?, ?, ?, ?, ?)"
TOKEN = "SELECT id, hash, game, role, seat, expires, revoked, spent, account, good_for, claims FROM tokens"  # noqa: S105 - a table's name


# ---- writes ----


def create(
    db: sqlite3.Connection, game: NewGame, *, creator: str = "", key: str | None = None, fingerprint: bytes = b""
) -> Opened:
    earlier = None if key is None else find_creation(db, creator, key)
    if earlier is not None:
        return earlier
    if _exists(db, game.id):
        raise GameExists(game.id)
    db.execute(
        "INSERT INTO games (id, created, status, facts) VALUES (?, ?, ?, ?)",
        (game.id, game.created, game.status, game.facts),
    )
    db.execute("INSERT INTO secrets VALUES (?, ?)", (game.id, game.secret))
    if key is not None:
        db.execute("INSERT INTO creations VALUES (?, ?, ?, ?)", (creator, key, game.id, fingerprint))
    numbered = enumerate(game.commits)
    db.executemany(INSERT_COMMIT, ((game.id, last + 1, last or None, commit, None, None) for last, commit in numbered))
    _keep_beside(db, game.id, RecordChanges(tokens=game.tokens, texts=game.texts))
    return Created(len(game.commits))


def append(  # noqa: PLR0913, PLR0917 - the port's signature, handed over by position
    db: sqlite3.Connection,
    game: str,
    expected: int,
    commit: bytes,
    key: str | None,
    fingerprint: bytes,
    spend: Sequence[bytes] = (),
    changes: RecordChanges | None = None,
    revision: int | None = None,
) -> Appended:
    """`LogStore.append`. Without invites and changes it is one statement, which stores the commit or changes nothing.

    The INSERT fails where commit `expected` isn't the last one or the key is known (see the table); only then is it
    worth a query to find out which. OverflowError: no game could have as many commits as the caller expects.
    """
    try:
        if revision is not None and not _unrevised(db, game, revision):
            return _refusal(db, game, expected, key) or Conflict(expected)
        spent = next((digest for digest in spend if not _spendable(db, game, digest)), None)
        if spent is not None:
            return _refusal(db, game, expected, key) or InviteSpent(spent)
        append_all(db, [(game, expected, commit, key, fingerprint)])
    except (sqlite3.IntegrityError, OverflowError):
        refusal = _refusal(db, game, expected, key)
        if refusal is None:
            raise
        return refusal
    for digest in spend:
        db.execute("UPDATE tokens SET spent = 1 WHERE hash = ?", (digest,))
    if changes is not None:
        _change(db, game, changes)
    return Applied(expected + 1)


def append_all(
    db: sqlite3.Connection, appends: Sequence[tuple[str, int, bytes, str | None, bytes]]
) -> Sequence[Appended]:
    """Several `append` without invites and changes, each of another game: one statement for all, or for none."""
    values = [
        value
        for game, expected, commit, key, fingerprint in appends
        for value in (game, expected + 1, expected or None, commit, key, None if key is None else fingerprint)
    ]
    db.execute(INSERT_COMMIT + ONE_MORE * (len(appends) - 1), values)
    return [Applied(one[1] + 1) for one in appends]


def update_game(db: sqlite3.Connection, game: str, changes: RecordChanges, *, revision: int | None = None) -> bool:
    if not _exists(db, game):
        raise NoSuchGame(game)
    if revision is not None and not _unrevised(db, game, revision):
        return False
    _change(db, game, changes)
    return True


def strip(db: sqlite3.Connection, game: str, upto: int) -> None:
    if not _exists(db, game):
        raise NoSuchGame(game)
    db.execute(
        "UPDATE commits SET body = ? WHERE game = ? AND number <= ? AND body <> ?",
        (STRIPPED, game, min(upto, MAX_INTEGER), STRIPPED),
    )


def remove(db: sqlite3.Connection, game: str) -> None:
    # Commits depend on their predecessors, so the last goes first: whichever way SQLite walks, a statement's end is what it checks.
    for table in ("snapshots", "texts", "tokens", "commits", "creations", "secrets"):
        db.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608 -- the names are in the line above
    db.execute("DELETE FROM games WHERE id = ?", (game,))


def put_snapshot(db: sqlite3.Connection, game: str, number: int, body: bytes) -> None:
    if not _exists(db, game):
        raise NoSuchGame(game)
    db.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (game, number, body))
    db.execute(
        "DELETE FROM snapshots WHERE game = ?1 AND number < (SELECT max(number) FROM snapshots WHERE game = ?1)",
        (game,),
    )


def put_pack(db: sqlite3.Connection, digest: str, body: bytes) -> None:
    db.execute("INSERT OR IGNORE INTO packs VALUES (?, ?)", (digest, body))


def beat(db: sqlite3.Connection) -> int:
    """Writes the probe row and returns what a reader must find there once it is committed.

    A row that is there already can be written when there is no room for anything new, so that is tried too, and taken back.
    """
    db.execute("SAVEPOINT room")
    try:
        db.execute("INSERT INTO packs VALUES ('probe', zeroblob(?))", (ROOM,))
    finally:
        if db.in_transaction:  # a full disk may have rolled it back
            db.execute("ROLLBACK TO room")
            db.execute("RELEASE room")
    (number,) = db.execute("UPDATE probe SET beat = beat + 1 RETURNING beat").fetchone()
    return int(number)


def _refusal(db: sqlite3.Connection, game: str, expected: int, key: str | None) -> AlreadyApplied | Conflict | None:
    """Why no commit can follow on `expected` under this key, in the order that the port promises; None if one can."""
    if key is not None:
        known = db.execute("SELECT number, fingerprint FROM commits WHERE game = ? AND key = ?", (game, key))
        for number, fingerprint in known:
            return AlreadyApplied(number, fingerprint)
    current = version(db, game)
    if current is None:
        raise NoSuchGame(game)
    return None if current == expected else Conflict(current)


def _spendable(db: sqlite3.Connection, game: str, digest: bytes) -> bool:
    found = db.execute("SELECT 1 FROM tokens WHERE hash = ? AND game = ? AND NOT spent AND NOT revoked", (digest, game))
    return found.fetchone() is not None


def _unrevised(db: sqlite3.Connection, game: str, revision: int) -> bool:
    return db.execute("SELECT 1 FROM games WHERE id = ? AND revision = ?", (game, revision)).fetchone() is not None


def _change(db: sqlite3.Connection, game: str, changes: RecordChanges) -> None:
    db.execute("UPDATE games SET revision = revision + 1 WHERE id = ?", (game,))
    _keep_beside(db, game, changes)


def _keep_beside(db: sqlite3.Connection, game: str, changes: RecordChanges) -> None:
    if changes.facts is not None:
        db.execute("UPDATE games SET facts = ? WHERE id = ?", (changes.facts, game))
    if changes.status is not None:
        db.execute("UPDATE games SET status = ? WHERE id = ?", (changes.status, game))
    for token in changes.tokens:
        if token.game != game:
            raise StoreError(f"token {token.id} is for another game than {game}")
        # Not OR REPLACE, which would also push out another token with the same hash.
        db.execute("DELETE FROM tokens WHERE game = ? AND id = ?", (token.game, token.id))
        db.execute(
            "INSERT INTO tokens (id, hash, game, role, seat, expires, revoked, spent, account, good_for, claims)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            msgspec.structs.astuple(token),
        )
    for token_id in changes.revoke:
        db.execute("UPDATE tokens SET revoked = 1 WHERE game = ? AND id = ?", (game, token_id))
    erased = [(game, key) for key, text in changes.texts.items() if text is None]
    if erased:
        db.execute("PRAGMA secure_delete = ON").fetchall()  # also in pages that fall free, which costs writing them
        db.executemany("DELETE FROM texts WHERE game = ? AND key = ?", erased)
        db.execute("PRAGMA secure_delete = FAST").fetchall()
    kept = [(game, key, text) for key, text in changes.texts.items() if text is not None]
    db.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", kept)


def _exists(db: sqlite3.Connection, game: str) -> bool:
    return db.execute("SELECT 1 FROM games WHERE id = ?", (game,)).fetchone() is not None


# ---- reads ----


def find_creation(db: sqlite3.Connection, creator: str, key: str) -> AlreadyCreated | None:
    row = db.execute("SELECT game, fingerprint FROM creations WHERE creator = ? AND key = ?", (creator, key)).fetchone()
    return None if row is None else AlreadyCreated(*row)


def head(db: sqlite3.Connection, game: str) -> Head | None:
    row = db.execute(HEAD, (game,)).fetchone()
    return None if row is None else Head(*row)


def load(db: sqlite3.Connection, game: str, texts: Sequence[str]) -> Loaded | None:
    row = db.execute(LOAD, (game,)).fetchone()
    if row is None:
        return None
    version, revision, facts, secret = row
    return Loaded(
        head=Head(version, revision),
        facts=facts,
        secret=secret,
        snapshot=_snapshot(db, game),
        texts=find_texts(db, game, texts),
    )


def data_version(db: sqlite3.Connection) -> int:
    """A number that is another one as soon as any other connection, of whatever process, has written."""
    (number,) = db.execute("PRAGMA data_version").fetchone()
    return int(number)


def last_position(db: sqlite3.Connection) -> int:
    """The position of the last commit of all games."""
    (last,) = db.execute("SELECT coalesce(max(position), 0) FROM commits").fetchone()
    return int(last)


def news(db: sqlite3.Connection, after: int | None, known: Mapping[str, int]) -> tuple[int, dict[str, Head]]:
    """The position of the last commit of all games, and heads of those games of which a revision is known that have come further.

    They have commits behind a position (none, behind None), or are at another revision: a token that has ended makes no commit.
    """
    last = last_position(db)
    behind = (last if after is None else after, last)
    found = db.execute("SELECT DISTINCT game FROM commits WHERE position > ? AND position <= ?", behind)
    games = {game for (game,) in found if game in known}
    # Compared here, as each row that is handed out costs a turn of Python's lock.
    found = db.execute(
        "SELECT games.id FROM json_each(?) CROSS JOIN games ON games.id = key WHERE revision <> value",
        (msgspec.json.encode(known).decode(),),
    )
    games.update(game for (game,) in found)
    return last, {game: now for game in games if (now := head(db, game)) is not None}


def version(db: sqlite3.Connection, game: str) -> int | None:
    (last,) = db.execute("SELECT max(number) FROM commits WHERE game = ?", (game,)).fetchone()
    if last is None and _exists(db, game):
        return 0
    return None if last is None else int(last)


def read(db: sqlite3.Connection, game: str, after: int, limit: int) -> list[bytes]:
    rows = db.execute(
        "SELECT body FROM commits WHERE game = ? AND number > ? ORDER BY number LIMIT ?",
        (game, min(after, MAX_INTEGER), min(max(limit, 0), MAX_INTEGER)),
    )
    return [body for (body,) in rows]


def read_stored(db: sqlite3.Connection, game: str, after: int, limit: int) -> list[StoredCommit]:
    rows = db.execute(
        "SELECT body, key, coalesce(fingerprint, x'') FROM commits WHERE game = ? AND number > ? ORDER BY number LIMIT ?",
        (game, min(after, MAX_INTEGER), min(max(limit, 0), MAX_INTEGER)),
    )
    return [StoredCommit(*row) for row in rows]


def creation(db: sqlite3.Connection, game: str) -> Creation | None:
    row = db.execute("SELECT creator, key, fingerprint FROM creations WHERE game = ?", (game,)).fetchone()
    return None if row is None else Creation(*row)


def get_game(db: sqlite3.Connection, game: str) -> GameRecord | None:
    row = db.execute(f"{RECORD} WHERE id = ?", (game,)).fetchone()
    return None if row is None else _record(row)


def list_games(db: sqlite3.Connection, after: str | None, limit: int) -> list[GameRecord]:
    position = 0
    if after is not None:
        row = db.execute("SELECT position FROM games WHERE id = ?", (after,)).fetchone()
        if row is None:
            raise NoSuchGame(after)
        (position,) = row
    rows = db.execute(
        f"{RECORD} WHERE position > ? ORDER BY position LIMIT ?", (position, min(max(limit, 0), MAX_INTEGER))
    )
    return [_record(row) for row in rows]


def secret(db: sqlite3.Connection, game: str) -> bytes | None:
    return _value(db, "SELECT body FROM secrets WHERE game = ?", game)


def find_token(db: sqlite3.Connection, digest: bytes) -> TokenRecord | None:
    row = db.execute(f"{TOKEN} WHERE hash = ?", (digest,)).fetchone()
    return None if row is None else _token(row)


def list_tokens(db: sqlite3.Connection, game: str) -> list[TokenRecord]:
    return [_token(row) for row in db.execute(f"{TOKEN} WHERE game = ? ORDER BY id", (game,))]


def get_texts(db: sqlite3.Connection, game: str, prefix: str = "") -> dict[str, str]:
    found = db.execute(
        "SELECT key, body FROM texts WHERE game = ? AND key >= ? AND substr(key, 1, ?) = ? ORDER BY key",
        (game, prefix, len(prefix), prefix),
    )
    return dict(found)


def find_texts(db: sqlite3.Connection, game: str, keys: Sequence[str]) -> dict[str, str]:
    asked = msgspec.json.encode(keys).decode()
    found = db.execute(
        "SELECT key, body FROM texts WHERE game = ? AND key IN (SELECT value FROM json_each(?))", (game, asked)
    )
    return dict(found)


def get_pack(db: sqlite3.Connection, digest: str) -> bytes | None:
    return _value(db, "SELECT body FROM packs WHERE digest = ?", digest)


def list_packs(db: sqlite3.Connection) -> list[str]:
    return [digest for (digest,) in db.execute("SELECT digest FROM packs ORDER BY digest")]


def last_beat(db: sqlite3.Connection) -> int:
    (number,) = db.execute("SELECT beat FROM probe").fetchone()
    return int(number)


def _snapshot(db: sqlite3.Connection, game: str) -> Snapshot | None:
    found = db.execute("SELECT number, body FROM snapshots WHERE game = ? ORDER BY number DESC LIMIT 1", (game,))
    row = found.fetchone()
    return None if row is None else Snapshot(*row)


def _value(db: sqlite3.Connection, query: str, key: str) -> bytes | None:
    row = db.execute(query, (key,)).fetchone()
    return None if row is None else row[0]


def _record(row: tuple[str, str, str, bytes, int, int]) -> GameRecord:
    game, created, status, facts, last, revision = row
    return GameRecord(id=game, created=created, status=status, facts=facts, version=last, revision=revision)


def _token(row: tuple[str, bytes, str, str, int | None, str | None, int, int, str, int, int]) -> TokenRecord:
    name, digest, game, role, seat, expires, revoked, spent, account, good_for, claims = row
    return TokenRecord(
        id=name,
        hash=digest,
        game=game,
        role=role,
        seat=seat,
        expires=expires,
        revoked=bool(revoked),
        spent=bool(spent),
        account=account,
        good_for=good_for,
        claims=claims,
    )
