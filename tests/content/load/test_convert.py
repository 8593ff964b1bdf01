"""Whatever msgspec refuses is told in an author's words; whatever it takes is left alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from content.load.convert import fit
from content.load.documents import Document
from content.load.layout import LAYOUT
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Card, Tile

REPLACEMENTS: tuple[object, ...] = (None, True, 7, "zzz", [], {}, ["zzz"], {"zzz": 1})


def _mutants(data: object) -> Iterator[object]:
    """Change one thing at a time: put something else in a place, leave a key out, add a key."""
    match data:
        case dict():
            yield {**data, "zzz": 1}
            for key, value in data.items():
                yield {name: other for name, other in data.items() if name != key}
                for changed in (*REPLACEMENTS, *_mutants(value)):
                    yield {**data, key: changed}
        case list():
            yield [*data, "zzz"]
            for index, value in enumerate(data):
                for changed in (*REPLACEMENTS, *_mutants(value)):
                    yield [*data[:index], changed, *data[index + 1 :]]


def _pieces(folder: Path) -> Iterator[tuple[type[Word], Any]]:
    for kind in LAYOUT:
        for path in kind.files(folder):
            data = Document.read(path).data
            for part in data if kind.many else [data]:
                yield kind.piece, part


def _converted(data: object, piece: type[Word]) -> Word | str:
    """Return what msgspec makes of it, or what it has against it."""
    try:
        return msgspec.convert(data, piece)
    except msgspec.ValidationError as error:
        return str(error)


def test_slips_are_found_where_and_only_where_msgspec_refuses(small: Path) -> None:
    refused = taken = 0
    for piece, data in _pieces(small):
        for mutant in _mutants(data):
            told = fit(mutant, piece, ())
            expected = _converted(mutant, piece)
            if isinstance(expected, str):
                assert isinstance(told, list)
                assert told
                assert expected not in [slip.message for slip in told], "the author is not shown msgspec's words"
                refused += 1
            else:
                assert told == expected
                taken += 1
    assert refused > 4_000
    assert taken > 500


def test_every_slip_of_a_piece_is_told() -> None:
    slips = fit({"titel": "Attic", "floors": ["upper", "grund"], "doors": "south"}, Tile, ("here",))
    assert isinstance(slips, list)
    assert [(slip.trail, slip.message, slip.suggestion) for slip in slips] == [
        (("here", "titel"), "unknown field `titel` in Tile", "did you mean `title`?"),
        (("here", "floors", 1), "`grund` is not one of `basement`, `ground`, `upper`", "did you mean `ground`?"),
        (
            ("here", "doors"),
            "expected a list of `east`, `north`, `south`, `west`, found `south`",
            "write `[south]`",
        ),
        (("here",), "Tile lacks `id` (text)", ""),
        (("here",), "Tile lacks `title` (text)", ""),
    ]


@pytest.mark.parametrize(
    "piece, data, suggestion",
    [
        (Effect, {"loose": {"trait": "might"}}, "did you mean `lose`?"),
        (Effect, {"place_tile": {"floor": "upper"}}, "did you mean `place-tile`?"),
        (Effect, {"damage": {"kind": "physical", "die": 1}}, "did you mean `dice`?"),
        (Effect, {"lose": {"might": 1, "trait": "speed"}}, "did you mean `trait: might`?"),
        (Effect, {"lose": "might"}, "for example `{trait: speed}`"),
        (Effect, {"draw": {"deck": "items"}}, "did you mean `item`?"),
        (Effect, {"draw": {"deck": "item", "count": "2"}}, "take off the quotes: `2`"),
        (Effect, {"trap": {"trait": "might", "at-least": 4, "tries": 3, "xyzzy": 1}}, "known here: "),
        (Card, {"id": "a", "deck": "item", "title": "A", "text": "B", "no-item": "yes"}, "write `true`"),
        (Card, {"id": 5, "deck": "item", "title": "A", "text": "B"}, 'put it in quotes: `"5"`'),
        (Card, {"id": "a", "deck": "item", "title": "A", "text": "B", "do": {}}, "put it into a list"),
    ],
)
def test_a_slip_comes_with_what_was_meant(piece: type[Word], data: object, suggestion: str) -> None:
    slips = fit(data, piece, ())
    assert isinstance(slips, list)
    assert [slip.suggestion for slip in slips if slip.suggestion.startswith(suggestion)]


class Step(Word, frozen=True, kw_only=True, tag="step", tag_field="do"):
    room: str


class Throw(Word, frozen=True, kw_only=True, tag="throw", tag_field="do"):
    dice: int


class Deeds(Word, frozen=True, kw_only=True):
    free: dict[str, Any]
    deeds: list[Step | Throw]


def test_what_has_a_tag_is_held_against_the_type_of_that_tag_and_free_data_against_nothing() -> None:
    slips = fit(
        {"free": {"any": [1, {}]}, "deeds": [{"do": "throw", "dices": 2}, {"do": "step", "room": 1}]}, Deeds, ()
    )
    assert isinstance(slips, list)
    assert [(slip.trail, slip.suggestion) for slip in slips if slip.suggestion] == [
        (("deeds", 0, "dices"), "did you mean `dice`?"),
        (("deeds", 1, "room"), 'put it in quotes: `"1"`'),
    ]
