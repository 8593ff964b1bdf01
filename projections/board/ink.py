"""A sheet to draw on: SVG elements with absolute places, in the order in which they are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from projections.board.fonts import FAMILY

BLACK, DARK, GRAY, PALE, WHITE = "#000000", "#333333", "#666666", "#dddddd", "#ffffff"
CARD = "#fff3c4"

CONTROLS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids, even escaped."""

Point = tuple[float, float]


class Sheet:
    """Collects what is drawn."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def rect(self, x: float, y: float, width: float, height: float, **look: str | float) -> None:
        """A rectangle."""
        self._add("rect", x=x, y=y, width=width, height=height, **look)

    def circle(self, x: float, y: float, radius: float, **look: str | float) -> None:
        """A circle around a point."""
        self._add("circle", cx=x, cy=y, r=radius, **look)

    def line(self, start: Point, end: Point, **look: str | float) -> None:
        """A line."""
        self._add("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], **look)

    def polygon(self, points: Sequence[Point], **look: str | float) -> None:
        """A closed shape."""
        self._add("polygon", points=_points(points), **look)

    def polyline(self, points: Sequence[Point], **look: str | float) -> None:
        """A line with corners."""
        self._add("polyline", points=_points(points), fill="none", **look)

    def text(self, x: float, y: float, words: str, size: float, **look: str | float) -> None:
        """A line of text; `y` is its base line, `x` its left end, or its middle with `text_anchor="middle"`."""
        self._parts.append(f"<text{_attributes({'x': x, 'y': y, 'font_size': size, **look})}>{clean(words)}</text>")

    @contextmanager
    def group(self, name: str, title: str) -> Iterator[None]:
        """Group what is drawn within, under a title that a pointer shows."""
        self._parts.append(f"<g{_attributes({'data_what': name})}><title>{clean(title)}</title>")
        yield
        self._parts.append("</g>")

    def paste(self, other: Sheet) -> None:
        """Take over all that is drawn on another sheet, at the same places."""
        self._parts += other._parts

    def document(self, width: float, height: float, title: str, description: str) -> str:
        """The whole picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}" width="{_number(width)}" '
            f'height="{_number(height)}" role="img" aria-labelledby="board-title board-desc" font-family="{FAMILY}">'
        )
        named = f'<title id="board-title">{clean(title)}</title>\n<desc id="board-desc">{clean(description)}</desc>'
        paper = f'<rect x="0" y="0" width="{_number(width)}" height="{_number(height)}" fill="{WHITE}"/>'
        return "\n".join([head, named, paper, *self._parts, "</svg>"]) + "\n"

    def _add(self, element: str, **attributes: str | float) -> None:
        self._parts.append(f"<{element}{_attributes(attributes)}/>")


def clean(text: str) -> str:
    """A text escaped for XML, within an element or in quotes."""
    return escape(CONTROLS.sub("\ufffd", text), quote=True)


def _attributes(given: dict[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{clean(value) if isinstance(value, str) else _number(value)}"'
        for name, value in given.items()
    )


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    """Tenths are fine enough, and the same on every machine."""
    return f"{value:.1f}".removesuffix(".0")
