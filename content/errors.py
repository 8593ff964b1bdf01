"""Mistakes in content files: where each stands, what is wrong, and what was probably meant."""

import difflib
from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

Trail = tuple[str | int, ...]
"""The way from a root to a place in plain data: keys and list indices."""

Severity = Literal["error", "warning"]
"""An error keeps a pack from being used; a warning names what is allowed and hardly ever meant."""


class Finding(NamedTuple):
    """A mistake in plain data or in a pack, before its line is known."""

    trail: Trail
    message: str
    """What stands there and what was expected."""
    suggestion: str = ""
    """What was probably meant."""
    key: bool = False
    """Wrong is the last key of `trail`, not what it holds."""
    severity: Severity = "error"


class Mistake(msgspec.Struct, frozen=True, order=True):
    """One mistake in one content file; mistakes sort by their place."""

    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1, in characters."""
    message: str
    """What stands there and what was expected."""
    suggestion: str = ""
    """What was probably meant; empty where nothing comes near."""
    severity: Severity = "error"

    def __str__(self) -> str:
        hint = f": {self.suggestion}" if self.suggestion else ""
        kind = "warning: " if self.severity == "warning" else ""
        return " ".join(f"{self.file}:{self.line}:{self.column}: {kind}{self.message}{hint}".split("\n"))


class ContentErrors(Exception):
    """A pack, or the rule ledger, cannot be used; `mistakes` holds every reason that was found, sorted by place."""

    def __init__(self, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = sorted(set(mistakes))
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))


def errors_of(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Return those that keep a pack from being used."""
    return [mistake for mistake in mistakes if mistake.severity == "error"]


def did_you_mean(written: str, known: Iterable[str]) -> str:
    """Suggest the known name that is nearest to what was written, in whichever case.

    Returns:
        ``did you mean `nearest`?``, or nothing where no known name comes near.
    """
    names = {name.lower(): name for name in sorted(known)}
    near = difflib.get_close_matches(written.lower(), names, n=1)
    return f"did you mean `{names[near[0]]}`?" if near else ""


def listed(names: Iterable[str]) -> str:
    """Write names for a message: `` `a`, `b`, `c` ``."""
    return ", ".join(f"`{name}`" for name in names)
