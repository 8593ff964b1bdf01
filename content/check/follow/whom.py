"""Whom steps reach: a target that nothing is done to, moves that move nobody, words for one that all hear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from content.check.play.sides import turncoats
from content.check.sense.goals import guards, side_of
from content.check.sense.lists import conjuncts, steps_below
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt
from content.vocabulary.values import Each

PERSONAL = ("heal", "gain", "set_trait", "draw", "move", "trap", "attacked", "give", "take")
"""Verbs that are about one explorer, and hardly ever a price."""


def nothing_for_the_target(survey: Survey) -> Iterator[Finding]:
    """Whoever an action makes players name has a part in it."""
    for action in survey.of(Action):
        if action.inside(Haunt) is None or action.value.target is None:
            continue
        steps = list(steps_below(action))
        if any(map(_does, steps)) and not any(_speaks_of(step.value, "target") for step in steps):
            message = "players name a target, and nothing is done to it"
            yield Finding(action.at("target"), message, "say `who: target` at a step", key=True, severity="warning")


def _does(step: Spot[Effect]) -> bool:
    """Whether a step does something to somebody, and is no price that is paid: a card that is named."""
    effect = step.value
    if effect.lose_card is not None:
        return effect.lose_card.card is None
    harms = effect.damage is not None or effect.lose is not None
    if harms and "outcomes" not in step.trail:
        return False  # `deeds.harms_its_own` tells of it
    return harms or any(getattr(effect, verb) is not None for verb in PERSONAL)


def goes_nowhere(survey: Survey) -> Iterator[Finding]:
    """Whoever is moved is not there already."""
    turning = turncoats(survey)
    for step in survey.of(Effect):
        if step.value.move is None or step.inside(Haunt) is None:
            continue
        where = step.value.move.to
        if isinstance(where, str) and where in _rooms_of_the_moved(step, lone=step.trail[:2] not in turning):
            message = f"nobody is moved by this: they are at `{where}` already"
            hint = "say who else is moved, or name another room"
            yield Finding(step.at("move", "to"), message, hint, severity="warning")


def _rooms_of_the_moved(step: Spot[Effect], *, lone: bool) -> set[str]:
    """Names for the rooms in which those who are moved certainly are."""
    who = step.value.who
    if isinstance(who, Each):
        if not isinstance(who.in_, str):
            return set()
        return {who.in_} | (
            _rooms_of_the_doer(step, lone=lone) if who.in_ == "here" and not _named_above(step) else set()
        )
    if who is not None:
        return {f"room-of:{who}"} | ({"target-room"} if who == "target-room" else set())
    rooms = {"here"} if not _named_above(step) else {f"room-of:{_named_above(step)}"}
    if not _named_above(step):
        rooms |= _rooms_of_the_doer(step, lone=lone) & {"room-of:traitor"}
    asked = [part for condition in guards(step) for part in conjuncts(condition)]
    return rooms | {f"room-of:holder:{part.carrying}" for part in asked if part.carrying is not None}


def _rooms_of_the_doer(step: Spot[Effect], *, lone: bool) -> set[str]:
    """Names for the room in which whoever does this is; `lone`: there is never a second traitor."""
    deed = step.inside(Action)
    traitor = deed is not None and lone and side_of(deed) == "traitor" and deed.value.for_ == "explorers"
    asked = [part for condition in guards(step) for part in conjuncts(condition)]
    rooms = {part.in_ for part in asked if isinstance(part.in_, str)}
    return rooms | ({"room-of:traitor"} if traitor else set())


def _named_above(step: Spot[Any]) -> str:
    """Whom a step around this one is for; `several` where it is an `Each`."""
    above = step.above
    while above is not None and isinstance(above.value, Effect):
        if above.value.who is not None:
            return above.value.who if isinstance(above.value.who, str) else "several"
        above = above.above
    return ""


def told_to_more(survey: Survey) -> Iterator[Finding]:
    """What is for one pair of ears is told to `you`: a side hears it whoever `you` are."""
    for step in survey.of(Effect):
        tell = step.value.tell
        if step.inside(Haunt) is None or tell is None or step.value.who is None or tell.side == "you":
            continue
        if step.value.if_ is None:
            heard = "everybody hears" if tell.side == "all" else f"the whole side `{tell.side}` hears"
            message = f"{heard} this, whoever `who` names"
            yield Finding(step.at("tell", "side"), message, "write `side: you`, or leave `who` out", severity="warning")


def _speaks_of(value: Any, word: str) -> bool:  # noqa: ANN401 - a Struct, or plain data
    """Whether some data names somebody, by themselves or by the room in which they are."""
    if isinstance(value, msgspec.Struct):
        return any(_speaks_of(getattr(value, field), word) for field in value.__struct_fields__)
    if isinstance(value, dict):
        return any(_speaks_of(one, word) for one in value.values())
    if isinstance(value, list):
        return any(_speaks_of(one, word) for one in value)
    return isinstance(value, str) and word in value.replace("-", ":").split(":")
