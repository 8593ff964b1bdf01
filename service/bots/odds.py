"""What bots expect of dice: `domain.spread` in floating point, which is quick and near enough to choose by."""

from functools import cache

from domain.chance import DIE_FACES
from domain.spread import ways

MOST_DICE = 8
"""Weapons help to as many dice at the most (2E-ITEM-019)."""


@cache
def distribution(dice: int) -> tuple[float, ...]:
    """The chance of each sum of so many dice, from 0 up."""
    return tuple(number / DIE_FACES ** max(dice, 0) for number in ways(dice))


@cache
def margin(attack: int, defense: int, bonus: int = 0) -> dict[int, float]:
    """The chance of each difference between the sums of two rolls, the attacker's minus the defender's."""
    chances: dict[int, float] = {}
    for mine, p in enumerate(distribution(attack)):
        for theirs, q in enumerate(distribution(defense)):
            by = mine + bonus - theirs
            chances[by] = chances.get(by, 0.0) + p * q
    return chances


def chance_above(least: int, attack: int, defense: int, bonus: int = 0) -> float:
    """The chance that the attacker's sum is higher by more than so many points."""
    return sum(p for by, p in margin(attack, defense, bonus).items() if by > least)


def chance_below(least: int, attack: int, defense: int, bonus: int = 0) -> float:
    """The chance that the attacker's sum is lower by more than so many points."""
    return sum(p for by, p in margin(attack, defense, bonus).items() if -by > least)


def damage_dealt(attack: int, defense: int, bonus: int = 0) -> float:
    """Points that the attacker can expect to deal."""
    return sum(by * p for by, p in margin(attack, defense, bonus).items() if by > 0)


def damage_taken(attack: int, defense: int, bonus: int = 0) -> float:
    """Points that the attacker can expect to take."""
    return sum(-by * p for by, p in margin(attack, defense, bonus).items() if by < 0)
