"""What the modules of this package ask of one another: a condition may hold a selection, and a selection a condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition, Count, Place, Value, Who
from projections.wording.words.english import YOU, Person
from projections.wording.words.titles import Titles


class Numbers(Protocol):
    """The numbers of one game, as far as whoever reads may know them."""

    @property
    def players(self) -> int:
        """Explorers at the start of the game."""

    def counter(self, counter: str) -> int | None:
        """Where a counter stands; None if that is not known."""

    def count(self, counted: Count) -> int | None:
        """How many there are; None if that is not known."""


class Speech(Protocol):
    """One pack's words, inside one of its haunts or outside, with or without the numbers of a game."""

    @property
    def titles(self) -> Titles:
        """What the pieces are called."""

    @property
    def numbers(self) -> Numbers | None:
        """The numbers of the game, if one is told."""

    @property
    def telling(self) -> tuple[str, ...]:
        """The shared blocks that are being told, so that none is told within itself."""

    def amount(self, value: Value, thing: str, things: str = "") -> str:
        """So many things: `2 points`."""

    def value(self, value: Value) -> str:
        """A number by itself: `the Might of the traitor`."""

    def if_(self, condition: Condition, person: Person = YOU) -> str:
        """A condition as a clause: `you have the Spear`."""

    def unless(self, condition: Condition, person: Person = YOU) -> str:
        """That it does not hold."""

    def who(self, who: Who, article: str = "each") -> str:
        """A selection of characters: `each hero in the basement`."""

    def place(self, place: Place, article: str = "a") -> str:
        """A room, or rooms to choose from: `the Crypt`, `a room with a window`. It may hold `[your]`."""

    def steps(self, effects: Sequence[Effect]) -> str:
        """Effects as sentences."""

    def clause(self, effects: Sequence[Effect], person: Person = YOU) -> str:
        """Effects within a sentence: `lose 1 Might and end your turn`."""

    def inside(self, block: str) -> Speech:
        """The same while a shared block is being told."""
