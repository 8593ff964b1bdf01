"""What the log says of the past: what everybody knew as of one commit, and the commits after it.

`decide` has no log. Where play goes back it is handed the `Past` that its command names: the service and the audit make one from
the commits before it, in the same way, so that an audit decides a rewind again to the same bytes. Each role's state is the fold of what
that role was told, and of nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from domain.evolve import fold_commit
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.events import Told
from domain.facts.state import State

NOBODY = -2
"""The actor of a commit that neither a seat nor the referee commanded: the host, the clock, a standing order."""


class Passed(msgspec.Struct, frozen=True, gc=False):
    """A commit of the past."""

    number: int
    actor: int
    """A seat, `MODERATOR`, or `NOBODY`; also `NOBODY` for a hidden traitor who ran the monsters, and so can't take it back."""
    told: Sequence[Told]


class Past:
    """What everybody knew as of a commit, and the commits after it. Commits are added in their order, from the first one on."""

    __slots__ = ("known", "number", "since", "to")

    def __init__(self, to: int, seats: int) -> None:
        """Begin before the first commit.

        Args:
            to: the commit as of which states are wanted, 1 or more.
            seats: how many the game has.
        """
        self.to = to
        self.number = 0
        """The latest commit that was added."""
        self.known: dict[Mask, State] = {mask: State() for mask in principals(seats)}
        """By principal: the fold of what it was told up to `to`. The referee, who is told everything, comes last."""
        self.since: list[Passed] = []
        """The commits after `to`."""

    def add(self, actor: int, told: Sequence[Told]) -> None:
        """Take the next commit."""
        self.number += 1
        if self.number > self.to:
            self.since.append(Passed(self.number, actor, told))
            return
        for mask, state in self.known.items():
            fold_commit(state, self.number, told, mask)


def principals(seats: int) -> list[Mask]:
    """Every role of a game, the referee last."""
    return [*[seat_bit(seat) for seat in range(seats)], SPECTATORS, REFEREE]
