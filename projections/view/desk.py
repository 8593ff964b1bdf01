"""The referee's desk as a role sees it: disputes, how they were ruled, and precedents; and what the players agreed upon by themselves.

Everybody knows that there is a dispute, but only those who were told know what it is about. Texts of claims and notes are kept beside the log;
their digests are here. The table's own rulings are public.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.facts.desk import REFEREE, Dispute, Evidence, Verdict
from domain.facts.desk_commands import RuleId
from domain.facts.state import State
from domain.rulebook.desk.disputing import ballot_of, disputes, precedents
from domain.rulebook.desk.pausing import paused
from domain.rulebook.desk.rulings import proposal
from projections.shapes import Id, Name, Number, Seat, Shape

SHOWN = {
    "State": ("desk", "rulings"),
    "Desk": ("disputes",),
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
    ),
    "Evidence": ("by", "commits", "rules", "note"),
    "Verdict": ("by", "outcome", "to", "precedent"),
    "Rulings": ("proposed", "awaited", "agreed"),
    "Ruling": ("number", "text", "by"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

Addressed = Annotated[str, Meta(extra_json_schema={"enum": ["referee", "table"]})]
Ruled = Annotated[str, Meta(extra_json_schema={"enum": ["stands", "amend", "rewind"]})]
Ended = Annotated[
    str, Meta(extra_json_schema={"enum": ["", "stands", "amend", "rewind", "withdrawn", "lapsed", "over"]})
]
Reasons = Annotated[str, Meta(max_length=1000)]
Seconds = Annotated[int, Meta(ge=0, le=31_536_000)]
Digest = Annotated[str, Meta(max_length=64)]


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
    outcome: Ruled
    to: Number | None
    precedent: bool
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


class DeskView(Shape, frozen=True, kw_only=True):
    """What is on the referee's desk."""

    disputes: list[DisputeView]
    """The open disputes."""
    precedents: list[PrecedentView]
    paused: bool
    """Whether play waits for a ruling."""


def desk_of(state: State) -> DeskView:
    """The open disputes and the precedents that a role knows of."""
    return DeskView(
        disputes=[dispute_view(one) for one in disputes(state) if not one.outcome],
        precedents=[
            PrecedentView(number=one.number, commit=one.closed, reasons=one.text, rules=list(one.rules))
            for one in precedents(state)
        ],
        paused=paused(state),
    )


def dispute_view(dispute: Dispute) -> DisputeView:
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
        proposed=None if dispute.proposed is None else _verdict(dispute, dispute.proposed),
        outcome=dispute.outcome,
        judge=_seat(dispute.judge),
        to=dispute.to or None,
        closed=dispute.closed or None,
        reasons=dispute.text,
        rules=list(dispute.rules),
        precedent=dispute.precedent,
        seen=[SightView(seat=one.seat, commit=one.commit, events=list(one.events)) for one in dispute.seen],
    )


def _evidence(given: Evidence) -> EvidenceView:
    return EvidenceView(by=_seat(given.by), commits=list(given.commits), rules=list(given.rules), note=given.note)


def _verdict(dispute: Dispute, verdict: Verdict) -> VerdictView:
    return VerdictView(
        decision=ballot_of(dispute),
        by=_seat(verdict.by),
        outcome=verdict.outcome,
        to=verdict.to or None,
        precedent=verdict.precedent,
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
