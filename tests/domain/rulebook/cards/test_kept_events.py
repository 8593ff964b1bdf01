"""Events that lie in front of somebody for a while: Grave Dirt, Lights Out, It Is Meant to Be."""

import pytest

from domain.facts.commands import Drop, Trade
from domain.facts.events import CardDiscarded, CardGained, DamageTaken, ResultNamed, SlotSeen, StackReordered
from tests.support.fate import showing
from tests.support.table import Table, events, heard, the


def draws(table: Table, card: str, seat: int = 0) -> None:
    """An explorer draws this event."""
    table.draw(seat, "event", card)


def dirty(table: Table) -> None:
    """Seat 0 has Grave Dirt under the nails."""
    table.rolls(showing(table.value(0, "might"), 0))
    draws(table, "grave-dirt")


@pytest.mark.rule("2E-CARD-005")
def test_an_event_that_is_kept_lies_before_its_drawer_and_is_not_discarded() -> None:
    table = Table()
    dirty(table)

    assert table.explorer(0).cards == ["grave-dirt"]
    assert table.view(2).decks["event"].discard == []


def test_a_kept_event_is_no_item_to_be_traded_or_dropped() -> None:
    table = Table()
    dirty(table)
    table.turn(0)

    assert not table.offers(0, Drop)
    assert not table.offers(0, Trade)
    assert not table.rules.pack.can("grave-dirt", "steal")


def test_grave_dirt_hurts_at_the_start_of_each_own_turn() -> None:
    table = Table()
    dirty(table)

    table.begin_turn(1)
    assert not table.is_asked(0)
    table.begin_turn(0)
    told = table.allocate(0, speed=1)

    assert (the(told, DamageTaken).kind, the(told, DamageTaken).amount) == ("physical", 1)


def test_an_item_that_raises_a_trait_washes_grave_dirt_off_and_a_room_does_not() -> None:
    table = Table()
    dirty(table)
    table.lay("gymnasium", "basement", 0, 1)
    table.hold(0, "bell")  # raises Sanity

    assert table.explorer(0).cards == ["bell"]
    assert table.view(1).decks["event"].discard == ["grave-dirt"]


def test_grave_dirt_stays_when_something_else_raises_a_trait() -> None:
    table = Table()
    dirty(table)
    table.rolls(showing(table.value(0, "speed"), 5))
    draws(table, "angry-being")

    assert "grave-dirt" in table.explorer(0).cards


def test_a_turn_ended_in_the_larder_washes_grave_dirt_off() -> None:
    table = Table()
    dirty(table)
    table.lay("larder", "basement", 0, 1)
    table.put(0, "larder")
    table.turn(0)

    assert the(table.end_turn(), CardDiscarded).card == "grave-dirt"
    assert table.explorer(0).cards == []


def test_by_another_ruling_any_rise_of_a_trait_washes_grave_dirt_off() -> None:
    table = Table(options={"rulings": {"grave-dirt": "grave-dirt-any-rise"}})
    dirty(table)
    table.rolls(showing(table.value(0, "speed"), 5))
    draws(table, "angry-being")

    assert table.explorer(0).cards == []


def test_a_kept_event_is_discarded_when_its_drawer_dies() -> None:
    table = Table()
    dirty(table)
    table.haunt("the-bell-below", traitor=1)
    table.die(0)

    assert table.view(1).decks["event"].discard == ["grave-dirt"]
    assert table.state.piles == []


def test_with_the_lights_out_an_explorer_goes_one_room_a_turn() -> None:
    table = Table()
    draws(table, "lights-out")
    table.turn(0)

    table.move("foyer")

    assert table.goals(0) == []
    with table.refuses("2E-MOVE-001"):
        table.move("grand-staircase")


def test_a_friend_at_the_end_of_the_turn_brings_the_light_back() -> None:
    table = Table()
    draws(table, "lights-out")
    table.put(1, "grand-staircase")
    table.put(2, "grand-staircase")
    table.turn(0)
    table.end_turn()
    assert table.explorer(0).cards == ["lights-out"]

    table.put(1, "entrance-hall")
    table.turn(0)
    table.end_turn()
    assert table.explorer(0).cards == []


def test_the_candle_keeps_the_dark_away() -> None:
    table = Table()
    table.hold(0, "candle")
    draws(table, "lights-out")
    assert table.explorer(0).cards == ["candle"]


def test_a_candle_found_later_lifts_the_limit_at_once() -> None:
    table = Table()
    draws(table, "lights-out")
    table.turn(0)
    table.move("foyer")
    assert table.goals(0) == []
    table.happen(CardGained(card="candle", seat=0))
    assert table.goals(0)


def kept_result(table: Table, total: int) -> None:
    """Seat 0 keeps a result of It Is Meant to Be."""
    table.rolls(showing(4, total))
    table.draw(0, "event", "it-is-meant-to-be")
    table.choose(0, "keep")


def test_a_result_kept_counts_for_one_later_roll_and_is_used_up() -> None:
    table = Table()
    table.hold(0, "puzzle-box")
    kept_result(table, 6)
    table.turn(0)

    table.act("card:puzzle-box", "OPEN")
    told = table.choose(0, "card:it-is-meant-to-be#USE")

    assert the(told, ResultNamed).total == 6
    assert "it-is-meant-to-be" not in table.explorer(0).cards
    assert "puzzle-box" not in table.explorer(0).cards


def test_a_result_kept_is_no_more_than_the_dice_could_show() -> None:
    table = Table()
    table.hold(0, "puzzle-box")
    table.clips(0, knowledge=1)
    most = 2 * table.value(0, "knowledge")
    kept_result(table, 8)
    table.turn(0)

    table.act("card:puzzle-box", "OPEN")
    assert the(table.choose(0, "card:it-is-meant-to-be#USE"), ResultNamed).total == min(8, most) < 8


def test_a_result_kept_is_for_the_own_turn_only() -> None:
    table = Table()
    kept_result(table, 4)
    table.turn(1)
    table.rolls(*[showing(table.value(seat, "sanity"), 4) for seat in (1, 2, 0)])
    draws(table, "hideous-shriek", 1)
    assert not table.state.open


def test_whoever_looks_puts_three_cards_back_in_a_secret_order() -> None:
    table = Table()
    table.stack("item", "axe", "bell", "idol")
    table.draw(0, "event", "it-is-meant-to-be")
    table.choose(0, "look")
    table.choose(0, "item")
    assert table.view(1).open[table.asked(0).id].options == []

    told = table.choose(0, "3-1-2")

    assert events(heard(told, 1), SlotSeen) == []
    assert the(heard(told, 1), StackReordered).count == 3
    assert [slot.face for slot in table.view(0).decks["item"].top] == ["idol", "axe", "bell"]
    assert [slot.face for slot in table.view(1).decks["item"].top] == ["", "", ""]
    table.draw(1, "item")
    assert table.explorer(1).cards == ["idol"]


def test_the_back_of_the_tile_put_on_top_is_seen_by_all() -> None:
    table = Table()
    table.stack("tiles", "attic", "larder", "vault")
    table.draw(0, "event", "it-is-meant-to-be")
    table.choose(0, "look")
    table.choose(0, "tiles")
    table.choose(0, "2-3-1")

    top = table.view(2).decks["tiles"].top
    assert (top[0].back, top[0].face) == (table.rules.pack.back_of("larder"), "")


def test_by_another_ruling_the_order_stays() -> None:
    table = Table(options={"rulings": {"it-is-meant-to-be": "meant-to-be-no-reorder"}})
    table.stack("item", "axe", "bell", "idol")
    table.draw(0, "event", "it-is-meant-to-be")
    table.choose(0, "look")
    table.choose(0, "item")

    assert not table.state.open
    assert [slot.face for slot in table.view(0).decks["item"].top] == ["axe", "bell", "idol"]
