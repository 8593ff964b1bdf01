"""Stealing in place of damage (rulebook: Special Attacks, Stealing Items)."""

import pytest

from domain.facts.commands import Act, Choose
from domain.facts.events import CardGained, DamageTaken
from projections.view.haunts import haunt_of
from tests.support.fate import showing
from tests.support.packs import by_post, rules_with
from tests.support.table import Table, events, the


def victim(*cards: str, by: int, card: str = "") -> Table:
    """Seat 0 wins an attack on the traitor, who holds these cards, by so many points; `card`: one of the test's own."""
    table = Table(game=rules_with(card=card) if card else None)
    table.hold(1, *cards)
    table.haunt("the-bell-below", traitor=1)
    table.traits(1, might=3)
    table.rolls(showing(5, by), [0, 0, 0]).attack(1)
    return table


@pytest.mark.rule("2E-STEAL-001", case=1)
@pytest.mark.rule("2E-ATK-012", case=1)
def test_who_wins_by_two_may_take_a_card_and_then_hurts_nobody() -> None:
    table = victim("axe", by=2)
    before = list(table.explorer(1).at)
    assert table.asked(0).options == ["damage", "axe"]

    told = table.choose(0, "axe")

    assert (the(told, CardGained).seat, the(told, CardGained).card) == (0, "axe")
    assert not events(told, DamageTaken)
    assert table.explorer(1).at == before
    assert not table.state.open


@pytest.mark.rule("2E-STEAL-001", case=2)
def test_one_card_replaces_all_of_the_damage() -> None:
    table = victim("axe", "puzzle-box", by=5)
    stealing = table.asked(0)
    assert stealing.options == ["damage", "axe", "puzzle-box"]
    before = list(table.explorer(1).at)

    told = table.choose(0, "axe")

    assert not events(told, DamageTaken)
    assert table.explorer(1).at == before
    for option in ("puzzle-box", "damage"):
        with table.refuses(problem="decision-closed"):
            table.play(0, Choose(decision=stealing.id, option=option))
    assert table.explorer(1).cards == ["puzzle-box"]


@pytest.mark.rule("2E-STEAL-001", case=3, asserts=True)
def test_who_wins_by_one_takes_nothing() -> None:
    table = victim("axe", by=1)
    assert not table.is_asked(0)
    harm = table.asked(1)
    assert (harm.kind, harm.total) == ("allocation", 1)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(0, Choose(decision=harm.id, option="axe"))
    table.allocate(1, speed=1)
    assert table.explorer(1).cards == ["axe"]


@pytest.mark.rule("2E-STEAL-001", case=4)
def test_what_armor_takes_off_does_not_count_for_stealing() -> None:
    table = victim("axe", "armor", by=2)
    assert not table.is_asked(0)
    harm = table.asked(1)
    assert (harm.about, harm.total) == ("damage:physical", 1)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(0, Choose(decision=harm.id, option="axe"))
    table.allocate(1, speed=1)
    assert table.explorer(1).cards == ["axe", "armor"]


def test_who_would_inflict_two_in_spite_of_armor_may_steal() -> None:
    table = victim("axe", "armor", by=3)
    assert table.asked(0).options == ["damage", "axe"]


@pytest.mark.rule("2E-STEAL-001", case=5)
def test_a_speed_attack_in_the_same_room_may_win_a_card() -> None:
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      items: [{id: whip, deck: item, title: Whip, text: T, attack: {trait: speed}}]
      heroes: {story: S, goal: G}
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=haunt))
    table.hold(0, "whip")
    table.hold(1, "axe")
    table.haunt("h", traitor=1)

    table.rolls([2, 0, 0, 0], [0, 0, 0, 0]).attack(1, "whip")
    assert table.asked(0).options == ["damage", "axe"]
    table.choose(0, "axe")

    assert table.explorer(0).cards == ["whip", "axe"]


@pytest.mark.rule("2E-STEAL-001", case=6, asserts=True)
def test_a_defender_who_wins_steals_nothing() -> None:
    table = Table()
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([0] * 5, [2, 1, 0]).attack(1)
    assert not table.is_asked(1)
    harm = table.asked(0)
    assert (harm.kind, harm.total) == ("allocation", 3)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(1, Choose(decision=harm.id, option="axe"))
    table.allocate(0, might=2, speed=1)
    assert table.explorer(0).cards == ["axe"]


@pytest.mark.rule("2E-STEAL-001", case=7, asserts=True)
def test_a_sanity_attack_steals_nothing() -> None:
    table = Table()
    table.hold(0, "ring")
    table.hold(1, "axe")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([2, 2, 0], [0] * 5).attack(1, "ring")
    assert not table.is_asked(0)
    harm = table.asked(1)
    assert (harm.about, harm.total) == ("damage:mental", 4)
    with table.refuses("2E-DMG-003", problem="not-your-decision"):
        table.play(0, Choose(decision=harm.id, option="axe"))


@pytest.mark.rule("2E-STEAL-001", case=9)
@pytest.mark.rule("2E-ITEM-013")
def test_what_was_stolen_is_not_traded_in_the_same_turn() -> None:
    table = Table()
    table.hold(1, "spear")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([2, 0, 0, 0, 0], [0, 0, 0]).attack(1)
    table.choose(0, "spear")

    with table.refuses("2E-ITEM-013"):
        table.trade(2, ["spear"])
    with table.refuses("2E-ITEM-013"):
        table.drop("spear")


@pytest.mark.rule("2E-ITEM-013")
def test_what_changed_hands_in_this_turn_is_not_stolen() -> None:
    table = Table()
    table.hold(0, "axe")
    table.hold(1, "puzzle-box")
    table.haunt("the-bell-below", traitor=1)
    table.swap(1, ["axe"])

    table.rolls([2, 2, 0, 0, 0], [0, 0, 0]).attack(1)

    assert table.asked(0).options == ["damage", "puzzle-box"]


@pytest.mark.rule("2E-ITEM-013")
def test_the_gloves_take_nothing_that_changed_hands_in_this_turn() -> None:
    table = Table()
    table.hold(0, "pickpockets-gloves", "axe")
    table.hold(1, "bell")
    table.turn(0)
    table.swap(1, ["axe"])

    table.act("card:pickpockets-gloves", "TAKE", 1)

    assert [table.explorer(seat).cards for seat in (0, 1)] == [["bell"], ["axe"]]


@pytest.mark.parametrize("edition, stolen", [("second", ["damage", "idol"]), ("play-by-post", [])])
def test_what_its_holder_used_in_this_turn_is_stolen_but_not_by_post(edition: str, stolen: list[str]) -> None:
    """The thief has one action with it in the second edition; by post it has one, whoever holds it (PBP-ITEM-001)."""
    table = Table(game=by_post() if edition == "play-by-post" else None)
    table.hold(1, "idol")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([2, 2, 0, 0, 0]).attack(1)
    table.rolls([0] * 5).choose(1, "card:idol#PRAY")

    assert (table.asked(0).options if table.is_asked(0) else []) == stolen


FLAGGED = """
  id: heirloom
  deck: item
  title: Heirloom
  text: It stays in the family.
  barred: [trade, steal]
"""


@pytest.mark.rule("2E-STEAL-002", case=1, asserts=True)
@pytest.mark.parametrize("card", ["spear", "axe"])
def test_what_may_be_traded_may_be_stolen(card: str) -> None:
    table = victim(card, by=2)
    table.choose(0, card)
    assert table.explorer(0).cards == [card]


@pytest.mark.rule("2E-STEAL-002", case=2)
@pytest.mark.parametrize("card", ["bite", "dog", "girl", "madman", "heirloom"])
def test_what_cannot_be_traded_is_not_stolen_and_the_damage_is_dealt(card: str) -> None:
    table = victim(card, by=2, card=FLAGGED)
    assert not table.is_asked(0)
    harm = table.asked(1)
    assert (harm.about, harm.total) == ("damage:physical", 2)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(0, Choose(decision=harm.id, option=card))

    table = victim(card, "axe", by=2, card=FLAGGED)
    assert table.asked(0).options == ["damage", "axe"]
    with table.refuses("2E-STEAL-001", problem="not-an-option"):
        table.choose(0, card)
    table.choose(0, "damage")
    assert table.asked(1).total == 2


@pytest.mark.rule("2E-MON-009")
def test_a_monster_does_not_steal() -> None:
    table = Table()
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall", might=4)
    table.turn(1, monsters=True)
    table.rolls([2, 1, 0, 0], [0] * 5).attack(0, monster="sexton-1")
    assert (table.asked(0).kind, table.asked(0).total) == ("allocation", 3)


def test_a_card_with_a_rule_of_its_own_on_stealing_is_followed() -> None:
    table = victim("blood-dagger", by=2)
    table.rolls([1, 1]).choose(0, "blood-dagger")
    assert (table.asked(1).kind, table.asked(1).total) == ("allocation", 2)


HAUNT = """
  id: h
  title: H
  stage: draft
  kind: one-traitor
  story: S
  items:
    - {id: locket, deck: item, title: Locket, text: T}
    - {id: relic, deck: item, title: Relic, text: T, barred: [steal]}
  stealing: %s
  heroes: {story: S, goal: G}
  traitor-book: {story: S, goal: G}
"""


def by_the_haunt(stealing: str, *cards: str, by: int) -> Table:
    """As `victim`, in a haunt that says this about stealing."""
    table = Table(game=rules_with(haunt=HAUNT % stealing))
    table.hold(1, *cards)
    table.haunt("h", traitor=1)
    table.rolls(showing(5, by), [0, 0, 0]).attack(1)
    return table


@pytest.mark.rule("2E-STEAL-004", case=1)
def test_a_haunt_lets_one_of_its_things_be_stolen_by_who_wins_by_one() -> None:
    table = by_the_haunt("{cards: {locket: 1}}", "locket", "axe", by=1)
    assert table.asked(0).options == ["damage", "locket"]
    with table.refuses("2E-STEAL-001", problem="not-an-option"):
        table.choose(0, "axe")

    told = table.choose(0, "locket")

    assert (table.explorer(0).cards, table.explorer(1).cards) == (["locket"], ["axe"])
    assert not events(told, DamageTaken)


@pytest.mark.rule("2E-STEAL-004", case=2)
def test_a_haunt_bars_stealing() -> None:
    table = by_the_haunt("{barred: true}", "axe", by=4)
    assert not table.is_asked(0)
    harm = table.asked(1)
    assert (harm.about, harm.total) == ("damage:physical", 4)
    with table.refuses("2E-DMG-001", problem="not-your-decision"):
        table.play(0, Choose(decision=harm.id, option="axe"))
    table.allocate(1, might=2, speed=2)
    assert table.explorer(1).cards == ["axe"]


def test_a_haunt_lets_be_stolen_what_the_card_itself_does_not() -> None:
    assert by_the_haunt("{cards: {relic: 3}}", "relic", by=3).asked(0).options == ["damage", "relic"]
    assert not by_the_haunt("{cards: {relic: 3}}", "relic", by=2).is_asked(0)


def test_the_gloves_steal_nothing_where_the_haunt_bars_it() -> None:
    table = Table(game=rules_with(haunt=HAUNT % "{barred: true}"))
    table.hold(0, "pickpockets-gloves")
    table.hold(1, "axe")
    table.haunt("h", traitor=1)

    if any(one.target == 1 for one in table.offers(0, Act) if isinstance(one, Act)):
        table.act("card:pickpockets-gloves", "TAKE", 1)

    assert table.explorer(1).cards == ["axe"]


def test_everybody_reads_what_a_haunt_says_about_stealing() -> None:
    for stealing, seen in (("{cards: {locket: 1}}", (False, {"locket": 1})), ("{barred: true}", (True, {}))):
        table = Table(game=rules_with(haunt=HAUNT % stealing))
        table.haunt("h", traitor=1)
        for seat in range(3):
            view = haunt_of(table.rules, table.view(seat))
            assert view is not None
            assert view.stealing is not None
            assert (view.stealing.barred, view.stealing.cards) == seen
