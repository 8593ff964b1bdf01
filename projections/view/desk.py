"""The referee's desk as a role sees it: disputes, how they were ruled, and precedents; and what the players agreed upon by themselves.

Everybody knows that there is a dispute, but only those who were told know what it is about. Texts of claims and notes are kept beside the log;
their digests are here. The table's own rulings are public.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.facts.desk import REFEREE, Desk, Dispute, Evidence, Ruled, Verdict
from domain.facts.desk_commands import RuleId
from domain.facts.events import Rewound
from domain.facts.state import State
from domain.rulebook.desk.amending import undone
from domain.rulebook.desk.disputing import ballot_of, barred, disputes, precedents
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.rulings import proposal
from projections.shapes import Id, Name, Number, Seat, Shape, Text
from projections.wording.words.english import sentence

SHOWN = {
    "State": ("commit", "desk", "rulings"),
    "Desk": ("disputes", "crossed"),
    "Dispute": (
        "number",
        "by",
        "opened",
        "table",
        "pauses",
        "left",
        "seconds",
        "first",
        "last",
        "claim",
        "evidence",
        "proposed",
        "awaited",
        "outcome",
        "to",
        "judge",
        "closed",
        "text",
        "rules",
        "precedent",
        "seen",
        "amendment",
        "redone",
        "reapplied",
        "reopened",
        "why",
        "earlier",
    ),
    "Ruled": ("number", "outcome", "to", "judge", "closed", "text", "rules", "precedent", "redone", "reapplied"),
    "Evidence": ("by", "commits", "rules", "note"),
    "Verdict": ("by", "outcome", "to", "precedent", "reapply"),
    "Rulings": ("proposed", "awaited", "agreed"),
    "Ruling": ("number", "text", "by"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

Addressed = Annotated[str, Meta(extra_json_schema={"enum": ["referee", "table"]})]
Outcome = Annotated[str, Meta(extra_json_schema={"enum": ["stands", "amend", "rewind"]})]
Ended = Annotated[
    str, Meta(extra_json_schema={"enum": ["", "stands", "amend", "rewind", "withdrawn", "lapsed", "over"]})
]
Reasons = Annotated[str, Meta(max_length=1000)]
Seconds = Annotated[int, Meta(ge=0, le=31_536_000)]
Digest = Annotated[str, Meta(max_length=64)]


BACK = Rewound.__name__
"""Whoever was taken back before learned nothing by that."""


class EvidenceView(Shape, frozen=True, kw_only=True):
    """The evidence that somebody gave."""

    by: Seat | None
    """Null: the referee."""
    commits: list[Number]
    rules: list[RuleId]
    note: Digest
    """SHA-256 of salt and text; empty without a note."""


class VerdictView(Shape, frozen=True, kw_only=True):
    """A ruling that waits for consent."""

    decision: Id
    """What a consent names."""
    by: Seat | None
    outcome: Outcome
    to: Number | None
    precedent: bool
    undoes: list[Number]
    """Of a rewind: disputes whose amendments it would undo, and not apply again."""
    reapplies: list[Number]
    """Of a rewind: disputes whose amendments it would apply again."""
    awaited: list[Seat]


class SightView(Shape, frozen=True, kw_only=True):
    """What a player learned in a commit that was taken back."""

    seat: Seat
    commit: Number
    events: list[Name]
    """Types of events that told it something."""


class SpanView(Shape, frozen=True, kw_only=True):
    """A stretch of the log."""

    first: Number
    last: Number


class UndoneView(Shape, frozen=True, kw_only=True):
    """How an amendment was undone."""

    dispute: Number | None
    """The dispute whose ruling took play back to before it; null where a seat took back the consent by which it came into force."""
    commit: Number
    """The commit that did so."""


class ReopenedView(Shape, frozen=True, kw_only=True):
    """How a dispute was reopened, the last time."""

    commit: Number
    reasons: Reasons


class RuledView(Shape, frozen=True, kw_only=True):
    """What was ruled before a dispute was reopened."""

    outcome: Outcome
    judge: Seat | None
    """Null for the referee."""
    to: Number | None
    """Of a rewind: the commit from which play went on."""
    closed: Number
    """The commit that ruled so."""
    reasons: Reasons
    """Empty where the role was not told."""
    rules: list[RuleId]
    precedent: bool
    undone_by: UndoneView | None
    reapplied: list[Number]


class DisputeView(Shape, frozen=True, kw_only=True):
    """A dispute, as far as the role was told."""

    number: Number
    by: Seat
    addressed: Addressed
    pauses: bool
    """Whether play waits until it is decided."""
    opened: Number
    """The commit that opened it."""
    turns_left: Number | None
    """The number of new turns after which it lapses; null if it lapses by the clock."""
    seconds: Seconds | None
    """The seconds after which it lapses; null if it lapses by turns."""
    span: SpanView | None
    """The disputed commits; null where the role was not told."""
    claim: Digest
    """SHA-256 of salt and text; empty where the role was not told."""
    evidence: list[EvidenceView]
    proposed: VerdictView | None
    outcome: Ended
    """Empty while it is open; `lapsed`: nobody ruled in time, so what happened stands."""
    judge: Seat | None
    """Who ruled; null for the referee, and while it is open."""
    to: Number | None
    """Of a rewind: the commit from which play went on."""
    closed: Number | None
    """The commit that closed it."""
    reasons: Reasons
    """Empty where the role was not told."""
    rules: list[RuleId]
    """Rules that the ruling cites."""
    precedent: bool
    undone_by: UndoneView | None
    """Of an amendment: what undid it; null while it is part of the game."""
    reapplied: list[Number]
    """Of a rewind: disputes whose amendments it applied again."""
    would_undo: list[Number]
    """While it is open: disputes whose amendments would be undone by a rewind to before the disputed commits. Empty where the role was not told
    which these are."""
    reopened: ReopenedView | None
    earlier: list[RuledView]
    """What was ruled before it was reopened, the latest last: that holds until it is ruled again, also if it lapses."""
    seen: list[SightView]
    """For the referee, of a rewind: what players saw in the commits that were taken back, and still know."""


class PrecedentView(Shape, frozen=True, kw_only=True):
    """A ruling that holds from then on."""

    number: Number
    """Of the dispute."""
    commit: Number
    """The one that closed the dispute, from which it holds."""
    reasons: Reasons
    rules: list[RuleId]
    undone_by: UndoneView | None
    """Where what it amended was undone; as a precedent it holds all the same."""


class DeskView(Shape, frozen=True, kw_only=True):
    """What is on the referee's desk."""

    disputes: list[DisputeView]
    """The open disputes."""
    precedents: list[PrecedentView]
    paused: bool
    """Whether play waits for a ruling."""
    barred: Text
    """Why your seat can't open a dispute now, whatever it is about; empty if it can, and without a seat."""


def desk_of(state: State, seat: int | None) -> DeskView:
    """The open disputes and the precedents that a role knows of."""
    if state.desk is None:
        return DeskView(disputes=[], precedents=[], paused=False, barred="")
    refusal = None if seat is None else barred(state, seat)
    return DeskView(
        disputes=[dispute_view(state, one) for one in disputes(state) if not one.outcome],
        precedents=[precedent_view(state, one) for one in precedents(state)],
        paused=paused(state),
        barred="" if refusal is None else sentence(refusal.detail),
    )


def precedent_view(state: State, ruling: Ruled | Dispute) -> PrecedentView:
    """One precedent, from a role's own state."""
    return PrecedentView(
        number=ruling.number,
        commit=ruling.closed,
        reasons=ruling.text,
        rules=list(ruling.rules),
        undone_by=_undone_by(state, ruling),
    )


def dispute_view(state: State, dispute: Dispute) -> DisputeView:
    """One dispute, from a role's own state."""
    return DisputeView(
        number=dispute.number,
        by=dispute.by,
        addressed="table" if dispute.table else "referee",
        pauses=dispute.pauses,
        opened=dispute.opened,
        turns_left=None if dispute.seconds else max(0, dispute.left),
        seconds=dispute.seconds or None,
        span=SpanView(first=dispute.first, last=dispute.last) if dispute.first else None,
        claim=dispute.claim,
        evidence=[_evidence(one) for one in dispute.evidence],
        proposed=None if dispute.proposed is None else _verdict(state, dispute, dispute.proposed),
        outcome=dispute.outcome,
        judge=_seat(dispute.judge),
        to=dispute.to or None,
        closed=dispute.closed or None,
        reasons=dispute.text,
        rules=list(dispute.rules),
        precedent=dispute.precedent,
        undone_by=_undone_by(state, dispute),
        reapplied=list(dispute.reapplied),
        would_undo=undone(state, dispute.first - 1) if dispute.first and not dispute.outcome else [],
        reopened=ReopenedView(commit=dispute.reopened, reasons=dispute.why) if dispute.reopened else None,
        earlier=[_ruled(state, one) for one in dispute.earlier],
        seen=[
            SightView(seat=one.seat, commit=one.commit, events=events)
            for one in dispute.seen
            if (events := [event for event in one.events if event != BACK])
        ],
    )


def _ruled(state: State, ruled: Ruled) -> RuledView:
    return RuledView(
        outcome=ruled.outcome,
        judge=_seat(ruled.judge),
        to=ruled.to or None,
        closed=ruled.closed,
        reasons=ruled.text,
        rules=list(ruled.rules),
        precedent=ruled.precedent,
        undone_by=_undone_by(state, ruled),
        reapplied=list(ruled.reapplied),
    )


def _undone_by(state: State, ruling: Ruled | Dispute) -> UndoneView | None:
    desk = state.desk or Desk()
    back = desk.undone_by(ruling, state.commit) if ruling.outcome == "amend" else None
    return None if back is None else UndoneView(dispute=back.dispute or None, commit=back.commit)


def _evidence(given: Evidence) -> EvidenceView:
    return EvidenceView(by=_seat(given.by), commits=list(given.commits), rules=list(given.rules), note=given.note)


def _verdict(state: State, dispute: Dispute, verdict: Verdict) -> VerdictView:
    return VerdictView(
        decision=ballot_of(dispute),
        by=_seat(verdict.by),
        outcome=verdict.outcome,
        to=verdict.to or None,
        precedent=verdict.precedent,
        undoes=[one for one in undone(state, verdict.to) if one not in verdict.reapply] if verdict.to else [],
        reapplies=list(verdict.reapply),
        awaited=list(dispute.awaited),
    )


def _seat(by: int) -> int | None:
    return None if by == REFEREE else by


# -- the table's own rulings ---------------------------------------------------------------------------------------------------------


class RulingView(Shape, frozen=True, kw_only=True):
    """What somebody proposed where no rule answers (2E-NORULE-001)."""

    number: Number
    text: Annotated[str, Meta(max_length=500)]
    by: Seat | None
    """The seat that proposed it; null: the referee."""


class ProposalView(RulingView, frozen=True, kw_only=True):
    """A ruling that waits for consent, while play goes on."""

    decision: Id
    """What a consent names."""
    awaited: list[Seat]
    """Seats that have not answered yet."""


class RulingsView(Shape, frozen=True, kw_only=True):
    """The table's own rulings. No program enforces them."""

    agreed: list[RulingView]
    """All have agreed to these, the latest last. Those of the opening are among the options."""
    proposed: ProposalView | None


def rulings_of(state: State) -> RulingsView:
    """The table's rulings so far."""
    rulings = state.rulings
    if rulings is None:
        return RulingsView(agreed=[], proposed=None)
    open_ = rulings.proposed
    return RulingsView(
        agreed=[RulingView(number=one.number, text=one.text, by=_seat(one.by)) for one in rulings.agreed],
        proposed=None
        if open_ is None
        else ProposalView(
            number=open_.number,
            text=open_.text,
            by=_seat(open_.by),
            decision=proposal(rulings),
            awaited=list(rulings.awaited),
        ),
    )
