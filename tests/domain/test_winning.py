"""Winning: who reaches its goal first, and what can no longer be won (rulebook: Winning the Game)."""

import pytest

from domain.audience import SPECTATORS
from domain.commands import EndTurn, Enter
from domain.events import Disclosed, GameEnded, TextTold
from domain.state import MODERATOR
from domain.turn.entering import BOOK
from tests.support.desk import Desk
from tests.support.table import Table, the


def last_verse() -> Table:
    """The heroes are one verse of the rite short, and seat 0 stands at the nest."""
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.token("nest", "entrance-hall")
    table.counter("verses", 3)
    table.act("haunt:heroes", "CHANT")
    return table


@pytest.mark.rule("2E-WIN-001")
def test_the_side_that_completes_its_goal_wins_and_nothing_more_can_be_done() -> None:
    table = last_verse()

    told = table.rolls([2, 2, 1]).choose(0, "sanity")

    assert the(told, GameEnded).winner == "heroes"
    for role in table.roles.values():
        assert (role.status, role.winner) == ("finished", "heroes")
    with table.refuses(problem="decision-closed"):
        table.play(0, EndTurn(decision=table.now))
    assert not table.offers(0)


@pytest.mark.rule("2E-WIN-002", asserts=True)
def test_a_goal_of_the_haunt_is_won_with_everybody_alive() -> None:
    table = last_verse()
    table.rolls([2, 2, 1]).choose(0, "sanity")
    assert all(one.alive for one in table.state.explorers)
    assert table.view(0).because


@pytest.mark.rule("2E-WIN-003")
def test_when_all_heroes_are_dead_the_traitor_has_won() -> None:
    table = Table()
    table.haunt("the-bell-below", traitor=1)
    table.die(0, 2)
    assert (table.view(1).status, table.view(1).winner) == ("finished", "traitor")


@pytest.mark.rule("2E-WIN-003")
def test_a_goal_reached_with_the_last_heros_death_is_no_victory_of_heroes() -> None:
    """A chant of nothing hurts the mind: the last hero dies of it, with all verses spoken."""
    table = last_verse()
    table.die(2)
    table.clips(0, sanity=1, knowledge=1)
    dice = table.value(0, "sanity")

    table.rolls([0] * dice).choose(0, "sanity")
    table.allocate(0, sanity=1)

    assert (table.view(1).status, table.view(1).winner) == ("finished", "traitor")


@pytest.mark.rule("2E-WIN-005", asserts=True)
def test_after_the_victory_the_winners_ending_is_read_to_all() -> None:
    table = last_verse()
    told = table.rolls([2, 2, 1]).choose(0, "sanity")
    assert the(told, Disclosed).traitor == 1
    ending = [one for one in told if isinstance(one.event, TextTold)]
    assert [one.event.text for one in ending if isinstance(one.event, TextTold)] == ["heroes.ending"]
    assert all(one.to & SPECTATORS for one in ending)


CLAIM = {"win": {"side": "heroes", "because": "We have seen enough."}}


@pytest.mark.rule("2E-OBJ-002", case=1, asserts=True)
def test_before_the_haunt_nobody_can_claim_a_victory() -> None:
    table = Desk(options={"haunt": "external"})
    for book in ("haunt:heroes", "haunt:traitor"):
        with table.refuses("2E-SETUP-001"):
            table.act(book, "WIN")
    for actor in (0, MODERATOR):
        with table.refuses(problem="nothing-to-enter"):
            table.play(actor, Enter(decision=BOOK, book="heroes", entry={"do": [CLAIM]}))
    table.dispute(0)
    with table.refuses(problem="unfit-amendment"):
        table.rule("amend", do=[CLAIM])
    assert table.state.status == "started"
