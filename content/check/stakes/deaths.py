"""What is done in place of a death: it costs something, and brings nobody nearer to a goal."""

from __future__ import annotations

from collections.abc import Iterator

from content.check.sense.aims import changed
from content.check.sense.goals import OTHER, wants_of
from content.errors import Finding
from content.survey import Spot, Survey, walk
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Book, Haunt

_FREE = ("heal", "gain", "move", "survive", "tell", "shift", "give", "draw")
"""Verbs that cost whoever would die nothing."""


def for_nothing(survey: Survey) -> Iterator[Finding]:
    """A hero who would die loses something, changes sides or leaves the house."""
    for book in survey.of(Book):
        steps = [spot.value for spot in _instead(book)]
        verbs = {verb[0] for step in steps if (verb := step.verb()) is not None}
        if book.trail[-1] == "heroes" and verbs and verbs <= {*_FREE}:
            message = "a hero who would die loses nothing by this, and so no hero ever dies"
            hint = "add what it costs: `change-side: traitor`, `remove: you`, a counter"
            yield Finding(book.at("instead-of-death"), message, hint, key=True, severity="warning")


def pays(survey: Survey) -> Iterator[Finding]:
    """Nobody brings their side nearer to its goal by dying."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        for book in survey.of(Book):
            if book.trail[:2] != haunt.trail:
                continue
            side: Side = "heroes" if book.trail[-1] == "heroes" else "traitor"
            for step in _instead(book):
                for name, way in changed(step.value):
                    own, other = wants[side], wants[OTHER[side]]
                    if (name in own.high if way > 0 else name in own.low) and name not in (
                        other.high if way > 0 else other.low
                    ):
                        kind, _, thing = name.partition(" ")
                        more = "more" if way > 0 else "less"
                        message = (
                            f"who would die here brings the own side nearer to its goal: {more} of the {kind} `{thing}`"
                        )
                        yield Finding(step.trail, message, "is it the other way round?", severity="warning")


def _instead(book: Spot[Book]) -> Iterator[Spot[Effect]]:
    for index, step in enumerate(book.value.instead_of_death):
        for spot in walk(Spot(book.at("instead-of-death", index), step, book)):
            if isinstance(spot.value, Effect):
                yield spot
