"""Commands of the referee's desk: disputes, evidence, rulings. The service makes them of what was posted; free texts are digests here.

They are commits like all others, but they answer no decision and are in no list of legal commands: so bots do not dispute.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from content.patterns import LINES, whole
from domain.facts.commands import Command, Id, Seat

DESK = "desk"
"""The decision that they name: always open, and nobody is awaited for it."""

Commit = Annotated[int, msgspec.Meta(ge=1, le=999_999_999)]
Digest = Annotated[str, msgspec.Meta(pattern=whole(r"^([0-9a-f]{64})?$"))]
"""Salted digest of a text that is kept beside the log, or nothing."""
RuleId = Annotated[str, msgspec.Meta(pattern=whole(r"^[A-Z0-9]{2,4}-[A-Z0-9]+-[0-9]{3}$"))]
RuleIds = Annotated[list[RuleId], msgspec.Meta(max_length=20)]
Reasons = Annotated[str, msgspec.Meta(min_length=1, max_length=1000, pattern=whole(LINES))]
Outcome = Literal["stands", "amend", "rewind"]
Numbers = Annotated[list[Annotated[int, msgspec.Meta(ge=1, le=9999)]], msgspec.Meta(max_length=20)]
"""Numbers of disputes."""


class DeskCommand(Command, frozen=True, kw_only=True):
    """Base of what is done at the desk."""

    decision: Id = DESK


class OpenDispute(DeskCommand, frozen=True, kw_only=True, tag="dispute"):
    """Dispute what happened in some commits."""

    first: Commit
    last: Commit
    table: bool = False
    """To be decided by the table; else by the referee."""
    claim: Digest


class GiveEvidence(DeskCommand, frozen=True, kw_only=True, tag="give-evidence"):
    """Cite commits and rules in a dispute."""

    number: Commit
    commits: Annotated[list[Commit], msgspec.Meta(max_length=20)] = []
    rules: RuleIds = []
    note: Digest = ""


class WithdrawDispute(DeskCommand, frozen=True, kw_only=True, tag="withdraw-dispute"):
    """Withdraw your own dispute."""

    number: Commit


class RuleDispute(DeskCommand, frozen=True, kw_only=True, tag="rule-dispute"):
    """Rule on a dispute, or propose to the table how it should be decided."""

    number: Commit
    outcome: Outcome
    to: Commit | None = None
    """Of a rewind: the commit from which play goes on."""
    text: Reasons
    rules: RuleIds = []
    precedent: bool = False
    you: Seat | None = None
    do: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=20)] = []
    """Of an amendment: steps in the words of content files."""
    public: bool = False
    """Whether everybody is told the reasons, as of a precedent."""
    reapply: Numbers = []
    """Of a rewind: disputes whose amendments it undoes and does again."""


class ReopenDispute(DeskCommand, frozen=True, kw_only=True, tag="reopen-dispute"):
    """Reopen a dispute that was ruled on."""

    number: Commit
    text: Reasons


AnyDeskCommand = OpenDispute | GiveEvidence | WithdrawDispute | RuleDispute | ReopenDispute
"""Every command of the desk."""
