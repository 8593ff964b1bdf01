"""What happens by itself in a haunt: once for all or for each, and good for whose side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.sense.aims import changed
from content.check.sense.goals import side_of, wants_of
from content.check.sense.lists import steps_below
from content.check.sense.results import BAD
from content.errors import Finding
from content.survey import Spot, Survey, given
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect, Option
from content.vocabulary.pack import Book, Card, Haunt, Trigger
from content.vocabulary.values import Each

_GOOD = ("gain", "heal", "give", "draw", "take", "extra_turn")
FILTERS = ("kind", "in_", "on", "having", "if_", "lowest", "first", "one")
_SIDE: dict[str, Side] = {"hero": "heroes", "heroes": "heroes", "traitor": "traitor"}


def for_each(survey: Survey) -> Iterator[Finding]:
    """A round counts once, not once for everybody there is."""
    for trigger in survey.of(Trigger):
        if trigger.inside(Haunt) is None or trigger.value.when not in {"round-started", "monsters-ended"}:
            continue
        for step in steps_below(trigger):
            who, change = step.value.who, step.value.count
            if change is None or change.by is None or not isinstance(who, Each) or given(who, FILTERS):
                continue
            message = f"`{change.counter}` moves once for each {who.each}, so more of them make it go faster"
            yield Finding(step.at("who"), message, "leave `who` out", key=True, severity="warning")


def for_the_others(survey: Survey) -> Iterator[Finding]:
    """What happens by itself in a side's book does the other side no good, and the own side not only harm."""
    for trigger in survey.of(Trigger):
        book, haunt = trigger.inside(Book), trigger.inside(Haunt)
        side = side_of(trigger)
        if book is None or haunt is None or side is None or haunt.value.kind != "one-traitor":
            continue
        steps = list(steps_below(trigger))
        to = [(_to(step, trigger), step) for step in steps]
        good = [step for whose, step in to if whose not in {"", side} and _first(step.value, _GOOD)]
        bad = [step for whose, step in to if whose not in {"", side} and _first(step.value, BAD)]
        if good and not bad:
            message = f"this does good to the other side ({_to(good[0], trigger)})"
            yield Finding(
                good[0].at(_first(good[0].value, _GOOD)),
                message,
                "name the own side, or a harm",
                key=True,
                severity="warning",
            )
        harm = [step for whose, step in to if whose == side == "traitor" and _first(step.value, BAD)]
        if harm and len([step for step in steps if step.value.verb() is not None]) == len(harm):
            message = "the traitor's book harms the traitor, and nobody else"
            yield Finding(
                harm[0].at(_first(harm[0].value, BAD)), message, "name the heroes", key=True, severity="warning"
            )


def harms_who_gains(survey: Survey) -> Iterator[Finding]:
    """What harms whoever it comes to does not bring that very side nearer to its goal."""
    for trigger in survey.of(Trigger):
        haunt, side = trigger.inside(Haunt), _SIDE.get(trigger.value.for_)
        if haunt is None or side is None or trigger.inside(Card) is not None:
            continue
        wants = wants_of(haunt, survey)[side].high
        steps = [step for step in steps_below(trigger) if "outcomes" not in step.trail]
        harm = [step for step in steps if _to(step, trigger) == side and _first(step.value, BAD)]
        gain = [name for step in steps for name, way in changed(step.value) if way > 0 and name in wants]
        if harm and gain:
            whose = "traitor's side" if side == "traitor" else "heroes' side"
            message = f"this harms the {whose} and brings it nearer to its goal: more of the {_named(gain[0])}"
            hint = f"write `for: {'heroes' if side == 'traitor' else 'traitor'}`?"
            yield Finding(trigger.at("for"), message, hint, severity="warning")


def _named(thing: str) -> str:
    kind, _, name = thing.partition(" ")
    return f"{kind} `{name}`"


def _to(step: Spot[Effect], trigger: Spot[Trigger]) -> str:
    """The side to which a step happens, where it is one."""
    above: Spot[Any] | None = step
    while above is not None and isinstance(above.value, Effect | Option) and getattr(above.value, "who", None) is None:
        above = above.above
    who = getattr(above.value, "who", None) if above is not None else None
    if isinstance(who, Each):
        return _SIDE.get(who.each, "")
    return _SIDE.get(who if isinstance(who, str) else trigger.value.for_ if who is None else "", "")


def _first(effect: Effect, verbs: tuple[str, ...]) -> str:
    return next((verb.replace("_", "-") for verb in verbs if getattr(effect, verb) is not None), "")
