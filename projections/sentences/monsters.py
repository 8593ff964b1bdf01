"""Sentences for monsters."""

from __future__ import annotations

from domain.facts.events import (
    BoxTold,
    MonsterChosen,
    MonsterHid,
    MonsterKilled,
    MonsterParted,
    MonsterPlaced,
    MonsterRecovered,
    MonsterShown,
    MonstersRolled,
    MonsterStunned,
    MonsterTook,
)
from projections.naming.names import counted, enumerated
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences


def _placed(a: Asking, e: MonsterPlaced) -> str:
    return f"{a.names.monster(e.monster)} appears{f' in {a.names.the_room(e.room)}' if e.room else ''}."


def _box(a: Asking, e: BoxTold) -> str:
    numbers = enumerated([f"{a.names.trait(trait)} {value}" for trait, value in e.traits.items()])
    return f"{a.names.monster(e.monster)} has {numbers}{'' if e.attacks else ', and never attacks'}."


def _rolled(a: Asking, e: MonstersRolled) -> str:
    return f"Every {a.names.kind(e.kind)} may move {counted(e.spaces, 'space')}."


def _chosen(a: Asking, e: MonsterChosen) -> str:
    return f"{a.names.monster(e.monster)} acts." if e.monster else "The monsters have acted."


def _stunned(a: Asking, e: MonsterStunned) -> str:
    return f"{a.names.monster(e.monster)} is stunned."


def _recovered(a: Asking, e: MonsterRecovered) -> str:
    return f"{a.names.monster(e.monster)} recovers."


def _killed(a: Asking, e: MonsterKilled) -> str:
    return f"{a.names.monster(e.monster)} is killed."


def _took(a: Asking, e: MonsterTook) -> str:
    return f"{a.names.monster(e.monster)} takes {a.names.card(e.card)}."


def _parted(a: Asking, e: MonsterParted) -> str:
    return f"{a.names.monster(e.monster)} loses {a.names.card(e.card)}."


def _hid(a: Asking, e: MonsterHid) -> str:
    return f"{a.names.monster(e.monster)} hides{f' in {a.names.the_room(e.room)}' if e.room else ''}."


def _shown(a: Asking, e: MonsterShown) -> str:
    return f"{a.names.monster(e.monster)} shows itself in {a.names.the_room(e.room)}."


SENTENCES: Sentences = {
    MonsterPlaced: _placed,
    BoxTold: _box,
    MonstersRolled: _rolled,
    MonsterChosen: _chosen,
    MonsterStunned: _stunned,
    MonsterRecovered: _recovered,
    MonsterKilled: _killed,
    MonsterTook: _took,
    MonsterParted: _parted,
    MonsterHid: _hid,
    MonsterShown: _shown,
}
