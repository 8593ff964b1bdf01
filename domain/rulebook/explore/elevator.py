"""A tile that moves, with everything on it (Mystic Elevator, What the...?)."""

from __future__ import annotations

from typing import NotRequired

from content.vocabulary.base import FLOORS
from content.vocabulary.pack import Tile
from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import Fizzled, RuleApplied, TileMoved
from domain.facts.grid import without
from domain.facts.state import Figure, State
from domain.house.placing import Placement, Spot, beyond, doorways, each_once, laid, most_doors, rotations, seals
from domain.queries.characters import room_of


def goals(state: State, tile: Tile, floor: str) -> list[Placement]:
    """Where the tile may go: a free doorway of the floor, such that neither floor is sealed off (2E-ROOM-037)."""
    room = state.rooms[tile.id]
    floors = list(FLOORS) if floor == "any" else [floor]
    here = (room.floor, room.x, room.y)
    rest = without(state, tile.id)
    if not doorways(rest, room.floor):
        floors = [room.floor]
    found: list[Placement] = []
    for each in floors:
        doors = doorways(rest, each)
        cells = [beyond(neighbor, way) for neighbor, way in doors]
        last = len(set(cells)) == 1  # else nothing can seal the floor
        for (neighbor, way), there in zip(doors, cells, strict=True):
            if there != here:
                joined = rotations(tile, neighbor, way)
                found += most_doors(rest, [one for one in joined if not (last and seals(rest, one))])
    return each_once(found)


def _wherever(state: State, tile: Tile, floor: str) -> list[Placement]:
    """Goals on the floor; `own-first`: on the tile's own, or, if there are none, on the others for which it is made."""
    if floor != "own-first":
        return goals(state, tile, floor)
    room = state.rooms[tile.id]
    if room.start:
        return []
    others = [one for one in FLOORS if one in tile.floors and one != room.floor]
    return goals(state, tile, room.floor) or [goal for one in others for goal in goals(state, tile, one)]


def _sealing(m: Machine, tile: Tile, floor: str) -> bool:
    """Whether it must stay: it could be joined, but that or its leaving would seal a floor off."""
    rest = without(m.state, tile.id)
    return floor != m.state.rooms[tile.id].floor and any(
        rotations(tile, neighbor, direction) for neighbor, direction in doorways(rest, floor)
    )


class MovingTile(Waiting):
    """Bindings of `move-tile`."""

    figure: Figure
    tile: str
    floor: str
    """A floor, `any`, or `own-first`."""
    must: NotRequired[bool]
    """It may not stay where it is."""
    chooser: NotRequired[Figure]
    """Who picks the doorway, where it is not the figure."""
    options: list[str]
    spot: str


def choose_goal(m: Machine, f: Frame[MovingTile]) -> bool | None:
    """The explorer on the tile, or whoever moves it, picks among the connecting doors (2E-ROOM-028); without any it stays (2E-ROOM-029)."""
    tile = m.rules.tile(m.state, f.vars["tile"])
    if "asked" not in f.vars:
        if tile.id not in m.state.rooms or room_of(m.state, f.vars["figure"]).id != tile.id:
            m.emit(Fizzled(what="move-tile"))
            f.finish()
            return None
        found = _wherever(m.state, tile, f.vars["floor"])
        stays = not f.vars.get("must") and f.vars["floor"] in (m.state.rooms[tile.id].floor, "any")
        f.vars["options"] = [one.spot.key() for one in found] + (["stay"] if stays and found else [])
    if not f.vars["options"]:
        sealing = _sealing(m, tile, f.vars["floor"])
        rule = m.rules.cite.ride_would_seal if sealing else m.rules.cite.tile_stays
        m.emit(Fizzled(what="move-tile", rule=rule))
        f.finish()
        return None
    seat = m.rules.controller(m.state, f.vars.get("chooser", f.vars["figure"]))
    rule = m.rules.cite.same_floor if m.state.rooms[tile.id].floor == f.vars["floor"] else ""
    chosen = m.choose(f, seat, f"move-tile:{tile.id}", f.vars["options"], rule=rule)
    if chosen is None:
        return WAIT
    if chosen == "stay":
        f.finish()
    f.vars["spot"] = chosen
    return None


def ride(m: Machine, f: Frame[MovingTile]) -> None:
    """The tile has moved; tokens ride along (2E-ROOM-036)."""
    tile = m.rules.tile(m.state, f.vars["tile"])
    spot = Spot.of(f.vars["spot"])
    placement = laid(tile, spot)
    m.emit(
        TileMoved(
            tile=tile.id,
            floor=spot.floor,
            x=spot.x,
            y=spot.y,
            turns=spot.turns,
            doors=placement.doors,
            windows=placement.windows,
            parts=placement.parts,
            rule=m.rules.cite.card_precedence,
        )
    )
    if any(here.room == tile.id for here in m.state.tokens):
        m.emit(RuleApplied(source=f"tile:{tile.id}", rule=m.rules.cite.tokens_ride))


MOVE_TILE = procedure("move-tile", choose_goal, ride)
