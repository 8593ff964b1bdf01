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

OF_EACH = 2

PLANTED = 200

MISSED = 0.05
"""The share of planted mistakes that may be missed."""

SECONDS = 20
"""Processor time for all of them: what an author waits for is a hundredth of it."""

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


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """Return the built-in packs as text."""
    return [Source(folder) for folder in builtin_packs().values()]


def test_of_two_hundred_planted_mistakes_at_least_95_in_a_hundred_are_told_where_they_are(sources: list[Source]) -> None:
    planted = plant_all(sources, SEED, OF_EACH)
    assert len(planted) == OF_EACH * len(KINDS) == PLANTED
    checker = Checker()
    began = time.process_time()
    told = [checker.say(one) for one in planted]
    spent = time.process_time() - began
    missed = [one for one in told if not one.found]
    print(score(told, spent))
    for one in missed:
        print(f"\n{one}")
    assert len(missed) <= MISSED * PLANTED
    assert spent < SECONDS


def test_a_pack_without_mistakes_is_told_none(sources: list[Source]) -> None:
    for source in sources:
        reading = Reading(source.folder)
        reading.check()
        assert reading.mistakes == []


def test_every_mistake_is_told_with_a_place_in_the_file(sources: list[Source]) -> None:
    checker = Checker()
    for one in plant_all(sources, SEED + 1, 1):
        for mistake in checker.say(one).said:
            lines = (one.source.changed(one.edit) if mistake.file == str(one.edit.file) else "").splitlines()
            assert mistake.message
            assert mistake.line >= 1
            assert mistake.column >= 1
            assert not lines or mistake.line <= len(lines) + 1


def score(told: list[Told], seconds: float) -> str:
    """Say how many of each topic and kind were found."""
    topics: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in told:
        plant = next(kind.plant for kind in KINDS if kind.name == one.planted.kind)
        topics[plant.__module__.rpartition(".")[2]][one.planted.kind].append(one.found)
    lines = []
    for topic, kinds in topics.items():
        found = [yes for results in kinds.values() for yes in results]
        lines.append(f"{topic}: {sum(found)} of {len(found)}")
        lines += [f"  {sum(results)} of {len(results)}  {name}" for name, results in kinds.items()]
    found = [one.found for one in told]
    lines.append(f"{sum(found)} of {len(found)} planted mistakes found, {seconds:.1f} s")
    return "\n".join(lines)
