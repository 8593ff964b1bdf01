"""The referee's desk, which is part of a state: disputes with their evidence, rulings, and how often play went back."""

from __future__ import annotations

from typing import Any

import msgspec

REFEREE = -1
"""An actor at the desk who has no seat."""

AMEND = "amend/"
"""How the ids of blocks begin that do the steps of an amendment; the dispute's number follows."""


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Evidence given in a dispute, as far as this fold was told."""

    by: int
    """A seat, or `REFEREE`."""
    commits: list[int] = []
    rules: list[str] = []
    note: str = ""
    """Salted digest of a note: its text is kept beside the log, so that it can be erased."""


class Amendment(msgspec.Struct, frozen=True):
    """What a ruling corrects, in the vocabulary of content files."""

    you: int
    """The seat that `you` means in the steps."""
    do: list[dict[str, Any]]


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a dispute is to be decided, while seats are asked for their consent."""

    by: int
    outcome: str
    """`stands`, `amend` or `rewind`."""
    to: int = 0
    """Of a rewind: the commit from which play goes on."""
    precedent: bool = False


class Sight(msgspec.Struct, frozen=True):
    """What a seat learned in a commit that a rewind took back, and still knows."""

    seat: int
    commit: int
    events: list[str]
    """Types of the events that told it something."""


class Dispute(msgspec.Struct, omit_defaults=True):
    """A seat's objection to what happened, as far as this fold was told."""

    number: int
    by: int
    opened: int
    """The commit that opened it."""
    table: bool = False
    """Addressed to the table, and public; else to the referee."""
    pauses: bool = False
    left: int = 0
    """New turns that may still begin before it lapses; 0: it has no deadline in turns."""
    seconds: int = 0
    """After which it lapses; 0: it has no deadline by the clock."""
    first: int = 0
    """The disputed commits, from this one; 0 where this fold was not told."""
    last: int = 0
    claim: str = ""
    """Salted digest of what is claimed."""
    evidence: list[Evidence] = []
    proposed: Verdict | None = None
    awaited: list[int] = []
    """Seats that have not consented yet."""
    proposals: int = 0
    """Rulings that were proposed so far."""
    outcome: str = ""
    """`stands`, `amend`, `rewind`, `withdrawn`, `lapsed` or `over`; empty while it is open."""
    to: int = 0
    """Of a rewind: the commit from which play went on."""
    judge: int = REFEREE
    """Who ruled: the referee, or the seat whose proposal was agreed to."""
    closed: int = 0
    """The commit that closed it."""
    text: str = ""
    """The reasons, where this fold was told."""
    rules: list[str] = []
    """Rules that the ruling cites."""
    precedent: bool = False
    amendment: Amendment | None = None
    seen: list[Sight] = []
    """For the referee, of a rewind: what players saw in the commits that it took back."""


class Desk(msgspec.Struct, omit_defaults=True):
    """The referee's desk: what was disputed and ruled, and how often play went back. It is kept beside the game: no rewind takes it back."""

    disputes: list[Dispute] = []
    rewinds: int = 0
    """How often play went back so far, by rulings and take-backs."""
    turn: int = 0
    """The furthest turn that was reached."""
    taken: int = 0
    """Take-backs since it began, which are limited."""

    def open(self) -> list[Dispute]:
        """The disputes that are not decided yet."""
        return [one for one in self.disputes if not one.outcome]
