"""What a seat knows, as numbers: a vector of fixed length, whose layout the data of the pack make.

It is read off the seat's own state, which is the fold of what it was told, and from nothing else; what it was not told is 0. Every number lies
between -1 and 1. A column says by its name what it is divided by (`turn/100`); what would go beyond is cut off.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from content.vocabulary.base import DECKS, FLOORS, TRAITS
from domain.engine.rules import Rules
from domain.facts.events import Rewound, TileMoved, TilePlaced, TileRemoved, TokenPlaced, Told
from domain.facts.grid import DIRECTIONS
from domain.facts.ids import split_id
from domain.facts.state import Decision, Explorer, Monster, State
from domain.rulebook.turn.options import turn_decision
from omenlog.rl.encoding import MONSTERS
from projections.naming.questions import QUESTIONS

RELAYING = frozenset({TilePlaced, TileMoved, TileRemoved, Rewound})
"""Events by which rooms come to lie otherwise; so does a token that opens a barrier."""
Vector = NDArray[np.float32]

KINDS = ("choice", "reaction", "consent", "ready", "allocation", "selection")
ABOUT = (*QUESTIONS, "damage", "heal", "attack-cost")
"""What questions are about: the heads of the keys that decisions have as `about`; others are `else`."""

STACKS = (*DECKS, "tiles")
PLACE = (*FLOORS, "x/12", "y/12")
TABLE = (
    *("exploration", "haunt-begins", "haunt", "over", "turn/100", "round/30", "monsters-turn", "acting", "omens/13"),
    *(f"{deck}-stack/60" for deck in STACKS),
)
EXPLORER = (
    *("alive", "corpse", "removed", "heroes", "traitor", "revealed", "here"),
    *(f"{trait}/8" for trait in TRAITS),
    *(f"{trait}-clip/8" for trait in TRAITS),
    *("cards/10", "spent/12", "allowance/12", "moved", "stopped", "attacked", "held", "part", "asked"),
)
"""`here`: in the room of the seat's own explorer. `asked`, here and below: what the open question is about."""
ROOM = (
    *("known", *PLACE, "divided", "in-haunt"),
    *DIRECTIONS,
    *("tokens/4", "items/10", "heroes-monsters/8", "traitor-monsters/8", "next-tile"),
)
"""By direction: 1 for a door to a known room, 0.5 for a door that leads to none. A column for each seat follows: 1 alive, 0.5 dead; then `asked`."""
MONSTER = (
    *("known", "kind/8", "heroes", "traitor", "here", "stunned", "moved", "attacked", "hides", "left/12"),
    *(f"{trait}/8" for trait in TRAITS),
    *(*PLACE, "asked"),
)
"""`kind`: which of its haunt, counted from 1. The rows are `monster:0` to `monster:19` of the actions."""
CARD = ("monster", "floor", "next", "discarded", "used", "asked")
"""After a column for each seat that may hold it. `next`: on top of its stack, as far as the seat has looked."""
TOKEN = ("tokens/4", "here", *PLACE)
"""The place is that of the first."""
COUNTER = ("known", "value/12", "of-its-end")
ASKED = ("points/8", "options/32", *(f"{trait}/8" for trait in TRAITS), "page/8")


class Slice(NamedTuple):
    """A part of the vector: for each row its columns, one after the other."""

    name: str
    start: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def stop(self) -> int:
        return self.start + len(self.rows) * len(self.columns)

    def at(self, row: str, column: str) -> int:
        """Where in the vector a number stands."""
        return self.start + self.rows.index(row) * len(self.columns) + self.columns.index(column)

    def of(self, vector: Vector) -> Vector:
        """This part of a vector, as a matrix of rows and columns."""
        return vector[self.start : self.stop].reshape(len(self.rows), len(self.columns))


def _parts(rules: Rules, seats: int) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Name, rows and columns of each part."""
    pack, own = rules.pack, [""]
    everybody = [f"seat:{seat}" for seat in range(seats)]
    counters = max((len(_counters(rules, haunt, seats)) for haunt in pack.haunts), default=0)
    tokens = dict.fromkeys([*pack.tokens, *(one.id for sheet in pack.haunts.values() for one in sheet.tokens)])
    yield "me", own, everybody
    yield "table", own, TABLE
    yield "turn-of", own, everybody
    yield "scenario", list(pack.scenarios), ["played"]
    yield "haunt", list(pack.haunts), ["played"]
    yield "counters", [f"counter:{number}" for number in range(counters)], COUNTER
    yield "explorers", everybody, EXPLORER
    yield "monsters", [f"monster:{number}" for number in range(MONSTERS)], MONSTER
    yield "rooms", list(pack.tiles), [*ROOM, *everybody, "asked"]
    yield "cards", [*pack.cards, *pack.items], [*everybody, *CARD]
    yield "tokens", list(tokens), TOKEN
    yield "question", ["turn", *(f"a {kind}" for kind in KINDS), *ABOUT, "else"], ["asked"]
    yield "asked", own, ASKED


def _counters(rules: Rules, haunt: str, seats: int) -> list[str]:
    """The counters of a haunt, by the names under which a game keeps them."""
    return [key for name, one in rules.pack.haunts[haunt].counters.items() for key in one.keys(name, seats)]


class Layout:
    """The parts of the vectors of a pack for a number of seats."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.slices: dict[str, Slice] = {}
        self.size = 0
        for name, rows, columns in _parts(rules, seats):
            self.slices[name] = Slice(name, self.size, tuple(rows), tuple(columns))
            self.size = self.slices[name].stop
        self._zeros = array("f", bytes(4 * self.size))
        self._first = {name: one.start for name, one in self.slices.items()}
        self._width = {name: len(one.columns) for name, one in self.slices.items()}
        self._rows = {
            name: dict(zip(one.rows, range(one.start, one.stop, len(one.columns)), strict=True))
            for name, one in self.slices.items()
            if one.rows
        }
        self._counters = {haunt: _counters(rules, haunt, seats) for haunt in rules.pack.haunts}
        self._kinds = {
            haunt: {kind: at for at, kind in enumerate(sheet.monsters, 1)} for haunt, sheet in rules.pack.haunts.items()
        }

    def __getitem__(self, name: str) -> Slice:
        return self.slices[name]

    def vector(self, state: State, seat: int, page: int = 0, house: array[float] | None = None) -> Vector:
        """What a seat knows.

        Args:
            state: its own.
            seat: whose it is.
            page: which of the commands without an action of their own are shown.
            house: what `house` has made of its rooms, while these lie as they did.
        """
        found = self._zeros[:]
        rooms = self.slices["rooms"]
        found[rooms.start : rooms.stop] = self.house(state) if house is None else house
        self._table(found, state, seat)
        self._haunt(found, state)
        self._people(found, state, seat)
        self._rooms(found, state)
        self._cards(found, state)
        self._tokens(found, state, seat)
        self._question(found, state, seat)
        found[self._first["asked"] + len(ASKED) - 1] = min(1.0, page / 8)
        return np.frombuffer(found, dtype=np.float32)

    def _table(self, found: array[float], state: State, seat: int) -> None:
        haunt, turn, at = state.haunt, state.turn, self._first["table"]
        if haunt is None:
            found[at] = 1
        else:
            found[at + 2 if haunt.started else at + 1] = 1
            found[at + 5] = min(1.0, haunt.round / 30)
        found[at + 3] = state.status != "started"
        found[at + 4] = min(1.0, turn.number / 100)
        found[at + 6] = turn.monsters
        found[at + 7] = turn.acting
        found[at + 8] = min(1.0, state.omens_drawn / 13)
        for number, name in enumerate(STACKS, at + 9):
            deck = state.decks.get(name)
            if deck is not None:
                found[number] = min(1.0, deck.size() / 60)
        found[self._first["me"] + seat] = 1
        active = state.seat_of(turn.seat)
        if active >= 0:
            found[self._first["turn-of"] + active] = 1
        if state.scenario:
            found[self._rows["scenario"][state.scenario]] = 1

    def _haunt(self, found: array[float], state: State) -> None:
        haunt = state.haunt
        if haunt is None:
            return
        found[self._rows["haunt"][haunt.id]] = 1
        for number, name in enumerate(self._counters[haunt.id]):
            value = haunt.counters.get(name)
            if value is not None:
                end = haunt.maxima.get(name, 0)
                values = (1, _within(value / 12), _within(value / end) if end else 0)
                _write(found, self._first["counters"] + number * len(COUNTER), values)

    def _people(self, found: array[float], state: State, seat: int) -> None:
        here, at = state.explorers[seat].room, self._first["explorers"]
        for one in state.explorers:
            found[at : at + len(EXPLORER) - 1] = _of_explorer(one, here)
            at += len(EXPLORER)
        if state.haunt is None:
            return
        kinds, at = self._kinds[state.haunt.id], self._first["monsters"]
        for monster in list(state.monsters.values())[:MONSTERS]:
            _write(found, at, _of_monster(monster, state, here, kinds[monster.kind]))
            at += len(MONSTER)

    def _rooms(self, found: array[float], state: State) -> None:
        rows = self._rows["rooms"]
        for here in state.tokens:
            _add(found, rows[here.room] + TOKENS, here.count / 4)
        for pile in state.piles:
            _add(found, rows[pile.room] + TOKENS + 1, len(pile.cards) / 10)
        for monster in state.monsters.values():
            where, _ = monster.known_place()
            if where:
                _add(found, rows[where] + TOKENS + (3 if monster.side == "traitor" else 2), 1 / 8)
        for slot in state.decks["tiles"].top if "tiles" in state.decks else ():
            if slot.face:
                found[rows[slot.face] + TOKENS + 4] = 1
        for one in state.explorers:
            if one.room and not one.removed:
                found[rows[one.room] + len(ROOM) + one.seat] = 1 if one.alive else 0.5

    def house(self, state: State) -> array[float]:
        """How the rooms lie that a seat knows: the part `rooms`, with nobody and nothing in them."""
        rows, start = self._rows["rooms"], self._first["rooms"]
        found = array("f", bytes(4 * (self.slices["rooms"].stop - start)))
        for room in state.rooms.values():
            at = rows[room.id] - start
            divided = bool(room.parts) and not room.opened
            found[at : at + TOKENS] = _of_room(
                room.floor, room.x, room.y, room.doors, tuple(room.near), divided, room.in_haunt
            )
        return found

    def _cards(self, found: array[float], state: State) -> None:
        rows, seats = self._rows["cards"], self.seats
        for one in state.explorers:
            _mark(found, rows, one.cards, one.seat)
        for monster in state.monsters.values():
            if monster.cards:
                _mark(found, rows, monster.cards, seats)
        for pile in state.piles:
            _mark(found, rows, pile.cards, seats + 1)
        for name in DECKS:
            deck = state.decks.get(name)
            if deck is not None:
                for slot in deck.top:
                    _mark(found, rows, (slot.face,), seats + 2)
                _mark(found, rows, deck.discard, seats + 3)
        for key in state.used:
            _mark(found, rows, (key.removeprefix("card:"),), seats + 4)

    def _tokens(self, found: array[float], state: State, seat: int) -> None:
        for one in state.tokens:
            at, room = self._rows["tokens"].get(one.token), state.rooms[one.room]
            if at is None:
                continue
            if not found[at]:
                _write(found, at + 2, _place(room.floor, room.x, room.y))
            _add(found, at, one.count / 4)
            if one.room == state.explorers[seat].room:
                found[at + 1] = 1

    def _question(self, found: array[float], state: State, seat: int) -> None:
        rows = self._rows["question"]
        decision = next((one for one in state.open.values() if state.seat_of(one.seat) == seat), None)
        if decision is None:
            if turn_decision(state) and state.seat_of(state.turn.seat) == seat:
                found[rows["turn"]] = 1
            return
        key, _ = split_id(decision.about)
        found[rows.get(key, rows["else"])] = 1
        if decision.kind in KINDS:
            found[rows[f"a {decision.kind}"]] = 1
        caps = [min(1.0, decision.caps.get(trait, 0) / 8) for trait in TRAITS]
        values = [_within(decision.total / 8), min(1.0, len(decision.options) / 32), *caps]
        _write(found, self._first["asked"], values)
        self._subject(found, state, decision)

    def _subject(self, found: array[float], state: State, decision: Decision) -> None:
        """Mark what a question is about."""
        key, rest = split_id(decision.about)
        for word in (*_words(rest), *(card for cards in decision.offer.values() for card in cards)):
            for part in ("rooms", "cards"):
                if word in self._rows[part]:
                    found[self._rows[part][word] + self._width[part] - 1] = 1
        if rest in state.monsters:
            number = list(state.monsters).index(rest)  # type: ignore[arg-type]  # whether it is one was asked
            if number < MONSTERS:
                found[self._first["monsters"] + (number + 1) * len(MONSTER) - 1] = 1
        seat = rest if key == "trade-with" else rest.removeprefix("seat:") if rest.startswith("seat:") else ""
        if seat.isdigit():
            found[self._first["explorers"] + (int(seat) + 1) * len(EXPLORER) - 1] = 1


TOKENS = ROOM.index("tokens/4")


def relays(told: Iterable[Told]) -> bool:
    """Whether rooms lie otherwise after a commit, so that `Layout.house` is to be asked again."""
    for one in told:
        event = one.event
        if type(event) in RELAYING or (isinstance(event, TokenPlaced) and event.opens):
            return True
    return False


@lru_cache(maxsize=4096)
def _of_room(
    floor: str,
    x: int,
    y: int,
    doors: int,
    near: tuple[str, ...],
    *flags: bool,
) -> array[float]:
    """How a room lies: the columns of `ROOM` before the first that says what is in it."""
    sides = [1 if near[side] else 0.5 if doors >> side & 1 else 0 for side in range(4)]
    return array("f", (1, *_place(floor, x, y), *flags, *sides))


def _of_explorer(one: Explorer, here: str) -> array[float]:
    """The columns of `EXPLORER` before the last."""
    tracks, (might, speed, sanity, knowledge) = one.tracks, one.at
    stands = one.alive, one.died >= 0, one.removed, one.side == "heroes", one.side == "traitor", one.revealed
    values = tracks[0][might], tracks[1][speed], tracks[2][sanity], tracks[3][knowledge]
    did = one.moved, one.stopped, one.attacked, one.held is not None, one.part
    counts = len(one.cards), one.spent, one.allowance
    return _numbers_of((*stands, one.room == here, *values, might, speed, sanity, knowledge, *counts, *did))


@lru_cache(maxsize=8192)
def _numbers_of(one: tuple[int, ...]) -> array[float]:
    stands, traits, (cards, spent, allowance), did = one[:7], one[7:15], one[15:18], one[18:]
    counts = min(1.0, cards / 10), min(1.0, spent / 12), _within(allowance / 12)
    return array("f", (*stands, *(value / 8 for value in traits), *counts, *did))


def _of_monster(one: Monster, state: State, here: str, kind: int) -> list[float]:
    where, _ = one.known_place()
    room = state.rooms.get(where)
    place = (0, 0, 0, 0, 0) if room is None else _place(room.floor, room.x, room.y)
    return [
        1,
        min(1.0, kind / 8),
        one.side == "heroes",
        one.side == "traitor",
        bool(where) and where == here,
        one.stunned,
        one.moved,
        one.attacked,
        one.hides,
        min(1.0, one.left / 12),
        *[min(1.0, one.traits.get(trait, 0) / 8) for trait in TRAITS],
        *place,
    ]


@lru_cache(maxsize=4096)
def _place(floor: str, x: int, y: int) -> tuple[float, ...]:
    return (*(floor == one for one in FLOORS), _within(x / 12), _within(y / 12))


@lru_cache(maxsize=4096)
def _words(rest: str) -> tuple[str, ...]:
    """The names in what a question is about: `card/behind-you#do` names `behind-you`."""
    return tuple(re.split(r"[/:#+]", rest))


def _within(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _write(found: array[float], at: int, values: Sequence[float]) -> None:
    found[at : at + len(values)] = array("f", values)


def _mark(found: array[float], rows: Mapping[str, int], cards: Iterable[str], column: int) -> None:
    for card in cards:
        at = rows.get(card)
        if at is not None:
            found[at + column] = 1


def _add(found: array[float], at: int, value: float) -> None:
    found[at] = min(1.0, found[at] + value)


@lru_cache(maxsize=16)
def layout_of(rules: Rules, seats: int) -> Layout:
    """The layout of a pack, made once."""
    return Layout(rules, seats)
