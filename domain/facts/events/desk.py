"""What leads play off its course: a command taken back, a sandbox begun, and disputes, evidence and rulings at the referee's desk.

The claim and notes are in the events as salted digests only: their texts are kept beside the log, like names, and can be erased. The reasons of a
ruling are in its event, for a ruling is a rule of its game (see `domain.facts.events.rulings`).
"""

from typing import Any, ClassVar, Literal

import msgspec

from domain.facts.desk import REFEREE, Amendment, Desk, Dispute, Evidence, Sight, Verdict
from domain.facts.events.base import HIDDEN, NOTHING, TO_REFEREE, UNRELEASED, Event, Informs
from domain.facts.state import State
from domain.facts.terms import Closing, Commit, Digest, DisputeNumber, Outcome, RuleId, Seat, SeatOrReferee


def desk_of(state: State) -> Desk:
    """The desk, created if missing."""
    if state.desk is None:
        state.desk = Desk(turn=state.turn.number)
    return state.desk


def turned(desk: Desk, turn: int) -> None:
    """Note that a turn begins; a turn that begins again after a rewind is not a new one."""
    if turn > desk.turn:
        desk.turn = turn
        desk.taken = 0
        for dispute in desk.open():
            if dispute.left > 0:
                dispute.left = dispute.left - 1 or LAPSED


LAPSED = -1
"""Turns left of a deadline that has run out."""


def dispute_of(state: State, number: int) -> Dispute:
    """A dispute by its number, counted from 1."""
    return desk_of(state).disputes[number - 1]


def over(state: State) -> None:
    """The game is over: nothing is ruled any more."""
    if state.desk is not None:
        for dispute in state.desk.open():
            dispute.outcome, dispute.proposed, dispute.awaited = "over", None, []


class TakenBack(Event, frozen=True, kw_only=True):
    """A seat takes back its latest commands, from which nobody has learned anything; `Rewound` restores the state before them."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    to: Commit
    """The commit as of which play goes on."""
    last: Commit
    """The latest commit that is taken back."""

    def apply(self, state: State) -> None:
        desk = desk_of(state)
        desk.rewinds += 1
        desk.taken += 1
        if any(desk.holds(one, state.commit) and not desk.holds(one, self.to) for one in desk.amendments()):
            desk.crossed.append((state.commit + 1, self.to))


class SandboxBegun(Event, frozen=True, kw_only=True):
    """A sandbox begins: those who are told this get the state that they know of it; its first commit has nothing else.

    Those who know the same share one event. The referee's, who knows everything, is the last, and so the one that the engine goes on with.
    """

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "Each role, of its own state; those who know the same share one event."

    state: State
    """All that the role knows of the game."""

    def apply(self, state: State) -> None:
        """Begin with it; a copy, because events are never changed.

        It copies by way of bytes: saved frames keep their bindings encoded, which are not builtins.
        """
        begun = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        begun.commit = state.commit
        for field in State.__struct_fields__:
            setattr(state, field, getattr(begun, field))


class DisputeOpened(Event, frozen=True, kw_only=True):
    """A seat disputes what happened. The dispute is public; its claim only if the table is to decide."""

    informs: ClassVar[Informs] = NOTHING

    number: DisputeNumber
    by: Seat
    table: bool = False
    """It is addressed to the table, which decides by itself; else to the referee."""
    pauses: bool = False
    """Whether play waits until it is decided."""
    turns: int = 0
    """It lapses after this many new turns; 0: never."""
    seconds: int = 0
    """It lapses after this many seconds; 0: never."""

    def apply(self, state: State) -> None:
        opened = Dispute(
            number=self.number,
            by=self.by,
            opened=state.commit + 1,
            table=self.table,
            pauses=self.pauses,
            left=self.turns,
            seconds=self.seconds,
        )
        desk_of(state).disputes.append(opened)


class ClaimMade(Event, frozen=True, kw_only=True):
    """What is disputed: a span of commits, and a claim about it."""

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = "The seat that disputes, and the referee; everybody, if the table is to decide."

    number: DisputeNumber
    first: Commit
    """The first commit that is disputed."""
    last: Commit
    """The last one."""
    claim: Digest
    """Salted digest of the text."""

    def apply(self, state: State) -> None:
        dispute = dispute_of(state, self.number)
        dispute.first, dispute.last, dispute.claim = self.first, self.last, self.claim


class EvidenceGiven(Event, frozen=True, kw_only=True):
    """Somebody cites commits and rules."""

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = (
        "The seat that gives it (of the referee's, the seat that disputes) and the referee; everybody, if the table is to decide."
    )

    number: DisputeNumber
    by: SeatOrReferee
    commits: list[Commit] = []
    """The commits that are cited."""
    rules: list[RuleId] = []
    """The rules that are cited."""
    note: Digest = ""
    """Salted digest of the text."""

    def apply(self, state: State) -> None:
        given = Evidence(by=self.by, commits=list(self.commits), rules=list(self.rules), note=self.note)
        dispute_of(state, self.number).evidence.append(given)


class EvidenceFiled(Event, frozen=True, kw_only=True):
    """Somebody gives evidence; another event tells what it is. Who acted is public, and so is that nothing was played."""

    informs: ClassVar[Informs] = NOTHING

    number: DisputeNumber
    by: SeatOrReferee

    def apply(self, state: State) -> None:
        """The public learns nothing of it."""


class VerdictProposed(Event, frozen=True, kw_only=True):
    """A ruling needs consent: the table decides by itself, or its game asks for consent before a rewind."""

    informs: ClassVar[Informs] = NOTHING

    number: DisputeNumber
    by: SeatOrReferee
    outcome: Outcome
    to: Commit = 0
    """Of a rewind: the commit from which play would go on; else 0."""
    precedent: bool = False
    """It is to be a precedent."""
    asked: list[Seat]
    """Seats whose consent it needs."""
    reapply: list[int] = []
    """Of a rewind: disputes whose amendments are to be done again after it."""

    def apply(self, state: State) -> None:
        """It waits for consent, and replaces an earlier proposal."""
        dispute = dispute_of(state, self.number)
        dispute.proposed = Verdict(
            by=self.by, outcome=self.outcome, to=self.to, precedent=self.precedent, reapply=list(self.reapply)
        )
        dispute.awaited = list(self.asked)
        dispute.proposals += 1


class VerdictConsented(Event, frozen=True, kw_only=True):
    """A seat agrees to a ruling."""

    informs: ClassVar[Informs] = NOTHING

    number: DisputeNumber
    seat: Seat

    def apply(self, state: State) -> None:
        dispute = dispute_of(state, self.number)
        dispute.awaited = [seat for seat in dispute.awaited if seat != self.seat]


class VerdictDropped(Event, frozen=True, kw_only=True):
    """A seat does not agree to a ruling, or no longer does, or the proposer withdraws it: the dispute stays open."""

    informs: ClassVar[Informs] = NOTHING

    number: DisputeNumber
    by: SeatOrReferee
    how: Literal["", "refused", "agreed-no-longer", "withdrawn"] = ""
    """Whether a seat that was asked refuses, one that agreed changes its mind, or the proposer withdraws; empty in logs that did not say which."""

    def apply(self, state: State) -> None:
        dispute = dispute_of(state, self.number)
        dispute.proposed, dispute.awaited, dispute.amendment = None, [], None
        dispute.text, dispute.rules = "", []


class ReasonsGiven(Event, frozen=True, kw_only=True):
    """The reasons, for those who know what is disputed, or for everybody: of a precedent, of a rewind, and where the ruling says so."""

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = (
        "The seat that disputes, and the referee; everybody, if the table decides, of a precedent or a rewind, and where the ruling says so."
    )

    number: DisputeNumber
    text: str
    """The reasons, as written by whoever ruled."""
    rules: list[RuleId] = []
    """The rules that the ruling cites."""

    def apply(self, state: State) -> None:
        dispute = dispute_of(state, self.number)
        dispute.text, dispute.rules = self.text, list(self.rules)


class AmendmentTold(Event, frozen=True, kw_only=True):
    """What a ruling puts right, in the words of content files; other events tell what it changes."""

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = "The referee alone; everybody, if seats are asked for their consent."

    number: DisputeNumber
    you: Seat
    """The seat that `you` means in the steps."""
    do: list[dict[str, Any]]
    """The steps."""

    def apply(self, state: State) -> None:
        """Keep it: frames that wait for an answer find their steps here."""
        dispute_of(state, self.number).amendment = Amendment(you=self.you, do=list(self.do))


class DisputeClosed(Event, frozen=True, kw_only=True):
    """A dispute is decided, withdrawn, or has lapsed, so that what happened stands."""

    informs: ClassVar[Informs] = NOTHING

    number: DisputeNumber
    outcome: Closing
    """`stands`, `amend`, `rewind`, `withdrawn` or `lapsed`."""
    by: SeatOrReferee = REFEREE
    """Who decided or withdrew it: a seat, 0 to 5, or the referee, -1, also where a deadline did."""
    to: Commit = 0
    """Of a rewind: the commit from which play goes on; else 0."""
    precedent: bool = False
    """It is a precedent."""
    reapplied: list[int] = []
    """Of a rewind: disputes whose amendments are done again after it."""

    def apply(self, state: State) -> None:
        dispute, desk = dispute_of(state, self.number), desk_of(state)
        dispute.proposed, dispute.awaited = None, []
        dispute.outcome, dispute.judge, dispute.closed = self.outcome, self.by, state.commit + 1
        dispute.to, dispute.precedent, dispute.reapplied = self.to, self.precedent, list(self.reapplied)
        if self.outcome == "rewind":
            desk.rewinds += 1
        for ruling in desk.amendments():
            if ruling.number in self.reapplied and not desk.holds(ruling, self.to):
                ruling.redone.append(state.commit + 1)


class DisputeReopened(Event, frozen=True, kw_only=True):
    """The referee reopens a dispute that was ruled on. What was ruled holds until it is ruled again."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    number: DisputeNumber
    text: str
    """Why, for everybody."""
    pauses: bool = False
    """Whether play waits until it is decided."""
    turns: int = 0
    """It lapses after this many new turns; 0: never."""
    seconds: int = 0
    """It lapses after this many seconds; 0: never."""

    def apply(self, state: State) -> None:
        dispute = dispute_of(state, self.number)
        dispute.reopen(state.commit + 1, self.text)
        dispute.pauses, dispute.left, dispute.seconds = self.pauses, self.turns, self.seconds


class SpanSeen(Event, frozen=True, kw_only=True):
    """For the referee: what players saw in the commits that a rewind took back, and still know."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = TO_REFEREE

    number: DisputeNumber
    seen: list[Sight]
    """By seat and commit."""

    def apply(self, state: State) -> None:
        dispute_of(state, self.number).seen = list(self.seen)
