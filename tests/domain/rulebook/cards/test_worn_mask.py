"""A card with two states: the Mask is worn or not, and everybody sees which (rulebook: Omens)."""

import pytest

from domain.facts.commands import Act
from domain.facts.events import CardTurned, PileChanged, SurplusNoted, Told
from tests.support.table import Table, events, the


def bearer(*, worn: bool = False) -> Table:
    """Seat 0 has the Mask, and room on both tracks."""
    table = Table()
    table.hold(0, "mask")
    table.clips(0, sanity=5, knowledge=4)
    table.turn(0)
    if worn:
        try_it(table, 4)
        table.choose(0, "put-on")
        table.turn(0)
    return table


def try_it(table: Table, result: int) -> list[Told]:
    """Seat 0 makes the Sanity roll with this result."""
    blank = table.value(0, "sanity") - result // 2 - result % 2
    return table.rolls([2] * (result // 2) + [1] * (result % 2) + [0] * blank).act("card:mask", "CHANGE")


def clips(table: Table) -> tuple[int, int]:
    """Where the clips of Sanity and Knowledge stand."""
    at = table.explorer(0).at
    return at[2], at[3]


def test_a_mask_comes_into_the_hand_unworn_and_everybody_sees_that() -> None:
    table = bearer()
    assert all(role.card_states == {"mask": "off"} for role in table.roles.values())


def test_a_sanity_roll_of_four_puts_it_on_for_knowledge_and_against_sanity() -> None:
    table = bearer()
    sanity, knowledge = clips(table)

    try_it(table, 4)
    assert table.asked(0).options == ["put-on", "leave-it"]
    told = table.choose(0, "put-on")

    assert the(told, CardTurned).state == "on"
    assert clips(table) == (sanity - 2, knowledge + 2)
    assert all(role.card_states == {"mask": "on"} for role in table.roles.values())


def test_a_sanity_roll_of_three_asks_for_nothing_and_changes_nothing() -> None:
    table = bearer()
    before = clips(table)

    told = try_it(table, 3)

    assert not events(told, CardTurned)
    assert not table.is_asked(0)
    assert clips(table) == before


def test_a_worn_mask_is_taken_off_again_and_gives_back_what_it_took() -> None:
    table = bearer(worn=True)
    sanity, knowledge = clips(table)

    try_it(table, 4)
    assert table.asked(0).options == ["take-off", "leave-it"]
    table.choose(0, "take-off")

    assert clips(table) == (sanity + 2, knowledge - 2)
    assert table.view(1).card_states == {"mask": "off"}


def test_whoever_succeeds_may_leave_the_mask_as_it_is() -> None:
    table = bearer()
    before = clips(table)
    try_it(table, 4)

    told = table.choose(0, "leave-it")

    assert not events(told, CardTurned)
    assert clips(table) == before


@pytest.mark.rule("2E-ITEM-003")
def test_the_mask_is_changed_once_a_turn_and_again_in_the_next() -> None:
    table = bearer()
    try_it(table, 3)

    with table.refuses("2E-ITEM-003"):
        table.act("card:mask", "CHANGE")
    assert not table.offers(0, Act)

    table.turn(0)
    assert [one.word for one in table.offers(0, Act) if isinstance(one, Act)] == ["CHANGE"]


@pytest.mark.rule("2E-ITEM-015", "2E-ITEM-016")
@pytest.mark.parametrize("lost", [True, False])
@pytest.mark.parametrize("sanity, knowledge", [(5, 7), (5, 8), (2, 4), (1, 4), (1, 8)])
def test_a_mask_takes_back_what_it_changed_and_no_more(sanity: int, knowledge: int, *, lost: bool) -> None:
    """Past the top of Knowledge it gives nothing, and below the lowest number of Sanity it takes nothing."""
    table = bearer()
    table.clips(0, sanity=sanity, knowledge=knowledge)
    table.rolls([2, 2, *[0] * (table.value(0, "sanity") - 2)]).act("card:mask", "CHANGE")
    told = table.choose(0, "put-on")
    assert clips(table) == (max(1, sanity - 2), min(8, knowledge + 2))
    assert events(told, SurplusNoted)
    table.turn(0)

    if lost:
        table.drop("mask")
    else:
        table.rolls([2, 2, *[0] * (table.value(0, "sanity") - 2)]).act("card:mask", "CHANGE")
        table.choose(0, "take-off")

    assert clips(table) == (sanity, knowledge)
    assert table.explorer(0).surplus == {}


def test_a_loss_of_knowledge_while_the_mask_is_worn_is_not_made_up_for() -> None:
    table = bearer()
    table.clips(0, knowledge=7)
    try_it(table, 4)
    table.choose(0, "put-on")
    table.clips(0, knowledge=5)
    table.turn(0)

    table.drop("mask")

    assert clips(table)[1] == 4, "of its 2 spaces 1 was noted, and 1 comes off the trait"


def test_by_the_other_ruling_nothing_is_noted_for_a_mask_that_was_lost() -> None:
    table = Table(options={"rulings": {"mask": "mask-marks"}})
    table.hold(0, "mask")
    table.clips(0, sanity=5, knowledge=8)
    table.turn(0)
    try_it(table, 4)
    table.choose(0, "put-on")
    table.turn(0)

    table.drop("mask")

    assert (clips(table), table.explorer(0).surplus) == ((3, 8), {})


@pytest.mark.parametrize("worn", [True, False])
def test_losing_a_worn_mask_takes_back_what_it_changed_and_losing_another_nothing(*, worn: bool) -> None:
    table = bearer(worn=worn)
    sanity, knowledge = clips(table)

    told = table.drop("mask")

    assert the(told, PileChanged).cards == ["mask"]
    assert clips(table) == ((sanity + 2, knowledge - 2) if worn else (sanity, knowledge))


def test_whoever_picks_up_a_mask_that_was_lost_while_worn_does_not_wear_it() -> None:
    table = bearer(worn=True)
    table.drop("mask")
    table.turn(1)
    before = table.explorer(1).at

    table.pick_up("mask")

    assert table.view(0).card_states == {"mask": "off"}
    assert table.explorer(1).at == before
