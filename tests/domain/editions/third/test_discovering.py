"""Discovering tiles (rulebook 2022, How to Play, pp. 7-8 and 12)."""

import pytest

from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.commands import Explore
from domain.facts.events import (
    CardDrawn,
    DecisionOpened,
    Moved,
    RuleApplied,
    TileDrawn,
    TileMoved,
    TilePlaced,
    TileSetAside,
    TraitChanged,
    TurnEnded,
)
from projections.view.game import view_of
from projections.view.rooms import RoomView
from tests.support.packs import pack, rules_with
from tests.support.table import Table, events, heard, kinds, the
from tests.support.third import FRIENDS, discover, third

BOX = pack("third-edition")


def below(table: Table | None = None) -> Table:
    """Seat 0 begins its turn on the Basement Landing."""
    table = table or third()
    table.put(0, "basement-landing")
    table.turn(0)
    return table


def room(table: Table, name: str) -> RoomView:
    """A room as everybody sees it."""
    return next(one for one in view_of(table.rules, table.roles[SPECTATORS], SPECTATORS).rooms if one.id == name)


# -- which tile -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TILE-001", case=1, asserts=True)
def test_every_placed_tile_is_in_one_of_three_regions() -> None:
    table = third()
    discover(table, "conservatory", item="map")
    table.put(1, "basement-landing")
    table.turn(1)
    table.rolls([0])
    discover(table, "catacombs", omen="book")
    assert {one.floor for one in table.view(1).rooms.values()} == {"basement", "ground", "upper"}
    assert (table.view(1).rooms["conservatory"].floor, table.view(1).rooms["catacombs"].floor) == ("ground", "basement")


@pytest.mark.rule("3E-TILE-002", case=1)
def test_a_tile_for_the_basement_is_not_placed_on_the_ground_floor() -> None:
    table = third()
    table.stack("tiles", "chasm", "larder")
    told = [*table.explore("east"), *table.lay_anyhow()]
    assert (the(told, TileDrawn).tile, the(told, TileDrawn).rule) == ("larder", "3E-TILE-002")
    assert "chasm" not in table.view(0).rooms


@pytest.mark.rule("3E-TILE-003", case=1)
def test_nothing_is_discovered_without_an_open_doorway() -> None:
    table = third()
    table.put(0, "ground-floor-staircase")
    table.turn(0)
    with table.refuses("3E-TILE-003"):
        table.explore("north")


@pytest.mark.rule("3E-TILE-003", case=2, asserts=True)
def test_nothing_is_discovered_without_movement() -> None:
    table = third()
    table.traits(0, speed=3)
    table.turn(0)
    table.move("hallway", "entrance-hall", "hallway")
    with table.refuses("3E-MOVE-001"):
        table.explore("east")
    assert not table.offers(0, Explore)


@pytest.mark.rule("3E-TILE-003")
def test_a_discovery_costs_a_point_and_two_from_a_tile_with_an_obstacle() -> None:
    for obstacle in (False, True):
        table = third()
        if obstacle:
            table.token("obstacle", "entrance-hall")
        table.turn(0)
        told = discover(table, "larder")
        assert next(one for one in events(told, Moved) if one.discovers).spent == 1 + obstacle
    table = third()
    table.put(0, "ground-floor-staircase")
    table.turn(0)
    with table.refuses("3E-TILE-003"):
        table.explore("east")


@pytest.mark.rule("3E-TILE-004", case=1)
def test_every_orientation_on_offer_has_a_doorway_at_the_edge_that_was_crossed() -> None:
    table = third()
    table.stack("tiles", "salon")  # doors north and east
    told = table.explore("east")
    assert the(told, TileDrawn).rule == "3E-TILE-004"
    offered = table.asked(0).options
    assert offered == ["ground:1:0@2", "ground:1:0@3"]
    with table.refuses("3E-TILE-005", problem="not-an-option"):
        table.choose(0, "ground:1:0@0")
    table.stack("event", "behind-you")
    table.rolls([1] * table.value(0, "speed")).choose(0, offered[0])
    assert table.view(1).rooms["salon"].near[3] == "entrance-hall"


def beside_the_kitchen() -> Table:
    """The Kitchen, at the place to the north of the one that is discovered, has its south door there."""
    table = third()
    table.lay("kitchen", "ground", 1, 1)
    table.turn(0)
    table.stack("tiles", "salon")
    table.explore("east")
    table.stack("event", "behind-you")
    table.rolls([1] * table.value(0, "speed"))
    return table


@pytest.mark.rule("3E-TILE-005", case=1)
def test_one_doorway_suffices() -> None:
    table = beside_the_kitchen()
    assert table.asked(0).options == ["ground:1:0@2", "ground:1:0@3"]
    told = table.choose(0, "ground:1:0@2")  # its other door away from the Kitchen
    assert the(told, TilePlaced).rule == "3E-TILE-005"
    assert table.view(1).rooms["salon"].near[0] == ""


@pytest.mark.rule("3E-TILE-005", case=2)
def test_a_doorway_that_cannot_be_matched_is_a_false_feature() -> None:
    table = beside_the_kitchen()
    assert room(table, "kitchen").doors.south == "free"
    table.choose(0, "ground:1:0@2")
    assert room(table, "kitchen").doors.south == "false"
    table.put(1, "kitchen")
    table.turn(1)
    assert [one.door for one in table.offers(1) if isinstance(one, Explore)] == ["north"]


@pytest.mark.rule("3E-TILE-006", case=(1, 2))
def test_tiles_for_other_regions_are_buried_unseen() -> None:
    table = below()
    table.stack("tiles", "observatory", "statuary-corridor", "ritual-room")
    table.stack("omen", "book")
    told = table.rolls([0]).explore("east")
    told += table.lay_anyhow()
    assert the(told, TilePlaced).tile == "ritual-room"
    bottom = table.state.decks["tiles"].bottom
    assert [slot.face for slot in bottom] == ["observatory", "statuary-corridor"]
    for seat in range(3):
        buried = events(heard(told, seat), TileSetAside)
        assert [(one.back, one.face, one.bury) for one in buried] == [("upper", "", True)] * 2
        assert [(slot.back, slot.face) for slot in table.view(seat).decks["tiles"].bottom] == [("upper", "")] * 2


@pytest.mark.rule("3E-TILE-015", case=1, asserts=True)
def test_a_buried_tile_is_the_last_of_the_stack() -> None:
    table = third()
    size = table.state.decks["tiles"].size()
    table.stack("tiles", "observatory", "larder")
    before = len(table.commits)
    table.explore("east")
    table.lay_anyhow()
    told = table.since(before)
    deck = table.state.decks["tiles"]
    assert (deck.bottom[-1].face, deck.size()) == ("observatory", size - 1)
    assert len(events(told, TilePlaced)) == 1, "the one tile that has left the stack"


@pytest.mark.rule("3E-TILE-016", case=1, asserts=True)
def test_the_region_of_the_top_tile_is_seen_and_its_front_is_not() -> None:
    table = third()
    for mask, role in table.roles.items():
        top = role.decks["tiles"].top[0]
        assert top.back
        assert mask == REFEREE or not top.face


@pytest.mark.rule("3E-TILE-011", case=1)
def test_a_region_without_tiles_left_costs_nothing_to_try() -> None:
    table = third()
    for place, tile in enumerate(tile for tile in BOX.tiles if "basement" in tile.floors and tile.start is None):
        table.lay(tile.id, "upper", 10 + 2 * place, 10)
    table.traits(0, speed=3)
    below(table)
    stack = [slot.back for slot in table.state.decks["tiles"].top], sorted(table.state.decks["tiles"].pool)
    with table.refuses("3E-TILE-011"):
        table.explore("east")
    assert (table.explorer(0).allowance - table.explorer(0).spent, table.seat) == (3, 0)
    assert stack == ([slot.back for slot in table.state.decks["tiles"].top], sorted(table.state.decks["tiles"].pool))
    assert not table.offers(0, Explore)


# -- a region stays open --------------------------------------------------------------------------------------------


def one_door_left() -> Table:
    """The basement has one open doorway, the landing's to the south; a lake to the east has another that meets a wall."""
    table = third()
    table.lay("mystic-elevator", "basement", 0, 1, turns=2)
    table.lay("secret-staircase", "basement", -1, 0, turns=1)
    table.lay("panic-room", "basement", 1, 0, turns=3)
    return below(table)


@pytest.mark.rule("3E-TILE-012", case=1)
def test_an_orientation_that_closes_the_region_is_not_offered() -> None:
    table = one_door_left()
    table.lay("vault", "basement", 1, -1)  # its door meets the Panic Room's wall
    table.turn(0)
    table.stack("tiles", "underground-lake")  # doors north and east
    table.stack("event", "behind-you")
    table.rolls([1] * table.value(0, "speed"))
    told = table.explore("south")
    assert not [one for one in events(told, DecisionOpened) if one.decision.about.startswith("place:")]
    assert the(told, TilePlaced).turns == 3, "its second door is to the west, away from the Vault"
    assert "3E-TILE-012" in {one.rule for one in events(told, RuleApplied)}


@pytest.mark.rule("3E-TILE-012", case=2, asserts=True)
def test_a_doorway_that_the_tile_would_cover_is_not_open() -> None:
    table = third()
    table.lay("mystic-elevator", "basement", 0, 1, turns=2)
    table.lay("secret-staircase", "basement", -1, 0, turns=1)
    table.lay("underground-lake", "basement", 1, 0, turns=2)  # doors west and south, where there is a wall
    table.lay("vault", "basement", 1, -1, turns=3)  # its door leads to where the landing's does
    below(table)
    assert room(table, "vault").doors.west == "free"
    table.stack("tiles", "panic-room", "chasm")
    table.stack("event", "behind-you")
    table.rolls([1] * table.value(0, "speed"))
    told = table.explore("south")
    assert (the(told, TileSetAside).face, the(told, TilePlaced).tile) == ("panic-room", "chasm")


@pytest.mark.rule("3E-TILE-012", case=3, asserts=True)
@pytest.mark.rule("3E-TILE-013", case=1)
def test_a_tile_that_can_only_seal_off_is_buried_whatever_stairs_there_are() -> None:
    table = one_door_left()
    assert "secret-staircase" in [one.to for one in table.state.links["hallway"]], "which is no open doorway"
    table.stack("tiles", "vault", "underground-cavern")
    table.stack("event", "behind-you")
    table.rolls([1] * table.value(0, "speed"))
    told = table.explore("south")
    away = the(told, TileSetAside)
    assert (away.face, away.bury, away.rule) == ("vault", True, "3E-TILE-013")
    assert the(told, TilePlaced).tile == "underground-cavern"
    assert table.state.decks["tiles"].bottom[0].face == "vault"
    assert all(table.view(seat).decks["tiles"].bottom[0].face == "vault" for seat in range(3)), "its front was seen"


def tiles_with_one_door(table: Table, *besides: str) -> None:
    """Of the tiles for the basement only those with one door are left; the others lie far away, upstairs."""
    basement = [tile for tile in BOX.tiles if "basement" in tile.floors and tile.start is None]
    rest = [tile.id for tile in basement if len(tile.doors) > 1 and tile.id not in besides]
    for place, tile in enumerate(rest):
        table.lay(tile, "upper", 10 + 2 * place, 10)


def wasted_doorways() -> Table:
    """The basement's one open doorway is the landing's to the south; turning the Underground Lake or the Nursery would open another."""
    table = third()
    tiles_with_one_door(table, "ritual-room", "underground-lake", "nursery")
    table.lay("mystic-elevator", "basement", 0, 1, turns=2)
    table.lay("secret-staircase", "basement", -1, 1, turns=1)  # reached from the Hallway; its door meets a wall
    table.lay("nursery", "basement", -1, 0)  # doors east, and north, where there is a wall
    table.lay("ritual-room", "basement", 1, 0, turns=3)  # doors west and north
    table.lay("underground-lake", "basement", 1, 1, turns=2)  # doors south, and west, where there is a wall
    return below(table)


@pytest.mark.rule("3E-TILE-014", case=1)
def test_where_every_tile_would_close_the_region_it_is_laid_out_anew_first() -> None:
    table = wasted_doorways()
    table.stack("tiles", "vault")
    told = table.explore("south")
    assert not events(told, TilePlaced)
    asked = table.asked(0)
    assert asked.about == "rearrange:basement"
    assert {"nursery:basement:-1:0@1", "underground-lake:basement:1:1@1"} <= set(asked.options), "one tile is turned"
    with table.refuses("3E-TILE-014", problem="not-an-option"):
        table.choose(0, "secret-staircase:basement:5:5@0")
    table.stack("item", "map", "mirror")

    told = table.choose(0, "underground-lake:basement:1:1@1")

    assert (the(told, TileMoved).tile, the(told, TilePlaced).tile) == ("underground-lake", "vault")
    assert room(table, "underground-lake").doors.east == "free"
    assert table.explorer(0).room == "vault"


@pytest.mark.rule("3E-TILE-011")
def test_where_no_new_layout_helps_the_attempt_counts_as_one_without_tiles_left() -> None:
    table = third()
    tiles_with_one_door(table, "ritual-room")
    table.lay("mystic-elevator", "basement", 0, 1, turns=2)
    table.lay("secret-staircase", "basement", -1, 0, turns=1)
    table.lay("ritual-room", "basement", 1, 0, turns=2)  # doors west and south
    table.lay("panic-room", "basement", 1, -1)
    below(table)
    assert room(table, "basement-landing").doors.south == "free"
    with table.refuses("3E-TILE-011"):
        table.explore("south")
    assert (table.explorer(0).spent, table.seat) == (0, 0)
    assert not table.offers(0, Explore)


# -- what a discovery brings ----------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TILE-007", case=1)
@pytest.mark.parametrize("tile, cards", [("conservatory", {"item": "map"}), ("larder", {})])
def test_the_discoverer_is_in_the_new_room(tile: str, cards: dict[str, str]) -> None:
    table = third()
    told = discover(table, tile, **cards)
    assert table.explorer(0).room == tile
    assert the(told, Moved).rule == "3E-TILE-007"


@pytest.mark.rule("3E-TILE-008", case=1)
def test_the_chapel_gives_sanity_before_its_omen() -> None:
    table = third()
    told = discover(table.rolls([0]), "chapel", omen="book")
    gained = the(told, TraitChanged)
    assert (gained.seat, gained.trait, gained.by) == (0, "sanity", 1)
    assert kinds(told).index(TraitChanged) < kinds(told).index(CardDrawn)


@pytest.mark.rule("3E-TILE-008", case=2, asserts=True)
def test_whoever_comes_to_the_chapel_later_gets_nothing() -> None:
    table = third()
    discover(table.rolls([0]), "chapel", omen="book")
    told = table.move("chapel")
    assert table.seat == 1
    assert not events(told, TraitChanged)
    assert not events(told, CardDrawn)


WARM_ROOM = """
id: warm-room
title: Warm Room
floors: [ground]
doors: [north, south]
on:
- {when: entered, do: [{gain: {trait: sanity}}]}
"""


@pytest.mark.rule("3E-TILE-008", case=3)
def test_a_text_for_entering_acts_on_the_discoverer_and_on_the_next_who_comes() -> None:
    table = Table(FRIENDS, game=rules_with("third-edition", tile=WARM_ROOM))
    told = discover(table, "warm-room")
    assert (the(told, TraitChanged).seat, the(told, TraitChanged).trait) == (0, "sanity")
    told = table.move("warm-room")
    assert (the(told, TraitChanged).seat, the(told, TraitChanged).trait) == (1, "sanity")


@pytest.mark.rule("3E-TILE-009", case=1)
def test_a_symbol_gives_its_card_to_the_discoverer() -> None:
    table = third()
    told = discover(table, "conservatory", item="map")
    assert (the(told, CardDrawn).card, the(told, CardDrawn).rule) == ("map", "3E-TILE-009")
    assert [table.explorer(seat).cards for seat in range(3)] == [["map"], [], []]


@pytest.mark.rule("3E-TILE-009", case=2, asserts=True)
def test_a_tile_without_a_symbol_leaves_the_stacks_alone() -> None:
    table = third()
    sizes = {name: deck.size() for name, deck in table.state.decks.items() if name != "tiles"}
    discover(table, "larder")
    assert sizes == {name: deck.size() for name, deck in table.state.decks.items() if name != "tiles"}


@pytest.mark.rule("3E-TILE-009", case=3)
def test_the_vault_gives_two_items_one_after_the_other() -> None:
    table = below()
    table.stack("tiles", "vault")
    table.stack("item", "map", "mirror")
    told = table.explore("east")
    assert [one.card for one in events(told, CardDrawn)] == ["map", "mirror"]
    assert table.explorer(0).cards == ["map", "mirror"]


TRAPDOOR = """
id: trapdoor
title: Trapdoor
floors: [ground]
doors: [north, south]
symbols: [omen]
on:
- {when: discovered, do: [{move: {to: basement-landing}}]}
"""


@pytest.mark.rule("3E-TILE-009", case=4)
def test_a_symbol_counts_even_if_the_tile_has_sent_its_discoverer_away() -> None:
    table = Table(FRIENDS, game=rules_with("third-edition", tile=TRAPDOOR))
    told = discover(table.rolls([0]), "trapdoor", omen="book")
    assert (table.explorer(0).room, table.explorer(0).cards) == ("basement-landing", ["book"])
    assert the(told, CardDrawn).rule == "3E-TILE-009"
    assert kinds(told).index(CardDrawn) > max(at for at, kind in enumerate(kinds(told)) if kind is Moved)
    assert (the(told, TurnEnded).seat, table.seat) == (0, 1)


@pytest.mark.rule("3E-TILE-010", case=1)
def test_a_symbol_gives_no_card_to_whoever_comes_later() -> None:
    table = third()
    table.rolls([1] * table.value(0, "speed"))
    discover(table, "kitchen", event="behind-you")
    told = table.move("kitchen")
    assert (the(told, Moved).figure, the(told, Moved).rule) == (1, "3E-TILE-010")
    assert not events(told, CardDrawn)


ROAMING = """
id: h
title: H
stage: draft
kind: one-traitor
story: S
monsters: {ghoul: {title: Ghoul, text: T, might: 3, speed: 3, explores: true}}
heroes: {story: S, goal: G}
traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("3E-META-002", case=1, asserts=True)
def test_a_haunt_may_let_monsters_explore() -> None:
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=ROAMING))
    table.haunt("h", traitor=1)
    table.monster("ghoul-1", "entrance-hall")
    table.turn(1, monsters=True)
    table.let_move(3, "ghoul-1")
    table.stack("tiles", "larder")
    told = table.explore("east", monster="ghoul-1")
    told += table.choose(1, table.asked(1).options[0]) if table.is_asked(1) else []
    assert (the(told, TilePlaced).tile, table.seen(1, "ghoul-1").room) == ("larder", "larder")
