"""Amendments undone by rewinds and applied again, disputes that are reopened, and whom an amendment is about."""

import msgspec
import pytest

from domain.dry_run import Consulted, try_ruling
from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.desk_commands import RuleDispute
from domain.facts.events import DisputeClosed, TraitChanged
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, TRAIT_INDEX, State
from domain.rulebook.desk.amending import about_you, lifeless, undone
from domain.rulebook.desk.disputing import disputes, precedents
from domain.worlds import copied
from tests.domain.rulebook.desk.test_disputing import everybody, seen
from tests.support.desk import Desk
from tests.support.table import the

MIGHT = TRAIT_INDEX["might"]
GAIN: list[dict[str, object]] = [{"gain": {"trait": "might", "steps": 1}}]
ROLL: list[dict[str, object]] = [{"roll": {"dice": 1}, "outcomes": {"1+": GAIN, "0": []}}]


def amended(do: list[dict[str, object]] = GAIN) -> tuple[Desk, int, int]:
    """Seat 1 has been given a space of Might by dispute 1, and seat 2 disputes what was before; the commit before, and the might then."""
    table = Desk()
    table.rolls([1])
    before, might = table.now_at, table.explorer(1).at[MIGHT]
    table.dispute(1)
    table.rule("amend", you=1, do=do)
    table.dispute(2)
    return table, before, might


def undone_by(table: Desk, mask: int, number: int = 1) -> tuple[int, int] | None:
    """By the ruling on which dispute an amendment was undone, and in which commit, as a role knows."""
    state = table.roles[mask]
    assert state.desk is not None
    back = state.desk.undone_by(state.desk.disputes[number - 1], state.commit)
    return None if back is None else (back.dispute, back.commit)


def test_a_rewind_undoes_an_amendment_and_every_role_knows_by_which_ruling() -> None:
    table, before, might = amended()
    assert undone(table.state, before) == [1]

    table.rule("rewind", number=2, to=before)

    assert table.explorer(1).at[MIGHT] == might
    assert {undone_by(table, mask) for mask in table.roles} == {(2, table.now_at)}
    assert undone(table.state, before) == []


def test_a_rewind_of_the_rewind_brings_the_amendment_back() -> None:
    table, before, might = amended()
    with_it = table.now_at
    table.rule("rewind", number=2, to=before)
    table.dispute(2)

    table.rule("rewind", number=3, to=with_it)

    assert table.explorer(1).at[MIGHT] == might + 1
    assert {undone_by(table, mask) for mask in table.roles} == {None}


def test_a_rewind_can_apply_the_amendment_again_in_the_same_commit() -> None:
    table, before, might = amended()
    commits = table.now_at

    told = table.rule("rewind", number=2, to=before, reapply=[1])

    assert table.now_at == commits + 1
    assert table.explorer(1).at[MIGHT] == might + 1
    assert the(told, DisputeClosed).reapplied == [1]
    for mask, state in table.roles.items():
        assert undone_by(table, mask) is None
        assert state.explorers[1].at[MIGHT] == might + 1


def test_an_amendment_that_was_applied_again_can_be_undone_once_more() -> None:
    table, before, _ = amended()
    table.rule("rewind", number=2, to=before, reapply=[1])
    table.dispute(2)

    table.rule("rewind", number=3, to=before)

    assert undone_by(table, REFEREE) == (3, table.now_at)
    table.dispute(2)
    table.rule("rewind", number=4, to=before, reapply=[1])
    assert undone_by(table, REFEREE) is None


def test_several_amendments_are_applied_in_their_order_also_where_the_first_waits_for_dice() -> None:
    table, before, might = amended(ROLL)
    table.rule("amend", number=2, you=1, do=[{"set-trait": {"trait": "might", "to": "start"}}])
    table.dispute(0)
    table.fate.pending = True

    table.rule("rewind", number=3, to=before, reapply=[1, 2])
    table.state = msgspec.json.decode(msgspec.json.encode(table.state), type=State)  # picked up elsewhere
    assert undone_by(table, REFEREE) is None
    table.moderate([2])

    assert table.explorer(1).at[MIGHT] == might
    assert table.state.frames == []


def test_what_can_not_be_applied_again_is_refused_and_says_why() -> None:
    table, before, _ = amended()
    table.dispute(0)
    table.rule("stands", number=3)
    after = table.now_at
    table.end_turn()
    for reapply, to, why in (
        ([9], before, "there is no dispute 9"),
        ([3], before, "dispute 3 was not decided by an amendment"),
        ([1, 1], before, "dispute 1 is named twice"),
        ([1], after, f"the amendment of dispute 1 holds at commit {after}"),
    ):
        with table.refuses(problem="unfit-ruling", says=why):
            table.rule("rewind", number=2, to=to, reapply=reapply)
    assert not seen(table, REFEREE, 2).outcome


def test_an_amendment_is_not_applied_where_something_is_half_done_or_it_does_not_fit() -> None:
    table = Desk()
    table.hold(0, "axe")
    table.turn(0)
    table.trade(1, ["axe"])
    offered = table.now_at
    table.choose(1, "yes")
    table.dispute(1)
    table.rule("amend", you=1, do=GAIN)
    table.dispute(2)

    with table.refuses(problem="unfit-amendment", says="nothing is amended while something is half-done"):
        table.rule("rewind", number=2, to=offered, reapply=[1])


def test_a_certain_card_is_taken_from_its_holder_also_one_that_cannot_be_stolen() -> None:
    table = Desk()
    for card in ("madman", "axe", "spear"):
        table.hold(0, card)
    table.dispute(2)

    table.rule("amend", you=1, do=[{"take": {"from": "holder:madman", "card": "madman"}}])

    assert (table.explorer(0).cards, table.explorer(1).cards) == (["axe", "spear"], ["madman"])


def test_who_takes_back_the_consent_to_an_amendment_undoes_it_for_all_to_see() -> None:
    table = Desk()
    table.dispute(0, table=True)
    table.rule("amend", actor=0, you=1, do=GAIN)
    table.consent(1)
    before = table.now_at
    table.consent(2)

    table.take_back(2, before)

    assert {undone_by(table, mask) for mask in table.roles} == {(0, table.now_at)}


def test_all_who_are_asked_for_a_rewind_are_asked_for_what_it_applies_again() -> None:
    table, before, might = amended()
    table.dispute(0, table=True)

    table.rule("rewind", number=3, actor=0, to=before, reapply=[1])
    with table.refuses(problem="ruling-open"):
        table.reopen(number=1)
    table.consent(1, number=3)
    table.consent(2, number=3)

    assert table.explorer(1).at[MIGHT] == might + 1
    assert undone_by(table, SPECTATORS) is None


# -- reopened -----------------------------------------------------------------------------------------------------------------------


def test_what_was_ruled_stands_until_it_is_ruled_again() -> None:
    table = Desk()
    table.dispute(1)
    table.rule("stands", precedent=True)
    ruled = table.now_at

    table.reopen()

    for state in everybody(table):
        (dispute,) = disputes(state)
        assert (dispute.outcome, dispute.reopened, dispute.why) == ("", table.now_at, "There is more to it.")
        assert [(one.text, one.closed) for one in precedents(state)] == [("So it is.", ruled)]
    table.rule("amend", text="It was not so.", you=1, do=GAIN)
    for state in everybody(table):
        assert precedents(state) == []
        assert [one.outcome for one in disputes(state)[0].rulings()] == ["stands", "amend"]


def test_who_reopens_and_what_can_be_reopened() -> None:
    table = Desk()
    table.dispute(1)
    with table.refuses(problem="dispute-open"):
        table.reopen()
    table.withdraw(1)
    with table.refuses(problem="dispute-closed", says="it has been withdrawn"):
        table.reopen()
    with table.refuses(problem="dispute-closed"):
        table.reopen(number=2)
    table.dispute(1)
    table.rule("stands", number=2)
    with table.refuses(problem="not-your-decision"):
        table.reopen(number=2, actor=1)

    table.reopen(number=2)

    with table.refuses(problem="not-your-decision", says="reopened"):
        table.withdraw(1, number=2)
    table.evidence(1, [1], number=2)


def test_the_table_decides_again_on_what_it_has_decided() -> None:
    table = Desk()
    table.dispute(1, table=True)
    table.rule("stands", actor=0)
    table.consent(1)
    table.consent(2)

    table.reopen()
    table.rule("stands", actor=2, text="All the more.")
    with table.refuses(problem="decision-closed"):
        table.consent(0, proposal=1)
    table.consent(0)
    table.consent(1)

    assert [one.text for one in seen(table, SPECTATORS).rulings()] == ["So it is.", "All the more."]


def test_the_terms_of_time_start_anew_and_what_was_ruled_stands_where_nobody_rules() -> None:
    table = Desk(options={"disputes": {"turns": 2}})
    table.dispute(1)
    table.end_turn()
    table.rule("stands", precedent=True)
    table.reopen()
    table.end_turn()
    assert not seen(table, REFEREE).outcome

    table.end_turn()

    assert seen(table, REFEREE).outcome == "lapsed"
    assert len(precedents(table.roles[SPECTATORS])) == 1


def test_a_reopened_amendment_that_still_rolls_is_finished_also_after_a_rewind_to_it() -> None:
    table = Desk()
    table.fate.pending = True
    might = table.explorer(1).at[MIGHT]
    table.dispute(1)
    table.rule("amend", you=1, do=ROLL)
    rolling = table.now_at
    table.moderate([0])
    table.reopen()
    table.rule("amend", you=1, do=[*GAIN, *GAIN])
    table.dispute(2)

    table.rule("rewind", number=2, to=rolling)
    table.state = msgspec.json.decode(msgspec.json.encode(table.state), type=State)  # picked up elsewhere
    table.moderate([1])

    assert table.explorer(1).at[MIGHT] == might + 1


# -- whom it is about ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "step, about",
    [
        ({"gain": {"trait": "might"}}, True),
        ({"gain": {"trait": "might"}, "who": "you"}, True),
        ({"gain": {"trait": "might"}, "who": {"each": "explorer"}}, False),
        ({"gain": {"trait": "might"}, "who": {"each": "explorer", "besides-you": True}}, True),
        ({"gain": {"trait": "might"}, "who": "left-of-you"}, True),
        ({"place-token": {"token": "seal"}}, True),
        ({"place-token": {"token": "seal", "at": "attic"}}, False),
        ({"place-token": {"token": "seal", "at": {"adjacent": True}}}, True),
        ({"remove-token": {"token": "seal"}}, True),
        ({"remove-token": {"token": "seal", "all": True}}, False),
        ({"count": {"counter": "seals", "by": 1}}, False),
        ({"count": {"counter": "bids", "by": 1}}, True),
        ({"win": {"side": "heroes", "because": "They have."}}, False),
        ({"win": {"side": "you", "because": "They have."}}, True),
        ({"each-room": {"rooms": {"one-of": ["attic"]}, "do": [{"lose": {"trait": "speed"}}]}}, True),
        ({"loose": 1}, False),
    ],
)
def test_steps_are_about_you_where_it_matters_who_you_are(step: dict[str, object], about: bool) -> None:  # noqa: FBT001 -- a parameter
    table = Desk()
    table.haunt("the-bell-below", traitor=1)
    assert table.state.haunt is not None
    table.state.haunt.counters = {"seals": 0, "bids@0": 0, "bids@1": 0}
    assert about_you(table.state.haunt, [step]) is about


def test_nothing_is_done_to_the_dead_but_what_does_not_need_the_living() -> None:
    table = Desk()
    table.haunt("the-bell-below", traitor=1)
    table.state.explorers[2].alive = False

    refused = lifeless(table.state, 2, [{"gain": {"trait": "might"}}])
    assert refused is not None
    named = refused.worded({"seat:2": "Zoe Ingstrom"}.__getitem__)
    assert (named.detail, named.errors) == (
        "Zoe Ingstrom is dead, and `gain` is for the living",
        [("/you", "Zoe Ingstrom is dead, and `gain` is for the living")],
    )
    assert not lifeless(table.state, 1, [{"gain": {"trait": "might"}}])
    assert not lifeless(table.state, 2, [{"gain": {"trait": "might"}, "who": {"each": "explorer"}}])
    table.state.explorers[2].removed = True
    refused = lifeless(table.state, 2, [{"set-trait": {"trait": "might", "to": "start"}}])
    assert refused is not None
    assert refused.detail == "seat 2 has left the house, and `set-trait` is for the living"


def test_a_ruling_is_tried_on_what_the_one_who_tries_it_knows() -> None:
    table = Desk()
    table.haunt("the-hollow-guest", traitor=1)
    table.dispute(2, table=True)
    steps: list[dict[str, object]] = [{"gain": {"trait": "might"}, "who": {"each": "traitor"}}]
    ruling = RuleDispute(number=1, outcome="amend", text="So be it.", you=0, do=steps)

    found = {
        mask: try_ruling(table.rules, copied(table.roles[mask]), actor, ruling)
        for mask, actor in ((seat_bit(0), 0), (REFEREE, MODERATOR))
    }

    assert [asks for _, asks, _ in found.values()] == [[1, 2], [0, 1, 2]]
    raised = {
        mask: [one.event.seat for one in told if isinstance(one.event, TraitChanged)]
        for mask, (told, _, _) in found.items()
    }
    assert raised == {seat_bit(0): [], REFEREE: [1]}


# -- what a seat that proposes can't know -------------------------------------------------------------------------------------------

REVEAL: list[dict[str, object]] = [{"reveal": "traitor"}]
IF_TRAITOR: list[dict[str, object]] = [{"gain": {"trait": "might", "steps": 1}, "if": {"you": "traitor"}}]


def with_a_hidden_traitor(traitor: int) -> Desk:
    """A dispute that the table decides, in a game whose traitor has been dealt in secret."""
    table = Desk()
    table.haunt("the-hollow-guest", traitor=traitor)
    table.dispute(1, table=True)
    return table


def traitor_as_told(table: Desk) -> int:
    """Who the traitor is, as an innocent knows."""
    haunt = table.roles[seat_bit(0)].haunt
    assert haunt is not None
    return haunt.traitor


@pytest.mark.parametrize("do", [REVEAL, IF_TRAITOR])
def test_what_hangs_on_who_the_traitor_is_can_be_proposed_and_is_foretold_alike_in_all_games(
    do: list[dict[str, object]],
) -> None:
    ruling = msgspec.convert({"number": 1, "outcome": "amend", "text": "So.", "you": 2, "do": do}, RuleDispute)
    tables = [with_a_hidden_traitor(1), with_a_hidden_traitor(2)]
    foretold = [try_ruling(one.rules, copied(one.roles[seat_bit(0)]), 0, ruling) for one in tables]
    assert foretold == [([], [1, 2], [Consulted(kind="hidden", about="traitor")])] * 2

    proposed = [one.rule("amend", actor=0, you=2, do=do) for one in tables]
    agreed = [one.consent(1) for one in tables]

    assert proposed[0] == proposed[1]
    assert agreed[0] == agreed[1]
    before = [one.explorer(2).at[MIGHT] for one in tables]
    for one in tables:
        assert traitor_as_told(one) == -1
        one.consent(2)
    if do is REVEAL:
        assert [traitor_as_told(one) for one in tables] == [1, 2]
    else:
        assert [one.explorer(2).at[MIGHT] - was for one, was in zip(tables, before, strict=True)] == [0, 1]


def test_whoever_knows_the_traitor_is_told_what_comes_of_it_and_who_asks_for_none_too() -> None:
    table = with_a_hidden_traitor(1)
    for seat, do in ((1, IF_TRAITOR), (0, GAIN)):
        ruling = msgspec.convert({"number": 1, "outcome": "amend", "text": "So.", "you": 1, "do": do}, RuleDispute)
        told, _, consults = try_ruling(table.rules, copied(table.roles[seat_bit(seat)]), seat, ruling)
        assert consults == []
        assert the(told, TraitChanged).seat == 1


@pytest.mark.parametrize("haunt, kind", [("", "no-traitor"), ("the-bell-below", "one-traitor")])
def test_where_nobody_is_hidden_the_reason_names_the_kind_that_everybody_knows(haunt: str, kind: str) -> None:
    table = Desk()
    if haunt:
        table.haunt(haunt, traitor=1)
    table.dispute(1, table=True)
    with pytest.raises(Refused, match=f"nobody is hidden: the kind is `{kind}`"):
        table.rule("amend", actor=0, you=1, do=REVEAL)
