"""Disputes at a table: who is told what, who decides, what a ruling brings, and what no rewind takes back."""

import msgspec

from domain.facts.audience import REFEREE, SPECTATORS, seat_bit
from domain.facts.desk import Dispute
from domain.facts.events import DisputeClosed, GameStarted, Rewound, SpanSeen
from domain.facts.state import MODERATOR, TRAIT_INDEX, State
from domain.rulebook.desk.disputing import MOST_RULINGS, disputes, precedents
from tests.support.desk import DIGEST, Desk
from tests.support.table import the

MIGHT, SPEED = TRAIT_INDEX["might"], TRAIT_INDEX["speed"]


def seen(table: Desk, mask: int, number: int = 1) -> Dispute:
    """A dispute as a role knows it."""
    return disputes(table.roles[mask])[number - 1]


def everybody(table: Desk) -> list[State]:
    return [table.state, *table.roles.values()]


def test_that_there_is_a_dispute_all_know_and_what_it_claims_the_referee() -> None:
    table = Desk()

    table.dispute(1, 2, 4)

    for mask, knows in ((seat_bit(1), True), (REFEREE, True), (seat_bit(0), False), (SPECTATORS, False)):
        dispute = seen(table, mask)
        assert (dispute.by, dispute.table) == (1, False)
        assert (dispute.first, dispute.last, dispute.claim) == ((2, 4, DIGEST) if knows else (0, 0, ""))


def test_a_dispute_for_the_table_is_public() -> None:
    table = Desk()

    table.dispute(1, 2, 4, table=True)
    table.evidence(2, [3], ["2E-MOVE-001"])

    for mask in table.roles:
        assert seen(table, mask).claim == DIGEST
        assert seen(table, mask).evidence[0].commits == [3]


def test_evidence_for_the_referee_is_seen_by_who_gave_it() -> None:
    table = Desk()
    table.dispute(1)

    table.evidence(2, [3])
    table.evidence(MODERATOR, [2])

    counts = {mask: len(seen(table, mask).evidence) for mask in table.roles}
    assert counts == {seat_bit(0): 0, seat_bit(1): 1, seat_bit(2): 1, SPECTATORS: 0, REFEREE: 2}


def test_a_seat_has_one_open_dispute_at_a_time() -> None:
    table = Desk()
    table.dispute(1)
    with table.refuses(problem="dispute-open"):
        table.dispute(1)
    table.dispute(0)

    table.withdraw(1)

    table.dispute(1)
    assert [one.outcome for one in disputes(table.state)] == ["withdrawn", "", ""]


def test_spans_and_evidence_are_of_commits_that_are_there() -> None:
    table = Desk()
    for first, last in ((0, 1), (1, table.now_at + 1), (3, 2)):
        with table.refuses(problem="unfit-span"):
            table.dispute(1, first, last)
    table.dispute(1)
    with table.refuses(problem="unfit-span"):
        table.evidence(1, [table.now_at + 1])


def test_who_may_withdraw_and_who_may_rule() -> None:
    table = Desk()
    table.dispute(1)
    with table.refuses(problem="not-your-decision"):
        table.withdraw(2)
    with table.refuses(problem="not-your-decision"):
        table.rule("stands", actor=1)

    table.rule("stands")

    with table.refuses(problem="dispute-closed"):
        table.rule("stands")
    with table.refuses(problem="dispute-closed"):
        table.evidence(1, [1])
    with table.refuses(problem="dispute-closed"):
        table.rule("stands", number=7)


def test_the_outcome_is_public_the_reasons_are_for_those_who_know_the_claim() -> None:
    table = Desk()
    table.dispute(1)

    table.rule("stands", rules=["2E-MOVE-001"])

    told = {mask: (seen(table, mask).outcome, seen(table, mask).text, seen(table, mask).rules) for mask in table.roles}
    for mask, knows in ((seat_bit(1), True), (REFEREE, True), (seat_bit(0), False), (SPECTATORS, False)):
        assert told[mask] == ("stands", "So it is." if knows else "", ["2E-MOVE-001"] if knows else [])


def test_a_precedent_is_for_everybody_and_listed_from_its_commit_on() -> None:
    table = Desk()
    table.dispute(1)
    assert precedents(table.state) == []

    table.rule("stands", precedent=True, rules=["2E-MOVE-001"])

    for state in everybody(table):
        (one,) = precedents(state)
        assert (one.number, one.text, one.rules, one.closed) == (1, "So it is.", ["2E-MOVE-001"], table.now_at)


def test_reasons_are_public_where_the_ruling_says_so() -> None:
    table = Desk()
    table.dispute(1)

    table.rule("stands", public=True)

    for state in everybody(table):
        assert (disputes(state)[0].text, precedents(state)) == ("So it is.", [])


# -- rewinds ------------------------------------------------------------------------------------------------------------------------


def walked() -> tuple[Desk, int]:
    """Seat 0 has found a room with an item in it; and the commit before."""
    table = Desk()
    table.stack("tiles", "bloody-room")
    table.turn(0)
    before = table.now_at
    table.picks("bottle").explore("east")
    return table, before


def test_play_goes_back_and_dispute_precedent_and_counts_stay() -> None:
    table, before = walked()
    table.dispute(1, before + 1, before + 1)
    chances, found = table.state.chances, "bloody-room"

    table.rule("rewind", to=before, precedent=True)

    for state in everybody(table):
        assert found not in state.rooms
        assert [one.outcome for one in disputes(state)] == ["rewind"]
        assert len(precedents(state)) == 1
    assert table.state.chances == chances
    assert table.state.desk is not None
    assert table.state.desk.rewinds == 1


def test_the_referee_is_told_what_players_saw_in_what_was_taken_back() -> None:
    table, before = walked()
    table.dispute(1, before + 1, before + 1)

    told = table.rule("rewind", to=before)

    (one,) = [one for one in told if isinstance(one.event, SpanSeen)]
    assert one.to == REFEREE
    assert {sight.seat for sight in the(told, SpanSeen).seen} == {0, 1, 2}
    assert all(sight.commit == before + 1 and "TileDrawn" in sight.events for sight in the(told, SpanSeen).seen)
    assert seen(table, REFEREE).seen
    assert not seen(table, seat_bit(1)).seen


def test_every_role_is_told_its_own_state_and_nobody_elses() -> None:
    table, before = walked()
    table.dispute(1, before + 1, before + 1)

    told = table.rule("rewind", to=before)

    rewound = [one for one in told if isinstance(one.event, Rewound)]
    assert rewound[-1].to & REFEREE
    for mask in table.roles:
        assert sum(bool(one.to & mask) for one in rewound) == 1
    for one in rewound:
        if not one.to & REFEREE:
            assert isinstance(one.event, Rewound)
            assert not one.event.state.frames
            assert not one.event.state.setup


def test_a_rewind_goes_to_a_commit_of_this_game_after_its_start() -> None:
    table, _ = walked()
    table.dispute(1)
    started = next(
        n for n, told in enumerate(table.commits, 1) if any(isinstance(one.event, GameStarted) for one in told)
    )
    for to in (started - 1, table.now_at, table.now_at + 5):
        with table.refuses(problem="unfit-span"):
            table.rule("rewind", to=to)

    table.rule("rewind", to=started)


def test_where_the_option_asks_for_it_all_seats_consent_to_a_rewind() -> None:
    table = Desk(options={"disputes": {"consent": True}})
    before = table.now_at
    table.end_turn()
    table.dispute(1, before + 1, before + 1)

    table.rule("rewind", to=before)
    assert table.seat == 1
    table.consent(0)
    table.consent(1, "refuse")
    assert not seen(table, REFEREE).outcome
    table.rule("rewind", to=before)
    for seat in range(3):
        table.consent(seat)

    assert table.seat == 0
    assert seen(table, SPECTATORS).outcome == "rewind"


# -- the table decides --------------------------------------------------------------------------------------------------------------


def test_the_table_rules_by_the_consent_of_all_others() -> None:
    table = Desk()
    table.dispute(1, table=True)

    table.rule("stands", actor=2)
    with table.refuses(problem="ruling-open"):
        table.rule("stands", actor=0)
    with table.refuses(problem="not-your-decision"):
        table.consent(MODERATOR)
    table.consent(0)
    told = table.consent(1)

    assert the(told, DisputeClosed).by == 2
    assert all(seen(table, mask).text == "So it is." for mask in table.roles)


def test_one_refusal_is_enough_and_who_proposed_may_withdraw() -> None:
    table = Desk()
    table.dispute(1, table=True)
    table.rule("stands", actor=2)

    table.consent(0, "refuse")
    table.rule("stands", actor=0)
    table.consent(0, "withdraw")

    assert seen(table, SPECTATORS).proposed is None
    assert not seen(table, SPECTATORS).outcome


# -- amendments ---------------------------------------------------------------------------------------------------------------------


def test_an_amendment_is_done_by_the_machine() -> None:
    table = Desk()
    table.dispute(1)
    speed = table.explorer(1).at[SPEED]

    table.rule("amend", do=[{"lose": {"trait": "speed", "steps": 1}}])

    assert table.explorer(1).at[SPEED] < speed
    assert seen(table, REFEREE).amendment is not None
    assert seen(table, seat_bit(1)).amendment is None


def test_an_amendment_that_rolls_dice_waits_for_them_like_anything_else() -> None:
    table = Desk()
    table.fate.pending = True
    table.dispute(1)
    gain = {"gain": {"trait": "might", "steps": 1}}
    might = table.explorer(1).at[MIGHT]

    table.rule("amend", do=[{"roll": {"dice": 1}, "outcomes": {"1+": [gain], "0": []}}])
    table.state = msgspec.json.decode(msgspec.json.encode(table.state), type=State)  # picked up elsewhere
    table.moderate([2])

    assert table.explorer(1).at[MIGHT] > might
    assert table.state.frames == []


def test_amendments_are_checked_like_content() -> None:
    table = Desk()
    table.dispute(1)
    for steps in ([{"loose": 1}], [{"lose": {"trait": "luck", "steps": 1}}], [{"run": "x"}]):
        with table.refuses(problem="unfit-amendment"):
            table.rule("amend", do=steps)
    with table.refuses(problem="unfit-amendment"):
        table.rule("amend", you=5, do=[{"lose": {"trait": "speed", "steps": 1}}])


def test_nothing_is_amended_while_something_is_half_done() -> None:
    table = Desk()
    table.hold(0, "axe")
    table.turn(0)
    table.dispute(2)
    table.trade(1, ["axe"])
    with table.refuses(problem="decision-closed"):
        table.rule("amend", do=[{"lose": {"trait": "speed", "steps": 1}}])


# -- pauses and deadlines -----------------------------------------------------------------------------------------------------------


def test_play_pauses_where_the_option_says_so() -> None:
    table = Desk(options={"disputes": {"pause": True}})
    table.dispute(1)
    for seat in range(3):
        assert table.offers(seat) == []
    with table.refuses(problem="play-paused"):
        table.end_turn()

    table.rule("stands")

    table.end_turn()


def test_play_goes_on_without_the_option() -> None:
    table = Desk()
    table.dispute(1)

    table.end_turn()

    assert table.seat == 1


def test_a_dispute_lapses_after_so_many_new_turns() -> None:
    table = Desk(options={"disputes": {"turns": 2}})
    table.dispute(1)
    table.end_turn()
    assert not seen(table, REFEREE).outcome

    told = table.end_turn()

    assert the(told, DisputeClosed).outcome == "lapsed"
    assert all(disputes(state)[0].outcome == "lapsed" for state in everybody(table))


def test_turns_that_are_played_again_are_no_new_ones() -> None:
    table = Desk(options={"disputes": {"turns": 2}})
    before = table.now_at
    table.dispute(1)
    table.dispute(2)
    table.end_turn()
    table.rule("rewind", number=2, to=before)

    table.end_turn()
    assert not seen(table, REFEREE).outcome
    table.end_turn()

    assert seen(table, REFEREE).outcome == "lapsed"


def test_who_agreed_to_a_ruling_has_agreed_to_no_other() -> None:
    table = Desk()
    table.dispute(0, table=True)
    table.rule("stands", actor=0)
    table.consent(0, "withdraw")
    table.rule("rewind", actor=0, to=table.now_at - 1)
    for seat in (1, 2):
        with table.refuses(problem="decision-closed"):
            table.consent(seat, proposal=1)
    assert disputes(table.state)[0].awaited == [1, 2]


def test_who_agreed_may_take_that_back_while_others_are_asked() -> None:
    table = Desk()
    table.dispute(0, table=True)
    table.rule("rewind", actor=0, to=table.now_at - 1)
    table.consent(1)
    table.consent(1, "withdraw")
    with table.refuses(problem="decision-closed"):
        table.consent(2)
    assert disputes(table.state)[0].proposed is None


def test_nobody_proposes_for_ever() -> None:
    table = Desk()
    table.dispute(0, table=True)
    for _ in range(MOST_RULINGS):
        table.rule("stands", actor=0)
        table.consent(0, "withdraw")
    with table.refuses(problem="dispute-limit"):
        table.rule("stands", actor=0)


def test_the_referees_own_word_is_heard_however_often_seats_refused_a_rewind() -> None:
    table = Desk(options={"disputes": {"consent": True}})
    table.end_turn()
    table.dispute(0)
    for _ in range(MOST_RULINGS):
        table.rule("rewind", to=table.now_at - 1)
        table.consent(1, "refuse")
    with table.refuses(problem="dispute-limit"):
        table.rule("rewind", to=table.now_at - 1)

    table.rule("stands")

    assert seen(table, REFEREE).outcome == "stands"
