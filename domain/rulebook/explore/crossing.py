"""Barriers: crossing from one part of a room to the other (rulebook: Special Rooms)."""

from __future__ import annotations

from domain.engine.bindings import Waiting
from domain.engine.block import Frame, procedure
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.commands import Cross
from domain.facts.events import Moved, Stopped, Used
from domain.facts.refusal import Refused
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import is_kind
from domain.rulebook.explore.moving import come_to, gone, movement_over
from domain.rulebook.table.hiding import goes_unseen, hide, hides


def no_crossing(rules: Rules, state: State, figure: Figure) -> Refused | None:
    """Why the character can't cross now: no barrier here, a locked door, its one roll made (2E-ROOM-006), or no movement."""
    cite, (room, _part) = rules.cite, state.stands_at(figure)
    if not state.rooms[room].parts:
        return Refused("there is no barrier here", rule=cite.barrier, problem="no-barrier")
    if not is_explorer(figure):
        return None
    if room in rules.pack.locked and not state.rooms[room].opened:
        rule = cite.locked_door if is_kind(state, figure, "revealed-traitor") else cite.barrier
        return Refused("the door is locked: open it first", rule=rule)
    if rolls_to_cross(state, figure) and f"tile:{room}#CROSS@{figure}" in state.used:
        return Refused("you have already tried to cross this turn", rule=cite.barrier_once)
    explorer = state.explorers[figure]
    if explorer.stopped or explorer.held is not None:
        return movement_over(rules)
    return None


def rolls_to_cross(state: State, figure: Figure) -> bool:
    """Whether a character needs a roll: monsters and the revealed traitor don't, nor does anybody once the barrier is open."""
    if not is_explorer(figure) or state.rooms[state.stands_at(figure)[0]].opened:
        return False
    return not is_kind(state, figure, "revealed-traitor")


def perform_cross(m: Machine, _command: Cross, figure: Figure) -> None:
    """Cross: free for traitor and monsters, by a trait roll for all others.

    Raises:
        Refused: see `no_crossing`.
    """
    if refused := no_crossing(m.rules, m.state, figure):
        raise refused
    m.call("cross", figure=figure)


class Crossing(Waiting):
    """Bindings of `cross`."""

    figure: Figure
    room: str
    roll: int


def attempt(m: Machine, f: Frame[Crossing]) -> None:
    """The trait roll on the tile (2E-ROOM-005), one in a turn (2E-ROOM-006)."""
    figure = f.vars["figure"]
    room, _part = m.state.stands_at(figure)
    f.vars["room"] = room
    barrier = m.rules.pack.tiles[room].barrier
    if barrier is None or not is_explorer(figure) or not rolls_to_cross(m.state, figure):
        f.vars["roll"] = 99
        return
    cite = m.rules.cite
    rule = cite.crossing_again if _failure(room, figure) in m.state.ever else cite.barrier_once
    m.emit(Used(key=f"tile:{room}#CROSS@{figure}", per="turn", seat=figure, rule=rule))
    m.call("roll", who=figure, kind="trait", trait=barrier.trait, about=f"tile/{room}#cross")


def succeed(m: Machine, f: Frame[Crossing]) -> None:
    """Across without using a space (2E-ROOM-007), or stopped (2E-ROOM-008)."""
    figure, room = f.vars["figure"], f.vars["room"]
    barrier = m.rules.pack.tiles[room].barrier
    if gone(m.state, figure) or barrier is None:
        return
    cite = m.rules.cite
    if f.vars["roll"] >= m.rules.to_cross(m.state, barrier):
        who = m.state.explorers[figure] if is_explorer(figure) else m.state.monsters[figure]
        opened = m.state.rooms[room].opened
        rule = cite.door_open if opened else cite.crossing_free if is_explorer(figure) else cite.monster_crosses
        if goes_unseen(figure, m.rules, m.state):
            hide(
                m,
                figure,
                room,
                1 - (m.state.monsters[figure].lair_part if hides(figure, m.state) else who.part),
                rule=rule,
            )
            return
        m.emit(Moved(figure=figure, room=room, part=1 - who.part, rule=rule))
        if not opened:
            come_to(m, figure)
        return
    m.emit(Stopped(figure=figure, rule=m.rules.cite.crossing_failed))
    if is_explorer(figure) and _failure(room, figure) not in m.state.ever:
        m.emit(Used(key=_failure(room, figure), per="game", seat=figure, rule=m.rules.cite.crossing_failed))


def _failure(room: str, figure: Figure) -> str:
    """The key under which it is remembered that a character failed to cross a barrier: it may try again (2E-ROOM-009)."""
    return f"tile:{room}#FAILED@{figure}"


CROSS = procedure("cross", attempt, succeed)
