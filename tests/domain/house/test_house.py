"""Laws of the house: whatever is built, doors, ways, sight and sealing keep them."""

import copy

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.facts.grid import STEP, detach, free_doors, mask_of, neighbor, opposite, turned, without
from domain.facts.state import State
from domain.house.paths import distances, steps_toward, ways
from domain.house.placing import (
    Placement,
    Spot,
    beyond,
    doorways,
    false_features,
    laid,
    most_doors,
    open_elsewhere,
    rotations,
    seals,
)
from domain.house.sight import in_sight
from domain.rulebook.explore.elevator import goals
from tests.support.houses import FLOORS, by_cells, houses, put, start
from tests.support.packs import rules

few = settings(max_examples=40, deadline=None, derandomize=True)


@given(mask=st.integers(0, 15), turns=st.integers(0, 3), more=st.integers(0, 3))
@few
def test_a_rotation_keeps_the_number_of_doors_and_four_quarters_are_none(mask: int, turns: int, more: int) -> None:
    assert turned(mask, turns).bit_count() == mask.bit_count()
    assert turned(turned(mask, turns), more) == turned(mask, (turns + more) % 4)
    assert turned(turned(mask, turns), (4 - turns) % 4) == mask


def test_a_quarter_turn_clockwise_makes_a_north_door_an_east_door() -> None:
    assert [turned(mask_of(["north"]), turns) for turns in range(4)] == [
        mask_of([side]) for side in ("north", "east", "south", "west")
    ]


@given(houses())
@few
def test_being_next_door_is_mutual_and_needs_a_door_on_both_sides(house: State) -> None:
    for room in house.rooms.values():
        for direction in range(4):
            beside = neighbor(house.grid, room, direction)
            other = house.rooms.get(room.near[direction])
            if other is not None:
                assert other.id == beside
                assert other.near[opposite(direction)] == room.id
            elif beside:
                meets = room.doors >> direction & 1 and house.rooms[beside].doors >> opposite(direction) & 1
                assert not meets


@given(houses())
@few
def test_every_room_lies_on_a_cell_of_its_own(house: State) -> None:
    assert by_cells(house) == house.grid
    assert len(house.grid) == len(house.rooms)


@given(houses(), st.data())
@few
def test_a_tile_taken_up_leaves_the_house_as_it_was_before(house: State, data: st.DataObject) -> None:
    before = copy.deepcopy(house)
    tile = data.draw(st.sampled_from(list(rules("second-edition").pack.decks["tiles"])))
    found = [
        placement
        for floor in FLOORS
        for room, direction in doorways(house, floor)
        for placement in rotations(rules("second-edition").pack.tiles[tile], room, direction)
    ]
    if tile in house.rooms or not found:
        return
    put(house, tile, data.draw(st.sampled_from(found)))
    detach(house.rooms, house.grid, house.rooms.pop(tile))
    assert (house.rooms, house.grid) == (before.rooms, before.grid)


@given(houses(), st.data())
@few
def test_looking_at_a_house_without_a_tile_changes_nothing(house: State, data: st.DataObject) -> None:
    before = copy.deepcopy(house)
    tile = data.draw(st.sampled_from(sorted(house.rooms)))
    rest = without(house, tile)
    assert tile not in rest.rooms
    assert all(tile not in room.near for room in rest.rooms.values())
    assert (house.rooms, house.grid) == (before.rooms, before.grid)


@given(houses())
@few
def test_a_free_doorway_is_a_door_with_nothing_behind_it(house: State) -> None:
    for floor in FLOORS:
        for room, direction in doorways(house, floor):
            assert room.floor == floor
            assert room.doors >> direction & 1
            assert not neighbor(house.grid, room, direction)
    counted = sum(free_doors(house.grid, room).bit_count() for room in house.rooms.values())
    assert counted == sum(len(doorways(house, floor)) for floor in FLOORS)


@given(houses())
@few
def test_of_several_doorways_of_a_room_each_leaves_the_floor_open(house: State) -> None:
    for room in house.rooms.values():
        doors = [direction for direction in range(4) if free_doors(house.grid, room) >> direction & 1]
        if len(doors) > 1:
            assert all(open_elsewhere(house, beyond(room, direction)) for direction in doors)


def each_placement(house: State, tile: str) -> list[Placement]:
    """Every way to join a tile to the house."""
    kind = rules("second-edition").pack.tiles[tile]
    return [
        placement
        for floor in kind.floors
        for room, direction in doorways(house, floor)
        for placement in rotations(kind, room, direction)
    ]


@given(houses(), st.data())
@few
def test_a_tile_can_move_to_every_other_doorway_that_it_would_not_seal(house: State, data: st.DataObject) -> None:
    movable = [room for room in house.rooms.values() if not room.start]
    assume(movable)
    here = data.draw(st.sampled_from(movable))
    tile = rules("second-edition").pack.tiles[here.id]
    rest = without(house, here.id)
    open_ones = {
        beyond(room, direction)
        for floor in (FLOORS if doorways(rest, here.floor) else ())
        for room, direction in doorways(rest, floor)
        if not all(seals(rest, placement) for placement in rotations(tile, room, direction))
    }
    found = [placement.spot for placement in goals(house, tile, "any")]
    assert {(spot.floor, spot.x, spot.y) for spot in found} == open_ones - {(here.floor, here.x, here.y)}
    assert len(set(found)) == len(found)


TILES = st.sampled_from(["attic", "organ-room", "larder", "game-room", "creaky-hallway", "vault", "tower"])


@given(houses(), TILES)
@few
def test_a_placement_seals_a_floor_exactly_if_no_doorway_is_left_with_it(house: State, tile: str) -> None:
    if tile in house.rooms:
        return
    for placement in each_placement(house, tile):
        built = copy.deepcopy(house)
        put(built, tile, placement)
        assert seals(house, placement) == (not doorways(built, placement.spot.floor))


@given(houses(), TILES)
@few
def test_false_features_are_the_doors_on_both_sides_that_meet_none(house: State, tile: str) -> None:
    if tile in house.rooms:
        return
    for placement in each_placement(house, tile):
        built = copy.deepcopy(house)
        room = put(built, tile, placement)
        false = 0
        for direction in range(4):
            other = built.rooms.get(neighbor(built.grid, room, direction))
            if other is not None and not room.near[direction]:
                false += room.doors >> direction & 1
                false += other.doors >> opposite(direction) & 1
        assert false_features(house, placement) == false


@given(houses(), TILES)
@few
def test_every_rotation_offered_joins_the_doorway_and_looks_different(house: State, tile: str) -> None:
    kind = rules("second-edition").pack.tiles[tile]
    for floor in FLOORS:
        for room, direction in doorways(house, floor):
            found = rotations(kind, room, direction)
            assert found
            assert all((one.spot.floor, one.spot.x, one.spot.y) == beyond(room, direction) for one in found)
            assert all(one.doors >> opposite(direction) & 1 for one in found)
            looks = [(one.doors, one.windows, tuple(one.parts)) for one in found]
            assert len(set(looks)) == len(looks)
            kept = most_doors(house, found)
            assert kept
            assert {false_features(house, one) for one in kept} == {min(false_features(house, one) for one in found)}


@given(houses())
@few
def test_a_way_back_costs_what_the_way_there_costs_and_steps_toward_shorten_it(house: State) -> None:
    for start_room in ("entrance-hall", "basement-landing"):
        reach = distances(house, start_room)
        for goal, spaces in reach.items():
            assert distances(house, goal)[start_room] == spaces  # every way of the start is two-way
            for step in steps_toward(house, start_room, goal):
                assert distances(house, step)[goal] == spaces - 1
            assert bool(steps_toward(house, start_room, goal)) == (goal != start_room)


@given(houses())
@few
def test_sight_is_mutual_and_straight(house: State) -> None:
    for room in house.rooms.values():
        for seen in in_sight(house, room.id):
            other = house.rooms[seen]
            assert room.id in in_sight(house, seen)
            assert room.floor == other.floor
            assert room.x == other.x or room.y == other.y


@given(houses(), st.data())
@few
def test_smoke_takes_sight_and_gives_none(house: State, data: st.DataObject) -> None:
    smoke = data.draw(st.sampled_from(sorted(house.rooms)))
    for room in sorted(house.rooms):
        clear, smoky = in_sight(house, room), in_sight(house, room, blocked=[smoke])
        assert set(smoky) <= set(clear) - {smoke}


@given(houses())
@few
def test_a_step_by_foot_goes_through_a_door_or_a_link(house: State) -> None:
    for room in house.rooms.values():
        for part in range(max(1, len(room.parts))):
            for there, there_part in ways(house, room, part):
                linked = there in [link.to for link in house.links.get(room.id, ())]
                assert there in room.near or linked
                other = house.rooms[there]
                assert there_part < max(1, len(other.parts))


@pytest.mark.parametrize("turns", range(4))
def test_the_parts_of_a_barrier_room_turn_with_it(turns: int) -> None:
    chasm = rules("second-edition").pack.tiles["chasm"]
    placement = laid(chasm, Spot("basement", 0, 1, turns))
    assert placement.parts == [turned(mask_of(["east"]), turns), turned(mask_of(["west"]), turns)]
    assert placement.doors == placement.parts[0] | placement.parts[1]


def test_steps_lead_north_east_south_and_west() -> None:
    house = start()
    hall = house.rooms["entrance-hall"]
    assert STEP == ((0, 1), (1, 0), (0, -1), (-1, 0))
    assert neighbor(house.grid, hall, 0) == "foyer"
    assert hall.near == ("foyer", "", "", "")
