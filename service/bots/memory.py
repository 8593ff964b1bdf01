"""What a bot carries from one choice to the next, and what every brain is."""

from collections.abc import Callable

import msgspec

from domain.commands import AnyCommand
from projections.decisions import Decisions
from projections.view import GameView


class Memory(msgspec.Struct, frozen=True):
    """What a bot remembers. A brain only reads it; whoever drives the brain keeps it.

    A bot that loses its memory plays on as well as before: it may only try something twice.
    """

    seed: str = ""
    """What tells two bots of a kind apart."""
    turn: int = -1
    """The turn that `done` is about."""
    done: tuple[AnyCommand, ...] = ()
    """The bot's own commands of that turn."""
    version: int = -1
    """The version that `refused` is about."""
    refused: tuple[AnyCommand, ...] = ()
    """Commands that the service did not take at that version."""

    def times(self, view: GameView, command: AnyCommand) -> int:
        """How often the bot has given this command in the current turn."""
        return self.done.count(command) if self.turn == view.turn.number else 0

    def barred(self, view: GameView) -> tuple[AnyCommand, ...]:
        """Commands that are known to be of no use as long as nothing changes."""
        return self.refused if self.version == view.version else ()

    def after(self, view: GameView, command: AnyCommand) -> "Memory":
        """The memory after a command was accepted."""
        done = self.done if self.turn == view.turn.number else ()
        return Memory(self.seed, view.turn.number, (*done, command))

    def after_refusal(self, view: GameView, command: AnyCommand) -> "Memory":
        """The memory after a command was refused."""
        return Memory(self.seed, self.turn, self.done, view.version, (*self.barred(view), command))


Brain = Callable[[GameView, Decisions, Memory], AnyCommand | None]
"""A pure function: the same view, decisions and memory give the same command. None: nothing to say for now."""
