"""What a decision about a roll comes down to: the result that is needed, and how likely it is.

A decision does not say which roll it is about; what its addressee was told right before it does: the action that was done, the card that was
drawn. Where that leaves a doubt, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from content.vocabulary.effects import Effect
from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.facts.audience import seat_bit
from domain.facts.events import (
    ActionTaken,
    AnyEvent,
    CardDrawn,
    DecisionClosed,
    DecisionOpened,
    DiceRerolled,
    DiceRolled,
)
from domain.facts.ids import split_id
from domain.facts.state import Decision, Figure, is_explorer
from domain.past import Passed
from domain.queries.characters import trait_of
from domain.queries.conditions import test
from domain.queries.spread import chance_of
from projections.choices.odds import odds
from projections.choices.odds_asked import HauntAsked
from projections.choices.throws import Throw, Unfit
from projections.naming.labels import Labels
from projections.naming.needs import needed, needed_by, only_roll, rolls_in, source_of, traits_of

SHOWN: Mapping[str, tuple[str, ...]] = {"Decision": ("id", "seat", "kind", "about", "options")}
"""The fields of a role's state that are read here, besides what odds and names read; all others stay hidden."""

WINDOWS = ("before-roll", "after-roll")
"""Keys of the decisions whether to use something on a roll."""


class _Asker(NamedTuple):
    """What asks for a roll."""

    box: str
    who: Figure
    """Who rolls."""
    bound: dict[str, object]
    """What conditions of the box are asked with."""
    event: bool
    """A card that the roller has drawn asks for it."""


def asked_roll(labels: Labels, decision: Decision, passed: Sequence[Passed], seat: int) -> str:
    """The question of a decision about a roll, with what is needed and the odds; empty for other decisions, and where it can't be told.

    Args:
        labels: of the addressee's own state.
        decision: open for the addressee.
        passed: the latest commits up to that state.
        seat: the addressee.
    """
    key, rest = split_id(decision.about)
    if key not in (*WINDOWS, "roll-trait"):
        return ""
    before = list(_before(decision.id, passed, seat))
    if decision.about == "roll-trait":
        return next(
            (text for one in _askers(labels, before, seat) if (text := _which_trait(labels, decision, one))), ""
        )
    return _whether_to_use(labels, decision, before, seat, rest)


def _before(decision: str, passed: Sequence[Passed], seat: int) -> Iterator[AnyEvent]:
    """What the seat was told before it was asked, the latest first, back to the command with which it began."""
    found = False
    for commit in reversed(passed):
        told = [one.event for one in commit.told if one.to & seat_bit(seat)]
        for event in reversed(told):
            if found:
                yield event
            elif isinstance(event, DecisionOpened) and event.decision.id == decision:
                found = True
        if found and not any(isinstance(event, DecisionClosed) for event in told):
            return  # nothing was open: here it began


def _askers(labels: Labels, before: Sequence[AnyEvent], seat: int) -> Iterator[_Asker]:
    """What could have asked, the latest first, as far as the seat has read it."""
    pack, state = labels.rules.pack, labels.state
    for event in before:
        if isinstance(event, ActionTaken) and labels.asking.has_read(event.source):
            who: Figure = seat if is_explorer(event.figure) else event.figure
            bound: dict[str, object] = {"you": who, "src": event.source, "owner": event.figure}
            if event.target is not None:
                bound["target"] = event.target
            yield _Asker(pack.action_block(event.source, event.word, state), who, bound, event=False)
        elif isinstance(event, CardDrawn):
            bound = {"you": seat, "src": f"card:{event.card}", "drawer": event.seat}
            yield _Asker(pack.card_block(event.card), seat, bound, event=event.seat == seat)


# -- which trait --------------------------------------------------------------------------------------------------------------------


def _which_trait(labels: Labels, decision: Decision, asker: _Asker) -> str:
    rolls = [one for one in rolls_in(labels.rules, asker.box) if traits_of(one) == decision.options]
    need = needed_by(rolls)
    if need is None:
        return ""
    alike = all(one.roll == rolls[0].roll for one in rolls)
    chances = _chances(labels, rolls[0], asker, need) if alike else ""
    return f"Choose a trait for {labels.names.attempt(asker.box)}: {_needs(need, chances)}"


def _needs(need: int, chances: str) -> str:
    return f"{need}+ is needed; {chances}" if chances else f"{need}+ is needed"


def _chances(labels: Labels, effect: Effect, asker: _Asker, need: int) -> str:
    """How likely each trait gives what is needed: `Knowledge 4 gives 31 of 81, Sanity 5 gives 49 of 81`."""
    try:
        return ", ".join(_chance(labels, effect, asker, trait, need) for trait in traits_of(effect))
    except Unfit:
        return ""  # more dice than odds are counted for


def _chance(labels: Labels, effect: Effect, asker: _Asker, trait: str, need: int) -> str:
    rules, state, who = labels.rules, labels.state, asker.who
    throw = Throw(rules, state, who, "trait", trait=trait, event=asker.event, extra=_extra(labels, effect, asker))
    value = trait_of(state, who, trait)
    plus = f" {'plus' if throw.bonus > 0 else 'minus'} {abs(throw.bonus)}" if throw.bonus else ""
    dice = f" ({throw.dice} dice{plus})" if throw.dice != value or plus else ""
    return (
        f"{trait.capitalize()} {value}{dice} gives {_in_words(chance_of(throw.spread(), lambda total: total >= need))}"
    )


def _extra(labels: Labels, effect: Effect, asker: _Asker) -> int:
    """Dice that the box itself adds, as things stand."""
    roll = effect.roll
    if roll is None or not roll.extra_dice:
        return 0
    holds = test(roll.extra_if) if roll.extra_if is not None else None
    frame: Frame[dict[str, object]] = Frame(labels.rules.block("act"), asker.bound)
    return roll.extra_dice if holds is None or holds(Glance(labels.rules, labels.state), frame) else 0


def _in_words(chance: Fraction) -> str:
    """A chance in lowest terms: `31 of 81`, `no chance`."""
    if chance in (0, 1):
        return "certain success" if chance else "no chance"
    return f"{chance.numerator} of {chance.denominator}"


# -- whether to use something -------------------------------------------------------------------------------------------------------


def _whether_to_use(labels: Labels, decision: Decision, before: Sequence[AnyEvent], seat: int, about: str) -> str:
    """Whether to use something on a roll: what it needs, and what came or how likely it is as it stands."""
    question = labels.asking.question(decision)
    rolled = next((one for one in before if isinstance(one, DiceRolled | DiceRerolled)), None)
    asked_again = any(isinstance(one, DecisionOpened) and one.decision.about == decision.about for one in before)
    if about == "haunt" and not asked_again and decision.about.startswith("before-roll:"):
        return _haunt_begins(labels, question, seat)
    effect = only_roll(labels.rules, about) if labels.asking.has_read(source_of(about)) else None
    need = needed(effect) if effect is not None else None
    if effect is None or need is None:
        return ""
    thrown = [one for one in before if isinstance(one, DiceRolled) and one.about == about]
    if decision.about.startswith("after-roll:"):
        first = len(thrown) == 1 and thrown[0].kind in ("trait", "dice") and rolled is not None
        return f"{question}. {rolled.total} came, {need}+ is needed" if first and rolled is not None else ""
    if thrown:
        return ""  # these are dice for something that came of it
    asker = next((one for one in _askers(labels, before, seat) if one.box == about), None)
    known = asker is not None and not asked_again  # what was used since changes the dice
    chances = _chances(labels, effect, asker, need) if known and asker is not None else ""
    return f"{question}. {_needs(need, chances)}"


def _haunt_begins(labels: Labels, question: str, seat: int) -> str:
    try:
        begins = odds(labels.rules, labels.state, HauntAsked(seat=seat)).haunt_begins
    except Unfit:
        return ""
    if begins is None:
        return ""
    return f"{question}. The haunt begins in {begins.numerator} of {begins.denominator} rolls"
