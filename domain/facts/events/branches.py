"""Play leaves its course: a command is taken back, or a sandbox begins from another game."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from domain.facts.events.base import HIDDEN, NOTHING, Event, Informs
from domain.facts.events.desk import desk_of
from domain.facts.state import State


class TakenBack(Event, frozen=True, kw_only=True):
    """A seat takes back its latest commands, from which nobody has learned anything; `Rewound` restores the state before them."""

    informs: ClassVar[Informs] = NOTHING

    seat: int
    to: int
    """The commit as of which play goes on."""
    last: int
    """The latest commit that is taken back."""

    def apply(self, state: State) -> None:
        desk = desk_of(state)
        desk.rewinds += 1
        desk.taken += 1


class SandboxBegun(Event, frozen=True, kw_only=True):
    """A sandbox begins: those who are told this get the state that they know of it; its first commit has nothing else.

    Those who know the same share one event. The referee's, who knows everything, is the last, and so the one that the engine goes on with.
    """

    informs: ClassVar[Informs] = HIDDEN

    state: State

    def apply(self, state: State) -> None:
        """Begin with it; a copy, because events are never changed.

        It copies by way of bytes: saved frames keep their bindings encoded, which are not builtins.
        """
        begun = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        begun.commit = state.commit
        for field in State.__struct_fields__:
            setattr(state, field, getattr(begun, field))
