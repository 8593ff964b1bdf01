"""Turns in the haunt: who comes after whom, and what may be done (rulebook: The Haunt, On Your Turn)."""

import pytest

from domain.events import CardDrawn, TextTold, TurnStarted
from tests.domain.test_haunt_begins import reveal
from tests.support.packs import rules_with
from tests.support.table import FOUR, Table, events, heard, the


def round_of(table: Table, turns: int) -> list[int | str]:
    """Whose turns follow each other; `monsters` for theirs."""
    found: list[int | str] = []
    for _ in range(turns):
        turn = table.state.turn
        found.append("monsters" if turn.monsters else turn.seat)
        table.fate.dice = [(1, 1, 1, 1)]
        table.end_turn()
    return found


@pytest.mark.rule("2E-HTURN-001", "2E-HTURN-002")
def test_the_first_turn_is_that_of_the_player_on_the_traitors_left_and_monsters_come_last() -> None:
    """Seats A B C D, traitor B: C, D, A, B, the monsters, and C again."""
    table = Table(FOUR, first=1, options={"haunt": "the-bell-below"})
    reveal(table)
    table.all_ready()

    assert round_of(table, 6) == [2, 3, 0, 1, "monsters", 2]


@pytest.mark.rule("2E-HTURN-003")
def test_the_traitor_discovers_rooms_and_draws_like_anybody() -> None:
    table = Table()
    table.put(1, "foyer")
    table.put(2, "foyer")
    table.haunt("the-bell-below", traitor=0)
    table.stack("tiles", "bloody-room")
    table.stack("item", "axe")

    assert the(table.explore("east"), CardDrawn).card == "axe"


def test_the_dead_have_no_turn_and_a_dead_traitor_still_runs_the_monsters() -> None:
    table = Table(FOUR)
    table.haunt("the-bell-below", traitor=3)
    table.monster("sexton-1", "foyer")
    table.clips(1, might=0)
    table.clips(3, might=0)
    table.die(1, 3)

    assert round_of(table, 4) == [0, 2, "monsters", 0]


@pytest.mark.rule("2E-HTURN-005", "2E-WIN-004")
def test_after_the_traitors_death_the_monsters_go_on_and_may_win() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=2)
    table.monster("sexton-1", "foyer")
    table.die(2)
    table.counter("strokes", 12)
    table.end_turn()
    told = table.rolls([1, 1, 1, 1]).end_turn()
    assert the(told, TurnStarted).monsters

    table.end_turn()

    assert (table.view(0).status, table.view(0).winner) == ("finished", "traitor")


def test_rounds_are_counted_from_the_first_turn_of_the_haunt() -> None:
    table = Table(options={"haunt": "the-bell-below"})
    reveal(table)
    table.all_ready()
    haunt = table.view(1).haunt
    assert haunt is not None
    assert haunt.round == 1
    assert len([one for commit in table.commits for one in events(commit, TurnStarted) if one.round == 1]) == 1


@pytest.mark.rule("2E-SEC-003", asserts=True)
def test_what_a_hero_learns_all_heroes_learn_and_the_traitor_does_not() -> None:
    """A haunt in which a roll of Knowledge tells the heroes something."""
    haunt = """
      id: h
      title: H
      stage: draft
      kind: one-traitor
      story: S
      heroes:
        story: S
        goal: G
        texts: {secret: The key is under the stone.}
        actions:
          - word: STUDY
            do: [{roll: {trait: knowledge, task: true}, outcomes: {1+: [{tell: {side: heroes, text: secret}}], 0: []}}]
      traitor-book: {story: S, goal: G}
    """
    table = Table(game=rules_with(haunt=haunt))
    table.haunt("h", traitor=1)

    told = table.rolls([1, 0, 0]).act("haunt:heroes", "STUDY")

    assert [bool(events(heard(told, seat), TextTold)) for seat in range(3)] == [True, False, True]
