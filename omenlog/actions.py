"""What a seat may do, as an action with parts that a learner can count."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from domain.facts.commands import (
    Act,
    Allocate,
    AnswerChance,
    AnyCommand,
    Attack,
    BreakFree,
    ByCharacter,
    Choose,
    Drop,
    Explore,
    Loot,
    Move,
    PickUp,
    Select,
    Trade,
)
from domain.facts.state import Aim, is_explorer


class Action(msgspec.Struct, frozen=True, gc=False):
    """A legal command. Verb, source, target and monster say what it does in words that are the same in every game of a pack."""

    command: AnyCommand
    """As it can be posted to the service, too."""
    about: str = ""
    """Of an answer: what the question is about, as a key: `damage:mental`, `place:attic`. Empty for what is done on a turn."""

    @property
    def verb(self) -> str:
        """The type of the command: `move`, `choose`; in capitals the word of what a piece offers: `DRINK`; `ask` for a trade that gives nothing."""
        if isinstance(self.command, Act):
            return self.command.word
        if isinstance(self.command, Trade) and not self.command.gives:
            return "ask"
        return str(self.command.__struct_config__.tag)

    @property
    def source(self) -> str:
        """What it is done with: `card:axe`, `tile:vault`, `haunt:heroes`, several cards joined by `+`; of an answer what the question is about."""
        match self.command:
            case Act():
                return self.command.source
            case Attack():
                return f"card:{self.command.weapon}" if self.command.weapon else ""
            case Trade():
                return _cards(self.command.gives or self.command.wants)
            case Drop() | PickUp():
                return _cards(self.command.cards)
            case Loot():
                return _cards([self.command.card])
            case _:
                return self.about

    @property
    def target(self) -> str:  # noqa: PLR0911 -- one for each kind of command
        """What it is done to: a room, a door, `seat:2`, a monster, an option; several joined by `+`."""
        match self.command:
            case Move():
                return self.command.to
            case Explore():
                return self.command.door
            case Act() | Attack():
                return _aim(self.command.target)
            case BreakFree():
                return _aim(self.command.seat)
            case Trade():
                wants = self.command.wants if self.command.gives else []
                return "+".join([_aim(self.command.partner), *(f"card:{card}" for card in wants)])
            case Loot():
                return _aim(self.command.corpse)
            case Choose():
                return self.command.option
            case Allocate():
                return "+".join(f"{trait}={points}" for trait, points in self.command.points.items() if points)
            case Select():
                return "+".join(map(str, self.command.chosen))
            case AnswerChance():
                return self.command.pick or "+".join(map(str, self.command.faces or self.command.rolled))
            case _:
                return ""

    @property
    def monster(self) -> str:
        """The monster that does it; empty for the seat's own explorer."""
        return (self.command.monster or "") if isinstance(self.command, ByCharacter) else ""


def _aim(aim: Aim | None) -> str:
    if aim is None:
        return ""
    return f"seat:{aim}" if is_explorer(aim) else str(aim)


def _cards(cards: Iterable[str]) -> str:
    return "+".join(f"card:{card}" for card in cards)
