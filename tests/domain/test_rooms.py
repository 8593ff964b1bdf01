"""Rooms with a text: what they do, to whom, and how often (rulebook: Special Rooms)."""

import pytest

from domain.commands import Act
from domain.events import CardDiscarded, CardDrawn, DamageTaken, DiceRolled, TokenPlaced, TraitChanged
from tests.support.packs import pack, rules_with
from tests.support.table import Table, events, the


@pytest.mark.rule("2E-ROOM-001", asserts=True)
def test_every_special_room_of_the_rulebook_has_more_than_its_tile_says() -> None:
    special = {
        "catacombs",
        "chasm",
        "tower",
        "vault",
        "coal-chute",
        "collapsed-room",
        "junk-room",
        "mystic-elevator",
        "gallery",
    }
    tiles = {tile.id: tile for tile in pack("second-edition").tiles}
    assert all(tiles[room].barrier or tiles[room].rulings for room in special)


@pytest.mark.rule("2E-ROOM-002")
def test_a_text_for_the_end_of_a_turn_works_each_time() -> None:
    table = Table()
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    for _ in range(2):
        table.turn(0)
        told = table.end_turn()
        told += table.allocate(0, speed=1)
        assert the(told, DamageTaken).amount == 1


@pytest.mark.rule("2E-ROOM-003")
def test_the_card_comes_before_the_text() -> None:
    parlor = """
      id: parlor
      title: Parlor
      floors: [ground]
      doors: [east, west]
      symbols: [event]
      on: [{when: discovered, do: [{gain: {trait: might}}]}]
    """
    table = Table(game=rules_with(tile=parlor))
    table.stack("tiles", "parlor")
    table.stack("event", "night-view")

    told = table.rolls([0, 0, 0]).explore("east")
    told += table.lay_anyhow()

    kinds = [type(one.event) for one in told]
    assert kinds.index(CardDrawn) < kinds.index(CardDiscarded) < kinds.index(TraitChanged)


@pytest.mark.rule("2E-ROOM-015", asserts=True)
def test_the_joined_tile_is_three_rooms_a_space_apart() -> None:
    table = Table()
    table.put(1, "foyer")
    table.put(2, "upper-landing")

    table.move("foyer", "grand-staircase")

    assert table.explorer(0).spent == 2
    rooms = [table.explorer(seat).room for seat in range(3)]
    assert rooms == ["grand-staircase", "foyer", "upper-landing"]


@pytest.mark.rule("2E-ROOM-027")
def test_the_junk_room_costs_speed_and_lets_go_all_the_same() -> None:
    table = Table()
    table.lay("junk-room", "ground", 1, 0)
    table.put(0, "foyer")
    table.turn(0)
    table.traits(0, speed=3)
    table.move("entrance-hall", "junk-room")

    told = table.rolls([0, 1, 0, 1, 0]).move("entrance-hall")

    assert the(told, TraitChanged).trait == "speed"
    assert table.value(0, "speed") == 2
    assert table.explorer(0).room == "entrance-hall"
    assert table.goals(0) == []


@pytest.mark.rule("2E-ROLL-003")
def test_the_vault_is_tried_once_a_turn_and_again_in_the_next() -> None:
    table = vault()
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")

    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")
    table.turn(0)
    table.rolls([0, 0, 0]).act("tile:vault", "OPEN")


def vault() -> Table:
    """Seat 0 stands before the Vault."""
    table = Table()
    table.lay("vault", "basement", 0, 1, turns=2)
    table.put(0, "vault")
    table.turn(0)
    return table


def test_who_is_put_into_the_vault_stands_before_its_door() -> None:
    table = Table()
    table.lay("vault", "basement", 0, 1, turns=2)
    table.lay("collapsed-room", "ground", 1, 0)
    table.token("below-collapsed-room", "vault")
    table.move("collapsed-room")

    table.rolls([0]).act("tile:collapsed-room", "FALL")

    assert not table.state.open
    assert (table.explorer(0).room, table.explorer(0).part) == ("vault", 0)
    assert Act(decision=table.now, source="tile:vault", word="OPEN") in table.offers(0)


@pytest.mark.rule("2E-ROOM-039")
def test_an_opened_vault_gives_its_items_once_and_is_marked() -> None:
    table = vault()
    table.stack("item", "axe", "armor")

    told = table.rolls([2, 2, 2]).act("tile:vault", "OPEN")

    assert the(told, TokenPlaced).token == "vault-empty"
    assert table.explorer(0).cards == ["axe", "armor"]
    table.turn(0)
    assert not table.offers(0, Act)


@pytest.mark.rule("2E-ROOM-040")
def test_the_traitor_rolls_for_the_vault_like_everybody_else() -> None:
    table = vault()
    table.haunt("the-bell-below", traitor=0)

    told = table.rolls([1, 1, 1]).act("tile:vault", "OPEN")

    assert the(told, DiceRolled).trait == "knowledge"
    assert table.explorer(0).cards == []
    with table.refuses("2E-ROLL-003"):
        table.act("tile:vault", "OPEN")


def test_a_room_that_lifts_a_trait_does_so_for_the_first_turn_ended_there() -> None:
    table = Table()
    table.lay("larder", "basement", 0, 1)
    table.put(0, "larder")
    table.turn(0)
    assert the(table.end_turn(), TraitChanged).trait == "might"
    table.turn(0)
    assert not events(table.end_turn(), TraitChanged)
