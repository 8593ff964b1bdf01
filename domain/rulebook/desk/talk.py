"""Which commits are play, and which are only talk about it.

Proposed rulings, disputes, evidence and consents are kept beside the game, and a rewind leaves them as they are. So they must not get in the
way: what can be taken back, and how far spectators lag behind, is counted in commits of play. Otherwise a table that argues would lose
its take-backs, and a seat could shorten the spectators' delay by filing evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.facts.audience import EVERYBODY, Mask
from domain.facts.events import (
    AmendmentTold,
    AnyEvent,
    ClaimMade,
    DisputeClosed,
    DisputeOpened,
    DisputeReopened,
    Event,
    EvidenceFiled,
    EvidenceGiven,
    ReasonsGiven,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
    Told,
    VerdictConsented,
    VerdictDropped,
    VerdictProposed,
)

BESIDE: frozenset[type[Event]] = frozenset(
    (
        RulingProposed,
        RulingConsented,
        RulingAgreed,
        RulingRefused,
        RulingWithdrawn,
        DisputeOpened,
        DisputeReopened,
        ClaimMade,
        EvidenceGiven,
        EvidenceFiled,
        VerdictProposed,
        VerdictConsented,
        VerdictDropped,
        ReasonsGiven,
        AmendmentTold,
        DisputeClosed,
    )
)
"""What is said at the table and at the referee's desk: types of events, none of which has subtypes."""


def talk(told: Sequence[AnyEvent]) -> bool:
    """Whether somebody who was told these events of a commit, and no others, knows that nothing was played.

    A commit of which nothing was told may be anything. So may one by which a dispute was amended: what was put right may be hidden.
    """
    return bool(told) and all(map(_beside, told))


def _beside(event: AnyEvent) -> bool:
    return type(event) in BESIDE and not (isinstance(event, DisputeClosed) and event.outcome == "amend")


def of_play(told: Iterable[Told]) -> bool:
    """Whether a commit counts as one of play. It does unless everybody knows that it was talk, so that no count tells anybody more."""
    knows: Mask = 0
    for one in told:
        if not _beside(one.event):
            return True
        knows |= one.to
    return knows != EVERYBODY
