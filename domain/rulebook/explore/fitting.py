"""Where a tile that was turned up may go: at a doorway, at any doorway of its floors, or behind a wall (2E-DISC-006, 2E-DISC-009)."""

from __future__ import annotations

from typing import Any

from domain.engine.machine import Machine
from domain.house.placing import (
    Placement,
    behind,
    beyond,
    doorways,
    each_once,
    most_doors,
    open_elsewhere,
    rotations,
    seals,
)


def behind_wall(m: Machine, face: str, cell: list[Any]) -> tuple[list[Placement], bool]:
    """All legal placements of a tile on a cell that no doorway leads to, and whether some would seal the floor off."""
    floor, x, y = cell
    found = behind(m.rules.tile(m.state, face), floor, x, y)
    open_ones = [one for one in found if not seals(m.state, one)] if more_tiles(m, floor, besides=face) else found
    best = most_doors(m.state, open_ones) if m.rules.edition.exploration.most_doors else open_ones
    return best, len(open_ones) < len(found)


def legal_placements(
    m: Machine, face: str, floor: str, door: list[object] | None, *, may_seal: bool = False
) -> tuple[list[Placement], bool]:
    """All legal placements of a tile at one doorway, or at any free doorway of its floors.

    Also tells whether others were left out because they would seal the floor off (2E-DISC-009).
    """
    tile, state = m.rules.tile(m.state, face), m.state
    if door is not None:
        doors = [(state.rooms[str(door[0])], int(str(door[1])))]
    else:
        floors = tile.floors if floor == "any" else [floor]
        doors = [one for each in floors for one in doorways(state, each)]
    found: list[Placement] = []
    thinned = False
    for room, direction in doors:
        joined = rotations(tile, room, direction)
        may_close = may_seal or open_elsewhere(state, beyond(room, direction))
        if not may_close and more_tiles(m, room.floor, besides=face):
            unsealed = [placement for placement in joined if not seals(state, placement)]
            thinned = thinned or len(unsealed) < len(joined)
            joined = unsealed
        found += most_doors(state, joined) if m.rules.edition.exploration.most_doors else joined
    return each_once(found), thinned


def more_tiles(m: Machine, floor: str, *, besides: str) -> bool:
    """Whether a further tile could come to the floor: else the ban on sealing lapses (2E-DISC-009, ruling), where it ever does."""
    if not m.rules.edition.exploration.may_seal_at_last:
        return True
    placed = m.state.rooms
    return any(tile != besides and tile not in placed for tile in m.rules.pack.tiles_for[floor])
