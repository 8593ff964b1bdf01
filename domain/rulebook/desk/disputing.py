"""Disputes: a seat objects to what happened, the referee or the table decides, and play goes on, is put right, or goes back.

All of it is kept beside the game, like the table's rulings: no rewind takes a dispute or a precedent back. What a dispute is about only
its author and the referee are told, unless it is addressed to the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from content.errors import listed
from domain.engine.machine import Machine
from domain.facts.audience import EVERYBODY, REFEREE, seat_bit, seats_mask
from domain.facts.commands import AnswerCommand, Choose
from domain.facts.desk import RULED, Dispute, Ruled, Sight, Verdict
from domain.facts.desk_commands import AnyDeskCommand, GiveEvidence, OpenDispute, ReopenDispute, RuleDispute
from domain.facts.events import (
    ClaimMade,
    DisputeClosed,
    DisputeOpened,
    DisputeReopened,
    EvidenceFiled,
    EvidenceGiven,
    ReasonsGiven,
    SpanSeen,
    VerdictConsented,
    VerdictDropped,
    VerdictProposed,
)
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Decision, State
from domain.past import Passed, Past
from domain.rulebook.desk.amending import amend, check_amendment, check_fits_again, check_reapplied, lacking, told_of
from domain.rulebook.desk.rewinding import check_number, check_target, go_back
from domain.rulebook.desk.rulings import AGREE, REFUSE, WITHDRAW
from domain.rulebook.desk.taking_back import tells

OPTION = "disputes"
"""The game's option that says whether play pauses, how long a dispute may wait, and whether seats consent to rewinds."""
TURNS = 12
"""Turns after which a dispute lapses, by default."""
SECONDS = 86_400
"""Seconds after which it lapses where play pauses, because no turn begins then."""
MOST = 40
"""Disputes of one seat in a game."""
PAUSES = 3
"""Disputes of one seat that may pause play for nothing, by default; further ones are heard while play goes on."""
ENDED = {"withdrawn": "been withdrawn", "lapsed": "lapsed", "over": "ended with its game"}
"""How a dispute ended that nobody ruled."""
FOR_NOTHING = ("withdrawn", "lapsed", "stands")
"""Outcomes of a dispute that paused play for nothing."""
MOST_RULINGS = 20
"""Rulings that are proposed in one dispute, so that nobody fills the log by proposing and withdrawing; as many again once it is reopened."""
MOST_EVIDENCE = 20
"""Of one seat in one dispute, and as much again once it is reopened; what others have given is not counted, because not everybody is told of it."""
MOST_REOPENED = 20
"""How often one dispute can be reopened."""


# -- what is on the desk -----------------------------------------------------------------------------------------------------------


def disputes(state: State) -> list[Dispute]:
    """All disputes of a game, as far as this fold was told, in the order of their numbers."""
    return [] if state.desk is None else state.desk.disputes


def precedents(state: State) -> list[Ruled | Dispute]:
    """Rulings that are precedents, as of the commit that this fold has come to; everybody knows their reasons.

    While a dispute is open again, what was ruled holds.
    """
    return [ruling for one in disputes(state) for ruling in one.rulings()[-1:] if ruling.precedent]


def decision_of(dispute: Dispute) -> str:
    """The id under which a dispute waits for its deadline."""
    return f"dispute-{dispute.number}"


def timed(state: State) -> list[Dispute]:
    """Open disputes that lapse by the clock."""
    return [] if state.desk is None else [one for one in state.desk.open() if one.seconds and state.status == "started"]


def timed_as(state: State, decision: str) -> Dispute | None:
    """The open dispute that waits for its deadline under this id."""
    return next((one for one in timed(state) if decision_of(one) == decision), None)


def ballot_of(dispute: Dispute) -> str:
    """The id of the decision about a proposed ruling: another proposal is another decision, to which nobody has agreed."""
    return f"{decision_of(dispute)}-{dispute.proposals}"


def consents(state: State, actor: int) -> list[Decision]:
    """What a seat, or the referee (-1), is asked about rulings that are proposed: to consent, or to withdraw its own."""
    return [asked for one in disputes(state) if (asked := _consent(state, one, actor)) is not None]


def _consent(state: State, dispute: Dispute, actor: int) -> Decision | None:
    if dispute.proposed is None:
        return None
    if actor in dispute.awaited:
        waits = dispute.proposed.outcome == "amend" and state.open and len(dispute.awaited) == 1
        options = (
            [REFUSE] if waits else [AGREE, REFUSE]
        )  # the steps are done at once, with nothing half-done beneath them
    elif actor == dispute.proposed.by or 0 <= actor < state.seats:
        options = [WITHDRAW]  # its own, or its consent: nothing stays open that its author can't withdraw
    else:
        return None
    return Decision(id=ballot_of(dispute), seat=actor, kind="consent", about="dispute", options=options)


def asked_about(state: State, decision: str) -> Dispute | None:
    """The dispute that a decision is about, while a ruling on it is proposed."""
    if state.desk is None or not decision.startswith("dispute-"):
        return None
    return next((one for one in state.desk.open() if one.proposed is not None and ballot_of(one) == decision), None)


# -- what is done there -------------------------------------------------------------------------------------------------------------


def perform_at_desk(m: Machine, actor: int, command: AnyDeskCommand, past: Past | None) -> None:
    """Dispute, give evidence, withdraw, rule, reopen.

    Raises:
        Refused: `dispute-open`, `dispute-limit`, `dispute-closed`, `not-your-decision`, `unfit-span`, `unfit-ruling`, `ruling-open`,
            `decision-closed` or `unfit-amendment`.
    """
    if isinstance(command, OpenDispute):
        _open(m, actor, command)
        return
    if isinstance(command, RuleDispute):
        _rule(m, actor, command, past)
        return
    if isinstance(command, ReopenDispute):
        _reopen(m, actor, command)
        return
    dispute = _opened(m.state, command.number)
    if isinstance(command, GiveEvidence):
        _give(m, dispute, actor, command)
    else:
        if actor != dispute.by:
            raise Refused("only the seat that opened a dispute can withdraw it", problem="not-your-decision")
        if dispute.earlier:
            detail = f"the referee has reopened dispute {dispute.number}: it ends with a ruling, or by its deadline"
            raise Refused(detail, problem="not-your-decision")
        m.emit(DisputeClosed(number=dispute.number, outcome="withdrawn", by=actor))


def _opened(state: State, number: int) -> Dispute:
    if number > len(disputes(state)):
        raise Refused(f"there is no dispute {number}", problem="dispute-closed")
    dispute = disputes(state)[number - 1]
    if dispute.outcome:
        ended = ENDED.get(dispute.outcome, "been ruled on: only the referee can reopen it")
        raise Refused(f"dispute {number} has {ended}", problem="dispute-closed")
    return dispute


def barred(state: State, seat: int) -> Refused | None:
    """Why a seat can't open a dispute now, whatever it is about; every role knows that."""
    mine = [one for one in disputes(state) if one.by == seat]
    if any(not one.outcome and not one.reopened for one in mine):
        return Refused("you already have an open dispute: withdraw it to open another", problem="dispute-open")
    if len(mine) >= MOST:
        return Refused(f"a seat can open at most {MOST} disputes in a game", problem="dispute-limit")
    return None


def _open(m: Machine, actor: int, command: OpenDispute) -> None:
    refusal = barred(m.state, actor)
    if refusal is not None:
        raise refusal
    mine = [one for one in disputes(m.state) if one.by == actor]
    check_commits(m.state, [command.first, command.last])
    if command.first > command.last:
        raise Refused(
            f"the first commit of a span must not come after the last: {command.first}, {command.last}",
            problem="unfit-span",
        )
    number, (pauses, turns, seconds) = len(disputes(m.state)) + 1, deadline(m.state)
    pauses = pauses and _pauses_left(m.state, mine)
    opened = DisputeOpened(number=number, by=actor, table=command.table, pauses=pauses, turns=turns, seconds=seconds)
    m.emit(opened)
    claim = ClaimMade(number=number, first=command.first, last=command.last, claim=command.claim)
    m.emit(claim, told_of(disputes(m.state)[-1]))


def deadline(state: State) -> tuple[bool, int, int]:
    """Whether a dispute pauses play in this game, and its deadline: in turns, else in seconds."""
    chosen = state.options.get(OPTION)
    chosen = chosen if isinstance(chosen, dict) else {}
    pauses, turns, seconds = bool(chosen.get("pause")), chosen.get("turns", 0), chosen.get("seconds", 0)
    if not turns and not seconds:
        return (pauses, 0, SECONDS) if pauses else (pauses, TURNS, 0)
    return pauses, turns, seconds


def _pauses_left(state: State, mine: Iterable[Dispute]) -> bool:
    """Whether a seat may pause play again: only disputes that came to nothing count against it, and open ones that may."""
    chosen = state.options.get(OPTION)
    most = chosen.get("pauses", PAUSES) if isinstance(chosen, dict) else PAUSES
    return sum(one.pauses and one.outcome in {"", *FOR_NOTHING} for one in mine) < most


def check_commits(state: State, numbers: Iterable[int]) -> None:
    """Check that a game has these commits.

    Raises:
        Refused: `unfit-span`.
    """
    for number in numbers:
        if not 1 <= number <= state.commit:
            raise Refused(
                f"there is no commit {number}: the game has commits 1 to {state.commit}", problem="unfit-span"
            )


def _give(m: Machine, dispute: Dispute, actor: int, command: GiveEvidence) -> None:
    """Evidence is for the referee, and for those who know the dispute; everybody learns that there is some."""
    if sum(one.by == actor for one in dispute.evidence) >= MOST_EVIDENCE * (1 + len(dispute.earlier)):
        raise Refused(f"at most {MOST_EVIDENCE} pieces of evidence can be given in a dispute", problem="dispute-limit")
    check_commits(m.state, command.commits)
    given = EvidenceGiven(
        number=dispute.number, by=actor, commits=command.commits, rules=command.rules, note=command.note
    )
    if dispute.table:
        m.emit(given)
    else:
        m.emit(EvidenceFiled(number=dispute.number, by=actor))
        m.emit(given, seats_mask([actor if actor != MODERATOR else dispute.by]))


# -- rulings ------------------------------------------------------------------------------------------------------------------------


def check_ruling(state: State, actor: int, command: RuleDispute) -> Dispute:
    """Check all of a ruling but its steps, and the commit it goes back to as far as that is possible without the log.

    Raises:
        Refused: `dispute-closed`, `not-your-decision`, `ruling-open`, `dispute-limit`, `unfit-span` or `unfit-ruling`.
    """
    dispute = _opened(state, command.number)
    if actor != MODERATOR and not dispute.table:
        raise Refused("this dispute is for the referee to decide", problem="not-your-decision")
    if dispute.proposed is not None and dispute.proposed.by != actor:
        raise Refused(f"the ruling `{ballot_of(dispute)}` is still waiting for consent", problem="ruling-open")
    if dispute.proposals >= MOST_RULINGS * (1 + len(dispute.earlier)) and needs_consent(
        state, dispute, command.outcome
    ):
        raise Refused(f"at most {MOST_RULINGS} rulings can be proposed in a dispute", problem="dispute-limit")
    if command.outcome == "rewind":
        check_number(state, command.to or 0)
        check_reapplied(state, command)
    _check_not_awaited(state, dispute)
    return dispute


def _check_not_awaited(state: State, dispute: Dispute) -> None:
    """What all are asked to do again must be the same when they have agreed."""
    for other in disputes(state):
        if other is not dispute and other.proposed is not None and dispute.number in other.proposed.reapply:
            detail = f"the ruling `{ballot_of(other)}` is still waiting for consent, and would apply the amendment of dispute {dispute.number} again"
            raise Refused(detail, problem="ruling-open")


def _reopen(m: Machine, actor: int, command: ReopenDispute) -> None:
    """A ruled dispute is open again, with a whole new term; the table's too, for it was the table that ruled, and will again."""
    if actor != MODERATOR:
        raise Refused("only the referee can reopen a dispute", problem="not-your-decision")
    if command.number > len(disputes(m.state)):
        raise Refused(f"there is no dispute {command.number}", problem="dispute-closed")
    dispute = disputes(m.state)[command.number - 1]
    if not dispute.outcome:
        raise Refused(f"dispute {dispute.number} is open", problem="dispute-open")
    if dispute.outcome not in RULED and not dispute.earlier:
        raise Refused(
            f"nobody ruled on dispute {dispute.number}: it has {ENDED[dispute.outcome]}", problem="dispute-closed"
        )
    if len(dispute.earlier) >= MOST_REOPENED:
        raise Refused(f"a dispute can be reopened at most {MOST_REOPENED} times", problem="dispute-limit")
    _check_not_awaited(m.state, dispute)
    pauses, turns, seconds = deadline(m.state)
    others = [one for one in disputes(m.state) if one.by == dispute.by and one is not dispute]
    pauses = pauses and _pauses_left(m.state, others)
    m.emit(DisputeReopened(number=dispute.number, text=command.text, pauses=pauses, turns=turns, seconds=seconds))


def _rule(m: Machine, actor: int, command: RuleDispute, past: Past | None) -> None:
    """The referee's word holds at once, unless the game asks seats for their consent to a rewind; the table's never does."""
    dispute = check_ruling(m.state, actor, command)
    back = check_target(m.state, past, command.to or 0) if command.outcome == "rewind" else None
    if back is not None:
        check_fits_again(m.rules, m.state, actor, command, back.known[REFEREE])
    verdict = Verdict(
        by=actor,
        outcome=command.outcome,
        to=command.to or 0,
        precedent=command.precedent,
        reapply=command.reapply if back is not None else [],
    )
    steps = check_amendment(m, dispute, actor, command) if verdict.outcome == "amend" else None
    asked = (
        [seat for seat in range(m.state.seats) if seat != actor]
        if needs_consent(m.state, dispute, verdict.outcome)
        else []
    )
    if asked:
        proposed = VerdictProposed(
            number=dispute.number,
            by=actor,
            outcome=verdict.outcome,
            to=verdict.to,
            precedent=verdict.precedent,
            reapply=verdict.reapply,
            asked=asked,
            rule=m.rules.cite.table_ruling if dispute.table else "",
        )
        m.emit(proposed)
    reasons = ReasonsGiven(number=dispute.number, text=command.text, rules=command.rules)
    m.emit(reasons, EVERYBODY if command.precedent or command.public else told_of(dispute))
    if steps is not None:
        m.emit(steps, EVERYBODY if asked else REFEREE)
    if not asked:
        _hold(m, dispute, verdict, back)


def needs_consent(state: State, dispute: Dispute, outcome: str) -> bool:
    chosen = state.options.get(OPTION)
    asks = isinstance(chosen, dict) and bool(chosen.get("consent"))
    return dispute.table or (asks and outcome == "rewind")


def _hold(m: Machine, dispute: Dispute, verdict: Verdict, back: Past | None) -> None:
    """Carry out a ruling; one that rewinds is given what it goes back to."""
    again = [one for number in verdict.reapply for one in lacking(m.state, number, verdict.to)]
    m.emit(
        DisputeClosed(
            number=dispute.number,
            outcome=verdict.outcome,
            by=verdict.by,
            to=verdict.to,
            precedent=verdict.precedent,
            reapplied=verdict.reapply,
        )
    )
    if back is not None:
        m.emit(SpanSeen(number=dispute.number, seen=seen_in(back.since, m.state.seats)), REFEREE)
        go_back(m, back)
        if again:
            m.rules = m.rules.of(m.state)  # the haunt may be another now, or none
            amend(m, again)
    elif verdict.outcome == "amend":
        amend(m, [dispute])


def check_answer(state: State, actor: int, dispute: Dispute, command: AnswerCommand) -> Verdict | None:
    """Check the answer to what `consents` asks; the ruling, if this answer puts it in force.

    Raises:
        Refused: `not-your-decision`, `wrong-answer-kind`, `not-an-option` or `unfit-span`.
    """
    asked, verdict = _consent(state, dispute, actor), dispute.proposed
    if asked is None or verdict is None:
        raise Refused("this decision is not yours to answer", problem="not-your-decision")
    if not isinstance(command, Choose):
        raise Refused(f"this decision takes an answer of another kind: `{asked.kind}`", problem="wrong-answer-kind")
    if command.option not in asked.options:
        raise Refused(
            f"`{command.option}` is not an option here: choose one of {listed(asked.options)}", problem="not-an-option"
        )
    if command.option != AGREE or dispute.awaited != [actor]:
        return None
    if verdict.outcome == "rewind":
        check_number(state, verdict.to)
    return verdict


def perform_verdict(m: Machine, actor: int, dispute: Dispute, command: AnswerCommand, past: Past | None) -> None:
    """Answer what `consents` asks.

    Raises:
        Refused: as `check_answer`.
    """
    holds = check_answer(m.state, actor, dispute, command)
    back = check_target(m.state, past, holds.to) if holds is not None and holds.outcome == "rewind" else None
    if isinstance(command, Choose) and command.option == AGREE:
        m.emit(VerdictConsented(number=dispute.number, seat=actor))
        if holds is not None:
            _hold(m, dispute, holds, back)
        return
    m.emit(VerdictDropped(number=dispute.number, by=actor, how=_dropped(dispute, actor, command)))


def _dropped(
    dispute: Dispute, actor: int, command: AnswerCommand
) -> Literal["refused", "agreed-no-longer", "withdrawn"]:
    """What an answer other than consent does to a proposed ruling."""
    if not isinstance(command, Choose) or command.option != WITHDRAW:
        return "refused"
    return "withdrawn" if dispute.proposed is not None and dispute.proposed.by == actor else "agreed-no-longer"


def lapse(m: Machine) -> None:
    """Disputes whose deadline in turns has passed lapse: what happened stands."""
    for dispute in disputes(m.state):
        if dispute.left < 0 and not dispute.outcome:
            m.emit(DisputeClosed(number=dispute.number, outcome="lapsed"))


def perform_lapse(m: Machine, number: int) -> None:
    """A dispute's deadline by the clock has passed.

    Raises:
        Refused: `dispute-closed`, or it has no such deadline.
    """
    dispute = _opened(m.state, number)
    if not dispute.seconds:
        raise Refused(f"dispute {number} has no deadline by the clock", problem="conflict")
    m.emit(DisputeClosed(number=number, outcome="lapsed"))


def seen_in(passed: Sequence[Passed], seats: int) -> list[Sight]:
    """What each seat learned in some commits, commit by commit: by what their events declare (`Event.informs`)."""
    found = []
    for seat in range(seats):
        for commit in passed:
            kinds = [_kind(one.event) for one in commit.told if one.to & seat_bit(seat) and tells(one.event)]
            if kinds:
                found.append(Sight(seat=seat, commit=commit.number, events=list(dict.fromkeys(kinds))))
    return found


def _kind(event: Any) -> str:  # noqa: ANN401 -- any event
    return str(event.__struct_config__.tag)
