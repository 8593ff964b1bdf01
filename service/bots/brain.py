"""What every bot is made of: its brain, its memory, and a random generator that gives the same numbers on every machine."""

import hmac
from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions
from projections.view.game import GameView

T = TypeVar("T")

_SPAN = 1 << 64


class Generator:
    """An endless sequence of numbers from HMAC-SHA256, determined by a seed and a context."""

    def __init__(self, seed: str, *context: object) -> None:
        """The seed tells two bots apart; the context, two moments of one bot, such as versions of the game."""
        self._key = "\x00".join((seed, *map(str, context))).encode()
        self._drawn = 0

    def below(self, bound: int) -> int:
        """The next number from 0 to `bound` - 1, each equally likely to within 64 bits."""
        digest = hmac.digest(self._key, b"%d" % self._drawn, "sha256")
        self._drawn += 1
        return int.from_bytes(digest[:8], "big") * bound // _SPAN

    def chance(self, one_in: int) -> bool:
        return self.below(one_in) == 0

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], at_least: int = 0) -> list[T]:
        """A random subset of at least `at_least` things, in their order."""
        found = [thing for thing in things if self.below(2)]
        while len(found) < at_least:
            found = [thing for thing in things if thing in found or self.below(2)]
        return found


class Memory(msgspec.Struct, frozen=True):
    """What a bot remembers. Its brain only reads it; its runner updates it.

    A bot that loses its memory plays on as well as before, except that it may try something twice.
    """

    seed: str = ""
    """Tells two bots of a kind apart."""
    turn: int = -1
    """The turn to which `done` belongs."""
    done: tuple[AnyCommand, ...] = ()
    """The bot's own commands of that turn."""
    version: int = -1
    """The version to which `refused` belongs."""
    refused: tuple[AnyCommand, ...] = ()
    """Commands that the service refused at that version."""

    def times(self, view: GameView, command: AnyCommand) -> int:
        """How often the bot has given this command this turn."""
        return self.done.count(command) if self.turn == view.turn.number else 0

    def barred(self, view: GameView) -> tuple[AnyCommand, ...]:
        """Commands that are pointless until something changes."""
        return self.refused if self.version == view.version else ()

    def after(self, view: GameView, command: AnyCommand) -> "Memory":
        done = self.done if self.turn == view.turn.number else ()
        return Memory(self.seed, view.turn.number, (*done, command))

    def after_refusal(self, view: GameView, command: AnyCommand) -> "Memory":
        return Memory(self.seed, self.turn, self.done, view.version, (*self.barred(view), command))


Brain = Callable[[GameView, Decisions, Memory], AnyCommand | None]
"""A pure function: the same view, decisions and memory give the same command. None: nothing to do for now."""
