"""The numbers of a goal: those in words are those that are judged, each with its number of players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from content.check.sense.data import WORDS
from content.errors import Finding, listed
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.haunts import IN_TEXT
from content.vocabulary.pack import Action, Book, Haunt, PackHead, Trigger
from content.vocabulary.values import Condition, Number

_NUMBER = re.compile(r"\d+|[a-z]+")

_PLAYERS = re.compile(r"\b(?:with|for)\s+[\d\s,-]+(?:(?:or|and|to)\s+\d+\s+)?(?:explorers|players)\b")
"""For how many players a number is; what is left of a text is about the goal."""

_NUMBERS = r"(\d+(?:(?:, | or | and )\d+)*)"
_LIST = re.compile(rf"\({_NUMBERS}[^()\d]*? (?:with|for) {_NUMBERS}(?: explorers| players)?\)")
_FIRST = re.compile(r"(\d+) (?:\w+ )?(?:with|for) ((?:\d+(?: or | and | to |, )?)+)(?: explorers| players)?")
_ELSE = re.compile(r"\b(?:else|otherwise) (\d+)")

Told = dict[int, int]


def numbers(survey: Survey) -> Iterator[Finding]:
    """A goal in words says the numbers of the goal that is judged, for as many players as there are."""
    players = {count for head in survey.of(PackHead) for count in head.value.players}
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        if haunt is not None:
            wrong = _wrong_for_some(book, haunt, players, survey) or _wrong_for_all(book, haunt, players, survey)
            if wrong:
                message, hint = wrong
                yield Finding(book.at("goal"), message, hint, severity="warning")


def _wrong_for_some(book: Spot[Book], haunt: Spot[Haunt], players: set[int], survey: Survey) -> tuple[str, str] | None:
    """A goal that lists its numbers by players, and says another than its condition for some."""
    told = _listed(book.value.goal, players)
    tables = [_table(spot.value, players) for spot in _numbers_of(book, haunt, survey)]
    if len(told) < 2 or not tables or any(_agree(told, table) for table in tables):  # noqa: PLR2004 - no list
        return None
    nearest = min(tables, key=lambda table: sum(table.get(count) != number for count, number in told.items()))
    wrong = next(count for count in sorted(told) if told[count] != nearest.get(count))
    message = f"with {wrong} explorers the goal in words says {told[wrong]}, and its condition {nearest.get(wrong)}"
    return message, "say the numbers of the condition"


def _wrong_for_all(book: Spot[Book], haunt: Spot[Haunt], players: set[int], survey: Survey) -> tuple[str, str] | None:
    """A goal with a number that decides nothing, or with those of a table in another order."""
    said = list(_said(_with_numbers(book.value.goal, haunt.value)))
    goal = list(_goal(book, haunt, survey))
    tables = [spot.value.players for spot in goal if isinstance(spot.value, Number) and spot.value.players]
    known = {number for spot in goal for number in _numbers(spot.value, haunt.value)}
    strange = [number for number in said if number not in known]
    if strange:
        judged = f"they are {_list(known - {0, 1})}" if known - {0, 1} else "it has none"
        return f"the goal in words says {strange[0]}, which is no number of the goal: {judged}", ""
    for table in tables if said else ():
        values = [table[key] for key in sorted(table)]
        if not _in_order([value for value, _ in groupby(values) if value > 1], said):
            told = ", ".join(str(value) for value in values)
            return (
                f"the goal in words says other numbers than the goal: with {_list(players)} explorers it is {told}",
                "",
            )
    return None


def _listed(text: str, players: set[int]) -> Told:
    """What a text says for each number of players."""
    if found := _LIST.search(text):
        numbers, counts = _split(found[1]), _split(found[2])
        return dict(zip(counts, numbers, strict=True)) if len(numbers) == len(counts) else {}
    told: Told = {}
    for found in _FIRST.finditer(text):
        told |= dict.fromkeys(_split(found[2]), int(found[1]))
    if told and (rest := _ELSE.search(text)):
        told |= dict.fromkeys(players - told.keys(), int(rest[1]))
    return told


def _split(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _numbers_of(book: Spot[Book], haunt: Spot[Haunt], survey: Survey) -> Iterator[Spot[Any]]:
    """Tables by players that may decide about victory: those of the goal, or of any step where one says `win`."""
    own = [spot for spot in survey.of(Number) if spot.trail[: len(book.trail) + 1] == book.at("wins-when")]
    tables = [spot for spot in own if spot.value.players]
    if tables:
        yield from tables
        return
    if any(step.trail[:2] == haunt.trail and step.value.win is not None for step in survey.of(Effect)):
        yield from (spot for spot in survey.inside(haunt, Number) if spot.value.players)


def _table(number: Number, players: set[int]) -> Told:
    table = number.players or {}
    found: Told = {}
    for key, value in table.items():
        low, _, high = key.partition("-")
        top = max(players, default=0) if key.endswith("+") else int(high or low.rstrip("+"))
        found |= dict.fromkeys(range(int(low.rstrip("+")), top + 1), value)
    return found


def _agree(told: Told, table: Told) -> bool:
    return all(table.get(count) == number for count, number in told.items())


def _with_numbers(text: str, haunt: Haunt) -> str:
    """Return a goal with all values of the tables that it names."""

    def told(found: re.Match[str]) -> str:
        value = haunt.numbers.get(found[1])
        table = (value.players or {}) if isinstance(value, Number) else {}
        return str(value) if isinstance(value, int) else " ".join(str(table[key]) for key in sorted(table))

    return IN_TEXT.sub(told, text)


def _said(text: str) -> Iterator[int]:
    """Read the numbers of a text, from 2 up."""
    for word in _NUMBER.findall(_PLAYERS.sub(" ", text.lower())):
        number = int(word) if word.isdecimal() else WORDS.get(word, 0)
        if number > 1:
            yield number


def _goal(book: Spot[Book], haunt: Spot[Haunt], survey: Survey) -> Iterator[Spot[Any]]:
    """Return what decides about victory: the conditions of the book, and those of actions and triggers that lead to a `win`."""
    one_book = haunt.value.one_book
    side = "traitor" if book.trail[-1] == "traitor-book" else "heroes"
    homes = [book.at("wins-when"), book.at("loses-when")]
    for spot in survey.of(Effect):
        if spot.trail[:2] == haunt.trail and spot.value.win is not None and (one_book or spot.value.win.side == side):
            root = spot.inside(Action, Trigger)
            homes.append(root.trail if root is not None else haunt.trail)
    for kind in (Condition, Number, Effect):
        for one in survey.of(kind):
            if one.trail[:2] == haunt.trail and any(one.trail[: len(home)] == home for home in homes):
                yield one


def _numbers(value: Any, haunt: Haunt) -> Iterator[int]:  # noqa: ANN401 - one of three Structs
    """Return the numbers that stand in a condition, a table or a roll."""
    match value:
        case Number(players=dict(table)):
            yield from table.values()
        case Condition():
            counts = (value.at_least, value.at_most, value.round_at_least)
            yield from (count for count in counts if isinstance(count, int))
            yield len(value.all or ())
            if value.counter in haunt.counters and value.at_most is not None:
                yield haunt.counters[value.counter].start
        case Effect(outcomes=dict(outcomes)):
            yield from (int(number) for key in outcomes for number in re.findall(r"\d+", key))


def _in_order(wanted: list[int], said: list[int]) -> bool:
    """Tell whether numbers are said in their order, others between them."""
    rest = iter(said)
    return all(number in rest for number in wanted)


def _list(found: set[int]) -> str:
    return listed(str(number) for number in sorted(found)).replace("`", "")
