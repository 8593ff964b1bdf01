"""Stealing in place of damage (rulebook: Special Attacks, Stealing Items)."""

import pytest

from domain.events import CardGained, DamageTaken
from tests.support.packs import by_post
from tests.support.table import Table, events, the


def victim(*cards: str, by: int) -> Table:
    """Seat 0 wins an attack on the traitor, who holds these cards, by so many points (at most 4)."""
    table = Table()
    table.hold(1, *cards)
    table.haunt("the-bell-below", traitor=1)
    table.traits(1, might=3)
    faces = [2, 2, 2, 2, 2][: by // 2] + [1] * (by % 2)
    table.rolls([*faces, *[0] * (5 - len(faces))], [0, 0, 0]).attack(1)
    return table


@pytest.mark.rule("2E-STEAL-001", "2E-ATK-012")
def test_who_wins_by_two_may_take_a_card_and_then_hurts_nobody() -> None:
    table = victim("axe", by=2)
    before = list(table.explorer(1).at)
    assert table.asked(0).options == ["damage", "axe"]

    told = table.choose(0, "axe")

    assert (the(told, CardGained).seat, the(told, CardGained).card) == (0, "axe")
    assert not events(told, DamageTaken)
    assert table.explorer(1).at == before
    with table.refuses("2E-ITEM-013"):
        table.drop("axe")


@pytest.mark.rule("2E-ITEM-013")
def test_what_changed_hands_in_this_turn_is_not_stolen() -> None:
    table = Table()
    table.hold(0, "axe")
    table.hold(1, "puzzle-box")
    table.haunt("the-bell-below", traitor=1)
    table.trade(1, ["axe"])
    table.choose(1, "yes")

    table.rolls([2, 2, 0, 0, 0], [0, 0, 0]).attack(1)

    assert table.asked(0).options == ["damage", "puzzle-box"]


@pytest.mark.rule("2E-ITEM-013")
def test_the_gloves_take_nothing_that_changed_hands_in_this_turn() -> None:
    table = Table()
    table.hold(0, "pickpockets-gloves", "axe")
    table.hold(1, "bell")
    table.turn(0)
    table.trade(1, ["axe"])
    table.choose(1, "yes")

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


@pytest.mark.rule("2E-STEAL-002")
@pytest.mark.parametrize("omen", ["bite", "dog", "girl", "madman"])
def test_an_omen_that_is_no_item_is_not_stolen(omen: str) -> None:
    table = victim(omen, "axe", by=2)
    assert table.asked(0).options == ["damage", "axe"]


def test_who_wins_by_two_may_hurt_all_the_same() -> None:
    table = victim("axe", by=2)
    table.choose(0, "damage")
    assert table.asked(1).total == 2


def test_who_wins_by_one_takes_nothing() -> None:
    table = victim("axe", by=1)
    assert table.asked(1).kind == "allocation"


def test_a_defender_who_wins_steals_nothing() -> None:
    table = Table()
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([0] * 5, [2, 1, 0]).attack(1)
    assert (table.asked(0).kind, table.asked(0).total) == ("allocation", 3)


def test_a_sanity_attack_steals_nothing() -> None:
    table = Table()
    table.hold(0, "ring")
    table.hold(1, "axe")
    table.haunt("the-bell-below", traitor=1)
    table.rolls([2, 2, 0], [0] * 5).attack(1, "ring")
    assert (table.asked(1).kind, table.asked(1).total) == ("allocation", 4)


@pytest.mark.rule("2E-STEAL-002")
def test_what_cannot_be_traded_cannot_be_stolen() -> None:
    table = victim("dog", "armor", "axe", by=4)
    assert table.asked(0).options == ["damage", "axe"]
    with table.refuses(problem="not-an-option"):
        table.choose(0, "armor")


@pytest.mark.rule("2E-MON-009")
def test_a_monster_does_not_steal() -> None:
    table = Table()
    table.hold(0, "axe")
    table.haunt("the-bell-below", traitor=1)
    table.monster("sexton-1", "entrance-hall", might=4)
    table.turn(1, monsters=True)
    table.rolls([2, 1, 0, 0], [0] * 5).attack(0, monster="sexton-1")
    assert (table.asked(0).kind, table.asked(0).total) == ("allocation", 3)


@pytest.mark.rule("2E-STEAL-004", asserts=True)
def test_a_card_with_a_rule_of_its_own_on_stealing_is_followed() -> None:
    table = victim("blood-dagger", by=2)
    table.rolls([1, 1]).choose(0, "blood-dagger")
    assert (table.asked(1).kind, table.asked(1).total) == ("allocation", 2)
