"""Where everything goes: of all ways to put floors and boxes on a page, the one that prints largest on a sheet of paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from projections.board.boxes import GAP, Box
from projections.board.boxes import WIDTH as BOX
from projections.board.floors import FloorPlan

PAPER = (210.0, 297.0)
"""Of A4, upright or on its side; Letter differs by little."""
ASIDE = (1, 2, 3)
"""Columns of boxes that are tried beside the house."""
LEAST = 3
"""The least number of columns of boxes below the house."""


class Placed(msgspec.Struct, frozen=True):
    """Something with its top left corner."""

    what: FloorPlan | Box
    x: float
    y: float


class Layout(msgspec.Struct, frozen=True):
    """A page, without its margins."""

    width: float
    height: float
    placed: Sequence[Placed]

    def scale(self) -> float:
        """How large it prints, the paper turned whichever way fits better."""
        short, long = PAPER
        return max(min(short / self.width, long / self.height), min(long / self.width, short / self.height))


def arranged(floors: Sequence[FloorPlan], boxes: Sequence[Box]) -> Layout:
    """The layout that prints largest; of several the first, so that it is always the same."""
    return max(
        (one for rows in _splits(floors) for one in _layouts(rows, boxes)), key=lambda one: round(one.scale(), 4)
    )


def _splits(floors: Sequence[FloorPlan]) -> Iterator[list[list[FloorPlan]]]:
    """All ways to set floors below or beside each other, in their order."""
    if len(floors) <= 1:
        yield [list(floors)] if floors else []
        return
    for rest in _splits(floors[1:]):
        yield [[floors[0]], *rest]
        yield [[floors[0], *rest[0]], *rest[1:]]


def _layouts(rows: list[list[FloorPlan]], boxes: Sequence[Box]) -> Iterator[Layout]:
    """Boxes below the house, and beside it."""
    house = list(_house(rows))
    wide = max((sum(plan.width for plan in row) for row in rows), default=0.0)
    high = sum(max(plan.height for plan in row) for row in rows)
    count = max(LEAST, int((wide + GAP) // (BOX + GAP)))
    below, bottom = columns(boxes, count, 0.0, high + GAP if high else 0.0)
    yield Layout(max(wide, count * (BOX + GAP) - GAP), bottom, [*house, *below])
    for count in ASIDE if house else ():
        beside, bottom = columns(boxes, count, wide + GAP, 0.0)
        yield Layout(wide + count * (BOX + GAP), max(high, bottom), [*house, *beside])


def _house(rows: Sequence[Sequence[FloorPlan]]) -> Iterator[Placed]:
    y = 0.0
    for row in rows:
        x = 0.0
        for plan in row:
            yield Placed(plan, x, y)
            x += plan.width
        y += max(plan.height for plan in row)


def columns(boxes: Sequence[Box], count: int, x: float, y: float) -> tuple[list[Placed], float]:
    """Boxes in columns, each in the shortest so far; and where the longest column ends."""
    ends = [y] * count
    found = []
    for box in boxes:
        column = ends.index(min(ends))
        found.append(Placed(box, x + column * (BOX + GAP), ends[column]))
        ends[column] += box.height + GAP
    return found, max(ends) - GAP
