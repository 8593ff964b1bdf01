"""What comes to the referee's desk: commands taken back, and how play went back."""

from typing import ClassVar

from domain.events.base import NOTHING, Event, Informs
from domain.state import Desk, State


def desk_of(state: State) -> Desk:
    """The desk, set up if there was none."""
    if state.desk is None:
        state.desk = Desk(turn=state.turn.number)
    return state.desk


def turned(desk: Desk, turn: int) -> None:
    """Note that a turn begins; one that began before, and begins again after a rewind, is no new one."""
    if turn > desk.turn:
        desk.turn = turn
        desk.taken = 0


class TakenBack(Event, frozen=True, kw_only=True):
    """A seat takes its latest commands back, of which nobody has learned anything; `Rewound` brings back what was before."""

    informs: ClassVar[Informs] = NOTHING

    seat: int
    to: int
    """The commit as of which play goes on."""
    last: int
    """The latest commit that is taken back."""

    def apply(self, state: State) -> None:
        """Count it."""
        desk = desk_of(state)
        desk.rewinds += 1
        desk.taken += 1
