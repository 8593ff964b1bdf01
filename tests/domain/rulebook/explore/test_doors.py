"""Doors, windows, stairs: where a way leads and where none does (rulebook: The House, Doors)."""

import pytest

from domain.facts.audience import seat_bit
from domain.facts.commands import Act, Explore, Move
from domain.facts.events import DiceRolled, Moved
from domain.facts.grid import DIRECTIONS
from domain.house.placing import doorways
from projections.view.game import view_of
from projections.view.rooms import RoomView
from tests.support.packs import pack, rules_with
from tests.support.table import THREE, Table, events, the

OUTSIDE = ("patio", "balcony", "tower")

WATCH = """
  id: watch
  title: Watch
  stage: draft
  kind: one-traitor
  story: S
  heroes:
    story: S
    goal: G
    actions:
      - {word: LOOK, room: {window: true}, do: []}
      - {word: CALL, do: [{roll: {trait: sanity}, who: {each: explorer, in: {window: true}}, outcomes: {0+: []}}]}
  traitor-book: {story: S, goal: G}
"""


def room_seen(table: Table, room: str) -> RoomView:
    """A room as everybody sees it."""
    return next(one for one in view_of(table.rules, table.view(1), seat_bit(1)).rooms if one.id == room)


def at(room: str, table: Table | None = None, *, part: int = 0) -> Table:
    """Seat 0 stands there at the beginning of its turn."""
    table = table or Table()
    table.put(0, room, part=part)
    table.turn(0)
    return table


def doors_out(table: Table) -> list[str]:
    """Doorways that seat 0 is offered to explore."""
    return [one.door for one in table.offers(0) if isinstance(one, Explore)]


# -- 2E-DOOR-001, 2E-DOOR-002: passing doors ------------------------------------------------------------------------------


@pytest.mark.rule("2E-DOOR-001", case=1, asserts=True)
def test_a_door_that_meets_a_door_is_a_way() -> None:
    table = Table()
    table.lay("kitchen", "ground", -1, 1)
    table.move("foyer", "kitchen")
    assert table.explorer(0).room == "kitchen"


@pytest.mark.rule("2E-DOOR-001", case=2)
def test_a_wall_is_none() -> None:
    table = Table()
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -1, 0, turns=1)  # its doors lie east and south, and the Kitchen has a wall to it
    table.move("foyer", "kitchen")
    with table.refuses("2E-DOOR-001"):
        table.move("dining-room")


@pytest.mark.rule("2E-DOOR-001", case=3, asserts=True)
def test_a_new_tile_is_joined_to_every_neighbor_whose_door_it_meets() -> None:
    """The Dusty Hallway, entered from the Entrance Hall, lies beside the Charred Room too."""
    table = Table()
    table.lay("charred-room", "ground", 1, 1)
    table.traits(0, speed=4)
    table.stack("tiles", "dusty-hallway")
    table.explore("east")

    table.move("charred-room", "dusty-hallway")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("dusty-hallway", 3)


@pytest.mark.rule("2E-DOOR-002", case=1, asserts=True)
def test_nothing_is_needed_or_offered_to_open_an_inner_door() -> None:
    table = Table()
    table.lay("kitchen", "ground", -1, 1)
    assert {type(one).__name__ for one in table.offers(0)} == {"Move", "Explore", "EndTurn"}
    table.move("foyer", "kitchen")
    assert table.explorer(0).room == "kitchen"


# -- 2E-DOOR-003 to 2E-DOOR-005: the front door, and what lies outside ----------------------------------------------------


@pytest.mark.rule("2E-DOOR-003", case=1)
def test_nobody_moves_or_discovers_through_the_front_door() -> None:
    table = Table()
    assert sorted(doors_out(table)) == ["east", "west"]
    with table.refuses("2E-DOOR-003"):
        table.explore("south")
    with table.refuses("2E-DOOR-004"):
        table.move("driveway")


@pytest.mark.rule("2E-DOOR-003", case=2, asserts=True)
def test_the_front_door_is_none_of_the_four_free_doorways_of_a_new_ground_floor() -> None:
    table = Table()
    found = {floor: doorways(table.view(0), floor) for floor in ("basement", "ground", "upper")}
    assert {(room.id, DIRECTIONS[side]) for room, side in found["ground"]} == {
        (room, side) for room in ("entrance-hall", "foyer") for side in ("east", "west")
    }
    assert [len(found[floor]) for floor in ("basement", "upper")] == [4, 4]
    free = [
        (room.id, side)
        for room in view_of(table.rules, table.view(0), seat_bit(0)).rooms
        for side in DIRECTIONS
        if getattr(room.doors, side) == "free"
    ]
    assert len(free) == 12
    assert ("entrance-hall", "south") not in free


@pytest.mark.rule("2E-DOOR-003", case=3, asserts=True)
def test_a_room_before_the_front_door_has_a_false_door_to_it() -> None:
    """Round the corner: the Ballroom to the east, the Charred Room south of it, the Dusty Hallway west of that."""
    table = Table()
    table.traits(0, speed=6)
    table.lay("ballroom", "ground", 1, 0)
    table.lay("collapsed-room", "ground", 1, -1)
    table.move("ballroom", "collapsed-room")
    table.stack("tiles", "dusty-hallway")
    table.explore("west")
    assert (room_seen(table, "dusty-hallway").x, room_seen(table, "dusty-hallway").y) == (0, -1)

    assert room_seen(table, "dusty-hallway").doors.north == "false"
    assert room_seen(table, "entrance-hall").doors.south == "wall"
    assert "entrance-hall" not in table.goals(0)
    with table.refuses("2E-DOOR-006"):
        table.move("entrance-hall")
    at("entrance-hall", table)
    assert "dusty-hallway" not in table.goals(0)
    with table.refuses("2E-DOOR-006"):
        table.move("dusty-hallway")
    with table.refuses("2E-DOOR-003"):
        table.explore("south")


@pytest.mark.rule("2E-DOOR-004", case=1)
@pytest.mark.parametrize("room", OUTSIDE)
def test_nobody_leaves_by_the_outer_sides_of_patio_balcony_and_tower(room: str) -> None:
    sheet = next(tile for tile in pack("second-edition").tiles if tile.id == room)
    table = Table()
    table.lay(room, sheet.floors[0], 5, 5)
    for part in (0, 1) if sheet.barrier else (0,):
        at(room, table, part=part)
        walls = [side for side in DIRECTIONS if side not in sheet.doors]
        assert walls
        assert not set(walls) & set(doors_out(table))
        for side in walls:
            with table.refuses("2E-DISC-001"):
                table.explore(side)
        with table.refuses("2E-DOOR-004"):
            table.move("driveway")


@pytest.mark.rule("2E-DOOR-004", case=2, asserts=True)
@pytest.mark.parametrize("haunt", ["", "the-bell-below"])
def test_the_front_door_is_shut_before_any_haunt_and_in_one_that_does_not_open_it(haunt: str) -> None:
    table = Table()
    if haunt:
        table.haunt(haunt, traitor=1)
    with table.refuses("2E-DOOR-003"):
        table.explore("south")
    with table.refuses("2E-DOOR-004"):
        table.move("driveway")


@pytest.mark.rule("2E-DOOR-005", case=1, asserts=True)
def test_the_patio_is_a_room_like_all_others_and_belongs_to_the_house() -> None:
    table = Table()
    table.lay("patio", "ground", 1, 0)  # its west door meets the Entrance Hall

    told = table.move("patio")

    assert the(told, Moved).spent == 1
    assert (table.explorer(0).room, table.explorer(0).removed, table.explorer(0).escaped) == ("patio", False, False)
    assert room_seen(table, "patio").floor == "ground"


@pytest.mark.rule("2E-DOOR-005", case=2, asserts=True)
def test_an_effect_on_rooms_takes_in_the_dusty_hallway() -> None:
    """The Secret Passage comes out in any room of the ground floor."""
    table = Table()
    table.lay("dusty-hallway", "ground", -1, 0)
    table.stack("tiles", "gardens")
    table.stack("event", "secret-passage")
    table.rolls([1, 1, 0]).explore("east")
    assert "dusty-hallway" in table.asked(0).options


# -- 2E-DOOR-006: false doors ---------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-DOOR-006", case=1)
def test_a_false_door_is_passed_from_neither_side_and_leads_to_no_new_room() -> None:
    table = Table()
    table.lay("dining-room", "ground", 1, 1, turns=1)  # its doors lie east and south, so the Foyer's east door is false
    at("foyer", table)

    assert table.goals(0) == ["grand-staircase", "entrance-hall"]
    assert "east" not in doors_out(table)
    with table.refuses("2E-DOOR-006"):
        table.move("dining-room")
    with table.refuses("2E-DOOR-006"):
        table.explore("east")
    at("dining-room", table)
    with table.refuses("2E-DOOR-006"):
        table.move("foyer")


@pytest.mark.rule("2E-DOOR-006", case=2, asserts=True)
def test_a_door_is_free_again_when_the_elevator_that_stood_before_it_moves_away() -> None:
    table = Table()
    table.lay("ballroom", "ground", 1, 1)
    table.lay("mystic-elevator", "ground", 1, 0)  # its one door lies north, to the Ballroom
    assert room_seen(table, "entrance-hall").doors.east == "false"
    assert "east" not in doors_out(table)

    at("ballroom", table)
    table.rolls([1, 0]).move("mystic-elevator")
    table.choose(0, "basement:0:1@2")

    assert room_seen(table, "entrance-hall").doors.east == "free"
    at("entrance-hall", table)
    assert "east" in doors_out(table)


# -- 2E-DOOR-007 to 2E-DOOR-009: stairs -----------------------------------------------------------------------------------


@pytest.mark.rule("2E-DOOR-007", case=1, asserts=True)
def test_the_grand_staircase_leads_to_the_upper_landing_and_back_for_a_space_each() -> None:
    table = at("grand-staircase")
    told = table.move("upper-landing", "grand-staircase")
    assert [one.spent for one in events(told, Moved)] == [1, 1]


@pytest.mark.rule("2E-DOOR-008", case=1)
def test_once_found_the_stairs_from_the_basement_lead_to_the_foyer_and_back() -> None:
    table = at("basement-landing")
    table.stack("tiles", "stairs-from-basement")
    table.explore("north")
    table.move("foyer")

    told = table.move("stairs-from-basement", "foyer")

    assert [one.spent for one in events(told, Moved)] == [1, 1]


@pytest.mark.rule("2E-DOOR-009", case=1)
def test_before_they_are_found_the_stairs_lead_nowhere() -> None:
    table = Table()
    table.move("foyer")

    assert "stairs-from-basement" not in table.goals(0)
    with table.refuses("2E-DOOR-009"):
        table.move("stairs-from-basement")


@pytest.mark.rule("2E-DOOR-009", case=2, asserts=True)
def test_what_one_explorer_has_found_another_may_use_from_the_foyer() -> None:
    table = at("basement-landing")
    table.put(1, "foyer")
    at("basement-landing", table)
    table.stack("tiles", "stairs-from-basement")
    table.explore("north")
    table.end_turn()

    assert the(table.move("stairs-from-basement"), Moved).spent == 1
    assert table.explorer(1).room == "stairs-from-basement"


@pytest.mark.rule("2E-DOOR-009", case=3)
def test_stairs_that_were_set_aside_are_not_found() -> None:
    table = Table()
    table.stack("tiles", "stairs-from-basement", "dusty-hallway")
    table.explore("east")
    assert [slot.face for slot in table.state.decks["tiles"].aside] == ["stairs-from-basement"]
    at("foyer", table)

    assert "stairs-from-basement" not in table.goals(0)
    with table.refuses("2E-DOOR-009"):
        table.move("stairs-from-basement")


# -- 2E-DOOR-010 to 2E-DOOR-012: windows ----------------------------------------------------------------------------------


@pytest.mark.rule("2E-DOOR-010", case=1)
def test_nobody_goes_through_a_window() -> None:
    table = at("grand-staircase")
    assert doors_out(table) == []
    with table.refuses("2E-DOOR-010"):
        table.explore("west")
    table.lay("ballroom", "ground", -1, 2)
    at("grand-staircase", table)
    assert table.goals(0) == ["foyer", "upper-landing"]
    with table.refuses("2E-DOOR-006"):
        table.move("ballroom")


@pytest.mark.rule("2E-DOOR-011", case=1, asserts=True)
def test_five_rooms_have_windows() -> None:
    """Of all rooms, far from one another, so that nothing lies before a window."""
    table = Table(game=rules_with(haunt=WATCH))
    for place, tile in enumerate(one for one in pack("second-edition").tiles if one.start is None):
        table.lay(tile.id, tile.floors[0], 10 + 3 * place, 10)
    table.haunt("watch", traitor=1)
    assert len(table.state.rooms) == 47

    seen = {str(one.target) for one in table.offers(0) if isinstance(one, Act) and one.word == "LOOK"}

    assert seen == {"bedroom", "grand-staircase", "master-bedroom", "chapel", "dining-room"}


@pytest.mark.rule("2E-DOOR-012", case=1, asserts=True)
def test_an_effect_on_windows_skips_one_with_a_tile_before_it() -> None:
    """The Ballroom lies before the window of the Grand Staircase; that of the Dining Room looks out."""
    table = Table(THREE, game=rules_with(haunt=WATCH))
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -3, 1)
    table.put(1, "grand-staircase")
    table.put(2, "dining-room")
    table.haunt("watch", traitor=1)
    told = table.rolls([0] * 5, [0] * 4).act("haunt:heroes", "CALL")
    assert [one.who for one in events(told, DiceRolled)] == [1, 2]

    table.lay("ballroom", "ground", -1, 2)
    told = table.rolls([0] * 4).act("haunt:heroes", "CALL")

    assert [one.who for one in events(told, DiceRolled)] == [2]


def test_a_window_blocked_by_a_neighbor_is_none_for_a_card() -> None:
    """The Beckoning calls those who can look out of a window."""
    table = Table()
    table.put(1, "grand-staircase")
    table.lay("kitchen", "ground", -1, 1)
    table.lay("dining-room", "ground", -1, 2, turns=1)  # in front of the Grand Staircase's window
    table.lay("bloody-room", "ground", 1, 0)
    table.lay("gardens", "ground", 2, 0, turns=1)
    at("bloody-room", table)
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
