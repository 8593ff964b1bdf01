"""A hidden traitor is one of the heroes to everybody: nothing that others see may be the traitor's alone before it shows itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from content.check.sense.data import texts_of
from content.check.sense.goals import guards, side_of
from content.check.sense.lists import asked_in, steps_below
from content.check.sense.results import BAD
from content.errors import Finding
from content.survey import Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt, Trigger
from content.vocabulary.values import Condition, Each

_UNTIL = re.compile(
    r"\b(?:until|while|as long as|before)\b[^.;]*\b(?:show|hid|reveal|know|unmask|guess)", re.IGNORECASE
)

_UNSEEN = ("tell", "choose_secret", "reveal", "win")
"""Verbs of which the others see nothing, or that show the traitor on purpose."""


def unmasked(survey: Survey) -> Iterator[Finding]:
    """What only the traitor may do in a hidden-traitor haunt waits until the traitor is revealed."""
    for action in survey.of(Action):
        haunt = action.inside(Haunt)
        if haunt is None or haunt.value.kind != "hidden-traitor" or side_of(action) != "traitor":
            continue
        steps = [step.value for step in steps_below(action)]
        if action.value.for_ == "monsters" or any(step.reveal is not None for step in steps):
            continue
        if not _revealed([action.value.if_]) and any(map(_seen, steps)):
            message = "only the traitor can do this, so whoever does it is known to everybody"
            yield Finding(action.at("word"), message, "ask `if: {you: revealed-traitor}`", severity="warning")


def singled_out(survey: Survey) -> Iterator[Finding]:
    """What happens by itself to the traitor alone waits until the traitor is revealed."""
    for trigger in survey.of(Trigger):
        haunt = trigger.inside(Haunt)
        if haunt is None or haunt.value.kind != "hidden-traitor":
            continue
        for step in steps_below(trigger):
            named = step.value.who == "traitor" or (
                isinstance(step.value.who, Each) and step.value.who.each == "traitor"
            )
            if not named and trigger.value.for_ != "traitor":
                continue
            if _seen(step.value) and not _revealed([trigger.value.if_, *guards(step), *_filters(step.value)]):
                message = "this happens to the traitor alone, so everybody sees who it is"
                yield Finding(step.trail, message, "ask `if: {traitor: revealed}`", severity="warning")


def only_before(survey: Survey) -> Iterator[Finding]:
    """What hurts the heroes does not end when the traitor shows itself, unless a text says so."""
    for step in survey.of(Effect):
        haunt, who = step.inside(Haunt), step.value.who
        if haunt is None or haunt.value.kind != "hidden-traitor" or not isinstance(who, Each) or who.each != "hero":
            continue
        asked = [(one.field, one.value) for condition in guards(step) for one in asked_in(condition) if one.holds]
        harms = any(getattr(step.value, verb) is not None for verb in BAD)
        if harms and ("traitor", "hidden") in asked and not any(_UNTIL.search(text.words) for text in texts_of(haunt)):
            message = "this hurts the heroes only until the traitor shows itself, and no text says so"
            yield Finding(
                step.trail, message, "ask `if: {traitor: revealed}`, or say it in the story", severity="warning"
            )


def _revealed(conditions: list[Condition | None]) -> bool:
    asked = [one for condition in conditions for one in asked_in(condition) if one.holds]
    return any((one.field, one.value) in {("you", "revealed-traitor"), ("traitor", "revealed")} for one in asked)


def _filters(effect: Effect) -> list[Condition | None]:
    return [effect.who.if_] if isinstance(effect.who, Each) else []


def _seen(effect: Effect) -> bool:
    verb: tuple[str, Any] | None = effect.verb()
    return verb is not None and verb[0] not in _UNSEEN
