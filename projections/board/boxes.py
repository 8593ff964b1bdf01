"""Boxes beside the house, all of one width on a page: each knows its height and draws itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from projections.board.chips import HEIGHT, Chip
from projections.board.chips import draw as draw_chip
from projections.board.fonts import wrap
from projections.board.ink import BLACK, CARD, DARK, GRAY, WHITE, Sheet

WIDTH = 308.0
GAP = 14.0
PAD = 10.0
HEADING, TEXT = 13.0, 11.0
"""Font sizes."""

Draw = Callable[[Sheet, float, float], None]
"""Draws with the top left corner at a point."""


class Laid(msgspec.Struct, frozen=True):
    """Something in a box, laid out over its whole width."""

    height: float
    draw: Draw


Piece = Callable[[float], Sequence[Laid]]
"""Lays something out over a width."""


class Box:
    """A box with a heading, and pieces below each other."""

    def __init__(self, name: str, title: str, pieces: Sequence[Piece], width: float = WIDTH) -> None:
        """Lay it out; `name` is for programs."""
        self.name, self.title = name, title
        self._pieces, self._width = pieces, width
        self._laid = [laid for piece in pieces for laid in piece(width - 2 * PAD)]
        self.height = 2 * PAD + sum(one.height for one in self._laid)
        """With its borders; a higher one is left empty below."""

    def over(self, width: float) -> Box:
        """The same box, laid out over another width."""
        return Box(self.name, self.title, self._pieces, width)

    def draw(self, sheet: Sheet, x: float, y: float) -> None:
        """Draw it with its top left corner at a point."""
        with sheet.group(self.name, self.title):
            sheet.rect(x, y, self._width, self.height, fill=WHITE, stroke=GRAY, stroke_width=1.0, rx=4.0)
            y += PAD
            for one in self._laid:
                one.draw(sheet, x + PAD, y)
                y += one.height


def words(text: str, size: float = TEXT, *, bold: bool = False, ink: str = DARK, indent: float = 0.0) -> list[Piece]:
    """Lines of text."""
    look: dict[str, str | float] = {"fill": ink, **({"font_weight": "bold"} if bold else {})}

    def line(found: str) -> Laid:
        return Laid(size + 4, lambda sheet, x, y: sheet.text(x + indent, y + size, found, size, **look))

    return [lambda inside: [line(found) for found in wrap(text, inside - indent, size, bold=bold)]]


def tag(text: str, title: str, name: str) -> Piece:
    """A card by its name, framed; a pointer shows `title`. `name` is for programs."""
    (written,) = words(text, indent=PAD / 2)

    def lay(inside: float) -> list[Laid]:
        lines = written(inside)
        height = sum(line.height for line in lines) + 2

        def draw(sheet: Sheet, x: float, y: float) -> None:
            with sheet.group(name, title):
                sheet.rect(x, y, inside, height, fill=CARD)
                for line in lines:
                    line.draw(sheet, x, y)
                    y += line.height

        return [Laid(height + 2, draw)]

    return lay


def heading(text: str) -> list[Piece]:
    """The heading of a box."""
    return [*words(text, HEADING, bold=True, ink=BLACK), space(3)]


def space(height: float) -> Piece:
    """Nothing."""
    return lambda _inside: [Laid(height, lambda _sheet, _x, _y: None)]


def signed(chip: Chip, text: str, *, bold: bool = False, size: float = TEXT) -> Piece:
    """A sign and what it means."""
    indent = max(34.0, chip.width + 8)
    look: dict[str, str | float] = {"fill": BLACK, **({"font_weight": "bold"} if bold else {})}

    def lay(inside: float) -> list[Laid]:
        lines = wrap(text, inside - indent, size, bold=bold)
        height = max(HEIGHT, len(lines) * (size + 4)) + 6

        def draw(sheet: Sheet, x: float, y: float) -> None:
            draw_chip(sheet, chip, x, y + 3)
            first = y + (height - len(lines) * (size + 4)) / 2 + size
            for number, line in enumerate(lines):
                sheet.text(x + indent, first + number * (size + 4), line, size, **look)

        return [Laid(height, draw)]

    return lay


def cells(values: Sequence[str], size: float, *, now: int, start: int = -1) -> Draw:
    """A row of numbers: the one that counts now white on black, the one at the start underlined."""

    def draw(sheet: Sheet, x: float, y: float) -> None:
        for number, value in enumerate(values):
            left = x + number * size
            sheet.rect(left, y, size, 16.0, fill=BLACK if number == now else WHITE, stroke=GRAY, stroke_width=0.8)
            ink = WHITE if number == now else DARK
            look: dict[str, str | float] = {"text_anchor": "middle", "fill": ink}
            if number == now:
                look["font_weight"] = "bold"
            sheet.text(left + size / 2, y + 12, value, TEXT, **look)
            if number == start:
                sheet.line((left + 4, y + 13.8), (left + size - 4, y + 13.8), stroke=ink, stroke_width=1.5)

    return draw
