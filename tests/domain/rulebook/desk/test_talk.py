"""What is said at the table and at the desk is no play: it costs nobody a take-back, and nobody plays for time with it."""

from collections.abc import Callable

import pytest

from domain.facts.audience import EVERYBODY, REFEREE, seat_bit
from domain.facts.commands import Choose, ProposeRuling
from domain.facts.events import EvidenceFiled, EvidenceGiven, Moved, SideTold, Told, VerdictDropped
from domain.facts.state import MODERATOR
from domain.past import Passed
from domain.rulebook.desk.disputing import MOST_EVIDENCE, PAUSES, disputes
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.taking_back import BEHIND, offered
from domain.rulebook.desk.talk import of_play, talk
from projections.naming.questions import Asking
from projections.sentences.desk import SENTENCES
from tests.support.desk import Desk
from tests.support.table import the


def test_a_table_that_argues_loses_no_take_backs() -> None:
    table = Desk()
    before = table.now_at
    table.move("foyer")
    table.dispute(1)
    table.dispute(2)
    for _ in range(MOST_EVIDENCE):
        table.evidence(2, [1], number=1)
        table.evidence(MODERATOR, [1], number=2)

    assert table.now_at > before + BEHIND
    assert table.offered(0) == [before]
    table.take_back(0, before)
    assert table.explorer(0).room == "entrance-hall"


def test_of_what_was_played_nobody_goes_back_further_for_all_that_was_said() -> None:
    walked = Told(EVERYBODY, Moved(figure=0, room="foyer", spent=1))
    filed = Told(EVERYBODY, EvidenceFiled(number=1, by=2))
    played = [Passed(number, 0, [walked]) for number in range(1, 2 * BEHIND, 2)]
    older = [Passed(number, 0, [walked]) for number in range(-9, 1, 2)]
    said = [Passed(number, 2, [filed]) for number in range(2, 2 * BEHIND + 1, 2)]
    passed = sorted([*older, *played, *said], key=lambda one: one.number)

    assert list(offered(passed, 0)) == [one.number - 1 for one in reversed(played)]


def test_that_evidence_was_given_everybody_learns_and_what_it_is_only_those_concerned() -> None:
    table = Desk()
    table.dispute(1)
    told = table.evidence(2, [3])

    given = {type(one.event): one.to for one in told}
    assert given == {EvidenceFiled: EVERYBODY, EvidenceGiven: seat_bit(2) | REFEREE}
    for mask in table.roles:
        assert talk([one.event for one in told if one.to & mask])


def test_an_amendment_is_play_even_if_nothing_of_it_shows() -> None:
    table = Desk()
    before = table.now_at
    table.move("foyer")
    table.dispute(1)
    table.rule("amend", do=[{"lose": {"trait": "speed", "steps": 1}}])
    closed = [one for one in table.commits[-1] if one.event.__struct_config__.tag == "DisputeClosed"]

    assert of_play(closed)
    assert not talk([one.event for one in closed])
    assert table.offered(0) == []
    with table.refuses(problem="take-back-closed"):
        table.take_back(0, before)


def test_what_somebody_was_not_told_of_counts_as_play() -> None:
    filed = EvidenceFiled(number=1, by=2)
    assert not of_play([Told(EVERYBODY, filed)])
    assert of_play([Told(REFEREE, filed)])
    assert of_play([Told(EVERYBODY, filed), Told(REFEREE, SideTold(seat=1, side="traitor"))])
    assert of_play([])


# -- pauses -------------------------------------------------------------------------------------------------------------------------


def withdrawn(table: Desk, number: int) -> None:
    table.withdraw(1, number)


def dismissed(table: Desk, number: int) -> None:
    table.rule("stands", number=number)


@pytest.mark.parametrize("end", [withdrawn, dismissed])
def test_who_has_held_up_play_for_nothing_three_times_holds_it_up_no_more(end: Callable[[Desk, int], None]) -> None:
    table = Desk(options={"disputes": {"pause": True}})
    for number in range(1, PAUSES + 1):
        table.dispute(1)
        assert paused(table.state)
        end(table, number)

    table.dispute(1)

    assert not paused(table.state)
    table.end_turn()
    table.dispute(2)
    assert paused(table.state), "others may still"


def test_who_was_right_may_hold_up_play_ever_again() -> None:
    table = Desk(options={"disputes": {"pause": True}})
    for number in range(1, PAUSES + 3):
        table.dispute(1)
        assert paused(table.state)
        if number % 2:
            table.rule("rewind", number=number, to=table.now_at - 1)
        else:
            table.rule("amend", number=number, do=[{"gain": {"trait": "might", "steps": 1}}])


@pytest.mark.parametrize("most", [0, 1])
def test_how_often_a_table_says_when_it_opens_its_game(most: int) -> None:
    table = Desk(options={"disputes": {"pause": True, "pauses": most}})
    for number in range(1, most + 1):
        table.dispute(1)
        table.withdraw(1, number)
    table.dispute(1)
    assert not paused(table.state)


# -- words --------------------------------------------------------------------------------------------------------------------------


def words(table: Desk, told: list[Told]) -> str:
    return SENTENCES[VerdictDropped](Asking(table.rules, table.state), the(told, VerdictDropped))


def test_a_refusal_a_withdrawn_consent_and_a_withdrawn_ruling_are_told_apart() -> None:
    table = Desk()
    table.dispute(1, table=True)

    table.rule("stands", actor=0)
    assert "does not agree to the ruling on dispute 1" in words(table, table.consent(1, "refuse"))
    table.rule("stands", actor=0)
    table.consent(1)
    assert "no longer agrees to the ruling on dispute 1" in words(table, table.consent(1, "withdraw"))
    table.rule("stands", actor=0)
    assert "withdraws the proposed ruling on dispute 1" in words(table, table.consent(0, "withdraw"))


# -- refused before the log is read ---------------------------------------------------------------------------------------------------


def test_only_the_consent_that_makes_a_rewind_hold_needs_the_past() -> None:
    table = Desk(options={"disputes": {"consent": True}})
    before = table.now_at
    table.end_turn()
    table.dispute(1)
    table.rule("rewind", to=before)
    ballot = Choose(decision="dispute-1-1", option="agree")
    assert [table.goes_back(seat, ballot) for seat in range(3)] == [0, 0, 0]
    table.consent(0)
    table.consent(1)

    assert table.goes_back(2, ballot) == before
    assert table.goes_back(2, Choose(decision="dispute-1-1", option="refuse")) == 0
    with table.refuses(problem="not-an-option"):
        table.goes_back(2, Choose(decision="dispute-1-1", option="maybe"))


def test_a_consent_that_can_not_hold_any_more_changes_nothing() -> None:
    """Whatever is refused is refused before the first event."""
    table = Desk(options={"disputes": {"consent": True}})
    table.end_turn()
    table.dispute(1)
    table.rule("rewind", to=table.now_at - 2)
    table.consent(0)
    table.consent(1)
    awaited = list(disputes(table.state)[0].awaited)
    with table.refuses(problem="unfit-span"):
        table.without_past(2, Choose(decision="dispute-1-1", option="agree"))

    assert disputes(table.state)[0].awaited == awaited == [2]


def test_talk_at_the_table_is_no_play_either() -> None:
    table = Desk()
    table.move("foyer")
    told = table.do(2, ProposeRuling(decision="table", text="Doors squeak."))
    assert not of_play(told)
    assert table.offered(0) == [table.now_at - 2]
