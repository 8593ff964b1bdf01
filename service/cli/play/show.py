"""A game in words: what a player may look up, and how a game of bots is followed: news above one line that changes, or plain lines into a pipe."""

from collections.abc import Callable, Iterator, Sequence
from typing import Self

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from projections.naming.names import counted, enumerated
from projections.naming.standings import fate
from projections.view.game import GameView
from projections.view.haunts import HauntView
from projections.wording.words.english import the
from service.bots.client import AcceptedCommand, Api, Ended, Player, Runner
from service.cli.common import say

EVERY = 50
"""Commands between two progress lines in a pipe."""


def news(old: GameView, new: GameView) -> list[str]:
    """What everybody at the table notices between two views of a game."""
    return [*_haunt(old, new), *_deaths(old, new), *_counters(old.haunt, new.haunt), *_omens(old, new)]


def _omens(old: GameView, new: GameView) -> Iterator[str]:
    if new.omens_drawn > old.omens_drawn:
        yield f"{counted(new.omens_drawn, 'omen')} drawn, {counted(len(new.rooms), 'room')} in the house"


def _haunt(old: GameView, new: GameView) -> Iterator[str]:
    haunt = new.haunt
    if haunt is None:
        return
    if old.haunt is None:
        yield f"the haunt begins: {haunt.title} (number {haunt.number} on the chart)"
        if haunt.story:
            yield f"  {haunt.story}"
        if haunt.hidden:
            yield "  one of them is the traitor, and nobody else knows who"
    known = old.haunt is not None and not old.haunt.hidden
    if haunt.traitor is not None and not haunt.hidden and not known:
        yield f"{new.explorers[haunt.traitor].title} is the traitor"


def _deaths(old: GameView, new: GameView) -> Iterator[str]:
    alive = {one.seat for one in old.explorers if one.alive}
    for explorer in [one for one in new.explorers if one.seat in alive and not one.alive]:
        room = next(room.title for room in new.rooms if room.id == explorer.room)
        yield f"{explorer.title} {'has escaped' if explorer.escaped else f'is {fate(explorer)}'} ({room})"


def _counters(old: HauntView | None, new: HauntView | None) -> Iterator[str]:
    if old is None or new is None:
        return
    before = {counter.name: counter.value for counter in old.counters}
    for counter in new.counters:
        if counter.value != before.get(counter.name):
            yield f"{counter.title}: {counter.value}"


class Watcher:
    """Shows the commands of one game; a context manager around it."""

    def __init__(self, console: Console, books: Callable[[int], str] | None = None) -> None:
        """Show on a console; `books` tells the haunt's books as of a version, in Markdown, for whoever may see both."""
        self._console = console
        self._books = books
        self._status = console.status("the game begins") if console.is_terminal else None
        self._last: GameView | None = None
        self._commands = 0

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def accepted(self, step: AcceptedCommand) -> None:
        self._commands += 1
        self.seen(step.view)
        who = step.view.explorers[step.seat].title
        line = f"turn {step.view.turn.number} · {who}: {step.label} · {counted(self._commands, 'command')}"
        if self._status is not None:
            self._status.update(line)
        elif self._commands % EVERY == 0:
            say(line, screen=self._console)

    def seen(self, view: GameView) -> None:
        """Show what is new in a later view."""
        for line in news(self._last, view) if self._last is not None else ():
            lead = "         " if line.startswith(" ") else f"turn {view.turn.number:3}  "
            say(f"{lead}{line}", screen=self._console)
        if self._books is not None and view.haunt is not None and view.haunt.books:
            text, self._books = self._books(view.version), None
            print_markdown(text, self._console)
        self._last = view


def play_by_bots(api: Api, game: str, players: Sequence[Player], console: Console) -> Ended:
    """Let bots play their seats until the game is over, and show it. Raises as `Runner.play` does."""
    with Watcher(console) as watcher:
        return Runner(api, game, players, watch=watcher.accepted).play()


def self_lines(view: GameView, seat: int) -> Iterator[Text]:
    """Who a seat's player is, and what it carries."""
    me = view.explorers[seat]
    side = {"heroes": ", a hero", "traitor": ", the traitor"}.get(me.side, "")
    rooms = {room.id: room.title for room in view.rooms}
    room = f"in {the(rooms.get(me.room, me.room))}"
    where = room if me.alive else f"{fate(me)}, {room}" if me.corpse else fate(me)
    yield Text(f"You are {me.title}{side}, {where}.", "bold")
    if me.cards:
        yield Text(f"Your cards: {enumerated([view.cards[card].title for card in me.cards])}.")


def card_lines(view: GameView, seat: int | None) -> Iterator[Text]:
    """Each explorer's open cards with their texts, the seat's own first."""
    for one in sorted(view.explorers, key=lambda one: one.seat != seat):
        yield Text(f"{one.title}: {'' if one.cards else 'no cards'}", "bold")
        for card in (view.cards[name] for name in one.cards):
            yield Text(f"  {card.title}: {card.text}" if card.text else f"  {card.title}")


def print_markdown(text: str, screen: Console) -> None:
    """Print Markdown, laid out on a terminal and as it is into a pipe."""
    screen.print(Markdown(text) if screen.is_terminal else Text(text), soft_wrap=not screen.is_terminal)
