"""Pieces on the table, as data: rooms and the ways between them, stacks, piles of items, tokens."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from domain.facts.terms import (
    Across,
    Along,
    BackOrUnknown,
    CardId,
    Face,
    Floor,
    Part,
    RoomId,
    SeatOrNobody,
    Sides,
    Source,
    TokenId,
    Turns,
)

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
"""Directions, clockwise from north; +y is north, +x is east. A door mask has bit `1 << direction`."""


ROOMS_SHARED = 4096
"""Rooms that the folds of a game share."""


class Room(msgspec.Struct, frozen=True, cache_hash=True, omit_defaults=True, gc=False):
    """A tile (or a third of the entrance tile) in the house. It never changes: `relaid` makes the one that takes its place."""

    id: RoomId
    floor: Floor
    x: Across
    y: Along
    turns: Turns
    """Quarter turns clockwise from the printed position, 0 to 3."""
    doors: Sides
    """Its doors as it lies now, added up: 1 north, 2 east, 4 south, 8 west. Passages of a joined tile are
    among them, the locked front door is not."""
    near: tuple[str, ...]
    """By direction: the room reached through a matched door there, or empty."""
    windows: Sides = 0
    """Its sides with a window, added up like `doors`."""
    parts: tuple[Sides, ...] = ()
    """Of a room that a barrier divides (2E-ROOM-004): the doors of its two parts, each added up like `doors`; else empty."""
    opened: bool = False
    """Its barrier is open forever, and its parts count as one (2E-ROOM-039)."""
    start: bool = False
    """It is there from the start of the game."""
    placed_in_turn: int = 0
    """The number of the turn in which it was placed; 0 at the start."""
    in_haunt: bool = False
    """It came into the house after the haunt had begun."""
    discoverer: SeatOrNobody = -1
    """The seat of the explorer who discovered it, -1 where nobody did."""

    @property
    def divided(self) -> bool:
        """Whether a barrier keeps its parts from each other."""
        return bool(self.parts) and not self.opened


@lru_cache(maxsize=ROOMS_SHARED)
def relaid(room: Room, **changes: Any) -> Room:  # noqa: ANN401 -- values of its fields
    """A room as it is after a change: the same object for every fold, so that whoever compares houses need not look into rooms."""
    return msgspec.structs.replace(room, **changes)


class Link(msgspec.Struct, omit_defaults=True, gc=False):
    """A way from one room to another other than a door, for one space (2E-DOOR-007, 2E-DOOR-008)."""

    to: RoomId
    """The room that it leads to."""
    by: Source
    """The tile or token that makes it."""
    monsters_only: bool = False
    """Explorers can't use it."""
    explorers_only: bool = False
    """Monsters can't use it."""


class Slot(msgspec.Struct, omit_defaults=True, gc=False):
    """A place in a stack of which something is known: its back (tiles: the floors, joined by `+`), its face, or both."""

    back: BackOrUnknown = ""
    face: Face = ""
    """The card or tile that is there, by its id; empty where it is not known."""


class Deck(msgspec.Struct, omit_defaults=True, gc=False):
    """A stack as a row of slots that chance determines when somebody looks (2E-TERM-007).

    From the top: slots of which something is known, then `unknown` slots of which nothing is known, then known slots at the bottom
    (buried cards). `pool` holds the faces not in any slot yet, in a fixed order that reveals nothing.
    """

    pool: list[Face]
    """Cards or tiles that are somewhere in the stack, in the pack's order."""
    top: list[Slot] = []
    """From the top down."""
    unknown: int = 0
    """How many slots follow of which nothing is known."""
    bottom: list[Slot] = []
    """Buried cards, the last at the very bottom."""
    discard: list[Face] = []
    """The discard pile, the latest last."""
    aside: list[Slot] = []
    """Tiles set aside (2E-DISC-008), the latest last."""
    contents: list[str] = []
    """What was in the stack when this fold was last told all of it, in the pack's order (3E-FIND-001)."""

    def size(self) -> int:
        """Cards or tiles left in the stack itself."""
        return len(self.top) + self.unknown + len(self.bottom)


class Pile(msgspec.Struct, omit_defaults=True, gc=False):
    """Items lying in (a part of) a room (2E-ITEM-007)."""

    room: RoomId
    part: Part
    cards: list[CardId]
    """What lies there."""
    number: int = 0
    """On its token, the lowest that was free when it was put down (2E-COMP-007); 0 in states of older services."""


class TokenHere(msgspec.Struct, omit_defaults=True, gc=False):
    """Tokens of one name in (a part of) a room."""

    token: TokenId
    room: RoomId
    part: Part = 0
    count: int = 1
    """How many."""
