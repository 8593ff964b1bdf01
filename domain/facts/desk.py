"""The referee's desk, which is part of a state: disputes with their evidence, rulings, and how often play went back."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from domain.facts.terms import ClosingOrOpen, Commit, DisputeNumber, Outcome, RuleId, Seat, SeatOrReferee

REFEREE = -1
"""An actor at the desk who has no seat."""

AMEND = "amend/"
"""How the ids of blocks begin that do the steps of an amendment; see `block_of`."""

RULED = ("stands", "amend", "rewind")
"""Outcomes of a dispute that somebody ruled; it ended in another way else."""


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Evidence given in a dispute, as far as this fold was told."""

    by: SeatOrReferee
    """A seat, or `REFEREE`."""
    commits: list[Commit] = []
    """The commits that are cited."""
    rules: list[RuleId] = []
    """The rules that are cited."""
    note: str = ""
    """Salted digest of a note: its text is kept beside the log, so that it can be erased."""


class Amendment(msgspec.Struct, frozen=True):
    """What a ruling corrects, in the vocabulary of content files."""

    you: Seat
    """The seat that `you` means in the steps."""
    do: list[dict[str, Any]]
    """The steps."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a dispute is to be decided, while seats are asked for their consent."""

    by: SeatOrReferee
    outcome: Outcome
    """`stands`, `amend` or `rewind`."""
    to: Commit = 0
    """Of a rewind: the commit from which play goes on."""
    precedent: bool = False
    """It is to be a precedent."""
    reapply: list[int] = []
    """Of a rewind: disputes whose amendments are done again after it."""


class Sight(msgspec.Struct, frozen=True):
    """What a seat learned in a commit that a rewind took back, and still knows."""

    seat: Seat
    commit: Commit
    events: list[str]
    """Types of the events that told it something."""


class Ruled(msgspec.Struct, omit_defaults=True):
    """What was ruled before a dispute was reopened. Its fields are those of `Dispute`."""

    number: DisputeNumber
    outcome: Outcome
    closed: Commit
    """The commit that closed it."""
    to: Commit = 0
    """Of a rewind: the commit from which play went on."""
    judge: SeatOrReferee = REFEREE
    """Who ruled: the referee, or the seat whose proposal was agreed to."""
    text: str = ""
    """The reasons, where this fold was told."""
    rules: list[RuleId] = []
    """Rules that the ruling cites."""
    precedent: bool = False
    """It is a precedent."""
    amendment: Amendment | None = None
    """What it corrects, where this fold was told."""
    redone: list[Commit] = []
    """Of an amendment: rewinds, by their commits, that did its steps again."""
    reapplied: list[DisputeNumber] = []
    """Of a rewind: disputes whose amendments it did again."""
    seen: list[Sight] = []
    """For the referee, of a rewind: what players saw in the commits that it took back."""


class Dispute(msgspec.Struct, omit_defaults=True):
    """A seat's objection to what happened, as far as this fold was told."""

    number: DisputeNumber
    by: Seat
    opened: Commit
    """The commit that opened it."""
    table: bool = False
    """Addressed to the table, and public; else to the referee."""
    pauses: bool = False
    """Play waits until it is decided."""
    left: int = 0
    """New turns that may still begin before it lapses; 0: it has no deadline in turns."""
    seconds: int = 0
    """After which it lapses; 0: it has no deadline by the clock."""
    first: Commit = 0
    """The disputed commits, from this one; 0 where this fold was not told."""
    last: Commit = 0
    """The last of the disputed commits."""
    claim: str = ""
    """Salted digest of what is claimed."""
    evidence: list[Evidence] = []
    """In the order in which it was given."""
    proposed: Verdict | None = None
    """The ruling that waits for consent."""
    awaited: list[Seat] = []
    """Seats that have not consented yet."""
    proposals: int = 0
    """Rulings that were proposed so far."""
    outcome: ClosingOrOpen = ""
    """`stands`, `amend`, `rewind`, `withdrawn`, `lapsed` or `over`; empty while it is open."""
    to: Commit = 0
    """Of a rewind: the commit from which play went on."""
    judge: SeatOrReferee = REFEREE
    """Who ruled: the referee, or the seat whose proposal was agreed to."""
    closed: Commit = 0
    """The commit that closed it."""
    text: str = ""
    """The reasons, where this fold was told."""
    rules: list[RuleId] = []
    """Rules that the ruling cites."""
    precedent: bool = False
    """Its ruling is a precedent."""
    amendment: Amendment | None = None
    """What the ruling corrects, where this fold was told."""
    redone: list[int] = []
    """Of an amendment: rewinds, by their commits, that did its steps again."""
    reapplied: list[int] = []
    """Of a rewind: disputes whose amendments it did again."""
    seen: list[Sight] = []
    """For the referee, of a rewind: what players saw in the commits that it took back."""
    reopened: int = 0
    """The commit that reopened it last; 0: none."""
    why: str = ""
    """Why it was reopened."""
    earlier: list[Ruled] = []
    """What was ruled before it was reopened, the latest last: that holds until it is ruled again, also if it lapses."""

    def rulings(self) -> list[Ruled | Dispute]:
        """All rulings on it, the latest last: that one holds."""
        return [*self.earlier, *([self] if self.outcome in RULED else [])]

    def reopen(self, commit: int, why: str) -> None:
        """What was ruled becomes an earlier ruling, and nothing is ruled yet."""
        fresh = Dispute(number=self.number, by=self.by, opened=self.opened)
        if self.outcome in RULED:
            self.earlier.append(Ruled(**{name: getattr(self, name) for name in Ruled.__struct_fields__}))
        for name in Ruled.__struct_fields__:
            setattr(self, name, getattr(fresh, name))
        self.reopened, self.why = commit, why


class WentBack(NamedTuple):
    """A commit by which play went back."""

    commit: int
    to: int
    dispute: int
    """The one that was ruled so; 0: a seat took something back."""


def block_of(ruling: Ruled | Dispute, rank: int) -> str:
    """The id of the block of a ruling's amendment: a frame that waits in it finds its steps again.

    Args:
        ruling: which amends.
        rank: of all rulings on its dispute the first is 0.
    """
    return f"{AMEND}{ruling.number}/{rank}" if rank else f"{AMEND}{ruling.number}"


class Desk(msgspec.Struct, omit_defaults=True):
    """The referee's desk: what was disputed and ruled, and how often play went back. It is kept beside the game: no rewind takes it back."""

    disputes: list[Dispute] = []
    """By number."""
    rewinds: int = 0
    """How often play went back so far, by rulings and take-backs."""
    turn: int = 0
    """The furthest turn that was reached."""
    taken: int = 0
    """Take-backs since it began, which are limited."""
    crossed: list[tuple[int, int]] = []
    """Take-backs that undid an amendment: the commit, and the one from which play went on."""

    def open(self) -> list[Dispute]:
        """The disputes that are not decided yet."""
        return [one for one in self.disputes if not one.outcome]

    # -- which amendments hold ----------------------------------------------------------------------------------------

    def amendments(self) -> list[Ruled | Dispute]:
        """All rulings that amend, by their disputes."""
        return [ruling for dispute in self.disputes for ruling in dispute.rulings() if ruling.outcome == "amend"]

    def holds(self, ruling: Ruled | Dispute, at: int) -> bool:
        """Whether what a ruling amends is part of the game as it stood at a commit."""
        return any(self._leads(done, at) for done in (ruling.closed, *ruling.redone))

    def undone_by(self, ruling: Ruled | Dispute, at: int) -> WentBack | None:
        """What undid an amendment, as of a commit; None where it holds."""
        undone = None
        for back in reversed(self._went_back()):
            if back.commit > at or back.commit <= ruling.closed:
                continue
            if self.holds(ruling, at if undone is None else undone.commit - 1):
                break
            undone = back
        return undone

    def _leads(self, done: int, at: int) -> bool:
        """Whether a commit is one of those that led to the game as it stood at another: none was taken back between them."""
        for back in reversed(self._went_back()):
            if done < back.commit <= at:
                at = back.to
        return done <= at

    def _went_back(self) -> list[WentBack]:
        """In the order of their commits."""
        ruled = [
            WentBack(ruling.closed, ruling.to, dispute.number)
            for dispute in self.disputes
            for ruling in dispute.rulings()
            if ruling.outcome == "rewind"
        ]
        return sorted([*ruled, *(WentBack(commit, to, 0) for commit, to in self.crossed)])
