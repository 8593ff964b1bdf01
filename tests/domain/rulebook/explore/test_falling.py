"""Ways down: the Coal Chute, the Collapsed Room, the Gallery (rulebook: Special Rooms)."""

import pytest

from domain.facts.commands import Act, Explore
from domain.facts.events import (
    CardDrawn,
    DamageTaken,
    DiceRolled,
    HarmIgnored,
    Moved,
    TileDrawn,
    TileMoved,
    TilePlaced,
    TileSetAside,
    TokenPlaced,
    Told,
    TurnEnded,
)
from tests.laws.playout import play
from tests.support.fate import showing
from tests.support.packs import pack, rules
from tests.support.table import FOUR, Table, events, the

ALL_OF_THE_BASEMENT = [
    tile.id for tile in pack("second-edition").tiles if "basement" in tile.floors and tile.start is None
]


def with_chute(*, speed: int = 0) -> Table:
    """The Coal Chute lies to the east of the Entrance Hall."""
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.turn(0)
    if speed:
        table.traits(0, speed=speed)
    return table


def with_hole() -> Table:
    """The Collapsed Room lies to the east of the Entrance Hall."""
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    return table


def finds_the_hole(table: Table, total: int, *tiles: str) -> list[Told]:
    """Seat 0, with a Speed of 3, finds the Collapsed Room east of the Entrance Hall and rolls so much; then these tiles come."""
    table.traits(0, speed=3)
    table.stack("tiles", "collapsed-room", *tiles)
    return table.rolls(showing(3, total)).explore("east")


def lands(table: Table, *dice: int) -> list[Told]:
    """The new room of the basement comes at the first place offered, and the damage roll shows this."""
    seat = table.seat
    return table.rolls(*[[die] for die in dice]).choose(seat, table.asked(seat).options[0])


# -- 2E-ROOM-016: the Coal Chute slides ----------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-016", case=1)
def test_whoever_enters_the_coal_chute_is_on_the_basement_landing() -> None:
    table = with_chute()

    table.move("coal-chute")

    assert table.explorer(0).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-016")
def test_an_explorer_slides_down_again_who_comes_up_by_a_passage() -> None:
    table = with_chute()
    table.token("secret-passage", "coal-chute")
    table.token("secret-passage", "basement-landing")
    table.put(0, "basement-landing")
    table.turn(0)

    table.move("coal-chute")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 1)


# -- 2E-ROOM-017: the Coal Chute costs 1 space ---------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-017", case=1)
def test_entering_and_sliding_cost_one_space_together() -> None:
    table = with_chute(speed=3)

    table.move("coal-chute")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 1)
    table.token("secret-passage", "basement-landing")
    table.token("secret-passage", "foyer")
    table.move("foyer", "grand-staircase")
    with table.refuses("2E-MOVE-001"):
        table.move("foyer")


@pytest.mark.rule("2E-ROOM-017", case=2)
def test_the_last_space_is_enough_for_entering_and_sliding() -> None:
    table = with_chute(speed=3)
    table.move("foyer", "entrance-hall")

    table.move("coal-chute")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 3)
    assert table.goals(0) == []


@pytest.mark.rule("2E-ROOM-017", case=3, asserts=True)
def test_who_discovers_the_coal_chute_with_the_last_space_slides_too() -> None:
    table = Table()
    table.traits(0, speed=3)
    table.move("foyer", "entrance-hall")
    table.stack("tiles", "coal-chute")

    told = table.explore("east")

    assert the(told, TilePlaced).tile == "coal-chute"
    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 3)
    assert not table.offers(0, Explore)


# -- 2E-ROOM-018: nobody stays on the Coal Chute -------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-018", case=1, asserts=True)
def test_whom_an_event_puts_on_the_coal_chute_is_gone_before_anything_else_is_done() -> None:
    table = with_chute()
    table.put(0, "upper-landing")
    table.turn(0)
    table.rolls(showing(table.value(0, "might"), 5))
    table.draw(0, "event", "mystic-slide")

    told = table.choose(0, "coal-chute")

    assert [one.room for one in events(told, Moved)] == ["coal-chute", "basement-landing"]
    assert not table.state.open
    assert table.explorer(0).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-018", case=2, asserts=True)
def test_in_played_games_nobody_is_on_the_coal_chute_when_a_turn_ends() -> None:
    ended = slid = 0
    for seed in range(6):
        where: dict[int | str, str] = {}
        for commit in play(rules("second-edition"), seed, haunt="the-bell-below").commits:
            for told in commit:
                if isinstance(told.event, Moved):
                    where[told.event.figure] = told.event.room
                    slid += told.event.room == "coal-chute"
                if isinstance(told.event, TurnEnded):
                    ended += 1
                    assert "coal-chute" not in where.values()
    assert ended > 100, "games were played"
    assert slid, "the chute was used"


@pytest.mark.rule("2E-ROOM-018", case=3)
def test_a_monster_that_climbed_up_with_its_last_space_ends_its_turn_on_the_basement_landing() -> None:
    table = with_chute()
    table.put(0, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")
    table.move("coal-chute", monster="sexton-1")
    assert table.seen(0, "sexton-1").room == "coal-chute"

    told = table.end_turn()

    kinds = [type(one.event) for one in told]
    assert kinds.index(Moved) < kinds.index(TurnEnded)
    assert table.seen(0, "sexton-1").room == "basement-landing"


# -- 2E-ROOM-019: Collapsed Room, roll for the discoverer ----------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-019", case=1)
def test_the_discoverer_of_the_collapsed_room_must_roll_speed() -> None:
    table = Table()

    told = finds_the_hole(table, 5)

    assert (the(told, DiceRolled).trait, the(told, DiceRolled).total) == ("speed", 5)
    assert table.explorer(0).room == "collapsed-room"


@pytest.mark.rule("2E-ROOM-019", case=2, asserts=True)
def test_who_enters_the_collapsed_room_later_rolls_nothing() -> None:
    table = Table()
    finds_the_hole(table, 5)
    for seat in (1, 0):
        table.put(seat, "entrance-hall")
        table.turn(seat)
        assert not events(table.move("collapsed-room"), DiceRolled)


# -- 2E-ROOM-020: later visitors may jump --------------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-020", case=1, asserts=True)
def test_later_visitors_walk_on_unhurt() -> None:
    table = with_hole()
    table.lay("ballroom", "ground", 2, 0)
    table.turn(0)

    told = table.move("collapsed-room", "ballroom")

    assert not events(told, DiceRolled)
    assert not events(told, DamageTaken)
    assert table.explorer(0).room == "ballroom"


@pytest.mark.rule("2E-ROOM-020", case=2)
def test_later_visitors_jump_without_a_speed_roll() -> None:
    table = with_hole()
    table.stack("tiles", "chasm")
    table.turn(0)
    table.move("collapsed-room")
    assert Act(decision=table.now, source="tile:collapsed-room", word="FALL") in table.offers(0)

    told = table.act("tile:collapsed-room", "FALL")
    told += lands(table)
    told += table.rolls([0]).choose(0, "0")

    assert [one.kind for one in events(told, DiceRolled)] == ["damage"]
    assert table.view(0).rooms[table.explorer(0).room].floor == "basement"


@pytest.mark.rule("2E-ROOM-020", case=3)
def test_the_discoverer_who_passed_the_roll_jumps_in_the_next_turn_and_no_sooner() -> None:
    table = Table()
    finds_the_hole(table, 5, "dusty-hallway")
    assert not table.offers(0, Act)
    with table.refuses("2E-ROOM-020"):
        table.act("tile:collapsed-room", "FALL")

    table.turn(0)
    table.act("tile:collapsed-room", "FALL")
    lands(table, 0)

    assert table.explorer(0).room == "dusty-hallway"


@pytest.mark.rule("2E-ROOM-020", case=4)
def test_whoever_begins_a_turn_in_the_collapsed_room_may_jump() -> None:
    table = with_hole()
    table.token("below-collapsed-room", "basement-landing")
    table.put(1, "collapsed-room")
    table.begin_turn(1)

    told = table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert the(told, Moved).figure == 1
    assert table.explorer(1).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-020", case=5, asserts=True)
def test_whose_movement_a_card_has_ended_does_not_jump() -> None:
    table = with_hole()
    table.hold(0, "puzzle-box")
    table.put(0, "collapsed-room")
    table.turn(0)
    table.rolls(showing(table.value(0, "knowledge"), 6)).act("card:puzzle-box", "OPEN")
    assert table.explorer(0).stopped

    assert not [one for one in table.offers(0) if isinstance(one, Act) and one.word == "FALL"]
    with table.refuses("2E-MOVE-004"):
        table.act("tile:collapsed-room", "FALL")


# -- 2E-ROOM-021: the fall is free but hurts -----------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-021", case=1)
def test_an_intended_fall_uses_no_space_and_hurts() -> None:
    table = with_hole()
    table.lay("larder", "basement", 0, 1)
    table.token("below-collapsed-room", "basement-landing")
    table.put(0, "foyer")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("entrance-hall", "collapsed-room")

    told = table.rolls([1]).act("tile:collapsed-room", "FALL")

    assert the(told, DiceRolled).kind == "damage"
    told = table.allocate(0, might=1)
    assert the(told, DamageTaken).amount == 1
    assert (table.value(0, "speed"), table.explorer(0).spent) == (3, 2)
    table.move("larder")
    with table.refuses("2E-MOVE-001"):
        table.move("basement-landing")


@pytest.mark.rule("2E-ROOM-021", case=2)
def test_the_discoverer_who_falls_into_a_room_without_symbol_goes_on() -> None:
    table = Table()
    finds_the_hole(table, 4, "dusty-hallway", "creaky-hallway")
    assert (table.value(0, "speed"), table.explorer(0).spent) == (3, 1)

    lands(table, 1)
    told = table.allocate(0, might=1)

    assert the(told, DamageTaken).amount == 1
    assert (table.explorer(0).room, table.explorer(0).spent) == ("dusty-hallway", 1)
    table.move("basement-landing", "dusty-hallway")
    assert table.explorer(0).spent == 3


@pytest.mark.rule("2E-ROOM-021", case=3)
def test_the_discoverer_who_falls_into_a_room_with_a_symbol_draws_and_stops() -> None:
    table = Table()
    table.stack("item", "axe")
    finds_the_hole(table, 4, "larder")

    told = lands(table, 1)
    told += table.allocate(0, might=1)

    assert (the(told, CardDrawn).card, the(told, DamageTaken).amount) == ("axe", 1)
    with table.refuses("2E-MOVE-004"):
        table.move("basement-landing")


@pytest.mark.rule("2E-ROOM-021", case=4)
def test_the_second_to_jump_takes_damage_by_a_roll_of_its_own() -> None:
    table = with_hole()
    table.stack("tiles", "dusty-hallway")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    lands(table, 2)
    told = table.allocate(0, might=2)
    assert (the(told, DamageTaken).seat, the(told, DamageTaken).amount) == (0, 2)
    table.turn(1)
    table.move("collapsed-room")

    told = table.rolls([1]).act("tile:collapsed-room", "FALL")
    told += table.allocate(1, speed=1)

    assert (the(told, DiceRolled).who, the(told, DiceRolled).kind) == (1, "damage")
    assert (the(told, DamageTaken).seat, the(told, DamageTaken).amount) == (1, 1)


# -- 2E-ROOM-022: the first fall reveals a basement room -----------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-022", case=1)
def test_the_first_fall_brings_a_basement_room_to_land_in() -> None:
    table = with_hole()
    table.stack("tiles", "larder")
    table.stack("item", "axe")
    table.move("collapsed-room")

    table.act("tile:collapsed-room", "FALL")
    told = lands(table, 0)

    assert (the(told, TilePlaced).tile, the(told, TilePlaced).floor) == ("larder", "basement")
    assert (the(told, TokenPlaced).token, the(told, TokenPlaced).room) == ("below-collapsed-room", "larder")
    assert table.explorer(0).room == "larder"


@pytest.mark.rule("2E-ROOM-022", case=2, asserts=True)
@pytest.mark.rule("2E-ROOM-025", case=1)
def test_who_falls_second_lands_where_the_first_one_did_and_draws_no_tile() -> None:
    table = with_hole()
    table.stack("tiles", "dusty-hallway")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    lands(table, 0)
    table.turn(1)
    table.move("collapsed-room")

    told = table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert not events(told, TileDrawn)
    assert not events(told, TilePlaced)
    assert not events(told, TokenPlaced)
    assert table.explorer(1).room == "dusty-hallway"


@pytest.mark.rule("2E-ROOM-022", case=3)
def test_from_the_upper_floor_a_tile_for_that_floor_is_set_aside_and_one_for_the_basement_comes() -> None:
    table = Table()
    table.lay("collapsed-room", "upper", 1, 0)
    table.put(0, "collapsed-room")
    table.turn(0)
    table.stack("tiles", "attic", "larder")
    table.stack("item", "axe")

    told = table.act("tile:collapsed-room", "FALL")
    told += lands(table, 0)

    assert the(told, TileSetAside).back == "upper"
    assert (the(told, TilePlaced).tile, the(told, TilePlaced).floor) == ("larder", "basement")


@pytest.mark.rule("2E-ROOM-022", case=4)
def test_where_the_discoverer_did_not_fall_a_later_jumper_finds_the_room() -> None:
    table = Table()
    finds_the_hole(table, 5, "dusty-hallway")
    assert not table.state.tokens
    table.turn(1)
    table.move("collapsed-room")

    told = table.act("tile:collapsed-room", "FALL")
    told += lands(table, 0)

    assert the(told, TileDrawn).seat == 1
    assert the(told, TilePlaced).tile == "dusty-hallway"
    assert the(told, TokenPlaced).room == "dusty-hallway"
    assert table.explorer(1).room == "dusty-hallway"


@pytest.mark.rule("2E-ROOM-022", case=5)
def test_who_falls_into_the_elevator_rides_it_at_once() -> None:
    table = with_hole()
    table.stack("tiles", "mystic-elevator")
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")
    table.rolls([2, 1])

    told = table.choose(0, "basement:0:1@2")
    told += lands(table, 0)

    placed = the(told, TilePlaced)
    assert (placed.tile, placed.floor, the(told, TokenPlaced).room) == (
        "mystic-elevator",
        "basement",
        "mystic-elevator",
    )
    assert [len(one.faces) for one in events(told, DiceRolled)] == [2, 1], "two dice for the ride, one for the damage"
    assert the(told, TileMoved).floor == "upper"
    assert table.explorer(0).room == "mystic-elevator"


# -- 2E-ROOM-023: where the fall's tile goes -----------------------------------------------------------------------------


@pytest.mark.rule("2E-ROOM-023", case=1)
def test_below_a_bare_landing_the_new_room_is_joined_to_it_door_to_door() -> None:
    table = with_hole()
    table.stack("tiles", "larder")
    table.stack("item", "axe")
    table.move("collapsed-room")

    table.act("tile:collapsed-room", "FALL")
    spots = table.asked(0).options
    assert {spot.rpartition("@")[0] for spot in spots} == {
        "basement:0:1",
        "basement:1:0",
        "basement:0:-1",
        "basement:-1:0",
    }
    table.rolls([0]).choose(0, spots[0])

    assert "basement-landing" in table.view(0).rooms["larder"].near


@pytest.mark.rule("2E-ROOM-023", case=2)
def test_the_new_room_comes_to_a_free_doorway_and_not_to_a_wall() -> None:
    table = with_hole()
    table.lay("crypt", "basement", 0, 1, turns=2)
    table.stack("tiles", "larder")
    table.stack("item", "axe")
    table.turn(0)
    table.move("collapsed-room")
    table.act("tile:collapsed-room", "FALL")

    for touching in ("basement:0:2@0", "basement:1:1@1", "basement:-1:1@1"):
        with table.refuses("2E-DISC-006", problem="not-an-option"):
            table.choose(0, touching)
    table.rolls([0]).choose(0, "basement:1:0@1")

    assert "basement-landing" in table.view(0).rooms["larder"].near


# -- 2E-ROOM-024: fall with a complete basement --------------------------------------------------------------------------


def complete_basement() -> Table:
    """Every tile for the basement lies there, and seat 0 stands at the hole."""
    table = with_hole()
    for place, tile in enumerate(ALL_OF_THE_BASEMENT):
        table.lay(tile, "basement", 10 + 2 * place, 10)
    table.turn(0)
    table.move("collapsed-room")
    return table


@pytest.mark.rule("2E-ROOM-024", case=1)
def test_with_a_complete_basement_the_first_to_fall_chooses_a_room_there() -> None:
    table = complete_basement()

    table.act("tile:collapsed-room", "FALL")
    assert table.asked(0).options == ["basement-landing", *ALL_OF_THE_BASEMENT]
    told = table.rolls([0]).choose(0, "crypt")

    assert (the(told, TokenPlaced).token, the(told, TokenPlaced).room) == ("below-collapsed-room", "crypt")
    assert table.explorer(0).room == "crypt"


@pytest.mark.rule("2E-ROOM-024", case=2)
def test_in_a_complete_basement_the_fall_hurts_brings_no_card_and_later_falls_leave_no_choice() -> None:
    table = complete_basement()
    table.act("tile:collapsed-room", "FALL")
    told = table.rolls([1]).choose(0, "crypt")
    told += table.allocate(0, might=1)

    assert the(told, DamageTaken).amount == 1
    assert not events(told, CardDrawn)
    table.turn(1)
    table.move("collapsed-room")
    table.rolls([0]).act("tile:collapsed-room", "FALL")
    assert not table.state.open
    assert table.explorer(1).room == "crypt"


# -- monsters and the traitor --------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-TPOW-002")
@pytest.mark.parametrize("answer, points", [("ignore", 0), ("suffer", 1)])
def test_the_traitor_jumps_and_chooses_whether_it_hurts(answer: str, points: int) -> None:
    table = with_hole()
    table.token("below-collapsed-room", "basement-landing")
    table.haunt("the-bell-below", traitor=0)
    table.move("collapsed-room")

    told = table.act("tile:collapsed-room", "FALL")
    assert table.explorer(0).room == "basement-landing"
    assert (table.asked(0).about, table.asked(0).options) == ("ignore:tile:collapsed-room", ["ignore", "suffer"])
    assert not events(told, DiceRolled)
    told = table.rolls([points]).choose(0, answer)

    assert [one.figure for one in events(told, HarmIgnored)] == ([0] if answer == "ignore" else [])
    assert table.is_asked(0) == (answer == "suffer")


def test_a_hero_who_jumps_is_asked_nothing() -> None:
    table = with_hole()
    table.token("below-collapsed-room", "basement-landing")
    table.haunt("the-bell-below", traitor=1)
    table.move("collapsed-room")

    table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert not table.state.open


@pytest.mark.rule("2E-HID-006")
def test_a_hidden_traitor_reveals_on_the_way_down_and_is_not_hurt() -> None:
    table = Table(FOUR)
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.put(0, "gallery")
    table.haunt("the-hollow-guest", traitor=0)
    table.turn(0)

    table.act("tile:gallery", "FALL")
    assert table.explorer(0).room == "ballroom"
    told = table.choose(0, "reveal")

    assert the(told, HarmIgnored).source == "tile:gallery"
    assert not events(told, DiceRolled)


@pytest.mark.rule("2E-TPOW-004")
def test_the_traitor_slides_too() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.haunt("the-bell-below", traitor=0)

    table.move("coal-chute")

    assert table.explorer(0).room == "basement-landing"
