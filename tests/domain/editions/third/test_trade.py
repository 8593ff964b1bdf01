"""Trading, and special actions of cards beside what works all the time (rulebook 2022, Trade and Special Actions)."""

import pytest

from domain.facts.commands import Act, Drop, PickUp, Trade
from domain.facts.events import (
    ActionTaken,
    AttackDecided,
    CardGained,
    CardLost,
    DiceRolled,
    Moved,
    ResultNamed,
    RuleApplied,
    TraitChanged,
    Used,
)
from domain.rulebook.cards.belongings import partners
from tests.support.fate import showing
from tests.support.table import Table, events, the
from tests.support.third import discover, haunted, third

# -- what works all the time ----------------------------------------------------------------------------------------


@pytest.mark.rule("3E-CARD-008", case=1, asserts=True)
def test_a_mask_speeds_its_new_holder_right_after_the_trade() -> None:
    table = third()
    table.hold(1, "mask")
    table.turn(0)
    table.swap(1, [], ["mask"])
    speed = table.value(0, "speed")
    table.rolls(showing(speed, 4))
    table.draw(0, "event", "behind-you")
    rolled = the(table.commits[-1], DiceRolled)
    assert (rolled.trait, rolled.bonus, rolled.total) == ("speed", 1, 5)


@pytest.mark.rule("3E-CARD-008")
def test_a_brooch_that_was_just_received_works_and_is_traded_on() -> None:
    table = third()
    table.hold(1, "brooch")
    table.turn(0)
    table.swap(1, [], ["brooch"])
    table.rolls(showing(table.value(0, "speed"), 0))
    table.draw(0, "event", "behind-you")
    used = table.choose(0, "card:brooch#CONVERT")
    table.allocate(0, sanity=1)
    assert the(used, ActionTaken).rule == "3E-CARD-008"
    assert not [one for one in events(used, Used) if one.key == "card:brooch"]
    table.happen(CardLost(card="brooch", seat=0), CardGained(card="brooch", seat=1))
    assert "card:brooch" not in table.state.used


def test_a_brooch_works_in_the_turn_of_somebody_else() -> None:
    table = haunted()
    table.hold(1, "brooch")
    table.turn(0)
    table.rolls(showing(table.value(0, "might"), 6), showing(table.value(1, "might"), 1))
    table.attack(1)
    table.choose(1, "card:brooch#CONVERT")
    assert set(table.asked(1).caps) == {"might", "speed", "sanity", "knowledge"}


def test_a_camera_that_was_just_received_works_and_only_once_for_a_roll() -> None:
    table = third()
    table.hold(1, "magic-camera")
    table.turn(0)
    table.swap(1, [], ["magic-camera"])
    table.rolls(showing(table.value(0, "sanity"), 0))
    table.draw(0, "event", "alien-geometry")
    told = table.choose(0, "card:magic-camera#LOOK")
    assert the(told, DiceRolled).trait == "sanity"
    assert "card:magic-camera" not in table.state.used


@pytest.mark.rule("3E-CARD-008")
def test_a_key_opens_walls_at_once_and_may_be_traded_afterwards() -> None:
    table = third()
    table.hold(1, "skeleton-key")
    for seat in range(3):
        table.put(seat, "hallway")
    table.lay("kitchen", "ground", 1, 1)
    table.put(1, "entrance-hall")
    table.put(0, "entrance-hall")
    table.turn(0)
    table.swap(1, [], ["skeleton-key"])
    behind = [one.target for one in table.offers(0, Act) if isinstance(one, Act) and one.word == "PASS"]
    assert behind, "it works in the turn of receiving"
    table.rolls([1])
    told = table.act("card:skeleton-key", "PASS", behind[0])
    assert the(told, ActionTaken).rule == "3E-CARD-008", "it is no special action"
    assert the(told, Moved).room == behind[0]
    assert "card:skeleton-key" not in table.state.used


@pytest.mark.parametrize("card, about", [("idol", "pass-over"), ("holy-symbol", "bury-tile")])
@pytest.mark.rule("3E-ACT-005")
def test_what_an_idol_or_a_symbol_permits_is_a_special_action_and_waits_a_turn(card: str, about: str) -> None:
    """Their action comes with a discovery: nobody is asked in the turn of receiving, and everybody is in the next."""
    table = third()
    table.hold(1, card, "mask")
    table.turn(0)
    table.swap(1, [], [card, "mask"])
    with table.refuses("3E-ACT-005"):
        table.act("card:mask", "FRIGHTEN")
    table.stack("tiles", "kitchen")
    table.stack("event", "behind-you")
    table.rolls(showing(table.value(0, "speed"), 5))
    table.explore("east")
    table.lay_anyhow()
    assert not any(one.about.startswith(("pass-over", "bury-tile")) for one in table.state.open.values())
    table.turn(0)
    table.stack("tiles", "dining-room")
    table.explore("east")
    if card == "idol":
        table.lay_anyhow()
    assert table.asked(0).about.startswith(about)


def test_a_necklace_that_was_just_received_raises_nothing_yet() -> None:
    table = third()
    table.hold(1, "necklace-of-teeth")
    table.clips(0, might=1)
    table.turn(0)
    table.swap(1, [], ["necklace-of-teeth"])
    told = table.end_turn()
    assert not table.is_asked(0)
    assert "3E-ACT-005" in [one.rule for one in events(told, RuleApplied)]
    table.begin_turn(0)
    table.end_turn()
    assert table.is_asked(0)


def test_a_feather_names_a_result_in_the_turn_of_somebody_else_too() -> None:
    table = haunted()
    table.hold(1, "angels-feather")
    table.turn(0)
    table.rolls(showing(table.value(0, "might"), 6))
    table.attack(1)
    assert table.asked(1).options == ["pass", "card:angels-feather#NAME"]


def test_what_other_cards_add_is_added_to_a_result_that_a_feather_names() -> None:
    table = haunted()
    table.hold(0, "angels-feather", "machete", "idol")
    table.turn(0)
    table.rolls(showing(table.value(1, "might"), 0)).attack(1, "machete")
    table.choose(0, "card:angels-feather#NAME")
    told = table.choose(0, "3")
    assert the(told, ResultNamed).bonus == 2
    assert the(told, AttackDecided).attack == 5


def test_a_feather_may_be_kept_to_the_own_turn_by_the_table() -> None:
    table = Table(
        ("oliver-swift", "anita-hernandez", "michelle-monroe"),
        game=haunted().rules,
        options={"rulings": {"angels-feather": "feather-in-own-turn"}},
    )
    table.haunt("h", traitor=1)
    table.hold(1, "angels-feather")
    table.turn(0)
    table.rolls(showing(table.value(0, "might"), 2), showing(table.value(1, "might"), 2))
    table.attack(1)
    assert not table.state.open


# -- special actions ------------------------------------------------------------------------------------------------


def together(*cards: str) -> Table:
    """Seat 0 has these cards since an earlier turn; all three are in the Hallway."""
    table = third()
    table.hold(0, *cards)
    for seat in range(3):
        table.put(seat, "hallway")
    table.turn(0)
    return table


def frighten(table: Table) -> None:
    """The holder of the Mask sends everybody else away."""
    table.act("card:mask", "FRIGHTEN")
    while table.is_asked(table.seat):
        table.choose(table.seat, table.asked(table.seat).options[0])


@pytest.mark.rule("3E-ACT-001", case=1)
def test_special_actions_are_those_of_cards_the_tile_and_the_haunt_whose_condition_holds() -> None:
    table = haunted(
        "{word: SING, do: [{gain: {trait: might}}]}",
        "{word: WEEP, if: {in: hallway}, do: [{gain: {trait: sanity}}]}",
    )
    table.hold(0, "map", "machete", "mystical-stopwatch", "armor", "mirror")
    table.clips(0, might=3, speed=3, sanity=8, knowledge=8)
    table.turn(0)
    offered = {(one.source, one.word) for one in table.offers(0, Act) if isinstance(one, Act)}
    assert offered == {
        ("card:map", "TRAVEL"),
        ("card:mystical-stopwatch", "STOP"),
        ("haunt:heroes", "SING"),
    }
    with table.refuses("3E-ANAT-006"):
        table.act("haunt:heroes", "WEEP")
    with table.refuses("3E-ACT-001"):
        table.act("card:armor", "WEAR")


@pytest.mark.rule("3E-ACT-002", case=1, asserts=True)
def test_a_turn_ends_without_the_special_action_that_was_there_to_be_taken() -> None:
    table = together("mask")
    assert table.offers(0, Act)
    table.end_turn()
    assert table.seat == 1


@pytest.mark.rule("3E-ACT-002")
def test_a_special_action_that_answers_a_roll_may_be_passed_over() -> None:
    table = third()
    table.hold(0, "rabbits-foot")
    table.turn(0)
    table.rolls(showing(table.value(0, "speed"), 4))
    table.draw(0, "event", "behind-you")
    with table.refuses("3E-ACT-002"):
        table.choose(0, "card:map#TRAVEL")
    table.choose(0, "pass")
    assert "card:rabbits-foot" not in table.state.used


@pytest.mark.rule("3E-ACT-003", case=1)
def test_a_special_action_is_taken_once_a_turn_and_again_in_the_next() -> None:
    table = together("mask")
    frighten(table)
    for seat in (1, 2):
        table.put(seat, table.explorer(0).room)
    with table.refuses("3E-ACT-003"):
        table.act("card:mask", "FRIGHTEN")
    table.turn(0)
    frighten(table)


@pytest.mark.rule("3E-ACT-003", case=2, asserts=True)
def test_two_heroes_take_the_same_action_of_the_haunt_each_in_the_own_turn() -> None:
    table = haunted("{word: SING, do: [{gain: {trait: sanity}}]}")
    for seat in (0, 2):
        table.turn(seat)
        told = table.act("haunt:heroes", "SING")
        assert the(told, TraitChanged).seat == seat
        with table.refuses("3E-ANAT-006"):
            table.act("haunt:heroes", "SING")


@pytest.mark.rule("3E-ACT-004", case=1)
def test_special_actions_of_two_items_go_into_one_turn() -> None:
    table = third()
    table.hold(0, "mirror", "strange-medicine")
    table.clips(0, sanity=1, might=1)
    table.turn(0)
    table.act("card:mirror", "HEAL")
    assert the(table.act("card:strange-medicine", "HEAL"), ActionTaken).rule == "3E-ACT-004"


@pytest.mark.rule("3E-ACT-005", case=1)
def test_a_mask_from_a_trade_frightens_nobody_in_this_turn_and_everybody_in_the_next() -> None:
    table = third()
    table.hold(1, "mask")
    for seat in range(3):
        table.put(seat, "hallway")
    table.turn(0)
    table.swap(1, [], ["mask"])
    with table.refuses("3E-ACT-005"):
        table.act("card:mask", "FRIGHTEN")
    table.turn(0)
    frighten(table)


@pytest.mark.rule("3E-ACT-005", case=2)
def test_an_item_from_a_corpse_is_not_used_in_this_turn() -> None:
    table = haunted()
    table.hold(2, "mirror")
    table.die(2)
    table.clips(0, sanity=1)
    table.turn(0)
    table.loot(2, "mirror")
    with table.refuses("3E-ACT-005"):
        table.act("card:mirror", "HEAL")
    table.turn(0)
    table.act("card:mirror", "HEAL")


@pytest.mark.rule("3E-ACT-005", case=3, asserts=True)
def test_a_mask_received_in_the_turn_of_another_is_used_in_the_own_next_turn() -> None:
    table = together("mask")
    table.swap(1, ["mask"])
    table.end_turn()
    assert table.seat == 1
    frighten(table)
    assert table.explorer(0).room != table.explorer(1).room


@pytest.mark.rule("3E-ACT-006", case=1)
def test_nobody_takes_a_special_action_in_the_turn_of_another() -> None:
    table = third()
    table.hold(1, "mirror")
    table.clips(1, sanity=1)
    table.turn(0)
    assert not table.offers(1)
    with table.refuses("3E-ACT-006"):
        table.play(1, Act(decision=table.now, source="card:mirror", word="HEAL"))


# -- trade ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("3E-TRADE-001", case=1)
def test_explorers_trade_on_one_tile_and_not_next_door() -> None:
    table = third()
    table.hold(0, "map")
    table.put(2, "hallway")
    table.turn(0)
    with table.refuses("3E-TRADE-001"):
        table.trade(2, ["map"])
    table.trade(1, ["map"])
    assert table.is_asked(1)


@pytest.mark.rule("3E-TRADE-001", case=2)
def test_hero_and_traitor_trade_in_the_haunt() -> None:
    table = haunted()
    table.hold(0, "map")
    table.hold(1, "gun")
    table.turn(0)
    table.swap(1, ["map"], ["gun"])
    assert table.explorer(1).cards == ["map"]


@pytest.mark.rule("3E-TRADE-001", case=3)
def test_nothing_is_dropped() -> None:
    for table in (third(), haunted()):
        table.hold(0, "map")
        table.turn(0)
        assert not table.offers(0, Drop)
        with table.refuses("3E-TRADE-001"):
            table.drop("map")
        with table.refuses("3E-TRADE-001"):
            table.play(0, PickUp(decision=table.now, cards=["map"]))


@pytest.mark.rule("3E-TRADE-002", case=1)
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_an_offer_does_nothing_before_the_other_accepts_it(answer: str) -> None:
    table = third()
    table.hold(0, "map")
    table.turn(0)
    table.trade(1, ["map"])
    assert table.explorer(0).cards == ["map"]
    with table.refuses("3E-TRADE-002"):
        table.choose(1, "perhaps")
    table.choose(1, answer)
    assert table.explorer(0).cards == ([] if answer == "yes" else ["map"])


@pytest.mark.rule("3E-TRADE-003", case=1)
def test_there_is_one_trade_a_turn_with_whomever() -> None:
    table = third()
    table.hold(0, "map", "mirror", "gun")
    table.turn(0)
    table.swap(1, ["map"])
    assert not table.offers(0, Trade)
    for partner in (1, 2):
        with table.refuses("3E-TRADE-003"):
            table.trade(partner, ["mirror"])


@pytest.mark.rule("3E-TRADE-003", case=2)
def test_a_refused_offer_leaves_the_trade_of_the_turn() -> None:
    table = third()
    table.hold(0, "map")
    table.turn(0)
    table.trade(1, ["map"])
    table.choose(1, "no")
    table.trade(2, ["map"])
    told = table.choose(2, "yes")
    assert [one.rule for one in events(told, Used)] == ["3E-TRADE-003"]
    assert table.explorer(2).cards == ["map"]


@pytest.mark.rule("3E-TRADE-004", case=1)
def test_three_cards_go_for_none() -> None:
    table = third()
    table.hold(0, "map", "mirror", "gun")
    table.turn(0)
    table.swap(1, ["map", "mirror", "gun"])
    assert table.explorer(1).cards == ["map", "mirror", "gun"]
    assert table.explorer(0).cards == []


@pytest.mark.rule("3E-TRADE-005", case=1)
def test_a_mask_that_frightened_is_not_given_away_in_this_turn() -> None:
    table = together("mask")
    frighten(table)
    table.put(1, table.explorer(0).room)
    with table.refuses("3E-TRADE-005"):
        table.trade(1, ["mask"])


@pytest.mark.rule("3E-TRADE-005", case=2, asserts=True)
def test_a_mask_that_frightened_is_given_away_in_a_later_turn() -> None:
    table = together("mask")
    frighten(table)
    table.put(1, table.explorer(0).room)
    table.turn(0)
    table.swap(1, ["mask"])
    assert table.explorer(1).cards == ["mask"]


@pytest.mark.rule("3E-TRADE-005")
def test_a_card_that_the_partner_used_in_this_turn_is_not_asked_for() -> None:
    table = third()
    table.hold(1, "mirror")
    table.turn(0)
    table.happen(Used(key="card:mirror", per="turn", seat=1))
    assert not table.offers(0, Trade)
    with table.refuses("3E-TRADE-005"):
        table.trade(1, [], ["mirror"])


def test_what_was_received_in_this_turn_was_not_used_and_may_be_asked_for() -> None:
    table = third()
    table.hold(0, "map")
    table.turn(0)
    table.trade(1, ["map"])
    told = table.choose(1, "yes")
    assert [one.key for one in events(told, Used)] == ["trade"]


# -- the dog ----------------------------------------------------------------------------------------------------------------


def with_dog(**rulings: str) -> Table:
    """Seat 0 has the Dog, the Map and the Book; seat 1 is upstairs."""
    table = Table(
        ("oliver-swift", "anita-hernandez", "michelle-monroe"), game=third().rules, options={"rulings": rulings}
    )
    table.hold(0, "dog", "map", "book")
    table.put(1, "upper-landing")
    table.turn(0)
    return table


@pytest.mark.rule("3E-TRADE-005")
def test_a_dog_that_has_carried_is_used_and_carries_no_dog() -> None:
    table = with_dog()
    far = {tuple(one.gives) for one in table.offers(0, Trade) if isinstance(one, Trade) and one.partner == 1}
    assert far == {("map",), ("book",)}
    with table.refuses("3E-META-002"):
        table.trade(1, ["dog"])
    table.trade(1, ["map", "book"])
    told = table.choose(1, "yes")
    assert "card:dog" in [one.key for one in events(told, Used)]
    assert table.explorer(1).cards == ["map", "book"]
    assert "3E-TRADE-005" in [one.rule for one in events(told, Used)]


def test_a_dog_carries_items_alone_where_the_table_plays_so() -> None:
    table = with_dog(dog="dog-carries-items")
    far = {tuple(one.gives) for one in table.offers(0, Trade) if isinstance(one, Trade) and one.partner == 1}
    assert far == {("map",)}
    with table.refuses("3E-META-002"):
        table.trade(1, ["book"])
    near = {tuple(one.gives) for one in table.offers(0, Trade) if isinstance(one, Trade) and one.partner == 2}
    assert near == {("dog",), ("map",), ("book",)}


def test_a_dog_that_was_just_received_carries_nothing_yet() -> None:
    table = third()
    table.hold(2, "dog", "map")
    table.put(1, "upper-landing")
    table.turn(0)
    table.swap(2, [], ["dog"])
    assert partners(table.rules, table.state, 0) == [2]
    table.turn(0)
    assert partners(table.rules, table.state, 0) == [1, 2]


def test_a_table_may_be_laid_for_knowledge_alone() -> None:
    table = Table(
        ("oliver-swift", "anita-hernandez", "michelle-monroe"),
        game=third().rules,
        options={"rulings": {"a-full-table": "full-table-by-knowledge"}},
    )
    table.rolls(showing(table.value(0, "knowledge"), 5))
    told = discover(table, "kitchen", event="a-full-table")
    assert the(told, DiceRolled).trait == "knowledge"
