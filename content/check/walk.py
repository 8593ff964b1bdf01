"""Walking typed content: every Struct of a pack with its place and with what it stands in."""

from collections.abc import Iterator, Mapping
from functools import cache
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

    def __init__(self, pieces: Mapping[Trail, Word], beside: Mapping[Trail, Word] | None = None) -> None:
        """Walk every piece once.

        Args:
            pieces: by trail, `("tiles", 3)` or `("head",)`.
            beside: pieces that were checked before and are only there to be named.
        """
        self.pieces = [Spot(trail, value) for trail, value in pieces.items()]
        self.spots = [spot for piece in self.pieces for spot in walk(piece)]
        self._kinds: dict[type[Word], list[Spot[Any]]] = {}
        self._children: dict[Trail, list[Spot[Any]]] = {}
        for spot in [*(Spot(trail, value) for trail, value in (beside or {}).items()), *self.spots]:
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
        for spot in self.spots:
            for trail, text in strings(spot, union):
                yield spot, trail, text


def strings(spot: Spot[Any], union: object) -> Iterator[tuple[Trail, str]]:
    """Find the texts that stand in the `Who` or `Place` fields of one Struct."""
    kind: type[Word] = type(spot.value)
    for name, field in _fields_of(kind, union):
        value = getattr(spot.value, name)
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
    for name, field in _branches(kind):
        value = getattr(spot.value, name)
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


def given(value: Word, name: str) -> bool:
    """Tell whether a field says something, that is: differs from its default."""
    default = _defaults(type(value)).get(name, msgspec.NODEFAULT)
    return bool(getattr(value, name) != default)


def written(kind: type[Word], name: str) -> str:
    """Return a field's name as it stands in a file: `if_` is written `if`."""
    return _names(kind)[name]


@cache
def _names(kind: type[Word]) -> dict[str, str]:
    return dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))


@cache
def _branches(kind: type[Word]) -> tuple[tuple[str, str], ...]:
    """Return the fields that can hold Structs, with their names in files."""
    return tuple(
        (field.name, field.encode_name) for field in msgspec.structs.fields(kind) if _can_hold_structs(field.type)
    )


def _can_hold_structs(annotation: object) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Word):
        return True
    return any(_can_hold_structs(part) for part in get_args(annotation))


@cache
def _defaults(kind: type[Word]) -> dict[str, object]:
    return {
        field.name: field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
        for field in msgspec.structs.fields(kind)
    }


@cache
def _fields_of(kind: type[Word], union: object) -> tuple[tuple[str, str], ...]:
    wanted = set(get_args(union))
    return tuple(
        (field.name, field.encode_name) for field in msgspec.structs.fields(kind) if wanted <= set(get_args(field.type))
    )
