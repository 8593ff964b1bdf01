"""A warehouse of games in SQLite: one table for each type of event or fact, every commit exactly once, and ten questions to it.

    python examples/warehouse.py games.db http://127.0.0.1:8000 KEY

KEY is an account's. Run it as often as you like: it goes on behind the last commit that it has stored. Needs `httpx` and nothing else.
"""

import json
import sqlite3
import sys

import httpx

FIGURES = ("figure", "target", "who")
"""Fields that hold a seat (a number) or a monster (a text): two columns each, as docs/events.md names them."""
FACTS = {"Deaths": ("seat", "monster", "floor", "by", "weapon"), "Placed": ("by",), "Ended": ()}
"""Members of a commit's data besides its events that have tables of their own: who died of what, who placed a tile, how a game ended.
Beside each the members that are left out where there is nothing to tell: they are columns, all the same."""
KEPT = ("Amendment", "Dispute", "Evidence", "Reasons", "Rewound", "Ruling", "TakenBack", "Verdict")
"""What the types begin with that a rewind leaves: the desk goes on, and what was ruled about undone play was ruled."""
TABLES = """
CREATE TABLE IF NOT EXISTS games (ce_source PRIMARY KEY, recipient);
CREATE TABLE IF NOT EXISTS commits (ce_source, ce_id INTEGER, time, turn, round, undone_by, PRIMARY KEY (ce_source, ce_id));
CREATE TABLE IF NOT EXISTS progress (one PRIMARY KEY, cursor);
"""
QUESTIONS = {
    "Who wins?": "SELECT winner, count(*) FROM GameEnded GROUP BY 1 ORDER BY 2 DESC",
    "Which editions are played?": "SELECT edition, count(*) FROM GameOpened GROUP BY 1 ORDER BY 2 DESC",
    "Which haunts are played?": "SELECT haunt, count(*) FROM HauntBegun GROUP BY 1 ORDER BY 2 DESC",
    "In which turn does the haunt begin, on average?": """
        SELECT round(avg(turn), 2), count(*) FROM HauntBegun JOIN commits USING (ce_source, ce_id)""",
    "Haunt rolls by omens, and how many succeed?": "SELECT omens, count(*), sum(begins) FROM HauntRolled GROUP BY 1",
    "How often does a die show each face?": "SELECT die.value, count(*) FROM DiceRolled, json_each(faces) AS die GROUP BY 1",
    "Which rooms are the deadliest?": "SELECT room, count(*) FROM Deaths WHERE seat IS NOT NULL GROUP BY 1 ORDER BY 2 DESC",
    "Which cards are drawn?": "SELECT deck, card, count(*) FROM CardDrawn GROUP BY 1, 2 ORDER BY 3 DESC",
    "How many moves are explorers', how many monsters'?": "SELECT count(figure_seat), count(figure_monster) FROM Moved",
    "How many commits were undone, of how many?": "SELECT count(undone_by), count(*) FROM commits",
}


def open_warehouse(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.executescript(TABLES)
    return db


def store(db: sqlite3.Connection, told: dict) -> bool:
    """Store a CloudEvent, and the cursor behind it, all or nothing; False for one that was stored before."""
    source, number, data = told["source"], int(told["id"]), told["data"]
    with db:
        db.execute("INSERT OR REPLACE INTO progress VALUES (1, ?)", [told.get("cursor", "")])
        # Where an account has several roles in a game, one is followed: each is told a log of its own.
        recipient = told.get("recipient", "")
        db.execute("INSERT OR IGNORE INTO games VALUES (?, ?)", [source, recipient])
        if db.execute("SELECT recipient FROM games WHERE ce_source = ?", [source]).fetchone() != (recipient,):
            return False
        row = (source, number, told["time"], data["turn"], data["round"], None)
        if not db.execute("INSERT OR IGNORE INTO commits VALUES (?, ?, ?, ?, ?, ?)", row).rowcount:
            return False
        for nth, event in enumerate(data["events"]):
            if event["type"] == "Rewound":
                undo(db, source, event["to"], number)
            insert(db, event["type"], {"ce_source": source, "ce_id": number, "nth": nth, **columns(event)})
        for table, absent in FACTS.items():
            facts = data.get(table.lower(), [])
            for nth, fact in enumerate(facts if isinstance(facts, list) else [facts]):
                whole = {"type": table, **dict.fromkeys(absent), **fact}
                insert(db, table, {"ce_source": source, "ce_id": number, "nth": nth, **columns(whole)})
    return True


def undo(db: sqlite3.Connection, source: str, to: int, by: int) -> None:
    """Delete what happened behind the commit `to`; the commits themselves stay, so that none comes again."""
    undone = "WHERE ce_source = ? AND ce_id > ? AND ce_id < ?"
    for (kind,) in db.execute("SELECT name FROM sqlite_master WHERE name GLOB '[A-Z]*'").fetchall():
        if not kind.startswith(KEPT):
            db.execute(f'DELETE FROM "{kind}" {undone}', [source, to, by])
    db.execute(f"UPDATE commits SET undone_by = ? {undone} AND undone_by IS NULL", [by, source, to, by])


def columns(event: dict) -> dict:
    """An event's fields as columns: lists and objects as JSON; not its type, nor the state that a rewind restores."""
    found = {}
    for name, value in event.items():
        if name in FIGURES or (event["type"], name) == ("Deaths", "by"):
            other = "name" if (event["type"], name) == ("ActionTaken", "target") else "monster"  # or a room
            seat = isinstance(value, int)
            found |= {f"{name}_seat": value if seat else None, f"{name}_{other}": None if seat else value}
        elif name not in ("type", "state"):
            found[name] = json.dumps(value) if isinstance(value, list | dict) else value
    return found


def insert(db: sqlite3.Connection, kind: str, row: dict) -> None:
    """Insert a row. A table is made when its type first comes, a column when a field does: fields are added, and never change."""
    if not (known := {column[1] for column in db.execute(f'PRAGMA table_info("{kind}")')}):
        known = {"ce_source", "ce_id", "nth"}
        db.execute(f'CREATE TABLE "{kind}" (ce_source, ce_id, nth, PRIMARY KEY (ce_source, ce_id, nth))')
    for name in row.keys() - known:
        db.execute(f'ALTER TABLE "{kind}" ADD COLUMN "{name}"')
    names, values = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
    db.execute(f'INSERT INTO "{kind}" ({names}) VALUES ({values})', list(row.values()))


def load(db: sqlite3.Connection, lines) -> int:
    """Store CloudEvents, one a line, as an account's stream or a game's has them; returns how many are new."""
    return sum(store(db, json.loads(line)) for line in lines)


def follow(db: sqlite3.Connection, url: str, key: str) -> int:
    (cursor,) = db.execute("SELECT cursor FROM progress").fetchone() or ("",)
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/x-ndjson"}
    with httpx.stream("GET", f"{url}/v1/account/events?after={cursor}", headers=headers, timeout=60) as answer:
        return load(db, answer.raise_for_status().iter_lines())


if __name__ == "__main__":
    path, url, key = sys.argv[1:]
    db = open_warehouse(path)
    print(f"{follow(db, url, key)} new commits")
    for question, sql in QUESTIONS.items():
        try:
            print(question, *db.execute(sql).fetchmany(5), sep="\n  ")
        except sqlite3.OperationalError as error:
            print(question, error, sep="\n  ")  # no such table: nothing of its type has happened yet
