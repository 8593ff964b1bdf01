"""What dice promise, exactly: the chance of each total as a rational, computed by convolution and never sampled.

A die shows 0, 1 or 2, each equally likely (2E-ROLL-001). A player who may roll some dice again chooses which; here that is the choice
worth most by the caller's measure, and of equal ones the one that rolls fewest dice again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from domain.facts.chance import DIE_FACES

Spread = dict[int, Fraction]
"""By total, in ascending order: its chance. The chances sum up to 1, and totals that can't come are left out."""
Again = Literal["one", "any", "all", "blanks"]
"""Which dice are rolled again: up to one, any, all, or those that show 0 (`Reroll` of the vocabulary)."""
Worth = Callable[[int], int]
"""What a sum of the dice is worth to the one who chooses."""
Counts = tuple[int, int, int]
"""How many dice show 0, 1 and 2."""


@cache
def ways(dice: int) -> tuple[int, ...]:
    """In how many ways a number of dice comes to each sum, from 0 up; of `3 ** dice` in all."""
    if dice <= 0:
        return (1,)
    fewer = ways(dice - 1)
    return tuple(
        sum(fewer[total - face] for face in range(DIE_FACES) if 0 <= total - face < len(fewer))
        for total in range(2 * dice + 1)
    )


def spread(dice: int, bonus: int = 0, again: Sequence[Again] = (), worth: Worth = lambda total: total) -> Spread:
    """The chance of each total of a roll.

    Args:
        dice: how many, 0 or more.
        bonus: points added to the sum; a total is never below 0.
        again: what is rolled again, one after the other.
        worth: by what dice to roll again are chosen, as a function of the total.
    """
    if not again:
        return dict(_plain(max(dice, 0), bonus))
    return _chances(
        _rolled_again(dice, tuple(again), [worth(max(0, total + bonus)) for total in range(2 * dice + 1)]), bonus
    )


@lru_cache(maxsize=512)
def _plain(dice: int, bonus: int) -> Spread:
    return _chances(ways(dice), bonus)


def _chances(by_sum: Sequence[int], bonus: int) -> Spread:
    whole, found = sum(by_sum), dict[int, int]()
    for total, number in enumerate(by_sum):
        if number:
            shown = max(0, total + bonus)
            found[shown] = found.get(shown, 0) + number
    return {total: Fraction(number, whole) for total, number in found.items()}


def certain(total: int) -> Spread:
    """A result that is named in place of rolling."""
    return {total: Fraction(1)}


def margins(attack: Spread, defense: Spread) -> Spread:
    """The chance of each difference between two rolls, the first one's total minus the second one's."""
    found: Spread = {}
    for mine, likely in attack.items():
        for theirs, likewise in defense.items():
            found[mine - theirs] = found.get(mine - theirs, Fraction(0)) + likely * likewise
    return dict(sorted(found.items()))


def chance_of(totals: Spread, fits: Callable[[int], bool]) -> Fraction:
    """The chance of all totals that fit."""
    found = [likely for total, likely in totals.items() if fits(total)]
    whole = math.lcm(*(likely.denominator for likely in found))  # adding fractions one by one takes many times as long
    return Fraction(sum(likely.numerator * (whole // likely.denominator) for likely in found), whole)


def expected(totals: Spread) -> Fraction:
    """The mean."""
    return sum((total * likely for total, likely in totals.items()), Fraction(0))


# -- rolling again --------------------------------------------------------------------------------------------------------------


def _rolled_again(dice: int, again: tuple[Again, ...], worth: Sequence[int]) -> Sequence[int]:
    """Numbers in proportion to the chance of each sum of the dice."""
    if dice <= 0:
        return ways(0)

    @cache
    def best(counts: Counts, left: tuple[Again, ...]) -> Sequence[int]:
        """The sums in proportion to their chances after the remaining rerolls, each step out of `3 ** dice`."""
        if not left:
            return [int(total == counts[1] + 2 * counts[2]) for total in range(2 * dice + 1)]
        most: tuple[int, Sequence[int]] | None = None
        for chosen in _choices(counts, left[0]):
            sums = _after(dice, counts, chosen, lambda shown: best(shown, left[1:]))
            value = sum(number * of for number, of in zip(sums, worth, strict=True))
            if most is None or value > most[0]:
                most = value, sums
        assert most is not None  # noqa: S101 -- there is always a choice
        return most[1]

    return _after(dice, (dice, 0, 0), (dice, 0, 0), lambda shown: best(shown, again))


def _after(dice: int, counts: Counts, chosen: Counts, then: Callable[[Counts], Sequence[int]]) -> list[int]:
    """The sums after the chosen dice were rolled again, whatever they show weighted by its number of ways."""
    kept = tuple(have - take for have, take in zip(counts, chosen, strict=True))
    number = sum(chosen)
    found = [0] * (2 * dice + 1)
    for new in _showing(number):
        likely = math.comb(number, new[0]) * math.comb(number - new[0], new[1]) * DIE_FACES ** (dice - number)
        for total, weight in enumerate(then((kept[0] + new[0], kept[1] + new[1], kept[2] + new[2]))):
            found[total] += likely * weight
    return found


def _choices(counts: Counts, again: Again) -> Iterator[Counts]:
    """What may be rolled again, the fewest dice first; rolling a 2 again never helps, so it is left out."""
    blanks, ones, _twos = counts
    if again == "all":
        yield counts
    elif again == "blanks":
        yield blanks, 0, 0
    else:
        most = 1 if again == "one" else blanks + ones
        pairs = [(zero, one) for zero in range(blanks + 1) for one in range(ones + 1) if zero + one <= most]
        for zero, one in sorted(pairs, key=sum):
            yield zero, one, 0


def _showing(dice: int) -> Iterator[Counts]:
    """Everything that a number of dice can show, as how many show each face."""
    for zero in range(dice + 1):
        for one in range(dice - zero + 1):
            yield zero, one, dice - zero - one
