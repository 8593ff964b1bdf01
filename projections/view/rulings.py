"""What the players have agreed upon among themselves, and what they are asked to agree upon. All of it is public."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from domain.facts.state import MODERATOR, Ruling, State
from domain.rulebook.desk.rulings import proposal
from projections.shapes import Id, Number, Seat, Shape

SHOWN = {
    "State": ("rulings",),
    "Rulings": ("proposed", "awaited", "agreed"),
    "Ruling": ("number", "text", "by"),
}
"""The fields of a role's state that are read here; all others stay hidden."""


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
        agreed=[RulingView(number=one.number, text=one.text, by=_by(one)) for one in rulings.agreed],
        proposed=None
        if open_ is None
        else ProposalView(
            number=open_.number,
            text=open_.text,
            by=_by(open_),
            decision=proposal(rulings),
            awaited=list(rulings.awaited),
        ),
    )


def _by(ruling: Ruling) -> int | None:
    return None if ruling.by == MODERATOR else ruling.by
