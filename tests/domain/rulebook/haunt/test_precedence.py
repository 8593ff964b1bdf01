"""A haunt bars what a card, room or token permits (rulebook: What Happens if a Haunt's Rules and the Regular Rules Conflict?)."""

import pytest

from domain.facts.commands import Act, Attack
from domain.facts.events import DiceRolled, RuleApplied
from projections.view.haunts import haunt_of
from tests.domain.rulebook.fight.test_carrying import magpies
from tests.support.packs import rules_with
from tests.support.table import Table, events
from tests.support.third import FRIENDS

STILL_HOUSE = """
  id: still-house
  title: The Still House
  stage: draft
  kind: one-traitor
  story: S
  bars:
    - {card: crystal-ball}
    - {card: idol}
    - {kind: weapon, side: heroes}
    - {tile: vault, word: OPEN}
    - {token: secret-passage}
    - {card: healing-salve, word: NOTHING-OF-ITS-OWN}
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


def still(*, traitor: int = 2) -> Table:
    """Seat 0 has what the haunt bars."""
    table = Table(game=rules_with(haunt=STILL_HOUSE))
    table.hold(0, "crystal-ball", "axe", "idol", "healing-salve")
    table.hold(2, "spear")
    table.lay("vault", "basement", 0, 1)
    table.haunt("still-house", traitor=traitor)
    return table


FLASK = """
  id: flask
  deck: item
  title: Flask
  text: There is always another mouthful.
  actions:
    - {word: SIP, AGAIN, do: [{gain: {trait: speed}}]}
"""


@pytest.mark.rule("2E-PREC-001", case=1)
def test_a_card_that_permits_a_second_use_in_a_turn_is_used_twice() -> None:
    """What the rulebook bars for items in general; its action for the turn it has had, so that it can't be traded as well."""
    table = Table(game=rules_with(card=FLASK.replace("AGAIN", "again: true")))
    table.hold(0, "flask")
    table.clips(0, speed=2)
    table.turn(0)
    table.act("card:flask", "SIP")

    told = table.act("card:flask", "SIP")

    assert "2E-PREC-001" in {one.rule for one in events(told, RuleApplied)}
    assert table.explorer(0).at[1] == 4
    with table.refuses("2E-ITEM-013"):
        table.trade(1, ["flask"])


def test_a_card_that_permits_no_second_use_is_used_once() -> None:
    table = Table(game=rules_with(card=FLASK.replace("AGAIN, ", "")))
    table.hold(0, "flask")
    table.clips(0, speed=2)
    table.turn(0)
    table.act("card:flask", "SIP")
    with table.refuses("2E-ITEM-013"):
        table.act("card:flask", "SIP")


@pytest.mark.rule("2E-PREC-002", case=1, asserts=True)
def test_a_haunt_whose_monsters_may_carry_lets_one_pick_something_up() -> None:
    table = magpies("magpie-1")
    table.pile("entrance-hall", "axe")
    table.turn(2, monsters=True)

    table.pick_up("axe", monster="magpie-1")

    assert table.seen(0, "magpie-1").cards == ["axe"]


@pytest.mark.rule("2E-PREC-002", case=2, asserts=True)
def test_a_haunt_that_says_nothing_of_trading_leaves_the_rules_of_trading_in_force() -> None:
    table = Table()
    table.hold(0, "axe", "bottle")
    table.put(2, "foyer")
    table.haunt("the-bell-below", traitor=2)
    with table.refuses("2E-ITEM-006"):
        table.trade(2, ["axe"])
    table.swap(1, ["axe"])
    assert table.explorer(1).cards == ["axe"]
    with table.refuses("2E-ITEM-006"):
        table.trade(1, ["bottle"])


@pytest.mark.rule("2E-PREC-003", case=1)
def test_a_haunt_bars_the_use_of_a_card() -> None:
    table = still()
    (gaze,) = table.rules.pack.cards["crystal-ball"].actions
    assert not [one for one in table.offers(0, Act) if getattr(one, "source", "") == "card:crystal-ball"]
    with table.refuses("2E-PREC-003"):
        table.act("card:crystal-ball", gaze.word)


def test_what_is_barred_in_one_haunt_is_permitted_in_another() -> None:
    table = Table(game=rules_with(haunt=STILL_HOUSE))
    table.hold(0, "crystal-ball")
    table.haunt("the-bell-below", traitor=1)
    assert [one for one in table.offers(0, Act) if getattr(one, "source", "") == "card:crystal-ball"]


@pytest.mark.rule("2E-PREC-003")
def test_a_haunt_bars_weapons_to_one_side_alone() -> None:
    table = still()
    assert {one.weapon for one in table.offers(0, Attack) if isinstance(one, Attack)} == {None}
    with table.refuses("2E-PREC-003"):
        table.attack(2, "axe")
    with table.refuses("2E-ITEM-019"):
        table.attack(2, "spear")

    table.turn(2)
    assert {one.weapon for one in table.offers(2, Attack) if isinstance(one, Attack)} == {None, "spear"}


@pytest.mark.rule("2E-PREC-003")
def test_a_haunt_bars_the_action_of_a_room() -> None:
    table = still()
    table.put(0, "vault")
    table.turn(0)
    assert not [one for one in table.offers(0, Act) if getattr(one, "source", "") == "tile:vault"]
    with table.refuses("2E-PREC-003"):
        table.act("tile:vault", "OPEN")


def test_a_barred_card_answers_no_roll() -> None:
    table = still()
    table.rolls([2] * table.value(0, "might"), [0] * table.value(2, "might"))
    table.attack(2)
    assert not [one for one in table.state.open.values() if one.about.startswith("before-roll")]


def test_another_action_of_a_card_than_the_one_barred_is_permitted() -> None:
    table = still()
    table.clips(0, might=1)
    assert [one for one in table.offers(0, Act) if getattr(one, "source", "") == "card:healing-salve"]


def test_everybody_is_told_what_a_haunt_bars() -> None:
    table = still()
    for seat in range(3):
        seen = haunt_of(table.rules, table.view(seat))
        assert seen is not None
        assert [(one.source, one.word, one.side) for one in seen.bars][:4] == [
            ("card:crystal-ball", "", ""),
            ("card:idol", "", ""),
            ("kind:weapon", "", "heroes"),
            ("tile:vault", "OPEN", ""),
        ]


@pytest.mark.rule("2E-PREC-003")
def test_a_haunt_bars_things_to_monsters_too() -> None:
    """An ape that may use items holds the Axe, and a room would let it do something."""
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      bars: [{card: axe, side: traitor}, {token: bait, word: EAT}]
      tokens: [{id: bait, title: Bait, actions: [{word: EAT, for: monsters, do: [{kill: you}]}]}]
      monsters: {ape: {title: Ape, might: 4, speed: 3, carries: true, uses-items: true}}
      heroes: {story: S, goal: G}
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)
    table.monster("ape-1", "entrance-hall")
    table.pile("entrance-hall", "axe")
    table.token("bait", "entrance-hall")
    table.turn(1, monsters=True)
    table.pick_up("axe", monster="ape-1")
    table.turn(1, monsters=True)
    assert {one.weapon for one in table.offers(1) if isinstance(one, Attack)} == {None}
    with table.refuses("2E-PREC-003"):
        table.attack(0, "axe", monster="ape-1")
    assert not table.offers(1, Act)
    with table.refuses("2E-PREC-003"):
        table.act("token:bait", "EAT", monster="ape-1")


@pytest.mark.rule("3E-META-002")
def test_in_the_third_edition_too_the_haunt_is_above_the_card() -> None:
    haunt = STILL_HOUSE.replace("{card: idol}", "{card: mirror}")
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=haunt))
    table.hold(0, "mirror")
    table.haunt("still-house", traitor=1)
    table.turn(0)
    assert not [one for one in table.offers(0, Act) if getattr(one, "source", "") == "card:mirror"]
    with table.refuses("3E-META-002"):
        table.act("card:mirror", "HEAL")


@pytest.mark.rule("3E-META-003", asserts=True)
def test_in_the_third_edition_characters_are_explorers_of_both_sides_and_monsters() -> None:
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      monsters: {ogre: {title: Ogre, might: 2, speed: 2}}
      heroes:
        story: S
        goal: G
        actions: [{word: ALL, do: [{roll: {trait: might}, who: {each: character, in: here}, outcomes: {0+: []}}]}]
      traitor-book: {story: S, goal: G}
    """
    table = Table(FRIENDS, game=rules_with("third-edition", haunt=haunt))
    table.haunt("h", traitor=1)
    table.monster("ogre-1", "entrance-hall")
    dice = [[0] * table.value(seat, "might") for seat in range(3)]
    told = table.rolls(*dice, [0, 0]).act("haunt:heroes", "ALL")
    assert [one.who for one in events(told, DiceRolled)] == [0, 1, 2, "ogre-1"]
