"""Cells, rotation, and the joining of doors: what is where and which doors meet (2E-DOOR-001, 2E-DOOR-006)."""

from collections.abc import Iterable
from functools import lru_cache

from domain.facts.pieces import Room, relaid
from domain.facts.state import State

DIRECTIONS = ("north", "east", "south", "west")
BIT = {side: 1 << direction for direction, side in enumerate(DIRECTIONS)}
SIDES = [tuple(side for side in DIRECTIONS if mask & BIT[side]) for mask in range(16)]
"""By door mask: its compass words."""
STEP = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""By direction: the change of x and y; north is +y."""
CELLS_KEPT = 4096
"""Keys of cells that are cached."""


@lru_cache(maxsize=CELLS_KEPT)
def cell(floor: str, x: int, y: int) -> str:
    """The key of a cell in `State.grid`."""
    return f"{floor}:{x}:{y}"


def mask_of(sides: Iterable[str]) -> int:
    """A door mask from compass words."""
    mask = 0
    for side in sides:
        mask |= BIT[side]
    return mask


def turned(mask: int, turns: int) -> int:
    """A door mask after `turns` quarter turns clockwise."""
    return ((mask << turns) | (mask >> (4 - turns))) & 15


def opposite(direction: int) -> int:
    """The direction back."""
    return (direction + 2) % 4


def neighbor(grid: dict[str, str], room: Room, direction: int) -> str:
    """The room on the next cell in a direction, doors or not; empty where there is none (2E-MOVE-007)."""
    dx, dy = STEP[direction]
    return grid.get(cell(room.floor, room.x + dx, room.y + dy), "")


def join(rooms: dict[str, Room], grid: dict[str, str], room: Room) -> None:
    """Put a room on its cell and connect the doors that meet, on both sides."""
    near = ["", "", "", ""]
    for direction in range(4):
        if not room.doors >> direction & 1:
            continue
        other, back = rooms.get(neighbor(grid, room, direction)), opposite(direction)
        if other is not None and other.doors >> back & 1:
            near[direction] = other.id
            _connect(rooms, other, back, room.id)
    rooms[room.id] = relaid(room, near=tuple(near))
    grid[cell(room.floor, room.x, room.y)] = room.id


def detach(rooms: dict[str, Room], grid: dict[str, str], room: Room) -> None:
    """Take a room off its cell, so that no door leads to it any more."""
    for direction, near in enumerate(room.near):
        if near in rooms:
            _connect(rooms, rooms[near], opposite(direction), "")
    del grid[cell(room.floor, room.x, room.y)]


def _connect(rooms: dict[str, Room], room: Room, direction: int, there: str) -> None:
    near = (*room.near[:direction], there, *room.near[direction + 1 :])
    rooms[room.id] = relaid(room, near=near)


def without(state: State, tile: str) -> State:
    """Only the house, without one tile: to try where else it could go. The state itself doesn't change."""
    rest = State(rooms=dict(state.rooms), grid=dict(state.grid))
    detach(rest.rooms, rest.grid, rest.rooms.pop(tile))
    return rest


def free_doors(grid: dict[str, str], room: Room) -> int:
    """Mask of doorways behind which there is no room: where a tile could be joined (2E-DISC-001)."""
    free = 0
    for direction, near in enumerate(room.near):
        if not near and room.doors >> direction & 1 and not neighbor(grid, room, direction):
            free |= 1 << direction
    return free


def open_windows(grid: dict[str, str], room: Room) -> int:
    """Mask of windows that don't count as false features: no tile is in front of them (2E-DOOR-012)."""
    return sum(
        1 << direction
        for direction in range(4)
        if room.windows >> direction & 1 and not neighbor(grid, room, direction)
    )


def next_door(room: Room, part: int) -> list[str]:
    """The rooms behind the doors of (a part of) a room."""
    doors = room.parts[part] if room.divided else 15
    return [near for direction, near in enumerate(room.near) if near and doors >> direction & 1]


def part_of(room: Room, direction: int) -> int:
    """The part of a barrier room that a door belongs to; 0 in any other room."""
    for part, doors in enumerate(room.parts):
        if doors >> direction & 1:
            return part
    return 0
