"""One room: its title, what stands in it, its walls, and the mark that tells how its tile is turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from projections.board.chips import HEIGHT, SPACE, Chip, Chips, draw, rows
from projections.board.fonts import wrap
from projections.board.ink import BLACK, DARK, GRAY, WHITE, Point, Sheet
from projections.naming.names import readable
from projections.view.game import GameView
from projections.view.rooms import RoomView, WayView

WIDTH = 152.0
LOWEST = 112.0
"""The least height of a room."""
PAD = 8.0
MARK = 7.0
"""Radius of the mark."""
TITLE, SMALL = 15.0, 11.0
"""Font sizes."""
LINE, SMALL_LINE = 18.0, 14.0
ROW = HEIGHT + SPACE
WALL = 2.5
BARRIER = 16.0
"""Space that a barrier takes in a room."""

SIGN = 11.0
"""What the triangle before a way takes of its line."""

FLOORS = {"upper": "Upper floor", "ground": "Ground floor", "basement": "Basement"}
TINT = {"upper": "#eef4fc", "ground": "#f3f8ec", "basement": "#f8f1e7"}
SIDES = ("north", "east", "south", "west")


class RoomPlan:
    """What is written and drawn in a room, and how high that makes it."""

    def __init__(
        self,
        view: GameView,
        chips: Chips,
        room: RoomView,
        width: float = WIDTH,
        notes: Sequence[str] = (),
        number: int | None = None,
    ) -> None:
        """Lay it out over a width, under its number on a map and with more small words than usual."""
        self.room = room
        self._width, self._inside = width, width - 2 * PAD
        called = room.title if number is None else f"{number} · {room.title}"
        self._title = wrap(called, self._inside - 2 * MARK - 2, TITLE, bold=True)
        self._notes = [line for note in [*_notes(room), *notes] for line in wrap(note, self._inside, SMALL)]
        self._ways = [(way, wrap(way.text, self._inside - SIGN, SMALL)) for way in _ways(view, room)]
        self._parts = _parts(chips, room)
        self._divided = bool(room.parts) and not room.open
        self._aside = self._divided and _is_aside(room.parts)
        each = (self._inside - BARRIER) / 2 if self._aside else self._inside
        self._rows = [rows(part, each) for part in self._parts]
        taken = [len(found) * ROW for found in self._rows]
        standing = max([*taken, ROW]) if self._aside else sum(taken) + (BARRIER if self._divided else 0.0)
        if self._divided and not self._aside:
            standing += sum(ROW for found in self._rows if not found)
        head = PAD + len(self._title) * LINE + len(self._notes) * SMALL_LINE
        self._below = sum(len(lines) for _, lines in self._ways) * SMALL_LINE + PAD
        self.least = head + PAD + standing + self._below
        """As high as what is in it."""
        self.height = max(LOWEST, self.least)

    def draw(self, sheet: Sheet, x: float, y: float, height: float) -> None:
        """Draw it with its top left corner at a point, as high as its row of rooms."""
        room = self.room
        with sheet.group(f"room:{room.id}", _described(room), goal_of(room)):
            sheet.rect(x, y, self._width, height, fill=TINT[room.floor], stroke=BLACK, stroke_width=WALL)
            _windows(sheet, room, x, y, self._width, height)
            _turned(sheet, room.turns, x + self._width - PAD - MARK + 2, y + PAD + MARK - 2)
            line = y + PAD
            for words in self._title:
                sheet.text(x + PAD, line + TITLE * 0.9, words, TITLE, font_weight="bold", fill=BLACK)
                line += LINE
            for words in self._notes:
                sheet.text(x + PAD, line + SMALL * 0.9, words, SMALL, fill=GRAY)
                line += SMALL_LINE
            below = y + height - self._below
            self._stand(sheet, x + PAD, line + PAD, below)
            line = below
            for way, lines in self._ways:
                way.draw(sheet, x + PAD, line, lines)
                line += len(lines) * SMALL_LINE

    def _stand(self, sheet: Sheet, x: float, y: float, below: float) -> None:
        """Who and what is in the room down to `below`, in both parts of it where a barrier divides it."""
        if not self._divided:
            _draw_rows(sheet, self._rows[0], x, y)
            return
        if self._aside:
            half = (self._inside - BARRIER) / 2
            _draw_rows(sheet, self._rows[0], x, y)
            _barrier(sheet, (x + half + BARRIER / 2, y - 4), (x + half + BARRIER / 2, below - 2))
            _draw_rows(sheet, self._rows[1], x + half + BARRIER, y)
            return
        upper = max(1, len(self._rows[0])) * ROW
        _draw_rows(sheet, self._rows[0], x, y)
        _barrier(sheet, (x, y + upper), (x + self._inside, y + upper))
        _draw_rows(sheet, self._rows[1], x, y + upper + BARRIER)


def _parts(chips: Chips, room: RoomView) -> list[list[Chip]]:
    """What is in the room; in a divided one the western or northern part comes first."""
    if not room.parts or room.open:
        return [chips.within(room.id, None)]
    first = 0 if {"north", "west"} & set(room.parts[0]) else 1
    return [chips.within(room.id, first), chips.within(room.id, 1 - first)]


def _is_aside(parts: Sequence[Sequence[str]]) -> bool:
    """Whether the parts are side by side, west and east."""
    return any(side in ("west", "east") for part in parts for side in part)


def _notes(room: RoomView) -> list[str]:
    """Small words below the title."""
    notes = [" · ".join(readable(symbol).lower() for symbol in room.symbols)] if room.symbols else []
    return [*notes, "found in the haunt"] if room.found_in_haunt else notes


class _Way(NamedTuple):
    """A way that no door shows."""

    to: RoomView
    rise: int
    """How many floors it goes up."""
    text: str

    def draw(self, sheet: Sheet, x: float, y: float, lines: Sequence[str]) -> None:
        """Write it, behind a triangle that points up, down, or to the side, as a link to the room there."""
        with sheet.link(goal_of(self.to), f"To {self.to.title}, {FLOORS[self.to.floor].lower()}"):
            left, top, size = x + 1, y + 1.5, 7.5
            if self.rise:
                flat, tip = (top + size, top) if self.rise > 0 else (top, top + size)
                corners = [(left, flat), (left + size, flat), (left + size / 2, tip)]
            else:
                corners = [(left, top), (left + size, top + size / 2), (left, top + size)]
            sheet.polygon(corners, fill=DARK)
            for number, line in enumerate(lines):
                where = (x + SIGN, y + number * SMALL_LINE + SMALL * 0.9)
                sheet.text(*where, line, SMALL, fill=DARK, text_decoration="underline")


def goal_of(room: RoomView) -> str:
    """By what links lead to a room."""
    return f"room-{room.id}"


def _ways(view: GameView, room: RoomView) -> list[_Way]:
    """Ways that no door shows: stairs, shafts, passages."""
    floors = list(FLOORS)
    rooms = {one.id: one for one in view.rooms}
    found = []
    for way in room.ways:
        if way.by == "door":
            continue
        there = rooms[way.to]
        back = any(one.to == room.id and one.by != "door" for one in there.ways)
        sort = [*([] if back else ["one way"]), *_only(way)]
        rise = floors.index(room.floor) - floors.index(there.floor)
        found.append(_Way(there, rise, f"also to {there.title}" + (f" ({', '.join(sort)})" if sort else "")))
    return found


def _only(way: WayView) -> list[str]:
    if way.monsters_only:
        return ["monsters only"]
    return ["explorers only"] if way.explorers_only else []


def _described(room: RoomView) -> str:
    turned = f", turned by {90 * room.turns} degrees" if room.turns else ""
    return f"{room.title} ({FLOORS[room.floor].lower()}{turned}). {room.text}".strip()


def _draw_rows(sheet: Sheet, found: Sequence[Sequence[Chip]], x: float, y: float) -> None:
    for row in found:
        place = x
        for chip in row:
            draw(sheet, chip, place, y)
            place += chip.width + SPACE
        y += ROW


def _barrier(sheet: Sheet, start: Point, end: Point) -> None:
    """A jagged line."""
    steps = max(2, round((abs(end[0] - start[0]) + abs(end[1] - start[1])) / 6))
    upright = start[0] == end[0]
    points = []
    for step in range(steps + 1):
        aside = 3.0 if step % 2 else -3.0
        across, along = (end[0] - start[0]) * step / steps, (end[1] - start[1]) * step / steps
        points.append((start[0] + across + (aside if upright else 0), start[1] + along + (0 if upright else aside)))
    sheet.polyline(points, stroke=BLACK, stroke_width=2.0)


def _windows(sheet: Sheet, room: RoomView, x: float, y: float, width: float, height: float) -> None:
    """Two panes in the wall, on either side of where a door would be."""
    size = 26.0
    for side in room.windows:
        upright = side in ("east", "west")
        left = {"west": x - 3, "east": x + width - 3}.get(side, x + 14)
        top = {"north": y - 3, "south": y + height - 3}.get(side, y + 20)
        wide, high = (6.0, size) if upright else (size, 6.0)
        sheet.rect(left, top, wide, high, fill=WHITE, stroke=BLACK, stroke_width=1.0)
        middle = (left + wide / 2, top + high / 2)
        ends = ((left, middle[1]), (left + wide, middle[1])) if upright else ((middle[0], top), (middle[0], top + high))
        sheet.line(*ends, stroke=BLACK, stroke_width=1.0)


def _turned(sheet: Sheet, turns: int, x: float, y: float) -> None:
    """An arrow in a circle, to where the tile's printed top now points."""
    ahead = ((0, -1), (1, 0), (0, 1), (-1, 0))[turns]
    across = (-ahead[1], ahead[0])
    tip = (x + 5 * ahead[0], y + 5 * ahead[1])
    wings = [(x - 3 * ahead[0] + side * 3.5 * across[0], y - 3 * ahead[1] + side * 3.5 * across[1]) for side in (1, -1)]
    sheet.circle(x, y, MARK, fill=WHITE, stroke=GRAY, stroke_width=1.0)
    sheet.polygon([tip, *wings], fill=DARK)
