"""A game on the terminal while it goes on: news in sentences above one line that changes, or plain lines into a pipe."""

from collections.abc import Iterator
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.status import Status

from projections.naming.names import counted
from projections.naming.standings import fate
from projections.view.game import GameView
from projections.view.haunts import HauntView
from projections.view.people import ExplorerView
from service.bots.runner import Step
from service.cli.screen import say


def news(old: GameView, new: GameView) -> list[str]:
    """What everybody at the table has noticed between two views of a game; nothing that only one seat knows."""
    return [*_haunt(old, new), *_deaths(old, new), *_counters(old.haunt, new.haunt), *_omens(old, new)]


def _omens(old: GameView, new: GameView) -> Iterator[str]:
    if new.omens_drawn > old.omens_drawn:
        yield f"{counted(new.omens_drawn, 'omen')} drawn, {counted(len(new.rooms), 'room')} in the house"


def _haunt(old: GameView, new: GameView) -> Iterator[str]:
    haunt = new.haunt
    if haunt is None:
        return
    if old.haunt is None:
        yield f"the haunt begins: {haunt.title} (number {haunt.number} of the chart)"
        yield f"  {haunt.story}"
        if haunt.hidden:
            yield "  the traitor is one of them, and nobody else knows who"
    known = old.haunt is not None and not old.haunt.hidden
    if haunt.traitor is not None and not haunt.hidden and not known:
        yield f"{new.explorers[haunt.traitor].title} is the traitor"


def _deaths(old: GameView, new: GameView) -> Iterator[str]:
    alive = {one.seat for one in old.explorers if one.alive}
    dead: list[ExplorerView] = [one for one in new.explorers if one.seat in alive and not one.alive]
    for explorer in dead:
        room = next(room.title for room in new.rooms if room.id == explorer.room)
        yield f"{explorer.title} {'has escaped' if explorer.escaped else f'is {fate(explorer)}'} ({room})"


def _counters(old: HauntView | None, new: HauntView | None) -> Iterator[str]:
    if old is None or new is None:
        return
    before = {counter.name: counter.value for counter in old.counters}
    for counter in new.counters:
        if counter.value != before.get(counter.name):
            yield f"{counter.title}: {counter.value}"


EVERY = 50
"""Commands between two signs of life where lines can't change."""


class Watcher:
    """Shows the steps of one game, as a context manager around it."""

    def __init__(self, console: Console) -> None:
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
