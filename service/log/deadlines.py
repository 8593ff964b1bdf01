"""Deadlines: how long each open decision has waited, and the default action when its time runs out.

Everything here follows from the state and the times of the commits, so that an audit decides again what the actors `auto` and `clock` did.
While play is paused no seat's clock runs, and afterwards each goes on from where it stood. The same holds for a seat that is awaited again
because somebody took something back, also across the end of a turn. After a ruling that rewinds, every seat has its whole time again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from domain.decide import decide
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.chance import Chance
from domain.facts.commands import AnyCommand, Choose, EndTurn
from domain.facts.desk import Dispute
from domain.facts.events import Rewound, TakenBack, Told
from domain.facts.lifecycle_commands import Expired, Lapsed
from domain.facts.refusal import Refused
from domain.facts.state import MODERATOR, Decision, State
from domain.rulebook.desk.disputing import decision_of, perform_lapse
from domain.rulebook.desk.pausing import paused
from domain.rulebook.turn.options import legal, turn_decision

AUTO, CLOCK = "auto", "clock"
"""Actors of the log: a standing order that is due, a deadline that ran out."""

MILD: tuple[str, ...] = ("pass", "no", "ready", "go-on")
"""Answers that say nothing: taken for somebody who is absent wherever they are offered."""


def awaited(state: State) -> list[str]:
    """The decisions that seats have to answer now: those that are open, or the turn's own. What dice showed has no default."""
    if state.status != "started" or paused(state):
        return []
    turn = turn_decision(state)
    return [turn] if turn else [one.id for one in state.open.values() if _has_default(one)]


def _has_default(decision: Decision) -> bool:
    """Nobody but those who hold them can say what dice, cards and tokens show."""
    told = decision.kind == "chance" or decision.about == "role" or decision.about.startswith("witness:")
    return decision.seat != MODERATOR and not told


def addressee(state: State, decision: str) -> int:
    """The seat that a decision belongs to, as far as this state was told.

    Raises:
        Refused: it is not open.
    """
    return state.seat_of(awaits(state, decision))


def awaits(state: State, decision: str) -> int:
    """The seat that a decision belongs to, as everybody knows it: `UNNAMED` where it is a hidden traitor's.

    Raises:
        Refused: it is not open.
    """
    found = state.open.get(decision)
    if found is not None:
        return found.seat
    if decision != turn_decision(state):
        raise Refused(f"{decision} is not open", problem="decision-closed")
    return state.turn.seat


def default_of(rules: Rules, state: State, decision: str) -> AnyCommand:
    """What is done for a seat that let a decision's deadline run out: pass, refuse, be ready, end the turn, or the first answer.

    Raises:
        Refused: the decision is not open.
    """
    seat = addressee(state, decision)
    listed = [one for one in legal(rules, state, seat) if one.decision == decision]
    for command in listed:
        if isinstance(command, EndTurn) or (isinstance(command, Choose) and command.option in MILD):
            return command
    return listed[0]


def run_out(rules: Rules, state: State, expired: Expired, chance: Chance) -> list[Told]:
    """Do what a deadline brings; advances the state.

    Raises:
        Refused: the decision is not open any more, or the default is another.
    """
    if default_of(rules, state, expired.decision) != expired.command:
        raise Refused("the default of this decision is another", problem="conflict")
    return decide(rules, state, addressee(state, expired.decision), expired.command, chance)


def due_at(since: str, seconds: int) -> str:
    """When a decision that was opened at a time runs out, in the same notation (UTC, milliseconds)."""
    due = datetime.fromisoformat(since) + timedelta(seconds=seconds)
    return due.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def timed(state: State) -> list[Dispute]:
    """Open disputes that lapse by the clock."""
    return [] if state.desk is None else [one for one in state.desk.open() if one.seconds and state.status == "started"]


def lapsing(state: State, decision: str) -> Dispute | None:
    """The open dispute whose clock has this name."""
    return next((one for one in timed(state) if decision_of(one) == decision), None)


def lapsed(rules: Rules, state: State, command: Lapsed, chance: Chance) -> list[Told]:
    """A dispute's deadline has passed; advances the state.

    Raises:
        Refused: it is closed.
    """
    machine = Machine(rules.of(state), state, chance)
    perform_lapse(machine, command.dispute)
    return machine.told


KEPT = 64
"""Clocks that stand and are remembered, the latest ones: a take-back reaches no further."""

MILLISECOND = timedelta(milliseconds=1)


class Missed(msgspec.Struct, frozen=True):
    """A deadline that ran out."""

    commit: int
    """What was done for whoever was absent."""
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
        self.whose = {key: awaits(state, key) for key in self.since if lapsing(state, key) is None}
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
        rewound = any(isinstance(one.event, Rewound) for one in told)
        taken_back = any(isinstance(one.event, TakenBack) for one in told)
        if rewound and not taken_back:
            self.since = {key: since for key, since in self.since.items() if lapsing(state, key) is not None}
            self.spent = {}
        waiting = [*(awaited(state) if answers else ()), *map(decision_of, timed(state))]
        self._stop(waiting, at)
        resumed = taken_back or self.paused
        for key in waiting:
            spent = self.spent.pop(key, 0)
            self.since.setdefault(key, _before(at, spent) if resumed else at)
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


def _before(at: str, spent: int) -> str:
    then = datetime.fromisoformat(at) - spent * MILLISECOND
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")
