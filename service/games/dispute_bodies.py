"""What callers post about disputes, and what they are shown."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from content.patterns import whole
from domain.commands import Seat
from domain.desk_commands import Commit, Outcome, Reasons, Rules
from projections.desk import DisputeView
from service.log.requests import Body

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=2000, pattern=whole(r"^[^\x00-\x08\x0b-\x1f\x7f]*$"))]
"""Free text. It lies beside the log, of which a salted digest is in the log, and can be erased."""


class AskDispute(Body, frozen=True, kw_only=True):
    """Dispute what happened in some commits."""

    first: Commit = msgspec.field(name="from")
    """The first disputed commit."""
    last: Commit = msgspec.field(name="to")
    """The last one; the same for a single commit."""
    claim: Words
    """What is wrong there."""
    addressed: Literal["referee", "table"] = "referee"
    """Who decides: the referee, who alone is told the claim then, or all seats together, and everybody is told."""


class AskEvidence(Body, frozen=True, kw_only=True):
    """Point at commits and rules: one of them at least, or a note."""

    commits: Annotated[list[Commit], msgspec.Meta(max_length=20)] = []
    rules: Rules = []
    note: Words | None = None


class AskRuling(Body, frozen=True, kw_only=True):
    """Rule on a dispute; at the table, propose how it should be decided."""

    outcome: Outcome
    """`stands`, `amend` or `rewind`."""
    to: Commit | None = None
    """Of a rewind: the commit from which play goes on. What came behind it stays in the log and is no more."""
    reasons: Reasons
    """Why. It stays in the log for good: a ruling is a rule of its game, and no place for names of persons."""
    rules: Rules = []
    """Rules of the ledger that it cites."""
    precedent: bool = False
    """It holds for what comes, and everybody is told the reasons."""
    you: Seat | None = None
    """Of an amendment: the seat that the steps are about. Default: who opened the dispute."""
    do: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=20)] = []
    """Of an amendment: steps in the words of content files, done at once."""


class NoteShown(msgspec.Struct, frozen=True, kw_only=True):
    """A text that belongs to a digest."""

    digest: str
    """SHA-256 of salt and text, as it stands in the log."""
    salt: str
    text: str


class DisputeShown(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute with its texts, as far as the caller was told and as far as they were not erased."""

    dispute: DisputeView
    texts: list[NoteShown]
    """Of the claim and of notes."""


class DisputeList(msgspec.Struct, frozen=True, kw_only=True):
    """All disputes of a game, in the order in which they were opened."""

    disputes: list[DisputeShown]
