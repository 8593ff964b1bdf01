"""The start and the end of the monsters' turn: recovering, movement rolls, and what befalls them (rulebook: The Haunt, Monsters)."""

from __future__ import annotations

from typing import NotRequired

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import (
    MonsterChosen,
    MonsterRecovered,
    MonstersRolled,
    Moved,
)
from domain.facts.state import NO_MONSTER, UNNAMED, MonsterId
from domain.rulebook.fight.monsters import can_act
from domain.rulebook.table.triggers import fire, fire_around


class MonstersBeginning(Waiting):
    """Bindings of `monsters-begin`."""

    kinds: NotRequired[list[str]]
    """Kinds that have rolled."""
    roll: NotRequired[int]


def wake(m: Machine, _f: Frame[MonstersBeginning]) -> None:
    """Where stunned monsters recover first, that is all that they do in this turn (3E-MON-006)."""
    if m.rules.edition.monsters.recover_first:
        for monster in list(m.state.monsters.values()):
            if monster.stunned:
                m.emit(MonsterRecovered(monster=monster.id, ends_turn=True, rule=m.rules.cite.recovery))


def roll_kind(m: Machine, f: Frame[MonstersBeginning]) -> None:
    """One movement roll for each kind with a monster that can move (2E-MON-002, 2E-MON-003)."""
    done = f.vars.setdefault("kinds", [])
    for monster in m.state.monsters.values():
        if monster.kind not in done and can_act(m.state, monster.id):
            done.append(monster.kind)
            m.call("roll", who=monster.id, kind="movement", trait="speed", about=f"monster/{monster.kind}")
            return
    f.goto("start_monsters")


def give_movement(m: Machine, f: Frame[MonstersBeginning]) -> None:
    """The sum is the movement of each of the kind, and never less than 1 (2E-PAST-004)."""
    kind = f.vars["kinds"][-1]
    names = [one.id for one in m.state.monsters.values() if one.kind == kind and can_act(m.state, one.id)]
    spaces = max(1, f.vars["roll"])
    cite = m.rules.cite
    rule = (
        cite.monster_minimum if f.vars["roll"] < 1 else cite.monster_movement if len(names) > 1 else cite.movement_dice
    )
    m.emit(MonstersRolled(kind=kind, monsters=names, spaces=spaces, rule=rule))
    f.goto("roll_kind")


def start_monsters(m: Machine, _f: Frame[MonstersBeginning]) -> None:
    """What affects monsters at the start of their turn where they are."""
    if m.rules.pack.reaching:
        for name in reversed(
            [one.id for one in m.state.monsters.values() if can_act(m.state, one.id) and not one.hides]
        ):
            fire_around(m, "turn-started", name)


MONSTERS_BEGIN = procedure("monsters-begin", wake, roll_kind, give_movement, start_monsters)


class MonstersEnding(Waiting):
    """Bindings of `monsters-end`."""

    ended: NotRequired[list[MonsterId]]


def end_monsters(m: Machine, f: Frame[MonstersEnding]) -> bool | None:
    """The traitor names the side of each that stopped in a barrier room (2E-ROOM-012); then texts of rooms (2E-MON-015)."""
    done = f.vars.setdefault("ended", [])
    for name, monster in m.state.monsters.items():
        if name in done or monster.hides:
            continue
        if monster.moved and m.state.rooms[monster.room].divided:
            seat, rule = m.rules.controller(m.state, name), m.rules.cite.monster_side
            chosen = m.choose(f, seat, f"part:{monster.room}", ["0", "1"], rule=rule)
            if chosen is None:
                return WAIT
            if int(chosen) != monster.part:
                m.emit(Moved(figure=name, room=monster.room, part=int(chosen), rule=rule))
        done.append(name)
        fire(m, f"tile:{monster.room}", "turn-ended", name)
        f.goto("end_monsters")
        return None
    return None


def recover(m: Machine, _f: Frame[MonstersEnding]) -> None:
    """The tokens of stunned monsters that missed this turn are turned back (2E-MON-005)."""
    turn = m.state.turn
    if turn.active:
        m.emit(MonsterChosen(monster=NO_MONSTER))
    if m.rules.edition.monsters.recover_first:
        return
    for monster in list(m.state.monsters.values()):
        if monster.stunned and monster.stunned_in_turn != turn.number:
            m.emit(MonsterRecovered(monster=monster.id, rule=m.rules.cite.recovery))


def monsters_done(m: Machine, _f: Frame[MonstersEnding]) -> None:
    """What the haunt does after the monsters' turn; `you` are the haunt revealer while the traitor is hidden."""
    haunt = m.state.haunt
    if haunt is not None:
        seat = m.rules.runs_monsters(m.state)
        fire(m, f"haunt:{haunt.id}", "monsters-ended", haunt.revealer if seat == UNNAMED else seat)


MONSTERS_END = procedure("monsters-end", end_monsters, recover, monsters_done)
