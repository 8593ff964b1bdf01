"""Default actions: what is done for a player who lets a deadline pass."""

import pytest

from domain.default_actions import default_of, lapse_dispute, take_default, with_default
from domain.facts.commands import Choose, EndTurn, Move
from domain.facts.events import DisputeClosed
from domain.facts.lifecycle_commands import Expired, Lapsed
from domain.facts.refusal import Refused
from tests.domain.rulebook.haunt.test_beginning import reveal
from tests.support.desk import Desk
from tests.support.table import FOUR, Table, the

DUE = "2026-02-03T00:00:00.000Z"


def test_an_absent_players_turn_ends() -> None:
    table = Table()
    assert with_default(table.state) == [table.now]
    end = EndTurn(decision=table.now)
    assert default_of(table.rules, table.state, table.now) == end

    table.commit(
        take_default(table.rules, table.state, Expired(decision=end.decision, due=DUE, command=end), table.fate)
    )

    assert table.seat == 1


def test_who_is_asked_by_the_haunt_is_ready() -> None:
    table = Table(FOUR, first=1, options={"haunt": "the-bell-below"})
    reveal(table)

    waiting = with_default(table.state)

    assert len(waiting) == table.state.seats
    for decision in waiting:
        assert default_of(table.rules, table.state, decision) == Choose(decision=decision, option="ready")


def test_another_action_than_the_default_is_refused() -> None:
    table = Table()
    expired = Expired(decision=table.now, due=DUE, command=Move(decision=table.now, to="foyer"))
    with pytest.raises(Refused) as refusal:
        take_default(table.rules, table.state, expired, table.fate)
    assert refusal.value.problem == "conflict"


def test_a_decision_that_is_not_open_has_no_default() -> None:
    table = Table()
    with pytest.raises(Refused) as refusal:
        default_of(table.rules, table.state, "turn-99")
    assert refusal.value.problem == "decision-closed"


def test_while_a_dispute_pauses_play_nothing_is_done_for_anybody_and_then_it_lapses() -> None:
    table = Desk(options={"disputes": {"pause": True}})
    table.dispute(1)
    assert with_default(table.state) == []

    told = table.commit(lapse_dispute(table.rules, table.state, Lapsed(dispute=1, due=DUE), table.fate))

    assert the(told, DisputeClosed).outcome == "lapsed"
    assert with_default(table.state) == [table.now]
    with pytest.raises(Refused):
        lapse_dispute(table.rules, table.state, Lapsed(dispute=1, due=DUE), table.fate)
