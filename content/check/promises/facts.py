"""What words say of where and how something is done: alone or not, indoors or out, since the haunt began or before, at a token or away from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from content.check.sense.lists import steps_below
from content.check.sense.results import BAD
from content.errors import Finding
from content.survey import Spot, Survey, walk, written
from content.vocabulary.effects import Effect, Option
from content.vocabulary.pack import Action, Book, Haunt, Trigger

_WORDS: dict[str, tuple[str, str]] = {
    "discovered_since_haunt": (r"\bsince\b|\bnew(?:ly)?\b", r"\bold\b|\bbefore the\b|\balready known\b"),
    "alone": (r"(?<!not )\balone\b|\bby (?:him|her|your)self\b", r"\bnot alone\b|\btogether\b|\bin company\b"),
    "moved": (
        r"\b(?:has|have) (?:just )?moved\b|\bafter moving\b",
        r"\bwithout moving\b|\bnot moved\b|\bstand(?:s|ing)? still\b|\bbefore (?:you|they|moving)\b",
    ),
    "outside": (r"\bopen sky\b|\boutside\b|\boutdoors\b", r"\bindoors\b|\bunder a roof\b"),
    "window": (r"(?<!no )(?<!without a )\bwindows?\b", r"\bno window\b|\bwithout a window\b"),
}
"""By field: how a text says that it holds, and how that it doesn't."""

_HARM = re.compile(r"\bdamage\b|\bcosts?\b|\bhurts?\b|\bloses?\b|\bfalls?\b|\bturns?\b|\bswings?\b")


def titles(survey: Survey) -> Iterator[Finding]:
    """What a title says of where and how something is done, its conditions ask for."""
    labelled: list[Spot[Any]] = [*survey.of(Action), *survey.of(Option)]
    for spot in labelled:
        if spot.inside(Haunt) is None or not spot.value.title:
            continue
        for field, (yes, no) in _WORDS.items():
            asked = {holds for _, holds in _asked(spot, field)}
            says = {
                holds
                for holds, words in ((True, yes), (False, no))
                if re.search(words, spot.value.title, re.IGNORECASE)
            }
            if len(says) == len(asked) == 1 and says != asked:
                trail = next(trail for trail, _ in _asked(spot, field))
                message = f"the title `{spot.value.title}` says the opposite"
                yield Finding(trail, message, "turn the condition round?", key=True, severity="warning")


def harms(survey: Survey) -> Iterator[Finding]:
    """Whom a round or a turn harms by the story of a book, it harms by its steps."""
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        if haunt is None:
            continue
        said = [one for one in re.split(r"(?<=[.;:]) ", book.value.story) if _HARM.search(one)]
        for trigger in survey.of(Trigger):
            if trigger.trail[: len(book.trail)] != book.trail:
                continue
            steps = [step for step in steps_below(trigger) if step.value.move_tile or _harms(step.value)]
            for step in steps:
                yield from _reversed(step, said, haunt)


def _reversed(step: Spot[Effect], said: list[str], haunt: Spot[Haunt]) -> Iterator[Finding]:
    for field, (yes, no) in _WORDS.items():
        for trail, holds in _asked(step, field):
            if _all_say(said, no if holds else yes, yes if holds else no):
                message = "by the story this happens to the others"
                yield Finding(trail, message, "turn the condition round?", key=True, severity="warning")
    for token in haunt.value.tokens:
        noun = re.escape(token.title.lower().split()[-1])
        yes, no = rf"\b(?:is|are|stands?|whoever) at (?:the |a )?{noun}\b", rf"\bnot at (?:the |a )?{noun}\b"
        for trail, holds in _asked(step, "token", token.id):
            if _all_say(said, no if holds else yes, yes if holds else no):
                message = f"by the story this happens to those {'not ' if holds else ''}at the `{token.id}`"
                yield Finding(trail, message, "turn the condition round?", key=True, severity="warning")


def _all_say(said: list[str], one: str, other: str) -> bool:
    text = " ".join(said).lower()
    return bool(re.search(one, text)) and not re.search(other, text)


def _asked(spot: Spot[Any], field: str, name: object = None) -> Iterator[tuple[tuple[str | int, ...], bool]]:
    """Where below a Struct a field is asked for, and whether it has to hold."""
    for one in walk(spot):
        value = getattr(one.value, field, None)
        if value is None or (name is not None and value != name) or "seek" in one.trail:
            continue
        turned = one.trail[len(spot.trail) :].count("not") % 2 == 1
        if name is not None or isinstance(value, bool):
            yield one.at(written(type(one.value), field)), (value is not False) != turned


def _harms(step: Effect) -> bool:
    return any(getattr(step, verb) is not None for verb in BAD) or step.roll is not None
