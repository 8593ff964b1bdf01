"""Trading, dropping, picking up (rulebook: Use Item and Omen Cards)."""

import pytest

from domain.facts.commands import Choose, PickUp, Trade
from domain.facts.events import CardGained, Declined, TradeProposed
from tests.support.table import Table, events, the


@pytest.mark.rule("2E-ITEM-006", case=1)
def test_without_the_partners_consent_nothing_changes_hands() -> None:
    table = Table()
    table.hold(0, "axe")
    table.turn(0)

    told = table.trade(1, ["axe"])
    assert the(told, TradeProposed).partner == 1
    assert table.asked(1).options == ["yes", "no"]
    with table.refuses(problem="not-your-decision"):
        table.play(0, Choose(decision=table.asked(1).id, option="yes"))
    told = table.choose(1, "no")

    assert the(told, Declined).seat == 1
    assert table.explorer(0).cards == ["axe"]


@pytest.mark.rule("2E-ITEM-006", case=2)
def test_a_trade_needs_a_partner_in_the_room() -> None:
    table = Table()
    table.hold(0, "axe")
    table.put(1, "foyer")
    table.turn(0)

    assert {one.partner for one in table.offers(0) if isinstance(one, Trade)} == {2}
    with table.refuses("2E-ITEM-006"):
        table.trade(1, ["axe"])


@pytest.mark.rule("2E-ITEM-006", case=3)
def test_a_second_trade_in_a_turn_is_refused() -> None:
    table = Table()
    table.hold(0, "axe", "armor")
    table.turn(0)
    table.swap(1, ["axe"])

    with table.refuses("2E-ITEM-006"):
        table.trade(2, ["armor"])


def test_a_trade_may_bring_something_in_return_and_must_give_something() -> None:
    table = Table()
    table.hold(0, "axe")
    table.hold(1, "armor", "idol")
    table.turn(0)
    with table.refuses("2E-ITEM-006"):
        table.trade(1, [], ["armor"])

    table.trade(1, ["axe"], ["armor"])
    told = table.choose(1, "yes")

    assert sorted((one.seat, one.card) for one in events(told, CardGained)) == [(0, "armor"), (1, "axe")]


@pytest.mark.rule("2E-ITEM-007", case=1)
def test_two_items_dropped_lie_in_one_pile() -> None:
    table = Table()
    table.hold(0, "axe", "armor")
    table.turn(0)

    table.drop("axe", "armor")

    assert [(pile.room, pile.cards) for pile in table.view(2).piles] == [("entrance-hall", ["axe", "armor"])]


@pytest.mark.rule("2E-ITEM-007")
def test_items_dropped_together_lie_in_one_pile_and_join_what_lies_there() -> None:
    table = Table()
    table.hold(0, "axe", "armor")
    table.pile("entrance-hall", "idol")
    table.turn(0)

    table.drop("axe", "armor")

    assert [(pile.room, pile.cards) for pile in table.view(2).piles] == [("entrance-hall", ["idol", "axe", "armor"])]


@pytest.mark.rule("2E-ITEM-007", case=3)
@pytest.mark.parametrize("part", [0, 1])
def test_what_is_dropped_in_the_chasm_lies_on_the_droppers_part(part: int) -> None:
    table = Table()
    table.hold(0, "axe")
    table.lay("chasm", "basement", 1, 0)
    table.put(0, "chasm", part=part)
    table.turn(0)

    table.drop("axe")

    assert [(pile.room, pile.part, pile.cards) for pile in table.view(1).piles] == [("chasm", part, ["axe"])]


@pytest.mark.rule("2E-ITEM-007", case=2)
def test_a_second_drop_in_a_turn_is_refused() -> None:
    table = Table()
    table.hold(0, "axe", "armor")
    table.turn(0)
    table.drop("axe")

    with table.refuses("2E-ITEM-007"):
        table.drop("armor")


@pytest.mark.rule("2E-ITEM-008", case=1)
def test_another_explorer_enters_and_takes_one_of_two_items() -> None:
    table = Table()
    table.hold(0, "axe", "armor")
    table.put(1, "foyer")
    table.turn(0)
    table.drop("axe", "armor")
    table.turn(1)
    table.move("entrance-hall")

    table.pick_up("armor")

    assert table.explorer(1).cards == ["armor"]
    assert table.view(2).piles[0].cards == ["axe"]


@pytest.mark.rule("2E-ITEM-008", case=2)
def test_whoever_dropped_an_item_takes_it_up_again_in_a_later_turn_only() -> None:
    table = Table()
    table.hold(0, "axe")
    table.turn(0)
    table.drop("axe")
    assert not table.offers(0, PickUp)
    with table.refuses("2E-ITEM-013"):
        table.pick_up("axe")
    table.end_turn()
    table.begin_turn(0)

    table.pick_up("axe")

    assert table.explorer(0).cards == ["axe"]


@pytest.mark.rule("2E-ITEM-009", case=1)
def test_the_last_item_taken_takes_the_pile_away() -> None:
    table = Table()
    table.pile("entrance-hall", "axe")
    table.turn(0)

    table.pick_up("axe")

    assert table.view(1).piles == []


@pytest.mark.rule("2E-ITEM-009", case=3)
def test_one_item_is_traded_a_second_dropped_and_a_third_picked_up() -> None:
    table = Table()
    table.hold(0, "axe", "armor")
    table.pile("entrance-hall", "idol")
    table.turn(0)

    table.swap(1, ["axe"])
    table.drop("armor")
    table.pick_up("idol")

    assert [table.explorer(seat).cards for seat in (0, 1)] == [["idol"], ["axe"]]
    assert table.view(2).piles[0].cards == ["armor"]


@pytest.mark.rule("2E-ITEM-009", case=4)
def test_a_second_pick_up_is_refused_in_another_room_too() -> None:
    table = Table()
    table.pile("entrance-hall", "axe")
    table.pile("foyer", "armor")
    table.turn(0)
    table.pick_up("axe")
    table.move("foyer")

    assert not table.offers(0, PickUp)
    with table.refuses("2E-ITEM-009"):
        table.pick_up("armor")


@pytest.mark.rule("2E-ITEM-009", case=2)
def test_a_second_pick_up_in_a_turn_is_refused() -> None:
    table = Table()
    table.pile("entrance-hall", "axe", "armor", "idol")
    table.turn(0)
    assert [one.cards for one in table.offers(0) if isinstance(one, PickUp)] == [
        ["axe"],
        ["armor"],
        ["idol"],
        ["axe", "armor", "idol"],
    ]
    table.pick_up("axe", "idol")

    with table.refuses("2E-ITEM-009"):
        table.pick_up("armor")


@pytest.mark.rule("2E-ITEM-013")
def test_what_changed_hands_has_spent_its_action_for_the_receiver_too() -> None:
    table = Table()
    table.pile("entrance-hall", "axe")
    table.turn(0)
    table.pick_up("axe")

    with table.refuses("2E-ITEM-013"):
        table.drop("axe")


def test_a_card_that_is_not_held_cannot_be_given_dropped_or_taken() -> None:
    table = Table()
    table.hold(0, "axe")
    table.turn(0)
    with table.refuses("2E-ITEM-006"):
        table.trade(1, ["armor"])
    with table.refuses("2E-ITEM-006"):
        table.trade(1, ["axe"], ["armor"])
    with table.refuses("2E-ITEM-009"):
        table.pick_up("armor")
    with table.refuses("2E-ITEM-007", problem="not-an-option"):
        table.drop("axe", "axe")
