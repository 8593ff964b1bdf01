"""A game as it goes on, on the terminal: one line that changes and the news above it, or plain lines where there is no terminal."""

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status

from projections.names import counted
from projections.view import GameView
from service.bots.runner import Step
from service.cli.news import news
from service.cli.screen import say

EVERY = 50
"""Commands between two signs of life where lines can't change."""


class Watcher:
    """Shows the steps of one game, as a context manager around it."""

    def __init__(self, console: Console) -> None:
        """Show them there."""
        self._console = console
        self._status: Status | None = console.status("the game begins") if console.is_terminal else None
        self._last: GameView | None = None
        self.commands = 0

    def __enter__(self) -> Self:
        """Begin."""
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End."""
        if self._status is not None:
            self._status.stop()

    def step(self, step: Step) -> None:
        """A command was accepted."""
        self.commands += 1
        self.seen(step.view)
        who = step.view.explorers[step.seat].title
        line = f"turn {step.view.turn.number} · {who}: {step.label} · {counted(self.commands, 'command')}"
        if self._status is not None:
            self._status.update(line)
        elif self.commands % EVERY == 0:
            self.say(line)

    def seen(self, view: GameView) -> None:
        """A newer view: what is new in it is told."""
        for line in news(self._last, view) if self._last is not None else ():
            self.say(f"turn {view.turn.number:3}  {line}" if not line.startswith(" ") else f"         {line}")
        self._last = view

    def say(self, line: str) -> None:
        """Tell something that stays."""
        say(line, screen=self._console)
