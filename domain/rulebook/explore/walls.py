"""Through a wall without exit: the room behind it, or a new one there (Revolving Wall)."""

from __future__ import annotations

from typing import NotRequired

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.grid import DIRECTIONS, STEP, cell
from domain.facts.pieces import Room
from domain.facts.state import Figure, State

CORNERS = {f"{DIRECTIONS[one]}-{DIRECTIONS[two]}": (one, two) for one in (0, 2) for two in (1, 3)}
"""By name (`north-east`): the two directions of a corner."""


def walls(rules: Rules, state: State, room: Room, *, corners: bool) -> dict[str, tuple[int, int]]:
    """Walls without exit, and perhaps the corners, by name, with the cell behind; only where a room is or could come."""
    start = rules.pack.tiles[room.id].start
    front = "" if start is None else start.front_door
    found = {
        side: (room.x + STEP[direction][0], room.y + STEP[direction][1])
        for direction, side in enumerate(DIRECTIONS)
        if not room.doors >> direction & 1 and side != front
    }
    if corners:
        for name, (one, two) in CORNERS.items():
            found[name] = room.x + STEP[one][0] + STEP[two][0], room.y + STEP[one][1] + STEP[two][1]
    left = any(tile not in state.rooms for tile in rules.pack.tiles_for[room.floor])
    return {name: (x, y) for name, (x, y) in found.items() if left or cell(room.floor, x, y) in state.grid}


class BreakingWall(Waiting):
    """Bindings of `break-wall`."""

    figure: Figure
    corners: bool
    placed: NotRequired[str]


def choose_wall(m: Machine, f: Frame[BreakingWall]) -> bool | None:
    """`you` say which wall it is; a room that is already behind it is the one found."""
    room = m.state.rooms[m.state.stands_at(f.vars["figure"])[0]]
    found = walls(m.rules, m.state, room, corners=f.vars["corners"])
    if not found:
        f.finish()
        return None
    chosen = m.choose(f, m.rules.controller(m.state, f.vars["figure"]), f"wall:{room.id}", list(found))
    if chosen is None:
        return WAIT
    x, y = found[chosen]
    there = m.state.grid.get(cell(room.floor, x, y), "")
    if there:
        m.give("placed", there)
        f.finish()
        return None
    m.call("place-tile", figure=f.vars["figure"], floor=room.floor, tile="", cell=[room.floor, x, y])
    return None


def found_new(m: Machine, f: Frame[BreakingWall]) -> None:
    """A tile was placed: whoever enters discovers it (2E-CARD-009)."""
    if f.vars.get("placed"):
        m.give("undiscovered", f.vars["placed"])
        m.give("placed", f.vars["placed"])


BREAK_WALL = procedure("break-wall", choose_wall, found_new)
