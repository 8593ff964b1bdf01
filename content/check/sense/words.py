"""Stories and goals against the data: rooms, symbols, traits, numbers and moments that a book names are those that decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from content.check.sense.data import data_in, texts_of, titles_in
from content.check.sense.lists import asked_in
from content.errors import Finding, listed
from content.survey import Spot, Survey
from content.vocabulary.base import TRAITS, Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Book, Haunt, Tile, Trigger
from content.vocabulary.values import Condition, Rooms

W = TypeVar("W", bound=Word)

SYMBOLS = {"event": r"\bspirals?\b", "item": r"\bbull'?s'? heads?\b", "omen": r"\bravens?\b"}
"""What the symbols of rooms show."""

_PLAYERS = re.compile(r"\b(?:with|for)\s+[\d\s,-]+(?:(?:or|and|to)\s+\d+\b\s*)?(?:explorers|players)?\b")
_LISTED = re.compile(r"\([^)]*\b(?:with|for)\b[^)]*\)")

MOMENTS = {
    "round-started": r"\b(?:each|every) round\b|\brounds? (?:begins?|began|starts?)\b",
    "turn-started": r"\bstart of (?:each|every) of (?:your|their) turns\b|\bas (?:your|their) turns? (?:begins?|starts?)\b",
    "turn-ended": r"\bends? (?:a|the|their|your|each) turn\b|\bend of (?:each|every|a|their|your) (?:\w+ )?turn\b",
}
"""Moments, and how a story speaks of them."""

STOP = frozenset(
    {
        "all",
        "and",
        "are",
        "for",
        "from",
        "had",
        "has",
        "have",
        "its",
        "not",
        "one",
        "that",
        "the",
        "this",
        "times",
        "was",
        "were",
        "what",
        "when",
        "with",
        "you",
        "your",
    }
)
"""Words that any goal has."""


def rooms(survey: Survey) -> Iterator[Finding]:
    """A room that a text names is one of the haunt's data, and where something is to be done is named in a text."""
    titles = {spot.value.id: spot.value.title for spot in survey.of(Tile)}
    for haunt in survey.of(Haunt):
        data, said = data_in(haunt.value), set[str]()
        for text in texts_of(haunt):
            for name, title in titles_in(text.words, titles):
                said.add(name)
                if name not in data.names:
                    message = f"the text names the room `{title}`, and nothing in the haunt is about `{name}`"
                    yield Finding(text.trail, message, "name the room where it happens", severity="warning")
        for action in _of(haunt, survey, Action):
            place = next((one.value for one in asked_in(action.value.if_) if one.field == "in_" and one.holds), None)
            if (
                isinstance(place, str)
                and place in titles
                and place not in said
                and titles[place] not in action.value.title
            ):
                message = f"no text tells that this is done in `{titles[place]}`"
                yield Finding(action.at("if"), message, "name the room in the story", key=True, severity="warning")


def began(survey: Survey) -> Iterator[Finding]:
    """The room `where all this began` is that of the haunt."""
    for haunt in survey.of(Haunt):
        data = data_in(haunt.value)
        for text in texts_of(haunt):
            if re.search(r"\bwhere (?:all )?(?:this|it) began\b", text.words) and not data.names & {"room-of-haunt"}:
                message = "the text speaks of the room where it began, and nothing happens at `room-of-haunt`"
                yield Finding(text.trail, message, "write `at: room-of-haunt`", severity="warning")


def symbols(survey: Survey) -> Iterator[Finding]:
    """The symbols that a book names are those that its actions ask for."""
    for haunt in survey.of(Haunt):
        used = {one.value.symbol for one in _of(haunt, survey, Rooms)} - {None}
        told: dict[str, set[str]] = {}
        for text in texts_of(haunt):
            named = {symbol for symbol, words in SYMBOLS.items() if re.search(words, text.words)}
            told.setdefault(str(text.trail[2]), set()).update(named)
            for symbol in sorted(named - used):
                message = f"the text names the symbol of `{symbol}`, and nothing asks for it"
                hint = f"the rooms that are asked for bear {listed(sorted(filter(None, used)))}" if used else ""
                yield Finding(text.trail, message, hint, severity="warning")
        for one in _of(haunt, survey, Rooms):
            said = told.get(str(one.trail[2]), set())
            if one.value.symbol is not None and "actions" in one.trail and said and one.value.symbol not in said:
                message = f"the book names other symbols: {listed(sorted(said))}"
                yield Finding(one.at("symbol"), message, severity="warning")


def traits(survey: Survey) -> Iterator[Finding]:
    """A trait that a story names is rolled, lost or gained somewhere in the haunt, and so is a kind of damage."""
    for haunt in survey.of(Haunt):
        data = data_in(haunt.value)
        for text in texts_of(haunt):
            for name, _ in titles_in(text.words, {trait: trait.capitalize() for trait in TRAITS}):
                if name not in data.names:
                    message = f"the text names `{name}`, and nothing in the haunt does"
                    yield Finding(text.trail, message, "name the trait that is rolled", severity="warning")
            for kind in re.findall(r"\b(physical|mental) damage\b", text.words):
                if kind not in data.names:
                    message = f"the text speaks of {kind} damage, and no step deals it"
                    yield Finding(text.trail, message, "name the kind that is dealt", severity="warning")


def rolled(survey: Survey) -> Iterator[Finding]:
    """A story that lists traits to do something with lists some that are rolled."""
    for book in survey.of(Book):
        steps = [one.value for one in survey.of(Effect) if one.trail[:2] == book.trail[:2]]
        rolls = [step.roll for step in steps if step.roll is not None]
        known = {trait for roll in rolls for trait in ([roll.trait] if roll.trait else roll.one_of or [])}
        known |= {trait for step in steps if step.roll_each is not None for trait in step.roll_each.traits}
        for found in _LISTED.finditer(book.value.story) if known else ():
            told = {trait for trait in TRAITS if trait.capitalize() in found[0]}
            for trait in sorted(told - known):
                message = f"the story names `{trait}`, and nothing in the haunt rolls it"
                hint = f"rolls are of {listed(sorted(known))}"
                yield Finding(book.at("story"), message, hint, severity="warning")


_TRAIT = "(?:Might|Speed|Sanity|Knowledge)"
_LISTED = re.compile(
    rf"(?<!attack )(?<!attacks )\b(?:with|rolls?|by)\s+{_TRAIT}(?:(?:,\s+|,?\s+(?:or|and)\s+){_TRAIT})*\b"
)


def figures(survey: Survey) -> Iterator[Finding]:
    """A number in figures in a story or a description is one of the haunt's data."""
    for haunt in survey.of(Haunt):
        data = data_in(haunt.value)
        for text in texts_of(haunt):
            if text.trail[-1] == "goal" or "token with the number" in text.words:
                continue
            words = _PLAYERS.sub(" ", _LISTED.sub(" ", text.words))
            strange = [
                number for number in map(int, re.findall(r"\b\d+\b", words)) if number not in data.numbers | {0, 1}
            ]
            for number in strange[:1]:
                message = f"the text says {number}, which is no number of the haunt"
                yield Finding(text.trail, message, "say the number of the data", severity="warning")


def moments(survey: Survey) -> Iterator[Finding]:
    """What a story promises for each round or turn has a trigger."""
    for haunt in survey.of(Haunt):
        there = {one.value.when for one in _of(haunt, survey, Trigger)}
        per_round = any(one.value.round_at_least is not None for one in _of(haunt, survey, Condition))
        for text in texts_of(haunt):
            for moment, words in MOMENTS.items():
                missing = moment not in there and not (
                    moment == "round-started" and (per_round or "monsters-ended" in there)
                )
                if missing and (found := re.search(words, text.words)):
                    message = f"the text says `{found[0]}`, and nothing is done at `{moment}`"
                    yield Finding(text.trail, message, f"give a trigger `when: {moment}`", severity="warning")


def goals(survey: Survey) -> Iterator[Finding]:
    """A goal in words speaks of what its condition counts."""
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        if haunt is None or book.value.wins_when is None:
            continue
        said = _stems(book.value.goal)
        titles = {f"token {token.id}": token.title for token in haunt.value.tokens}
        titles |= {f"monster {name}": monster.title for name, monster in haunt.value.monsters.items()}
        titles |= {f"counter {name}": counter.title for name, counter in haunt.value.counters.items()}
        for spot in _of(haunt, survey, Condition):
            if spot.trail[: len(book.trail) + 1] != book.at("wins-when"):
                continue
            count = spot.value.count
            asked = [("counter", spot.value.counter), ("token", spot.value.token_in_house)]
            asked += [("token", count.tokens), ("monster", count.monsters)] if count is not None else []
            for kind, name in asked:
                title = titles.get(f"{kind} {name}", "")
                if title and not _stems(f"{title} {name}") & said:
                    message = f"the goal in words does not speak of the {kind} `{name}` ({title})"
                    yield Finding(spot.trail, message, "is another one meant?", severity="warning")


def deaths(survey: Survey) -> Iterator[Finding]:
    """The goal of the heroes speaks of a death exactly where one decides."""
    for book in survey.of(Book):
        goal, haunt = book.value.wins_when, book.inside(Haunt)
        if book.trail[-1] != "heroes" or haunt is None:
            continue
        said = re.search(r"\b(?:dead|dies|death|killed)\b", book.value.goal)
        asked = [*asked_in(goal), *asked_in(book.value.loses_when)]
        dead = [one for one in asked if one.field == "dead"]
        gone = any(one.field in {"monsters_gone", "count", "counter", "there_is"} for one in asked)
        if dead and not said:
            message = f"the goal in words does not speak of `dead: {dead[0].value}`"
            yield Finding(book.at("goal"), message, "say who has to be dead", severity="warning")
        elif said and goal is not None and not dead and not (gone and "traitor" not in book.value.goal):
            message = f"the goal in words says `{said[0]}`, and no death decides"
            yield Finding(book.at("wins-when"), message, "add `dead: traitor`", key=True, severity="warning")


def _stems(text: str) -> set[str]:
    """How the words of a text begin: `bites` and `bitten` alike."""
    return {word[:3] for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in STOP}


def _of(haunt: Spot[Haunt], survey: Survey, kind: type[W]) -> list[Spot[W]]:
    return [spot for spot in survey.inside(haunt, kind) if "seek" not in spot.trail]
