"""Sentences for traits, damage, attacks and death."""

from __future__ import annotations

from domain.facts.events import (
    AttackDecided,
    AttackSpent,
    CorpseRemoved,
    DamageReduced,
    DamageTaken,
    ExplorerAttacked,
    ExplorerDied,
    ExplorerEscaped,
    ExplorerFreed,
    ExplorerHeld,
    HarmIgnored,
    SurplusNoted,
    TraitChanged,
)
from projections.naming.names import counted
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences, capital

ENDS = {0: "on the skull", 1: "at its lowest number"}
"""Where a clip is that can't move; at any other place it is at the top."""


def _trait(a: Asking, e: TraitChanged) -> str:
    if not e.by:
        return f"The {e.trait} of {a.names.figure(e.seat)} stays {ENDS.get(e.to, 'at its highest number')}."
    way = "up" if e.by > 0 else "down"
    end = ", to the skull" if e.to == 0 else ""
    return f"The {e.trait} of {a.names.figure(e.seat)} goes {way} by {counted(abs(e.by), 'space')}{end}."


def _surplus(a: Asking, e: SurplusNoted) -> str:
    whose = f"{e.trait} from {a.names.card(e.card)} for {a.names.figure(e.seat)}"
    if not e.spaces:
        return f"No spaces of {whose} are noted any more."
    end = "over the top" if e.spaces > 0 else "below the lowest number"
    return f"Noted {end}: {counted(abs(e.spaces), 'space')} of {whose}."


def _damage(a: Asking, e: DamageTaken) -> str:
    points = counted(e.amount, "point")
    return f"{a.names.figure(e.seat)} takes {points} of {e.kind} damage from {a.names.source(e.source)}."


def _reduced(a: Asking, e: DamageReduced) -> str:
    left = f"{counted(e.amount, 'point')} of {e.kind} damage" if e.amount else f"no {e.kind} damage"
    return f"{capital(a.names.source(e.by))} leaves {a.names.figure(e.seat)} with {left}."


def _ignored(a: Asking, e: HarmIgnored) -> str:
    return f"{a.names.figure(e.figure)} ignores the harm from {a.names.source(e.source)}."


def _corpse_removed(a: Asking, e: CorpseRemoved) -> str:
    return f"The corpse of {a.names.figure(e.seat)} is gone."


def _died(a: Asking, e: ExplorerDied) -> str:
    return f"{a.names.figure(e.seat)} dies."


def _escaped(a: Asking, e: ExplorerEscaped) -> str:
    return f"{a.names.figure(e.seat)} escapes from the house."


def _held(a: Asking, e: ExplorerHeld) -> str:
    return (
        f"{a.names.card(e.card)} holds {a.names.figure(e.seat)}: a {e.trait} roll of {e.at_least} or more breaks free."
    )


def _freed(a: Asking, e: ExplorerFreed) -> str:
    return f"{a.names.figure(e.seat)} is free again."


def _attacked(a: Asking, e: ExplorerAttacked) -> str:
    weapon = f" and {a.names.card(e.weapon)}" if e.weapon else ""
    return f"{a.names.figure(e.figure)} attacks {a.names.figure(e.target)} with {e.trait}{weapon}."


def _spent(a: Asking, e: AttackSpent) -> str:
    return f"{a.names.figure(e.figure)} cannot attack again this turn."


def _decided(a: Asking, e: AttackDecided) -> str:
    figure, target = a.names.figure(e.figure), a.names.figure(e.target)
    if e.attack == e.defense:
        return f"{figure} and {target} tie at {e.attack}."
    verb = "defeats" if e.attack > e.defense else "is defeated by"
    return f"{figure} {verb} {target}, {e.attack} to {e.defense}."


SENTENCES: Sentences = {
    TraitChanged: _trait,
    SurplusNoted: _surplus,
    DamageTaken: _damage,
    DamageReduced: _reduced,
    HarmIgnored: _ignored,
    ExplorerDied: _died,
    CorpseRemoved: _corpse_removed,
    ExplorerEscaped: _escaped,
    ExplorerHeld: _held,
    ExplorerFreed: _freed,
    ExplorerAttacked: _attacked,
    AttackSpent: _spent,
    AttackDecided: _decided,
}
