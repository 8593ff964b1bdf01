"""The kinds of mistakes: for each a planter that finds every place of a pack where it could be made, and makes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from tests.content.check.mistakes.text import Edit, Source

Planter = Callable[[Source, Random], Iterator[Edit]]
"""Yields the same mistake once for each place where it can be made."""


class Kind(NamedTuple):
    """One kind of mistake."""

    name: str
    plant: Planter


class Planted(NamedTuple):
    """One mistake in one place."""

    kind: str
    source: Source
    edit: Edit


KINDS: list[Kind] = []


def kind(name: str) -> Callable[[Planter], Planter]:
    """Register a planter."""

    def register(plant: Planter) -> Planter:
        KINDS.append(Kind(name, plant))
        return plant

    return register


def plant_all(sources: list[Source], seed: int, of_each: int, *, at_most: bool = False) -> list[Planted]:
    """Plant mistakes of every kind, spread over the files of all packs.

    Args:
        sources: packs without mistakes.
        seed: decides about places and slips.
        of_each: how many of each kind.
        at_most: fewer will do where a kind finds fewer places.

    Raises:
        AssertionError: a kind finds too few places.
    """
    planted = []
    for one in KINDS:
        rng = Random(f"{seed}: {one.name}")
        places = [Planted(one.name, source, edit) for source in sources for edit in one.plant(source, rng)]
        assert at_most or len(places) >= of_each, f"{one.name}: {len(places)} places"
        rng.shuffle(places)
        used: Counter[str] = Counter()
        for _ in range(min(of_each, len(places))):
            rarest = min(places, key=lambda place: used[str(place.edit.file)])
            places.remove(rarest)
            used[str(rarest.edit.file)] += 1
            planted.append(rarest)
    return planted
