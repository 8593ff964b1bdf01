"""Names: misspelt verbs, fields and words, and names of things that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Literal, get_args, get_origin

import yaml

from content.vocabulary.base import Word
from content.vocabulary.effects import (
    VERBS,
    CounterChange,
    Effect,
    Monsters,
    Move,
    PlaceMonster,
    PlaceTile,
    RemoveToken,
    TakeCard,
    Token,
)
from content.vocabulary.pack import Action, Chart, Explorer, Haunt, Link, Ruling, Seek, Standing, TraitorRule
from content.vocabulary.values import Condition, Count, Each, Number, Rooms
from tests.content.check.mistakes.planters import kind
from tests.content.check.mistakes.text import At, Edit, Node, Source, fields_of, misspelt

NAMES: dict[str, tuple[tuple[type[Word], str], ...]] = {
    "tile": (
        (Condition, "in-house"),
        (Condition, "any-in-house"),
        (Rooms, "one-of"),
        (PlaceTile, "tile"),
        (Link, "to"),
        (Standing, "spared"),
        (Seek, "room"),
        (Chart, "rooms"),
        (Move, "to"),
        (PlaceMonster, "at"),
    ),
    "card": ((Condition, "carrying"), (Condition, "in-play"), (Effect, "give"), (Chart, "omens")),
    "token": (
        (Condition, "token"),
        (Condition, "token-in-house"),
        (Token, "token"),
        (RemoveToken, "token"),
        (Rooms, "with-token"),
        (Rooms, "without-token"),
        (Rooms, "next-to-token"),
        (Seek, "token"),
        (Seek, "without-token"),
    ),
    "monster": ((Count, "monsters"), (PlaceMonster, "kind"), (Monsters, "kind"), (Each, "kind")),
    "counter": ((Condition, "counter"), (CounterChange, "counter"), (Number, "counter")),
    "block": ((Effect, "run"),),
    "explorer": ((TraitorRule, "explorer"), (Explorer, "other-side")),
    "haunt": ((Chart, "haunts"),),
}
"""Fields that name something, by what they name; as an author finds them in the manual."""

OTHER_WORDS = {"here", "any", "placed-room", "target-room", "that-room", "other-token", "room-of-haunt"}

WHO_FIELDS: tuple[tuple[type[Word], str], ...] = ((Effect, "who"), (TakeCard, "from"), (Action, "target"))


def _scalars(node: Node) -> Iterator[Node]:
    """Return a scalar, or the scalars of a list or the values of a mapping."""
    value = node.value.value
    if isinstance(value, str):
        yield node
        return
    for item in value:
        yield from _scalars(Node(*item) if isinstance(item, tuple) else Node(item, item))


def _fields(source: Source, fields: tuple[tuple[type[Word], str], ...]) -> Iterator[tuple[At[Any], Node]]:
    for cls, field in fields:
        for at in source.of(cls):
            for node in at.written(field):
                if isinstance(node.value.value, str) or cls in {Rooms, Condition, Standing, Chart}:
                    yield from ((at, scalar) for scalar in _scalars(node))


@kind("a verb is misspelt")
def verbs(source: Source, rng: Random) -> Iterator[Edit]:
    """`gian` for `gain`."""
    for at in source.of(Effect):
        for verb in VERBS:
            for node in at.written(verb.replace("_", "-")):
                yield at.rename(node, misspelt(node.key.value, rng))


@kind("a field is misspelt")
def fields(source: Source, rng: Random) -> Iterator[Edit]:
    """`tilte` for `title`, wherever fields are."""
    for at in source.everything():
        verbs = {verb.replace("_", "-") for verb in VERBS} if isinstance(at.value, Effect) else set()
        for name in type(at.value).__struct_encode_fields__:
            for node in at.written(name):
                if name not in verbs and len(name) > 2:
                    yield at.rename(node, misspelt(name, rng))


@kind("a word of a closed list is misspelt")
def words(source: Source, rng: Random) -> Iterator[Edit]:
    """`mihgt` for `might`, `omne` for `omen`."""
    for at in source.everything():
        for field in fields_of(at.kind):
            if "Literal" in str(field.type) and not _takes_any_text(field.type):
                for node in at.written(field.encode_name):
                    for scalar in [] if isinstance(node.value, yaml.MappingNode) else _scalars(node):
                        if scalar.value.value.isalpha():
                            yield at.replace(scalar.value, misspelt(scalar.value.value, rng))


def _takes_any_text(annotation: object) -> bool:
    return annotation is str or (
        get_origin(annotation) is not Literal and any(_takes_any_text(part) for part in get_args(annotation))
    )


def _unknown(what: str, source: Source, rng: Random) -> Iterator[Edit]:
    for at, node in _fields(source, NAMES[what]):
        name = node.value.value
        if name and name not in OTHER_WORDS and ":" not in name and not name.isdigit():
            yield at.replace(node.value, source.unknown(name, rng))


for _what in NAMES:

    def _plant(source: Source, rng: Random, what: str = _what) -> Iterator[Edit]:
        return _unknown(what, source, rng)

    kind(f"no {_what} has this name")(_plant)


@kind("no rule has this id")
def rules(source: Source, _rng: Random) -> Iterator[Edit]:
    """`2E-ROOM-404`, beside a step or in a ruling's text."""
    for at in source.of(Effect):
        for node in at.written("rule"):
            yield at.replace(node.value, node.value.value[:-3] + "404")
    for ruling in source.of(Ruling):
        for node in ruling.written("text"):
            if "(2E-ROOM-0" in node.value.value:
                yield ruling.replace(node.value, ruling.text_of(node.value).replace("2E-ROOM-0", "2E-ROOM-9"))


@kind("nobody is called so")
def people(source: Source, rng: Random) -> Iterator[Edit]:
    """`tarjet` for `target`, `nearest-hero` for `nearest-explorer`."""
    for at, node in _fields(source, WHO_FIELDS):
        if isinstance(node.value.value, str):
            wrong = [misspelt(node.value.value, rng), "nearest-hero", "everybody", "holder:", "holder:lantern"]
            yield at.replace(node.value, rng.choice(wrong))


@kind("there is no such place")
def places(source: Source, rng: Random) -> Iterator[Edit]:
    """`tokens:nest` for `token:nest`, `room-of:everybody`."""
    for at, node in _fields(source, ((Move, "to"), (Token, "at"), (PlaceMonster, "at"))):
        if isinstance(node.value.value, str):
            wrong = ["tokens:nest", "token:nothing", "room-of:everybody", "there", "token:", "placed_room"]
            yield at.replace(node.value, f'"{rng.choice(wrong)}"')


@kind("a text that nobody has written is told")
def tales(source: Source, _rng: Random) -> Iterator[Edit]:
    """`tell` names a text that no book of the haunt holds."""
    for at in source.of(Effect):
        if at.spot.inside(Haunt) is not None:
            yield at.before("{tell: {side: heroes, text: the-secret}}")
