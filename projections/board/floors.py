"""Floors: rooms on a grid with north at the top, and what lies between them: doors, doorways into the unknown, doors that lead nowhere."""

from __future__ import annotations

from projections.board.chips import Chips
from projections.board.ink import BLACK, DARK, PALE, WHITE, Point, Sheet
from projections.board.rooms import FLOORS, LOWEST, SIDES, WALL, WIDTH, RoomPlan
from projections.view.game import GameView
from projections.view.rooms import RoomView

GAP = 16.0
"""Between two rooms."""
EDGE = 20.0
"""Around a floor, for doorways into the unknown."""
HEAD = 26.0
"""For the floor's name."""
DOOR = 34.0
STUB = 15.0
"""How far a doorway into the unknown sticks out."""
BRICKS = 4.0
"""Half as thick as a door that leads nowhere is drawn."""
TITLE = 15.0
BELOW = 14.0
"""Below a floor, before the next one's name."""


class FloorPlan:
    """A floor laid out: as wide as its rooms reach, each row as high as its highest room."""

    def __init__(self, view: GameView, chips: Chips, floor: str) -> None:
        self.floor = floor
        self._plans = [RoomPlan(view, chips, room) for room in view.rooms if room.floor == floor]
        self._open = floor in view.open_floors
        self._cells = {(plan.room.x, plan.room.y): plan.room for plan in self._plans}
        self._columns = [x for x, _ in self._cells]
        low, high = min(y for _, y in self._cells), max(y for _, y in self._cells)
        self._heights = {
            y: max([LOWEST, *[plan.height for plan in self._plans if plan.room.y == y]]) for y in range(low, high + 1)
        }
        self._lay()

    def _lay(self) -> None:
        """Say where each row and column begins."""
        self._west = min(self._columns)
        self._tops: dict[int, float] = {}
        top = HEAD + EDGE
        for y in sorted(self._heights, reverse=True):
            self._tops[y] = top
            top += self._heights[y] + GAP
        self.height = top - GAP + EDGE + BELOW
        self.width = 2 * EDGE + (max(self._columns) - self._west + 1) * (WIDTH + GAP) - GAP

    def align(self, other: FloorPlan) -> None:
        """Lay two plans of one floor out alike, so that a room has the same place in both."""
        low, high = (found([*self._heights, *other._heights]) for found in (min, max))
        self._columns = other._columns = [*self._columns, *other._columns]
        heights = [one._heights for one in (self, other)]  # noqa: SLF001 -- the same
        self._heights = other._heights = {y: max(one.get(y, LOWEST) for one in heights) for y in range(low, high + 1)}
        for plan in (self, other):
            plan._lay()  # noqa: SLF001 -- the same

    def draw(self, sheet: Sheet, left: float, top: float) -> None:
        """Draw it with its top left corner at a point."""
        sheet.text(left + EDGE, top + TITLE, FLOORS[self.floor], TITLE, font_weight="bold", fill=BLACK)
        for plan in self._plans:
            room = plan.room
            plan.draw(sheet, self._x(left, room), top + self._tops[room.y], self._heights[room.y])
        for plan in self._plans:  # after the rooms, for doors are cut out of walls
            for side in SIDES:
                self._side(sheet, left, top, plan.room, side)

    def _x(self, left: float, room: RoomView) -> float:
        return left + EDGE + (room.x - self._west) * (WIDTH + GAP)

    def _side(self, sheet: Sheet, left: float, top: float, room: RoomView, side: str) -> None:
        """What one side of a room has: a passage is drawn once, by the room north or west of it."""
        behind = getattr(room.doors, side)
        if behind == "wall":
            return
        opening = _Opening(self._x(left, room), top + self._tops[room.y], self._heights[room.y], side)
        if behind == "free":
            opening.free(sheet, known=self._open)
        elif behind == "false":
            opening.false(sheet)
        elif side in ("east", "south") and self._beside(room, side) == behind:
            opening.passage(sheet)

    def _beside(self, room: RoomView, side: str) -> str:
        step = {"east": (1, 0), "south": (0, -1)}[side]
        there = self._cells.get((room.x + step[0], room.y + step[1]))
        return there.id if there is not None else ""


class _Opening:
    """A door in the middle of one side of a room."""

    def __init__(self, x: float, y: float, height: float, side: str) -> None:
        self._upright = side in ("north", "south")
        self._out = 1 if side in ("south", "east") else -1
        self._middle = x + WIDTH / 2 if self._upright else y + height / 2
        self._wall = {"north": y, "south": y + height, "west": x, "east": x + WIDTH}[side]

    def _band(self, sheet: Sheet, start: float, end: float, half: float, **look: str | float) -> None:
        """A rectangle across the wall, from `start` to `end` outward from it."""
        near, far = sorted((self._wall + self._out * start, self._wall + self._out * end))
        side, thick, wide = self._middle - half, far - near, 2 * half
        if self._upright:
            sheet.rect(side, near, wide, thick, **look)
        else:
            sheet.rect(near, side, thick, wide, **look)

    def _stroke(self, sheet: Sheet, start: Point, end: Point, **look: str | float) -> None:
        """A line between two points, each given by its distance out from the wall and from the middle of the door."""
        ends = [(self._wall + self._out * out, self._middle + along) for out, along in (start, end)]
        (a, b), (c, d) = ends
        if self._upright:
            a, b, c, d = b, a, d, c
        sheet.line((a, b), (c, d), **look)

    def _jambs(self, sheet: Sheet, end: float, **look: str | float) -> None:
        """The two sides of the opening, from the wall outward."""
        for along in (-DOOR / 2, DOOR / 2):
            self._stroke(sheet, (0, along), (end, along), **look)

    def passage(self, sheet: Sheet) -> None:
        """An open door to the next room."""
        self._band(sheet, -WALL, GAP + WALL, DOOR / 2, fill=WHITE)
        self._jambs(sheet, GAP, stroke=BLACK, stroke_width=WALL)

    def free(self, sheet: Sheet, *, known: bool) -> None:
        """A doorway into the unknown; without the question mark where no tile is left for the floor."""
        self._band(sheet, -WALL, STUB, DOOR / 2, fill=WHITE)
        self._jambs(sheet, STUB, stroke=BLACK, stroke_width=1.5, stroke_dasharray="3 2")
        if known:
            out = self._wall + self._out * (STUB / 2 + 1)
            x, y = (self._middle, out) if self._upright else (out, self._middle)
            sheet.text(x, y + 4.3, "?", 12.0, text_anchor="middle", font_weight="bold", fill=DARK)

    def false(self, sheet: Sheet) -> None:
        """A door that leads nowhere: crossed out."""
        self._band(sheet, -BRICKS, BRICKS, DOOR / 2, fill=PALE, stroke=BLACK, stroke_width=1.2)
        for out in (-BRICKS, BRICKS):
            self._stroke(sheet, (-out, -DOOR / 2), (out, DOOR / 2), stroke=BLACK, stroke_width=1.2)


def floors(view: GameView, chips: Chips) -> list[FloorPlan]:
    """The floors that have rooms, from the highest down."""
    return [FloorPlan(view, chips, floor) for floor in FLOORS if any(room.floor == floor for room in view.rooms)]
