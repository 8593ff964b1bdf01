"""Names, titles and texts: ids in kebab-case and unique, action words in capitals and distinct, nothing blank."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args

import msgspec

from content.errors import Finding, Trail
from content.survey import Spot, Survey, getter, written
from content.vocabulary.base import Word
from content.vocabulary.cards import OFFICIAL
from content.vocabulary.effects import Option
from content.vocabulary.pack import (
    Action,
    Alternative,
    Attack,
    Barrier,
    Book,
    Card,
    Explorer,
    Haunt,
    PackHead,
    Scenario,
    Standing,
    Tile,
    TokenKind,
)
from content.vocabulary.values import Condition

_KEBAB = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CAPITALS = re.compile(r"[A-Z]+(?:-[A-Z]+)*")

WITH_ID: tuple[type[Word], ...] = (PackHead, Tile, Card, TokenKind, Explorer, Scenario, Haunt, Option, Alternative)
"""What has an `id`."""

NAMED_BY_KEY: tuple[tuple[type[Word], str], ...] = (
    (PackHead, "blocks"),
    (Haunt, "counters"),
    (Haunt, "monsters"),
    (Haunt, "blocks"),
    (Book, "texts"),
)
"""Mappings whose keys are ids."""

PACK_LISTS: dict[type[Word], Trail] = {Card: ("cards",), TokenKind: ("tokens",)}
"""What a haunt declares of these is known beside what the pack has."""


def kebab_case(survey: Survey) -> Iterator[Finding]:
    """An id is made of small letters and digits with single hyphens between."""
    for kind in WITH_ID:
        for spot in survey.of(kind):
            name = getattr(spot.value, "id", "")
            if not _KEBAB.fullmatch(name):
                yield Finding(spot.at("id"), f"the id `{name}` is not in kebab-case", _kebab(name))
    for kind, field in NAMED_BY_KEY:
        for spot in survey.of(kind):
            for name in getattr(spot.value, field):
                if not _KEBAB.fullmatch(name):
                    trail = spot.at(written(kind, field), name)
                    yield Finding(trail, f"the name `{name}` is not in kebab-case", _kebab(name), key=True)


def unique_ids(survey: Survey) -> Iterator[Finding]:
    """No two of a kind share an id, within the pack and within a haunt; options, within their choice."""
    for kind in WITH_ID:
        seen: dict[Trail, dict[str, Spot[Any]]] = {}
        for spot in survey.of(kind):
            home = spot.trail[:-1]  # the list that it is in; the pack's own lists come first
            name = getattr(spot.value, "id", "")
            for names in dict.fromkeys((home, PACK_LISTS.get(kind, home))):
                if other := seen.get(names, {}).get(name):
                    # Which of the two is wrong only their author knows: both are shown.
                    for one in (other, spot):
                        yield Finding(one.at("id"), f"the id `{name}` is taken by another {kind.__name__}")
            seen.setdefault(home, {})[name] = spot


def alternatives(survey: Survey) -> Iterator[Finding]:
    """No two alternatives of a pack share an id, and each makes a difference: some condition asks for it."""
    asked = {spot.value.ruling for spot in survey.of(Condition)}
    asked |= {name for spot in survey.of(Attack) for name in spot.value.dice_by_ruling}
    asked |= {spot.value.free_by_ruling for spot in survey.of(Attack) if spot.value.free_by_ruling}
    asked |= {spot.value.items_by_ruling for spot in survey.of(Standing) if spot.value.items_by_ruling}
    asked |= {name for spot in survey.of(Barrier) for name in spot.value.by_ruling}
    asked |= {name for spot in survey.of(Tile) for name in spot.value.doors_by_ruling}
    seen: set[str] = set()
    for spot in survey.of(Alternative):
        name = spot.value.id
        if name == OFFICIAL:
            yield Finding(spot.at("id"), f"`{OFFICIAL}` chooses the official ruling itself", "take another id")
        elif name in seen:
            yield Finding(spot.at("id"), f"the id `{name}` is taken by another Alternative")
        elif name not in asked:
            yield Finding(spot.at("id"), f"nothing asks for `{name}`", f"ask for it with `if: {{ruling: {name}}}`")
        seen.add(name)


def action_words(survey: Survey) -> Iterator[Finding]:
    """An action's word is in capitals, and no two actions of one source share it."""
    seen: dict[tuple[Trail, str], None] = {}
    for spot in survey.of(Action):
        word = spot.value.word
        if not _CAPITALS.fullmatch(word):
            capitals = re.sub(r"[^A-Z]+", "-", word.upper()).strip("-")
            yield Finding(spot.at("word"), f"the word `{word}` is not in capitals", f"write `{capitals or 'USE'}`")
        elif (spot.trail[:-1], word) in seen:
            yield Finding(spot.at("word"), f"another action here has the word `{word}`")
        seen[spot.trail[:-1], word] = None


def nothing_blank(survey: Survey) -> Iterator[Finding]:
    """A title or text that has to be there, or is written down, says something."""
    for spot in survey.spots:
        for steps, text, optional in _texts(spot):
            if not text.strip() and (text or not optional):
                yield Finding(spot.at(*steps), "the text is empty")


PARAGRAPHS = {"text", "texts", "notes", "story", "goal", "ending", "because", "note", "credits"}
"""Fields whose texts may have line breaks."""


def one_line(survey: Survey) -> Iterator[Finding]:
    """A title or a name stands on one line; only texts have paragraphs."""
    for spot in survey.spots:
        for steps, text, _ in _texts(spot):
            if "\n" in text and steps[0] not in PARAGRAPHS:
                yield Finding(spot.at(*steps), "a line break where one line is shown", "put it on one line")


LONGEST = {"id": 40, "word": 40, "title": 80}
"""Characters of what stands in labels and addresses."""
SHORTEST = min(LONGEST.values())
LONGEST_TEXT = 2_000
"""Characters of any other text."""


def lengths(survey: Survey) -> Iterator[Finding]:
    """An id, an action's word, or a name that a pack gives, has at most 40 characters, a title 80, any other text 2,000."""
    for spot in survey.spots:
        for steps, text, _ in _texts(spot):
            if len(text) > SHORTEST and len(text) > (most := LONGEST.get(str(steps[-1]), LONGEST_TEXT)):
                yield Finding(spot.at(*steps), f"{len(text)} characters, where {most} are the most")
    for kind, field in NAMED_BY_KEY:
        for spot in survey.of(kind):
            for name in getattr(spot.value, field):
                if len(name) > LONGEST["id"]:
                    message = f"the name has {len(name)} characters, where {LONGEST['id']} are the most"
                    yield Finding(spot.at(written(kind, field), name), message, key=True)


def _texts(spot: Spot[Any]) -> Iterator[tuple[Trail, str, bool]]:
    """Return each text of a Struct with its place there, and whether it may be left out."""
    kind: type[Word] = type(spot.value)
    fields, values = _text_fields(kind)
    if not fields:
        return
    for (field, optional), value in zip(fields, values(spot.value), strict=True):
        match value:
            case None:
                continue
            case str(text):
                yield (field,), text, optional
            case list(texts):
                yield from (((field, index), text, False) for index, text in enumerate(texts) if _is_text(text))
            case dict(texts):
                yield from (((field, key), text, False) for key, text in texts.items() if _is_text(text))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


@cache
def _text_fields(kind: type[Word]) -> tuple[list[tuple[str, bool]], Callable[[Word], tuple[object, ...]]]:
    """Return the fields that hold text, with whether the empty text is their default, and what reads them."""
    fields = [field for field in msgspec.structs.fields(kind) if _mentions_text(field.type)]
    names = tuple(field.name for field in fields)
    return [(field.encode_name, field.default == "") for field in fields], getter(names)


def _mentions_text(annotation: object) -> bool:
    return annotation is str or any(_mentions_text(part) for part in get_args(annotation))


def _kebab(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"write `{plain}`" if plain else ""
