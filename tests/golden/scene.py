"""What can be arranged before the first step, one type for each kind of thing; `tests.support.arranging` does it by real events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, get_args

from content.errors import did_you_mean
from content.vocabulary.base import TRAITS, Floor, Side, Trait, Word
from domain.facts.events import CardDrawn
from domain.facts.state import TRAIT_INDEX

if TYPE_CHECKING:
    from tests.support.table import Table


class Unknown(Exception):
    """A name that means nothing here, or a value that cannot be."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


def _known(what: str, name: str, names: Iterable[str]) -> None:
    known = list(names)
    if name not in known:
        raise Unknown(f"there is no {what} `{name}`", did_you_mean(name, known) or f"there are {', '.join(known[:12])}")


class Put(Word, frozen=True, kw_only=True, tag="put", tag_field="do"):
    """An explorer stands in a room of the house."""

    seat: int
    room: str
    part: int = 0

    def arrange(self, table: Table) -> None:
        """Do it."""
        _seat(table, self.seat)
        _known("room in the house", self.room, table.state.rooms)
        table.put(self.seat, self.room, part=self.part)


class Traits(Word, frozen=True, kw_only=True, tag="traits", tag_field="do"):
    """Traits have these values, at their lowest space."""

    seat: int
    values: dict[Trait, int]

    def arrange(self, table: Table) -> None:
        """Do it."""
        _seat(table, self.seat)
        explorer = table.state.explorers[self.seat]
        for trait, value in self.values.items():
            track = explorer.tracks[TRAIT_INDEX[trait]]
            if value not in track:
                shown = ", ".join(str(one) for one in track[1:])
                raise Unknown(f"{explorer.id} never has {value} {trait}", f"on that track stand {shown}")
        table.traits(self.seat, **self.values)


class Clips(Word, frozen=True, kw_only=True, tag="clips", tag_field="do"):
    """Clips stand on these spaces of their tracks: 1 is the lowest before the skull, 8 the top."""

    seat: int
    spaces: dict[Trait, int]

    def arrange(self, table: Table) -> None:
        """Do it."""
        _seat(table, self.seat)
        if wrong := [trait for trait, space in self.spaces.items() if not 1 <= space <= len(TRAITS) * 2]:
            raise Unknown(f"a clip stands on space 1 to 8, not on {self.spaces[wrong[0]]}")
        table.clips(self.seat, **self.spaces)


class Hold(Word, frozen=True, kw_only=True, tag="hold", tag_field="do"):
    """An explorer has these cards."""

    seat: int
    cards: list[str]

    def arrange(self, table: Table) -> None:
        """Do it."""
        _seat(table, self.seat)
        _cards(table, self.cards)
        table.hold(self.seat, *self.cards)


class Lay(Word, frozen=True, kw_only=True, tag="lay", tag_field="do"):
    """A tile lies in the house, turned clockwise by quarter turns; y grows to the north."""

    tile: str
    floor: Floor
    x: int
    y: int
    turns: int = 0

    def arrange(self, table: Table) -> None:
        """Do it."""
        _known("tile in the stack", self.tile, table.state.decks["tiles"].pool)
        if f"{self.floor}:{self.x}:{self.y}" in table.state.grid:
            raise Unknown(f"at {self.x}, {self.y} lies {table.state.grid[f'{self.floor}:{self.x}:{self.y}']}")
        table.lay(self.tile, self.floor, self.x, self.y, turns=self.turns)


class Pile(Word, frozen=True, kw_only=True, tag="pile", tag_field="do"):
    """Cards lie in a room."""

    room: str
    cards: list[str]

    def arrange(self, table: Table) -> None:
        """Do it."""
        _known("room in the house", self.room, table.state.rooms)
        _cards(table, self.cards)
        table.pile(self.room, *self.cards)


class Drawn(Word, frozen=True, kw_only=True, tag="drawn", tag_field="do"):
    """These omens were drawn and have left the game: they count for haunt rolls."""

    omens: list[str]

    def arrange(self, table: Table) -> None:
        """Do it."""
        _cards(table, self.omens)
        table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in self.omens])


class Stack(Word, frozen=True, kw_only=True, tag="stack", tag_field="do"):
    """These lie on top of a stack; after all other arrangements."""

    deck: str
    faces: list[str]

    def arrange(self, table: Table) -> None:
        """Do it."""
        _known("stack", self.deck, table.state.decks)
        for face in self.faces:
            _known(f"card or tile in the stack {self.deck}", face, table.state.decks[self.deck].pool)
        table.stack(self.deck, *self.faces)


class Token(Word, frozen=True, kw_only=True, tag="token", tag_field="do"):
    """A token lies in a room."""

    token: str
    room: str

    def arrange(self, table: Table) -> None:
        """Do it."""
        _known("token", self.token, table.rules.pack.tokens)
        _known("room in the house", self.room, table.state.rooms)
        table.token(self.token, self.room)


class Haunt(Word, frozen=True, kw_only=True, tag="haunt", tag_field="do"):
    """The haunt has begun, both sides are ready, nothing of its setting-up is done; it is the first turn of seat 0."""

    haunt: str
    traitor: int = -1
    revealer: int = 0

    def arrange(self, table: Table) -> None:
        """Do it."""
        _known("haunt", self.haunt, table.rules.pack.haunts)
        table.haunt(self.haunt, traitor=self.traitor, revealer=self.revealer)


class Monster(Word, frozen=True, kw_only=True, tag="monster", tag_field="do"):
    """A monster stands in a room, with its printed traits or these; `rat-1` is of the kind `rat`."""

    name: str
    room: str
    side: Side = "traitor"
    traits: dict[Trait, int] = {}
    stunned: bool = False

    def arrange(self, table: Table) -> None:
        """Do it."""
        _known("room in the house", self.room, table.state.rooms)
        haunt = table.state.haunt
        kinds = table.rules.pack.haunts[haunt.id].monsters if haunt is not None else {}
        _known("kind of monster in this haunt", self.name.rpartition("-")[0], kinds)
        table.monster(self.name, self.room, part=0, side=self.side, **self.traits)
        if self.stunned:
            table.stun(self.name)


class Count(Word, frozen=True, kw_only=True, tag="counter", tag_field="do"):
    """A counter of the haunt stands at a number."""

    counter: str
    value: int

    def arrange(self, table: Table) -> None:
        """Do it."""
        haunt = table.state.haunt
        _known("counter of this haunt", self.counter, haunt.counters if haunt is not None else {})
        table.counter(self.counter, self.value)


class Turn(Word, frozen=True, kw_only=True, tag="turn", tag_field="do"):
    """A turn begins: a seat's, or the monsters', who may all move so far."""

    seat: int
    monsters: bool = False
    spaces: int = 0

    def arrange(self, table: Table) -> None:
        """Do it."""
        _seat(table, self.seat)
        table.turn(self.seat, monsters=self.monsters)
        if self.monsters and self.spaces:
            table.let_move(self.spaces, *table.state.monsters)


Arrangement = Put | Traits | Clips | Hold | Lay | Pile | Drawn | Stack | Token | Haunt | Monster | Count | Turn

DEEDS = [str(one.__struct_config__.tag) for one in get_args(Arrangement)]
"""What an arrangement can do."""


def _seat(table: Table, seat: int) -> None:
    if not 0 <= seat < table.state.seats:
        raise Unknown(f"there is no seat {seat}", f"the seats are 0 to {table.state.seats - 1}")


def _cards(table: Table, cards: list[str]) -> None:
    for card in cards:
        try:
            table.rules.pack.card(card)
        except KeyError:
            names = table.rules.pack.cards
            raise Unknown(f"there is no card `{card}`", did_you_mean(card, names)) from None
