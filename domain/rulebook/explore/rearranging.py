"""Laying out a floor anew when every tile that is left would seal it off (2E-DISC-011).

Which tiles are left is public, so it is known before any tile is turned up that this is necessary.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NotRequired

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.events import Fizzled, TileMoved
from domain.facts.grid import free_doors, join, without
from domain.facts.ids import split_id
from domain.facts.pieces import Room
from domain.facts.state import Figure, State
from domain.house.placing import Placement, Spot, beyond, doorways, laid, open_elsewhere, rotations, seals


def stuck(rules: Rules, state: State, room: Room, direction: int) -> bool:
    """Whether this is the floor's last doorway and no tile that is left can be joined to it without sealing the floor off."""
    if open_elsewhere(state, beyond(room, direction)):
        return False
    left = [tile for tile in rules.pack.tiles_for[room.floor] if tile not in state.rooms]
    if len(left) <= rules.edition.exploration.may_seal_at_last:
        return False  # the last tile may seal: no further room could be joined anyway (2E-DISC-009, ruling)
    return all(
        seals(state, placement) for tile in left for placement in rotations(rules.tile(state, tile), room, direction)
    )


def sealed(rules: Rules, state: State, room: Room, direction: int) -> bool:
    """Whether nothing can be discovered through this doorway, even after laying the floor out anew (3E-TILE-014, ruling)."""
    if rules.edition.exploration.may_seal_at_last or not stuck(rules, state, room, direction):
        return False
    return not layouts(rules, state, room.floor, room.id)


def layouts(rules: Rules, state: State, floor: str, explored: str = "") -> list[tuple[str, Placement]]:
    """Every way to move one tile of the floor such that it has more free doorways and all its rooms are still reachable.

    If `explored` names a room, a tile must then fit at a doorway of that room.

    What was joined by doors stays joined by doors, and a room that is reached through a Revolving Wall or a passage alone
    stays reachable by that. The starting tiles never move (2E-DISC-011, ruling).
    """
    before = len(doorways(state, floor))
    joined = _by_doors(state, floor)
    reached = _by_any_way(rules, state, state)
    found: list[tuple[str, Placement]] = []
    for name in [room.id for room in state.rooms.values() if room.floor == floor and not room.start]:
        tile = rules.tile(state, name)
        rest = without(state, name)
        seen: list[Spot] = []
        for room, direction in doorways(rest, floor):
            for placement in rotations(tile, room, direction):
                if placement.spot in seen:
                    continue
                seen.append(placement.spot)
                trial = _lying(state, name, placement)
                if (
                    len(doorways(trial, floor)) > before
                    and joined <= _by_doors(trial, floor)
                    and reached <= _by_any_way(rules, state, trial)
                    and (not explored or _goes_on(rules, trial, explored))
                ):
                    found.append((name, placement))
    return found


def _goes_on(rules: Rules, house: State, room_id: str) -> bool:
    """Whether a tile can be joined to a doorway of the room without sealing the floor off."""
    room = house.rooms[room_id]
    free = free_doors(house.grid, room)
    return any(free >> direction & 1 and not stuck(rules, house, room, direction) for direction in range(4))


def _lying(state: State, name: str, placement: Placement) -> State:
    """The house with the tile there."""
    trial = without(state, name)
    trial.options = state.options  # doors may depend on the table's rulings
    spot = placement.spot
    join(
        trial.rooms,
        trial.grid,
        Room(
            id=name,
            floor=spot.floor,
            x=spot.x,
            y=spot.y,
            turns=spot.turns,
            doors=placement.doors,
            near=("", "", "", ""),
            parts=tuple(placement.parts),
        ),
    )
    return trial


def _by_doors(house: State, floor: str) -> set[str]:
    """Rooms that can be reached by doors from the starting tiles of a floor."""
    begin = [room.id for room in house.rooms.values() if room.start and room.floor == floor]
    return _spread(begin, lambda room: house.rooms[room].near)


def _by_any_way(rules: Rules, state: State, house: State) -> set[str]:
    """Rooms that can be reached from the starting tiles of all floors, also by tokens and tiles; tokens stay on their tiles."""
    through = [here for here in state.tokens if here.token in rules.pack.passed_through]

    def ways(room: str) -> list[str]:
        links = [link.to for link in state.links.get(room, ()) if not link.monsters_only]
        kinds = {here.token for here in through if here.room == room}
        return [*house.rooms[room].near, *links, *(here.room for here in through if here.token in kinds)]

    return _spread([room.id for room in house.rooms.values() if room.start], ways)


def _spread(begin: list[str], ways: Callable[[str], Sequence[str]]) -> set[str]:
    """All rooms reachable from these."""
    reached = set(begin)
    queue = deque(begin)
    while queue:
        for near in ways(queue.popleft()):
            if near and near not in reached:
                reached.add(near)
                queue.append(near)
    return reached


class Rearranging(Waiting):
    """Bindings of `rearrange`."""

    figure: Figure
    floor: str
    room: NotRequired[str]
    """The room whose doorway is to be explored, where it matters which has one."""
    options: list[str]
    """Tile and spot: `attic:upper:1:2@0`."""
    chosen: str


def offer(m: Machine, f: Frame[Rearranging]) -> bool | None:
    """The active player says how: one tile at a time, until a further room can be joined."""
    if "asked" not in f.vars:
        found = layouts(m.rules, m.state, f.vars["floor"], f.vars.get("room", ""))
        f.vars["options"] = [f"{name}:{placement.spot.key()}" for name, placement in found]
        if not found:
            m.emit(Fizzled(what="rearrange", rule=m.rules.cite.rearrange))
            f.finish()
            return None
    seat = m.rules.controller(m.state, f.vars["figure"])
    chosen = m.choose(f, seat, f"rearrange:{f.vars['floor']}", f.vars["options"], rule=m.rules.cite.rearrange)
    if chosen is None:
        return WAIT
    f.vars["chosen"] = chosen
    return None


def relay(m: Machine, f: Frame[Rearranging]) -> None:
    """Move the tile, with everything on it."""
    name, place = split_id(f.vars["chosen"])
    spot = Spot.of(place)
    placement = laid(m.rules.tile(m.state, name), spot)
    m.emit(
        TileMoved(
            tile=name,
            floor=spot.floor,
            x=spot.x,
            y=spot.y,
            turns=spot.turns,
            doors=placement.doors,
            windows=placement.windows,
            parts=placement.parts,
            rule=m.rules.cite.rearrange,
        )
    )


REARRANGE = procedure("rearrange", offer, relay)
