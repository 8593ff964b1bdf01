"""Lists and tables that say nothing, or the same thing twice; steps, triggers and actions that do nothing."""

from collections.abc import Iterator
from functools import cache
from typing import get_args, get_origin

import msgspec

from content.check.walk import Survey, written
from content.errors import Finding
from content.vocabulary.base import Word
from content.vocabulary.effects import CounterChange, Effect, RollEach, Search
from content.vocabulary.pack import Action, Chart, Link, Modify, Tile, Track, Trigger
from content.vocabulary.values import Number

NOT_EMPTY: dict[type[Word], tuple[str, ...]] = {
    Trigger: ("do",),
    Action: ("do",),
    Modify: ("rolls",),
    RollEach: ("traits",),
    Search: ("decks",),
}
"""Lists that have to be written down, and then hold something."""

TOLD_ELSEWHERE: dict[type[Word], tuple[str, ...]] = {
    Tile: ("floors", "doors", "doors_by_ruling", "windows", "symbols"),
    Chart: ("omens", "rooms"),
    Track: ("values",),
}
"""Lists in which a word may stand twice, or of which another check says so."""

FEWEST_OPTIONS = 2


def empty(survey: Survey) -> Iterator[Finding]:
    """A list that is written down holds something: `any: []` never holds, `do: []` does nothing."""
    for spot in survey.spots:
        kind: type[Word] = type(spot.value)
        for name in _optional_lists(kind) + NOT_EMPTY.get(kind, ()):
            if getattr(spot.value, name) == []:
                field = written(kind, name)
                message = f"`{field}` is empty" + (": nothing happens" if name in {"do", "then"} else "")
                yield Finding(spot.at(field), message, key=True)


def twice(survey: Survey) -> Iterator[Finding]:
    """A list of names or words has each of them once; a way to another room is told once."""
    for spot in survey.spots:
        kind: type[Word] = type(spot.value)
        for name in _word_lists(kind):
            words = getattr(spot.value, name) or []
            for index, word in enumerate(words):
                if isinstance(word, str) and word in words[:index]:
                    yield Finding(spot.at(written(kind, name), index), f"`{word}` is given twice")
    seen: dict[object, None] = {}
    for link in survey.of(Link):
        way = (link.trail[:-1], link.value.to)
        if way in seen:
            yield Finding(link.at("to"), f"another link of this list leads to `{link.value.to}`")
        seen[way] = None


def idle(survey: Survey) -> Iterator[Finding]:
    """A table of outcomes leads to something, a choice leaves a choice, a counter moves, a sum has parts."""
    for spot in survey.of(Effect):
        effect = spot.value
        if effect.outcomes is not None and not any(effect.outcomes.values()) and effect.then is None:
            nested = effect.roll_each is not None and effect.roll_each.then
            if not nested:
                yield Finding(spot.at("outcomes"), "no result of this roll leads to anything", key=True)
        if effect.choose is not None and len(effect.choose) < FEWEST_OPTIONS:
            message = f"a choice has two options or more, not {len(effect.choose)}"
            yield Finding(spot.at("choose"), message, "for one that may be declined there is `may`", key=True)
    for change in survey.of(CounterChange):
        if change.value.by == 0:
            yield Finding(change.at("by"), "the counter does not move", "write how far: `by: 1`")
    for number in survey.of(Number):
        for field, parts in (("sum", number.value.sum), ("times", number.value.times)):
            if parts is not None and len(parts) < FEWEST_OPTIONS:
                yield Finding(number.at(field), f"`{field}` has two parts or more, not {len(parts)}", key=True)


@cache
def _optional_lists(kind: type[Word]) -> tuple[str, ...]:
    """Return the lists that may be left out, which is not the same as being empty."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if field.default is None and _lists(field.type))


@cache
def _word_lists(kind: type[Word]) -> tuple[str, ...]:
    """Return the lists that hold names or words."""
    besides = TOLD_ELSEWHERE.get(kind, ())
    return tuple(
        field.name
        for field in msgspec.structs.fields(kind)
        if field.name not in besides
        and any(not (isinstance(item, type) and issubclass(item, Word | int)) for item in _lists(field.type))
    )


def _lists(annotation: object) -> list[object]:
    """Return what the lists of an annotation hold."""
    if get_origin(annotation) is list:
        return list(get_args(annotation))
    return [item for part in get_args(annotation) if get_origin(part) is list for item in get_args(part)]
