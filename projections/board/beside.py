"""Two moments of a game in one picture, side by side: each room in the same place in both, and frames around all that differs.

What differs is found in the drawing itself: whatever is drawn under a name (a room, a sign, a box) is the same if the same words and shapes
are drawn in it, wherever that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from projections.board.boxes import GAP
from projections.board.boxes import WIDTH as BOX
from projections.board.chips import Chips
from projections.board.floors import FloorPlan, floors
from projections.board.fonts import wrap
from projections.board.ink import BLACK, DARK, GRAY, Sheet
from projections.board.layout import columns
from projections.board.page import MARGIN, boxes, draw_headlines
from projections.board.rooms import FLOORS
from projections.view.game import GameView

BETWEEN = 40.0
"""Between the two moments."""
LEAST = 2
"""Columns of boxes on each side."""
TEXT, HEADING = 12.0, 15.0
"""Font sizes."""
FRAME = "#b0005e"
OUT = 4.0
"""How far outside a thing its frame is."""
PLACES = ("x", "y", "width", "height", "cx", "cy", "r", "x1", "y1", "x2", "y2", "points")
"""Attributes that say where something is drawn."""


class Drawn:
    """A part of a picture that has a name."""

    def __init__(self, path: tuple[str, ...], title: str) -> None:
        self.path = path
        """Its name, behind those of what it is in."""
        self.title = title
        self.look: list[object] = []
        """What is drawn in it, wherever that is."""
        self._across: list[float] = []
        self._down: list[float] = []

    def note(self, element: str, given: Mapping[str, str | float]) -> None:
        """Something is drawn in it."""
        self.look.append((element, {name: value for name, value in given.items() if name not in PLACES}))
        if element == "rect":
            left, top, wide, high = (float(given[name]) for name in ("x", "y", "width", "height"))
            self._across += [left, left + wide]
            self._down += [top, top + high]
        elif element in ("polygon", "polyline"):
            points = [point.split(",") for point in str(given["points"]).split()]
            self._across += [float(x) for x, _ in points]
            self._down += [float(y) for _, y in points]

    def frame(self, sheet: Sheet, how: str) -> None:
        """Draw a frame around it."""
        if not self._across:
            return
        left, top, right, bottom = min(self._across), min(self._down), max(self._across), max(self._down)
        thick, dashes = (3.0, "10 5") if len(self.path) == 1 else (2.0, "4 2")
        out = OUT if len(self.path) == 1 else OUT / 2
        with sheet.group(f"{how}:{self.path[-1]}", f"{self.title}: {how}"):
            sheet.rect(
                left - out,
                top - out,
                right - left + 2 * out,
                bottom - top + 2 * out,
                rx=OUT,
                fill="none",
                stroke=FRAME,
                stroke_width=thick,
                stroke_dasharray=dashes,
            )


class NotingSheet(Sheet):
    """A sheet that takes note of what is drawn under which name."""

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.drawn: list[Drawn] = []
        self._open: list[Drawn] = []

    def text(self, x: float, y: float, words: str, size: float, **look: str | float) -> None:
        super().text(x, y, words, size, **look)
        for one in self._open:
            one.look.append((words, look))

    @contextmanager
    def group(self, name: str, title: str, goal: str = "") -> Iterator[None]:
        path = (*self._open[-1].path, name) if self._open else (name,)
        self.drawn.append(Drawn(path, title))
        self._open.append(self.drawn[-1])
        with super().group(name, title, goal):
            for one in self._open:
                one.look.append(title)
            yield
        self._open.pop()

    def _add(self, element: str, **attributes: str | float) -> None:
        super()._add(element, **attributes)
        for one in self._open:
            one.note(element, attributes)


def boards_of(before: GameView, after: GameView, changes: Sequence[str]) -> str:
    """Two views of one role, the earlier one on the left: an SVG document.

    Args:
        before: the earlier view.
        after: the later one.
        changes: what changed, in words, for the list below.
    """
    views = (before, after)
    chips = [Chips(view, views) for view in views]
    houses = [{plan.floor: plan for plan in floors(view, sign)} for view, sign in zip(views, chips, strict=True)]
    for floor in houses[0].keys() & houses[1].keys():
        houses[0][floor].align(houses[1][floor])
    plans: list[FloorPlan] = [plan for house in houses for plan in house.values()]
    least = LEAST * (BOX + GAP) - GAP
    wide = max([least, *(plan.width for plan in plans)])
    lefts = (MARGIN, MARGIN + wide + BETWEEN)
    sheet, noting = Sheet(), [NotingSheet("before-"), NotingSheet("after-")]
    top = MARGIN + max(
        draw_headlines(part, view, left, wide) for part, view, left in zip(noting, views, lefts, strict=True)
    )
    for floor in FLOORS:
        here = [house.get(floor) for house in houses]
        for part, plan, left in zip(noting, here, lefts, strict=True):
            if plan is not None:
                plan.draw(part, left, top)
        top += max((plan.height for plan in here if plan is not None), default=0.0)
    bottoms = []
    for part, view, sign, left in zip(noting, views, chips, lefts, strict=True):
        placed, bottom = columns(boxes(view, sign), int((wide + GAP) // (BOX + GAP)), left, top)
        bottoms.append(bottom)
        for one in placed:
            one.what.draw(part, one.x, one.y)
    for part in noting:
        sheet.paste(part)
    _frame(sheet, noting[0].drawn, noting[1].drawn, "gone")
    _frame(sheet, noting[1].drawn, noting[0].drawn, "new")
    width = lefts[1] + wide + MARGIN
    bottom = _list(sheet, changes, max(bottoms) + 2 * MARGIN, width - 2 * MARGIN)
    middle = lefts[1] - BETWEEN / 2
    sheet.line((middle, MARGIN), (middle, max(bottoms)), stroke=GRAY, stroke_width=1.0)
    title = f"Game {after.game}, commits {before.version} and {after.version} side by side"
    return sheet.document(width, bottom + MARGIN, title, " ".join(changes) or "Nothing changed.")


def _frame(sheet: Sheet, mine: Sequence[Drawn], theirs: Sequence[Drawn], alone: str) -> None:
    """Draw frames around what is drawn otherwise on the other side, or not at all, which is called `alone`."""
    looks: dict[tuple[str, ...], list[list[object]]] = {}
    for one in theirs:
        looks.setdefault(one.path, []).append(one.look)
    for one in mine:
        found = looks.get(one.path)
        if found is None:
            one.frame(sheet, alone)
        elif one.look not in found:
            one.frame(sheet, "changed")


def _list(sheet: Sheet, changes: Sequence[str], y: float, width: float) -> float:
    """Write what changed, a line each; gives where the list ends."""
    head = "Dashed frames mark what differs:" if changes else "Nothing differs."
    sheet.text(MARGIN, y, head, HEADING, font_weight="bold", fill=BLACK)
    for change in changes:
        for number, line in enumerate(wrap(f"· {change}", width, TEXT)):
            y += TEXT + 5
            sheet.text(MARGIN + (TEXT if number else 0), y, line, TEXT, fill=DARK)
    return y
