"""Opponents slow each other down (rulebook: Moving Past Opponents)."""

import pytest

from domain.facts.events import Moved, Stopped
from domain.facts.state import MonsterId
from tests.support.table import FOUR, THREE, Table, events, the

WEST, EAST = 1, 0
"""The parts of the Chasm, as its tile names them."""


def haunted(explorers: tuple[str, ...] = THREE, *, haunt: str = "the-gnawing-tide", traitor: int = 2) -> Table:
    """Seat 0, a hero, is alone in the Entrance Hall at the beginning of its turn; all others stand on the Upper Landing."""
    table = Table(explorers)
    for seat in range(1, len(explorers)):
        table.put(seat, "upper-landing")
    table.haunt(haunt, traitor=traitor)
    return table


def rats(table: Table, room: str, *numbers: int, part: int = 0) -> None:
    for number in numbers:
        table.monster(f"rat-{number}", room, part=part)


def among_opponents(number: int, *, speed: int) -> Table:
    """Seat 0 stands in the Entrance Hall with so many monsters."""
    table = haunted()
    rats(table, "entrance-hall", *range(1, number + 1))
    table.traits(0, speed=speed)
    return table


def monsters_turn(table: Table, monster: str, spaces: int) -> None:
    """The monsters' turn, played by the traitor's seat 2; this one may move so many spaces."""
    table.turn(2, monsters=True)
    table.let_move(spaces, monster)


# -- 2E-PAST-001: opponents slow you down --------------------------------------------------------------------------------


@pytest.mark.rule("2E-PAST-001", case=1)
def test_two_opponents_make_leaving_cost_three_spaces() -> None:
    table = among_opponents(2, speed=4)

    assert the(table.move("foyer"), Moved).spent == 3
    assert table.explorer(0).spent == 3


@pytest.mark.rule("2E-PAST-001", case=2)
def test_with_speed_three_and_two_opponents_one_move_is_all() -> None:
    table = among_opponents(2, speed=3)

    assert the(table.move("foyer"), Moved).rule == "2E-PAST-001"

    assert table.goals(0) == []
    with table.refuses("2E-MOVE-001"):
        table.move("grand-staircase")


@pytest.mark.rule("2E-PAST-001", case=3)
def test_with_speed_six_past_two_opponents_twice_nothing_is_left_after_two_moves() -> None:
    table = among_opponents(2, speed=6)
    rats(table, "foyer", 3, 4)

    told = table.move("foyer", "grand-staircase")

    assert [moved.spent for moved in events(told, Moved)] == [3, 3]
    with table.refuses("2E-MOVE-001"):
        table.move("upper-landing")


@pytest.mark.rule("2E-PAST-001", case=4)
def test_with_speed_two_beside_an_opponent_a_discovery_takes_all_movement() -> None:
    table = among_opponents(1, speed=2)
    table.stack("tiles", "creaky-hallway")

    told = table.explore("east")
    told += table.lay_anyhow()

    assert (the(told, Moved).room, the(told, Moved).spent) == ("creaky-hallway", 2)
    assert table.goals(0) == []


@pytest.mark.rule("2E-PAST-001", case=5, asserts=True)
def test_an_opponent_beyond_the_barrier_slows_nobody() -> None:
    table = haunted()
    table.lay("chasm", "basement", 1, 0)
    table.put(0, "chasm", part=WEST)
    rats(table, "chasm", 1, part=EAST)
    table.turn(0)

    assert the(table.move("basement-landing"), Moved).spent == 1


@pytest.mark.rule("2E-PAST-001", case=6, asserts=True)
def test_before_the_haunt_company_slows_nobody() -> None:
    table = Table()
    assert table.explorer(0).room == table.explorer(1).room

    assert the(table.move("foyer"), Moved).spent == 1


@pytest.mark.rule("2E-PAST-001", case=7)
def test_a_jump_costs_a_space_for_the_opponent_it_leaves_behind_and_none_without() -> None:
    for opponents, cost in ((1, 1), (0, 0)):
        table = haunted()
        table.lay("collapsed-room", "ground", 1, 0)
        table.lay("larder", "basement", 1, 0, turns=1)
        table.token("below-collapsed-room", "larder")
        table.put(0, "collapsed-room")
        table.turn(0)
        rats(table, "collapsed-room", *range(1, opponents + 1))

        told = table.rolls([0]).act("tile:collapsed-room", "FALL")

        assert (the(told, Moved).room, the(told, Moved).spent) == ("larder", cost)
        assert table.explorer(0).spent == cost


@pytest.mark.rule("2E-PAST-001")
def test_a_jump_that_opponents_make_too_dear_is_refused_and_so_is_one_after_movement_has_ended() -> None:
    table = haunted()
    table.lay("collapsed-room", "ground", 1, 0)
    table.traits(0, speed=3)
    table.move("collapsed-room")
    rats(table, "collapsed-room", 1, 2, 3)

    with table.refuses("2E-PAST-001"):
        table.act("tile:collapsed-room", "FALL")

    table.happen(Stopped(figure=0))
    with table.refuses("2E-MOVE-004"):
        table.act("tile:collapsed-room", "FALL")


# -- 2E-PAST-002: who slows whom -----------------------------------------------------------------------------------------


@pytest.mark.rule("2E-PAST-002", case=1, asserts=True)
def test_a_monster_is_slowed_by_a_hero() -> None:
    table = haunted()
    rats(table, "entrance-hall", 1)
    monsters_turn(table, "rat-1", 4)

    assert the(table.move("foyer", monster="rat-1"), Moved).spent == 2


@pytest.mark.rule("2E-PAST-002", case=2, asserts=True)
def test_the_traitor_is_slowed_by_a_hero() -> None:
    table = haunted()
    table.put(2, "entrance-hall")
    table.turn(2)

    assert the(table.move("foyer"), Moved).spent == 2


@pytest.mark.rule("2E-PAST-002", case=3, asserts=True)
def test_a_hero_is_slowed_by_the_traitor_and_an_active_monster() -> None:
    table = among_opponents(1, speed=3)
    table.put(2, "entrance-hall")

    assert the(table.move("foyer"), Moved).spent == 3


@pytest.mark.rule("2E-PAST-002", case=4, asserts=True)
def test_a_hero_is_not_slowed_by_another_hero() -> None:
    table = haunted()
    table.put(1, "entrance-hall")
    table.turn(0)

    assert the(table.move("foyer"), Moved).spent == 1


@pytest.mark.rule("2E-PAST-002", case=5, asserts=True)
def test_a_monster_is_not_slowed_by_the_traitor_or_another_monster() -> None:
    table = haunted()
    rats(table, "upper-landing", 1, 2)
    table.put(1, "entrance-hall")
    assert table.explorer(2).room == "upper-landing"
    monsters_turn(table, "rat-1", 4)

    assert the(table.move("grand-staircase", monster="rat-1"), Moved).spent == 1


@pytest.mark.rule("2E-PAST-002", case=6, asserts=True)
@pytest.mark.parametrize("dead", [1, 2])
def test_the_dead_slow_nobody(dead: int) -> None:
    table = haunted(FOUR)
    table.put(dead, "entrance-hall")
    table.die(dead)
    table.turn(0)

    assert the(table.move("foyer"), Moved).spent == 1


@pytest.mark.rule("2E-PAST-002", case=7, asserts=True)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_monster_slows_the_unrevealed_traitor_like_every_other_explorer(seat: int) -> None:
    table = haunted(haunt="the-borrowed-face", traitor=1)
    for one in range(3):
        table.put(one, "entrance-hall")
    kind = next(iter(table.rules.pack.haunts["the-borrowed-face"].monsters))
    table.monster(f"{kind}-1", "entrance-hall")
    table.turn(seat)

    assert the(table.move("foyer"), Moved).spent == 2


# -- 2E-PAST-003: at least one space -------------------------------------------------------------------------------------


@pytest.mark.rule("2E-PAST-003", case=1)
def test_among_four_opponents_the_first_move_is_made_all_the_same_and_is_the_last() -> None:
    table = among_opponents(4, speed=2)

    assert the(table.move("foyer"), Moved).rule == "2E-PAST-003"

    assert table.goals(0) == []
    with table.refuses("2E-MOVE-001"):
        table.move("grand-staircase")


@pytest.mark.rule("2E-PAST-003", case=2)
def test_the_one_move_may_be_a_discovery() -> None:
    table = among_opponents(4, speed=2)
    table.stack("tiles", "creaky-hallway")

    told = table.explore("east")
    told += table.lay_anyhow()

    assert (the(told, Moved).room, the(told, Moved).rule) == ("creaky-hallway", "2E-PAST-003")
    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-PAST-003", case=3, asserts=True)
def test_a_second_step_has_to_be_paid_for() -> None:
    table = haunted()
    table.traits(0, speed=2)
    rats(table, "foyer", 1, 2, 3, 4)
    assert the(table.move("foyer"), Moved).spent == 1

    assert table.goals(0) == []
    with table.refuses("2E-PAST-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-PAST-003", case=4, asserts=True)
def test_a_second_step_that_can_be_paid_for_is_made() -> None:
    table = haunted()
    table.traits(0, speed=4)
    rats(table, "foyer", 1, 2)
    table.move("foyer")

    assert the(table.move("entrance-hall"), Moved).spent == 3
    with table.refuses("2E-MOVE-001"):
        table.move("foyer")


@pytest.mark.rule("2E-PAST-003", case=5)
def test_a_monster_that_may_move_one_space_leaves_two_heroes_behind() -> None:
    table = haunted(FOUR)
    table.put(1, "entrance-hall")
    rats(table, "entrance-hall", 1)
    monsters_turn(table, "rat-1", 1)

    assert the(table.move("foyer", monster="rat-1"), Moved).rule == "2E-PAST-003"

    with table.refuses("2E-MOVE-001"):
        table.move("grand-staircase", monster="rat-1")


@pytest.mark.rule("2E-PAST-003", case=6, asserts=True)
def test_the_guarantee_does_not_bring_back_movement_that_has_ended() -> None:
    barred = haunted()
    barred.lay("chasm", "basement", 1, 0)
    barred.put(0, "chasm", part=WEST)
    rats(barred, "chasm", 1, 2, 3, 4, part=WEST)
    barred.turn(0)
    barred.rolls([0] * barred.value(0, "speed")).cross()
    assert barred.explorer(0).spent == 0
    with barred.refuses("2E-MOVE-004"):
        barred.move("basement-landing")

    drawn = among_opponents(4, speed=2)
    drawn.draw(0, "item")
    assert drawn.explorer(0).spent == 0
    with drawn.refuses("2E-MOVE-004"):
        drawn.move("foyer")


@pytest.mark.rule("2E-PAST-003")
def test_who_crosses_a_barrier_first_still_has_its_first_step() -> None:
    table = haunted()
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    table.put(0, "chasm", part=WEST)
    rats(table, "chasm", 1, 2, 3, 4, part=EAST)
    table.turn(0)
    table.traits(0, speed=2)
    table.rolls([2, 2]).cross()

    assert the(table.move("larder"), Moved).rule == "2E-PAST-003"


# -- 2E-PAST-004: a movement roll of 0 -----------------------------------------------------------------------------------


def rolled_nothing(*monsters: str, kind: str = "sexton") -> Table:
    """The monsters' turn of the traitor, seat 2, has begun with a roll of 0."""
    table = haunted(FOUR, haunt="the-bell-below")
    for monster in monsters:
        table.monster(monster, "entrance-hall")
    table.put(0, "grand-staircase")
    table.turn(2)
    speed = table.state.monsters[MonsterId(f"{kind}-1")].traits["speed"]
    table.rolls([0] * speed).end_turn()
    assert table.state.turn.monsters
    return table


@pytest.mark.rule("2E-PAST-004", case=1)
def test_a_monster_that_rolls_nothing_still_moves_one_space() -> None:
    table = rolled_nothing("sexton-1")

    table.move("foyer", monster="sexton-1")

    with table.refuses("2E-MOVE-001"):
        table.move("grand-staircase", monster="sexton-1")


@pytest.mark.rule("2E-PAST-004", case=2)
def test_each_monster_of_a_group_that_rolls_nothing_moves_one_space() -> None:
    table = rolled_nothing("sexton-1", "sexton-2", "sexton-3")

    for name in ("sexton-1", "sexton-2", "sexton-3"):
        table.move("foyer", monster=name)
        with table.refuses("2E-MOVE-001"):
            table.move("grand-staircase", monster=name)


@pytest.mark.rule("2E-PAST-004", case=3)
def test_a_monster_that_rolls_nothing_among_two_heroes_moves_one_space() -> None:
    table = haunted(FOUR, haunt="the-bell-below")
    table.put(1, "entrance-hall")
    table.monster("sexton-1", "entrance-hall")
    table.turn(2)
    table.rolls([0] * table.state.monsters[MonsterId("sexton-1")].traits["speed"]).end_turn()

    table.move("foyer", monster="sexton-1")

    with table.refuses("2E-MOVE-001"):
        table.move("grand-staircase", monster="sexton-1")


# -- 2E-PAST-005: stunned monsters do not slow ---------------------------------------------------------------------------


@pytest.mark.rule("2E-PAST-005", case=1)
def test_of_a_stunned_and_an_active_monster_one_slows() -> None:
    table = among_opponents(2, speed=4)
    table.stun("rat-1")

    assert the(table.move("foyer"), Moved).spent == 2

    alone = among_opponents(1, speed=4)
    alone.stun("rat-1")
    step = the(alone.move("foyer"), Moved)
    assert (step.spent, step.rule) == (1, "2E-PAST-005")


@pytest.mark.rule("2E-PAST-005", case=2, asserts=True)
def test_a_monster_slows_again_after_the_turn_it_missed() -> None:
    table = among_opponents(2, speed=4)
    table.stun("rat-1")
    assert table.seen(0, "rat-1").stunned
    table.turn(2)
    table.rolls([1, 1, 1]).end_turn()  # the monsters' turn begins, which it misses
    assert table.state.turn.monsters
    table.end_turn()
    assert not table.seen(0, "rat-1").stunned
    table.turn(0)

    assert the(table.move("foyer"), Moved).spent == 3
