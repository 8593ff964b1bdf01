"""Rounds of a haunt: when one is over, what is counted by it, and whose turns it has (rulebook: The Haunt)."""

from itertools import pairwise

import pytest

from domain.facts.events import CounterMoved, TurnStarted
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, the

BELL = "the-bell-below"
HOURGLASS = """
  id: hourglass
  deck: item
  title: Hourglass
  text: Once more.
  actions: [{word: TURN, once: {per: game}, do: [{extra-turn: you}]}]
"""


def bell(table: Table) -> tuple[int, int]:
    """Round and strokes, as everybody sees them."""
    haunt = table.view(0).haunt
    assert haunt is not None
    return haunt.round, haunt.counters["strokes"]


def course(table: Table, turns: int) -> list[tuple[int | str, int, int]]:
    """So many turns: whose it is (or the monsters'), the round, the strokes of the bell."""
    found: list[tuple[int | str, int, int]] = []
    for _ in range(turns):
        turn = table.state.turn
        found.append(("monsters" if turn.monsters else turn.seat, *bell(table)))
        table.fate.dice = [(1, 1, 1, 1)]
        table.end_turn()
    return found


@pytest.mark.rule("2E-HTURN-001", "2E-HTURN-002")
def test_a_round_is_over_after_the_monsters_and_strikes_the_bell_once() -> None:
    table = Table(FOUR, first=1, options={"haunt": BELL})
    reveal(table)
    table.all_ready()

    assert course(table, 7) == [
        (2, 1, 1),
        (3, 1, 1),
        (0, 1, 1),
        (1, 1, 1),
        ("monsters", 1, 1),
        (2, 2, 2),
        (3, 2, 2),
    ]


def test_without_monsters_a_round_is_over_after_the_traitor() -> None:
    table = Table(FOUR)
    table.haunt(BELL, traitor=1)
    assert course(table, 7)[2:] == [(2, 1, 1), (3, 1, 1), (0, 1, 1), (1, 1, 1), (2, 2, 2)]


@pytest.mark.parametrize(
    "dead, turns",
    [
        (1, [(2, 1, 1), (3, 1, 1), (0, 1, 1), (2, 2, 2)]),
        (2, [(3, 1, 1), (0, 1, 1), (1, 1, 1), (3, 2, 2)]),
    ],
    ids=["traitor", "first-hero"],
)
def test_a_round_needs_neither_its_first_nor_its_last_player(dead: int, turns: list[tuple[int, int, int]]) -> None:
    table = Table(FOUR)
    table.haunt(BELL, traitor=1)
    table.die(dead)
    table.turn(0)
    found = [one for one in course(table, 7) if one[1]]
    assert found[: len(turns)] == turns


def test_who_dies_in_the_own_turn_hands_on_to_the_next_and_to_the_monsters_after_the_last() -> None:
    table = Table(FOUR)
    table.haunt(BELL, traitor=1)
    table.monster("sexton-1", "upper-landing")
    table.die(0)
    assert (table.seat, table.state.turn.monsters) == (1, False)
    table.fate.dice = [(1, 1, 1, 1)]

    table.die(1)

    assert (table.seat, table.state.turn.monsters) == (1, True)


def test_turns_are_numbered_without_a_gap_through_the_haunt_and_its_monsters() -> None:
    table = Table(FOUR, first=1, options={"haunt": BELL})
    reveal(table)
    table.all_ready()
    course(table, 6)

    started = [one.number for commit in table.commits for one in events(commit, TurnStarted)]

    assert all(later == earlier + 1 for earlier, later in pairwise(started))
    assert [one for one in table.roles.values() if one.turn.number != started[-1]] == []


def test_the_thirteenth_stroke_is_the_last_and_the_twelfth_is_not() -> None:
    table = Table()
    table.haunt(BELL, traitor=2)
    table.counter("strokes", 11)
    table.turn(2)

    assert the(table.end_turn(), CounterMoved).to == 12
    assert table.view(0).status == "started"
    course(table, 2)
    told = table.end_turn()

    assert the(told, CounterMoved).to == 13
    assert (table.view(0).status, table.view(0).winner) == ("finished", "traitor")


def test_the_round_ends_with_the_traitor_in_the_first_seat_whoever_revealed_the_haunt() -> None:
    table = Table(FOUR)
    table.haunt(BELL, traitor=0, revealer=2)
    assert course(table, 6)[1:] == [(1, 1, 1), (2, 1, 1), (3, 1, 1), (0, 1, 1), (1, 2, 2)]


@pytest.mark.rule("2E-HTURN-005")
def test_the_monsters_of_a_dead_traitor_in_the_first_seat_have_their_turn() -> None:
    table = Table()
    table.haunt(BELL, traitor=0)
    table.monster("sexton-1", "upper-landing")
    table.turn(2)
    table.die(0)

    started = the(table.rolls([1, 1, 1, 1]).end_turn(), TurnStarted)

    assert (started.seat, started.monsters, started.rule) == (0, True, "2E-HTURN-005")


def test_before_the_haunt_no_round_is_counted() -> None:
    table = Table()
    assert [the(table.end_turn(), TurnStarted).round for _ in range(4)] == [0, 0, 0, 0]


@pytest.mark.parametrize("haunt", [False, True])
def test_an_extra_turn_comes_before_the_next_players_and_begins_no_round(*, haunt: bool) -> None:
    table = Table(game=rules_with(card=HOURGLASS))
    table.hold(0, "hourglass")
    if haunt:
        table.haunt(BELL, traitor=2)
        course(table, 3)
    else:
        table.turn(0)
    table.act("card:hourglass", "TURN")

    started = [the(table.end_turn(), TurnStarted) for _ in range(2)]

    assert [one.seat for one in started] == [0, 1]
    assert [one.round for one in started] == ([1, 1] if haunt else [0, 0])
    if haunt:
        assert bell(table) == (1, 1)
