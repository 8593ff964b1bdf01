"""The house as a role sees it: rooms, what is behind their doors, the ways on foot, tokens and piles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from content.survey import Spot, walk
from content.vocabulary.base import FLOORS
from content.vocabulary.effects import Damage
from domain.engine.rules import Rules
from domain.facts.grid import STEP, opposite, part_of
from domain.facts.pieces import Link, Room
from domain.facts.state import State
from projections.naming.names import Names, compass
from projections.shapes import Compass, Floor, Id, Name, Number, Part, Shape, Text, Title

SHOWN = {
    "State": ("rooms", "links", "tokens", "piles", "haunt"),
    "Room": ("id", "floor", "x", "y", "turns", "doors", "near", "windows", "parts", "opened", "in_haunt"),
    "Link": ("to", "by", "monsters_only", "explorers_only"),
    "TokenHere": ("token", "room", "part", "count"),
    "Pile": ("room", "part", "cards", "number"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

HOUSES_KEPT = 1024
"""Houses whose views are cached: the roles of a game share one, and most commands leave it as it is."""
ROOMS_KEPT = 4096
"""Rooms whose views are cached, for houses that have changed."""

Behind = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=80,
        description="What is behind a side of a room: the id of the room that its door leads to, `free` (a doorway into "
        "the unknown), `false` (a door that meets no door) or `wall` (no door).",
    ),
]
Place = Annotated[int, Meta(ge=-100, le=100)]


class DoorsView(Shape, frozen=True):
    """The four sides of a room as it is turned now."""

    north: Behind
    east: Behind
    south: Behind
    west: Behind


class WayView(Shape, frozen=True, kw_only=True):
    """A room that can be entered from here for one space."""

    to: Id
    part: Part = 0
    """The part in which one arrives."""
    from_part: Part | None = None
    """The part in which an explorer must be to take it (monsters need not); null: any."""
    by: Id = "door"
    """`door`, or the tile or token that makes the way (`tile:grand-staircase`, `token:secret-passage`)."""
    monsters_only: bool = False
    explorers_only: bool = False


class RoomView(Shape, frozen=True, kw_only=True):
    """A room of the house."""

    id: Id
    title: Title
    text: Text
    """What the room does, in words."""
    floor: Floor
    x: Place
    """To the east."""
    y: Place
    """To the north."""
    turns: Annotated[int, Meta(ge=0, le=3)]
    """Quarter turns clockwise from the printed position."""
    doors: DoorsView
    ways: list[WayView]
    """Every room that can be entered from here, through doors and by stairs, shafts and passages."""
    windows: list[Compass]
    parts: list[list[Compass]]
    """Of a room that a barrier divides: the doors of each part, none behind a locked door; empty for other rooms."""
    open: bool
    """Its barrier is open: the parts count as one room, and nobody rolls to cross."""
    symbols: list[Id]
    """Decks from which its discoverer draws: `event`, `item`, `omen`."""
    harmful: bool
    """Something in its text may do harm."""
    found_in_haunt: bool
    """It was discovered after the haunt had begun."""


class TokenView(Shape, frozen=True, kw_only=True):
    """Tokens of one name in (a part of) a room."""

    token: Id
    title: Title
    room: Id
    part: Part
    count: Number
    of_haunt: bool
    """It came with the haunt in play."""
    icon: Name = ""
    """Which small drawing pictures show it by, such as `candle`; empty for a token shown by letters."""


class PileView(Shape, frozen=True, kw_only=True):
    """Items on the floor of (a part of) a room."""

    number: Number
    """The number on its Item Pile token; no other pile has it."""
    room: Id
    part: Part
    cards: list[Id]


def rooms_of(rules: Rules, state: State) -> list[RoomView]:
    """All rooms; the same list as long as nothing in the house has changed."""
    return _rooms(rules, tuple(state.rooms.values()), _encode(state.links))


def open_floors_of(rules: Rules, state: State) -> list[Floor]:
    """The floors for which a tile is still missing: only there can doorways be explored."""
    rooms = state.rooms
    return [floor for floor in FLOORS if any(tile not in rooms for tile in rules.pack.tiles_for[floor])]


_encode = msgspec.msgpack.Encoder().encode
_decode_all_links = msgspec.msgpack.Decoder(dict[str, list[Link]]).decode
_decode_links = msgspec.msgpack.Decoder(list[Link]).decode

NOTHING = b"\x90"
"""No links, encoded."""
PLAIN = (0, 0, 0, 0)
"""No door leads to a second part of a room."""


@lru_cache(maxsize=HOUSES_KEPT)
def _rooms(rules: Rules, placed: tuple[Room, ...], encoded: bytes) -> list[RoomView]:
    """A function of rooms, which never change, and bytes, so that whatever a view depends on is part of the key."""
    rooms, links = {one.id: one for one in placed}, _decode_all_links(encoded)
    cells = {(one.floor, one.x, one.y) for one in placed}
    divided = {one.id for one in placed if one.parts}
    views = []
    for one in placed:
        leading = [link for link in links[one.id] if link.to in rooms] if one.id in links else []
        parts = PLAIN if divided.isdisjoint(one.near) else _arrivals(rooms, one)
        unmet = sum([side for side, beyond in _unjoined(one) if beyond in cells])
        views.append(_room(rules, one, _encode(leading) if leading else NOTHING, parts, unmet))
    return views


@lru_cache(maxsize=ROOMS_KEPT)
def _unjoined(room: Room) -> tuple[tuple[int, tuple[str, int, int]], ...]:
    """Its sides with a door that no room is joined to, each as a mask, and the cells beyond: floor, x and y."""
    return tuple(
        (1 << direction, (room.floor, room.x + STEP[direction][0], room.y + STEP[direction][1]))
        for direction, there in enumerate(room.near)
        if not there and room.doors >> direction & 1
    )


def _arrivals(rooms: Mapping[str, Room], room: Room) -> tuple[int, ...]:
    """By side: the part of the room there in which one arrives."""
    return tuple(
        part_of(rooms[there], opposite(direction)) if there else 0 for direction, there in enumerate(room.near)
    )


@lru_cache(maxsize=ROOMS_KEPT)
def _room(rules: Rules, room: Room, leading: bytes, parts: tuple[int, ...], unmet: int) -> RoomView:
    """A function of all that one depends on, too: a tile that is placed changes few other rooms."""
    tile = rules.pack.tiles[room.id]
    sides, ways = _sides(room, parts, unmet)
    for link in _decode_links(leading):
        ways.append(
            WayView(to=link.to, by=link.by, monsters_only=link.monsters_only, explorers_only=link.explorers_only)
        )
    return RoomView(
        id=room.id,
        title=tile.title,
        text=tile.text,
        floor=room.floor,
        x=room.x,
        y=room.y,
        turns=room.turns,
        doors=DoorsView(*sides),
        ways=ways,
        windows=compass(room.windows),
        parts=[compass(doors) for doors in room.parts],
        open=room.opened,
        symbols=list(tile.symbols),
        harmful=_does_harm(rules, tile.id),
        found_in_haunt=room.in_haunt,
    )


@lru_cache(maxsize=HOUSES_KEPT)
def _does_harm(rules: Rules, tile: str) -> bool:
    """Whether something in the text is marked as harmful, or deals damage that may be ignored without such a mark."""
    on = rules.pack.tiles[tile].on
    unmarked = rules.edition.haunt.ignores == "damage"
    return any(one.harmful for one in on) or (
        unmarked and any(isinstance(spot.value, Damage) for one in on for spot in walk(Spot((), one)))
    )


def _sides(room: Room, parts: Sequence[int], unmet: int) -> tuple[list[str], list[WayView]]:
    """What is behind each side, and the ways through its doors."""
    sides: list[str] = []
    ways: list[WayView] = []
    for direction, there in enumerate(room.near):
        if there:
            sides.append(there)
            from_part = part_of(room, direction) if room.divided else None
            ways.append(WayView(to=there, part=parts[direction], from_part=from_part))
        elif room.doors >> direction & 1:
            sides.append("false" if unmet >> direction & 1 else "free")
        else:
            sides.append("wall")
    return sides, ways


def tokens_of(rules: Rules, names: Names, state: State) -> list[TokenView]:
    """Tokens in the order in which they came."""
    if not state.tokens:
        return []
    haunt = rules.pack.haunts.get(state.haunt.id) if state.haunt is not None else None
    brought = {token.id for token in haunt.tokens} if haunt is not None else set()
    return [
        TokenView(
            token=here.token,
            title=names.token(here.token),
            room=here.room,
            part=here.part,
            count=here.count,
            of_haunt=here.token in brought,
            icon=names.icon(here.token),
        )
        for here in state.tokens
    ]


def piles_of(state: State) -> list[PileView]:
    """Piles in the order in which they last changed."""
    return [
        PileView(number=pile.number, room=pile.room, part=pile.part, cards=list(pile.cards)) for pile in state.piles
    ]
