"""A mutation test of the checker: of each kind of mistake two are planted into the packs, and it has to find them."""

from __future__ import annotations

import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from content.errors import Mistake
from content.layout import FileKind
from content.load import Contents, Reading, builtin_packs, read_file
from tests.content.mistakes import house, haunting, names, shapes, steps, tables
from tests.content.mistakes.planters import KINDS, Planted, plant_all
from tests.content.mistakes.text import Source

SEED = 2026

NEAR = 3
"""A mistake is told well if it is told at most so many lines from where it was made."""

TOPICS = (names, shapes, tables, house, steps, haunting)


class Told(NamedTuple):
    """A planted mistake and what the checker said to it."""

    planted: Planted
    said: list[Mistake]

    @property
    def found(self) -> bool:
        """Whether one of the messages names the right file, and a line near the right one."""
        edit = self.planted.edit
        line = self.planted.source.line(edit)
        return any(
            mistake.file == str(edit.file) and (edit.anywhere or abs(mistake.line - line) <= NEAR)
            for mistake in self.said
        )

    def __str__(self) -> str:
        source, edit = self.planted.source, self.planted.edit
        line = source.line(edit)
        place = f"{edit.file.relative_to(source.folder.parent)}:{line}"
        now = "\n".join(source.changed(edit).splitlines()[max(line - 2, 0) : line + 2])
        said = "\n".join(f"  {m}" for m in self.said[:5]) or "  nothing"
        return f"{self.planted.kind}: {place}\n{now}\nsaid:\n{said}"


class Checker:
    """Checks packs with one file changed; the other files are read once."""

    def __init__(self) -> None:
        self._known: dict[Path, Contents] = {}

    def say(self, planted: Planted) -> Told:
        """Check a pack with a mistake in it."""
        edit = planted.edit
        text = planted.source.changed(edit)

        def read(path: Path, kind: FileKind) -> Contents:
            if path == edit.file:
                return read_file(path, kind, text)
            if path not in self._known:
                self._known[path] = read_file(path, kind)
            return self._known[path]

        reading = Reading(planted.source.folder, read)
        reading.check()
        return Told(planted, sorted(set(reading.mistakes)))
