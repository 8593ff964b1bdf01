"""Numbers in words: those for each number of players, points and dice of damage, and how much of something."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from content.check.form.amounts import by_players
from content.check.sense.data import WORDS, Text, data_in, texts_of
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Damage, Effect
from content.vocabulary.pack import Book, Haunt, PackHead
from content.vocabulary.values import Number

_NUMBERS = r"(\d+(?:(?:, | or | and )\d+)*)"
_LIST = re.compile(rf"\({_NUMBERS}[^()\d]*? (?:with|for) {_NUMBERS}(?: explorers| players)?\)")
_FIRST = re.compile(r"(\d+) (?:\w+ )?(?:with|for) ((?:\d+(?: or | and | to |, )?)+)(?: explorers| players)?")
_ELSE = re.compile(r"\b(?:else|otherwise) (\d+)")
_DAMAGE = re.compile(
    r"\b(\d+|[a-z]+) (dice|die|points?)(?: of (physical|mental))? damage\b|\b(\d+|[a-z]+) (?:points? of )?(physical|mental) damage\b"
)
_ONE = {"a": 1, "an": 1, "one": 1}

_ORDINALS = {word for word, number in WORDS.items() if number > 2 and word.endswith(("th", "third"))}  # noqa: PLR2004 - a second one is any other one
UNITS = ("dice", "points")

Told = dict[int, int]


def by_each(survey: Survey) -> Iterator[Finding]:
    """Numbers that a goal lists by players are those of its condition, each with its number of players."""
    players = {count for head in survey.of(PackHead) for count in head.value.players}
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        if haunt is None:
            continue
        told = _listed(book.value.goal, players)
        tables = [_table(spot.value, players) for spot in _numbers_of(book, haunt, survey)]
        if len(told) < 2 or not tables or any(_agree(told, table) for table in tables):  # noqa: PLR2004 - no list
            continue
        nearest = min(tables, key=lambda table: sum(table.get(count) != number for count, number in told.items()))
        wrong = next(count for count in sorted(told) if told[count] != nearest.get(count))
        message = f"with {wrong} explorers the goal in words says {told[wrong]}, and its condition {nearest.get(wrong)}"
        yield Finding(book.at("goal"), message, "say the numbers of the condition", severity="warning")


def damage(survey: Survey) -> Iterator[Finding]:
    """Where a text says how much damage something costs, some step deals as much."""
    for haunt in survey.of(Haunt):
        dealt = [spot.value for spot in survey.of(Damage) if spot.trail[:2] == haunt.trail]
        for text in [*texts_of(haunt), *_titles(haunt, survey)]:
            for found in _DAMAGE.finditer(text.words):
                number, unit, kind = found[1] or found[4], found[2] or "", found[3] or found[5]
                alike = [one for one in dealt if kind is None or one.kind == kind]
                known = [amount for one in alike for amount in _amounts(one)]
                said = [(word, _amount(number)) for word in UNITS if word.startswith(unit[:2])]
                if _amount(number) and known and not set(said) & set(known):
                    message = f"the text says `{found[0]}`, and the step says `{known[0][0]}: {known[0][1]}`"
                    yield Finding(text.trail, message, "say what the step deals", severity="warning")


def ordinals(survey: Survey) -> Iterator[Finding]:
    """Which hour, stroke or round a story names, from the third up, is a number of the haunt."""
    for haunt in survey.of(Haunt):
        known = data_in(haunt.value).numbers
        for text in texts_of(haunt):
            for word in re.findall(r"[a-z]+", text.words.lower()):
                if word in _ORDINALS and WORDS[word] not in known and text.trail[-1] != "goal":
                    message = f"the text says `{word}`, and {WORDS[word]} is no number of the haunt"
                    yield Finding(text.trail, message, "say the number of the data", severity="warning")


def _titles(haunt: Spot[Haunt], survey: Survey) -> Iterator[Text]:
    for spot in survey.spots:
        title = getattr(spot.value, "title", "")
        if spot.trail[:2] == haunt.trail and title and "damage" in title:
            yield Text(spot.at("title"), title)


def _amounts(damage: Damage) -> Iterator[tuple[str, int]]:
    for word, value in zip(UNITS, (damage.dice, damage.points), strict=True):
        for number in set((by_players(value) or {}).values()):
            yield word, number


def _amount(word: str | None) -> int:
    if word is None:
        return 0
    return int(word) if word.isdecimal() else _ONE.get(word, WORDS.get(word, 0))


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
        yield from (spot for spot in survey.of(Number) if spot.trail[:2] == haunt.trail and spot.value.players)


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
