"""The third edition's cards, damage, trades and haunt roll (rulebook 2022, How to Play)."""

import pytest

from domain.facts.commands import Act, Attack, Drop, PickUp, Trade
from domain.facts.events import (
    CardDiscarded,
    CardDrawn,
    CardGained,
    DamageTaken,
    DiceRolled,
    HauntBegun,
    HauntRolled,
    Stopped,
    TraitChanged,
    TurnEnded,
)
from tests.support.table import Table, events, the
from tests.support.third import discover, third

# -- cards ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-CARD-003")
def test_a_resolved_event_lies_at_the_bottom_of_its_deck() -> None:
    table = third()
    size = table.state.decks["event"].size()
    table.rolls([0, 0, 0, 0])
    told = discover(table, "kitchen", event="alien-geometry")

    buried = the(told, CardDiscarded)
    assert (buried.card, buried.bury) == ("alien-geometry", True)
    deck = table.view(1).decks["event"]
    assert deck.size() == size
    assert deck.bottom[-1].face == "alien-geometry"


@pytest.mark.rule("3E-CARD-007", asserts=True)
def test_an_item_that_is_used_up_is_the_last_card_of_its_deck() -> None:
    table = third()
    table.hold(0, "mirror")
    table.clips(0, sanity=1)
    table.turn(0)
    table.act("card:mirror", "HEAL")
    assert table.view(1).decks["item"].bottom[-1].face == "mirror"
    assert table.explorer(0).cards == []


@pytest.mark.rule("3E-CARD-006")
def test_a_drawn_omen_is_seen_with_its_holder() -> None:
    table = third()
    discover(table.rolls([0]), "ballroom", omen="book")
    assert all(role.explorers[0].cards == ["book"] for role in table.roles.values())


@pytest.mark.rule("3E-CARD-008", asserts=True)
def test_an_always_on_effect_works_for_its_new_holder_in_the_same_turn() -> None:
    table = third()
    table.hold(1, "book")
    table.turn(0)
    table.hold(0, "map")
    table.turn(0)
    table.trade(1, ["map"], ["book"])
    table.choose(1, "yes")

    table.rolls([1, 1, 1, 0])
    told = discover(table, "kitchen", event="alien-geometry")

    rolled = the(told, DiceRolled)
    assert (rolled.bonus, rolled.total) == (1, 4)


@pytest.mark.rule("3E-DICE-001", "3E-DICE-005", asserts=True)
def test_a_roll_of_so_many_dice_is_no_trait_roll() -> None:
    table = third()
    table.hold(0, "book", "mask", "skull", "ring")
    table.turn(0)
    table.rolls([2, 2])
    told = discover(table, "kitchen", event="an-eerie-feeling")
    rolled = the(told, DiceRolled)
    assert (rolled.faces, rolled.bonus, rolled.total) == ([2, 2], 0, 4)


@pytest.mark.rule("3E-DICE-007", asserts=True)
@pytest.mark.parametrize("faces, trait", [([2, 2, 0, 0], "sanity"), ([2, 1, 0, 0], "speed")])
def test_a_result_of_four_meets_4_or_more_and_three_does_not(faces: list[int], trait: str) -> None:
    table = third()
    table.rolls(faces)
    assert the(discover(table, "kitchen", event="alien-geometry"), TraitChanged).trait == trait


@pytest.mark.rule("3E-DICE-003")
def test_a_trait_roll_has_as_many_dice_as_the_trait_is_now() -> None:
    table = third()
    table.traits(0, knowledge=6)
    table.rolls([0] * 6)
    told = discover(table, "kitchen", event="alien-geometry")
    assert len(the(told, DiceRolled).faces) == 6


# -- traits and damage ----------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRAIT-004", "3E-TRAIT-005")
def test_gains_and_losses_move_the_clip_by_spaces() -> None:
    table = third()
    table.rolls([0] * 4)
    told = discover(table, "kitchen", event="alien-geometry")
    assert (the(told, TraitChanged).trait, table.explorer(0).at[1]) == ("speed", 3)
    told = discover(table.rolls([0]), "chapel", door="west", omen="book")
    gained = events(told, TraitChanged)
    assert [(one.seat, one.trait, one.by) for one in gained] == [(1, "sanity", 1)]


@pytest.mark.rule("3E-TRAIT-002", asserts=True)
def test_a_clip_may_move_and_the_value_stay() -> None:
    table = third()
    table.clips(0, might=2)
    assert table.value(0, "might") == 3
    table.clips(0, might=1)
    assert table.value(0, "might") == 3


def test_a_trait_at_its_top_rises_no_further() -> None:
    table = third()
    table.clips(0, sanity=8)
    discover(table.rolls([0]), "chapel", omen="book")
    assert table.explorer(0).at[2] == 8
    assert table.explorer(0).surplus == {}


def bitten(**clips: int) -> Table:
    """Seat 0 is bitten: 3 points of physical damage, before the haunt."""
    table = third()
    table.clips(0, **clips)
    table.rolls([0] * table.value(0, "might"))
    discover(table, "kitchen", event="a-bite")
    return table


@pytest.mark.rule("3E-DMG-002")
@pytest.mark.parametrize("might", range(4))
def test_physical_damage_is_divided_freely_between_might_and_speed(might: int) -> None:
    table = bitten(might=5, speed=5)
    with table.refuses("3E-DMG-002"):
        table.allocate(0, might=2, sanity=1)
    told = table.allocate(0, might=might, speed=3 - might)
    assert the(told, DamageTaken).amount == 3


@pytest.mark.rule("3E-DMG-007")
def test_the_whole_damage_must_be_assigned_while_a_trait_can_drop() -> None:
    table = bitten(might=5, speed=5)
    with table.refuses("3E-DMG-007"):
        table.allocate(0, might=2)


@pytest.mark.rule("3E-DMG-006")
def test_a_critical_trait_is_spared_while_another_can_drop() -> None:
    table = bitten(might=1, speed=2)
    assert table.explorer(0).at[:2] == [1, 1], "one space of Speed is all that can be lost"
    assert table.explorer(0).alive
    table = bitten(might=1, speed=5)
    assert table.explorer(0).at[:2] == [1, 2]
    table = third()
    table.clips(0, might=1)
    table.rolls([0, 0, 0])
    discover(table, "kitchen", event="brain-food")  # 2 points of general damage
    with table.refuses("3E-DMG-006"):
        table.allocate(0, might=1, sanity=1)


def test_surplus_damage_before_the_haunt_is_lost() -> None:
    table = bitten(might=2, speed=2)
    assert table.explorer(0).at[:2] == [1, 1]
    assert table.explorer(0).alive


@pytest.mark.rule("3E-DMG-004")
@pytest.mark.rule("3E-DMG-001", asserts=True)
def test_general_damage_goes_to_any_trait() -> None:
    table = third()
    table.rolls([0] * 4)
    discover(table, "kitchen", event="a-full-table")
    table.choose(0, "knowledge")
    assert set(table.asked(0).caps) == {"might", "speed", "sanity", "knowledge"}
    told = table.allocate(0, sanity=1)
    assert the(told, DamageTaken).kind == "general"


@pytest.mark.rule("3E-DMG-003")
def test_mental_damage_goes_to_knowledge_and_sanity() -> None:
    table = third()
    table.rolls([0] * 4)
    discover(table, "kitchen", event="a-cry-for-help")
    assert set(table.asked(0).caps) == {"sanity", "knowledge"}
    table.allocate(0, sanity=1)


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
    table.trade(1, [], ["mirror"])
    table.choose(1, "yes")

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


# -- the haunt roll -------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-HROLL-001", "3E-HROLL-002")
def test_each_omen_is_rolled_for_at_once_with_a_die_for_every_omen_drawn() -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    table.rolls([2, 2, 0])

    told = discover(table, "ballroom", omen="book")

    rolled = the(told, HauntRolled)
    assert (rolled.omens, rolled.total, rolled.begins) == (3, 4, False)
    kinds = [type(one.event) for one in told]
    assert kinds.index(CardGained) < kinds.index(HauntRolled) < kinds.index(TurnEnded)


@pytest.mark.rule("3E-HROLL-003")
def test_five_or_more_starts_the_haunt() -> None:
    table = third()
    table.hold(1, "mask", "ring")
    table.turn(0)
    table.rolls([2, 2, 1])
    told = discover(table, "ballroom", omen="book")
    assert the(told, HauntRolled).begins
    assert the(told, HauntBegun).revealer == 0


@pytest.mark.rule("3E-CARD-001", asserts=True)
def test_items_and_events_bring_no_haunt_roll() -> None:
    table = third()
    told = discover(table, "conservatory", item="map")
    table.rolls([0] * 5)
    told += discover(table, "kitchen", door="west", event="alien-geometry")
    assert not events(told, HauntRolled)
    assert not events(told, HauntBegun)


@pytest.mark.rule("3E-HROLL-006")
def test_an_omen_tile_after_the_last_omen_gives_none_and_the_turn_ends() -> None:
    table = third()
    stack = table.state.decks["omen"].pool.copy()
    table.stack("omen", *stack)
    table.happen(*[CardDrawn(deck="omen", card=card, seat=0) for card in stack])
    told = discover(table, "ballroom")
    assert not events(told, CardDrawn)
    assert not events(told, Stopped)
    assert table.seat == 1
