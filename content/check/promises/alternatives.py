"""Goals in words with `or`, or without: the condition asks for any of several things, or for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.check.sense.lists import conditions_around
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Book, Haunt
from content.vocabulary.values import Condition, Count, Each

_ASIDE = re.compile(r"\([^)]*\)|(?<=\.) .*")
_WAYS = re.compile(r"(?:,\s+|\b)or (?:when|if|once|as soon as|after|at|by)\b|, when\b(?=[^.]*\bor\b)")
_OR = re.compile(r"\b(?:or|either|any|whichever|at least one)\b")
_DEATHS = re.compile(
    r"\b(?:all|every|no|none|last)\b(?: \w+){0,2} hero(?:es)?\b[^,.;]*\b(?:dead|dies|died|gone|left|alive)\b"
)
"""The traitor wins when all heroes are dead, which no condition says."""


def either_or(survey: Survey) -> Iterator[Finding]:
    """A goal in words says `or` where one of several things is enough, and only there."""
    for book in survey.of(Book):
        goal, text = book.value.wins_when, _ASIDE.sub(" ", book.value.goal)
        if goal is None:
            continue
        told = [way for way in _WAYS.split(text) if not _DEATHS.search(way)] if _OR.search(text) else [text]
        if goal.any is None and len(told) > 1:
            if _parts(goal) > 1:
                message = "the goal in words says `or`, and all parts of this have to hold"
                yield Finding(book.at("wins-when"), message, "write `any`", key=True, severity="warning")
            elif not _wins_by_steps(book, survey):
                message = f"the goal in words has {len(told)} ways to win, and this is the only one"
                yield Finding(book.at("wins-when"), message, "write `any`, with both", key=True, severity="warning")
        elif goal.any is not None and len(goal.any) > 1 and not _OR.search(text):
            message = "the goal in words says no `or`, and one part of this is enough"
            yield Finding(book.at("wins-when"), message, "write `all`, or say `or`", key=True, severity="warning")


_TOGETHER = re.compile(r"\ball (?:the |living )*heroes\b(?! (?:are|is) (?:dead|gone))")


def all_of_them(survey: Survey) -> Iterator[Finding]:
    """A goal of all heroes asks for all: one hero who fits is not enough."""
    for book in survey.of(Book):
        goal, haunt = book.value.wins_when, book.inside(Haunt)
        if goal is None or haunt is None or book.trail[-1] != "heroes" or not _TOGETHER.search(book.value.goal):
            continue
        counters = {spot.value.counter for spot in survey.of(Condition) if spot.trail[:4] == book.at("wins-when")}
        moved = [
            spot
            for spot in survey.inside(haunt, Effect)
            if spot.value.count is not None and spot.value.count.counter in counters
        ]
        asked = [one for spot in moved for one in conditions_around(spot)]
        one_enough = [one for one in asked if one.field == "there_is" and one.holds and _is_hero(one.value)]
        if moved and one_enough and not any(_asks_all(one.field, one.value, holds=one.holds) for one in asked):
            message = "the goal in words asks for all heroes, and one hero is enough for what it counts"
            hint = "ask `not: {there-is: {each: hero, if: {not: ...}}}`"
            yield Finding(book.at("goal"), message, hint, severity="warning")


def _is_hero(who: object) -> bool:
    return isinstance(who, Each) and who.each == "hero"


def _asks_all(field: str, value: object, *, holds: bool) -> bool:
    if field == "there_is":
        return not holds and _is_hero(value)
    return field == "count" and isinstance(value, Count) and value.explorers is not None


def _parts(goal: Condition) -> int:
    """How many things a condition asks for together."""
    compared = {"at_least", "at_most"}
    return sum(len(goal.all or ()) if field == "all" else 1 for field in goal.stated() if field not in compared)


def _wins_by_steps(book: Spot[Book], survey: Survey) -> bool:
    haunt = book.inside(Haunt)
    side = "heroes" if book.trail[-1] == "heroes" else "traitor"
    wins = [step.value.win for step in survey.of(Effect) if haunt is not None and step.trail[:2] == haunt.trail]
    return any(win is not None and win.side == side for win in wins)
