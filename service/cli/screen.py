"""How the command line talks: in colour and wrapped at words on a terminal, in plain whole lines into a pipe, and as the user types."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console
from rich.text import Text

from projections.text.picture import COLUMNS

NARROWEST = 40
"""Columns below which nothing is drawn any more."""

COMMAND = "OMENLOG_COMMAND"
"""The variable in which `./dev` says how its user types `omenlog`."""


def typed() -> str:
    """How the user types this program: `omenlog`, or `./dev omenlog` in a checkout."""
    return os.environ.get(COMMAND) or "omenlog"


def as_typed(text: str) -> str:
    """A text that names commands of this program, as the user types them."""
    return text.replace("`omenlog ", f"`{typed()} ")


def in_checkout() -> bool:
    """Whether this runs from a checkout, in which generated files can be written anew."""
    return (Path(__file__).parents[2] / "pyproject.toml").is_file()


def console(*, err: bool = False) -> Console:
    """The terminal, or where output goes instead."""
    return Console(stderr=err, highlight=False)


def columns(screen: Console | None = None) -> int:
    """How wide a picture may be: the terminal, but not wider than one reads with ease."""
    screen = screen or console()
    return max(NARROWEST, min(COLUMNS, screen.width)) if screen.is_terminal else COLUMNS


def say(text: str | Text = "", *, screen: Console | None = None, indent: int = 0, hang: int = 0) -> None:
    """Print a text as it is; on a terminal, lines are wrapped between words.

    Args:
        text: what to say. Nothing in it is taken for markup.
        screen: where; the standard output unless given.
        indent: columns by which all its lines are moved to the right.
        hang: columns by which a line that is wrapped goes on further to the right.
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
