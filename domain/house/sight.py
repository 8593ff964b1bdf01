"""Line of sight: an unbroken straight row of doors (2E-DIST-002)."""

from collections.abc import Iterable

from domain.facts.state import State


def in_sight(state: State, start: str, *, blocked: Iterable[str] = ()) -> list[str]:
    """Rooms in line of sight from a room, nearest first in each direction, the room itself not among them.

    `blocked` rooms (smoke) can't be looked into or through. Barriers, figures and length do not matter; stairs give no sight.
    """
    shut = frozenset(blocked)
    seen: list[str] = []
    if start in shut:
        return seen
    for direction in range(4):
        there = state.rooms[start].near[direction]
        while there and there not in shut:
            seen.append(there)
            there = state.rooms[there].near[direction]
    return seen
