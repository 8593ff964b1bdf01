"""Ways down: the Coal Chute, the Collapsed Room, the Gallery (rulebook: Special Rooms)."""

import pytest

from domain.commands import Act
from domain.events import DamageTaken, DiceRolled, HarmIgnored, TileDrawn, TilePlaced, TokenPlaced
from tests.support.packs import pack, rules_with
from tests.support.table import FOUR, Table, events, the

ALL_OF_THE_BASEMENT = [
    tile.id for tile in pack("second-edition").tiles if "basement" in tile.floors and tile.start is None
]


def with_hole() -> Table:
    """The Collapsed Room lies to the east of the Entrance Hall."""
    table = Table()
    table.lay("collapsed-room", "ground", 1, 0)
    return table


@pytest.mark.rule("2E-ROOM-016", "2E-ROOM-017")
def test_whoever_enters_the_coal_chute_lands_in_the_basement_for_one_space() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.traits(0, speed=3)

    table.move("coal-chute")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 1)


def test_who_discovers_the_coal_chute_does_not_stay_on_it_either() -> None:
    table = Table()
    table.stack("tiles", "coal-chute")

    table.explore("east")

    assert table.explorer(0).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-018")
def test_nobody_is_on_the_coal_chute_when_a_turn_is_over() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.put(0, "coal-chute")
    table.turn(0)
    table.end_turn()
    assert table.explorer(0).room == "basement-landing"

    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "coal-chute")
    table.turn(1, monsters=True)
    table.end_turn()
    assert table.view(0).monsters["sexton-1"].room == "basement-landing"


@pytest.mark.rule("2E-ROOM-016")
def test_an_effect_that_puts_somebody_on_the_coal_chute_lets_them_slide() -> None:
    push = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      heroes:
        story: S
        goal: G
        actions: [{word: PUSH, do: [{move: {to: coal-chute}}]}]
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=push))
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.haunt("h", traitor=1)

    table.act("haunt:heroes", "PUSH")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 0)


@pytest.mark.rule("2E-ROOM-016")
def test_an_explorer_slides_down_again_who_comes_up_by_a_passage() -> None:
    table = Table()
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.token("secret-passage", "coal-chute")
    table.token("secret-passage", "basement-landing")
    table.put(0, "basement-landing")
    table.turn(0)

    table.move("coal-chute")

    assert (table.explorer(0).room, table.explorer(0).spent) == ("basement-landing", 1)


@pytest.mark.rule("2E-ROOM-019")
def test_the_discoverer_of_the_collapsed_room_must_roll_and_later_visitors_need_not() -> None:
    table = Table()
    table.stack("tiles", "collapsed-room")

    told = table.rolls([2, 1, 1, 1]).explore("east")
    assert (the(told, DiceRolled).trait, table.explorer(0).room) == ("speed", "collapsed-room")
    table.turn(1)

    assert not events(table.move("collapsed-room"), DiceRolled)


@pytest.mark.rule("2E-ROOM-020")
def test_later_visitors_walk_on_or_jump() -> None:
    table = with_hole()
    table.token("below-collapsed-room", "basement-landing")
    table.move("collapsed-room", "entrance-hall", "collapsed-room")
    assert Act(decision=table.now, source="tile:collapsed-room", word="FALL") in table.offers(0)

    table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert table.explorer(0).room == "basement-landing"


@pytest.mark.rule("2E-ROOM-021")
def test_the_fall_uses_no_space_and_hurts_also_who_jumps() -> None:
    table = with_hole()
    table.token("below-collapsed-room", "basement-landing")
    table.traits(0, speed=3)
    table.move("collapsed-room")

    told = table.rolls([1]).act("tile:collapsed-room", "FALL")

    assert the(told, DiceRolled).kind == "damage"
    told = table.allocate(0, might=1)
    assert the(told, DamageTaken).amount == 1
    assert table.explorer(0).spent == 1


@pytest.mark.rule("2E-ROOM-022", "2E-ROOM-023")
def test_the_first_fall_brings_a_basement_room_to_land_in() -> None:
    table = with_hole()
    table.stack("tiles", "attic", "larder")
    table.stack("item", "axe")
    table.move("collapsed-room")

    table.act("tile:collapsed-room", "FALL")
    spots = table.asked(0).options  # at any free doorway of the basement, which is the landing's
    assert {spot.rpartition("@")[0] for spot in spots} == {
        "basement:0:1",
        "basement:1:0",
        "basement:0:-1",
        "basement:-1:0",
    }
    told = table.rolls([0]).choose(0, spots[0])

    assert the(told, TilePlaced).tile == "larder"
    assert the(told, TokenPlaced).room == "larder"
    assert table.explorer(0).room == "larder"


@pytest.mark.rule("2E-ROOM-025")
def test_who_falls_later_lands_where_the_first_one_did() -> None:
    table = with_hole()
    table.lay("larder", "basement", 0, 1)
    table.token("below-collapsed-room", "larder")
    table.move("collapsed-room")

    told = table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert not events(told, TileDrawn)
    assert table.explorer(0).room == "larder"


@pytest.mark.rule("2E-ROOM-024")
def test_with_a_complete_basement_the_first_to_fall_chooses_a_room_there() -> None:
    table = with_hole()
    for place, tile in enumerate(ALL_OF_THE_BASEMENT):
        table.lay(tile, "basement", 10 + 2 * place, 10)
    table.turn(0)
    table.move("collapsed-room")

    table.act("tile:collapsed-room", "FALL")
    assert table.asked(0).options == ["basement-landing", *ALL_OF_THE_BASEMENT]
    told = table.rolls([0]).choose(0, "crypt")

    assert the(told, TokenPlaced).room == "crypt"
    assert table.explorer(0).room == "crypt"


@pytest.mark.rule("2E-CARD-009")
def test_a_room_found_by_falling_gives_its_card() -> None:
    table = with_hole()
    table.stack("tiles", "underground-lake")
    table.stack("event", "drip-drip-drip")
    table.move("collapsed-room")

    table.act("tile:collapsed-room", "FALL")
    table.rolls([0]).choose(0, table.asked(0).options[0])

    assert [here.token for here in table.view(1).tokens if here.room == "underground-lake"] == [
        "below-collapsed-room",
        "drip",
    ]


def in_the_shafts() -> Table:
    """The chute and the hole are in the house, and a monster waits on the Basement Landing."""
    table = with_hole()
    table.lay("coal-chute", "ground", -1, 0, turns=1)
    table.token("below-collapsed-room", "basement-landing")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "basement-landing")
    table.turn(1, monsters=True)
    table.let_move(3, "sexton-1")
    return table


@pytest.mark.rule("2E-MON-011")
def test_monsters_slide_down_the_coal_chute_too() -> None:
    table = in_the_shafts()
    table.monster("sexton-2", "entrance-hall")
    table.let_move(2, "sexton-2")

    table.move("coal-chute", monster="sexton-2")

    assert table.view(0).monsters["sexton-2"].room == "basement-landing"


@pytest.mark.rule("2E-MON-014")
def test_monsters_climb_from_the_ballroom_to_the_gallery_and_heroes_only_drop() -> None:
    table = Table()
    table.lay("ballroom", "ground", 1, 0)
    table.lay("gallery", "upper", 0, 1)
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "ballroom")
    table.put(0, "ballroom")
    table.turn(0)
    assert "gallery" not in table.goals(0)
    with table.refuses("2E-DOOR-001"):
        table.move("gallery")
    table.put(0, "foyer")
    table.turn(1, monsters=True)
    table.let_move(1, "sexton-1")

    table.move("gallery", monster="sexton-1")

    assert table.view(0).monsters["sexton-1"].room == "gallery"


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
