"""A mutation test of the checker: of each kind of mistake one is planted into the packs (twenty at length), and it has to find them."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from content.errors import Mistake
from content.load.layout import FileKind
from content.load.packs import Contents, Reading, builtin_packs, read_file
from content.survey import Memory
from tests.content.check.mistakes import haunting, house, logic, names, shapes, steps, tables
from tests.content.check.mistakes.planters import KINDS, Planted, plant_all
from tests.content.check.mistakes.text import Source

SEED = 2026

PLANTED = 124
"""By default: one of each kind."""

FOUND = 0.95
"""The share of planted mistakes that has to be found."""

NEAR = 3
"""A mistake is told well if it is told at most so many lines from where it was made."""

TOPICS = (names, shapes, tables, house, steps, haunting, logic)


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
        self._memories: defaultdict[Path, Memory] = defaultdict(Memory)

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
        reading.check(self._memories[planted.source.folder])
        return Told(planted, sorted(set(reading.mistakes)))


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """Return the built-in packs as text."""
    return [Source(folder) for folder in builtin_packs().values()]


@pytest.fixture(scope="module")
def told(sources: list[Source]) -> list[Told]:
    """Plant one mistake of each kind after the other, and hear what is said to each."""
    checker = Checker()
    return [checker.say(one) for one in plant_all(sources, SEED, 1)]


def test_of_the_planted_mistakes_95_in_a_hundred_are_told_where_they_are(told: list[Told]) -> None:
    assert len(told) == len(KINDS) == PLANTED
    sys.stdout.write(score(told))
    assert sum(one.found for one in told) >= FOUND * PLANTED


def test_every_message_points_into_the_file_as_it_is_now(told: list[Told]) -> None:
    for one in told:
        edit = one.planted.edit
        lines = one.planted.source.changed(edit).split("\n")
        for mistake in one.said:
            assert mistake.message
            assert mistake.line >= 1
            assert mistake.column >= 1
            if mistake.file == str(edit.file):
                assert mistake.line <= len(lines)
                assert mistake.column <= len(lines[mistake.line - 1]) + 1


def test_a_checker_that_remembers_what_has_not_changed_says_the_same(told: list[Told]) -> None:
    for one in told[::20]:
        assert Checker().say(one.planted).said == one.said


@pytest.mark.prove
def test_of_twenty_others_of_each_kind_as_many_are_told(sources: list[Source]) -> None:
    checker = Checker()
    said = [checker.say(one) for one in plant_all(sources, SEED + 1, 20, at_most=True)]
    sys.stdout.write(score(said))
    assert sum(one.found for one in said) >= FOUND * len(said)


def score(told: list[Told]) -> str:
    """Say how many of each topic and kind were found, and show what was missed."""
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
    lines.append(f"{sum(found)} of {len(found)} planted mistakes found\n")
    lines += [f"missed: {one}\n" for one in told if not one.found]
    return "\n".join(lines)
