"""What somebody with the database's file can do to a game that lies in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from domain.engine.rules import REVISION
from tests.support.forging import Lines, forged

MOVED = b'"spent":1}'
FARTHER = b'"spent":0}'
"""A walk that cost a space, and the same for nothing."""


def first_walk(lines: Lines) -> int:
    """The first commit that moves somebody."""
    return next(number for number, line in enumerate(lines) if number and MOVED in line)


def walked_for_nothing(lines: Lines) -> Lines:
    """The chain is made anew, and holds: only whoever decides again can tell."""
    return forged(lines, first_walk(lines), lambda body: body.replace(MOVED, FARTHER, 1))


def decided_by_an_older_revision(lines: Lines) -> Lines:
    """A game of the revision before, which took nothing for a first walk."""
    now, before = (b'"rules":%d,' % revision for revision in (REVISION, REVISION - 1))
    lines = [lines[0].replace(now, before), *lines[1:]]
    lines = forged(lines, 1, lambda body: body.replace(now, before), on=True)
    return walked_for_nothing(lines)


def put(store: Path, game: str, lines: Lines) -> None:
    """Write the commits of an export into the store's file, and the revision that its header names."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.executemany(
            "UPDATE commits SET body = ? WHERE game = ? AND number = ?",
            [(body, game, number) for number, body in enumerate(lines) if number],
        )
        (facts,) = connection.execute("SELECT facts FROM games WHERE id = ?", (game,)).fetchone()
        old, new = (b'"rules":%d' % revision for revision in (REVISION, REVISION - 1))
        if new in lines[0]:
            connection.execute("UPDATE games SET facts = ? WHERE id = ?", (facts.replace(old, new), game))
