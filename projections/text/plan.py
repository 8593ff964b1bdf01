"""A floor plan in box-drawing characters: cells with walls between them, gaps where doors are open."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache

from domain.facts.grid import neighbor, opposite
from domain.facts.pieces import EAST, NORTH, SOUTH, WEST, Room
from domain.facts.state import State

SHOWN = {"State": ("rooms", "grid"), "Room": ("id", "floor", "x", "y", "doors", "near")}
"""The fields of a role's state that are read here; all others stay hidden."""

WIDEST = 14
NARROWEST = 7
LOWEST = 3
"""Columns and lines inside a room."""

JUNCTIONS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""By the mask of the walls that meet at a corner: bit 1 from the north, 2 east, 4 south, 8 west."""

FREE, FALSE = "?", "x"
"""A doorway into the unknown, and a door that leads nowhere."""

Fill = Callable[[Room], list[str]]


def plans(
    state: State,
    floor: str,
    columns: int,
    fill: Callable[[Room, int], list[str]],
    beside: tuple[State, Callable[[Room, int], list[str]]] | None = None,
) -> list[str]:
    """Plans of a floor: one, or several from west to east if it is too wide for one.

    Args:
        state: a role's own.
        floor: whose rooms are drawn.
        columns: the greatest width of a plan.
        fill: the lines written into a room, given the greatest width of a line.
        beside: another moment and what is written there: its plans are as many, and each room has the same place in them.
    """
    rooms = [room for room in state.rooms.values() if room.floor == floor]
    other, fill_other = (State(), fill) if beside is None else beside
    others = [room for room in other.rooms.values() if room.floor == floor]
    columns_used = [room.x for room in (*rooms, *others)]
    west, east = min(columns_used), max(columns_used)
    at_once = min(east - west + 1, (columns - 1) // (NARROWEST + 1))
    width = min(WIDEST, (columns - 1) // at_once - 1)
    found = []
    for start in range(west, east + 1, at_once):
        shown = [room for room in rooms if start <= room.x < start + at_once]
        kept = {(room.x, room.y): len(fill_other(room, width)) for room in others if start <= room.x < start + at_once}
        if shown or kept:
            found.append(str(Plan(state, shown, width, lambda room: fill(room, width), kept)))
    return found


class Plan:
    """The plan of some rooms of one floor."""

    def __init__(
        self, state: State, rooms: list[Room], width: int, fill: Fill, kept: Mapping[tuple[int, int], int]
    ) -> None:
        """Lay the canvas out and draw.

        Args:
            state: a role's own.
            rooms: all on one floor.
            width: columns inside each room.
            fill: the lines written into a room, none wider than that.
            kept: places that get room for so many lines, whether a room is there or not; at least one where there are no rooms.
        """
        self._state = state
        self._width = width
        self._rooms = {(room.x, room.y): room for room in rooms}
        texts = {place: fill(room) for place, room in self._rooms.items()}
        places = [*texts, *kept]
        self._left = min(x for x, _ in places)
        self._tops: dict[int, int] = {}
        self._heights: dict[int, int] = {}
        line = 0
        low, high = min(y for _, y in places), max(y for _, y in places)
        for y in range(high, low - 1, -1):
            self._tops[y] = line
            lines = [len(text) for (_, at), text in texts.items() if at == y]
            self._heights[y] = max(LOWEST, *lines, *(many for (_, at), many in kept.items() if at == y), 0)
            line += self._heights[y] + 1
        across = (max(x for x, _ in places) - self._left + 1) * (width + 1) + 1
        self._canvas = [[" "] * across for _ in range(line + 1)]
        self._walls = [[0] * across for _ in range(line + 1)]
        for place, room in self._rooms.items():
            self._draw(room, texts[place])
        self._join()

    def __str__(self) -> str:
        """The lines, without blanks at their ends."""
        return "\n".join("".join(line).rstrip() for line in self._canvas)

    def _draw(self, room: Room, lines: list[str]) -> None:
        top, left = self._tops[room.y], (room.x - self._left) * (self._width + 1)
        height = self._heights[room.y]
        bottom, right = top + height + 1, left + self._width + 1
        self._across(top, left, self._side(room, NORTH))
        self._across(bottom, left, self._side(room, SOUTH))
        self._down(top, left, height, self._side(room, WEST))
        self._down(top, right, height, self._side(room, EAST))
        for number, text in enumerate(lines):
            self._canvas[top + 1 + number][left + 1 : right] = text.center(self._width)

    def _side(self, room: Room, direction: int) -> str:
        """What a side looks like: a blank for an open door, a sign, or empty for a wall."""
        if room.near[direction]:
            return " "
        other = self._state.rooms.get(neighbor(self._state.grid, room, direction))
        mine = room.doors >> direction & 1
        if other is None:
            return FREE if mine else ""
        theirs = other.doors >> opposite(direction) & 1
        return FALSE if mine or theirs else ""

    def _across(self, line: int, left: int, side: str) -> None:
        """A wall from west to east, with its door in the middle."""
        for column in range(left, left + self._width + 1):
            self._walls[line][column] |= 2
            self._walls[line][column + 1] |= 8
        if side:
            middle = left + (self._width + 1) // 2
            self._gap(line, middle, 2 if side == " " else 1, side)

    def _gap(self, line: int, middle: int, half: int, side: str) -> None:
        for column in range(middle - half, middle + half + 1):
            self._walls[line][column] = 0
        self._walls[line][middle - half - 1] &= ~2
        self._walls[line][middle + half + 1] &= ~8
        self._canvas[line][middle] = side

    def _down(self, top: int, column: int, height: int, side: str) -> None:
        """A wall from north to south, with its door in the middle."""
        for line in range(top, top + height + 1):
            self._walls[line][column] |= 4
            self._walls[line + 1][column] |= 1
        if side:
            middle = top + (height + 1) // 2
            self._walls[middle][column] = 0
            self._walls[middle - 1][column] &= ~4
            self._walls[middle + 1][column] &= ~1
            self._canvas[middle][column] = side

    def _join(self) -> None:
        """Draw the walls, each corner to fit the walls that meet there."""
        for line, walls in enumerate(self._walls):
            for column, mask in enumerate(walls):
                if mask:
                    self._canvas[line][column] = JUNCTIONS[mask]


@lru_cache(maxsize=2048)
def fitted(text: str, width: int) -> tuple[str, ...]:
    """Words on lines of a width; a word that is longer is cut and ends with a full stop."""
    words = [word if len(word) <= width else f"{word[: width - 1]}." for word in text.split()]
    return tuple(textwrap.wrap(" ".join(words), width))
