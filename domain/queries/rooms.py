"""Rooms that a place of the vocabulary can mean: one filter for each key."""

from __future__ import annotations

from content.vocabulary.values import Rooms
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.grid import neighbor, next_door, open_windows
from domain.facts.pieces import Room
from domain.facts.state import Figure, State, is_explorer
from domain.house.paths import distances
from domain.house.sight import in_sight
from domain.queries.whereabouts import your_place, your_room


def fitting(m: Glance, f: Frame, wanted: Rooms, found: list[Room]) -> list[str]:  # noqa: C901, PLR0912 -- one branch a key
    """Ids of the rooms that meet all conditions except on who is in them (`with`)."""
    state = m.state
    here = your_room(m, f)
    if wanted.one_of is not None:
        found = [room for room in found if room.id in wanted.one_of]
    if wanted.on is not None:
        found = [room for room in found if room.floor in wanted.on]
    if wanted.other_floor:
        found = [room for room in found if room.floor != here.floor]
    if wanted.lower_floor:
        order = ("basement", "ground", "upper")
        found = [room for room in found if order.index(room.floor) < order.index(here.floor)]
    if wanted.adjacent:
        beside = {neighbor(state.grid, here, direction) for direction in range(4)}
        found = [room for room in found if room.id in beside]
    if wanted.connected:
        linked = _connected(state, here, f.vars["you"])
        found = [room for room in found if room.id in linked]
    if wanted.next_door:
        beside = set(next_door(here, your_place(m, f)[1]))
        found = [room for room in found if room.id in beside]
    if wanted.besides_here:
        found = [room for room in found if room.id != here.id]
    if wanted.with_token is not None:
        having = {lies.room for lies in state.tokens if lies.token == wanted.with_token}
        found = [room for room in found if room.id in having]
    if wanted.without_token is not None:
        having = {lies.room for lies in state.tokens if lies.token == wanted.without_token}
        found = [room for room in found if room.id not in having]
    if wanted.next_to_token is not None:
        lying = [lies for lies in state.tokens if lies.token == wanted.next_to_token]
        beside = {room for lies in lying for room in next_door(state.rooms[lies.room], lies.part)}
        found = [room for room in found if room.id in beside]
    tiles = m.rules.pack.tiles
    if wanted.symbol is not None:
        found = [room for room in found if wanted.symbol in tiles[room.id].symbols]
    if wanted.outside is not None:
        found = [room for room in found if tiles[room.id].outside == wanted.outside]
    if wanted.window is not None:
        found = [room for room in found if bool(open_windows(state.grid, room)) == wanted.window]
    if wanted.within is not None:
        reach = distances(state, here.id, monster=not is_explorer(f.vars["you"]), within=wanted.within)
        found = [room for room in found if room.id in reach]
    if wanted.in_sight:
        seen = in_sight(state, here.id, blocked=opaque_rooms(m.rules, state))
        found = [room for room in found if room.id in seen]
    if wanted.discovered_since_haunt is not None:
        found = [room for room in found if room.in_haunt == wanted.discovered_since_haunt]
    if wanted.or_here and here not in found:
        found.append(here)
    return [room.id for room in found]


def _connected(state: State, here: Room, figure: Figure) -> set[str]:
    """Rooms that a character reaches from a room through one door or connection: some of these are for monsters, or explorers, alone."""
    monster = not is_explorer(figure)
    links = [one for one in state.links.get(here.id, ()) if not (one.explorers_only if monster else one.monsters_only)]
    return {*here.near, *(one.to for one in links)}


def opaque_rooms(rules: Rules, state: State) -> list[str]:
    """Rooms that can't be looked into or through."""
    return [lies.room for lies in state.tokens if lies.token in rules.pack.opaque]
