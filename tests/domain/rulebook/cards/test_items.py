"""Items, omens, weapons, companions: what they are and how they are used (rulebook: Use Item and Omen Cards)."""

import msgspec
import pytest

from domain.facts.commands import Act, AnyCommand, Attack, Drop, Trade
from domain.facts.events import (
    ActionTaken,
    CardDrawn,
    DamageReduced,
    DamageTaken,
    DiceRolled,
    ExplorerAttacked,
    MonsterStunned,
    Moved,
    SurplusNoted,
    TileMoved,
    TraitChanged,
)
from tests.support.editions import in_each
from tests.support.fate import showing
from tests.support.packs import pack, rules_with
from tests.support.table import THREE, Table, events, the

# -- 2E-ITEM-001 to 003: who uses items, and when -----------------------------------------------------------------------


@pytest.mark.rule("2E-ITEM-001", case=1)
def test_the_traitor_uses_an_item_drawn_before_the_haunt() -> None:
    table = Table()
    table.turn(0)
    table.draw(0, "item", "smelling-salts")
    table.traits(0, knowledge=2)
    table.haunt("the-bell-below", traitor=0)

    table.act("card:smelling-salts", "HEAL", target=0)

    assert table.value(0, "knowledge") == 3


@pytest.mark.rule("2E-ITEM-003", case=1)
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
@pytest.mark.rule("2E-ITEM-003", case=2, asserts=True)
def test_an_item_is_not_used_in_another_players_turn_unless_its_card_permits_that() -> None:
    table = Table()
    table.hold(1, "puzzle-box", "angel-feather", "rabbits-foot")
    table.haunt("the-bell-below", traitor=0)

    assert not table.offers(1)
    with table.refuses("2E-TURN-001"):
        table.play(1, Act(decision=table.now, source="card:puzzle-box", word="OPEN"))
    table.rolls([0] * 5).attack(1)
    assert table.asked(1).options == ["pass", "card:angel-feather#NAME"]
    with table.refuses("2E-ITEM-001", problem="not-an-option"):
        table.choose(1, "card:rabbits-foot#REROLL")
    told = table.choose(1, "card:angel-feather#NAME")

    assert (the(told, ActionTaken).figure, table.seat) == (1, 0)


@pytest.mark.rule("2E-ITEM-003", case=3)
def test_an_item_is_used_once_in_a_turn_and_again_in_the_next() -> None:
    table = Table()
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    assert not table.offers(0, Act)
    with table.refuses("2E-ITEM-003"):
        table.act("card:puzzle-box", "OPEN")
    table.end_turn()
    table.begin_turn(0)
    told = table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    assert the(told, ActionTaken).source == "card:puzzle-box"


def test_what_a_card_adjusts_all_the_time_is_no_use_of_it() -> None:
    table = Table()
    table.hold(0, "armor")
    table.lay("furnace-room", "basement", 0, 1)
    table.put(0, "furnace-room")
    table.turn(0)
    table.end_turn()  # the point of damage is taken by the armor
    assert "card:armor" not in table.state.used


def test_a_reaction_is_announced_and_limited_like_any_use() -> None:
    table = Table()
    table.hold(0, "angel-feather", "puzzle-box")
    table.turn(0)
    table.act("card:puzzle-box", "OPEN")
    told = table.choose(0, "card:angel-feather#NAME")
    assert the(told, ActionTaken).source == "card:angel-feather"
    told = table.choose(0, "8")
    assert len(events(told, CardDrawn)) == 2


# -- 2E-ITEM-004 and 005: omens as items, and how many -------------------------------------------------------------------


def beaten(*cards: str, by: int = 2) -> Table:
    """Seat 0 has won an attack on the traitor, who holds these cards, by so many points."""
    table = Table()
    table.hold(1, *cards)
    table.haunt("the-bell-below", traitor=1)
    table.rolls(showing(5, by), [0, 0, 0]).attack(1)
    return table


@pytest.mark.rule("2E-ITEM-004", case=1, asserts=True)
def test_the_spear_is_traded_dropped_stolen_and_picked_up_like_an_item_card() -> None:
    table = Table()
    table.hold(0, "spear")
    table.turn(0)
    table.swap(1, ["spear"])
    assert table.explorer(1).cards == ["spear"]
    table.turn(1)
    table.drop("spear")
    assert table.view(0).piles[0].cards == ["spear"]
    table.turn(2)
    table.pick_up("spear")
    assert table.explorer(2).cards == ["spear"]

    table = beaten("spear")
    table.choose(0, "spear")

    assert table.explorer(0).cards == ["spear"]


@pytest.mark.rule("2E-ITEM-005", case=1)
def test_an_explorer_with_ten_items_draws_an_eleventh() -> None:
    nine = ["armor", "axe", "bottle", "idol", "revolver", "angel-feather", "healing-salve", "puzzle-box", "lucky-stone"]
    table = Table()
    table.hold(0, *nine, "medical-kit")
    table.turn(0)
    table.stack("tiles", "bloody-room")
    table.stack("item", "smelling-salts")

    table.explore("east")

    assert len(table.explorer(0).cards) == 11


# -- 2E-ITEM-011 and 012: what some cards bar -----------------------------------------------------------------------------


@pytest.mark.rule("2E-ITEM-011", case=1, asserts=True)
def test_the_armor_is_traded_and_dropped_but_not_stolen() -> None:
    table = beaten("armor", "axe", by=3)
    assert table.asked(0).options == ["damage", "axe"]
    with table.refuses("2E-STEAL-001", problem="not-an-option"):
        table.choose(0, "armor")
    table.choose(0, "axe")
    table.turn(1)

    table.swap(0, ["armor"])
    table.turn(0)
    table.drop("armor")

    assert table.view(2).piles[0].cards == ["armor"]


@pytest.mark.rule("2E-ITEM-011", case=2)
def test_the_blood_dagger_is_stolen_but_neither_traded_nor_dropped() -> None:
    table = Table()
    table.hold(1, "blood-dagger")
    table.turn(1)
    assert not table.offers(1, Trade)
    assert not table.offers(1, Drop)
    with table.refuses("2E-ITEM-011"):
        table.trade(0, ["blood-dagger"])
    with table.refuses("2E-ITEM-011"):
        table.drop("blood-dagger")

    table.haunt("the-bell-below", traitor=1)
    table.rolls([2, 0, 0, 0, 0], [0, 0, 0]).attack(1)
    table.rolls([0, 0]).choose(0, "blood-dagger")

    assert table.explorer(0).cards == ["blood-dagger"]


@pytest.mark.rule("2E-ITEM-012", case=(1, 2, 3))
@pytest.mark.parametrize("omen", ["bite", "dog", "girl", "madman"])
def test_four_omens_are_no_items(omen: str) -> None:
    table = Table()
    table.hold(1, omen, "axe")
    table.turn(1)
    assert {one.cards[0] for one in table.offers(1) if isinstance(one, Drop)} == {"axe"}
    assert {one.gives[0] for one in table.offers(1) if isinstance(one, Trade)} == {"axe"}
    with table.refuses("2E-ITEM-012"):
        table.drop(omen)
    with table.refuses("2E-ITEM-012"):
        table.trade(2, [omen])

    table.haunt("the-bell-below", traitor=1)
    table.rolls([2, 2, 2, 2, 2], showing(table.value(1, "might"), 2)).attack(1)

    assert table.asked(0).options == ["damage", "axe"]
    with table.refuses("2E-STEAL-001", problem="not-an-option"):
        table.choose(0, omen)


# -- 2E-ITEM-013 and 014: one action for each item ------------------------------------------------------------------------


@pytest.mark.rule("2E-ITEM-013", case=1)
def test_a_weapon_that_attacked_is_not_traded_in_that_turn() -> None:
    table = Table()
    table.hold(0, "spear")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([1] * 7, [1, 1, 1]).attack(1, "spear")
    table.allocate(1, might=4)

    with table.refuses("2E-ITEM-013"):
        table.trade(2, ["spear"])


@pytest.mark.rule("2E-ITEM-013", case=2)
def test_an_item_picked_up_is_not_used_before_the_next_turn() -> None:
    table = Table()
    table.pile("entrance-hall", "puzzle-box", "healing-salve")
    table.turn(0)
    table.pick_up("puzzle-box")

    with table.refuses("2E-ITEM-013"):
        table.act("card:puzzle-box", "OPEN")
    table.turn(0)
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")


@in_each(pytest.mark.rule("2E-ITEM-013", case=3), pytest.mark.rule("PBP-ITEM-001", case=3))
def test_one_item_is_used_and_another_dropped(edition: str, rule: str) -> None:
    table = Table(game=rules_with(edition=edition))
    table.hold(0, "puzzle-box", "axe")
    table.turn(0)

    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")
    table.drop("axe")

    assert table.explorer(0).cards == ["puzzle-box"]
    assert table.view(1).piles[0].cards == ["axe"]


@pytest.mark.rule("2E-ITEM-013", case=4)
def test_an_item_just_drawn_is_used_and_not_traded_then() -> None:
    table = Table()
    table.turn(0)
    table.draw(0, "item", "puzzle-box")

    told = table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    assert the(told, ActionTaken).source == "card:puzzle-box"
    with table.refuses("2E-ITEM-013"):
        table.trade(1, ["puzzle-box"])


@in_each(pytest.mark.rule("2E-ITEM-013", case=5), pytest.mark.rule("PBP-ITEM-001", case=5))
def test_an_item_received_in_a_trade_is_used_in_the_own_turn_that_follows(edition: str, rule: str) -> None:
    table = Table(game=rules_with(edition=edition))
    table.hold(0, "puzzle-box")
    table.turn(0)
    table.swap(1, ["puzzle-box"])
    table.end_turn()
    assert table.seat == 1

    told = table.rolls(showing(table.value(1, "knowledge"), 0)).act("card:puzzle-box", "OPEN")

    assert the(told, ActionTaken).figure == 1
    assert the(told, DiceRolled).who == 1


@pytest.mark.rule("2E-ITEM-013", case=6)
def test_armor_that_lessened_damage_is_dropped_in_the_same_turn() -> None:
    table = Table()
    table.hold(0, "armor")
    table.haunt("the-bell-below", traitor=1)
    told = table.rolls([0] * 5, [2, 0, 0]).attack(1)
    assert the(told, DamageReduced).by == "card:armor"
    table.allocate(0, might=1)

    table.drop("armor")

    assert table.view(1).piles[0].cards == ["armor"]


@pytest.mark.rule("2E-ITEM-014", case=1, asserts=True)
def test_a_roll_with_an_items_bonus_spends_its_action() -> None:
    table = Table()
    table.hold(0, "idol", "puzzle-box")
    table.turn(0)
    table.act("card:puzzle-box", "OPEN")
    told = table.rolls([0, 0, 0, 0, 0]).choose(0, "card:idol#PRAY")

    assert len(the(told, DiceRolled).faces) == 5
    with table.refuses("2E-ITEM-013"):
        table.trade(1, ["idol"])


# -- 2E-ITEM-015 and 016: over the top ------------------------------------------------------------------------------------

PETER = ("peter-akimoto", *THREE[1:])
LINE = [3, 4, 4, 5, 6, 7, 7, 8]
"""Peter's Knowledge: the first 7 is space 6, the second space 7."""

TORCHBEARERS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  items:
    - id: club
      deck: item
      title: Club
      text: T
      on:
        - {when: gained, do: [{gain: {trait: might, steps: 2}}]}
        - {when: lost, do: [{lose: {trait: might, steps: 2}}]}
  heroes: {story: S, goal: G, actions: [{word: FIND, do: [{give: club}]}]}
  traitor-book: {story: S, goal: G}
"""


def peter(space: int, *cards: str) -> Table:
    """Seat 0 plays Peter Akimoto, whose Knowledge stands on this space; then he gets these cards."""
    table = Table(PETER)
    assert table.explorer(0).tracks[3] == [0, *LINE]
    table.clips(0, knowledge=space)
    table.hold(0, *cards)
    table.turn(0)
    return table


@pytest.mark.rule("2E-ITEM-015", case=1)
def test_of_a_bonus_one_space_below_the_top_one_space_is_noted() -> None:
    table = Table(game=rules_with(haunt=TORCHBEARERS))
    table.clips(0, might=7)
    table.haunt("h", traitor=1)

    told = table.act("haunt:heroes", "FIND")

    assert (table.explorer(0).at[0], the(told, SurplusNoted).spaces) == (8, 1)
    assert table.explorer(0).surplus == {"club/might": 1}


@pytest.mark.rule("2E-ITEM-015", case=2)
def test_the_book_raises_the_second_seven_to_eight_and_no_roll_goes_beyond() -> None:
    table = peter(7, "puzzle-box")
    table.draw(0, "omen", "book")
    assert table.value(0, "knowledge") == 8
    assert table.explorer(0).surplus == {"book/knowledge": 1}

    told = table.rolls([0] * 8).act("card:puzzle-box", "OPEN")

    assert len(the(told, DiceRolled).faces) == 8


@pytest.mark.rule("2E-ITEM-015", case=3)
def test_what_is_noted_for_the_book_is_what_did_not_fit() -> None:
    for space, noted in ((8, {"book/knowledge": 2}), (6, {})):
        table = peter(space)
        table.draw(0, "omen", "book")
        assert (table.value(0, "knowledge"), table.explorer(0).surplus) == (8, noted)


@pytest.mark.rule("2E-ITEM-015", case=4)
def test_an_event_at_the_top_adds_nothing_to_the_note() -> None:
    table = peter(7, "book")
    table.stack("event", "night-view")
    table.rolls(showing(8, 5)).draw(0, "event")

    assert (table.value(0, "knowledge"), table.explorer(0).surplus) == (8, {"book/knowledge": 1})


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


@pytest.mark.rule("2E-ITEM-016", case=1)
@pytest.mark.rule("2E-TRAIT-004")
def test_a_lost_bonus_comes_off_the_note_first() -> None:
    table = peter(7, "book")

    told = table.drop("book")

    assert the(told, SurplusNoted).spaces == 0
    assert (the(told, TraitChanged).by, table.explorer(0).at[3]) == (-1, 7)
    assert table.explorer(0).surplus == {}


@pytest.mark.rule("2E-ITEM-016", case=2)
def test_with_all_of_it_noted_nothing_falls_and_with_nothing_noted_two_spaces() -> None:
    for space, left in ((8, 8), (6, 6)):
        table = peter(space, "book")
        assert table.value(0, "knowledge") == 8
        table.drop("book")
        assert table.explorer(0).at[3] == left


@pytest.mark.rule("2E-ITEM-016", case=3)
def test_a_loss_meanwhile_leaves_the_note_alone() -> None:
    table = peter(7, "book")
    table.stack("event", "hideous-shriek")
    table.rolls([0] * table.value(0, "sanity"), [1, 1], [2, 2, 0, 0, 0], [2, 2, 0, 0])  # the others bear the shriek
    table.draw(0, "event")
    table.allocate(0, knowledge=2)
    assert (table.value(0, "knowledge"), table.explorer(0).surplus) == (7, {"book/knowledge": 1})
    assert table.explorer(0).at[3] == 6, "the first 7"
    table.turn(0)

    told = table.drop("book")

    assert (the(told, TraitChanged).by, table.value(0, "knowledge")) == (-1, 6)


@pytest.mark.rule("2E-ITEM-016", case=4)
def test_whoever_picks_it_up_gets_the_whole_bonus() -> None:
    table = peter(7, "book")
    table.drop("book")
    table.turn(1)
    table.clips(1, knowledge=2)

    table.pick_up("book")

    assert (table.explorer(1).at[3], table.explorer(1).surplus) == (4, {})


@pytest.mark.rule("2E-ITEM-016", case=5, asserts=True)
def test_before_the_haunt_a_lost_bonus_kills_nobody() -> None:
    table = peter(4, "book")
    table.clips(0, knowledge=1)

    table.drop("book")

    assert (table.explorer(0).at[3], table.explorer(0).alive) == (1, True)


# -- 2E-ITEM-017: item tokens ---------------------------------------------------------------------------------------------

HAUNT_WITH_TOKENS = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  items:
    - id: bell-tongue
      deck: item
      title: Bell Tongue
      text: T
      actions: [{word: STRIKE, once: {per: own-turn}, do: [{gain: {trait: sanity}}]}]
    - {id: shackle, deck: item, title: Shackle, text: T, barred: [trade, steal]}
  heroes:
    story: S
    goal: G
    actions:
      - {word: FIND, do: [{give: bell-tongue}, {give: shackle}]}
  traitor-book: {story: S, goal: G}
"""


def with_tokens() -> Table:
    """Seat 0 has the item tokens of a haunt since an earlier turn; seat 1 is the traitor."""
    table = Table(game=rules_with(haunt=HAUNT_WITH_TOKENS))
    table.haunt("h", traitor=1)
    table.act("haunt:heroes", "FIND")
    table.turn(0)
    return table


def test_an_item_token_that_somebody_has_is_not_given_a_second_time() -> None:
    table = with_tokens()
    table.act("haunt:heroes", "FIND")
    assert sorted(table.explorer(0).cards) == ["bell-tongue", "shackle"]
    table.turn(2)
    table.act("haunt:heroes", "FIND")
    assert table.explorer(2).cards == []


@pytest.mark.rule("2E-ITEM-017", case=1)
def test_an_item_token_of_a_haunt_is_traded_dropped_picked_up_and_stolen() -> None:
    table = with_tokens()
    table.swap(2, ["bell-tongue"])
    assert table.explorer(2).cards == ["bell-tongue"]
    table.turn(2)
    table.drop("bell-tongue")
    table.turn(1)
    table.pick_up("bell-tongue")
    assert table.explorer(1).cards == ["bell-tongue"]
    table.turn(0)

    table.rolls([2, 0, 0, 0, 0], [0, 0, 0]).attack(1)
    table.choose(0, "bell-tongue")

    assert table.explorer(0).cards == ["shackle", "bell-tongue"]


@pytest.mark.rule("2E-ITEM-017", case=2)
@pytest.mark.rule("2E-ITEM-011", case=3)
def test_an_item_token_that_its_haunt_bars_from_trade_is_dropped_all_the_same() -> None:
    table = with_tokens()
    with table.refuses("2E-ITEM-011"):
        table.trade(2, ["shackle"])

    table.drop("shackle")
    table.turn(2)
    table.pick_up("shackle")

    assert table.explorer(2).cards == ["shackle"]


@pytest.mark.rule("2E-ITEM-011", case=3, asserts=True)
def test_a_card_barred_from_trade_and_steal_is_not_stolen() -> None:
    table = with_tokens()
    table.drop("shackle")
    table.turn(1)
    table.pick_up("shackle")
    table.turn(0)

    table.rolls([2, 0, 0, 0, 0], [0, 0, 0]).attack(1)

    assert table.asked(1).kind == "allocation", "there is nothing to take in place of the damage"


@pytest.mark.rule("2E-ITEM-017", case=3, asserts=True)
@pytest.mark.rule("2E-ITEM-013")
def test_an_item_token_that_was_used_is_not_dropped_in_that_turn() -> None:
    table = with_tokens()
    table.act("card:bell-tongue", "STRIKE")

    with table.refuses("2E-ITEM-013"):
        table.drop("bell-tongue")


# -- 2E-ITEM-018 to 021: weapons ------------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ITEM-018", case=1, asserts=True)
def test_five_cards_are_weapons() -> None:
    rules = Table().rules
    weapons = {card.id for card in pack("second-edition").cards if rules.pack.is_weapon(card.id)}
    assert weapons == {"axe", "blood-dagger", "revolver", "sacrificial-dagger", "spear"}


@pytest.mark.rule("2E-ITEM-019", case=1)
def test_a_weapon_does_not_help_in_defending_and_the_defender_may_not_name_it() -> None:
    table = Table()
    table.hold(1, "axe", "idol")
    table.haunt("the-bell-below", traitor=0)
    table.rolls([1, 1, 1, 0, 0]).attack(1)
    assert table.asked(1).options == ["pass", "card:idol#PRAY"]
    with table.refuses("2E-ITEM-001", problem="not-an-option"):
        table.choose(1, "card:axe")

    told = table.rolls([1, 1, 1]).choose(1, "pass")

    assert len(the(told, DiceRolled).faces) == table.value(1, "might") == 3
    table.turn(0)
    with table.refuses("2E-ITEM-019"):
        table.attack(1, "axe")  # it is the defender's


@pytest.mark.rule("2E-ITEM-019", case=2)
def test_before_the_haunt_no_weapon_is_named_for_a_roll_or_against_an_event() -> None:
    table = Table()
    table.hold(0, "axe", "idol", "puzzle-box")
    table.turn(0)
    with table.refuses("2E-ITEM-019"):
        table.act("card:axe", "USE")
    table.act("card:puzzle-box", "OPEN")
    assert table.asked(0).options == ["pass", "card:idol#PRAY"]
    with table.refuses("2E-ITEM-001", problem="not-an-option"):
        table.choose(0, "card:axe")
    table.rolls([0, 0, 0]).choose(0, "pass")
    table.stack("event", "creepy-puppet")

    table.rolls([0] * 4).draw(0, "event")
    assert table.asked(0).options == ["pass", "card:idol#PRAY"]
    with table.refuses("2E-ITEM-001", problem="not-an-option"):
        table.choose(0, "card:axe")
    told = table.rolls([0] * 5).choose(0, "pass")

    assert len(the(told, DiceRolled).faces) == table.value(0, "might") == 5


@pytest.mark.rule("2E-ITEM-020", case=1, asserts=True)
def test_an_attack_that_names_two_weapons_is_refused() -> None:
    """Whatever is posted for two weapons: the command has room for one, and what it names is one card that is held."""
    table = armed()
    posted = {"type": "attack", "decision": table.now, "target": 1}
    for both in (["axe", "spear"], {"axe": "spear"}):
        with pytest.raises(msgspec.ValidationError, match=r"Expected `str \| null`.* - at `\$\.weapon`"):
            msgspec.json.decode(msgspec.json.encode({**posted, "weapon": both}), type=AnyCommand)
    with pytest.raises(msgspec.ValidationError, match="unknown field `weapons`"):
        msgspec.json.decode(msgspec.json.encode({**posted, "weapons": ["axe", "spear"]}), type=AnyCommand)
    one = msgspec.json.decode(msgspec.json.encode({**posted, "weapon": "axe"}), type=AnyCommand)
    assert one in table.offers(0), "the attack is still there to be made, with one of them"
    told = table.rolls([0] * 6, [0, 0, 0]).play(0, one)
    assert len(events(told, DiceRolled)[0].faces) == table.value(0, "might") + 1, "the Axe's die alone is added"


@pytest.mark.rule("2E-ITEM-020", case=2)
def test_of_two_weapons_that_are_held_an_attack_uses_one() -> None:
    table = armed()
    assert table.explorer(0).cards == ["axe", "spear"]
    assert [one.weapon for one in table.offers(0) if isinstance(one, Attack)] == [None, "axe", "spear"]

    told = table.rolls([0] * 6, [0, 0, 0]).attack(1, "axe")

    assert the(told, ExplorerAttacked).weapon == "axe"
    with table.refuses("2E-ATK-002"):
        table.attack(1, "spear")


def armed() -> Table:
    """Seat 0 has two weapons before the traitor, seat 1."""
    table = Table()
    table.hold(0, "axe", "spear")
    table.haunt("the-bell-below", traitor=1)
    return table


@pytest.mark.rule("2E-ITEM-021", case=1)
def test_an_armed_attacker_may_leave_the_weapon_alone() -> None:
    table = Table()
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)

    told = table.rolls([0] * 5, [0, 0, 0]).attack(1)

    assert [len(one.faces) for one in events(told, DiceRolled)] == [5, 3]
    table.drop("axe")  # it has not had its action


# -- 2E-ITEM-022 and 023: companions --------------------------------------------------------------------------------------


@pytest.mark.rule("2E-ITEM-022", case=1, asserts=True)
def test_a_companion_goes_where_its_custodian_goes() -> None:
    table = Table()
    table.hold(0, "dog")
    table.turn(0)

    told = table.move("foyer")

    assert {card.id for card in pack("second-edition").cards if "companion" in card.kinds} == {"dog", "girl", "madman"}
    assert table.explorer(0).cards == ["dog"]
    assert [one.figure for one in events(told, Moved)] == [0], "nobody is asked where the Dog goes"
    assert table.view(1).companions == {}  # it waits nowhere: it is with its custodian


@pytest.mark.rule("2E-ITEM-022", case=2, asserts=True)
def test_a_companion_rides_along_and_is_carried_off_with_its_custodian() -> None:
    table = Table()
    table.hold(0, "girl")
    table.lay("mystic-elevator", "ground", 1, 0, turns=3)
    table.turn(0)
    told = table.rolls([2, 1]).move("mystic-elevator")
    told += table.choose(0, table.asked(0).options[0])
    assert the(told, TileMoved).floor == "upper"
    assert (table.explorer(0).cards, table.view(1).companions) == (["girl"], {})

    table.turn(0)
    table.stack("event", "burning-man")
    table.rolls(showing(table.value(0, "sanity"), 2)).draw(0, "event")

    assert table.explorer(0).room == "entrance-hall"
    assert (table.explorer(0).cards, table.view(1).companions) == (["girl"], {})


@pytest.mark.rule("2E-ITEM-023", case=1, asserts=True)
def test_a_companion_is_neither_attacked_nor_hurt() -> None:
    table = Table()
    table.hold(1, "dog")
    table.hold(0, "dynamite")
    table.put(1, "foyer")
    table.haunt("the-bell-below", traitor=1)
    with table.refuses("2E-TURN-002"):
        table.act("card:dynamite", "THROW", "dog")
    table.rolls(showing(table.value(1, "speed"), 0))
    told = table.act("card:dynamite", "THROW", "foyer")
    assert [one.who for one in events(told, DiceRolled)] == [1]
    assert {one.seat for one in events(told + table.allocate(1, might=4), DamageTaken)} == {1}

    table.put(1, "entrance-hall")
    table.turn(0)
    assert [one.target for one in table.offers(0) if isinstance(one, Attack)] == [1]
    with table.refuses("2E-ATK-004"):
        table.attack("dog")


CUR = """
  id: cur
  title: Cur
  stage: draft
  kind: one-traitor
  story: S
  monsters: {dog: {title: Dog, speed: 4, might: 4}}
  heroes: {story: S, goal: G}
  traitor-book:
    story: S
    goal: G
    actions: [{word: SET-ON, do: [{lose-card: {card: dog}}, {place-monster: {kind: dog, at: here}}]}]
"""


@pytest.mark.rule("2E-ITEM-023", case=1, asserts=True)
def test_a_companion_to_which_a_haunt_gives_traits_is_attacked_and_hurt() -> None:
    table = Table(game=rules_with(haunt=CUR))
    table.hold(1, "dog")
    table.haunt("cur", traitor=1)
    with table.refuses("2E-ATK-004"):
        table.attack("dog-1")
    table.turn(1)
    table.act("haunt:traitor", "SET-ON")
    assert table.explorer(1).cards == []
    table.turn(0)
    assert [one.target for one in table.offers(0) if isinstance(one, Attack)] == [1, "dog-1"]

    told = table.rolls([2, 2, 0, 0, 0], [1, 1, 0, 0]).attack("dog-1")

    assert [len(one.faces) for one in events(told, DiceRolled)] == [5, 4], "it defends with the Might of the haunt"
    assert the(told, MonsterStunned).monster == "dog-1"
