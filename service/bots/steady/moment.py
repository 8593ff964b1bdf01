"""One choice to be made: what the rules of the steady bot look at."""

from collections.abc import Iterator
from typing import TypeVar

from domain.commands import AnyCommand
from projections.constraints import Field, OneOf
from projections.decisions import OpenDecision
from projections.view import GameView
from service.bots.memory import Memory
from service.bots.sight import Sight

C = TypeVar("C")

OFTEN = 2
"""Times that the same command is given in one turn at the most: what has no limit of its own could go on for ever."""


class Moment(Sight):
    """A view, a decision in it, and the bot's memory."""

    __slots__ = ("commands", "decision", "memory")

    def __init__(self, view: GameView, decision: OpenDecision, memory: Memory) -> None:
        """The listed commands are those that have not been refused just now, nor given too often in this turn."""
        super().__init__(view)
        self.decision = decision
        self.memory = memory
        barred = memory.barred(view)
        self.commands: list[AnyCommand] = [
            listed.command
            for listed in decision.commands
            if listed.command not in barred and memory.times(view, listed.command) < OFTEN
        ]

    def listed(self, kind: type[C]) -> Iterator[C]:
        """The listed commands of one kind."""
        return (command for command in self.commands if isinstance(command, kind))

    @property
    def field(self) -> Field:
        """The constraint on an answer that divides or selects."""
        return self.decision.families[0].fields[0]

    @property
    def options(self) -> list[str]:
        """The options of a choice, listed or not."""
        for family in self.decision.families:
            for field in family.fields:
                if isinstance(field, OneOf):
                    return [str(option) for option in field.values]
        return [str(getattr(listed.command, "option", "")) for listed in self.decision.commands]
