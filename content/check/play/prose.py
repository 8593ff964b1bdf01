"""Numbers that a text names in braces: they exist, and whoever reads it knows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.errors import Finding, did_you_mean
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
    TokenKind,
)
from content.vocabulary.values import Number

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
