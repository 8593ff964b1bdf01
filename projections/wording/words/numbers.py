"""The numbers of a game, as far as a role's state tells them."""

from __future__ import annotations

from collections.abc import Mapping

from content.vocabulary.values import Count
from domain.facts.state import State
from domain.queries.numbers import count

SHOWN = {
    "State": ("seats", "haunt", "tokens", "monsters", "explorers", "omens_drawn"),
    "Haunt": ("counters",),
    "TokenHere": ("token", "count"),
    "Monster": ("kind",),
    "Explorer": ("alive", "side", "escaped"),
}
"""What of a role's state is read here; any other field stays hidden."""


class Known:
    """Numbers that are told, as they were looked up; the others are told by their formulas."""

    def __init__(
        self,
        players: int,
        counters: Mapping[str, int | None] | None = None,
        counts: Mapping[Count, int | None] | None = None,
    ) -> None:
        self.players = players
        self._counters = counters or {}
        self._counts = counts or {}

    def counter(self, counter: str) -> int | None:
        """Where a counter stands."""
        return self._counters.get(counter)

    def count(self, counted: Count) -> int | None:
        """How many there are."""
        return self._counts.get(counted)


class GameNumbers:
    """Numbers for `Wording`: players, counters, and how many there are of what conditions count."""

    def __init__(self, state: State) -> None:
        """Bind; `state` is the role's own."""
        self._state = state

    @property
    def players(self) -> int:
        """Explorers at the start of the game."""
        return self._state.seats

    def counter(self, counter: str) -> int | None:
        """Where a counter stands; None if the role does not know."""
        return None if self._state.haunt is None else self._state.haunt.counters.get(counter)

    def count(self, counted: Count) -> int | None:
        """How many there are, of those that the role knows of; None of cards, which are somebody's."""
        return count(self._state, counted) if counted.cards is None else None
