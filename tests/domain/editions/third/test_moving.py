"""Moving through the house, and seeing across it (rulebook 2022, Moving, p. 7; Line of Sight, p. 15)."""

import pytest

from domain.facts.commands import Choose, Explore
from domain.facts.events import Moved
from domain.house.sight import in_sight
from tests.support.packs import rules_with
from tests.support.table import Table, the
from tests.support.third import FRIENDS, third


def walking(speed: int, room: str = "entrance-hall") -> Table:
    """Seat 0 begins its turn in a room with this Speed."""
    table = third()
    table.put(0, room)
    table.traits(0, speed=speed)
    table.turn(0)
    return table


# -- how far --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MOVE-001", case=1)
def test_speed_at_the_start_of_the_turn_is_how_many_tiles_one_may_go() -> None:
    table = walking(speed=4)
    table.move("hallway", "entrance-hall", "hallway", "entrance-hall")
    with table.refuses("3E-MOVE-001"):
        table.move("hallway")


@pytest.mark.rule("3E-MOVE-002", case=1)
def test_speed_lost_on_the_way_takes_no_movement() -> None:
    table = walking(speed=4)
    table.move("hallway", "entrance-hall")
    table.clips(0, speed=1)
    assert table.value(0, "speed") < 4
    told = table.move("hallway", "entrance-hall")
    assert len(told) == 2


@pytest.mark.rule("3E-MOVE-002", case=2)
def test_speed_gained_on_the_way_gives_no_movement() -> None:
    table = walking(speed=3)
    table.move("hallway", "entrance-hall", "hallway")
    table.traits(0, speed=5)
    with table.refuses("3E-MOVE-002"):
        table.move("entrance-hall")


@pytest.mark.rule("3E-MOVE-003", case=1)
def test_a_point_leads_to_an_adjacent_tile_only() -> None:
    table = walking(speed=8)
    with table.refuses("3E-MOVE-004"):
        table.move("ground-floor-staircase")
    assert the(table.move("hallway"), Moved).spent == 1


# -- adjacent tiles -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MOVE-004", case=1, asserts=True)
def test_tiles_whose_doorways_meet_are_adjacent_both_ways() -> None:
    table = third()
    table.lay("dining-room", "ground", 1, 0)
    table.lay("chapel", "ground", 2, 0)  # its walls are to the east and the west
    table.turn(0)
    table.move("dining-room")
    assert table.explorer(0).spent == 1
    with table.refuses("3E-MOVE-006"):
        table.move("chapel")
    table.move("entrance-hall")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("3E-MOVE-004", case=1)
def test_tiles_that_touch_without_doorways_are_not_adjacent() -> None:
    table = third()
    table.lay("larder", "ground", 1, 0, turns=3)  # doors south and west
    table.lay("kitchen", "ground", 2, 0)  # doors north and south: wall meets wall
    table.turn(0)
    table.move("larder")
    with table.refuses("3E-MOVE-004"):
        table.move("kitchen")


@pytest.mark.rule("3E-MOVE-005", case=1, asserts=True)
def test_the_staircase_and_the_upper_landing_are_a_point_apart_both_ways() -> None:
    table = walking(speed=4, room="ground-floor-staircase")
    table.move("upper-landing")
    assert table.explorer(0).spent == 1
    table.move("ground-floor-staircase")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("3E-MOVE-005", case=2)
def test_a_tile_that_names_one_not_in_the_house_leads_nowhere_yet() -> None:
    table = third()
    table.lay("graveyard", "ground", 1, 0, turns=2)  # doors south and west
    table.put(0, "graveyard")
    table.turn(0)
    assert table.goals(0) == ["entrance-hall"]
    with table.refuses("3E-MOVE-005"):
        table.move("underground-cavern")
    table.lay("underground-cavern", "basement", 1, 0)
    assert "underground-cavern" in table.goals(0)


@pytest.mark.rule("3E-MOVE-005", case=3)
def test_a_one_way_link_leads_in_its_direction_only() -> None:
    table = third()
    table.lay("laundry-chute", "ground", 1, 0, turns=3)
    table.put(0, "laundry-chute")
    table.turn(0)
    assert the(table.move("basement-landing"), Moved).spent == 1
    assert "laundry-chute" not in table.goals(0)
    with table.refuses("3E-MOVE-004"):
        table.move("laundry-chute")


@pytest.mark.rule("3E-MOVE-005", case=4)
def test_the_hallway_leads_to_the_secret_staircase_once_that_is_in_the_house() -> None:
    table = walking(speed=4, room="hallway")
    with table.refuses("3E-MOVE-005"):
        table.move("secret-staircase")
    table.lay("secret-staircase", "basement", 0, 1, turns=2)
    table.move("secret-staircase", "hallway")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("3E-MOVE-006", case=1)
def test_a_doorway_that_faces_a_wall_leads_nowhere() -> None:
    table = third()
    table.lay("bloody-room", "ground", 1, 0)  # doors north and east: a wall faces the Entrance Hall
    table.turn(0)
    with table.refuses("3E-MOVE-006"):
        table.move("bloody-room")
    with table.refuses("3E-MOVE-006"):
        table.explore("east")
    assert [one.door for one in table.offers(0) if isinstance(one, Explore)] == ["west"]


@pytest.mark.rule("3E-MOVE-007", case=1, asserts=True)
def test_the_triple_tile_is_three_spaces() -> None:
    table = walking(speed=4)
    assert table.goals(0) == ["hallway"]
    table.move("hallway", "ground-floor-staircase")
    assert table.explorer(0).spent == 2


# -- obstacles ---------------------------------------------------------------------------------------------------


def with_obstacle(speed: int) -> Table:
    """An obstacle lies in the Hallway, where seat 0 stands with this Speed."""
    table = third()
    table.token("obstacle", "hallway")
    table.token("obstacle", "hallway")
    table.put(0, "hallway")
    table.traits(0, speed=speed)
    table.turn(0)
    return table


@pytest.mark.rule("3E-OBST-001")
def test_leaving_a_tile_with_obstacles_takes_two_points_however_many_lie_there() -> None:
    table = with_obstacle(speed=3)
    table.move("entrance-hall", "hallway")
    assert table.explorer(0).spent == 3
    with table.refuses("3E-OBST-001"):
        table.move("entrance-hall")


@pytest.mark.rule("3E-OBST-003", asserts=True)
def test_a_token_is_an_obstacle_before_the_haunt() -> None:
    table = with_obstacle(speed=4)
    table.move("entrance-hall")
    assert table.explorer(0).spent == 2


# -- somebody else moves an explorer --------------------------------------------------------------------------------

PUSH = """
id: pushy
deck: item
title: Pushy
text: T
actions:
- word: PUSH
  title: Push somebody up to two rooms
  target: {each: explorer, besides-you: true}
  do: [{move: {to: {within: 2, or-here: true}, chooser: actor}, who: target}]
"""


@pytest.mark.rule("3E-MOVE-008", case=1)
@pytest.mark.parametrize(
    "room, spaces", [("hallway", 0), ("entrance-hall", 1), ("ground-floor-staircase", 1), ("upper-landing", 2)]
)
def test_whoever_moves_another_up_to_two_rooms_says_how_far(room: str, spaces: int) -> None:
    table = Table(FRIENDS, game=rules_with("third-edition", card=PUSH))
    table.hold(0, "pushy")
    table.put(1, "hallway")
    table.token("obstacle", "hallway")
    table.turn(0)
    table.act("card:pushy", "PUSH", target=1)

    decision = table.asked(0)
    assert set(decision.options) == {"hallway", "entrance-hall", "ground-floor-staircase", "upper-landing"}
    with table.refuses("3E-MOVE-008", problem="not-your-decision"):
        table.play(1, Choose(decision=decision.id, option=room))
    with table.refuses("3E-MOVE-008", problem="not-an-option"):
        table.choose(0, "basement-landing")
    table.choose(0, room)

    assert table.explorer(1).room == room
    assert (table.explorer(0).spent, table.explorer(1).spent) == (0, 0), f"{spaces} rooms cost nobody anything"


def test_a_room_to_which_somebody_is_moved_has_its_effect_as_after_a_walk() -> None:
    table = Table(FRIENDS, game=rules_with("third-edition", card=PUSH))
    table.hold(0, "pushy")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.turn(0)
    table.act("card:pushy", "PUSH", target=1)
    told = table.choose(0, "mystic-elevator")
    assert the(told, Moved).rule == "3E-MOVE-008"
    assert table.asked(1).options == ["yes", "no"]


# -- line of sight --------------------------------------------------------------------------------------------------


def corridor() -> Table:
    """To the east of the Entrance Hall: the Dining Room, and the Ballroom behind it, with the Kitchen to its north."""
    table = third()
    table.lay("dining-room", "ground", 1, 0)
    table.lay("ballroom", "ground", 2, 0)
    table.lay("kitchen", "ground", 2, 1)
    return table


@pytest.mark.rule("3E-LOS-001", case=1, asserts=True)
def test_three_tiles_in_a_row_see_each_other_through_doorways_and_not_through_a_wall() -> None:
    table = corridor()
    assert "ballroom" in in_sight(table.state, "entrance-hall")
    assert "entrance-hall" in in_sight(table.state, "ballroom")
    table = third()
    table.lay("bloody-room", "ground", 1, 0, turns=2)  # doors south and west: a wall to the east
    table.lay("ballroom", "ground", 2, 0)
    assert in_sight(table.state, "entrance-hall") == ["hallway", "ground-floor-staircase", "bloody-room"]


@pytest.mark.rule("3E-LOS-001", case=2, asserts=True)
def test_stairs_give_no_sight() -> None:
    table = third()
    assert "upper-landing" not in in_sight(table.state, "ground-floor-staircase")
    assert "ground-floor-staircase" not in in_sight(table.state, "upper-landing")


@pytest.mark.rule("3E-LOS-001", case=3, asserts=True)
def test_the_entrance_hall_sees_the_staircase() -> None:
    table = third()
    table.token("obstacle", "hallway")
    assert "ground-floor-staircase" in in_sight(table.state, "entrance-hall")
    assert "entrance-hall" in in_sight(table.state, "ground-floor-staircase")


@pytest.mark.rule("3E-LOS-001", case=4, asserts=True)
def test_nobody_sees_around_a_corner() -> None:
    table = corridor()
    assert "kitchen" in in_sight(table.state, "ballroom")
    assert "kitchen" not in in_sight(table.state, "dining-room")
    assert "dining-room" not in in_sight(table.state, "kitchen")
