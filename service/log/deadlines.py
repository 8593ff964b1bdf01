"""Deadlines: how long each open decision has waited, by the times of the commits.

`domain.default_actions` says what is done when time runs out.
While play is paused no seat's clock runs, and afterwards each goes on from where it stood. The same holds for a seat that is awaited again
because somebody took something back, also across the end of a turn. After a ruling that rewinds, every seat has its whole time again, and so
has a dispute that is reopened.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from domain.default_actions import with_default
from domain.facts.events import DisputeReopened, Rewound, TakenBack, Told
from domain.facts.state import State
from domain.rulebook.desk.disputing import decision_of, timed, timed_as
from domain.rulebook.desk.pausing import paused
from domain.rulebook.turn.options import named_seat


def due_at(since: str, seconds: int) -> str:
    """When a decision that was opened at a time runs out, in the same notation (UTC, milliseconds)."""
    return _moved(since, timedelta(seconds=seconds))


def seconds_between(now: str, then: str) -> float:
    """Between two times in that notation; negative if `then` comes first."""
    return (datetime.fromisoformat(then) - datetime.fromisoformat(now)).total_seconds()


KEPT = 64
"""Clocks that stand and are remembered, the latest ones: a take-back reaches no further."""

MILLISECOND = timedelta(milliseconds=1)


class Missed(msgspec.Struct, frozen=True):
    """A deadline that ran out."""

    commit: int
    """What was done for an absent player."""
    seat: int
    """`UNNAMED` where nobody may say whose it was."""
    turn: int
    at: str


class Clocks:
    """The clocks of one game."""

    __slots__ = ("_turn", "missed", "paused", "since", "spent", "whose")

    def __init__(
        self,
        since: Mapping[str, str] | None = None,
        spent: Mapping[str, int] | None = None,
        missed: Sequence[Missed] = (),
        state: State | None = None,
    ) -> None:
        """Begin as they stood after some commit; by default none runs.

        Args:
            since: those that run, by the decision or the dispute, with the time at which they would have been set in motion to show what
                they show.
            spent: those that stand, by decision: the milliseconds that they show.
            missed: deadlines that ran out, the oldest first.
            state: the game's, after that commit.
        """
        self.since = dict(since or {})
        self.spent = dict(spent or {})
        self.missed = list(missed)
        self._look(state or State())

    def _look(self, state: State) -> None:
        """Note what has to be known of the state until the next commit: whose clocks run, in which turn, and whether play is paused."""
        self.whose = {key: named_seat(state, key) for key in self.since if timed_as(state, key) is None}
        self._turn = state.turn.number
        self.paused = paused(state)

    def follow(self, state: State, told: Sequence[Told], at: str, *, answers: bool, ran_out: str = "") -> None:
        """Take a commit in.

        Args:
            state: the game's, after it.
            told: its events.
            at: its time.
            answers: whether decisions have a deadline in this game.
            ran_out: the decision whose deadline has brought it, if that is so.
        """
        if ran_out in self.whose:
            self.missed = [*self.missed, Missed(state.commit, self.whose[ran_out], self._turn, at)][-KEPT:]
        back = next((one.event.to for one in told if isinstance(one.event, Rewound)), None)
        if back is not None:
            self.missed = [one for one in self.missed if one.commit <= back]
        taken_back = any(isinstance(one.event, TakenBack) for one in told)
        if back is not None and not taken_back:
            self.since = {key: since for key, since in self.since.items() if timed_as(state, key) is not None}
            self.spent = {}
        for one in told:
            if isinstance(one.event, DisputeReopened):
                self.spent.pop(f"dispute-{one.event.number}", None)
        waiting = [*(with_default(state) if answers else ()), *map(decision_of, timed(state))]
        self._stop(waiting, at)
        resumed = taken_back or self.paused
        for key in waiting:
            spent = self.spent.pop(key, 0)
            self.since.setdefault(key, _moved(at, -spent * MILLISECOND) if resumed else at)
        self._look(state)

    def missed_lately(self, seats: int) -> list[Missed]:
        """Deadlines that ran out in the latest turns, of which there were as many as seats, the oldest first."""
        return [one for one in self.missed if one.turn >= self._turn - seats]

    def _stop(self, waiting: Collection[str], at: str) -> None:
        """Stop the clocks of what is not awaited any more."""
        for key in [key for key in self.since if key not in waiting]:
            self.spent.pop(key, None)
            self.spent[key] = _milliseconds(self.since.pop(key), at)
        while len(self.spent) > KEPT:
            del self.spent[next(iter(self.spent))]


def _milliseconds(since: str, at: str) -> int:
    return (datetime.fromisoformat(at) - datetime.fromisoformat(since)) // MILLISECOND


def _moved(at: str, by: timedelta) -> str:
    return (datetime.fromisoformat(at) + by).isoformat(timespec="milliseconds").replace("+00:00", "Z")
