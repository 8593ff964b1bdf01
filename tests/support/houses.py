"""Houses of any shape, for laws: built tile by tile at free doorways, as play would build them, from drawn numbers."""

import copy

from hypothesis import strategies as st

from domain.facts.grid import cell, join
from domain.facts.pieces import Room
from domain.facts.state import State
from domain.house.placing import Placement, doorways, rotations
from tests.support.packs import rules
from tests.support.table import Table

FLOORS = ("basement", "ground", "upper")


def start() -> State:
    """The house of a new game."""
    return copy.deepcopy(Table().state)


def put(state: State, tile: str, placement: Placement) -> Room:
    """Lay a tile."""
    spot = placement.spot
    room = Room(
        id=tile,
        floor=spot.floor,
        x=spot.x,
        y=spot.y,
        turns=spot.turns,
        doors=placement.doors,
        near=("", "", "", ""),
        windows=placement.windows,
        parts=tuple(placement.parts),
    )
    join(state.rooms, state.grid, room)
    return state.rooms[tile]


@st.composite
def houses(draw: st.DrawFn) -> State:
    """A house with up to a dozen tiles more than at the start; sealed floors are not avoided."""
    state = start()
    pack = rules("second-edition").pack
    order = draw(st.permutations(pack.decks["tiles"]))
    for tile in order[: draw(st.integers(0, 12))]:
        fits = [floor for floor in pack.tiles[tile].floors if doorways(state, floor)]
        if not fits:
            continue
        room, direction = draw(st.sampled_from(doorways(state, draw(st.sampled_from(fits)))))
        put(state, tile, draw(st.sampled_from(rotations(pack.tiles[tile], room, direction))))
    return state


def by_cells(state: State) -> dict[str, str]:
    """The rooms by cell, counted anew."""
    return {cell(room.floor, room.x, room.y): room.id for room in state.rooms.values()}
