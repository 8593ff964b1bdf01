"""Numbers in words: points and dice of damage, and how much of something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.check.form.amounts import by_players
from content.check.sense.data import WORDS, Text, data_in, texts_of
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Damage
from content.vocabulary.pack import Haunt

_DAMAGE = re.compile(
    r"\b(\d+|[a-z]+) (dice|die|points?)(?: of (physical|mental))? damage\b|\b(\d+|[a-z]+) (?:points? of )?(physical|mental) damage\b"
)
_ONE = {"a": 1, "an": 1, "one": 1}

_ORDINALS = {word for word, number in WORDS.items() if number > 2 and word.endswith(("th", "third"))}  # noqa: PLR2004 - a second one is any other one
UNITS = ("dice", "points")


def damage(survey: Survey) -> Iterator[Finding]:
    """Where a text says how much damage something costs, some step deals as much."""
    for haunt in survey.of(Haunt):
        dealt = [spot.value for spot in survey.inside(haunt, Damage)]
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
