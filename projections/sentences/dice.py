"""Sentences for dice and other answers of chance."""

from __future__ import annotations

from domain.facts.events import ChanceAnswered, DiceRerolled, DiceRolled, HauntRolled, OmenOwed, ResultNamed
from domain.facts.state import MODERATOR, Decision
from projections.naming.names import counted
from projections.naming.needs import needed_by, rolls_in, source_of, traits_of
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences, faces

KINDS = {
    "attack": "to attack",
    "defense": "to defend",
    "damage": "for the damage of {}",
    "movement": "for the movement of {}",
}
"""By kind: what a roll is for. Any other roll is for whatever asks for it."""


def _answered(a: Asking, e: ChanceAnswered) -> str:
    options = [e.pick] if e.pick else []
    asked = Decision(id="", seat=MODERATOR, kind="chance", about=e.what, options=options, total=len(e.faces))
    answer = a.option(asked, e.pick) if e.pick else faces(e.faces)
    return f"Chance answers “{a.question(asked)}”: {answer}."


def _rolled(a: Asking, e: DiceRolled) -> str:
    trait = f" with {e.trait}" if e.trait else ""
    why = KINDS.get(e.kind, "for {}").format(a.names.about(e.about))
    return f"{a.names.figure(e.who)} rolls {e.total}{trait} {why} ({faces(e.faces, e.bonus)}){_missed(a, e)}."


def _missed(a: Asking, e: DiceRolled) -> str:
    """What a failed attempt at a task would have taken, for whoever has read the book: `: 5+ was needed`."""
    rolls = [
        one
        for one in rolls_in(a.rules, e.about)
        if one.roll is not None and one.roll.task and e.trait in traits_of(one)
    ]
    need = needed_by(rolls)
    if need is None or e.total >= need or e.kind != "trait" or not a.has_read(source_of(e.about)):
        return ""
    return f": {need}+ was needed"


def _rerolled(a: Asking, e: DiceRerolled) -> str:
    return f"{a.names.figure(e.who)} rerolls with {a.names.source(e.by)}: {e.total} ({faces(e.faces)})."


def _named(a: Asking, e: ResultNamed) -> str:
    also = f"; with {e.bonus} added it is {e.total}" if e.bonus else ""
    return f"{a.names.figure(e.who)} sets the result to {e.total - e.bonus} with {a.names.source(e.by)}{also}."


def _haunt_rolled(a: Asking, e: HauntRolled) -> str:
    outcome = "the haunt begins" if e.begins else "the haunt does not begin yet"
    return f"{a.names.figure(e.seat)}'s haunt roll is {e.total}, after {counted(e.omens, 'omen')}: {outcome}."


def _owed(a: Asking, e: OmenOwed) -> str:
    return f"{a.names.card(e.omen)}, drawn in {a.names.the_room(e.room)}, calls for a haunt roll."


SENTENCES: Sentences = {
    ChanceAnswered: _answered,
    DiceRolled: _rolled,
    DiceRerolled: _rerolled,
    ResultNamed: _named,
    HauntRolled: _haunt_rolled,
    OmenOwed: _owed,
}
