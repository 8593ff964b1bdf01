"""Opponents slow each other down (rulebook: Moving Past Opponents)."""

import pytest

from domain.events import Moved
from tests.support.table import FOUR, Table, the


def among_monsters(number: int, *, speed: int) -> Table:
    """Seat 0, a hero, stands in the Entrance Hall with so many monsters; the others are far away."""
    table = Table()
    table.put(1, "upper-landing")
    table.put(2, "upper-landing")
    table.haunt("the-gnawing-tide", traitor=2)
    for place in range(number):
        table.monster(f"rat-{place + 1}", "entrance-hall")
    table.traits(0, speed=speed)
    return table


@pytest.mark.rule("2E-PAST-001")
def test_two_opponents_make_leaving_cost_three_spaces() -> None:
    table = Table()
    table.put(1, "upper-landing")
    table.put(2, "upper-landing")
    table.haunt("the-gnawing-tide", traitor=2)
    table.monster("rat-1", "foyer")
    table.monster("rat-2", "foyer")
    table.traits(0, speed=4)
    table.move("foyer")

    assert the(table.move("entrance-hall"), Moved).spent == 3


@pytest.mark.rule("2E-PAST-001")
def test_with_speed_three_among_two_opponents_nothing_is_left_after_a_second_move() -> None:
    table = Table()
    table.put(1, "upper-landing")
    table.put(2, "upper-landing")
    table.haunt("the-gnawing-tide", traitor=2)
    table.monster("rat-1", "foyer")
    table.monster("rat-2", "foyer")
    table.traits(0, speed=3)
    table.move("foyer")

    assert table.goals(0) == []
    with table.refuses("2E-PAST-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-PAST-002", asserts=True)
def test_sides_slow_each_other_and_not_their_own() -> None:
    table = Table()
    table.put(2, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.move("foyer")
    table.put(1, "foyer")
    assert the(table.move("entrance-hall"), Moved).spent == 1  # a hero with another hero
    table.monster("sexton-1", "foyer")
    table.turn(2, monsters=True)
    table.let_move(4, "sexton-1")
    table.move("entrance-hall", monster="sexton-1")
    assert the(table.move("foyer", monster="sexton-1"), Moved).spent == 2  # a monster with one hero


@pytest.mark.rule("2E-PAST-003")
def test_no_penalty_takes_the_first_space_of_a_turn() -> None:
    table = among_monsters(4, speed=2)

    assert the(table.move("foyer"), Moved).spent == 1
    for place in range(4):
        table.monster(f"rat-{place + 5}", "foyer")

    with table.refuses("2E-PAST-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-PAST-004")
def test_a_monster_that_rolls_nothing_still_moves_one_space() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "upper-landing")
    table.turn(2)
    table.rolls([0, 0, 0, 0]).end_turn()

    table.move("grand-staircase", monster="sexton-1")

    with table.refuses("2E-MOVE-001"):
        table.move("foyer", monster="sexton-1")


@pytest.mark.rule("2E-PAST-005")
def test_a_stunned_monster_slows_nobody() -> None:
    table = Table(FOUR)
    for seat in (1, 2, 3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.monster("sexton-2", "foyer")
    table.stun("sexton-1")
    table.move("foyer")

    assert the(table.move("entrance-hall"), Moved).spent == 2
    table.stun("sexton-2")
    table.turn(0)
    table.move("foyer")
    assert the(table.move("entrance-hall"), Moved).spent == 1
