"""What the game waits for, and what is half-done: decisions opened and closed, frames put down."""

from typing import ClassVar

from domain.facts.events.base import CHANCE, HIDDEN, NOTHING, TO_REFEREE, Event, Informs
from domain.facts.state import NO_MONSTER, Aim, Decision, Figure, MonsterName, SavedFrame, State
from domain.facts.terms import CardId, DecisionId, Seat, SeatOrUnnamed, Source


class DecisionOpened(Event, frozen=True, kw_only=True):
    """Somebody must answer before play goes on. The question may be about what was just drawn."""

    informs: ClassVar[Informs] = CHANCE

    decision: Decision
    """What is asked, and of whom."""
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
            who=told.who,
            trait=told.trait,
            cause=told.cause,
        )
        if self.counts:
            state.asked += 1


class OptionsTold(Event, frozen=True, kw_only=True):
    """The addressee of a decision learns the answers that others must not know."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = (
        "The seat that is asked, and the referee; of what the moderator is asked, the referee alone."
    )

    decision: DecisionId
    options: list[str]
    """The answers that are open."""

    def apply(self, state: State) -> None:
        if self.decision in state.open:
            state.open[self.decision].options = list(self.options)


class DecisionClosed(Event, frozen=True, kw_only=True):
    """A decision was answered, or no longer applies."""

    informs: ClassVar[Informs] = NOTHING

    decision: DecisionId

    def apply(self, state: State) -> None:
        state.open.pop(self.decision, None)


class Suspended(Event, frozen=True, kw_only=True):
    """What is half-done, as data: the frames from the bottom up. Only the referee sees them, for they can hold secrets."""

    informs: ClassVar[Informs] = NOTHING
    audience: ClassVar[str] = TO_REFEREE

    frames: list[SavedFrame]
    """From the bottom up; empty when nothing is half-done any more."""

    def apply(self, state: State) -> None:
        state.frames = list(self.frames)


class RuleApplied(Event, frozen=True, kw_only=True):
    """A step of a card, tile or haunt applies a rule of the ledger besides its own text; the rule may reveal what was drawn."""

    informs: ClassVar[Informs] = CHANCE
    audience: ClassVar[str] = (
        "Everybody; of a rule about reading a book, or about a secret, those who know of it, and the referee."
    )

    source: Source

    def apply(self, state: State) -> None:
        """What the step does has events of its own."""


class Fizzled(Event, frozen=True, kw_only=True):
    """Something had no effect, because its subject is gone."""

    informs: ClassVar[Informs] = NOTHING

    what: str
    """What had no effect: a step (`damage`, `stun`), with a name behind a colon where it has one (`draw:item`)."""

    def apply(self, state: State) -> None:
        """Nothing happens."""


class ActionTaken(Event, frozen=True, kw_only=True):
    """A character does something that a card, tile, token or haunt offers; what is done is public (2E-SEC-002)."""

    informs: ClassVar[Informs] = NOTHING

    figure: Figure
    source: Source
    word: str
    """The action's word there (`LIGHT`)."""
    target: Aim | None = None
    """What it is done to, if anything: an explorer by its seat, or a monster or room by its id."""

    def apply(self, state: State) -> None:
        """What it brings has events of its own."""


class TradeProposed(Event, frozen=True, kw_only=True):
    """The active explorer offers a trade (2E-ITEM-006)."""

    informs: ClassVar[Informs] = NOTHING

    seat: SeatOrUnnamed
    """Who offers, by seat; -2 for a hidden traitor who runs the monsters."""
    partner: Seat
    """Who is asked, by seat."""
    gives: list[CardId]
    """Cards that are offered."""
    wants: list[CardId]
    """Cards that are asked for."""
    monster: MonsterName = NO_MONSTER
    """The monster that offers, run by `seat` (2E-ITEM-010)."""

    def apply(self, state: State) -> None:
        """Nothing changes hands before the partner consents."""


class Declined(Event, frozen=True, kw_only=True):
    """Somebody declined a trade, an optional effect or an event (2E-TPOW-005)."""

    informs: ClassVar[Informs] = NOTHING

    seat: SeatOrUnnamed
    """Who declined, by seat: 0 to 5; -2 for a hidden traitor who runs the monsters."""
    what: str
    """What was declined: `trade`, `card:debris`, or the question that was asked."""

    def apply(self, state: State) -> None:
        """Nothing happens."""
