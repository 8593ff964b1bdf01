"""Walking typed content: every Struct of a pack with its place and with what it stands in."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import msgspec

from content.positions import Trail
from content.vocabulary.base import Word

W = TypeVar("W", bound=Word)
A = TypeVar("A", bound=Word)


class Finding(NamedTuple):
    """A mistake that a check has found, at the end of `trail` (which begins at the pack)."""

    trail: Trail
    message: str
    suggestion: str = ""
    key: bool = False
    """It is the key that is wrong, not what it holds."""


class Spot(NamedTuple, Generic[W]):
    """A Struct somewhere in a pack."""

    trail: Trail
    value: W
    above: "Spot[Any] | None" = None
    """The Struct that holds it; None: it is a piece of its own."""

    def inside(self, *kinds: type[A]) -> "Spot[A] | None":
        """Return the nearest Struct of these kinds that it stands in, itself included."""
        spot: Spot[Any] | None = self
        while spot is not None and not isinstance(spot.value, kinds):
            spot = spot.above
        return spot

    def at(self, *steps: str | int) -> Trail:
        """Lead on from here."""
        return (*self.trail, *steps)


class Survey:
    """All that one run of the checker looks at: the pieces that could be read, and the pack if it is whole."""

    def __init__(self, pieces: Mapping[Trail, Word]) -> None:
        """Walk every piece once.

        Args:
            pieces: by trail, `("tiles", 3)` or `("head",)`.
        """
        self.pieces = [Spot(trail, value) for trail, value in pieces.items()]
        self.spots = [spot for piece in self.pieces for spot in walk(piece)]
        self._kinds: dict[type[Word], list[Spot[Any]]] = {}
        self._children: dict[Trail, list[Spot[Any]]] = {}
        for spot in self.spots:
            self._kinds.setdefault(type(spot.value), []).append(spot)
            if spot.above is not None:
                self._children.setdefault(spot.above.trail, []).append(spot)

    def of(self, kind: type[W]) -> list[Spot[W]]:
        """Return every Struct of a kind, wherever it stands."""
        return self._kinds.get(kind, [])

    def children(self, spot: Spot[Any]) -> list[Spot[Any]]:
        """Return the Structs that stand directly in one of the pack."""
        return self._children.get(spot.trail, [])

    def strings(self, union: object) -> Iterator[tuple[Spot[Any], Trail, str]]:
        """Find every text that stands in a field of type `Who` or `Place`.

        Args:
            union: `Who` or `Place`.

        Yields:
            The Struct that holds the text, the text's place, the text.
        """
        for kind, spots in self._kinds.items():
            if _fields_of(kind, union)[0]:
                for spot in spots:
                    for trail, text in strings(spot, union):
                        yield spot, trail, text


def strings(spot: Spot[Any], union: object) -> Iterator[tuple[Trail, str]]:
    """Find the texts that stand in the `Who` or `Place` fields of one Struct."""
    kind: type[Word] = type(spot.value)
    fields, values = _fields_of(kind, union)
    for field, value in zip(fields, values(spot.value), strict=True):
        if isinstance(value, str):
            yield spot.at(field), value


def walk(spot: Spot[Any]) -> Iterator[Spot[Any]]:
    """Visit a Struct and all that stands in it, depth first, in the order of the fields."""
    yield spot
    for child in children(spot):
        yield from walk(child)


def children(spot: Spot[Any]) -> Iterator[Spot[Any]]:
    """Return the Structs that stand directly in a Struct's fields, in lists and mappings too."""
    kind: type[Word] = type(spot.value)
    fields, values = _branches(kind)
    for field, value in zip(fields, values(spot.value), strict=True):
        if value.__class__ not in _LEAVES:
            yield from _structs(value, (*spot.trail, field), spot)


_LEAVES = {type(None), str, int, bool}


def _structs(value: object, trail: Trail, above: Spot[Any]) -> Iterator[Spot[Any]]:
    match value:
        case Word():
            yield Spot(trail, value, above)
        case list():
            for index, item in enumerate(value):
                yield from _structs(item, (*trail, index), above)
        case dict():
            for key, item in value.items():
                yield from _structs(item, (*trail, key), above)


def given(value: Word, names: Iterable[str]) -> list[str]:
    """Return which of some fields say something, that is: differ from their defaults."""
    fields = tuple(names)
    defaults = _defaults(type(value), fields)
    values = getter(fields)(value)
    return [
        name
        for name, one, default in zip(fields, values, defaults, strict=True)
        if one is not default and one != default
    ]


def written(kind: type[Word], name: str) -> str:
    """Return a field's name as it stands in a file: `if_` is written `if`."""
    return _names(kind)[name]


@cache
def _names(kind: type[Word]) -> dict[str, str]:
    return dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


@cache
def getter(names: tuple[str, ...]) -> Callable[[Word], tuple[object, ...]]:
    """Return what reads several fields of a Struct at once: with forty fields that is many times as quick."""
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),)
    return attrgetter(*names) if names else lambda _value: ()


Fields = tuple[tuple[str, ...], Callable[[Word], tuple[object, ...]]]
"""Names of fields as they stand in files, and what reads them."""


@cache
def _branches(kind: type[Word]) -> Fields:
    """Return the fields that can hold Structs."""
    fields = [field for field in msgspec.structs.fields(kind) if _can_hold_structs(field.type)]
    return tuple(field.encode_name for field in fields), getter(tuple(field.name for field in fields))


def _can_hold_structs(annotation: object) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Word):
        return True
    return any(_can_hold_structs(part) for part in get_args(annotation))


@cache
def _defaults(kind: type[Word], names: tuple[str, ...]) -> tuple[object, ...]:
    defaults = {
        field.name: field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
        for field in msgspec.structs.fields(kind)
    }
    return tuple(defaults[name] for name in names)


@cache
def _fields_of(kind: type[Word], union: object) -> Fields:
    wanted = set(get_args(union))
    fields = [field for field in msgspec.structs.fields(kind) if wanted <= set(get_args(field.type))]
    return tuple(field.encode_name for field in fields), getter(tuple(field.name for field in fields))
