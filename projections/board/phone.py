"""The picture for a phone: everything in one column, with letters that can be read where it is 360 pixels wide.

A floor is a small map; its cells have numbers, and lead to the rooms further down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from projections.board.boxes import Box
from projections.board.chips import HEIGHT, Chip, Chips, draw, rows
from projections.board.fonts import width, wrap
from projections.board.ink import BLACK, WHITE, Sheet
from projections.board.page import boxes, described, draw_headlines, titled
from projections.board.rooms import FLOORS, SIDES, TINT, RoomPlan, goal_of
from projections.naming.names import enumerated
from projections.view.game import GameView
from projections.view.rooms import RoomView

SHOWN_WIDTH = 360.0
"""Pixels: the width of a small phone."""
WIDTH = 250.0
"""What the column takes at least, in units of the drawing; all that is drawn is so much larger on a phone than on paper."""
MARGIN = 8.0
GAP = 10.0
HEADING = 15.0
HEAD = 22.0
"""For a floor's name."""
BETWEEN = 7.0
"""Between two cells of a map, and around them for what sticks out."""
WIDEST, PAD = 76.0, 3.0
"""Of a cell."""
NUMBER, NAME = 12.0, 9.0
"""Font sizes in a cell."""
SMALLER = 0.8
"""How large signs are on a map."""
DOOR = 12.0
LINES = (
    "On a map: gap between rooms: an open door. Black triangle: a doorway into the unknown; white: no tiles are left for its floor. "
    "Crossed out: a door that leads nowhere. A number leads to the room further down. "
    "There, two white panes: a window; jagged line: a barrier; triangle: a way that no door shows."
)
LAST = ("box:rulings", "box:stacks", "box:signs")
"""Boxes below the rooms."""


class FloorMap:
    """A floor, as wide as the column: each row of cells as high as the fullest."""

    def __init__(self, view: GameView, chips: Chips, floor: str, numbers: Mapping[str, int]) -> None:
        self.floor = floor
        self._open = floor in view.open_floors
        self._rooms = {(room.x, room.y): room for room in view.rooms if room.floor == floor}
        self._numbers = numbers
        self._marks = {room.id: _marks(view, chips, room) for room in self._rooms.values()}
        self._west = min(x for x, _ in self._rooms)
        self._columns = max(x for x, _ in self._rooms) - self._west + 1
        signs = [chip.width * SMALLER for marks in self._marks.values() for chip in marks]
        self._narrowest = max([width("88", NUMBER, bold=True), *signs]) + 2 * PAD
        self.least = self._columns * (self._narrowest + BETWEEN) + BETWEEN
        """How wide it is at least."""

    def lay(self, wide: float) -> float:
        """Lay it out over a width; gives how high that is."""
        self._cell = min(WIDEST, (wide - BETWEEN) / self._columns - BETWEEN)
        inside = self._cell - 2 * PAD
        words = [word for room in self._rooms.values() for word in room.title.split()]
        named = all(width(word, NAME, bold=True) <= inside for word in words)
        self._titles = {
            room.id: wrap(room.title, inside, NAME, bold=True) if named else [] for room in self._rooms.values()
        }
        self._rows = {room: rows(marks, inside / SMALLER) for room, marks in self._marks.items()}
        self._tops: dict[int, float] = {}
        self._heights: dict[int, float] = {}
        top = HEAD + BETWEEN
        low, high = min(y for _, y in self._rooms), max(y for _, y in self._rooms)
        for row in range(high, low - 1, -1):
            rooms = [room for (_, y), room in self._rooms.items() if y == row]
            self._tops[row] = top
            self._heights[row] = max([self._narrowest, *(self._needed(room.id) for room in rooms)])
            top += self._heights[row] + BETWEEN
        return top

    def _needed(self, room: str) -> float:
        lines = NUMBER + 5 + len(self._titles[room]) * (NAME + 2)
        return 2 * PAD + lines + len(self._rows[room]) * (HEIGHT + 4) * SMALLER

    def draw(self, sheet: Sheet, left: float, top: float) -> None:
        """Draw it with its top left corner at a point."""
        sheet.text(left, top + HEADING, FLOORS[self.floor], HEADING, font_weight="bold", fill=BLACK)
        for (column, row), room in self._rooms.items():
            x = left + BETWEEN + (column - self._west) * (self._cell + BETWEEN)
            self._draw_cell(sheet, room, x, top + self._tops[row], self._heights[row])
        for (column, row), room in self._rooms.items():  # after the cells, for doors are cut out of walls
            x = left + BETWEEN + (column - self._west) * (self._cell + BETWEEN)
            for side in SIDES:
                self._draw_side(sheet, room, side, x, top + self._tops[row], self._heights[row])

    def _draw_cell(self, sheet: Sheet, room: RoomView, x: float, y: float, height: float) -> None:
        with sheet.group(f"cell:{room.id}", room.title), sheet.link(goal_of(room), f"To {room.title}"):
            sheet.rect(x, y, self._cell, height, fill=TINT[room.floor], stroke=BLACK, stroke_width=1.5)
            line = y + PAD + NUMBER * 0.9
            number = str(self._numbers[room.id])
            sheet.text(x + PAD, line, number, NUMBER, font_weight="bold", fill=BLACK, text_decoration="underline")
            line += 4
            for words in self._titles[room.id]:
                line += NAME + 2
                sheet.text(x + PAD, line - 3, words, NAME, font_weight="bold", fill=BLACK)
            for row in self._rows[room.id]:
                place = x + PAD
                for chip in row:
                    draw(sheet, chip, place, line + 3, SMALLER)
                    place += (chip.width + 8) * SMALLER
                line += (HEIGHT + 4) * SMALLER

    def _draw_side(self, sheet: Sheet, room: RoomView, side: str, x: float, y: float, height: float) -> None:
        behind = getattr(room.doors, side)
        upright = side in ("north", "south")
        out = 1 if side in ("south", "east") else -1
        wall = {"north": y, "south": y + height, "west": x, "east": x + self._cell}[side]
        middle = x + self._cell / 2 if upright else y + height / 2

        def at(beyond: float, along: float) -> tuple[float, float]:
            place = (wall + out * beyond, middle + along)
            return (place[1], place[0]) if upright else place

        if behind == "free":
            corners = [at(0, -4.5), at(5.5, 0), at(0, 4.5)]
            sheet.polygon(corners, fill=BLACK if self._open else WHITE, stroke=BLACK, stroke_width=1.0)
        elif behind == "false":
            for way in (-1, 1):
                sheet.line(at(-2.5, -3.0 * way), at(2.5, 3.0 * way), stroke=BLACK, stroke_width=1.5)
        elif side in ("east", "south") and behind != "wall":
            there = self._rooms.get((room.x + (side == "east"), room.y - (side == "south")))
            if there is not None and there.id == behind:
                sheet.polygon(
                    [at(-1, -DOOR / 2), at(BETWEEN + 1, -DOOR / 2), at(BETWEEN + 1, DOOR / 2), at(-1, DOOR / 2)],
                    fill=WHITE,
                )
                for along in (-DOOR / 2, DOOR / 2):
                    sheet.line(at(0, along), at(BETWEEN, along), stroke=BLACK, stroke_width=1.5)


class _Heading:
    """A line above what belongs together."""

    height = HEAD

    def __init__(self, text: str) -> None:
        self._text = text

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        sheet.text(x, y + HEADING, self._text, HEADING, font_weight="bold", fill=BLACK)


class _Card:
    """A room below the maps."""

    def __init__(self, view: GameView, chips: Chips, room: RoomView, wide: float, number: int) -> None:
        self._plan = RoomPlan(
            view, chips, room, wide, [_doors(view, room), *([room.text] if room.text else [])], number
        )
        self.height = self._plan.least

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        self._plan.draw(sheet, x, y, self.height)


def phone_board_of(view: GameView) -> str:
    """The picture of a view for a phone: an SVG document that shows only what the view says, the same bytes for the same view."""
    chips = Chips(view)
    floors = {floor: [room for room in view.rooms if room.floor == floor] for floor in FLOORS}
    numbers = {room.id: number for number, room in enumerate(chain(*floors.values()), 1)}
    maps = [FloorMap(view, chips, floor, numbers) for floor, rooms in floors.items() if rooms]
    wide = max([WIDTH, *(plan.least for plan in maps)])
    sheet = Sheet()
    y = draw_headlines(sheet, view, MARGIN, wide, MARGIN) + GAP
    for plan in maps:
        height = plan.lay(wide)
        plan.draw(sheet, MARGIN, y)
        y += height + GAP
    beside = [box.over(wide) for box in boxes(view, chips, LINES)]
    beside.sort(key=lambda box: box.name != f"box:{view.role}")  # one's own first
    cards: list[_Heading | _Card] = []
    for floor, rooms in floors.items():
        cards += [_Heading(FLOORS[floor])] if rooms else []
        cards += [_Card(view, chips, room, wide, numbers[room.id]) for room in rooms]
    column: Sequence[Box | _Heading | _Card] = [
        *(box for box in beside if box.name not in LAST),
        *cards,
        *(box for box in beside if box.name in LAST),
    ]
    for one in column:
        one.draw(sheet, MARGIN, y)
        y += one.height + (0 if isinstance(one, _Heading) else GAP)
    return sheet.document(wide + 2 * MARGIN, y + MARGIN, titled(view), described(view), SHOWN_WIDTH)


def _marks(view: GameView, chips: Chips, room: RoomView) -> list[Chip]:
    """Who and what is in a room, in short: monsters of a kind are counted."""
    found = [chips.explorer(one) for one in view.explorers if (one.alive or one.corpse) and one.room == room.id]
    here = [one for one in view.monsters if one.room == room.id]
    for kind, count in Counter(one.kind for one in here).items():
        first = next(one for one in here if one.kind == kind)
        found.append(chips.monsters(first, count))
    return [*found, *(chips.token(one) for one in view.tokens if one.room == room.id)]


def _doors(view: GameView, room: RoomView) -> str:
    """What the map shows by lines, in words."""
    unknown = "into the unknown" if room.floor in view.open_floors else "into the unknown, for which no tiles are left"
    words = {"free": unknown, "false": "to nowhere", **{one.id: f"to {one.title}" for one in view.rooms}}
    sides: dict[str, list[str]] = {}
    for side in SIDES:
        behind = getattr(room.doors, side)
        if behind != "wall":
            sides.setdefault(words[behind], []).append(side)
    return (
        f"Doors: {'; '.join(f'{enumerated(here)} {there}' for there, here in sides.items())}" if sides else "No doors"
    )
