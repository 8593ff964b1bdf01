"""What a roll needs: the rolls that a box of content asks for, and the result from which on they succeed, or their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from content.survey import Spot, walk
from content.vocabulary.effects import Effect
from content.vocabulary.outcomes import Span, parse
from content.vocabulary.values import Number
from domain.engine.rules import Rules

FEW = 2
"""Lines of a roll that succeeds or fails."""


@lru_cache(maxsize=1024)
def rolls_in(rules: Rules, box: str) -> tuple[Effect, ...]:
    """The steps of a box that have a `roll`, shared blocks that it runs included; none for what is no box of the pack."""
    return tuple(step for step in _throws(rules, box) if step.roll is not None)


@lru_cache(maxsize=1024)
def only_roll(rules: Rules, box: str) -> Effect | None:
    """The one step of a box that has a `roll`, if nothing before it throws dice either."""
    first = next(iter(_throws(rules, box)), None)
    return first if first is not None and rolls_in(rules, box) == (first,) and first.if_ is None else None


def dice_counted(rules: Rules, box: str, *, damage: bool) -> list[Number]:
    """By what a box counts the dice that it rolls, or those of the damage that it does, where it names no plain number."""
    nodes = (step.damage if damage else step.roll for step in _throws(rules, box))
    return [node.dice for node in nodes if node is not None and isinstance(node.dice, Number)]


def _throws(rules: Rules, box: str) -> list[Effect]:
    """Everything in a box that throws dice, in the order in which it is written."""
    return [step for step in _steps(rules, box, ()) if step.roll or step.roll_each or step.damage or step.attacked]


def _steps(rules: Rules, box: str, within: tuple[str, ...]) -> Iterator[Effect]:
    owner = box.partition("#")[0]
    for step in (spot.value for effect in rules.pack.written.get(box, ()) for spot in walk(Spot((), effect))):
        if isinstance(step, Effect):
            yield step
            shared = (f"{owner}#blocks.{step.run}", f"pack#blocks.{step.run}") if step.run is not None else ()
            block = next((one for one in shared if one in rules.pack.written), "")
            if block and block not in within:
                yield from _steps(rules, block, (*within, block))


def needed(effect: Effect) -> int | None:
    """The result from which on a roll succeeds, such as 5 of `5+`; None if its outcomes don't tell success from failure."""
    roll, outcomes = effect.roll, effect.outcomes or {}
    spans = {key: span for key in outcomes if (span := parse(key)) is not None}
    if roll is None or len(spans) <= 1:
        return None
    best = max(spans, key=lambda key: spans[key].low)
    if spans[best].high is not None or (roll.task and not outcomes[best]):
        return None  # of a task whose high roll leads to nothing, nobody can say what it is meant to need
    return spans[best].low


def graded(effect: Effect) -> list[tuple[str, Span]]:
    """The lines of a roll that say more than success and failure, from the lowest up, without those that do nothing."""
    spans = {key: span for key in effect.outcomes or {} if (span := parse(key)) is not None}
    if len(spans) <= FEW:
        return []
    doing = [(key, spans[key]) for key, steps in (effect.outcomes or {}).items() if steps]
    return sorted(doing, key=lambda line: line[1].low) if len(doing) > 1 else []


def needed_by(effects: Sequence[Effect]) -> int | None:
    """What all of these rolls need; None if they need different results, or one does not tell."""
    found = {needed(effect) for effect in effects}
    return found.pop() if len(found) == 1 else None


def traits_of(effect: Effect) -> list[str]:
    """The traits with which a roll may be made; none if it is not a trait roll."""
    roll = effect.roll
    if roll is None:
        return []
    return list(roll.one_of) if roll.one_of is not None else [roll.trait] if roll.trait is not None else []


def source_of(box: str) -> str:
    """Whose words a box is: `card:rotten` of `card/rotten#do`, `haunt:heroes` of `haunt/the-bell-below#heroes.actions.SEARCH`."""
    owner, _, path = box.partition("#")
    what, _, name = owner.partition("/")
    return f"{what}:{path.partition('.')[0] if what == 'haunt' else name}"
