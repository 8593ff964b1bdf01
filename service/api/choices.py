"""What would have been right where one of a few words is expected: the typed decoder tells only what was wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import inspect


def choices(kind: Any, path: Sequence[str]) -> list[str]:  # noqa: ANN401 -- whatever a decoder is made for
    """Find the words that may stand at a place in a body.

    Args:
        kind: the type of the whole body.
        path: names of fields and places in arrays, from the outside in.

    Returns:
        The words, sorted; none where other things than words are expected.
    """
    here = list(_plain(inspect.type_info(kind)))
    for part in path[:-1]:
        here = [one for outer in here for one in _inside(outer, part)]
    found: set[str] = set()
    for outer in here:
        if isinstance(outer, inspect.StructType) and path[-1:] == [outer.tag_field]:
            found.add(str(outer.tag))
        inner = _inside(outer, path[-1]) if path else iter([outer])
        found.update(str(word) for one in inner if isinstance(one, inspect.LiteralType) for word in one.values)
    return sorted(found)


def members(kind: Any, path: Sequence[str]) -> list[str]:  # noqa: ANN401 -- whatever a decoder is made for
    """Find the fields that the object at a place in a body may have; arguments as `choices` has them."""
    here = list(_plain(inspect.type_info(kind)))
    for part in path:
        here = [one for outer in here for one in _inside(outer, part)]
    return sorted(
        {field.encode_name for outer in here if isinstance(outer, inspect.StructType) for field in outer.fields}
    )


def _plain(kind: inspect.Type) -> Iterator[inspect.Type]:
    """The members of a union; anything else as it is, without its constraints."""
    if isinstance(kind, inspect.Metadata):
        yield from _plain(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _plain(one)
    else:
        yield kind


def _inside(kind: inspect.Type, part: str) -> Iterator[inspect.Type]:
    """What may stand in a field or place of it."""
    if isinstance(kind, inspect.StructType):
        for field in kind.fields:
            if field.encode_name == part:
                yield from _plain(field.type)
    elif isinstance(kind, inspect.ListType) and part.isdecimal():
        yield from _plain(kind.item_type)
    elif isinstance(kind, inspect.DictType):
        yield from _plain(kind.value_type)
