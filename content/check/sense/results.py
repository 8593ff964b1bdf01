"""What rolls lead to: no low result is better than a higher one, and no high one harms where a lower does nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from content.check.sense.aims import changed
from content.check.sense.goals import OTHER, Wants, best_of, ordered, root_of, side_of, wants_of
from content.errors import Finding
from content.survey import Spot, Survey
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Haunt
from content.vocabulary.values import Each

GOOD = ("gain", "heal", "give", "draw", "escape", "take", "extra_turn", "survive")
BAD = ("damage", "lose", "lose_card", "discard", "trap", "attacked")


def upside_down(survey: Survey) -> Iterator[Finding]:
    """The higher the result, the better for whoever rolls."""
    for haunt in survey.of(Haunt):
        wants = wants_of(haunt, survey)
        for step in survey.of(Effect):
            outcomes = step.value.outcomes
            if step.trail[:2] != haunt.trail or not outcomes or step.value.roll is None:
                continue
            judge = _Judge(step, haunt, wants)
            keys = ordered(outcomes)
            worth = [judge.worth(outcomes[key]) for key in keys]
            for index, key in enumerate(keys[1:], 1):
                if worth[index] < max(worth[:index]):
                    lower = keys[worth.index(max(worth[:index]))]
                    message = f"`{key}` is worse than `{lower}` for whoever rolls"
                    yield Finding(step.at("outcomes", key), message, "exchange them?", key=True, severity="warning")
                    break


def nothing_for_the_best(survey: Survey) -> Iterator[Finding]:
    """The highest result of an action does something, where a lower one does."""
    for action in survey.of(Action):
        if action.inside(Haunt) is None:
            continue
        for step in survey.of(Effect):
            outcomes = step.value.outcomes
            if step.trail[: len(action.trail)] != action.trail or not outcomes or step.value.roll is None:
                continue
            if step.value.roll.task or step.value.who not in (None, "you"):
                continue  # `purpose.turned` tells of the one; in the other somebody else rolls to be spared
            best = best_of(outcomes)
            lower = [key for key in outcomes if key != best and any(not _harms(one) for one in outcomes[key])]
            if not outcomes[best] and lower:
                message = f"`{best}` leads to nothing, and `{lower[0]}` does something"
                hint = "let the high roll succeed"
                yield Finding(step.at("outcomes", best), message, hint, key=True, severity="warning")


class _Judge:
    """Weighs what a result of one roll brings for whoever rolls."""

    def __init__(self, step: Spot[Effect], haunt: Spot[Haunt], wants: dict[Side, Wants]) -> None:
        self._side = _roller(step)
        self._wants = wants
        self._blocks = haunt.value.blocks
        root = root_of(step)
        target = root.value.target if root is not None and isinstance(root.value, Action) else None
        foe = {"heroes": "traitor", "traitor": "hero", None: ""}[self._side]
        self._friendly = isinstance(target, Each) and target.each not in {foe, "opponent"}

    def worth(self, steps: list[Effect]) -> int:
        """1 where it helps, -1 where it harms, 0 where it does neither or both."""
        total = sum(self._one(step) for step in self._flat(steps, set()))
        return (total > 0) - (total < 0)

    def _flat(self, steps: list[Effect], ran: set[str]) -> Iterator[Effect]:
        for step in steps:
            yield step
            yield from self._flat(step.then or [], ran)
            if step.run in self._blocks and step.run not in ran:
                ran.add(step.run or "")
                yield from self._flat(self._blocks[step.run or ""], ran)

    def _one(self, step: Effect) -> int:
        worth = sum(self._for_the_side(name, way) for name, way in changed(step))
        personal = any(getattr(step, word) is not None for word in GOOD) - _harms(step)
        if step.who is None or step.who == "you":
            return worth + personal
        if step.who == "target":
            return worth + (personal if self._friendly else -personal)
        return worth

    def _for_the_side(self, name: str, way: int) -> int:
        if self._side is None:
            return 0
        own, other = self._wants[self._side], self._wants[OTHER[self._side]]
        helps = name in (own.high if way > 0 else own.low) or name in (other.low if way > 0 else other.high)
        harms = name in (own.low if way > 0 else own.high) or name in (other.high if way > 0 else other.low)
        return 2 * (helps - harms)


def _roller(step: Spot[Effect]) -> Side | None:
    """The side that rolls: that of whom the step names, or of whoever does the action."""
    above: Spot[Any] | None = step
    while above is not None and isinstance(above.value, Effect):
        if isinstance(above.value.who, Each):
            each = above.value.who.each
            return "heroes" if each == "hero" else "traitor" if each == "traitor" else None
        if above.value.who is not None:
            return None
        above = above.above
    return side_of(step) if step.inside(Action) is not None else None


def _harms(step: Effect) -> bool:
    return any(getattr(step, word) is not None for word in BAD) or step.kill == "you"
