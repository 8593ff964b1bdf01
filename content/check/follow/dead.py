"""Deaths: what is done where the dead stood, who plays on after them, and what dying costs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.check.follow.ways import Way, roots, ways
from content.check.sense.aims import changed
from content.check.sense.goals import Wants, side_of, wants_of
from content.check.sense.lists import conjuncts
from content.errors import Finding, Trail
from content.survey import Spot, Survey
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Book, Haunt
from content.vocabulary.values import Condition

GONE = ("kill", "escape", "remove")
CHEAP = ("heal", "gain", "tell")
"""Verbs that cost whoever would die nothing."""

DEAD = re.compile(r"\b(?:you are dead|you're dead|you have died|you died)\b", re.IGNORECASE)


def where_nobody_stands(survey: Survey) -> Iterator[Finding]:
    """Nothing is put where somebody stands who has just left the house."""
    for root in roots(survey):
        for way in ways(root):
            if way.step.value.who is None and _here(way.step.value) and _left(way):
                message = "whoever does this has died or left the house, and is nowhere"
                yield Finding(way.step.trail, message, "write it before that step", severity="warning")


def _here(effect: Effect) -> bool:
    placed, monster = effect.place_token, effect.place_monster
    places = [placed.at if placed is not None else None, monster.at if monster is not None else None]
    return any(place in {"here", "room-of:you"} for place in places if isinstance(place, str))


def _left(way: Way) -> bool:
    """Whether `you` have certainly gone before a step, and nobody is named around it."""
    named = way.step.above
    while named is not None and isinstance(named.value, Effect):
        if named.value.who is not None:
            return False
        named = named.above
    return any(getattr(one.value, verb) == "you" and one.value.who is None for one in way.before for verb in GONE)


def idle_monsters(survey: Survey) -> Iterator[Finding]:
    """Where the haunt goes on without its traitor, so do the monsters, or nobody is left to stop the heroes."""
    for haunt in survey.of(Haunt):
        book = haunt.value.traitor_book
        if haunt.value.kind != "one-traitor" or book is None or not haunt.value.monsters:
            continue
        coming = [step.value.place_monster for step in survey.inside(haunt, Effect)]
        kinds = [haunt.value.monsters.get(one.kind) for one in coming if one is not None]
        theirs = any(kind is not None and kind.side == "traitor" for kind in kinds)
        ends = _ends_by_the_traitor(haunt, survey)
        if theirs and book.plays_on is None and not ends and not book.instead_of_death:
            message = "once the traitor is dead the monsters have no turns any more"
            hint = "write `plays-on: {count: {monsters: any}, at-least: 1}`"
            yield Finding(haunt.at("traitor-book"), message, hint, key=True, severity="warning")


def _ends_by_the_traitor(haunt: Spot[Haunt], survey: Survey) -> bool:
    """Whether the game may be over when the traitor is dead, or asks who is."""
    asked = [spot.value for spot in survey.inside(haunt, Condition)]
    return any(one.dead == "traitor" or one.traitor == "dead" for one in asked)


def plays_on_in_vain(survey: Survey) -> Iterator[Finding]:
    """Monsters play on while there are monsters."""
    for haunt in survey.of(Haunt):
        book = haunt.value.traitor_book
        for part in conjuncts(book.plays_on) if book is not None else ():
            if part.monsters_gone is not None:
                message = "the monsters have turns only when none of them is left"
                hint = "write `count: {monsters: any}, at-least: 1`"
                yield Finding(haunt.at("traitor-book", "plays-on"), message, hint, key=True, severity="warning")


def costs_nothing(survey: Survey) -> Iterator[Finding]:
    """What comes in place of death costs something: else nobody can be beaten, and goals about the dead are out of reach."""
    for book in survey.of(Book):
        steps = book.value.instead_of_death
        if steps and not any(map(_costs, steps)):
            message = "nobody of this side ever dies, and it costs them nothing"
            yield Finding(
                book.at("instead-of-death"), message, "move them, or `change-side`", key=True, severity="warning"
            )


def _costs(step: Effect) -> bool:
    if step.verb() is not None:
        return all(getattr(step, verb) is None for verb in CHEAP)
    return any(_costs(one) for branch in (step.then, step.else_) for one in branch or ())


def gains_by_dying(survey: Survey) -> Iterator[Finding]:
    """Dying brings nobody's side nearer to its goal."""
    wants: dict[Trail, dict[Side, Wants]] = {}
    for root in roots(survey):
        if root.field != "instead-of-death":
            continue
        known = wants.setdefault(root.haunt.trail, wants_of(root.haunt, survey))
        side: Side = side_of(root.home) or "heroes"
        for way in ways(root):
            for name, by in changed(way.step.value):
                if name in (known[side].high if by > 0 else known[side].low):
                    message = f"whoever would die brings their own side nearer to its goal by this: `{name.split()[1]}`"
                    yield Finding(way.step.trail, message, "write `by` the other way round?", severity="warning")


def dead_in_words(survey: Survey) -> Iterator[Finding]:
    """A book that tells its readers that they are dead has killed them."""
    for book in survey.of(Book):
        haunt = book.inside(Haunt)
        said = DEAD.search(f"{book.value.story} {book.value.goal}")
        if said is None or haunt is None:
            continue
        steps = [one.value for one in survey.inside(haunt, Effect) if one.trail[2] != "heroes"]
        if not any("you" in {one.kill, one.remove} or one.kill == "target" for one in steps):
            message = f"the book says `{said.group()}`, and nothing kills them"
            yield Finding(
                book.at("story"), message, "write `kill: you` under `right-now`", key=True, severity="warning"
            )
