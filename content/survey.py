"""Walking typed content: every Struct of a pack with its place and with what contains it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import msgspec

from content.errors import Finding, Trail
from content.vocabulary.base import Word

W = TypeVar("W", bound=Word)
A = TypeVar("A", bound=Word)


class Spot(NamedTuple, Generic[W]):
    """A Struct somewhere in a pack."""

    trail: Trail
    value: W
    above: Spot[Any] | None = None
    """The Struct that holds it; None: it is a piece of its own."""

    def inside(self, *kinds: type[A]) -> Spot[A] | None:
        """Return the nearest Struct of these kinds that contains it, itself included."""
        spot: Spot[Any] | None = self
        while spot is not None and not isinstance(spot.value, kinds):
            spot = spot.above
        return spot

    def at(self, *steps: str | int) -> Trail:
        """Lead on from here."""
        return (*self.trail, *steps)


class Memory:
    """What is known of pieces from an earlier check: the same object at the same place has the same to say."""

    def __init__(self) -> None:
        self._walked: dict[Trail, list[Spot[Any]]] = {}
        self._found: dict[Trail, tuple[Spot[Any], list[Finding]]] = {}
        self._shared: dict[Trail, Word] = {}
        self._of_shared: list[Finding] = []
        self._of_haunts: dict[Trail, tuple[Word, list[Finding]]] = {}

    def walk(self, trail: Trail, value: Word) -> list[Spot[Any]]:
        """Return a piece and everything in it."""
        known = self._walked.get(trail)
        if known is None or known[0].value is not value:
            known = self._walked[trail] = walk(Spot(trail, value))
        return known

    def find(self, piece: Spot[Any], look: Callable[[Survey], Iterator[Finding]]) -> list[Finding]:
        """Return what is found in a piece by itself."""
        known = self._found.get(piece.trail)
        if known is None or known[0] is not piece:
            known = self._found[piece.trail] = (piece, list(look(Survey({piece.trail: piece.value}, memory=self))))
        return known[1]

    def advise(self, pieces: Mapping[Trail, Word], look: Callable[[Survey], Iterator[Finding]]) -> list[Finding]:
        """Return what is found in each haunt beside what all haunts share: no haunt matters to another one."""
        haunts = {trail: value for trail, value in pieces.items() if trail[0] == "haunts"}
        shared = {trail: value for trail, value in pieces.items() if trail not in haunts}
        if shared.keys() != self._shared.keys() or any(shared[trail] is not self._shared[trail] for trail in shared):
            self._shared = shared
            self._of_haunts.clear()
        known = {trail for trail, (value, _) in self._of_haunts.items() if haunts.get(trail) is value}
        changed = {trail: value for trail, value in haunts.items() if trail not in known}
        if changed or not known:
            found = list(look(Survey({**shared, **changed}, memory=self)))
            self._of_shared = [finding for finding in found if finding.trail[0] != "haunts"]
            for trail, value in changed.items():
                self._of_haunts[trail] = (value, [finding for finding in found if finding.trail[:2] == trail])
        return [*self._of_shared, *(finding for trail in haunts for finding in self._of_haunts[trail][1])]


class Survey:
    """All that one run of the checker looks at: the pieces that could be read, and the pack if it is whole."""

    def __init__(
        self,
        pieces: Mapping[Trail, Word],
        beside: Mapping[Trail, Word] | None = None,
        memory: Memory | None = None,
    ) -> None:
        """Walk every piece once.

        Args:
            pieces: by trail, `("tiles", 3)` or `("head",)`.
            beside: pieces that were checked before and are only there to be named.
            memory: of an earlier survey, whose pieces are not walked again.
        """
        walked = [(memory or Memory()).walk(trail, value) for trail, value in pieces.items()]
        self.pieces = [spots[0] for spots in walked]
        self.spots = [spot for spots in walked for spot in spots]
        self._inside = {spots[0].trail: spots for spots in walked}
        self._kinds: dict[type[Word], list[Spot[Any]]] = {}
        self._children: dict[Trail, list[Spot[Any]]] = {}
        for spot in [*(Spot(trail, value) for trail, value in (beside or {}).items()), *self.spots]:
            self._kinds.setdefault(type(spot.value), []).append(spot)
            if spot.above is not None:
                self._children.setdefault(spot.above.trail, []).append(spot)

    def of(self, kind: type[W]) -> list[Spot[W]]:
        """Return every Struct of a kind, wherever it is."""
        return self._kinds.get(kind, [])

    def inside(self, piece: Spot[Any], kind: type[W]) -> list[Spot[W]]:
        """Return every Struct of a kind in one piece."""
        return [spot for spot in self._inside.get(piece.trail, ()) if type(spot.value) is kind]

    def children(self, spot: Spot[Any]) -> list[Spot[Any]]:
        """Return the Structs directly in one of the pack."""
        return self._children.get(spot.trail, [])

    def strings(self, union: object) -> Iterator[tuple[Spot[Any], Trail, str]]:
        """Find every text in a field of type `Who` or `Place`.

        Args:
            union: `Who` or `Place`.

        Yields:
            The Struct that holds the text, the text's place, the text.
        """
        fields_of = naming(union)
        for kind, spots in self._kinds.items():
            if fields_of(kind)[0]:
                for spot in spots:
                    for trail, text in strings(spot, fields_of):
                        yield spot, trail, text


def strings(spot: Spot[Any], fields_of: Callable[[type[Word]], Fields]) -> list[tuple[Trail, str]]:
    """Return the texts in some fields of one Struct, with their places."""
    kind: type[Word] = type(spot.value)
    fields, values = fields_of(kind)
    if not fields:
        return []
    found = zip(fields, values(spot.value), strict=True)
    return [(spot.at(field), value) for field, value in found if isinstance(value, str)]


def walk(spot: Spot[Any]) -> list[Spot[Any]]:
    """Return a Struct and everything in it, depth first, in the order of the fields."""
    found = [spot]
    for child in children(spot):
        found += walk(child)
    return found


def children(spot: Spot[Any]) -> list[Spot[Any]]:
    """Return the Structs directly in a Struct's fields, in lists and mappings too."""
    kind: type[Word] = type(spot.value)
    fields, values = _branches(kind)
    found: list[Spot[Any]] = []
    for field, value in zip(fields, values(spot.value), strict=True):
        if value.__class__ not in _LEAVES:
            _add_structs(found, value, (*spot.trail, field), spot)
    return found


_LEAVES = {type(None), str, int, bool}


def _add_structs(found: list[Spot[Any]], value: object, trail: Trail, above: Spot[Any]) -> None:
    match value:
        case Word():
            found.append(Spot(trail, value, above))
        case list():
            for index, item in enumerate(value):
                if item.__class__ not in _LEAVES:
                    _add_structs(found, item, (*trail, index), above)
        case dict():
            for key, item in value.items():
                if item.__class__ not in _LEAVES:
                    _add_structs(found, item, (*trail, key), above)


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
    """Return a field's name as written in a file: `if_` is written `if`."""
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


Check = Callable[[Survey], Iterator[Finding]]
"""What looks at a pack, or a part of it, and says what is wrong."""

Fields = tuple[tuple[str, ...], Callable[[Word], tuple[object, ...]]]
"""Names of fields as written in files, and what reads them."""


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
def naming(*unions: object) -> Callable[[type[Word]], Fields]:
    """Return what finds the fields of a Struct that are `Who` or `Place`."""
    wanted = [set(get_args(union)) for union in unions]

    @cache
    def fields_of(kind: type[Word]) -> Fields:
        fields = [
            field
            for field in msgspec.structs.fields(kind)
            if any(members <= set(get_args(field.type)) for members in wanted)
        ]
        return tuple(field.encode_name for field in fields), getter(tuple(field.name for field in fields))

    return fields_of
