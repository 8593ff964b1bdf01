"""The optional rule by which a group avoids haunts that it has played (rulebook: The Haunt Begins)."""

import pytest

from domain.facts.events import DecisionOpened, HauntBegun, HauntRejected, Told
from domain.facts.state import Decision, Haunt
from projections.naming.questions import Asking
from tests.support.table import Table, events, the


def reveal(
    known: list[object], *, hold: tuple[str, ...] = (), rooms: bool = True, answer: str = "another"
) -> tuple[Table, list[Told]]:
    """Seat 0 draws the Ring in the Charred Room (number 20) and the haunt begins; some rooms of the chart are in the house.

    From the Charred Room the Junk Room (17) is 2 spaces away and the Kitchen (41) 3; the Furnace Room (28) is out of reach.
    """
    table = Table(options={"known_haunts": known})
    if rooms:
        table.lay("junk-room", "ground", -1, 0)
        table.lay("kitchen", "ground", -2, 0, turns=1)
        table.lay("furnace-room", "basement", 0, 1)
    table.hold(0, *hold)
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.lay_anyhow()
    return table, rejects(table, table.rolls([0] * 6).end_turn(), answer)


def rejects(table: Table, told: list[Told], answer: str = "another") -> list[Told]:
    """What the revealer says for a group that is asked whether it plays a haunt again that it knows."""
    if table.is_asked(0) and table.asked(0).about.startswith("known-haunt:"):
        told = told + table.choose(0, answer)
    return told


def numbers(told: list[Told]) -> list[tuple[str, str, int]]:
    """Haunts that were rejected: omen, room, number."""
    return [(one.omen, one.room, one.number) for one in events(told, HauntRejected)]


@pytest.mark.rule("2E-HREV-006", case=1, asserts=True)
def test_without_the_option_the_chart_stands() -> None:
    _, told = reveal([])
    assert the(told, HauntBegun).number == 20
    assert not events(told, HauntRejected)


def test_a_haunt_that_nobody_has_played_is_played() -> None:
    _, told = reveal([1, 17, "the-hollow-guest"])
    assert the(told, HauntBegun).number == 20


@pytest.mark.rule("2E-HREV-006", case=3)
def test_a_known_haunt_may_be_played_again() -> None:
    table, told = reveal([20], answer="keep")

    assert numbers(told) == []
    assert the(told, HauntBegun).number == 20
    labels = {
        option: Asking(table.rules, table.state).option(asked, option)
        for asked in known(table)
        for option in asked.options
    }
    assert labels == {"another": "Look for another haunt", "keep": "Play it again"}


def known(table: Table) -> list[Decision]:
    """What the group was asked of a haunt that it knows."""
    opened = [one.decision for commit in table.commits for one in events(commit, DecisionOpened)]
    return [one for one in opened if one.about.startswith("known-haunt:")]


@pytest.mark.rule("2E-HREV-006", case=2)
def test_a_known_haunt_gives_way_to_that_of_the_nearest_other_room() -> None:
    table, told = reveal([20])

    assert numbers(told) == [("ring", "charred-room", 20)]
    begun = the(told, HauntBegun)
    assert (begun.number, begun.omen, begun.room) == (17, "ring", "charred-room")
    assert begun.haunt == table.rules.pack.chart.haunts["17"]


@pytest.mark.rule("2E-HREV-007", case=1)
def test_if_that_is_known_too_the_search_goes_on_from_room_to_room() -> None:
    _, told = reveal([20, 17])

    assert numbers(told) == [("ring", "charred-room", 20), ("ring", "junk-room", 17)]
    assert the(told, HauntBegun).number == 41


def test_rooms_out_of_reach_come_last() -> None:
    _, told = reveal([20, 17, 41])
    assert the(told, HauntBegun).number == 28


@pytest.mark.rule("2E-HREV-008", case=1)
def test_if_no_room_helps_the_search_goes_on_with_the_revealers_newest_other_omen() -> None:
    table, told = reveal([20, 17, 41, 28], hold=("mask", "spear"))

    assert [one[0] for one in numbers(told)] == ["ring"] * 4
    begun = the(told, HauntBegun)
    assert (begun.omen, begun.number) == ("spear", 15), "the Spear came last, and the Charred Room is nearest to it"
    assert isinstance(table.view(1).haunt, Haunt)


@pytest.mark.rule("2E-HREV-008")
def test_if_everything_is_known_what_the_chart_said_first_is_played() -> None:
    everything = [haunt.id for haunt in Table().rules.pack.haunts.values()]
    table, told = reveal([*everything], hold=("mask",))

    assert the(told, HauntBegun).number == 20
    assert len(numbers(told)) == 4 + 4
    assert table.state.haunt is not None


@pytest.mark.rule("2E-HREV-006")
def test_between_rooms_equally_near_the_revealer_chooses() -> None:
    table = Table(options={"known_haunts": [20]})
    table.lay("junk-room", "ground", -1, 1)
    table.lay("kitchen", "ground", 1, 1, turns=3)
    table.stack("tiles", "charred-room")
    table.stack("omen", "ring")
    table.explore("east")
    table.lay_anyhow()
    table.put(0, "foyer")
    rejects(table, table.rolls([0] * 6).end_turn())

    assert table.asked(0).about == "haunt-room"
    assert table.asked(0).options == ["junk-room", "kitchen"]

    assert the(table.choose(0, "kitchen"), HauntBegun).number == 41


@pytest.mark.rule("2E-HREV-006")
@pytest.mark.parametrize("omen_in, other", [("furnace-room", "junk-room"), ("junk-room", "furnace-room")])
def test_a_barrier_on_the_way_makes_no_room_farther(omen_in: str, other: str) -> None:
    """Furnace Room, Chasm, Basement Landing and Junk Room in a row, and the Kitchen where nobody gets on foot."""
    table = Table(options={"known_haunts": [28, 17]})
    table.lay("chasm", "basement", 1, 0)
    table.lay("furnace-room", "basement", 2, 0, turns=1)
    table.lay("junk-room", "basement", -1, 0)
    table.lay("kitchen", "ground", 10, 10)
    table.put(0, omen_in)
    table.turn(0)
    table.draw(0, "omen", "ring")
    told = table.rolls([0] * 6, [1] * 6).end_turn()
    if omen_in == "furnace-room":
        told += table.allocate(0, might=1)
    told = rejects(table, told)

    assert [one.room for one in events(told, HauntRejected)] == [omen_in, other]
    assert the(told, HauntBegun).number == 41
