"""A sandbox begins where another game stood."""

from typing import ClassVar

import msgspec

from domain.events.base import HIDDEN, Event, Informs
from domain.state import State


class SandboxBegun(Event, frozen=True, kw_only=True):
    """A sandbox begins with the state that whoever is told this knows of it; its first commit has nothing else.

    Those who know the same share one event. The referee's, who knows everything, is the last, and so the one that the engine goes on with.
    """

    informs: ClassVar[Informs] = HIDDEN

    state: State

    def apply(self, state: State) -> None:
        """Begin with it; a copy, because events are never changed.

        It goes by its bytes: saved frames keep theirs encoded, and those are no builtins.
        """
        begun = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        begun.commit = state.commit
        for field in State.__struct_fields__:
            setattr(state, field, getattr(begun, field))
