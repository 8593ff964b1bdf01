"""Monsters in their turn: who can still act."""

from __future__ import annotations

from domain.state import State


def next_to_act(state: State) -> list[str]:
    """Monsters that can act in the current monsters' turn: not stunned, not finished (2E-MON-001)."""
    return [name for name, one in state.monsters.items() if not one.stunned and name not in state.turn.finished]
