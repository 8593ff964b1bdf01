"""`examples/warehouse.py` loads all golden games, and what it answers is what happened."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from domain.evolve import redact
from domain.facts.audience import EVERYBODY, REFEREE
from domain.facts.events import (
    EVENT_TYPES,
    CardDrawn,
    DiceRolled,
    ExplorerDied,
    GameEnded,
    GameOpened,
    HauntBegun,
    HauntRolled,
    Moved,
    Rewound,
    SandboxBegun,
    Told,
)
from domain.facts.lifecycle_commands import Opened
from domain.facts.state import Aim, Figure, State
from examples import warehouse
from projections.facts import CommitFacts, FactFold
from service.games.horizon import members
from service.log.chain import FIRST, Salts, seal
from service.log.commits import Draft, Moment, wire
from tests.acceptance.driving import Table, serving, settings
from tests.docs.pages import ROOT
from tests.golden import library
from tests.golden.script import Script
from tests.golden.stage import played

Log = list[list[Told]]
SOME = [*library.files()[::9], library.GAMES / "dispute-rewind.yaml"]
"""Those loaded by default; all by `./dev prove`."""


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.prove)])
def logs(request: pytest.FixtureRequest) -> dict[str, Log]:
    """Golden games, as the referee was told them; a sandbox is a game of its own."""
    found: dict[str, Log] = {}
    for path in library.files() if request.param == "all" else SOME:
        _, stage = played(Script(path))
        name = path.stem
        for commit in stage.story:
            if any(isinstance(one.event, SandboxBegun) for one in commit):
                name += "-fork"
            found.setdefault(name, []).append(redact(commit, REFEREE))
    return found


def stream(game: str, log: Log) -> Iterator[bytes]:
    """The lines of `GET …/events` for the referee."""
    state, head, salts, fold = State(), FIRST, Salts(b"salt"), FactFold()
    for number, told in enumerate(log, 1):
        moment = Moment(number - 1, state.turn.number, state.haunt.round if state.haunt else 0)
        draft = Draft(
            game=game,
            number=number,
            at="2026-11-26T12:00:00.000Z",
            rules=1,
            pack="",
            actor="host",
            command=Opened(),
            command_to=EVERYBODY,
            told=told,
        )
        sealed = seal(draft, head, salts)
        head = sealed.hash
        for one in told:
            one.event.apply(state)
        fold.follow(number, told, state)
        yield wire(sealed.body, REFEREE, moment, members(fold.found.get(number, CommitFacts()), None))


@pytest.fixture(scope="module")
def db(logs: dict[str, Log]) -> Iterator[sqlite3.Connection]:
    with warehouse.open_warehouse(":memory:") as db:
        for game, log in logs.items():
            assert warehouse.load(db, stream(game, log)) == len(log)
        yield db


class Counted:
    """The same counts, from the events and a fold of them, without a table."""

    def __init__(self, logs: dict[str, Log]) -> None:
        self.kept: list[tuple[object, int, str]] = []
        """Events that still hold, each with the turn in which its commit began and, of a death, the room."""
        self.undone = 0
        for log in logs.values():
            state = State()
            held: list[tuple[int, object, int, str]] = []
            undone = set[int]()
            for number, told in enumerate(log, 1):
                turn = state.turn.number
                for one in told:
                    event, room = one.event, ""
                    if isinstance(event, Rewound):
                        undone |= set(range(event.to + 1, number))
                        held = [kept for kept in held if kept[0] not in undone]
                    if isinstance(event, ExplorerDied):
                        room = state.explorers[event.seat].room
                    held.append((number, event, turn, room))
                    event.apply(state)
            self.kept += [(event, turn, room) for _, event, turn, room in held]
            self.undone += len(undone)

    def count(self, kind: type, *fields: str) -> Counter[object]:
        found = [event for event, _, _ in self.kept if isinstance(event, kind)]
        return Counter(tuple(getattr(event, field) for field in fields) for event in found)

    def of(self, kind: type) -> list[tuple[object, int, str]]:
        return [one for one in self.kept if isinstance(one[0], kind)]


def test_every_question_is_answered_as_the_games_went(db: sqlite3.Connection, logs: dict[str, Log]) -> None:
    counted = Counted(logs)
    winners, editions, haunts, turn, rolls, dice, rooms, cards, moves, undone = (
        db.execute(question).fetchall() for question in warehouse.QUESTIONS.values()
    )

    def tally(rows: list[tuple[object, ...]]) -> dict[object, object]:
        return {tuple(row[:-1]): row[-1] for row in rows}

    assert tally(winners) == counted.count(GameEnded, "winner")
    assert tally(editions) == counted.count(GameOpened, "edition")
    assert tally(haunts) == counted.count(HauntBegun, "haunt")
    turns = [when for _, when, _ in counted.of(HauntBegun)]
    assert turn == [(round(sum(turns) / len(turns), 2), len(turns))]
    begun = [event for event, _, _ in counted.of(HauntRolled) if isinstance(event, HauntRolled)]
    assert rolls == [
        (omens, many, sum(event.begins for event in begun if event.omens == omens))
        for omens, many in sorted(Counter(event.omens for event in begun).items())
    ]
    faces = [face for event, _, _ in counted.of(DiceRolled) if isinstance(event, DiceRolled) for face in event.faces]
    assert dict(dice) == Counter(faces)
    assert dict(rooms) == Counter(room for _, _, room in counted.of(ExplorerDied))
    assert tally(cards) == counted.count(CardDrawn, "deck", "card")
    movers = Counter(isinstance(event.figure, int) for event, _, _ in counted.of(Moved) if isinstance(event, Moved))
    assert moves == [(movers[True], movers[False])]
    assert min(moves[0]) > 0
    assert undone == [(counted.undone, sum(map(len, logs.values())))]
    assert counted.undone > 0


def test_what_the_page_asks_is_answered_even_before_anybody_died_by_an_attack(db: sqlite3.Connection) -> None:
    page = (ROOT / "docs" / "streams.md").read_text(encoding="utf-8")
    deaths, placed = re.findall(r"^SELECT .*;$", page, re.MULTILINE)
    assert any(row[2] is not None and row[4] for row in db.execute(deaths).fetchall())
    (tiles,) = db.execute("SELECT count(*) FROM TilePlaced").fetchone()
    assert sum(many for _, many in db.execute(placed).fetchall()) == tiles
    with warehouse.open_warehouse(":memory:") as fresh:
        fact = {"seat": 1, "room": "foyer", "cause": "", "rules": []}
        data = {"turn": 1, "round": 0, "events": [], "deaths": [fact]}
        warehouse.store(fresh, {"source": "g", "id": "1", "time": "", "data": data})
        assert fresh.execute(deaths).fetchall() == [("g", 1, 1, None, "foyer", "", None, None, None)]


def test_what_comes_again_is_stored_once(db: sqlite3.Connection, logs: dict[str, Log]) -> None:
    before = list(db.iterdump())
    game = next(name for name, log in logs.items() if any(isinstance(one.event, Rewound) for c in log for one in c))
    assert warehouse.load(db, stream(game, logs[game])) == 0
    assert list(db.iterdump()) == before


def test_what_a_rewind_undoes_is_deleted_and_the_desk_s_events_stay(logs: dict[str, Log]) -> None:
    counted = Counter[str]()
    for game, log in logs.items():
        if not any(isinstance(one.event, Rewound) for commit in log for one in commit):
            continue
        with warehouse.open_warehouse(":memory:") as db:
            warehouse.load(db, stream(game, log))
            undone = "SELECT ce_id FROM commits WHERE undone_by IS NOT NULL"
            for (kind,) in db.execute("SELECT name FROM sqlite_master WHERE name GLOB '[A-Z]*'").fetchall():
                (left,) = db.execute(f'SELECT count(*) FROM "{kind}" WHERE ce_id IN ({undone})').fetchone()  # noqa: S608
                assert not left or kind.startswith(warehouse.KEPT), (game, kind)
                counted[kind] += left
    assert counted["DisputeOpened"] > 0


def test_every_field_that_is_a_seat_or_a_monster_gets_the_columns_that_its_page_names() -> None:
    named = [
        (kind.__struct_config__.tag, field.name)
        for kind in EVENT_TYPES
        for field in msgspec.structs.fields(kind)
        if field.type in (Figure, Aim, Aim | None)
    ]
    made = [column for kind, field in named for column in warehouse.columns({"type": kind, field: 1})]
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    told = re.findall(r"Columns: `(\w+)`, `(\w+)`", page)
    assert Counter(made) == Counter(column for both in told for column in both)


def test_it_goes_on_where_it_stopped_with_one_role_of_each_game(tmp_path: Path) -> None:
    with serving(settings(tmp_path / "log.db")) as address, httpx.Client(base_url=address) as client:
        key = client.post("/v1/accounts").json()["key"]
        table = Table.open(client, account=key)
        path = str(tmp_path / "games.db")
        with warehouse.open_warehouse(path) as db:
            assert warehouse.follow(db, address, key) == table.version()
        more = table.play(3)
        with warehouse.open_warehouse(path) as db:
            assert warehouse.follow(db, address, key) == more
            assert warehouse.follow(db, address, key) == 0
            assert db.execute("SELECT ce_source FROM games").fetchall() == [(table.path,)]
            table.post("close", table.host)
            assert warehouse.follow(db, address, key) == 1
            ending = table.get("view", table.host).json()["ending"]
            assert db.execute("SELECT turn, winner, seats, summary FROM Ended").fetchall() == [
                (ending["turn"], "", "[]", ending["summary"])
            ]
