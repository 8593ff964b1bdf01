"""Ways on foot: which rooms can be entered from a room, and how far others are."""

from collections import deque
from collections.abc import Collection, Iterator

from domain.facts.grid import opposite, part_of
from domain.facts.pieces import Link, Room
from domain.facts.state import State


def ways(state: State, room: Room, part: int, *, monster: bool = False) -> Iterator[tuple[str, int]]:
    """Rooms and parts that can be entered from (a part of) a room for one space: doors first, then other links.

    Doors that meet no door lead nowhere (2E-DOOR-006); a way through a barrier is not a step but a crossing (2E-ROOM-005).
    """
    rooms = state.rooms
    doors = room.parts[part] if room.parts and not (room.opened or monster) else 15
    for direction, near in enumerate(room.near):
        if near and doors >> direction & 1:
            other = rooms[near]
            yield near, part_of(other, opposite(direction)) if other.parts else 0
    for link in state.links.get(room.id, ()):
        if link.to not in rooms or (link.explorers_only if monster else link.monsters_only):
            continue
        if monster or part in _ends(state, link, room):
            yield link.to, _ends(state, link, rooms[link.to])[0]


def _ends(state: State, link: Link, room: Room) -> list[int]:
    """The parts of a room that a link touches: the part with the token that makes it (2E-ROOM-014), or all."""
    if not room.divided:
        return [0]
    lying = [here.part for here in state.tokens if here.room == room.id and link.by == f"token:{here.token}"]
    return lying or [0, 1]


def distances(state: State, start: str, *, monster: bool = True, within: int | None = None) -> dict[str, int]:
    """Spaces from a room to every room that can be reached, or to those within so many; barriers, stops and opponents do not count."""
    reach = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if reach[here] == within:
            break
        for there in _next_to(state, state.rooms[here], monster=monster):
            if there not in reach:
                reach[there] = reach[here] + 1
                queue.append(there)
    return reach


def _next_to(state: State, room: Room, *, monster: bool) -> Iterator[str]:
    """Rooms one space away from a room, from whichever part of it."""
    sides = (0, 1) if room.divided and not monster else (0,)
    return (there for side in sides for there, _ in ways(state, room, side, monster=monster))


def reaches(state: State, start: str, goals: Collection[str]) -> bool:
    """Whether a monster in `start` can get to one of these rooms, however long it takes."""
    seen = {start}
    queue = [start]
    while queue:
        here = queue.pop()
        if here in goals:
            return True
        for there, _part in ways(state, state.rooms[here], 0, monster=True):
            if there not in seen:
                seen.add(there)
                queue.append(there)
    return False


def steps_toward(state: State, start: str, goal: str, *, part: int = 0, monster: bool = True) -> list[str]:
    """The neighbors of (a part of) `start` on a shortest way to `goal`; empty where there is none or it is reached."""
    back = _distances_to(state, goal, monster=monster)
    if start == goal or start not in back:
        return []
    steps = [
        there
        for there, _ in ways(state, state.rooms[start], part, monster=monster)
        if back.get(there, 99) < back[start]
    ]
    return list(dict.fromkeys(steps))


def _distances_to(state: State, goal: str, *, monster: bool) -> dict[str, int]:
    """Spaces from every room to `goal`, one-way links taken in their direction; barriers do not count."""
    into: dict[str, list[str]] = {}
    for room in state.rooms.values():
        for there in _next_to(state, room, monster=monster):
            into.setdefault(there, []).append(room.id)
    reach = {goal: 0}
    queue = deque([goal])
    while queue:
        here = queue.popleft()
        for there in into.get(here, ()):
            if there not in reach:
                reach[there] = reach[here] + 1
                queue.append(there)
    return reach
