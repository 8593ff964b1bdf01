"""Where and how a new tile may be placed: which rotations fit, which seal a floor off, which match most doors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from content.vocabulary.base import Compass
from content.vocabulary.pack import Tile
from domain.facts.grid import STEP, cell, free_doors, mask_of, opposite, turned
from domain.facts.pieces import Room
from domain.facts.state import State


class Spot(NamedTuple):
    """A cell and a rotation for a tile."""

    floor: str
    x: int
    y: int
    turns: int

    def key(self) -> str:
        """As an option of a decision: `upper:1:-2@3`."""
        return f"{self.floor}:{self.x}:{self.y}@{self.turns}"

    @classmethod
    def of(cls, key: str) -> Spot:
        """The spot of a key."""
        place, _, turns = key.partition("@")
        floor, x, y = place.split(":")
        return cls(floor, int(x), int(y), int(turns))


class Placement(NamedTuple):
    """A spot with the tile's doors, windows and parts as they would be there."""

    spot: Spot
    doors: int
    windows: int
    parts: list[int]


def laid(tile: Tile, spot: Spot) -> Placement:
    """The tile's features in the directions of the house."""
    return Placement(spot, *_features(tile)[spot.turns])


Features = tuple[int, int, list[int]]
"""Doors, windows and parts."""


def _features(tile: Tile) -> Sequence[Features]:
    """The features of a tile after 0 to 3 quarter turns clockwise."""
    parts = tuple(map(tuple, tile.barrier.parts)) if tile.barrier else ()
    return _turned(tuple(tile.doors), tuple(tile.windows), parts)


@lru_cache(maxsize=1024)
def _turned(
    doors: tuple[Compass, ...], windows: tuple[Compass, ...], parts: tuple[tuple[Compass, ...], ...]
) -> Sequence[Features]:
    """Cached, because each tile is tried again and again; callers must not change the result."""
    masks = mask_of(doors), mask_of(windows), [mask_of(part) for part in parts]
    return [
        (turned(masks[0], turns), turned(masks[1], turns), [turned(part, turns) for part in masks[2]])
        for turns in range(4)
    ]


def doorways(state: State, floor: str) -> list[tuple[Room, int]]:
    """Free doorways of a floor: room and direction, in the order in which the rooms came."""
    found = []
    for room in state.rooms.values():
        if room.floor == floor:
            free = free_doors(state.grid, room)
            found += [(room, direction) for direction in range(4) if free >> direction & 1]
    return found


def beyond(room: Room, direction: int) -> tuple[str, int, int]:
    """The cell behind a doorway."""
    dx, dy = STEP[direction]
    return room.floor, room.x + dx, room.y + dy


def rotations(tile: Tile, room: Room, direction: int) -> list[Placement]:
    """The different ways to join a tile to a doorway: one of its doors must meet it (2E-DISC-005).

    Rotations that look alike (doors, windows, parts) are given once, the smallest turn first.
    """
    floor, x, y = beyond(room, direction)
    back = 1 << opposite(direction)
    seen: list[Features] = []
    found: list[Placement] = []
    for turns, features in enumerate(_features(tile)):
        if features[0] & back and features not in seen:
            seen.append(features)
            found.append(Placement(Spot(floor, x, y, turns), *features))
    return found


def behind(tile: Tile, floor: str, x: int, y: int) -> list[Placement]:
    """The different ways to place a tile on a cell that no doorway leads to."""
    seen: list[Features] = []
    found: list[Placement] = []
    for turns, features in enumerate(_features(tile)):
        if features not in seen:
            seen.append(features)
            found.append(Placement(Spot(floor, x, y, turns), *features))
    return found


def false_features(state: State, placement: Placement) -> int:
    """How many doors, of the tile and of its neighbors, would meet no door (2E-DISC-006)."""
    spot = placement.spot
    false = 0
    for direction in range(4):
        dx, dy = STEP[direction]
        other = state.rooms.get(state.grid.get(cell(spot.floor, spot.x + dx, spot.y + dy), ""))
        if other is None:
            continue
        mine = placement.doors >> direction & 1
        theirs = other.doors >> opposite(direction) & 1
        false += mine != theirs
    return false


def open_elsewhere(state: State, taken: tuple[str, int, int]) -> bool:
    """Whether the floor of a cell has a free doorway that leads somewhere else: then nothing on that cell can seal it off."""
    floor = taken[0]
    for room in state.rooms.values():
        if room.floor == floor and (free := free_doors(state.grid, room)):
            for direction in range(4):
                if free >> direction & 1 and beyond(room, direction) != taken:
                    return True
    return False


def seals(state: State, placement: Placement) -> bool:
    """Whether the floor would have no free doorway left with the tile placed so (2E-DISC-009)."""
    spot = placement.spot
    for direction in range(4):
        dx, dy = STEP[direction]
        if placement.doors >> direction & 1 and cell(spot.floor, spot.x + dx, spot.y + dy) not in state.grid:
            return False
    return not open_elsewhere(state, (spot.floor, spot.x, spot.y))


def each_once(placements: Iterable[Placement]) -> list[Placement]:
    """The first of all placements on each spot."""
    found: dict[Spot, Placement] = {}
    for placement in placements:
        found.setdefault(placement.spot, placement)
    return list(found.values())


def most_doors(state: State, placements: list[Placement]) -> list[Placement]:
    """The placements with the fewest false features (2E-DISC-006)."""
    if len(placements) <= 1:
        return placements
    counted = [(false_features(state, placement), placement) for placement in placements]
    least = min((false for false, _ in counted), default=0)
    return [placement for false, placement in counted if false == least]
