"""Whether play waits: a dispute pauses it where the game's options say so."""

from __future__ import annotations

from domain.facts.state import State


def paused(state: State) -> bool:
    """Whether play must wait until a dispute is decided."""
    return state.desk is not None and any(one.pauses and not one.outcome for one in state.desk.disputes)
