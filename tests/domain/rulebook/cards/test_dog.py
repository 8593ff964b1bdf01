"""The Dog runs errands: how far, by which ways, and with what."""

import pytest

from domain.facts.commands import Act
from domain.facts.events import PileChanged
from tests.support.table import Table, events


def with_dog(room: str = "entrance-hall", *cards: str, part: int = 0, rulings: dict[str, str] | None = None) -> Table:
    """Seat 0 and the Dog are in a room."""
    table = Table(options={"rulings": rulings or {}})
    table.hold(0, "dog", *cards)
    table.lay("coal-chute", "ground", 1, 0, turns=3)
    table.lay("collapsed-room", "ground", -1, 0)
    table.lay("junk-room", "ground", -1, 1)
    table.lay("ballroom", "ground", 1, 1)
    table.lay("gallery", "upper", 0, 1)
    table.lay("bloody-room", "upper", 1, 0)
    table.lay("chasm", "basement", 1, 0)
    table.lay("larder", "basement", 2, 0, turns=1)
    table.lay("crypt", "basement", 0, -1)
    table.put(0, room, part=part)
    table.turn(0)
    return table


def goals(table: Table) -> set[str]:
    """Where it would carry something."""
    table.act("card:dog", "FETCH")
    return set(table.asked(0).options)


def test_it_goes_by_doors_and_stairs_and_into_no_room_that_is_barred_to_it() -> None:
    assert goals(with_dog("entrance-hall", "axe")) == {
        "foyer",
        "grand-staircase",
        "ballroom",
        "upper-landing",
        "bloody-room",
    }


def test_it_climbs_and_slides_nowhere_and_crosses_no_barrier() -> None:
    table = with_dog("basement-landing", "axe")
    table.token("below-collapsed-room", "crypt")
    table.act("card:dog", "FETCH")
    assert [pile.room for pile in table.view(0).piles] == ["crypt"], "the only room within reach"
    table = with_dog("chasm", "axe", part=1)
    assert goals(table) == {"basement-landing", "crypt"}


def test_it_goes_no_farther_than_six_spaces() -> None:
    table = with_dog("entrance-hall", "axe")
    for x in range(2, 6):
        tile = ("dusty-hallway", "creaky-hallway", "servants-quarters", "operating-laboratory")[x - 2]
        table.lay(tile, "upper", x, 0)
    assert {"dusty-hallway", "creaky-hallway"} <= goals(table)
    assert not {"servants-quarters", "operating-laboratory"} & set(table.asked(0).options)


def test_it_goes_by_a_passage_that_leads_back() -> None:
    table = with_dog("entrance-hall", "axe")
    table.token("secret-passage", "foyer")
    table.token("secret-passage", "larder")
    assert "larder" in goals(table)


@pytest.mark.parametrize("token", ["secret-passage", "secret-stairs"])
def test_by_the_other_ruling_it_uses_no_secret_door(token: str) -> None:
    table = with_dog("entrance-hall", "axe", rulings={"dog": "dog-avoids-secret-doors"})
    table.token(token, "foyer")
    table.token(token, "larder")
    assert "larder" not in goals(table)
    assert "bloody-room" in table.asked(0).options


def test_it_does_not_leave_a_room_that_asks_for_a_roll_on_the_way_out() -> None:
    table = with_dog("junk-room", "axe")
    refuses_to_go(table)


def test_it_brings_what_lies_within_reach_and_nothing_else() -> None:
    table = with_dog("basement-landing")
    table.pile("larder", "axe")
    table.turn(0)
    refuses_to_go(table)
    table = with_dog("foyer")
    table.pile("bloody-room", "axe")
    table.turn(0)

    table.act("card:dog", "FETCH")
    table.choose(0, "hand")

    assert table.explorer(0).cards == ["dog", "axe"]
    assert table.view(1).piles == []


@pytest.mark.rule("2E-ITEM-013")
def test_what_it_fetched_is_not_used_in_that_turn() -> None:
    table = with_dog("foyer")
    table.pile("bloody-room", "puzzle-box")
    table.turn(0)
    table.act("card:dog", "FETCH")
    table.choose(0, "hand")

    with table.refuses("2E-ITEM-013"):
        table.act("card:puzzle-box", "OPEN")


def refuses_to_go(table: Table) -> None:
    """There is nothing to fetch and nothing to carry, and everybody sees that."""
    assert not table.offers(0, Act)
    with table.refuses("2E-TURN-002"):
        table.act("card:dog", "FETCH")


def test_it_picks_up_in_one_room_and_drops_in_another() -> None:
    table = with_dog("foyer")
    table.pile("bloody-room", "axe", "armor")
    table.pile("ballroom", "bell")
    table.turn(0)
    table.act("card:dog", "FETCH")
    assert table.asked(0).options == ["bring:axe", "bring:armor", "bring:bell"]
    table.choose(0, "bring:axe")
    assert set(table.asked(0).options) == {
        "hand",
        "foyer",
        "entrance-hall",
        "grand-staircase",
        "ballroom",
        "upper-landing",
    }

    told = table.choose(0, "ballroom")

    assert [(one.room, one.cards) for one in events(told, PileChanged)] == [
        ("bloody-room", ["armor"]),
        ("ballroom", ["bell", "axe"]),
    ]
    assert table.explorer(0).cards == ["dog"]
    with table.refuses("2E-ITEM-003"):
        table.act("card:dog", "FETCH")


def test_it_is_not_sent_for_nothing() -> None:
    refuses_to_go(with_dog("foyer"))


@pytest.mark.rule("2E-ITEM-013")
def test_what_was_used_or_dropped_in_this_turn_it_does_not_carry() -> None:
    table = with_dog("entrance-hall", "puzzle-box", "armor")
    table.drop("armor")
    assert Act(decision=table.now, source="card:dog", word="FETCH") in table.offers(0)
    table.rolls([0, 0, 0]).act("card:puzzle-box", "OPEN")

    refuses_to_go(table)
    with table.refuses("2E-ITEM-013"):
        table.pick_up("armor")
