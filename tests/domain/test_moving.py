"""Moving: what a step costs, how far Speed goes, what ends movement (rulebook: Move)."""

import pytest

from domain.commands import Move
from domain.events import CardDrawn, Moved, Stopped
from domain.house.grid import neighbor
from tests.support.table import Table, events, the


def wing(table: Table) -> None:
    """A row of rooms to the west of the Foyer: Kitchen, and the Dining Room north of it."""
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -1, 2, turns=1)


@pytest.mark.rule("2E-MOVE-001", "2E-MOVE-002")
def test_speed_three_pays_for_three_rooms_and_not_for_a_fourth() -> None:
    table = Table()
    wing(table)
    table.traits(0, speed=3)

    told = table.move("foyer", "kitchen", "dining-room")

    assert [step.spent for step in events(told, Moved)] == [1, 1, 1]
    assert table.goals(0) == []
    with table.refuses("2E-MOVE-001"):
        table.move("kitchen")


@pytest.mark.rule("2E-MOVE-001")
def test_the_current_speed_counts_and_not_the_starting_value() -> None:
    table = Table(first=1)
    wing(table)
    table.traits(1, speed=5)

    table.move("foyer", "kitchen", "foyer", "kitchen", "foyer")

    with table.refuses("2E-MOVE-001"):
        table.move("kitchen")


@pytest.mark.rule("2E-MOVE-001")
def test_speed_gained_on_the_way_gives_spaces_and_speed_lost_takes_them() -> None:
    table = Table()
    wing(table)
    table.traits(0, speed=2)
    table.move("foyer")
    table.traits(0, speed=3)
    table.move("kitchen", "foyer")
    table.traits(0, speed=2)

    with table.refuses("2E-MOVE-001"):
        table.move("kitchen")


@pytest.mark.rule("2E-MOVE-001", "2E-MOVE-002")
def test_without_a_space_left_nobody_explores() -> None:
    table = Table()
    table.traits(0, speed=2)
    table.move("foyer", "entrance-hall")

    with table.refuses("2E-MOVE-001"):
        table.explore("east")


@pytest.mark.rule("2E-MOVE-003")
def test_movement_is_interrupted_by_an_item_and_resumed() -> None:
    table = Table()
    wing(table)
    table.hold(0, "healing-salve")
    table.turn(0)

    table.move("foyer")
    table.act("card:healing-salve", "HEAL", target=0)
    table.move("kitchen", "dining-room")

    assert table.explorer(0).room == "dining-room"


@pytest.mark.rule("2E-MOVE-004")
def test_drawing_a_card_ends_movement_with_spaces_left() -> None:
    table = Table()
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    told = table.explore("east")

    assert the(told, Stopped).figure == 0
    assert table.goals(0) == []
    with table.refuses("2E-MOVE-004"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-MOVE-005")
def test_after_a_card_an_item_held_before_can_still_be_used() -> None:
    table = Table()
    table.hold(0, "smelling-salts")
    table.turn(0)
    table.traits(0, knowledge=2)
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")
    table.explore("east")

    table.act("card:smelling-salts", "HEAL", target=0)

    assert table.value(0, "knowledge") == 3


@pytest.mark.rule("2E-MOVE-006")
def test_a_room_without_a_symbol_lets_its_discoverer_go_on() -> None:
    table = Table()
    table.traits(0, speed=3)
    table.stack("tiles", "dusty-hallway")

    told = table.explore("east")
    assert not events(told, CardDrawn)
    table.move("entrance-hall", "foyer")

    with table.refuses("2E-MOVE-001"):
        table.move("entrance-hall")


@pytest.mark.rule("2E-MOVE-007", asserts=True)
def test_rooms_with_a_side_in_common_are_adjacent_and_rooms_at_a_corner_are_not() -> None:
    table = Table()
    wing(table)
    rooms, grid = table.state.rooms, table.state.grid
    beside = {neighbor(grid, rooms["entrance-hall"], direction) for direction in range(4)} - {""}

    assert beside == {"foyer"}
    assert "kitchen" not in beside  # at the corner of the Entrance Hall
    # a common side without a door is adjacent, a staircase is not
    assert neighbor(grid, rooms["dining-room"], 1) == "grand-staircase"
    assert "dining-room" not in [to.to for to in table.offers(0) if isinstance(to, Move)]
    assert "upper-landing" not in {neighbor(grid, rooms["grand-staircase"], direction) for direction in range(4)}
