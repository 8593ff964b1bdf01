"""The rooms and explorers of the third edition: against what is known of the printed pieces, and each room's text played."""

import pytest

from domain.facts.commands import Act
from domain.facts.events import (
    CardDrawn,
    CardGained,
    DamageTaken,
    DiceRolled,
    Fizzled,
    Moved,
    StackShuffled,
    TileMoved,
    TilePlaced,
    TokenPlaced,
    TraitChanged,
    TurnEnded,
)
from tests.support.fate import showing
from tests.support.packs import pack
from tests.support.table import Table, events, the
from tests.support.third import discover, third

BOX = pack("third-edition")

ROOMS = """
    armory BG NE -
    ballroom G NESW omen
    bloody-room GU NE item
    catacombs B NESW omen
    chapel G NS omen
    charred-room GU NE omen
    chasm B NS event
    collapsed-room GU NE -
    conservatory G NS item
    cramped-passageway BGU NESW event
    crawlspace BU NEW event
    dining-room G NESW event
    furnace-room B ESW event
    gallery U NS event
    game-room BU NESW item
    graveyard G NE omen
    guest-quarters GU NE event
    gymnasium BG NW -
    junk-room GU NES item
    kitchen G NS event
    laboratory G NE event
    larder G NW -
    laundry-chute G N -
    library GU NES omen
    mystic-elevator BGU N -
    nursery BU NE omen
    observatory U NES omen
    operating-theatre BU NE item
    organ-room BU ES event
    panic-room B N omen
    primary-bedroom GU NES omen
    ritual-room B NE omen
    salon GU NE event
    secret-staircase B N -
    soundproofed-room BU NES omen
    specimen-room GU EW omen
    statuary-corridor U NS event
    tower U NS event
    underground-cavern B NESW event
    underground-lake B NE event
    vault B N item+item
    winter-bedroom GU NE omen
"""
"""Of each tile of the stack: its floors (basement, ground, upper), its doors as printed, its symbols."""

EXPLORERS = """
    josef-brosef-hooper red oliver-swift 44456788/3 22345678/3 23445566/2 22335566/2
    oliver-swift red josef-brosef-hooper 33445667/2 33455678/3 23345567/2 33345667/3
    stephanie-richter blue persephone-puleri 23345566/3 23355667/2 44556788/3 23444566/2
    persephone-puleri blue stephanie-richter 33456677/2 33445678/3 33456788/3 23345667/2
    sammy-angler green jaden-jones 33445568/2 23445678/4 23445667/3 23345678/2
    jaden-jones green sammy-angler 23334567/3 34445678/2 33455678/2 33455667/3
    isa-valencia yellow anita-hernandez 23334567/3 44556788/3 23456778/2 23445666/2
    anita-hernandez yellow isa-valencia 22344567/3 23445678/2 22345566/2 44556788/3
    father-warren-leung white dan-nguyen-md 22334566/3 23445566/2 33345678/4 33455678/2
    dan-nguyen-md white father-warren-leung 33445567/2 23345677/2 23445678/3 33455678/4
    michelle-monroe purple brittani-beat-box-bowen 23445678/4 33456678/2 23345666/2 23345678/3
    brittani-beat-box-bowen purple michelle-monroe 33456778/3 23344566/2 33445667/3 33455667/2
"""
"""Of each explorer: color, who is on the other side, and the tracks of might, speed, sanity and knowledge with the place of the start, from 0."""


def test_every_tile_has_the_floors_doors_and_symbols_that_are_printed() -> None:
    written = {
        f"{tile.id} {''.join(floor[0].upper() for floor in tile.floors)} "
        f"{''.join(side[0].upper() for side in tile.doors)} {'+'.join(tile.symbols) or '-'}"
        for tile in BOX.tiles
        if tile.start is None
    }
    assert written == {line.strip() for line in ROOMS.strip().splitlines()}


def test_every_explorer_has_the_tracks_that_are_printed() -> None:
    written = {
        " ".join(
            [
                one.id,
                one.color,
                one.other_side,
                *(
                    f"{''.join(map(str, one.tracks[trait].values))}/{one.tracks[trait].start}"
                    for trait in ("might", "speed", "sanity", "knowledge")
                ),
            ]
        )
        for one in BOX.explorers
    }
    assert written == {line.strip() for line in EXPLORERS.strip().splitlines()}


TEXTS = {
    "armory": "discovered",
    "chapel": "discovered",
    "collapsed-room": "turn-ended",
    "furnace-room": "turn-ended",
    "gymnasium": "discovered",
    "junk-room": "discovered",
    "larder": "discovered",
    "laundry-chute": "turn-ended",
    "library": "discovered",
    "mystic-elevator": "entered",
    "panic-room": "discovered",
}
"""By tile: when its text takes effect. No other tile has one."""

WAYS = {
    ("gallery", "ballroom", False),
    ("graveyard", "underground-cavern", True),
    ("ground-floor-staircase", "upper-landing", True),
    ("laundry-chute", "basement-landing", False),
    ("secret-staircase", "hallway", True),
}
"""Printed connections: from, to, and whether they lead back."""


def test_every_text_and_every_printed_connection_is_there() -> None:
    assert {tile.id: one.when for tile in BOX.tiles for one in tile.on} == TEXTS
    links = [(tile.id, link) for tile in BOX.tiles for link in tile.links if not link.monsters_only]
    assert {(tile, link.to, link.both_ways) for tile, link in links} == WAYS


# -- rooms that give something to their discoverer ------------------------------------------------------------------


def below() -> Table:
    """Seat 0 begins its turn on the Basement Landing."""
    table = third()
    table.put(0, "basement-landing")
    table.turn(0)
    return table


@pytest.mark.parametrize(
    "tile, trait, omen",
    [
        ("chapel", "sanity", "book"),
        ("gymnasium", "speed", ""),
        ("larder", "might", ""),
        ("library", "knowledge", "book"),
    ],
)
def test_four_rooms_raise_a_trait_of_their_discoverer_once(tile: str, trait: str, omen: str) -> None:
    table = third()
    told = discover(table.rolls(*([[0]] if omen else [])), tile, **({"omen": omen} if omen else {}))
    assert [(one.seat, one.trait, one.by) for one in events(told, TraitChanged)] == [(0, trait, 1)]
    told = table.move(tile)
    assert not events(told, TraitChanged)


def test_an_armory_is_searched_until_a_weapon_turns_up() -> None:
    table = third()
    table.stack("item", "map", "mirror", "machete")
    told = discover(table, "armory")
    assert [one.card for one in events(told, CardDrawn)] == ["map", "mirror", "machete"]
    assert table.explorer(0).cards == ["machete"]
    assert [slot.face for slot in table.view(2).decks["item"].bottom] == ["map", "mirror"]


def test_an_armory_without_a_weapon_left_gives_nothing() -> None:
    table = third()
    weapons = [card.id for card in BOX.cards if card.deck == "item" and "weapon" in card.kinds]
    table.hold(1, *weapons)
    table.turn(0)
    size = table.state.decks["item"].size()
    told = discover(table, "armory")
    assert not events(told, CardGained)
    assert (table.state.decks["item"].size(), table.seat) == (size, 1)


def test_a_junk_room_has_an_obstacle_and_its_item() -> None:
    table = third()
    told = discover(table, "junk-room", item="map")
    assert (the(told, TokenPlaced).token, the(told, TokenPlaced).room) == ("obstacle", "junk-room")
    assert table.explorer(0).cards == ["map"]
    table.begin_turn(0)
    table.move("entrance-hall")
    assert table.explorer(0).spent == 2


def test_a_panic_room_brings_the_secret_staircase_and_the_stack_is_shuffled() -> None:
    table = below()
    before = len(table.commits)
    table.rolls([0])
    discover(table, "panic-room", omen="book")
    while table.is_asked(0):
        table.choose(0, table.asked(0).options[0])
    told = table.since(before)
    assert [one.tile for one in events(told, TilePlaced)] == ["panic-room", "secret-staircase"]
    assert table.view(1).rooms["secret-staircase"].floor == "basement"
    assert [one.deck for one in events(told, StackShuffled)] == ["tiles"]
    assert table.explorer(0).cards == ["book"]
    assert len(events(told, TurnEnded)) == 1
    assert table.seat == 1
    table.put(1, "hallway")
    table.turn(1)
    assert "secret-staircase" in table.goals(1)


def test_a_panic_room_brings_nothing_where_the_staircase_is_already() -> None:
    table = below()
    table.lay("secret-staircase", "basement", -1, 0, turns=1)
    table.turn(0)
    told = discover(table.rolls([0]), "panic-room", omen="book")
    assert [one.tile for one in events(told, TilePlaced)] == ["panic-room"]


# -- rooms that wait for the end of the turn ------------------------------------------------------------------------


@pytest.mark.parametrize("total, falls", [(5, False), (4, True)])
def test_a_collapsed_room_drops_who_fails_to_the_basement_hurt(total: int, falls: bool) -> None:  # noqa: FBT001 -- parametrized
    table = third()
    table.lay("collapsed-room", "ground", 1, 0, turns=2)
    table.turn(0)
    table.move("collapsed-room")
    table.rolls(showing(table.value(0, "speed"), total), *([[2]] if falls else []))
    told = table.end_turn()
    assert the([one for one in told if getattr(one.event, "kind", "") == "trait"], DiceRolled).trait == "speed"
    assert table.explorer(0).room == ("basement-landing" if falls else "collapsed-room")
    assert table.is_asked(0) == falls
    if falls:
        assert (table.asked(0).about, table.asked(0).total) == ("damage:physical", 2)
        told = table.allocate(0, might=2)
        assert the(told, DamageTaken).amount == 2
    assert table.seat == 1


def test_a_collapsed_room_drops_its_discoverer_in_the_same_turn() -> None:
    table = third()
    table.rolls(showing(table.value(0, "speed"), 0), [0])
    told = discover(table, "collapsed-room")
    assert [one.room for one in events(told, Moved)] == ["collapsed-room", "basement-landing"]
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


def test_the_laundry_chute_slides_at_the_end_of_the_turn() -> None:
    table = third()
    table.lay("laundry-chute", "ground", 1, 0, turns=3)
    table.turn(0)
    table.move("laundry-chute")
    assert table.explorer(0).room == "laundry-chute"
    table.end_turn()
    assert table.explorer(0).room == "basement-landing"


# -- ways besides doors ---------------------------------------------------------------------------------------------


def test_the_gallery_leads_down_to_the_ballroom_and_not_up() -> None:
    table = third()
    table.lay("gallery", "upper", 0, 1)
    table.put(0, "gallery")
    table.turn(0)
    assert "ballroom" not in table.goals(0)
    table.lay("ballroom", "ground", 1, 0)
    table.move("ballroom")
    assert table.explorer(0).spent == 1
    assert "gallery" not in table.goals(0)


def test_the_graveyard_and_the_cavern_lead_to_each_other() -> None:
    table = third()
    table.lay("graveyard", "ground", 1, 0, turns=2)
    table.lay("underground-cavern", "basement", 1, 0)
    table.put(0, "graveyard")
    table.turn(0)
    table.move("underground-cavern", "graveyard")
    assert table.explorer(0).spent == 2


# -- the elevator ---------------------------------------------------------------------------------------------------


def in_the_elevator() -> Table:
    """Seat 0 steps into the elevator on the ground floor, where seat 1 is already."""
    table = third()
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.put(1, "mystic-elevator")
    table.turn(0)
    table.move("mystic-elevator")
    return table


def test_whoever_enters_the_elevator_may_leave_the_button_alone() -> None:
    table = in_the_elevator()
    told = table.choose(0, "no")
    assert not events(told, DiceRolled)
    assert table.view(1).rooms["mystic-elevator"].floor == "ground"


@pytest.mark.parametrize(
    "faces, floors",
    [
        ([2, 2], {"basement", "ground", "upper"}),
        ([2, 1], {"upper"}),
        ([1, 1], {"ground"}),
        ([1, 0], {"basement"}),
        ([0, 0], {"basement"}),
    ],
)
def test_the_elevator_goes_where_the_dice_say_with_all_who_are_in_it(faces: list[int], floors: set[str]) -> None:
    table = in_the_elevator()
    spent = table.explorer(0).spent
    table.rolls(faces).choose(0, "yes")
    offered = [one for one in table.asked(0).options if one != "stay"]
    assert {one.partition(":")[0] for one in offered} == floors
    told = table.choose(0, offered[0])
    assert the(told, TileMoved).floor in floors
    assert [table.explorer(seat).room for seat in (0, 1)] == ["mystic-elevator"] * 2
    assert (table.explorer(0).spent, table.seat) == (spent, 0), "the ride is free, and the turn goes on"


def test_the_button_works_once_in_a_turn() -> None:
    table = in_the_elevator()
    table.rolls([1, 1]).choose(0, "yes")
    table.choose(0, "stay" if "stay" in table.asked(0).options else table.asked(0).options[0])
    here = table.goals(0)[0]
    told = table.move(here, "mystic-elevator")
    assert not table.is_asked(0)
    assert not events(told, DiceRolled)


def test_whoever_discovers_the_elevator_may_press_its_button_before_the_turn_ends() -> None:
    table = third()
    told = discover(table, "mystic-elevator")
    assert not events(told, TurnEnded)
    assert table.asked(0).options == ["yes", "no"]
    told = table.choose(0, "no")
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


def test_the_elevator_stays_where_its_leaving_would_seal_a_floor_off() -> None:
    table = third()
    table.lay("vault", "upper", 0, 1, turns=2)
    table.lay("panic-room", "upper", 1, 0, turns=3)
    table.lay("secret-staircase", "upper", -1, 0, turns=1)
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.turn(0)
    table.move("mystic-elevator")
    told = table.rolls([2, 1]).choose(0, "yes")  # upstairs it would take the last doorway
    assert [one.what for one in events(told, Fizzled)] == ["move-tile"]
    assert table.view(0).rooms["mystic-elevator"].floor == "ground"


def test_no_room_offers_an_action() -> None:
    table = third()
    assert not [tile.id for tile in BOX.tiles if tile.actions]
    assert not table.offers(0, Act)
