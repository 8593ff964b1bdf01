"""What cards do in hand, trades and special actions of the third edition (rulebook 2022, How to Play)."""

import pytest

from domain.facts.commands import Act, Attack, Drop, PickUp, Trade
from domain.facts.events import CardGained, DiceRolled
from tests.support.table import the
from tests.support.third import discover, third

# -- cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-CARD-008", asserts=True)
def test_an_always_on_effect_works_for_its_new_holder_in_the_same_turn() -> None:
    table = third()
    table.hold(1, "book")
    table.turn(0)
    table.hold(0, "map")
    table.turn(0)
    table.swap(1, ["map"], ["book"])

    table.rolls([1, 1, 1, 0])
    told = discover(table, "kitchen", event="alien-geometry")

    rolled = the(told, DiceRolled)
    assert (rolled.bonus, rolled.total) == (1, 4)


# -- trade and special actions --------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRADE-001", "3E-TRADE-003")
def test_explorers_on_one_tile_trade_once_a_turn_and_may_only_take() -> None:
    table = third()
    table.hold(1, "map", "mirror")
    table.put(2, "hallway")
    table.turn(0)
    with table.refuses("3E-TRADE-001"):
        table.trade(2, [], ["map"])

    table.trade(1, [], ["map"])
    table.choose(1, "no")
    table.trade(1, [], ["map"])  # a refused offer does not use up the trade
    told = table.choose(1, "yes")

    assert the(told, CardGained).seat == 0
    with table.refuses("3E-TRADE-003"):
        table.trade(1, ["map"])


@pytest.mark.rule("3E-ACT-001", asserts=True)
@pytest.mark.rule("3E-ACT-004")
def test_different_special_actions_go_into_one_turn() -> None:
    table = third()
    table.hold(0, "mirror", "strange-medicine")
    table.clips(0, sanity=1, might=1)
    table.turn(0)
    assert {one.source for one in table.offers(0) if isinstance(one, Act)} == {
        "card:mirror",
        "card:strange-medicine",
    }
    table.act("card:mirror", "HEAL")
    table.act("card:strange-medicine", "HEAL")


@pytest.mark.rule("3E-ACT-005")
def test_a_card_gained_this_turn_gives_no_special_action_yet() -> None:
    table = third()
    table.hold(1, "mirror")
    table.clips(0, sanity=1)
    table.turn(0)
    table.swap(1, [], ["mirror"])

    with table.refuses("3E-ACT-005"):
        table.act("card:mirror", "HEAL")
    table.turn(0)
    table.act("card:mirror", "HEAL")


@pytest.mark.rule("3E-ACT-006")
def test_special_actions_belong_to_the_own_turn() -> None:
    table = third()
    table.hold(1, "mirror")
    table.turn(0)
    with table.refuses("3E-ACT-006"):
        table.play(1, Act(decision=table.now, source="card:mirror", word="HEAL"))


@pytest.mark.rule("3E-ATK-001")
def test_nobody_attacks_before_the_haunt_nor_drops_anything() -> None:
    table = third()
    table.hold(0, "map")
    table.turn(0)
    for kind in (Attack, Drop, PickUp):
        assert not table.offers(0, kind)
    with table.refuses("3E-ATK-001"):
        table.attack(1)
    with table.refuses("3E-TRADE-001"):
        table.drop("map")
    assert table.offers(0, Trade)
