"""Items, omens, weapons, companions: what they are and how they are used (rulebook: Use Item and Omen Cards)."""

import pytest

from domain.commands import Act, Attack, Drop, Trade
from domain.events import ActionTaken, CardDrawn, DiceRolled, ExplorerAttacked, SurplusNoted, TraitChanged
from tests.support.packs import pack, rules_with
from tests.support.table import Table, events, the


@pytest.mark.rule("2E-ITEM-001")
def test_the_traitor_uses_an_item_drawn_before_the_haunt() -> None:
    table = Table()
    table.hold(0, "smelling-salts")
    table.traits(0, knowledge=2)
    table.haunt("the-bell-below", traitor=0)

    table.act("card:smelling-salts", "HEAL", target=0)

    assert table.value(0, "knowledge") == 3


@pytest.mark.rule("2E-ITEM-003")
@pytest.mark.parametrize("steps_before", [0, 1, 2])
def test_an_item_is_used_before_between_or_after_moves(steps_before: int) -> None:
    table = Table()
    table.hold(0, "puzzle-box")
    table.turn(0)
    rooms = ["foyer", "grand-staircase"]

    table.move(*rooms[:steps_before])
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")
    table.move(*rooms[steps_before:])

    assert table.explorer(0).room == "grand-staircase"


@pytest.mark.rule("2E-TURN-001")
def test_an_item_is_not_used_in_another_players_turn() -> None:
    table = Table()
    table.hold(1, "puzzle-box")
    table.turn(0)

    assert not table.offers(1)
    with table.refuses("2E-TURN-001"):
        table.play(1, Act(decision=table.now, source="card:puzzle-box", word="OPEN"))


def test_what_a_card_adjusts_all_the_time_is_no_use_of_it() -> None:
    table = Table()
    table.hold(0, "armor")
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    table.turn(0)
    table.end_turn()  # the point of damage is taken by the armor
    assert "card:armor" not in table.state.used


@pytest.mark.rule("2E-ITEM-004", asserts=True)
def test_the_spear_is_traded_dropped_stolen_and_picked_up_like_an_item_card() -> None:
    table = Table()
    table.hold(0, "spear")
    table.turn(0)
    assert table.offers(0, Trade)
    table.drop("spear")
    table.turn(0)
    table.pick_up("spear")
    assert table.explorer(0).cards == ["spear"]
    assert table.rules.pack.can("spear", "steal")


@pytest.mark.rule("2E-ITEM-005")
def test_an_explorer_with_ten_items_draws_an_eleventh() -> None:
    ten = ["armor", "axe", "bottle", "idol", "revolver", "angel-feather", "healing-salve", "puzzle-box", "lucky-stone"]
    table = Table()
    table.hold(0, *ten, "medical-kit")
    table.turn(0)
    table.stack("tiles", "bloody-room")
    table.stack("item", "smelling-salts")

    table.explore("east")

    assert len(table.explorer(0).cards) == 11


@pytest.mark.rule("2E-ITEM-012")
@pytest.mark.parametrize("omen", ["bite", "dog", "girl", "madman"])
def test_four_omens_are_no_items(omen: str) -> None:
    table = Table()
    table.hold(0, omen)
    table.turn(0)

    assert not table.offers(0, Drop)
    assert not table.offers(0, Trade)
    with table.refuses("2E-ITEM-012"):
        table.drop(omen)
    with table.refuses("2E-ITEM-012"):
        table.trade(1, [omen])
    assert not table.rules.pack.can(omen, "steal")


@pytest.mark.rule("2E-ITEM-011")
def test_a_card_that_says_so_is_not_traded() -> None:
    table = Table()
    table.hold(0, "blood-dagger")
    table.turn(0)

    assert not table.offers(0, Trade)
    with table.refuses("2E-ITEM-011"):
        table.trade(1, ["blood-dagger"])


@pytest.mark.rule("2E-ITEM-013")
def test_a_weapon_that_attacked_is_not_traded_in_that_turn() -> None:
    table = Table()
    table.hold(0, "spear")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([1] * 7, [1, 1, 1]).attack(1, "spear")
    table.allocate(1, might=4)

    with table.refuses("2E-ITEM-013"):
        table.trade(2, ["spear"])


@pytest.mark.rule("2E-ITEM-013")
def test_an_item_picked_up_is_not_used_before_the_next_turn() -> None:
    table = Table()
    table.pile("entrance-hall", "puzzle-box", "healing-salve")
    table.turn(0)
    table.pick_up("puzzle-box")

    with table.refuses("2E-ITEM-013"):
        table.act("card:puzzle-box", "OPEN")
    table.turn(0)
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")


@pytest.mark.rule("2E-ITEM-013")
def test_one_item_is_used_and_another_dropped() -> None:
    table = Table()
    table.hold(0, "puzzle-box", "axe")
    table.turn(0)

    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")
    table.drop("axe")

    with table.refuses("2E-ITEM-007"):
        table.drop("puzzle-box")


@pytest.mark.rule("2E-ITEM-014", asserts=True)
def test_a_roll_with_an_items_bonus_spends_its_action() -> None:
    table = Table()
    table.hold(0, "idol", "puzzle-box")
    table.turn(0)
    table.act("card:puzzle-box", "OPEN")
    told = table.rolls([0, 0, 0, 0, 0]).choose(0, "card:idol#PRAY")

    assert len(the(told, DiceRolled).faces) == 5
    assert "card:idol" in table.state.used
    with table.refuses("2E-ITEM-013"):
        table.trade(1, ["idol"])


@pytest.mark.rule("2E-ITEM-015", "2E-TRAIT-004")
def test_a_bonus_that_does_not_fit_is_noted_for_the_card() -> None:
    table = Table()
    table.clips(0, knowledge=7)
    table.hold(0, "book")  # worth 2 Knowledge

    assert table.explorer(0).at[3] == 8
    assert table.explorer(0).surplus == {"book/knowledge": 1}


@pytest.mark.rule("2E-ITEM-016")
def test_a_lost_bonus_comes_off_the_note_first() -> None:
    table = Table()
    table.clips(0, knowledge=7)
    table.hold(0, "book")
    table.turn(0)

    told = table.drop("book")

    assert the(told, SurplusNoted).spaces == 0
    assert the(told, TraitChanged).by == -1
    assert table.explorer(0).surplus == {}


def test_with_nothing_noted_the_whole_bonus_is_lost() -> None:
    table = Table()
    table.hold(0, "book")
    table.turn(0)

    assert the(table.drop("book"), TraitChanged).by == -2


@pytest.mark.rule("2E-ITEM-015")
def test_what_a_card_gives_as_it_goes_is_not_noted_for_it() -> None:
    """The Madman takes 1 Sanity while he is there, and gives it back when he goes: that once does not spare it later."""
    table = Table()
    table.clips(0, might=7)
    table.hold(0, "madman")
    assert table.explorer(0).surplus == {"madman/might": 1}
    table.clips(0, sanity=8)

    table.bereave(0, "madman")
    assert table.explorer(0).surplus == {}
    table.clips(0, sanity=4)
    table.hold(0, "madman")

    assert table.explorer(0).at[2] == 3


HAUNT_WITH_TOKENS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: bell-tongue, deck: item, title: Bell Tongue, text: T}
    - {id: shackle, deck: item, title: Shackle, text: T, barred: [trade, steal]}
  heroes:
    story: S
    goal: G
    actions:
      - {word: FIND, do: [{give: bell-tongue}, {give: shackle}]}
  traitor-book: {story: S, goal: G}
"""


@pytest.mark.rule("2E-ITEM-017")
def test_an_item_token_of_a_haunt_changes_hands_like_a_card_unless_the_haunt_bars_it() -> None:
    table = Table(game=rules_with(haunt=HAUNT_WITH_TOKENS))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "FIND")
    table.turn(0)

    with table.refuses("2E-ITEM-011"):
        table.trade(2, ["shackle"])
    table.trade(2, ["bell-tongue"])
    table.choose(2, "yes")

    assert table.explorer(2).cards == ["bell-tongue"]
    table.drop("shackle")
    assert table.view(2).piles[0].cards == ["shackle"]


@pytest.mark.rule("2E-ITEM-018", asserts=True)
def test_five_cards_are_weapons() -> None:
    rules = Table().rules
    weapons = {card.id for card in pack("second-edition").cards if rules.pack.is_weapon(card.id)}
    assert weapons == {"axe", "blood-dagger", "revolver", "sacrificial-dagger", "spear"}


@pytest.mark.rule("2E-ITEM-019")
def test_a_weapon_does_not_help_in_defending_and_nobody_asks_for_it() -> None:
    table = Table()
    table.hold(1, "axe")
    table.haunt("the-bell-below", traitor=0)

    told = table.rolls([1, 1, 1, 0, 0], [1, 1, 1]).attack(1)

    defense = next(one for one in events(told, DiceRolled) if one.kind == "defense")
    assert len(defense.faces) == 3  # Zoe's Might, and no die of the Axe
    table.turn(0)
    with table.refuses("2E-ITEM-019"):
        table.attack(1, "axe")  # it is the defender's


@pytest.mark.rule("2E-ITEM-020")
def test_of_two_weapons_an_attack_uses_one() -> None:
    table = Table()
    table.hold(0, "axe", "spear")
    table.haunt("the-bell-below", traitor=1)
    attacks = [one.weapon for one in table.offers(0) if isinstance(one, Attack)]
    assert attacks == [None, "axe", "spear"]

    told = table.rolls([0] * 6, [0, 0, 0]).attack(1, "axe")

    assert the(told, ExplorerAttacked).weapon == "axe"
    with table.refuses("2E-ATK-002"):
        table.attack(1, "spear")


@pytest.mark.rule("2E-ITEM-021")
def test_an_armed_attacker_may_leave_the_weapon_alone() -> None:
    table = Table()
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)

    told = table.rolls([0] * 5, [0, 0, 0]).attack(1)

    assert [len(one.faces) for one in events(told, DiceRolled)] == [5, 3]
    assert "card:axe" not in table.state.used


@pytest.mark.rule("2E-ITEM-022", asserts=True)
def test_a_companion_goes_where_its_custodian_goes() -> None:
    table = Table()
    table.hold(0, "dog")
    table.turn(0)

    table.move("foyer")

    assert {card.id for card in pack("second-edition").cards if "companion" in card.kinds} == {"dog", "girl", "madman"}
    assert table.explorer(0).cards == ["dog"]
    assert table.view(1).companions == {}  # it waits nowhere: it is with its custodian


@pytest.mark.rule("2E-ITEM-023", asserts=True)
def test_a_companion_cannot_be_attacked() -> None:
    table = Table()
    table.hold(1, "dog")
    table.haunt("the-bell-below", traitor=1)

    targets = [one.target for one in table.offers(0) if isinstance(one, Attack)]
    assert targets == [1]
    with table.refuses("2E-ATK-004"):
        table.attack("dog")


def test_a_reaction_is_announced_and_limited_like_any_use() -> None:
    table = Table()
    table.hold(0, "angel-feather", "puzzle-box")
    table.turn(0)
    table.act("card:puzzle-box", "OPEN")
    told = table.choose(0, "card:angel-feather#NAME")
    assert the(told, ActionTaken).source == "card:angel-feather"
    told = table.choose(0, "8")
    assert len(events(told, CardDrawn)) == 2
