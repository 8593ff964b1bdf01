"""Pieces on the table, as data: rooms and the ways between them, stacks, piles of items, tokens."""

from __future__ import annotations

import msgspec

NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
"""Directions, clockwise from north; +y is north, +x is east. A door mask has bit `1 << direction`."""


class Room(msgspec.Struct, omit_defaults=True):
    """A tile (or a third of the entrance tile) in the house."""

    id: str
    floor: str
    x: int
    y: int
    turns: int
    """Quarter turns clockwise from the printed position, 0 to 3."""
    doors: int
    """Mask of doors as the tile is turned now; passages of a joined tile are among them, the locked front door is not."""
    near: list[str]
    """By direction: the room reached through a matched door there, or empty."""
    windows: int = 0
    parts: list[int] = []
    """Door masks of the two parts of a barrier room (2E-ROOM-004), else empty."""
    opened: bool = False
    """Its barrier is open forever, and its parts count as one (2E-ROOM-039)."""
    start: bool = False
    placed_in_turn: int = 0
    in_haunt: bool = False
    """It came into the house after the haunt had begun."""
    discoverer: int = -1
    """The seat of the explorer who discovered it, -1 where nobody did."""

    @property
    def divided(self) -> bool:
        """Whether a barrier keeps its parts from each other."""
        return bool(self.parts) and not self.opened


class Link(msgspec.Struct, omit_defaults=True):
    """A way from one room to another other than a door, for one space (2E-DOOR-007, 2E-DOOR-008)."""

    to: str
    by: str
    """The tile or token that makes it."""
    monsters_only: bool = False
    explorers_only: bool = False


class Slot(msgspec.Struct, omit_defaults=True):
    """A place in a stack of which something is known: its back (tiles: the floors, joined by `+`), its face, or both."""

    back: str = ""
    face: str = ""


class Deck(msgspec.Struct, omit_defaults=True):
    """A stack as a row of slots that chance determines when somebody looks (2E-TERM-007).

    From the top: slots of which something is known, then `unknown` slots of which nothing is known, then known slots at the bottom
    (buried cards). `pool` holds the faces not in any slot yet, in a fixed order that reveals nothing.
    """

    pool: list[str]
    top: list[Slot] = []
    unknown: int = 0
    bottom: list[Slot] = []
    discard: list[str] = []
    aside: list[Slot] = []
    """Tiles set aside (2E-DISC-008), the latest last."""
    contents: list[str] = []
    """What was in the stack when this fold was last told all of it, in the pack's order (3E-FIND-001)."""

    def size(self) -> int:
        """Cards or tiles left in the stack itself."""
        return len(self.top) + self.unknown + len(self.bottom)


class Pile(msgspec.Struct, omit_defaults=True):
    """Items lying in (a part of) a room (2E-ITEM-007)."""

    room: str
    part: int
    cards: list[str]
    number: int = 0
    """On its token, the lowest that was free when it was put down (2E-COMP-007); 0 in states of older services."""


class TokenHere(msgspec.Struct, omit_defaults=True):
    """Tokens of one name in (a part of) a room."""

    token: str
    room: str
    part: int = 0
    count: int = 1
