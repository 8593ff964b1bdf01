"""`evolve`: the fold. It never refuses, never rolls, never consults rules or content."""

from collections.abc import Iterable

from domain.audience import Mask
from domain.events import Event, Told
from domain.state import State


def evolve(state: State, event: Event) -> State:
    """Apply one event in place and return the same state.

    In place, because copying the state for each command costs 97 % of the engine's speed (`design/engine-notes.md`);
    whoever needs the state before keeps a snapshot or folds again.
    """
    event.apply(state)
    return state


def fold(state: State, commits: Iterable[Iterable[Told]]) -> State:
    """Apply whole commits in order; the number of the latest is kept in `state.commit`."""
    for commit in commits:
        for told in commit:
            told.event.apply(state)
        state.commit += 1
    return state


def redact(commit: Iterable[Told], principal: Mask) -> list[Told]:
    """What one principal was told in a commit. An event is seen whole or not at all."""
    return [told for told in commit if told.to & principal]
