"""Discovery: which tile comes, how it may lie, what is set aside (rulebook: Discover a New Room)."""

import pytest

from domain.audience import SPECTATORS
from domain.commands import Explore
from domain.events import BackSeen, Moved, StackShuffled, TileDrawn, TileMoved, TilePlaced, TileSetAside
from domain.turn.rearranging import layouts
from tests.support.packs import pack
from tests.support.table import Table, events, the


@pytest.mark.rule("2E-DISC-005")
def test_a_doorway_without_a_room_brings_the_top_tile_with_a_door_to_it() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")

    told = table.explore("east")

    placed = the(told, TilePlaced)
    assert (placed.tile, placed.floor, placed.x, placed.y) == ("gardens", "ground", 1, 0)
    assert the(told, TileDrawn).seat == 0
    assert table.explorer(0).room == "gardens"
    assert table.view(1).rooms["gardens"].near[3] == "entrance-hall"


@pytest.mark.rule("2E-DISC-001")
def test_a_doorway_with_a_room_behind_it_brings_none() -> None:
    table = Table()
    table.lay("dusty-hallway", "ground", 1, 0)

    assert not events(table.move("dusty-hallway", "entrance-hall"), TilePlaced)
    with table.refuses("2E-DISC-001"):
        table.explore("east")


@pytest.mark.rule("2E-DISC-002", "2E-DISC-008")
def test_tiles_for_other_floors_are_set_aside_until_one_fits() -> None:
    table = Table()
    table.stack("tiles", "catacombs", "bedroom", "gardens")
    table.stack("event", "drip-drip-drip")

    told = table.explore("east")

    assert [one.back for one in events(told, TileSetAside)] == ["basement", "upper"]
    assert the(told, TilePlaced).tile == "gardens"
    for role in (1, 2, SPECTATORS):
        assert [slot.face for slot in table.roles[role].decks["tiles"].aside] == ["", ""]


@pytest.mark.rule("2E-DISC-003", asserts=True)
def test_the_back_of_the_top_tile_is_public_and_its_face_is_not() -> None:
    for role in Table().roles.values():
        top = role.decks["tiles"].top[0]
        assert top.back
        assert not top.face


@pytest.mark.rule("2E-DISC-003", asserts=True)
def test_the_back_that_is_read_is_that_of_the_tile_that_is_turned_up() -> None:
    table = Table()
    table.put(0, "upper-landing")
    table.turn(0)
    first = table.view(1).decks["tiles"].top[0].back

    told = table.picks("basement+ground+upper", "dusty-hallway").explore("north")

    read = [first, *[one.back for one in events(told, BackSeen)]]
    turned_up = [one.back for one in events(told, TileSetAside)] + ["+".join(pack_floors(the(told, TileDrawn).tile))]
    assert "upper" not in first
    assert read[: len(turned_up)] == turned_up


@pytest.mark.rule("2E-DISC-004")
@pytest.mark.parametrize("start", ["entrance-hall", "upper-landing"])
def test_a_tile_for_two_floors_comes_to_either(start: str) -> None:
    table = Table()
    table.put(0, start)
    table.turn(0)
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    assert the(table.explore("east"), TilePlaced).tile == "bloody-room"


@pytest.mark.rule("2E-DISC-006")
def test_the_rotation_with_fewest_false_doors_is_the_only_one_offered() -> None:
    """West of the Entrance Hall, with a room to the north of that cell that has a door to it."""
    table = Table()
    table.lay("charred-room", "ground", -1, 1)
    table.stack("tiles", "dining-room")  # two doors at a right angle
    table.stack("omen", "book")

    told = table.explore("west")

    placed = the(told, TilePlaced)
    assert placed.turns == 0
    assert table.view(0).rooms["dining-room"].near == ["charred-room", "entrance-hall", "", ""]


@pytest.mark.rule("2E-DISC-006")
def test_between_rotations_that_match_alike_the_discoverer_chooses() -> None:
    table = Table()
    table.lay("dusty-hallway", "ground", 1, 0)
    table.move("dusty-hallway")
    table.stack("tiles", "game-room")  # doors on three sides
    table.stack("event", "drip-drip-drip")

    table.explore("east")
    asked = table.asked(0)

    assert asked.about == "place:game-room"
    assert asked.options == ["ground:2:0@1", "ground:2:0@2", "ground:2:0@3"]
    with table.refuses(problem="not-an-option"):
        table.choose(0, "ground:2:1@0")
    table.choose(0, asked.options[-1])
    assert table.explorer(0).room == "game-room"


@pytest.mark.rule("2E-DISC-007")
def test_a_door_that_meets_a_wall_is_a_false_door() -> None:
    table = Table()
    table.lay("kitchen", "ground", 1, 1)  # its walls lie south and west
    table.stack("tiles", "charred-room")
    table.stack("omen", "book")

    table.explore("east")

    assert table.view(1).rooms["charred-room"].near == ["", "", "", "entrance-hall"]
    assert "north" not in [one.door for one in table.offers(0) if isinstance(one, Explore)]


def one_way_up(table: Table) -> None:
    """An upper floor with a single free doorway: north of the Upper Landing."""
    table.lay("storeroom", "upper", 1, 0, turns=3)
    table.lay("attic", "upper", -1, 0, turns=3)
    table.lay("balcony", "upper", 0, -1)
    table.lay("chapel", "upper", 0, -2)
    table.put(0, "upper-landing")
    table.turn(0)


@pytest.mark.rule("2E-DISC-010")
def test_a_tile_that_would_seal_the_floor_off_is_put_away_face_up_and_the_next_one_tried() -> None:
    table = Table()
    one_way_up(table)
    table.stack("tiles", "conservatory", "creaky-hallway")

    told = table.explore("north")

    away = the(told, TileSetAside)
    assert (away.face, away.rule) == ("conservatory", "2E-DISC-010")
    assert the(told, TilePlaced).tile == "creaky-hallway"


@pytest.mark.rule("2E-DISC-009")
def test_a_rotation_that_seals_the_floor_off_is_not_offered_while_another_does_not() -> None:
    table = Table()
    one_way_up(table)
    table.lay("conservatory", "upper", -1, 1, turns=1)  # its only door waits for one in the last free doorway
    table.stack("tiles", "organ-room")
    table.stack("event", "drip-drip-drip")

    told = table.explore("north")

    # meeting the door of the Conservatory would match more doors, and close the floor
    assert table.view(0).rooms["organ-room"].near == ["", "", "upper-landing", ""]
    assert the(told, TilePlaced).doors == 0b0110  # east and south


@pytest.mark.rule("2E-DISC-012")
def test_an_empty_stack_is_made_anew_from_the_tiles_set_aside() -> None:
    table = Table()
    left = ["catacombs", "larder", "creaky-hallway"]
    for place, tile in enumerate(one for one in table.state.decks["tiles"].pool.copy() if one not in left):
        table.lay(tile, table.rules.pack.tiles[tile].floors[0], 10 + 2 * place, 10)
    table.put(1, "basement-landing")
    table.turn(0)
    table.stack("tiles", *left)
    table.explore("east")
    assert table.view(2).decks["tiles"].size() == 0
    table.turn(1)

    table.picks("larder")
    table.stack("item", "axe")
    told = table.explore("north")

    assert sorted(the(told, StackShuffled).order) == ["catacombs", "larder"]
    assert the(told, TilePlaced).tile == "larder"
    assert table.view(2).decks["tiles"].aside == []


@pytest.mark.rule("2E-DISC-013")
def test_a_floor_with_all_its_tiles_placed_has_no_more_to_discover_and_the_try_is_free() -> None:
    table = Table()
    place = 0
    for tile in pack("second-edition").tiles:
        if "ground" in tile.floors and tile.start is None:
            place += 1
            table.lay(tile.id, "ground", 10 + 2 * place, 10)
    table.turn(0)

    assert not [one for one in table.offers(0) if isinstance(one, Explore)]
    with table.refuses("2E-DISC-013"):
        table.explore("east")
    assert table.explorer(0).spent == 0


def test_a_discovery_costs_what_a_step_costs() -> None:
    table = Table()
    table.stack("tiles", "dusty-hallway")
    assert the(table.explore("east"), Moved).spent == 1


@pytest.mark.rule("2E-DISC-011")
def test_a_floor_that_every_tile_left_would_seal_is_laid_out_anew() -> None:
    table = Table()
    only = ["conservatory", "chapel", "vault"]  # one door each
    lie = {"organ-room": (0, 1, 3), "attic": (1, 1, 1), "master-bedroom": (1, 0, 0), "storeroom": (-1, 0, 1)}
    for tile, (x, y, turns) in lie.items():
        table.lay(tile, "upper", x, y, turns=turns)
    others = [tile for tile in pack("second-edition").tiles if "upper" in tile.floors and tile.start is None]
    for place, tile_left in enumerate(one.id for one in others if one.id not in (*only, *lie)):
        table.lay(tile_left, "ground", 10 + 2 * place, 10)
    table.put(0, "upper-landing")
    table.turn(0)
    assert [one.door for one in table.offers(0) if isinstance(one, Explore)] == ["south"]
    table.stack("tiles", "conservatory")
    table.stack("event", "night-view")

    table.explore("south")
    assert table.asked(0).about == "rearrange:upper"
    with table.refuses(problem="not-an-option"):
        table.choose(0, "master-bedroom:upper:1:0@0")  # as it lies, with its north door against a wall
    told = table.rolls([0, 0, 0]).choose(0, "master-bedroom:upper:1:0@3")

    assert the(told, TileMoved).tile == "master-bedroom"
    assert the(told, TilePlaced).tile == "conservatory"
    table.put(0, "master-bedroom")
    table.turn(0)
    assert [one.door for one in table.offers(0) if isinstance(one, Explore)] == ["south"]


@pytest.mark.rule("2E-DISC-011")
def test_a_room_behind_a_revolving_wall_does_not_keep_its_floor_from_being_laid_out_anew() -> None:
    """The Chapel's one door faces a wall; nobody gets there but through the wall that turns."""
    table = Table()
    left = ["conservatory", "vault"]
    lie = {"organ-room": (0, 1, 3), "attic": (1, 1, 1), "master-bedroom": (1, 0, 0), "storeroom": (-1, 0, 1)}
    for tile, (x, y, turns) in lie.items():
        table.lay(tile, "upper", x, y, turns=turns)
    table.lay("chapel", "upper", -1, 1, turns=1)
    others = [tile for tile in pack("second-edition").tiles if "upper" in tile.floors and tile.start is None]
    for place, tile_left in enumerate(one.id for one in others if one.id not in (*left, *lie, "chapel")):
        table.lay(tile_left, "ground", 10 + 2 * place, 10)
    table.put(0, "upper-landing")
    table.turn(0)
    table.token("wall-switch", "chapel")
    table.token("wall-switch", "storeroom")
    assert not any(table.view(0).rooms["chapel"].near)
    assert [one.door for one in table.offers(0) if isinstance(one, Explore)] == ["south"]
    table.stack("tiles", "conservatory")
    table.stack("event", "night-view")

    table.explore("south")
    assert table.asked(0).about == "rearrange:upper"
    told = table.rolls([0, 0, 0]).choose(0, "master-bedroom:upper:1:0@3")

    assert the(told, TileMoved).tile == "master-bedroom"
    assert the(told, TilePlaced).tile == "conservatory"


def spots_for(table: Table, tile: str) -> set[tuple[int, int]]:
    """Where a tile of the upper floor may lie when it is laid out anew."""
    found = layouts(table.rules, table.state, "upper")
    return {(placement.spot.x, placement.spot.y) for name, placement in found if name == tile}


def test_a_room_that_leads_from_the_wall_to_others_stays_when_a_floor_is_laid_out_anew() -> None:
    """Through the wall of the Storeroom one comes into the Organ Room, and only from there into the Chapel."""
    table = Table()
    lie = {"storeroom": (-1, 0, 1), "attic": (0, 1, 0), "organ-room": (-1, 1, 2), "chapel": (-1, 2, 2)}
    for tile, (x, y, turns) in lie.items():
        table.lay(tile, "upper", x, y, turns=turns)
    assert (1, 0) in spots_for(table, "organ-room"), "as long as nobody gets there at all"

    table.token("wall-switch", "organ-room")
    table.token("wall-switch", "storeroom")

    assert spots_for(table, "organ-room") == {(-1, 1)}, "it may only turn round"


def pack_floors(tile: str) -> list[str]:
    """The floors on a tile's back."""
    return list(next(one.floors for one in pack("second-edition").tiles if one.id == tile))
