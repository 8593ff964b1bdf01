"""Discovery: through a doorway behind which there is no room yet (rulebook: Discover a New Room)."""

from __future__ import annotations

from typing import NotRequired

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.commands import Explore
from domain.facts.events import (
    Fizzled,
)
from domain.facts.grid import DIRECTIONS, SIDES, free_doors
from domain.facts.pieces import Room
from domain.facts.refusal import Refused
from domain.facts.state import Figure, State
from domain.rulebook.explore.moving import check_movement, gone, slowed_rule
from domain.rulebook.explore.rearranging import sealed, stuck
from domain.rulebook.table.triggers import fire


def open_doors(rules: Rules, state: State, figure: Figure) -> list[str]:
    """Doors of the character's room (and part) through which it could discover with its next step."""
    name, part = state.stands_at(figure)
    room = state.rooms[name]
    found = _free(state, room, part)
    if not found or not tiles_left(rules, state, room.floor):
        return []
    if len(found) == 1 and sealed(rules, state, room, DIRECTIONS.index(found[0])):
        return []  # of several doorways each leaves another one open
    return found


def _free(state: State, room: Room, part: int) -> list[str]:
    """Free doorways of (a part of) a room."""
    return [*SIDES[free_doors(state.grid, room) & (room.parts[part] if room.divided else 15)]]


def tiles_left(rules: Rules, state: State, floor: str) -> bool:
    """Whether any tile for the floor is not in the house yet: everybody can see which are (2E-DISC-013)."""
    placed = state.rooms
    return any(tile not in placed for tile in rules.pack.tiles_for[floor])


def check_explore(rules: Rules, state: State, command: Explore, figure: Figure) -> int:
    """The spaces of movement that the command costs.

    Raises:
        Refused: no free doorway there, no tile left for the floor, or no movement.
    """
    name, part = state.stands_at(figure)
    room = state.rooms[name]
    if command.door not in _free(state, room, part):
        rule = _no_doorway(rules, room, DIRECTIONS.index(command.door))
        raise Refused(f"there is no free doorway to the {command.door} of {{}}", f"tile:{room.id}", rule=rule)
    cost = check_movement(rules, state, figure)
    if not tiles_left(rules, state, room.floor):
        raise Refused("no tiles are left for the {}", f"floor:{room.floor}", rule=rules.cite.no_tiles)
    if sealed(rules, state, room, DIRECTIONS.index(command.door)):
        sealing = "every tile left in the stack would seal off the {}"
        raise Refused(sealing, f"floor:{room.floor}", rule=rules.cite.no_tiles)
    return cost


def _no_doorway(rules: Rules, room: Room, direction: int) -> str:
    """Which rule bars going out there."""
    start = rules.pack.tiles[room.id].start
    if start is not None and start.front_door == DIRECTIONS[direction]:
        return rules.cite.front_door
    if room.windows >> direction & 1:
        return rules.cite.windows
    if room.doors >> direction & 1 and not room.near[direction]:
        return rules.cite.barrier if room.divided else rules.cite.false_door
    return rules.cite.discover


def perform_explore(m: Machine, command: Explore, figure: Figure) -> None:
    """Go through the doorway."""
    spent = check_explore(m.rules, m.state, command, figure)
    room, _part = m.state.stands_at(figure)
    known = {"rule": slowed_rule(m.rules, m.state, figure, spent)} if spent > 1 else {}
    m.call("explore", figure=figure, room=room, direction=DIRECTIONS.index(command.door), spent=spent, **known)


# -- explore: through a doorway on foot -------------------------------------------------------------------------------------


class Exploring(Waiting):
    """Bindings of `explore`."""

    figure: Figure
    room: str
    """The room that is left."""
    direction: int
    spent: int
    rule: NotRequired[str]
    stuck: NotRequired[bool]
    """The floor had to be laid out anew."""
    stays: NotRequired[bool]
    placed: NotRequired[str]


def lay_anew(m: Machine, f: Frame[Exploring]) -> None:
    """Where every tile left would seal the floor off, it is laid out anew first (2E-DISC-011)."""
    room = m.state.rooms[f.vars["room"]]
    f.vars["stuck"] = stuck(m.rules, m.state, room, f.vars["direction"])
    if f.vars["stuck"]:
        explored = {} if m.rules.edition.exploration.may_seal_at_last else {"room": room.id}
        m.call("rearrange", figure=f.vars["figure"], floor=room.floor, **explored)


def set_out(m: Machine, f: Frame[Exploring]) -> bool | None:
    """The text of the room that is left takes effect, however one leaves.

    After laying the floor anew the discovery goes on through any free doorway of the room, and lapses if there is none (2E-DISC-011, ruling).
    """
    if f.vars["stuck"]:
        doors = open_doors(m.rules, m.state, f.vars["figure"])
        if not doors:
            m.emit(Fizzled(what="discovery", rule=m.rules.cite.rearrange))
            f.finish()
            return None
        seat = m.rules.controller(m.state, f.vars["figure"])
        chosen = m.choose(f, seat, f"doorway:{f.vars['room']}", doors, rule=m.rules.cite.rearrange)
        if chosen is None:
            return WAIT
        f.vars["direction"] = DIRECTIONS.index(chosen)
    fire(m, f"tile:{f.vars['room']}", "left", f.vars["figure"], by_choice=True)
    return None


def find_tile(m: Machine, f: Frame[Exploring]) -> None:
    """A tile for this doorway, unless the explorer has stayed."""
    if gone(m.state, f.vars["figure"]) or f.vars.get("stays"):
        f.finish()
        return
    floor = m.state.rooms[f.vars["room"]].floor
    door = [f.vars["room"], f.vars["direction"]]
    may_seal = stuck(m.rules, m.state, m.state.rooms[f.vars["room"]], f.vars["direction"])
    m.call("place-tile", figure=f.vars["figure"], floor=floor, tile="", door=door, may_seal=may_seal)


def enter(m: Machine, f: Frame[Exploring]) -> None:
    """The explorer is in the new room and has discovered it (2E-DISC-005), for one space (2E-MOVE-002)."""
    placed = f.vars.get("placed", "")
    if not placed:
        return
    room = m.state.rooms[placed]
    direction = f.vars["direction"]
    part = next((at for at, doors in enumerate(room.parts) if doors >> (direction + 2) % 4 & 1), 0)
    m.call(
        "walk",
        figure=f.vars["figure"],
        room=placed,
        part=part,
        spent=f.vars["spent"],
        discovered=True,
        left=True,
        rule=f.vars.get("rule") or _entering(m, placed),
    )


def _entering(m: Machine, room: str) -> str:
    """The rule behind entering a room that was discovered: as in exploration, movement going on if there is no card."""
    cite = m.rules.cite
    if m.state.haunt is not None:
        return cite.still_explorers or cite.step
    return (cite.discovered if m.rules.pack.tiles[room].symbols else cite.no_card) or cite.step


EXPLORE = procedure("explore", lay_anew, set_out, find_tile, enter)
