"""Monsters that hide: only their own side knows where they are."""

from typing import ClassVar

from domain.facts.events.base import HIDDEN, NOTHING, Event, Informs
from domain.facts.state import MonsterId, State


class MonsterHid(Event, frozen=True, kw_only=True):
    """A monster moved where only its side knows, which is told the room; for all others it is empty."""

    informs: ClassVar[Informs] = NOTHING

    monster: MonsterId
    room: str = ""
    part: int = 0
    spent: int = 0
    """Spaces of movement that it cost, for those who are told the room."""

    def apply(self, state: State) -> None:
        """Who is told no room knows it no longer: an earlier one is out of date."""
        monster = state.monsters[self.monster]
        monster.hides = True
        monster.room, monster.part = "", 0
        monster.lair, monster.lair_part = self.room, self.part
        monster.left = max(0, monster.left - self.spent)
        monster.spent += self.spent
        monster.moved = True


class MonsterShown(Event, frozen=True, kw_only=True):
    """A monster that was hiding is seen by everybody."""

    informs: ClassVar[Informs] = HIDDEN

    monster: MonsterId
    room: str
    part: int = 0

    def apply(self, state: State) -> None:
        monster = state.monsters[self.monster]
        monster.hides = False
        monster.room, monster.part = self.room, self.part
        monster.lair, monster.lair_part = "", 0
