"""How far a game must have come before the public sees a commit: by play that still stands, or by time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from domain.engine.machine import ASKED_BY_INDEX
from domain.facts.events import CoinCalled, CoinFlipped, DecisionClosed, DecisionOpened, Rewound, Told
from domain.past import Passed
from domain.rulebook.desk.talk import of_play

COINS = (CoinCalled, CoinFlipped)
"""They decide nothing in the game, and anybody may flip one at any time."""


class Lag:
    """The latest commit that is old enough, and when those behind it were made, as far as they were read."""

    __slots__ = ("number", "times")

    def __init__(self) -> None:
        self.number = 0
        self.times: deque[str] = deque()


class Course:
    """The course of a game, as far as it was read: which commits of play still stand, and how many of them lie behind one."""

    __slots__ = ("number", "shown", "standing")

    def __init__(self) -> None:
        self.number = 0
        """The latest commit that was read."""
        self.shown = 0
        """The latest one that enough was played behind."""
        self.standing: list[int] = []
        """Commits of play that were not taken back."""

    def advance(self, commit: Passed, delay: int) -> None:
        """Take the next commit in; one that was read already is passed over.

        Neither talk, coins, changes of who plays and what is said of dice before it is confirmed nor what is taken back bring those who lag
        behind so many commits any nearer; and going back takes nothing from them.
        """
        if commit.number != self.number + 1:
            return
        self.number = commit.number
        back = next((one.event.to for one in commit.told if isinstance(one.event, Rewound)), None)
        if back is not None:
            while self.standing and self.standing[-1] > back:
                self.standing.pop()
        elif _brings_on(commit.told):
            self.standing.append(commit.number)
            if len(self.standing) >= delay:
                self.shown = max(self.shown, self.standing[-delay] - 1)


def _brings_on(told: Sequence[Told]) -> bool:
    """Whether play came further by a commit."""
    return (
        bool(told) and of_play(told) and not any(isinstance(one.event, COINS) for one in told) and not _asks_again(told)
    )


def _asks_again(told: Sequence[Told]) -> bool:
    """Whether the same request of chance is open as before: its answer waits for a witness, or was denied. Players can go on so for ever."""
    closed = {one.event.decision for one in told if isinstance(one.event, DecisionClosed)}
    opened = {one.event.decision.id for one in told if isinstance(one.event, DecisionOpened)}
    return any(
        one[0] in ASKED_BY_INDEX and other[0] in ASKED_BY_INDEX and one[1:] == other[1:]
        for one in closed
        for other in opened
    )
