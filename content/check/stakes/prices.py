"""What deeds cost: a price that was paid, and no more than it is worth."""

from __future__ import annotations

from collections.abc import Iterator

from content.check.form.amounts import by_players
from content.check.sense.aims import changed
from content.check.sense.goals import guards, side_of, succeeding, wants_of
from content.check.sense.lists import asked_in, steps_below
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt

_REWARDS = ("count", "gain", "heal", "give", "win", "draw", "place_token")


def unpaid(survey: Survey) -> Iterator[Finding]:
    """Where a card is the price, nothing is had for it by whoever has no card."""
    for action in survey.of(Action):
        haunt = action.inside(Haunt)
        if haunt is None:
            continue
        for step in (one for one in steps_below(action) if one.trail[: len(action.trail)] == action.trail):
            lost = step.value.lose_card
            if lost is None or step.value.then is not None or step.value.who not in {None, "you"}:
                continue
            asked = {one.field for condition in guards(step) for one in asked_in(condition) if one.holds}
            reward = next((one for one in _after(step, action) if _reward(one.value)), None)
            if reward is not None and not asked & {"has_item", "carrying", "held"}:
                word = _reward(reward.value).replace("_", "-")
                message = f"whoever has no card to lose gets this `{word}` too"
                hint = "write it under the `then` of `lose-card`"
                yield Finding(reward.trail, message, hint, severity="warning")


def all_for_one(survey: Survey) -> Iterator[Finding]:
    """A deed that has to be done several times does not take away all that it can be done with."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        laid = _laid_later(haunt, survey)
        for action in survey.of(Action):
            side = side_of(action)
            if action.trail[:2] != haunt.trail or side is None:
                continue
            here = {one.value for one in asked_in(action.value.if_) if one.field == "token" and one.holds}
            steps = list(succeeding(action, action.value.do))
            single = {name for step in steps if _is_one(step.value) for name, way in changed(step.value) if way > 0}
            for step in steps:
                gone = step.value.remove_token
                if gone is None or not gone.all or gone.token not in here - laid or not single & wants[side].high:
                    continue
                message = f"every `{gone.token}` in the house is taken away, and one is counted"
                yield Finding(step.at("remove-token", "all"), message, "leave `all` out", key=True, severity="warning")


def _after(step: Spot[Effect], action: Spot[Action]) -> Iterator[Spot[Effect]]:
    """The steps that follow in the same list."""
    *home, last = step.trail
    for other in steps_below(action):
        if list(other.trail[:-1]) == home and int(other.trail[-1]) > int(last):
            yield other


def _reward(effect: Effect) -> str:
    if effect.if_ is not None or effect.who not in {None, "you"}:
        return ""
    return next((verb for verb in _REWARDS if getattr(effect, verb) is not None), "")


def _is_one(effect: Effect) -> bool:
    table = by_players(effect.count.by) if effect.count is not None and effect.count.by is not None else None
    return table is not None and set(table.values()) == {1}


def _laid_later(haunt: Spot[Haunt], survey: Survey) -> set[str]:
    """Tokens that are put down after the haunt has begun."""
    steps = [step for step in survey.of(Effect) if step.trail[:2] == haunt.trail and "right-now" not in step.trail]
    ran = {step.value.run for step in steps}
    later = [step.value.place_token for step in steps if step.trail[2] != "blocks" or step.trail[3] in ran]
    return {placed.token for placed in later if placed is not None}
