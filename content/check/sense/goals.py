"""What each side of a haunt wants: the counters, tokens and monsters that its goal counts, and who does what an action offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from content.check.sense.lists import conjuncts
from content.errors import Trail
from content.survey import Spot, Survey
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.outcomes import AT_LEAST, parse
from content.vocabulary.pack import Action, Book, Haunt, Monster, Trigger
from content.vocabulary.values import Condition, Count, Number

OTHER: dict[Side, Side] = {"heroes": "traitor", "traitor": "heroes"}


class Wants(msgspec.Struct):
    """What brings a side nearer to its goal."""

    high: set[str] = msgspec.field(default_factory=set)
    """Things of which there are to be many: `counter rings`, `token cage`, `monster vine`."""
    low: set[str] = msgspec.field(default_factory=set)
    """Things of which there are to be few."""

    def note(self, condition: Condition) -> None:
        """Take in what a goal asks for."""
        into = self.high if condition.at_least is not None else self.low if condition.at_most is not None else None
        if into is not None:
            into |= set(_things(condition))
        if condition.token_in_house is not None:
            self.high.add(f"token {condition.token_in_house}")


def wants_of(haunt: Spot[Haunt], survey: Survey) -> dict[Side, Wants]:
    """What the sides want, by their goals and by the steps that say `win`."""
    found: dict[Side, Wants] = {"heroes": Wants(), "traitor": Wants()}
    for spot in survey.of(Condition):
        if spot.trail[:2] == haunt.trail and "wins-when" in spot.trail and "not" not in spot.trail:
            found["heroes" if spot.trail[2] == "heroes" else "traitor"].note(spot.value)
    for step in survey.of(Effect):
        if step.trail[:2] == haunt.trail and step.value.win is not None:
            side = "traitor" if step.value.win.side == "you" else step.value.win.side
            for condition in guards(step):
                for part in conjuncts(condition):
                    found[side].note(part)
    return found


def guards(step: Spot[Any]) -> Iterator[Condition]:
    """The conditions under which a step is done, without those whose `else` it is."""
    inner: Trail = step.trail
    above: Spot[Any] | None = step
    while above is not None:
        asks, depth = getattr(above.value, "if_", None), len(above.trail)
        if isinstance(asks, Condition) and (len(inner) <= depth or inner[depth] != "else"):
            yield asks
        above = above.above


def side_of(spot: Spot[Any]) -> Side | None:
    """The side that does what stands here, where only one does."""
    haunt, book, action = spot.inside(Haunt), spot.inside(Book), spot.inside(Action)
    if haunt is not None and (monster := spot.inside(Monster)) is not None:
        return monster.value.side
    if haunt is None or (book is None and action is None) or haunt.value.kind == "free-for-all":
        return None
    if book is not None and (haunt.value.traitor_book is not None or haunt.value.kind == "no-traitor"):
        return "heroes" if book.trail[-1] == "heroes" else "traitor"
    if action is None:
        return None
    if action.value.side is not None:
        return action.value.side
    for part in conjuncts(action.value.if_):
        if part.side is not None:
            return part.side
        if part.you is not None:
            return "traitor" if "traitor" in part.you else "heroes"
    return None


def best_of(outcomes: dict[str, list[Effect]]) -> str:
    """The key of the highest result."""
    return max(outcomes, key=_height, default="")


def ordered(outcomes: dict[str, list[Effect]]) -> list[str]:
    """The keys from the lowest result to the highest."""
    return sorted(outcomes, key=_height)


def _height(key: str) -> int:
    span = parse(key)
    return span.low if span is not None else int(key == AT_LEAST)


def succeeding(root: Spot[Any], steps: list[Effect], *, surely: bool = False) -> Iterator[Spot[Effect]]:
    """The steps that are done where every roll comes to its highest result, those of blocks and options among them.

    Args:
        root: the action or trigger.
        steps: what it does.
        surely: leave out the `else` of what has a `then`, and options.
    """
    haunt = root.inside(Haunt)
    blocks = haunt.value.blocks if haunt is not None else {}
    waiting = [Spot(root.at("do", index), step, root) for index, step in enumerate(steps)]
    ran: set[str] = set()
    while waiting:
        spot = waiting.pop(0)
        yield spot
        effect = spot.value
        best = best_of(effect.outcomes or {})
        lists: list[tuple[Trail, list[Effect] | None]] = [(("then",), effect.then)]
        lists += [(("else",), effect.else_)] if not (surely and effect.then) else []
        lists += [(("outcomes", best), effect.outcomes[best])] if effect.outcomes else []
        if not surely:
            lists += [(("choose", index, "do"), option.do) for index, option in enumerate(effect.choose or ())]
        for nested, inner in lists:
            waiting += [Spot(spot.at(*nested, index), step, spot) for index, step in enumerate(inner or ())]
        if effect.run in blocks and effect.run not in ran and haunt is not None:
            ran.add(effect.run or "")
            trail = haunt.at("blocks", effect.run or "")
            waiting += [Spot((*trail, index), step, haunt) for index, step in enumerate(blocks[effect.run or ""])]


def root_of(spot: Spot[Any]) -> Spot[Any] | None:
    """The action or trigger in which something stands."""
    return spot.inside(Action, Trigger)


def _things(condition: Condition) -> Iterator[str]:
    if condition.counter is not None:
        yield f"counter {condition.counter}"
    if condition.count is not None:
        yield from _counted(condition.count)
    if isinstance(condition.number, Number):
        yield from _summed(condition.number)


def _summed(number: Number) -> Iterator[str]:
    if number.counter is not None:
        yield f"counter {number.counter}"
    if number.count is not None:
        yield from _counted(number.count)
    for part in number.sum or ():
        if isinstance(part, Number):
            yield from _summed(part)


def _counted(count: Count) -> Iterator[str]:
    if count.tokens is not None:
        yield f"token {count.tokens}"
    if count.monsters is not None:
        yield f"monster {count.monsters}"
