"""What the players settle among themselves where no rule answers: rulings, and coins.

The texts are in the events, and so in the log forever: a ruling is a rule of its game (the house rulings of the opening lie there
too), and whoever replays, audits or exports the game must find it. What names a person is kept beside the log, and has no place here.
"""

from typing import ClassVar

from domain.facts.events.base import CHANCE, NOTHING, Event, Informs
from domain.facts.state import Ruling, Rulings, State
from domain.facts.terms import CoinFace, RulingNumber, Seat, SeatOrReferee


def _of(state: State) -> Rulings:
    """The table's rulings, begun if there were none."""
    if state.rulings is None:
        state.rulings = Rulings()
    return state.rulings


class RulingProposed(Event, frozen=True, kw_only=True):
    """Somebody proposes a ruling; play goes on (2E-NORULE-001)."""

    informs: ClassVar[Informs] = NOTHING

    number: RulingNumber
    text: str
    """The ruling, as written by whoever proposes it."""
    by: SeatOrReferee
    """A seat, or -1: the referee."""
    asked: list[Seat]
    """Seats whose consent it needs."""

    def apply(self, state: State) -> None:
        rulings = _of(state)
        rulings.proposed = Ruling(number=self.number, text=self.text, by=self.by)
        rulings.awaited = list(self.asked)
        rulings.numbers = self.number
        rulings.spoken += 1


class RulingConsented(Event, frozen=True, kw_only=True):
    """A seat agrees."""

    informs: ClassVar[Informs] = NOTHING

    number: RulingNumber
    seat: Seat

    def apply(self, state: State) -> None:
        rulings = _of(state)
        rulings.awaited = [seat for seat in rulings.awaited if seat != self.seat]


class RulingAgreed(Event, frozen=True, kw_only=True):
    """Everybody has agreed: it holds from now on, as far as people keep to it."""

    informs: ClassVar[Informs] = NOTHING

    number: RulingNumber
    text: str
    """The ruling, as it was proposed."""
    by: SeatOrReferee
    """Who proposed it, by seat; -1 is the referee."""

    def apply(self, state: State) -> None:
        rulings = _of(state)
        rulings.agreed.append(Ruling(number=self.number, text=self.text, by=self.by))
        rulings.proposed = None


class RulingRefused(Event, frozen=True, kw_only=True):
    """A seat does not agree, so the proposal is off the table."""

    informs: ClassVar[Informs] = NOTHING

    number: RulingNumber
    seat: Seat

    def apply(self, state: State) -> None:
        rulings = _of(state)
        rulings.proposed = None
        rulings.awaited = []


class RulingWithdrawn(Event, frozen=True, kw_only=True):
    """The proposer withdraws it."""

    informs: ClassVar[Informs] = NOTHING

    number: RulingNumber
    by: SeatOrReferee

    def apply(self, state: State) -> None:
        rulings = _of(state)
        rulings.proposed = None
        rulings.awaited = []


class CoinCalled(Event, frozen=True, kw_only=True):
    """Somebody flips a coin, having said what each side means (2E-NORULE-002)."""

    informs: ClassVar[Informs] = NOTHING

    by: SeatOrReferee
    """A seat, or -1: the referee."""
    heads: str
    """What heads means."""
    tails: str
    """What tails means."""

    def apply(self, state: State) -> None:
        _of(state).spoken += 1


class CoinFlipped(Event, frozen=True, kw_only=True):
    """The coin has fallen."""

    informs: ClassVar[Informs] = CHANCE

    face: CoinFace
    """`heads` or `tails`."""
    chosen: str
    """What that means."""

    def apply(self, state: State) -> None:
        """The players act on it themselves."""
