"""The odds of dice, held against every throw there is."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations, product

import pytest

from domain.queries.spread import Again, Spread, certain, chance_of, expected, margins, spread, ways


def enumerated(dice: int, bonus: int = 0) -> Spread:
    """Every throw, one by one."""
    seen = Counter(max(0, sum(faces) + bonus) for faces in product(range(3), repeat=dice))
    return {total: Fraction(number, 3**dice) for total, number in sorted(seen.items())}


@pytest.mark.parametrize("dice", range(9))
def test_the_chances_of_a_roll_are_those_of_all_its_throws(dice: int) -> None:
    assert spread(dice) == enumerated(dice)
    assert spread(dice, 4) == enumerated(dice, 4)
    assert spread(dice, -3) == enumerated(dice, -3), "a total is never below 0"
    assert sum(ways(dice)) == 3**dice


@pytest.mark.parametrize("attack, defense", [(1, 1), (3, 2), (5, 4), (2, 6)])
def test_the_margins_of_a_fight_are_those_of_all_pairs_of_throws(attack: int, defense: int) -> None:
    seen = Counter(sum(faces[:attack]) - sum(faces[attack:]) for faces in product(range(3), repeat=attack + defense))
    found = margins(spread(attack), spread(defense))
    assert found == {by: Fraction(seen[by], 3 ** (attack + defense)) for by in sorted(seen)}


def chosen_best(dice: int, again: Again, goal: int) -> Fraction:
    """The chance to come to `goal`, whoever rolls again trying every choice of dice for each throw."""
    total = Fraction(0)
    for faces in product(range(3), repeat=dice):
        total += max(_reached(faces, places, goal) for places in _allowed(faces, again))
    return total / Fraction(3**dice)


def _reached(faces: Sequence[int], places: Sequence[int], goal: int) -> Fraction:
    kept = sum(face for at, face in enumerate(faces) if at not in places)
    again = list(product(range(3), repeat=len(places)))
    return Fraction(sum(kept + sum(new) >= goal for new in again), len(again))


def _allowed(faces: Sequence[int], again: Again) -> list[tuple[int, ...]]:
    places = range(len(faces))
    if again == "all":
        return [tuple(places)]
    if again == "blanks":
        return [tuple(at for at in places if faces[at] == 0)]
    most = 1 if again == "one" else len(faces)
    return list(chain.from_iterable(combinations(places, size) for size in range(most + 1)))


@pytest.mark.parametrize("again", ["one", "any", "all", "blanks"])
@pytest.mark.parametrize("dice, goal", [(1, 2), (2, 3), (3, 4), (4, 3), (4, 7)])
def test_dice_rolled_again_are_chosen_as_well_as_can_be(again: Again, dice: int, goal: int) -> None:
    found = spread(dice, 0, [again], lambda total: total >= goal)
    assert chance_of(found, lambda total: total >= goal) == chosen_best(dice, again, goal)


def test_a_second_chance_to_roll_again_is_foreseen_at_the_first() -> None:
    """One die that has to show 2, rolled again twice where it doesn't: it fails three times in a row or not at all."""
    found = spread(1, 0, ["any", "one"], lambda total: total >= 2)
    assert found[2] == 1 - Fraction(2, 3) ** 3


def test_for_the_highest_result_only_blanks_are_rolled_again() -> None:
    found = spread(4, 0, ["any"])
    assert found == spread(4, 0, ["blanks"])
    assert expected(found) == Fraction(16, 3)


def test_no_dice_and_a_named_result_are_certain() -> None:
    assert spread(0, 2) == certain(2) == {2: Fraction(1)}
    assert spread(0, -2, ["any"]) == {0: Fraction(1)}
