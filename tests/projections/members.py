"""Members of families of commands: all of them, and some that lie one step outside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, combinations, product

import msgspec

from domain.facts.commands import AnyCommand
from projections.choices.families import Division, Faces, Family, Field, OneOf, Places, Subset


def members(family: Family) -> list[AnyCommand]:
    """Every command of a family."""
    names = [field.field for field in family.fields]
    return [
        _command({**family.fixed, **dict(zip(names, values, strict=True))})
        for values in product(*(_values(field) for field in family.fields))
    ]


def neighbors(family: Family) -> Iterator[AnyCommand]:
    """Commands in which one field breaks its constraint by one step; those that are not even well formed are left out."""
    inside = msgspec.to_builtins(family.example)
    for field in family.fields:
        for value in _outside(field):
            with suppress(msgspec.ValidationError):
                yield _command({**inside, field.field: value})


def _command(members: dict[str, object]) -> AnyCommand:
    command: AnyCommand = msgspec.convert(members, AnyCommand)
    return command


def _values(field: Field) -> list[object]:
    if isinstance(field, OneOf):
        return list(field.values)
    if isinstance(field, Division):
        every = product(*(range(cap + 1) for cap in field.caps.values()))
        fitting = [
            dict(zip(field.caps, points, strict=True)) for points in every if field.least <= sum(points) <= field.total
        ]
        return [{trait: share for trait, share in points.items() if share} for points in fitting]
    if isinstance(field, Places):
        return _lists(range(len(field.of)), 0, field.most)
    if isinstance(field, Subset):
        return _lists(field.of, field.least, len(field.of))
    return [list(faces) for faces in product(range(field.least, field.least + 3), repeat=field.dice)]


def _lists(of: range | list[str], least: int, most: int) -> list[object]:
    return [list(one) for one in chain.from_iterable(combinations(of, size) for size in range(least, most + 1))]


def _outside(field: Field) -> Iterator[object]:
    if isinstance(field, OneOf):
        yield "nowhere"
    elif isinstance(field, Division):
        first, cap = next(iter(field.caps.items()))
        yield {first: cap + 1}
        yield {name: min(cap, field.total) for name, cap in field.caps.items()} if len(field.caps) > 1 else {}
        if field.least:
            yield {}
    elif isinstance(field, Places):
        yield [len(field.of)]
        yield [0, 0]
        if field.most < len(field.of):
            yield list(range(field.most + 1))
    elif isinstance(field, Subset):
        yield [*field.of, "dust"]
        yield [field.of[0], field.of[0]] if field.of else ["dust"]
        if field.least:
            yield []
    elif isinstance(field, Faces):
        yield [field.least] * (field.dice + 1)
        yield [field.least] * (field.dice - 1)
