"""Discovery: which tile comes, how it may lie, what is set aside (rulebook: Discover a New Room)."""

import pytest

from domain.facts.audience import REFEREE, seat_bit
from domain.facts.commands import Choose, Explore
from domain.facts.events import (
    BackSeen,
    DecisionOpened,
    DiceRolled,
    Fizzled,
    Moved,
    StackShuffled,
    TileDrawn,
    TileMoved,
    TilePlaced,
    TileSetAside,
)
from domain.facts.grid import DIRECTIONS
from domain.rulebook.explore.rearranging import layouts
from projections.choices.decisions import decisions_of
from projections.view.game import GameView, view_of
from projections.view.rooms import RoomView
from tests.support.fate import Fate
from tests.support.packs import pack
from tests.support.table import Table, events, the

TILES = {tile.id: tile for tile in pack("second-edition").tiles}


def views(table: Table) -> list[GameView]:
    """What each player and the spectators see."""
    return [view_of(table.rules, role, mask) for mask, role in table.roles.items() if mask != REFEREE]


def room_seen(table: Table, room: str) -> RoomView:
    """A room as everybody sees it."""
    return next(one for one in view_of(table.rules, table.view(1), seat_bit(1)).rooms if one.id == room)


def doors_of(table: Table, room: str) -> set[str]:
    """The sides of a room that have a door, true or false."""
    mask = table.view(1).rooms[room].doors
    return {side for direction, side in enumerate(DIRECTIONS) if mask >> direction & 1}


def at(room: str, table: Table | None = None) -> Table:
    """Seat 0 stands there at the beginning of its turn."""
    table = table or Table()
    table.put(0, room)
    table.turn(0)
    return table


def doors_out(table: Table) -> list[str]:
    """Doorways that seat 0 is offered to explore."""
    return [one.door for one in table.offers(0) if isinstance(one, Explore)]


def free_on(table: Table, floor: str) -> list[tuple[str, str]]:
    """Free doorways of a floor, as everybody sees them."""
    return [
        (room.id, side)
        for room in view_of(table.rules, table.view(1), seat_bit(1)).rooms
        if room.floor == floor
        for side in DIRECTIONS
        if getattr(room.doors, side) == "free"
    ]


def aside(table: Table) -> list[str]:
    """Tiles in the discard pile, as only the engine knows them."""
    return sorted(slot.face for slot in table.state.decks["tiles"].aside)


def lay_all_but(table: Table, *left: str) -> None:
    """Put every other tile of the stack into the house, far away on a floor of its own choice that is not the last one."""
    for place, tile in enumerate(one for one in TILES.values() if one.start is None):
        if tile.id not in left and tile.id not in table.state.rooms:
            table.lay(tile.id, tile.floors[0], 20 + 3 * place, 20)


class Backs(Fate):
    """What the back of the first tile shows."""

    def __init__(self, back: str) -> None:
        super().__init__()
        self.picks = [back]


# -- 2E-DISC-001 to 2E-DISC-005: which tile comes -------------------------------------------------------------------------


@pytest.mark.rule("2E-DISC-001", case=1, asserts=True)
def test_a_doorway_without_a_room_behind_it_brings_a_tile() -> None:
    table = Table()
    table.stack("tiles", "dusty-hallway")
    assert the(table.explore("east"), TileDrawn).tile == "dusty-hallway"


@pytest.mark.rule("2E-DISC-001", case=2)
def test_a_doorway_with_a_room_behind_it_brings_none() -> None:
    table = Table()
    table.lay("dusty-hallway", "ground", 1, 0)

    told = table.move("dusty-hallway", "entrance-hall")

    assert not events(told, TileDrawn)
    assert not events(told, TilePlaced)
    with table.refuses("2E-DISC-001"):
        table.explore("east")


@pytest.mark.rule("2E-DISC-002", case=1, asserts=True)
def test_on_the_ground_floor_the_gymnasium_is_set_aside() -> None:
    table = Table()
    table.stack("tiles", "gymnasium", "dusty-hallway")
    told = table.explore("east")
    assert the(told, TilePlaced).tile == "dusty-hallway"
    assert aside(table) == ["gymnasium"]


@pytest.mark.rule("2E-DISC-002", asserts=True, case=2)
def test_on_the_upper_floor_the_gymnasium_is_placed() -> None:
    table = at("upper-landing")
    table.stack("tiles", "gymnasium")
    table.stack("omen", "book")
    table.explore("east")
    table.lay_anyhow()
    assert (table.explorer(0).room, room_seen(table, "gymnasium").floor) == ("gymnasium", "upper")


@pytest.mark.rule("2E-DISC-002")
def test_a_tile_that_fits_after_others_did_not_is_turned_up_by_the_rule_on_floors() -> None:
    table = Table()
    table.stack("tiles", "gymnasium", "dusty-hallway")
    assert the(table.explore("east"), TileDrawn).rule == "2E-DISC-002"


@pytest.mark.rule("2E-DISC-003", case=1)
def test_everybody_sees_the_floors_of_the_top_tile_and_nobody_its_name() -> None:
    table = Table(fate=Backs("basement+ground"))
    told = [one for commit in table.commits for one in commit]
    assert (the(told, BackSeen).back, the(told, BackSeen).rule) == ("basement+ground", "2E-DISC-003")

    for view in views(table):
        deck = view.decks["tiles"]
        assert deck.top_back == "basement+ground"
        assert [(slot.index, slot.back, slot.face) for slot in deck.known] == [(0, "basement+ground", "")]


@pytest.mark.rule("2E-DISC-003", case=2, asserts=True)
def test_whoever_uses_the_spirit_board_alone_sees_the_name_of_the_top_tile() -> None:
    table = Table()
    table.hold(1, "spirit-board")
    table.turn(1)
    table.act("card:spirit-board", "ASK")

    names = [view.decks["tiles"].known[0].face for view in views(table)]

    assert [bool(name) for name in names] == [False, True, False, False]


@pytest.mark.rule("2E-DISC-003", asserts=True)
def test_the_back_that_is_read_is_that_of_the_tile_that_is_turned_up() -> None:
    table = at("upper-landing")
    first = table.view(1).decks["tiles"].top[0].back

    told = table.picks("basement+ground+upper", "dusty-hallway").explore("north")

    read = [first, *[one.back for one in events(told, BackSeen)]]
    turned_up = [one.back for one in events(told, TileSetAside)] + ["+".join(TILES[the(told, TileDrawn).tile].floors)]
    assert "upper" not in first
    assert read[: len(turned_up)] == turned_up


@pytest.mark.rule("2E-DISC-004", case=1)
@pytest.mark.parametrize("start, floor", [("entrance-hall", "ground"), ("upper-landing", "upper")])
def test_a_tile_for_two_floors_comes_to_either(start: str, floor: str) -> None:
    table = at(start)
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    placed = the(table.explore("east"), TilePlaced)

    assert (placed.tile, placed.floor) == ("bloody-room", floor)


@pytest.mark.rule("2E-DISC-005", case=1, asserts=True)
def test_the_new_tile_lies_beyond_the_doorway_with_a_door_facing_it() -> None:
    table = Table()
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")

    placed = the(table.explore("east"), TilePlaced)

    assert (placed.tile, placed.floor, placed.x, placed.y) == ("gardens", "ground", 1, 0)
    assert room_seen(table, "gardens").doors.west == "entrance-hall"
    assert room_seen(table, "entrance-hall").doors.east == "gardens"


@pytest.mark.rule("2E-DISC-005", case=2)
def test_the_explorer_is_in_the_new_room_and_has_discovered_it() -> None:
    table = Table(first=1)
    table.stack("tiles", "gardens")
    table.stack("event", "drip-drip-drip")

    told = table.explore("east")

    assert table.explorer(1).room == "gardens"
    assert the(told, TileDrawn).seat == 1
    assert (the(told, Moved).figure, the(told, Moved).room) == (1, "gardens")


# -- 2E-DISC-006, 2E-DISC-007: how it may lie -----------------------------------------------------------------------------


@pytest.mark.rule("2E-DISC-006", case=1)
def test_a_door_to_the_north_is_met_by_a_door() -> None:
    """East of the Entrance Hall; the Charred Room to the north has a door to that cell."""
    table = Table()
    table.lay("charred-room", "ground", 1, 1)
    table.stack("tiles", "dining-room")  # two doors at a right angle
    table.stack("omen", "book")

    told = table.explore("east")

    assert not events(told, DecisionOpened), "west and south would leave a false door, and is not to be had"
    assert doors_of(table, "dining-room") == {"west", "north"}
    assert room_seen(table, "dining-room").doors.north == "charred-room"


@pytest.mark.rule("2E-DISC-006", case=2, asserts=True)
def test_no_door_is_laid_to_a_wall() -> None:
    table = Table()
    table.lay("kitchen", "ground", 1, 1)  # its doors lie north and east
    table.stack("tiles", "dining-room")
    table.stack("omen", "book")

    told = table.explore("east")

    assert not events(told, DecisionOpened), "west and north would have a false door, and is not to be had"
    assert doors_of(table, "dining-room") == {"west", "south"}
    assert "false" not in {room_seen(table, "dining-room").doors.south, room_seen(table, "kitchen").doors.south}


def between_two_doors() -> Table:
    """Seat 0 turns up the Dining Room for a cell with doors to it from north and south."""
    table = Table()
    table.lay("charred-room", "ground", 1, 1)
    table.lay("collapsed-room", "ground", 1, -1)
    table.stack("tiles", "dining-room")
    table.stack("omen", "book")
    table.explore("east")
    return table


@pytest.mark.rule("2E-DISC-006", case=3, asserts=True)
@pytest.mark.parametrize("side, other", [("north", "south"), ("south", "north")])
def test_between_rotations_that_match_alike_the_discoverer_chooses(side: str, other: str) -> None:
    table = between_two_doors()
    asked = table.asked(0)
    assert (asked.about, len(asked.options)) == ("place:dining-room", 2)
    listed = decisions_of(table.rules, table.view(0), seat_bit(0)).yours[0].commands
    command = next(one.command for one in listed if f"doors {side} and west" in one.label)
    assert isinstance(command, Choose)

    table.choose(0, command.option)

    assert doors_of(table, "dining-room") == {"west", side}
    neighbor = {"north": "charred-room", "south": "collapsed-room"}[other]
    assert getattr(room_seen(table, neighbor).doors, side) == "false"


@pytest.mark.rule("2E-DISC-006", case=4, asserts=True)
def test_the_wall_of_a_tile_does_not_face_the_doorway() -> None:
    table = between_two_doors()
    legal = table.asked(0).options
    for turns in range(4):
        if f"ground:1:0@{turns}" not in legal:
            with table.refuses("2E-DISC-006", problem="not-an-option"):
                table.choose(0, f"ground:1:0@{turns}")
    assert len(legal) == 2
    table.choose(0, legal[0])
    assert "west" in doors_of(table, "dining-room")


@pytest.mark.rule("2E-DISC-007", case=1)
def test_a_door_that_meets_a_wall_is_a_false_door() -> None:
    table = Table()
    table.lay("kitchen", "ground", 1, 1)  # its walls lie south and west
    table.stack("tiles", "charred-room")
    table.stack("omen", "book")

    told = table.explore("east")

    assert the(told, TilePlaced).rule == "2E-DISC-007"
    for view in views(table):
        assert next(room.doors.north for room in view.rooms if room.id == "charred-room") == "false"
    assert "north" not in doors_out(table)


# -- 2E-DISC-008: tiles that are set aside --------------------------------------------------------------------------------


@pytest.mark.rule("2E-DISC-008", case=1)
def test_two_tiles_for_other_floors_are_set_aside_and_the_third_is_placed() -> None:
    table = Table()
    table.stack("tiles", "catacombs", "bedroom", "gardens")
    table.stack("event", "drip-drip-drip")

    told = table.explore("east")

    assert [one.back for one in events(told, TileSetAside)] == ["basement", "upper"]
    assert aside(table) == ["bedroom", "catacombs"]
    assert the(told, TilePlaced).tile == "gardens"


@pytest.mark.rule("2E-DISC-008", case=2)
def test_nobody_sees_the_names_of_tiles_that_were_set_aside() -> None:
    table = Table()
    table.stack("tiles", "catacombs", "bedroom", "gardens")
    table.stack("event", "drip-drip-drip")
    table.explore("east")
    for view in views(table):
        assert [(slot.back, slot.face) for slot in view.decks["tiles"].aside] == [("basement", ""), ("upper", "")]
        assert not {"catacombs", "bedroom"} & set(view.decks["tiles"].titles)
    for one in table.commits[-1]:
        if one.to != REFEREE:
            assert not [name for name in ("catacombs", "bedroom") if name in str(one.event)]


@pytest.mark.rule("2E-DISC-008", case=3, asserts=True)
def test_where_the_top_tile_fits_none_is_set_aside() -> None:
    table = Table()
    table.stack("tiles", "bedroom", "dusty-hallway")
    table.explore("east")
    assert aside(table) == ["bedroom"]
    at("entrance-hall", table)
    table.stack("tiles", "creaky-hallway")

    told = table.explore("west")

    assert not events(told, TileSetAside)
    assert aside(table) == ["bedroom"]


# -- 2E-DISC-009, 2E-DISC-010: no floor is sealed off ---------------------------------------------------------------------


def one_way_up(table: Table) -> None:
    """An upper floor with a single free doorway: north of the Upper Landing."""
    table.lay("storeroom", "upper", 1, 0, turns=3)
    table.lay("attic", "upper", -1, 0, turns=3)
    table.lay("balcony", "upper", 0, -1)
    table.lay("chapel", "upper", 0, -2)
    at("upper-landing", table)
    assert doors_out(table) == ["north"]


@pytest.mark.rule("2E-DISC-009", case=1)
def test_a_rotation_that_seals_the_floor_off_gives_way_to_one_that_does_not() -> None:
    """The Vault, to the east of the cell, shows it a wall: a door there leaves no doorway, one to the west does."""
    table = Table()
    one_way_up(table)
    table.lay("vault", "upper", 1, 1)  # its one door lies north
    table.lay("conservatory", "upper", 1, 2, turns=2)
    assert doors_out(table) == ["north"]
    table.stack("tiles", "organ-room")  # two doors at a right angle
    table.stack("event", "drip-drip-drip")

    told = table.explore("north")

    assert not events(told, DecisionOpened)
    assert doors_of(table, "organ-room") == {"south", "west"}
    assert "2E-DISC-009" in {one.event.rule for one in told}


@pytest.mark.rule("2E-DISC-009", case=2)
def test_rather_a_false_door_than_a_floor_sealed_off() -> None:
    """Meeting the one door of the Conservatory, to the west, would leave no false door and close the floor."""
    table = Table()
    one_way_up(table)
    table.lay("conservatory", "upper", -1, 1, turns=1)
    table.stack("tiles", "organ-room")
    table.stack("event", "drip-drip-drip")

    told = table.explore("north")

    assert not events(told, DecisionOpened)
    assert doors_of(table, "organ-room") == {"south", "east"}
    assert room_seen(table, "conservatory").doors.east == "false"


def one_way_on_the_ground(table: Table) -> None:
    """A ground floor with a single free doorway, besides the front door: east of the Entrance Hall."""
    table.lay("graveyard", "ground", -1, 0, turns=3)
    table.lay("chapel", "ground", -1, 1, turns=1)
    table.lay("coal-chute", "ground", 1, 1, turns=3)
    at("entrance-hall", table)
    assert doors_out(table) == ["east"]


@pytest.mark.rule("2E-DISC-009", case=3, asserts=True)
def test_the_front_door_is_no_doorway_that_keeps_a_floor_open() -> None:
    table = Table()
    one_way_on_the_ground(table)
    table.stack("tiles", "conservatory", "dusty-hallway")  # one door

    told = table.explore("east")

    assert (the(told, TileSetAside).face, the(told, TileSetAside).rule) == ("conservatory", "2E-DISC-010")
    assert the(told, TilePlaced).tile == "dusty-hallway"


@pytest.mark.rule("2E-DISC-009", case=4, asserts=True)
def test_the_last_tile_of_a_floor_may_seal_it_off() -> None:
    table = Table()
    one_way_up(table)
    others = [tile.id for tile in TILES.values() if "upper" in tile.floors and tile.start is None]
    for place, tile in enumerate(one for one in others if one not in {"conservatory", *table.state.rooms}):
        table.lay(tile, "ground", 10 + 2 * place, 10)  # wherever: they are in the house
    at("upper-landing", table)
    assert doors_out(table) == ["north"]
    table.stack("tiles", "conservatory")  # one door
    table.stack("event", "drip-drip-drip")

    told = table.explore("north")

    assert not events(told, TileSetAside)
    assert the(told, TilePlaced).tile == "conservatory"
    assert free_on(table, "upper") == []


@pytest.mark.rule("2E-DISC-009", case=5, asserts=True)
def test_a_free_doorway_beyond_a_barrier_keeps_a_floor_open() -> None:
    """The Basement Landing's last free doorway lies north; the Chasm's far door is free."""
    table = Table()
    table.lay("chasm", "basement", 1, 0)
    table.lay("crypt", "basement", 0, -1)
    table.lay("pentagram-chamber", "basement", -1, 0)
    at("basement-landing", table)
    assert doors_out(table) == ["north"]
    table.stack("tiles", "storeroom")  # one door
    table.stack("item", "axe")

    told = table.explore("north")

    assert not events(told, TileSetAside)
    assert the(told, TilePlaced).tile == "storeroom"
    assert room_seen(table, "chasm").doors.east == "free"


@pytest.mark.rule("2E-DISC-010", case=1)
def test_the_attic_would_seal_the_floor_off_and_another_tile_comes() -> None:
    table = Table()
    table.lay("storeroom", "upper", 1, 0, turns=3)
    table.lay("conservatory", "upper", -1, 0, turns=1)
    table.lay("balcony", "upper", 0, -1)
    table.lay("chapel", "upper", 0, -2)
    at("upper-landing", table)
    assert doors_out(table) == ["north"]
    table.stack("tiles", "attic", "creaky-hallway")

    told = table.explore("north")

    away = the(told, TileSetAside)
    assert (away.face, away.rule) == ("attic", "2E-DISC-010")
    assert aside(table) == ["attic"]
    assert the(told, TilePlaced).tile == "creaky-hallway"


@pytest.mark.rule("2E-DISC-010", case=2)
def test_the_mystic_elevator_would_seal_the_floor_off_although_it_moves_on() -> None:
    table = Table()
    one_way_up(table)
    table.stack("tiles", "mystic-elevator", "creaky-hallway")

    told = table.explore("north")

    assert the(told, TileSetAside).face == "mystic-elevator"
    assert not events(told, DiceRolled)
    assert the(told, TilePlaced).tile == "creaky-hallway"


@pytest.mark.rule("2E-DISC-010", case=3, asserts=True)
def test_a_discovery_costs_a_space_however_many_tiles_are_put_away() -> None:
    table = Table()
    one_way_up(table)
    table.stack("tiles", "larder", "conservatory", "vault", "creaky-hallway")

    told = table.explore("north")

    assert len(events(told, TileSetAside)) == 3
    assert the(told, Moved).spent == 1
    assert table.explorer(0).spent == 1


# -- 2E-DISC-011: a floor is laid out anew --------------------------------------------------------------------------------

ONE_DOOR = ("chapel", "conservatory")
LIE = {"organ-room": (0, 1, 3), "attic": (1, 1, 1), "master-bedroom": (1, 0, 0), "storeroom": (-1, 0, 1)}


def stuck(room: str = "upper-landing", *, left: tuple[str, ...] = ONE_DOOR) -> Table:
    """An upper floor with one free doorway, south of the Upper Landing; only tiles with one door are left for it.

    North of the Landing lies the Organ Room with the Attic east of it, east the Master Bedroom, west the Storeroom.
    """
    table = Table()
    for tile, (x, y, turns) in LIE.items():
        table.lay(tile, "upper", x, y, turns=turns)
    others = [tile.id for tile in TILES.values() if "upper" in tile.floors and tile.start is None]
    for place, tile in enumerate(one for one in others if one not in (*left, *LIE)):
        table.lay(tile, "ground", 10 + 2 * place, 10)
    at(room, table)
    return table


@pytest.mark.rule("2E-DISC-011", case=1)
def test_a_floor_that_every_tile_left_would_seal_is_laid_out_anew_by_the_active_player() -> None:
    table = stuck()
    assert [name for name, tile in TILES.items() if "upper" in tile.floors and name not in table.state.rooms] == list(
        ONE_DOOR
    )
    assert doors_out(table) == ["south"]
    table.stack("tiles", "conservatory")

    told = table.explore("south")

    asked = the(told, DecisionOpened).decision
    assert (asked.seat, asked.about) == (0, "rearrange:upper")
    assert not events(told, TileDrawn)
    labels = [one.label for one in decisions_of(table.rules, table.view(0), seat_bit(0)).yours[0].commands]
    assert "Place the Master Bedroom east of the Upper Landing, doors south and west, window east" in labels


@pytest.mark.rule("2E-DISC-011", case=2)
def test_laying_out_anew_has_to_make_more_doorways() -> None:
    table = stuck()
    table.stack("tiles", "conservatory")
    table.stack("event", "night-view")
    table.explore("south")
    with table.refuses("2E-DISC-011", problem="not-an-option"):
        table.choose(0, "master-bedroom:upper:1:0@0")  # as it lies, with its north door against a wall: one doorway
    assert free_on(table, "upper") == [("upper-landing", "south")]

    told = table.rolls([0, 0, 0]).choose(0, "master-bedroom:upper:1:0@3")

    assert the(told, TileMoved).tile == "master-bedroom"
    assert the(told, TilePlaced).tile == "conservatory"
    assert free_on(table, "upper") == [("master-bedroom", "south")], "two, of which the Conservatory took one"


@pytest.mark.rule("2E-DISC-011", case=3)
def test_laying_out_anew_cuts_no_room_off() -> None:
    """The Organ Room leads to the Attic; turned or moved away it would leave the Attic without a way to the Landing."""
    table = stuck()
    table.stack("tiles", "conservatory")
    table.stack("event", "night-view")
    table.explore("south")
    assert not [option for option in table.asked(0).options if option.startswith("organ-room:")]
    for cut_off in ("organ-room:upper:0:1@2", "organ-room:upper:0:-1@1"):
        with table.refuses("2E-DISC-011", problem="not-an-option"):
            table.choose(0, cut_off)

    told = table.rolls([0, 0, 0]).choose(0, "master-bedroom:upper:1:0@3")
    assert the(told, TileMoved).rule == "2E-DISC-011"


@pytest.mark.rule("2E-DISC-011", case=4)
def test_what_lies_and_stands_on_a_tile_moves_with_it_and_the_discovery_goes_on() -> None:
    table = stuck()
    table.put(1, "master-bedroom")
    at("upper-landing", table)
    table.token("drip", "master-bedroom")
    table.pile("master-bedroom", "axe")
    table.stack("tiles", "conservatory")
    table.stack("event", "night-view")
    table.explore("south")

    table.rolls([0, 0, 0]).choose(0, "master-bedroom:upper:1:0@3")

    assert table.explorer(1).room == "master-bedroom"
    view = view_of(table.rules, table.view(2), seat_bit(2))
    assert [(here.token, here.room) for here in view.tokens] == [("drip", "master-bedroom")]
    assert [(pile.room, pile.cards) for pile in view.piles] == [("master-bedroom", ["axe"])]
    assert (table.explorer(0).room, table.explorer(0).spent) == ("conservatory", 1)


def test_where_the_doorway_was_taken_the_discovery_goes_on_through_another_of_the_room() -> None:
    table = stuck()
    table.stack("tiles", "conservatory")
    table.stack("event", "night-view")
    table.explore("south")

    told = table.rolls([0, 0, 0]).choose(0, "master-bedroom:upper:0:-1@0")

    assert room_seen(table, "upper-landing").doors.south == "master-bedroom"
    assert room_seen(table, "upper-landing").doors.east == "conservatory"
    assert (the(told, Moved).room, the(told, Moved).spent) == ("conservatory", 1)


def test_where_the_room_has_no_doorway_left_the_discovery_lapses_and_costs_nothing() -> None:
    table = stuck()
    table.stack("tiles", "conservatory")
    table.explore("south")

    told = table.choose(0, "attic:upper:0:-1@2")

    assert (the(told, Fizzled).what, the(told, Fizzled).rule) == ("discovery", "2E-DISC-011")
    assert not events(told, TilePlaced)
    assert (table.explorer(0).room, table.explorer(0).spent) == ("upper-landing", 0)
    assert doors_out(table) == []
    assert "organ-room" in table.goals(0)


@pytest.mark.rule("2E-DISC-011")
def test_a_room_behind_a_revolving_wall_does_not_keep_its_floor_from_being_laid_out_anew() -> None:
    """The Chapel's one door faces a wall; nobody gets there but through the wall that turns."""
    table = Table()
    left = ["conservatory", "vault"]
    for tile, (x, y, turns) in LIE.items():
        table.lay(tile, "upper", x, y, turns=turns)
    table.lay("chapel", "upper", -1, 1, turns=1)
    others = [tile for tile in pack("second-edition").tiles if "upper" in tile.floors and tile.start is None]
    for place, tile_left in enumerate(one.id for one in others if one.id not in (*left, *LIE, "chapel")):
        table.lay(tile_left, "ground", 10 + 2 * place, 10)
    table.put(0, "upper-landing")
    table.turn(0)
    table.token("wall-switch", "chapel")
    table.token("wall-switch", "storeroom")
    assert not any(table.view(0).rooms["chapel"].near)
    assert doors_out(table) == ["south"]
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


# -- 2E-DISC-012, 2E-DISC-013: the end of the stack -----------------------------------------------------------------------


def two_and_three(*three: str, two: tuple[str, str]) -> Table:
    """A stack of two tiles, and three in the discard pile; all others are in the house. Seat 0 stands on the Basement Landing."""
    table = Table()
    lay_all_but(table, *three, *two, "dusty-hallway")
    table.stack("tiles", *three, "dusty-hallway")
    at("entrance-hall", table)
    table.explore("east")
    assert aside(table) == sorted(three)
    at("basement-landing", table)
    table.stack("tiles", *two)
    assert table.view(2).decks["tiles"].size() == 2
    return table


@pytest.mark.rule("2E-DISC-012", case=1)
def test_an_empty_stack_is_made_anew_from_the_tiles_set_aside_in_the_middle_of_a_search() -> None:
    """Only the Larder fits the basement; of the five it comes third."""
    table = two_and_three("larder", "bedroom", "tower", two=("attic", "balcony"))
    table.stack("item", "axe")
    table.picks("upper", "upper", "basement", "larder")

    told = table.explore("north")

    renewed = the(told, StackShuffled)
    assert sorted(renewed.order) == ["attic", "balcony", "bedroom", "larder", "tower"]
    assert the(told, TilePlaced).tile == "larder"
    after = told[[one.event for one in told].index(renewed) :]
    assert len(events(after, TileSetAside)) == 2
    for view in views(table):
        assert (len(view.decks["tiles"].aside), view.decks["tiles"].size) == (2, 2)


@pytest.mark.rule("2E-DISC-012", case=2)
def test_where_none_of_all_tiles_fits_the_search_ends_after_one_reshuffle() -> None:
    """On foot the discovery is refused and costs nothing. Whoever falls into the basement searches in vain, and finds an old room."""
    table = two_and_three("gallery", "bedroom", "tower", two=("attic", "balcony"))
    with table.refuses("2E-DISC-013"):
        table.explore("north")
    assert table.explorer(0).spent == 0

    at("collapsed-room", table)
    told = table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert len(events(told, StackShuffled)) == 1
    assert the(told, Fizzled).rule == "2E-DISC-013"
    deck = table.view(1).decks["tiles"]
    assert deck.size() + len(deck.aside) == 5
    assert table.explorer(0).spent == 0


@pytest.mark.rule("2E-DISC-012", case=3)
def test_nobody_sees_the_order_of_the_stack_made_anew() -> None:
    table = two_and_three("larder", "bedroom", "tower", two=("attic", "balcony"))
    table.stack("item", "axe")
    told = table.picks("basement", "larder").explore("north")
    order = the(told, StackShuffled).order
    assert order == table.rules.pack.in_order("tiles", order), "the pack's order tells nothing"
    for view in views(table):
        deck = view.decks["tiles"]
        assert (deck.size, [slot.face for slot in deck.known], deck.aside) == (4, [""], [])
        assert not {"attic", "balcony", "bedroom", "tower"} & set(deck.titles)


def no_upper_tile_but(*left: str) -> Table:
    """Seat 0 stands on the Upper Landing; all other tiles for the upper floor are in the house."""
    table = Table()
    others = [
        tile.id for tile in TILES.values() if "upper" in tile.floors and tile.start is None and tile.id not in left
    ]
    for place, tile in enumerate(others):
        table.lay(tile, "upper", 10 + 2 * place, 10)
    return at("upper-landing", table)


@pytest.mark.rule("2E-DISC-013", case=1)
def test_a_floor_with_all_its_tiles_placed_has_no_more_to_discover_and_the_try_is_free() -> None:
    table = no_upper_tile_but()
    assert room_seen(table, "upper-landing").doors.east == "free"
    assert doors_out(table) == []
    with table.refuses("2E-DISC-013"):
        table.explore("east")
    assert table.explorer(0).spent == 0


@pytest.mark.rule("2E-DISC-013", case=2, asserts=True)
def test_a_tile_in_the_discard_pile_can_still_be_discovered() -> None:
    """The Balcony alone is left for the upper floor; it was set aside on the ground floor, and the stack has no other."""
    table = no_upper_tile_but("balcony")
    at("entrance-hall", table)
    table.stack("tiles", "balcony", "gardens")
    table.stack("event", "drip-drip-drip")
    table.explore("east")
    assert aside(table) == ["balcony"]
    at("upper-landing", table)
    assert doors_out(table)
    table.stack("omen", "book")
    table.picks("upper", "balcony")

    told = table.explore("east")

    assert events(told, StackShuffled)
    assert (the(told, TilePlaced).tile, table.explorer(0).room) == ("balcony", "balcony")
