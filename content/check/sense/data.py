"""What the data of a haunt names, and what its texts say: names and numbers on one side, words on the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from content.check.sense.lists import steps_below
from content.errors import Trail
from content.survey import Spot
from content.vocabulary.base import Word
from content.vocabulary.pack import Haunt

TEXTS = frozenset(
    {"title", "text", "story", "goal", "because", "ending", "texts", "word", "may", "playtest", "seek", "stage", "id"}
)
"""Fields that are no data: words for people, and hints."""

_ORDINALS = (
    *("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
    *("thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"),
)
_CARDINALS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)

WORDS = {word: number for words in (_CARDINALS, _ORDINALS) for number, word in enumerate(words, 2)}
"""Number words; `one` and `first` are said of anything."""

_DIGITS = re.compile(r"\d+")


class Data(NamedTuple):
    """What some data names: tokens, rooms, traits and all other words of it, and its numbers."""

    names: frozenset[str]
    numbers: frozenset[int]


def data_in(*values: Word, but: str = "") -> Data:
    """Names and numbers in Structs, without those below the key `but`."""
    names: set[str] = set()
    numbers: set[int] = set()
    for value in values:
        _gather(msgspec.to_builtins(value), names, numbers, but)
    return Data(frozenset(names), frozenset(numbers))


def data_below(spot: Spot[Any], *, but: str = "") -> Data:
    """Names and numbers in a Struct of a haunt, and in the blocks that it runs, without those below the key `but`."""
    return data_in(spot.value, *(step.value for step in steps_below(spot)), but=but)


def _gather(value: object, names: set[str], numbers: set[int], but: str) -> None:
    match value:
        case bool():
            return
        case int():
            numbers.add(abs(value))
        case str():
            names.update((value, *value.split(":")))
        case list():
            for one in value:
                _gather(one, names, numbers, but)
        case dict():
            for key, one in value.items():
                if key not in TEXTS and key != but:
                    names.add(key)
                    numbers.update(int(digits) for digits in _DIGITS.findall(key))
                    _gather(one, names, numbers, but)


class Text(NamedTuple):
    """A text for players, and where it stands."""

    trail: Trail
    words: str


def texts_of(haunt: Spot[Haunt]) -> Iterator[Text]:
    """What players read of a haunt before they act: stories, goals, and what tokens, items and monsters are."""
    value = haunt.value
    yield Text(haunt.at("story"), value.story)
    for name, book in (("heroes", value.heroes), ("traitor-book", value.traitor_book)):
        if book is not None:
            yield Text(haunt.at(name, "story"), book.story)
            yield Text(haunt.at(name, "goal"), book.goal)
    for index, token in enumerate(value.tokens):
        yield Text(haunt.at("tokens", index, "text"), token.text)
    for index, item in enumerate(value.items):
        yield Text(haunt.at("items", index, "text"), item.text)
    for name, monster in value.monsters.items():
        yield Text(haunt.at("monsters", name, "text"), monster.text)


def titles_in(words: str, titles: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The names and titles of things that a text names with a capital inside of a sentence."""
    for name, title in titles.items():
        if title not in words:  # which is soon told
            continue
        if (" " in title and re.search(rf"\b{re.escape(title)}\b", words)) or re.search(
            rf"(?<=[a-z,;:] ){re.escape(title)}\b(?! [A-Z])", words
        ):
            yield name, title
