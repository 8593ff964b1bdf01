"""Dice: results that no roll comes to, and tables by players that fall where they should rise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from content.check.form.amounts import SPACES, by_players
from content.check.form.tables import FACES, HIGHEST
from content.errors import Finding
from content.survey import Spot, Survey, written
from content.vocabulary.base import TRAITS
from content.vocabulary.effects import Effect, PlaceMonster, Roll, RollEach, Trap
from content.vocabulary.outcomes import AT_LEAST, parse
from content.vocabulary.pack import Action, Barrier, Book, Haunt, Monster
from content.vocabulary.values import Condition, Number
from content.vocabulary.verbs import Steps


def reached(survey: Survey) -> Iterator[Finding]:
    """What a roll is compared with can come up: as many dice as are rolled, eight at most, show at most 2 each."""
    for spot in survey.of(Effect):
        roll = spot.value.roll
        if roll is None:
            continue
        most = _most(spot, roll)
        for key in spot.value.outcomes or {}:
            span = parse(key)
            if span is not None and most < span.low <= HIGHEST and roll.dice is None:
                message = f"`{key}` never happens: monsters of this haunt roll at most {most}"
                yield Finding(spot.at("outcomes", key), message, key=True)
        table = by_players(roll.against) or {}
        for players, number in table.items():
            place = spot.at("roll", "against", *(("players", players) if players else ()))
            if number > most:
                yield Finding(place, f"this roll never comes to {number}: it comes to at most {most}")
            elif number < 1:
                yield Finding(place, f"this roll never comes to less than {number}")


def tried(survey: Survey) -> Iterator[Finding]:
    """What a trait roll has to come to is no more than eight dice show, and nothing costs more spaces than anybody has."""
    for kind, field in TRIED:
        for one in survey.of(kind):
            number = getattr(one.value, field)
            if number is not None and number > HIGHEST:
                yield Finding(one.at(written(kind, field)), _too_high(number))
    for barrier in survey.of(Barrier):
        for name, number in barrier.value.by_ruling.items():
            if number > HIGHEST:
                yield Finding(barrier.at("by-ruling", name), _too_high(number))
    for action in survey.of(Action):
        if action.value.spaces > SPACES:
            message = f"nobody has so many spaces of movement: Speed goes up to {SPACES}"
            yield Finding(action.at("spaces"), message)


TRIED: tuple[tuple[type[Any], str], ...] = ((Trap, "at_least"), (Barrier, "at_least"), (RollEach, "all_at_least"))
"""What a trait roll has to come to."""


def _too_high(number: int) -> str:
    return f"no roll comes to {number}: eight dice show at most {HIGHEST}"


def compared(survey: Survey) -> Iterator[Finding]:
    """A step that asks for the result of the roll before it asks for one that its dice can show."""
    for spot in survey.of(Condition):
        number, least = spot.value.number, spot.value.at_least
        if isinstance(number, Number) and number.result == "roll" and isinstance(least, int):
            most = _rolled_before(survey, spot)
            if most is not None and least > most:
                yield Finding(spot.at("at-least"), f"the roll before this comes to at most {most}, never to {least}")


def _rolled_before(survey: Survey, condition: Spot[Condition]) -> int | None:
    """Return the highest result of the roll that a condition is about; None if none stands before it in the same list."""
    step = condition.inside(Effect)
    while step is not None and step.above is not None:
        index = step.trail[-1]
        before = [
            spot
            for spot in survey.children(step.above)
            if isinstance(spot.value, Effect)
            and spot.trail[:-1] == step.trail[:-1]
            and int(spot.trail[-1]) < int(index)
        ]
        rolls = [spot for spot in before if spot.value.roll is not None]
        if rolls:
            return _most(rolls[-1], rolls[-1].value.roll)
        above = step.above.inside(Effect)
        if above is not None and above.value.roll is not None:
            return _most(above, above.value.roll)
        step = above
    return None


def hardly_ever(survey: Survey) -> Iterator[Finding]:
    """What an action rolls for comes about in more than one try of twenty, with as many dice as there can be."""
    for spot in survey.of(Effect):
        roll, outcomes = spot.value.roll, spot.value.outcomes
        if roll is None or not outcomes or spot.inside(Action) is None or not any(outcomes.values()):
            continue
        against = by_players(roll.against)
        lines = [key for key, steps in outcomes.items() if steps]
        most = _most(spot, roll) // FACES
        tried = [_chances(dice) for dice in range(most if isinstance(roll.dice, int) else 1, most + 1)]
        chance = max(
            (sum(one for number, one in enumerate(chances) if _leads_on(lines, number, against)) for chances in tried),
            default=0,
        )
        if 0 < chance * RARE < 1:
            tries = round(1 / chance)
            message = f"at best one roll in {tries} does anything"
            hint = "ask for less, or roll more dice"
            yield Finding(spot.at("outcomes", lines[0]), message, hint, key=True, severity="warning")


RARE = 20
"""A try that comes off once in so many is hardly worth a turn."""


def _leads_on(lines: list[str], number: int, against: Mapping[str, int] | None) -> bool:
    """Tell whether a result leads to something; against a number that is not known it counts as doing so."""
    for key in lines:
        span = parse(key)
        if span is not None and number in span:
            return True
        if span is None and (not against or (number >= min(against.values())) == (key == AT_LEAST)):
            return True
    return False


def _chances(dice: int) -> list[float]:
    """Return the chance of each result, from 0 on: each die shows 0, 1 or 2, as often."""
    found = [1.0]
    for _ in range(dice):
        longer = [0.0, 0.0, *found]
        found = [sum(longer[place : place + FACES + 1]) / (FACES + 1) for place in range(len(longer))]
    return found


def _most(spot: Spot[Effect], roll: Roll) -> int:
    """Return the highest result of a roll."""
    extra = max(roll.extra_dice, 0)
    if roll.dice is not None:
        table = by_players(roll.dice)
        return FACES * (max(table.values()) + extra) if table else HIGHEST
    action, haunt = spot.inside(Action), spot.inside(Haunt)
    if action is None or haunt is None or action.value.for_ != "monsters" or spot.value.who is not None:
        return HIGHEST
    traits = [roll.trait] if roll.trait is not None else roll.one_of or []
    values = [monster.traits.get(trait) for monster in haunt.value.monsters.values() for trait in traits]
    numbers = [number for value in values for number in (by_players(value) or {}).values()]
    return min(HIGHEST, FACES * (max(numbers, default=HIGHEST) + extra))


def rising(survey: Survey) -> Iterator[Finding]:
    """With more players a table by players asks for more, or for less, but doesn't turn back; the heroes need more, not less."""
    for spot in survey.of(Number):
        table = spot.value.players
        if table is None or not all(key.isdecimal() for key in table):
            continue
        keys = sorted(table, key=int)
        steps = [(key, table[key] - table[before]) for before, key in pairwise(keys)]
        falls = [key for key, step in steps if step < 0]
        rises = any(step > 0 for _, step in steps)
        if falls and (rises or _should_rise(spot)):
            before = keys[keys.index(falls[0]) - 1]
            message = f"{table[falls[0]]} with {falls[0]} explorers is less than {table[before]} with {before}"
            hint = f"write `{falls[0]}: {table[before]}` or more"
            yield Finding(spot.at("players", falls[0]), message, hint, severity="warning")


def _should_rise(spot: Spot[Number]) -> bool:
    """Tell whether more explorers should mean a higher number: monsters, what the traitor gains, and what the heroes need to win."""
    above = spot.above.value if spot.above is not None else None
    if isinstance(above, Monster | PlaceMonster):
        return True
    if isinstance(above, Steps) and spot.inside(Haunt) is not None:
        return spot.trail[2] in {"revealed", "traitor-book"} and "gain" in spot.trail
    if isinstance(above, Condition) and above.count is not None and above.count.monsters is not None:
        return True
    book = spot.inside(Book)
    is_goal = book is not None and "wins-when" in spot.trail and spot.trail[2] == "heroes"
    return is_goal and isinstance(above, Condition) and spot.trail[-1] == "at-least"


def monsters_roll(survey: Survey) -> Iterator[Finding]:
    """What monsters roll, some monster of the haunt has: its action names a trait of theirs."""
    for spot in survey.of(Effect):
        action, haunt, roll = spot.inside(Action), spot.inside(Haunt), spot.value.roll
        if (
            roll is None
            or action is None
            or haunt is None
            or action.value.for_ != "monsters"
            or spot.value.who is not None
        ):
            continue
        kinds = haunt.value.monsters.values()
        if roll.trait is not None and kinds and all(roll.trait not in kind.traits for kind in kinds):
            known = [trait for trait in TRAITS if any(trait in kind.traits for kind in kinds)]
            hint = f"they have {', '.join(f'`{trait}`' for trait in known)}"
            yield Finding(spot.at("roll", "trait"), f"no monster of this haunt has {roll.trait}", hint)
