"""What is worth telling of a game while it goes on: the difference between two views, in sentences."""

from collections.abc import Iterator

from projections.haunts import HauntView
from projections.names import counted
from projections.people import ExplorerView
from projections.standings import fate
from projections.view import GameView


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
