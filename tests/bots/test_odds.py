"""What bots expect of dice."""

import pytest

from service.bots.steady.turn import chance_above, chance_below, damage_dealt, damage_taken, distribution, margin


def test_one_die_shows_each_of_its_three_faces_equally_often() -> None:
    assert distribution(1) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert distribution(2) == pytest.approx((1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9))


def test_no_dice_are_a_sum_of_zero() -> None:
    assert distribution(0) == distribution(-1) == (1.0,)


@pytest.mark.parametrize("dice", range(9))
def test_all_sums_together_are_certain(dice: int) -> None:
    assert sum(distribution(dice)) == pytest.approx(1)


def test_a_duel_of_equals_is_fair_and_a_bonus_tips_it() -> None:
    assert chance_above(0, 4, 4) == pytest.approx(chance_below(0, 4, 4))
    assert damage_dealt(4, 4) == pytest.approx(damage_taken(4, 4))
    assert chance_above(0, 4, 4, bonus=1) > chance_above(0, 4, 4)


def test_one_die_against_one_wins_a_third_of_the_time() -> None:
    assert margin(1, 1)[0] == pytest.approx(1 / 3)
    assert chance_above(0, 1, 1) == pytest.approx(1 / 3)
    assert chance_above(1, 1, 1) == pytest.approx(1 / 9)
    assert chance_below(1, 1, 1) == pytest.approx(1 / 9)
