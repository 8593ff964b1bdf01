"""What befalls monsters: they come into the house, are stunned or killed, and act one after another."""

from __future__ import annotations

import msgspec

from domain.engine.machine import Machine
from domain.engine.parts import readers_of_box
from domain.facts.audience import Mask
from domain.facts.events import (
    BoxTold,
    CardDiscarded,
    Fizzled,
    MonsterKilled,
    MonsterParted,
    MonsterPlaced,
    MonsterStunned,
    PileChanged,
)
from domain.facts.state import MonsterId, State
from domain.rulebook.cards.piles import pile_at
from domain.rulebook.table.triggers import fire


def place(m: Machine, placed: MonsterPlaced) -> None:
    """A monster comes into the house. Where boxes are kept closed all see which traits it has, and those who have read its box their numbers."""
    if not m.rules.edition.secrets.boxes or m.state.haunt is None:
        m.emit(placed)
        return
    has = [trait for trait, number in placed.traits.items() if number > 0]
    m.emit(msgspec.structs.replace(placed, traits={}, attacks=True, boxed=True, has=has, rule=m.rules.cite.box))
    to = readers_of_box(m.rules.pack.haunts[m.state.haunt.id], m.state, placed.kind)
    m.emit(
        BoxTold(monster=placed.monster, traits=placed.traits, attacks=placed.attacks, rule=m.rules.cite.box_traits), to
    )


def tell_boxes(m: Machine, to: Mask) -> None:
    """Tell what the boxes of all monsters in the house say, to those who come to read the book that has them."""
    if m.rules.edition.secrets.boxes:
        for name, one in m.state.monsters.items():
            m.emit(
                BoxTold(monster=name, traits=dict(one.traits), attacks=one.attacks, rule=m.rules.cite.box_traits), to
            )


def stun(m: Machine, name: MonsterId, rule: str) -> None:
    """A monster is stunned and drops what it carries (2E-MON-019); being stunned again does not prolong it."""
    monster = m.state.monsters[name]
    if monster.stunned:
        m.emit(Fizzled(what="stun", rule=rule))
        return
    m.emit(MonsterStunned(monster=name, rule=rule))
    if m.rules.edition.cards.piles and not m.rules.pack.monster(m.state, monster.kind).keeps:
        drop_all(m, name)
    fire(m, f"haunt:{m.state.haunt.id}" if m.state.haunt else "", "monster-stunned", name)


def withstand(m: Machine, rule: str) -> None:
    """Damage does nothing to a monster that is neither killed nor stunned by it (3E-MON-010)."""
    m.emit(Fizzled(what="stun", rule=rule))


def kill(m: Machine, name: MonsterId, rule: str = "") -> None:
    """A monster is out of the game; what it carried stays where it was."""
    drop_all(m, name)
    m.emit(MonsterKilled(monster=name, rule=rule))


def drop_all(m: Machine, name: MonsterId) -> None:
    """Everything that a monster carries drops in a pile; where there are no piles, its cards go under their decks."""
    monster = m.state.monsters[name]
    if not monster.cards:
        return
    room, part = m.state.place_of(name)
    lying = [*pile_at(m.state, room, part), *monster.cards]
    for card in list(monster.cards):
        m.emit(MonsterParted(monster=name, card=card))
        if not m.rules.edition.cards.piles and (deck := m.rules.pack.deck_of(card)):
            m.emit(CardDiscarded(deck=deck, card=card, bury=True, rule=m.rules.cite.bury_card))
    if not m.rules.edition.cards.piles:
        return
    m.emit(PileChanged(room=room, part=part, cards=lying, rule=m.rules.cite.carrier_drops))


def next_to_act(state: State) -> list[MonsterId]:
    """Monsters that can act in the current monsters' turn: not stunned, not finished (2E-MON-001)."""
    return [name for name in state.monsters if can_act(state, name) and name not in state.turn.finished]


def can_act(state: State, name: MonsterId) -> bool:
    """Whether a monster is up, and has not spent the turn on getting up."""
    return not state.monsters[name].stunned and name not in state.turn.recovered
