"""Monsters whose place only their own side knows (`hidden`): they hide with each step, until something shows them."""

from __future__ import annotations

from typing import TypeGuard

from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.audience import EVERYBODY, Mask
from domain.facts.events import MonsterHid, MonsterShown
from domain.facts.state import Figure, MonsterId, State, is_monster


def goes_unseen(figure: Figure, rules: Rules, state: State) -> TypeGuard[MonsterId]:
    """Whether the other side doesn't see where the character goes on foot."""
    return is_monster(figure) and rules.pack.monster(state, state.monsters[figure].kind).hidden


def hides(figure: Figure, state: State) -> TypeGuard[MonsterId]:
    """Whether the character is a monster that hides now."""
    return is_monster(figure) and figure in state.monsters and state.monsters[figure].hides


def hide(m: Machine, monster: MonsterId, room: str, part: int, *, spent: int = 0, rule: str = "") -> None:
    """Put a monster where only its side sees it; the house does nothing to it there."""
    told = m.state.side_mask(m.state.monsters[monster].side)
    m.emit(MonsterHid(monster=monster), EVERYBODY & ~told)
    m.emit(MonsterHid(monster=monster, room=room, part=part, spent=spent, rule=rule), told)


def show(m: Machine, figure: Figure) -> None:
    """Let everybody see where a monster hides; whoever doesn't hide is seen already."""
    if hides(figure, m.state):
        room, part = m.state.hideout_of(figure)
        m.emit(MonsterShown(monster=figure, room=room, part=part))


def tell_hideouts(m: Machine, side: str, to: Mask) -> None:
    """Tell somebody who joins a side where its monsters hide."""
    for name, one in m.state.monsters.items():
        if one.hides and one.side == side:
            m.emit(MonsterHid(monster=name, room=one.lair, part=one.lair_part), to)
