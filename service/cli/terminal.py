"""How the command line prints: colored and wrapped on a terminal, in plain whole lines into a pipe, naming commands as the user types them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import rich_click as click
from rich.console import Console
from rich.text import Text

from projections.text.picture import COLUMNS

NARROWEST = 40
"""The least width, in columns, that pictures are drawn for."""

COMMAND = "OMENLOG_COMMAND"
"""The variable in which `./dev` says how its user types `omenlog`."""


def typed() -> str:
    """How the user types this program: `omenlog`, or `./dev omenlog` in a checkout."""
    return os.environ.get(COMMAND) or "omenlog"


def as_typed(text: str) -> str:
    """A text that names commands as the user types them."""
    return text.replace("`omenlog ", f"`{typed()} ")


def in_checkout() -> bool:
    """Whether this runs from a checkout, where generated files can be rewritten."""
    return (Path(__file__).parents[2] / "pyproject.toml").is_file()


def console() -> Console:
    """Standard output."""
    return Console(highlight=False)


def columns(screen: Console | None = None) -> int:
    """The width of a picture: the terminal's, up to what is easy to read."""
    screen = screen or console()
    return max(NARROWEST, min(COLUMNS, screen.width)) if screen.is_terminal else COLUMNS


def say(text: str | Text = "", *, screen: Console | None = None, indent: int = 0, hang: int = 0) -> None:
    """Print a text, without markup; on a terminal, wrap lines between words.

    Args:
        text: what to print.
        screen: where to; standard output by default.
        indent: columns before every line.
        hang: further columns before the rest of a wrapped line.
    """
    screen = screen or console()
    words = Text(as_typed(text)) if isinstance(text, str) else text
    if not screen.is_terminal:
        for line in words.split(allow_blank=True):
            screen.print(Text(" " * indent) + line, soft_wrap=True)
        return
    for line in words.split(allow_blank=True):
        bare = line.plain
        lead = indent + len(bare) - len(bare.lstrip())
        rest = line[len(bare) - len(bare.lstrip()) :]
        for at, one in enumerate(rest.wrap(screen, max(NARROWEST // 2, screen.width - lead - hang)) or [rest]):
            one.rstrip()
            screen.print(Text(" " * (lead + (hang if at else 0))) + one, soft_wrap=True)


class Ticker:
    """Reports on stderr how far a long command has come, at most once in some seconds."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._told = time.monotonic()

    def tick(self, text: Callable[[], str]) -> None:
        """Print the text if it is time."""
        if time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            click.echo(text(), err=True)
