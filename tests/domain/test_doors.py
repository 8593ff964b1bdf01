"""Doors, windows, stairs: where a way leads and where none does (rulebook: The House, Doors)."""

import pytest

from domain.commands import Explore, Move
from domain.house.paths import ways
from tests.support.packs import pack
from tests.support.table import Table


@pytest.mark.rule("2E-DOOR-001")
def test_a_door_that_meets_a_door_is_a_way_and_one_that_meets_a_wall_is_none() -> None:
    table = Table()
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -1, 0, turns=1)  # its doors lie east and south, and the Kitchen has a wall to it
    table.move("foyer", "kitchen")

    with table.refuses("2E-DOOR-001"):
        table.move("dining-room")


@pytest.mark.rule("2E-DOOR-006")
def test_a_false_door_is_passed_from_neither_side_and_leads_to_no_new_room() -> None:
    table = Table()
    table.lay("dining-room", "ground", 1, 1, turns=1)
    table.put(0, "foyer")
    table.turn(0)

    assert table.goals(0) == ["grand-staircase", "entrance-hall"]
    with table.refuses("2E-DOOR-006"):
        table.move("dining-room")
    with table.refuses("2E-DOOR-006"):
        table.explore("east")
    table.put(0, "dining-room")
    table.turn(0)
    with table.refuses("2E-DOOR-006"):
        table.move("foyer")


@pytest.mark.rule("2E-DOOR-002", asserts=True)
def test_nothing_is_needed_or_offered_to_open_an_inner_door() -> None:
    table = Table()
    assert {type(one).__name__ for one in table.offers(0)} == {"Move", "Explore", "EndTurn"}
    table.move("foyer")
    assert table.explorer(0).room == "foyer"


@pytest.mark.rule("2E-DOOR-003")
def test_the_front_door_is_no_way_and_no_place_for_a_tile() -> None:
    table = Table()

    doors = [one.door for one in table.offers(0) if isinstance(one, Explore)]

    assert sorted(doors) == ["east", "west"]
    with table.refuses("2E-DOOR-003"):
        table.explore("south")


@pytest.mark.rule("2E-DOOR-004")
def test_every_way_and_every_doorway_leads_into_the_house() -> None:
    table = Table()
    table.lay("patio", "ground", 1, 0, turns=1)
    for room in table.state.rooms.values():
        assert all(there in table.state.rooms for there, _ in ways(table.state, room, 0))
    with table.refuses("2E-DOOR-004"):
        table.move("driveway")
    with table.refuses("2E-DOOR-003"):
        table.explore("south")


@pytest.mark.rule("2E-DOOR-005", asserts=True)
def test_outside_and_passages_are_rooms_like_all_others() -> None:
    table = Table()
    table.lay("patio", "ground", 1, 0)  # its west door meets the Entrance Hall
    table.lay("dusty-hallway", "ground", -1, 0)

    table.move("patio", "entrance-hall", "dusty-hallway")

    assert table.explorer(0).spent == 3
    assert pack("second-edition").tiles[[one.id for one in pack("second-edition").tiles].index("patio")].outside
    assert {"patio", "dusty-hallway"} <= set(table.view(0).rooms)


@pytest.mark.rule("2E-DOOR-007", asserts=True)
def test_the_grand_staircase_leads_to_the_upper_landing_and_back_for_a_space_each() -> None:
    table = Table()
    table.put(0, "grand-staircase")
    table.turn(0)

    table.move("upper-landing", "grand-staircase")

    assert table.explorer(0).spent == 2


@pytest.mark.rule("2E-DOOR-008")
def test_once_found_the_stairs_from_the_basement_lead_to_the_foyer_and_back() -> None:
    table = Table()
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "stairs-from-basement")

    table.explore("north")
    table.move("foyer", "stairs-from-basement")

    assert table.explorer(0).spent == 3


@pytest.mark.rule("2E-DOOR-009")
def test_before_they_are_found_the_stairs_lead_nowhere() -> None:
    table = Table()
    table.move("foyer")

    assert "stairs-from-basement" not in table.goals(0)
    with table.refuses("2E-DOOR-009"):
        table.move("stairs-from-basement")


@pytest.mark.rule("2E-DOOR-010")
def test_nobody_goes_through_a_window() -> None:
    table = Table()
    table.put(0, "grand-staircase")
    table.turn(0)

    assert [one for one in table.offers(0) if isinstance(one, Explore)] == []
    with table.refuses("2E-DOOR-010"):
        table.explore("west")


@pytest.mark.rule("2E-DOOR-011", asserts=True)
def test_five_rooms_have_windows() -> None:
    with_windows = {tile.id for tile in pack("second-edition").tiles if tile.windows}
    assert with_windows == {"bedroom", "grand-staircase", "master-bedroom", "chapel", "dining-room"}


@pytest.mark.rule("2E-DOOR-012", asserts=True)
def test_a_window_blocked_by_a_neighbor_is_none_for_a_card() -> None:
    """The Beckoning calls those who can look out of a window."""
    table = Table()
    table.put(1, "grand-staircase")
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -1, 2, turns=1)  # in front of the Grand Staircase's window
    table.lay("bloody-room", "ground", 1, 0)
    table.lay("gardens", "ground", 2, 0, turns=1)
    table.put(0, "bloody-room")
    table.turn(0)
    table.stack("tiles", "organ-room")
    table.stack("event", "the-beckoning")

    table.explore("north")

    assert not [one for one in table.fate.asked if one.dice], "nobody is called, for nobody can look out"


def test_a_way_is_offered_exactly_where_doors_meet() -> None:
    table = Table()
    table.lay("charred-room", "ground", 1, 0)
    table.lay("kitchen", "ground", 1, 1)  # doors north and east: its south wall faces the Charred Room

    offered = {one.to for one in table.offers(0) if isinstance(one, Move)}

    assert offered == {"foyer", "charred-room"}
