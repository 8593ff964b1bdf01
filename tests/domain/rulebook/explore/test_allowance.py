"""The last space of a turn: who may still use it, what takes it away, what limits it (rulebook: Move, Moving Past Opponents)."""

import pytest

from domain.facts.events import MonstersRolled, Moved
from tests.support.packs import rules_with
from tests.support.table import Table, the
from tests.support.third import third

BALL_AND_CHAIN = """
  id: ball-and-chain
  deck: item
  title: Ball and Chain
  text: You drag it along. You move at most 2 spaces in a turn.
  always: [{move-limit: 2}]
"""


def chained(speed: int) -> Table:
    """Seat 0 drags the ball and chain, with this Speed."""
    table = Table(game=rules_with(card=BALL_AND_CHAIN))
    table.hold(0, "ball-and-chain")
    table.turn(0)
    table.traits(0, speed=speed)
    return table


def test_a_card_that_limits_movement_counts_where_speed_is_greater() -> None:
    table = chained(speed=4)
    table.move("foyer", "entrance-hall")
    assert table.goals(0) == []
    with table.refuses("2E-MOVE-001"):
        table.move("foyer")


def test_a_card_that_limits_movement_gives_no_space_to_the_slow() -> None:
    table = chained(speed=2)
    table.clips(0, speed=1)
    speed = table.value(0, "speed")
    assert speed <= 2
    for room in ("foyer", "entrance-hall")[:speed]:
        table.move(room)
    with table.refuses("2E-MOVE-001"):
        table.move("foyer" if table.explorer(0).room == "entrance-hall" else "entrance-hall")


def test_without_the_card_the_limit_is_gone_in_the_same_turn() -> None:
    table = chained(speed=4)
    table.move("foyer", "entrance-hall")
    table.drop("ball-and-chain")
    table.move("foyer", "entrance-hall")
    assert table.goals(0) == []


def test_speed_lost_is_back_when_it_is_healed_and_so_are_the_spaces() -> None:
    table = Table()
    table.traits(0, speed=4)
    table.move("foyer", "entrance-hall", "foyer")
    table.traits(0, speed=2)
    assert table.goals(0) == []

    table.traits(0, speed=4)

    assert the(table.move("entrance-hall"), Moved).spent == 1
    assert table.goals(0) == []


@pytest.mark.rule("2E-MON-002")
@pytest.mark.parametrize("faces, steps", [([0, 0, 0, 0], 1), ([1, 0, 0, 0], 1), ([2, 0, 0, 0], 2), ([2, 1, 0, 0], 3)])
def test_a_monster_takes_exactly_as_many_steps_as_it_rolled_and_at_least_one(faces: list[int], steps: int) -> None:
    table = Table()
    for seat in range(3):
        table.put(seat, "upper-landing")
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.turn(2)
    told = table.rolls(faces).end_turn()
    assert the(told, MonstersRolled).spaces == steps

    for step in range(steps):
        table.move(("entrance-hall", "foyer")[step % 2], monster="sexton-1")

    here = table.seen(0, "sexton-1").room
    assert table.goals(2) == []
    with table.refuses("2E-MOVE-001"):
        table.move("foyer" if here == "entrance-hall" else "entrance-hall", monster="sexton-1")


@pytest.mark.rule("2E-PAST-001")
@pytest.mark.parametrize("speed, leaves", [(3, True), (2, False)])
def test_the_last_two_spaces_take_an_explorer_past_one_opponent_and_one_space_does_not(
    *, speed: int, leaves: bool
) -> None:
    table = Table()
    table.put(1, "upper-landing")
    table.put(2, "upper-landing")
    table.haunt("the-gnawing-tide", traitor=2)
    table.monster("rat-1", "foyer")
    table.traits(0, speed=speed)
    table.move("foyer")

    assert ("entrance-hall" in table.goals(0)) == leaves
    if leaves:
        assert the(table.move("entrance-hall"), Moved).spent == 2
        assert table.goals(0) == []
    else:
        with table.refuses("2E-PAST-001"):
            table.move("entrance-hall")


@pytest.mark.parametrize("where", ["dead", "across", "elsewhere"])
def test_who_is_dead_or_across_a_barrier_or_in_the_next_room_slows_nobody(where: str) -> None:
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.put(0, "basement-landing")
    table.haunt("the-gnawing-tide", traitor=2)
    table.traits(0, speed=4)
    table.move("chasm")
    part = table.explorer(0).part
    table.put(2, "basement-landing" if where == "elsewhere" else "chasm", part=1 - part if where == "across" else part)
    if where == "dead":
        table.die(2)

    assert the(table.move("basement-landing"), Moved).spent == 1


@pytest.mark.rule("3E-MOVE-001")
def test_the_fixed_allowance_of_a_turn_is_used_up_to_its_last_space() -> None:
    table = third()
    speed = table.explorer(0).allowance
    assert speed == table.value(0, "speed")
    table.clips(0, speed=1)
    for step in range(speed):
        assert table.goals(0)
        table.move(("hallway", "entrance-hall")[step % 2])
    assert table.goals(0) == []
    with table.refuses("3E-MOVE-001"):
        table.move("hallway" if table.explorer(0).room == "entrance-hall" else "entrance-hall")
