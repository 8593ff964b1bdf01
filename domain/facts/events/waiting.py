"""What the game waits for, and what is half-done: decisions opened and closed, frames put down."""

from typing import ClassVar

from domain.facts.events.base import CHANCE, HIDDEN, NOTHING, Event, Informs
from domain.facts.state import NO_MONSTER, Aim, Decision, Figure, MonsterId, SavedFrame, State


class DecisionOpened(Event, frozen=True, kw_only=True):
    """Somebody must answer before play goes on. The question may be about what was just drawn."""

    informs: ClassVar[Informs] = CHANCE

    decision: Decision
    counts: bool = True
    """Whether it takes a number of the players' decisions (chance requests have a count of their own)."""

    def apply(self, state: State) -> None:
        told = self.decision
        state.open[told.id] = Decision(
            id=told.id,
            seat=told.seat,
            kind=told.kind,
            about=told.about,
            options=list(told.options),
            total=told.total,
            caps=dict(told.caps),
            up_to=told.up_to,
            offer=dict(told.offer),
        )
        if self.counts:
            state.asked += 1


class OptionsTold(Event, frozen=True, kw_only=True):
    """The addressee of a decision learns the answers that others must not know."""

    informs: ClassVar[Informs] = HIDDEN

    decision: str
    options: list[str]

    def apply(self, state: State) -> None:
        if self.decision in state.open:
            state.open[self.decision].options = list(self.options)


class DecisionClosed(Event, frozen=True, kw_only=True):
    """A decision was answered, or no longer applies."""

    informs: ClassVar[Informs] = NOTHING

    decision: str

    def apply(self, state: State) -> None:
        state.open.pop(self.decision, None)


class Suspended(Event, frozen=True, kw_only=True):
    """What is half-done, as data: the frames from the bottom up. Only the referee sees them, for they can hold secrets."""

    informs: ClassVar[Informs] = NOTHING

    frames: list[SavedFrame]

    def apply(self, state: State) -> None:
        state.frames = list(self.frames)


class RuleApplied(Event, frozen=True, kw_only=True):
    """A step of a card, tile or haunt applies a rule of the ledger besides its own text; the rule may reveal what was drawn."""

    informs: ClassVar[Informs] = CHANCE

    source: str

    def apply(self, state: State) -> None:
        """What the step does has events of its own."""


class Fizzled(Event, frozen=True, kw_only=True):
    """Something had no effect, because its subject is gone."""

    informs: ClassVar[Informs] = NOTHING

    what: str

    def apply(self, state: State) -> None:
        """Nothing happens."""


class ActionTaken(Event, frozen=True, kw_only=True):
    """A character does something that a card, tile, token or haunt offers; what is done is public (2E-SEC-002)."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure
    source: str
    word: str
    target: Aim | None = None

    def apply(self, state: State) -> None:
        """What it brings has events of its own."""


class TradeProposed(Event, frozen=True, kw_only=True):
    """The active explorer offers a trade (2E-ITEM-006)."""

    informs: ClassVar[Informs] = NOTHING

    seat: int
    partner: int
    gives: list[str]
    wants: list[str]
    monster: MonsterId = NO_MONSTER
    """The monster that offers, run by `seat` (2E-ITEM-010)."""

    def apply(self, state: State) -> None:
        """Nothing changes hands before the partner consents."""


class Declined(Event, frozen=True, kw_only=True):
    """Somebody declined a trade, an optional effect or an event (2E-TPOW-005)."""

    informs: ClassVar[Informs] = NOTHING

    seat: int
    what: str

    def apply(self, state: State) -> None:
        """Nothing happens."""
