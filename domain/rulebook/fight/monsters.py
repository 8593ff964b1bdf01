"""What befalls monsters: they are stunned or killed, and act one after another."""

from __future__ import annotations

from domain.engine.machine import Machine
from domain.facts.events import Fizzled, MonsterKilled, MonsterParted, MonsterStunned, PileChanged
from domain.facts.state import MonsterId, State
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.table.triggers import fire


def stun(m: Machine, name: MonsterId, rule: str) -> None:
    """A monster is stunned and drops what it carries (2E-MON-019); being stunned again does not prolong it."""
    monster = m.state.monsters[name]
    if monster.stunned:
        m.emit(Fizzled(what="stun", rule=rule))
        return
    m.emit(MonsterStunned(monster=name, rule=rule))
    if not m.rules.pack.monster(m.state, monster.kind).keeps:
        drop_all(m, name)
    fire(m, f"haunt:{m.state.haunt.id}" if m.state.haunt else "", "monster-stunned", name)


def kill(m: Machine, name: MonsterId, rule: str = "") -> None:
    """A monster is out of the game; what it carried stays where it was."""
    drop_all(m, name)
    m.emit(MonsterKilled(monster=name, rule=rule))


def drop_all(m: Machine, name: MonsterId) -> None:
    """Everything that a monster carries drops in a pile."""
    monster = m.state.monsters[name]
    if not monster.cards:
        return
    room, part = m.state.place_of(name)
    lying = [*pile_at(m.state, room, part), *monster.cards]
    for card in list(monster.cards):
        m.emit(MonsterParted(monster=name, card=card))
    m.emit(PileChanged(room=room, part=part, cards=lying, rule=m.rules.cite.carrier_drops))


def next_to_act(state: State) -> list[MonsterId]:
    """Monsters that can act in the current monsters' turn: not stunned, not finished (2E-MON-001)."""
    return [name for name, one in state.monsters.items() if not one.stunned and name not in state.turn.finished]
