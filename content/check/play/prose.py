"""Numbers in texts: those of a goal in words are those of its condition, and those that a text names in braces exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from content.check.sense.data import WORDS
from content.errors import Finding, did_you_mean, listed
from content.survey import Spot, Survey
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect, Option, Win
from content.vocabulary.haunts import IN_TEXT
from content.vocabulary.pack import (
    Action,
    Book,
    Card,
    Counter,
    Haunt,
    Monster,
    PackHead,
    TokenKind,
    Trigger,
)
from content.vocabulary.values import Condition, Number

_NUMBER = re.compile(r"\d+|[a-z]+")

_PLAYERS = re.compile(r"\b(?:with|for)\s+[\d\s,-]+(?:(?:or|and|to)\s+\d+\s+)?(?:explorers|players)\b")
"""For how many players a number is; what is left of a text is about the goal."""


def numbers(survey: Survey) -> Iterator[Finding]:
    """A goal in words says the numbers of the goal that is judged, for as many players as there are."""
    players = {count for head in survey.of(PackHead) for count in head.value.players}
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        if haunt is None:
            continue
        said = list(_said(_with_numbers(book.value.goal, haunt.value)))
        goal = list(_goal(book, haunt, survey))
        tables = [spot.value.players for spot in goal if isinstance(spot.value, Number) and spot.value.players]
        known = {number for spot in goal for number in _numbers(spot.value, haunt.value)}
        strange = [number for number in said if number not in known]
        if strange:
            judged = f"they are {_list(known - {0, 1})}" if known - {0, 1} else "it has none"
            message = f"the goal in words says {strange[0]}, which is no number of the goal: {judged}"
            yield Finding(book.at("goal"), message, severity="warning")
            continue
        for table in tables if said else ():
            values = [table[key] for key in sorted(table)]
            wanted = [value for value, _ in groupby(values) if value > 1]
            if not _in_order(wanted, said):
                told = ", ".join(str(value) for value in values)
                message = (
                    f"the goal in words says other numbers than the goal: with {_list(players)} explorers it is {told}"
                )
                yield Finding(book.at("goal"), message, severity="warning")
                break


FILLED: tuple[tuple[type[Word], str], ...] = (
    (Haunt, "story"),
    (Counter, "title"),
    (Book, "story"),
    (Book, "goal"),
    (Book, "ending"),
    (Action, "title"),
    (Option, "title"),
)
"""Texts in which a haunt's numbers are filled in."""

PLAIN: tuple[tuple[type[Word], str], ...] = (
    (Haunt, "title"),
    (Book, "because"),
    (Win, "because"),
    (Effect, "may"),
    (Monster, "title"),
    (Monster, "text"),
    (TokenKind, "title"),
    (TokenKind, "text"),
    (Card, "title"),
    (Card, "text"),
)
"""Texts of a haunt in which none is."""


def named(survey: Survey) -> Iterator[Finding]:
    """A number that a text names in braces is one that the haunt has, and that its reader knows."""
    for kind, field in (*FILLED, *PLAIN):
        for spot in survey.of(kind):
            haunt = spot.inside(Haunt)
            if haunt is None:
                continue
            for name in IN_TEXT.findall(getattr(spot.value, field) or ""):
                if (kind, field) in PLAIN:
                    message = f"no number is filled in here, so `{{{name}}}` is read as it stands"
                    hint = "say it in a story, a goal, an ending or a title"
                    yield Finding(spot.at(field), message, hint, severity="warning")
                elif name not in (known := _known(haunt, spot)):
                    message, hint = f"the text names `{{{name}}}`, and the haunt has no such number", ""
                    if name in haunt.value.counters:
                        message = f"not every reader of this text knows the counter `{name}`"
                        hint = "make it `public`" if kind is not Counter else "name one of `numbers`"
                    yield Finding(
                        spot.at(field), message, hint or did_you_mean(name, known) or "declare it under `numbers`"
                    )


def _known(haunt: Spot[Haunt], spot: Spot[Any]) -> set[str]:
    """Return the numbers that everybody who reads a text knows; a counter's title names no counter."""
    known = set(haunt.value.numbers)
    if not isinstance(spot.value, Counter):
        known |= {name for name, counter in haunt.value.counters.items() if counter.public or counter.track}
    return known


def fixed(survey: Survey) -> Iterator[Finding]:
    """A number for texts is a number or a table by players, and some text names it."""
    for haunt in survey.of(Haunt):
        read = {
            name
            for kind, field in FILLED
            for spot in survey.of(kind)
            if spot.trail[:2] == haunt.trail
            for name in IN_TEXT.findall(getattr(spot.value, field))
        }
        for name, value in haunt.value.numbers.items():
            if isinstance(value, Number) and value.players is None:
                hint = "write a number, or a table: `players`"
                yield Finding(haunt.at("numbers", name), "a number for texts does not change in a game", hint, key=True)
            elif name in haunt.value.counters:
                yield Finding(haunt.at("numbers", name), f"`{name}` is a counter's name, too", key=True)
            elif name not in read:
                message = f"no text names the number `{name}`"
                yield Finding(
                    haunt.at("numbers", name),
                    message,
                    f"write `{{{name}}}` where it is said",
                    key=True,
                    severity="warning",
                )


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
    one_book = haunt.value.traitor_book is None
    side = "traitor" if book.trail[-1] == "traitor-book" else "heroes"
    homes = [book.at("wins-when")]
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
