"""A sheet to draw on: SVG elements with absolute places, in the order in which they are drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from content.vocabulary.base import Icon
from projections.board.fonts import FAMILY
from projections.board.icons import symbol

BLACK, DARK, GRAY, PALE, WHITE = "#000000", "#333333", "#666666", "#dddddd", "#ffffff"
CARD = "#fff3c4"

CONTROLS = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML forbids, even escaped."""

Point = tuple[float, float]


class Sheet:
    """Collects what is drawn."""

    def __init__(self, side: str = "") -> None:
        """Begin one; where two are pasted into a third, each is a `side` whose links stay within it."""
        self._parts: list[str] = []
        self._icons: set[Icon] = set()
        self._side = side

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

    def icon(self, x: float, y: float, size: float, name: Icon) -> None:
        """A small drawing in a square."""
        self._icons.add(name)
        self._add("use", href=f"#icon-{name}", x=x, y=y, width=size, height=size)

    @contextmanager
    def group(self, name: str, title: str, goal: str = "") -> Iterator[None]:
        """Group what is drawn within, under a title that a pointer shows; links to a `goal` lead here."""
        look: dict[str, str | float] = {"data_what": name, **({"id": f"{self._side}{goal}"} if goal else {})}
        self._parts.append(f"<g{_attributes(look)}><title>{clean(title)}</title>")
        yield
        self._parts.append("</g>")

    @contextmanager
    def link(self, goal: str, title: str) -> Iterator[None]:
        """Make what is drawn within a link to a goal in the same picture."""
        self._parts.append(f"<a{_attributes({'href': f'#{self._side}{goal}'})}><title>{clean(title)}</title>")
        yield
        self._parts.append("</a>")

    def paste(self, other: Sheet) -> None:
        """Take over all that is drawn on another sheet, at the same places."""
        self._parts += other._parts
        self._icons |= other._icons

    def document(self, width: float, height: float, title: str, description: str, shown: float | None = None) -> str:
        """The whole picture, on the screen as wide as `shown`."""
        scale = (shown or width) / width
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}" width="{_number(width * scale)}" '
            f'height="{_number(height * scale)}" role="graphics-document" aria-labelledby="board-title board-desc" font-family="{FAMILY}">'
        )
        named = f'<title id="board-title">{clean(title)}</title>\n<desc id="board-desc">{clean(description)}</desc>'
        paper = f'<rect x="0" y="0" width="{_number(width)}" height="{_number(height)}" fill="{WHITE}"/>'
        symbols = [f"<defs>{''.join(symbol(icon) for icon in sorted(self._icons))}</defs>"] if self._icons else []
        return "\n".join([head, named, *symbols, paper, *self._parts, "</svg>"]) + "\n"

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
