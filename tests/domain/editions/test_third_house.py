"""The third edition's house: setup, movement, discovery that ends the turn (rulebook 2022, How to Play)."""

import pytest

from domain.facts.audience import REFEREE
from domain.facts.commands import Explore
from domain.facts.events import CardDrawn, DiceRolled, TilePlaced, TileSetAside, TraitChanged, TurnEnded, TurnStarted
from domain.facts.refusal import Refused
from tests.support.packs import pack, rules
from tests.support.table import Table, events, the
from tests.support.third import discover, third

BOX = pack("third-edition")


# -- setup ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-SETUP-009")
def test_a_new_house_has_the_three_starting_tiles() -> None:
    rooms = third().view(0).rooms
    assert set(rooms) == {
        "entrance-hall",
        "hallway",
        "ground-floor-staircase",
        "basement-landing",
        "upper-landing",
    }


@pytest.mark.rule("3E-SETUP-015", "3E-TURN-001")
def test_turns_pass_clockwise_from_the_first_player() -> None:
    table = third(first=1)
    order = [table.seat]
    for _ in range(3):
        table.end_turn()
        order.append(table.seat)
    assert order == [1, 2, 0, 1]


@pytest.mark.rule("3E-COMP-002", "3E-COMP-006", "3E-COMP-009", asserts=True)
def test_the_box_has_twelve_characters_five_scenarios_and_forty_two_tiles() -> None:
    assert len(BOX.explorers) == 12
    assert len({explorer.color for explorer in BOX.explorers}) == 6
    assert len(BOX.scenarios) == 5
    assert third().view(0).decks["tiles"].size() == 42


CHARACTERS = (
    ("josef-brosef-hooper", 25, "02-25"),
    ("oliver-swift", 33, "07-03"),
    ("stephanie-richter", 40, "01-12"),
    ("persephone-puleri", 49, "04-15"),
    ("sammy-angler", 9, "09-18"),
    ("jaden-jones", 11, "10-04"),
    ("isa-valencia", 11, "03-30"),
    ("anita-hernandez", 12, "06-11"),
    ("father-warren-leung", 71, "11-17"),
    ("dan-nguyen-md", 60, "05-06"),
    ("michelle-monroe", 19, "08-19"),
    ("brittani-beat-box-bowen", 22, "12-01"),
)
"""Explorer, age and birthday, in the order of the rules 3E-CHAR-001 to 3E-CHAR-012."""


@pytest.mark.parametrize(
    "explorer, age, birthday",
    [
        pytest.param(*facts, marks=pytest.mark.rule(f"3E-CHAR-{number:03}", asserts=True))
        for number, facts in enumerate(CHARACTERS, 1)
    ],
)
def test_each_character_has_its_age_and_birthday(explorer: str, age: int, birthday: str) -> None:
    sheet = next(one for one in BOX.explorers if one.id == explorer)
    assert (sheet.age, sheet.birthday) == (age, birthday)


@pytest.mark.rule("3E-SETUP-003")
@pytest.mark.parametrize("second", ["oliver-swift", "josef-brosef-hooper"])
def test_a_board_serves_one_player(second: str) -> None:
    with pytest.raises(Refused) as refused:
        Table(("oliver-swift", second, "michelle-monroe"), game=rules("third-edition"))
    assert refused.value.rule == "3E-SETUP-003"


@pytest.mark.rule("3E-TRAIT-001", "3E-TRAIT-003", "3E-TRAIT-008", asserts=True)
def test_everybody_sees_four_traits_with_a_critical_space_above_the_skull() -> None:
    table = third()
    for role in table.roles.values():
        for explorer in role.explorers:
            assert len(explorer.at) == 4
            assert all(track[0] == 0 and track[1] > 0 for track in explorer.tracks)


# -- moving ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-MOVE-001", "3E-MOVE-003")
def test_speed_at_the_start_of_the_turn_is_the_allowance_whatever_becomes_of_it() -> None:
    table = third()
    table.traits(0, speed=4)
    table.turn(0)
    table.move("hallway", "entrance-hall")
    table.traits(0, speed=6)

    table.move("hallway", "entrance-hall")

    with table.refuses("3E-MOVE-001"):
        table.move("hallway")


@pytest.mark.rule("3E-MOVE-004", asserts=True)
def test_tiles_whose_doorways_meet_are_adjacent_both_ways() -> None:
    table = third()
    table.lay("dining-room", "ground", 1, 0)
    table.move("dining-room", "entrance-hall")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("3E-MOVE-005", asserts=True)
def test_the_staircase_leads_to_the_upper_landing_for_a_point_each_way() -> None:
    table = third()
    table.put(0, "ground-floor-staircase")
    table.turn(0)
    table.move("upper-landing", "ground-floor-staircase")
    assert table.explorer(0).spent == 2


@pytest.mark.rule("3E-MOVE-006")
def test_a_doorway_that_faces_a_wall_leads_nowhere() -> None:
    table = third()
    table.lay("bloody-room", "ground", 1, 0)  # doors north and east: a wall faces the Entrance Hall
    with table.refuses("3E-MOVE-006"):
        table.move("bloody-room")
    assert [one.door for one in table.offers(0) if isinstance(one, Explore)] == ["west"]


@pytest.mark.rule("3E-MOVE-007", asserts=True)
def test_the_triple_tile_is_three_spaces() -> None:
    table = third()
    table.move("hallway", "ground-floor-staircase")
    assert table.explorer(0).spent == 2


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


# -- discovering ----------------------------------------------------------------------------------------------------


def test_a_discovered_tile_ends_the_turn_with_or_without_a_card() -> None:
    table = third()
    assert the(discover(table, "larder"), TurnEnded).seat == 0
    told = discover(table, "conservatory", door="west", item="map")
    assert the(told, TurnEnded).seat == 1
    assert table.seat == 2


@pytest.mark.rule("3E-TURN-004")
def test_a_turn_may_end_without_a_discovery() -> None:
    told = third().end_turn()
    assert the(told, TurnEnded).seat == 0
    assert the(told, TurnStarted).seat == 1


@pytest.mark.rule("3E-TILE-003", "3E-MOVE-001")
def test_without_movement_or_doorway_nothing_is_discovered() -> None:
    table = third()
    table.put(0, "ground-floor-staircase")
    table.turn(0)
    with table.refuses("3E-TILE-003"):
        table.explore("north")
    table.put(0, "hallway")
    table.traits(0, speed=3)
    table.turn(0)
    table.move("entrance-hall", "hallway", "entrance-hall")
    with table.refuses("3E-MOVE-001"):
        table.explore("east")


@pytest.mark.rule("3E-TILE-004", "3E-TILE-005")
def test_one_doorway_suffices_and_the_discoverer_chooses_the_orientation() -> None:
    table = third()
    table.lay("kitchen", "ground", 1, 1)  # doors north and south: its south door waits at the cell of discovery
    table.turn(0)
    table.stack("tiles", "salon")
    table.stack("event", "alien-geometry")
    table.explore("east")

    assert table.asked(0).options == ["ground:1:0@2", "ground:1:0@3"]
    table.rolls([0, 0, 0, 0]).choose(0, "ground:1:0@2")  # away from the Kitchen

    assert table.view(1).rooms["salon"].near[0] == ""


@pytest.mark.rule("3E-TILE-006")
def test_tiles_for_other_regions_are_buried() -> None:
    table = third()
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "observatory", "statuary-corridor", "ritual-room")
    table.stack("omen", "book")
    told = table.rolls([0]).explore("east")

    assert [(one.back, one.bury) for one in events(told, TileSetAside)] == [("upper", True), ("upper", True)]
    assert [slot.back for slot in table.view(1).decks["tiles"].bottom] == ["upper", "upper"]


@pytest.mark.rule("3E-TILE-015", "3E-TILE-001", asserts=True)
def test_a_buried_tile_lies_at_the_bottom_and_every_tile_has_a_region() -> None:
    table = third()
    size = table.state.decks["tiles"].size()
    table.stack("tiles", "observatory", "larder")
    table.explore("east")
    table.choose(0, table.asked(0).options[0])
    assert [slot.back for slot in table.view(1).decks["tiles"].bottom] == ["upper"]
    assert table.view(1).decks["tiles"].size() == size - 1
    assert {room.floor for room in table.view(1).rooms.values()} == {"basement", "ground", "upper"}


def test_the_tiles_text_comes_before_its_card() -> None:
    table = third()
    told = discover(table.rolls([0]), "library", omen="book")
    kinds = [type(one.event) for one in told]
    assert kinds.index(TraitChanged) < kinds.index(CardDrawn)


@pytest.mark.rule("3E-TILE-009", "3E-CARD-005")
def test_a_symbol_gives_its_card_to_the_discoverer() -> None:
    table = third()
    discover(table, "conservatory", item="map")
    assert [table.explorer(seat).cards for seat in range(3)] == [["map"], [], []]


def test_two_symbols_give_two_cards() -> None:
    table = third()
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "vault")
    table.stack("item", "map", "mirror")
    table.explore("east")
    assert table.explorer(0).cards == ["map", "mirror"]


@pytest.mark.rule("3E-TILE-011")
def test_a_region_without_tiles_left_costs_nothing_to_try() -> None:
    table = third()
    for place, tile in enumerate(tile for tile in BOX.tiles if "ground" in tile.floors and tile.start is None):
        table.lay(tile.id, "ground", 10 + 2 * place, 10)
    table.turn(0)
    size = table.state.decks["tiles"].size()

    with table.refuses("3E-TILE-011"):
        table.explore("east")

    assert (table.explorer(0).spent, table.seat, table.state.decks["tiles"].size()) == (0, 0, size)


@pytest.mark.rule("3E-TILE-013")
def test_a_tile_that_would_close_the_region_is_buried() -> None:
    table = third()
    for tile, x, y, turns in (("panic-room", 1, 0, 3), ("secret-staircase", -1, 0, 1), ("mystic-elevator", 0, 1, 2)):
        table.lay(tile, "basement", x, y, turns=turns)
    table.put(0, "basement-landing")
    table.turn(0)
    table.stack("tiles", "vault", "underground-cavern")
    table.stack("event", "alien-geometry")

    told = table.rolls([0] * 4).explore("south")

    away = the(told, TileSetAside)
    assert (away.face, away.bury) == ("vault", True)
    assert the(told, TilePlaced).tile == "underground-cavern"


@pytest.mark.rule("3E-TILE-016", asserts=True)
def test_the_region_of_the_top_tile_is_seen_and_its_front_is_not() -> None:
    table = third()
    for mask, role in table.roles.items():
        top = role.decks["tiles"].top[0]
        assert top.back
        assert mask == REFEREE or not top.face


# -- rooms ----------------------------------------------------------------------------------------------------------


def test_the_laundry_chute_slides_at_the_end_of_the_turn() -> None:
    table = third()
    table.lay("laundry-chute", "ground", 1, 0, turns=3)
    table.turn(0)
    table.move("laundry-chute")
    assert table.explorer(0).room == "laundry-chute"
    table.end_turn()
    assert table.explorer(0).room == "basement-landing"


def test_a_one_way_passage_leads_down_and_not_up() -> None:
    table = third()
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.put(0, "gallery")
    table.turn(0)
    table.move("ballroom")
    assert "gallery" not in table.goals(0)


def test_whoever_enters_the_elevator_may_leave_the_button_alone() -> None:
    table = third()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.turn(0)
    table.move("mystic-elevator")
    told = table.choose(0, "no")
    assert not events(told, DiceRolled)


def test_an_armory_is_searched_until_a_weapon_turns_up() -> None:
    table = third()
    table.stack("item", "map", "mirror", "machete")
    discover(table, "armory")
    assert table.explorer(0).cards == ["machete"]
    assert [slot.face for slot in table.view(2).decks["item"].bottom] == ["map", "mirror"]
