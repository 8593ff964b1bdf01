"""What dice promise: a die shows 0, 1 or 2, each equally likely (2E-ROLL-001)."""

from functools import cache

MOST_DICE = 8
"""Weapons help to as many dice at the most (2E-ITEM-019)."""


@cache
def distribution(dice: int) -> tuple[float, ...]:
    """The chance of each sum of so many dice, from 0 up."""
    if dice <= 0:
        return (1.0,)
    fewer = distribution(dice - 1)
    return tuple(
        sum(fewer[total - face] for face in range(3) if 0 <= total - face < len(fewer)) / 3
        for total in range(2 * dice + 1)
    )


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
