"""What a decision about a roll comes down to: the result that is needed, and how likely it is.

A decision does not say which roll it is about; what its addressee was told right before it does: the action that was done, the card that was
drawn. Where that leaves a doubt, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from content.vocabulary.effects import Effect
from content.vocabulary.outcomes import Span
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
from projections.naming.names import counted, enumerated
from projections.naming.needs import graded, needed, needed_by, only_roll, rolls_in, source_of, traits_of

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
            if labels.rules.edition.cards.one_row and event.deck == "event":
                continue  # nobody has read yet what a result means
            bound = {"you": seat, "src": f"card:{event.card}", "drawer": event.seat}
            yield _Asker(pack.card_block(event.card), seat, bound, event=event.seat == seat)


# -- which trait --------------------------------------------------------------------------------------------------------------------


def _which_trait(labels: Labels, decision: Decision, asker: _Asker) -> str:
    rolls = [one for one in rolls_in(labels.rules, asker.box) if traits_of(one) == decision.options]
    if not rolls:
        return ""
    lines = graded(rolls[0])
    alike = all((one.roll, graded(one)) == (rolls[0].roll, lines) for one in rolls[1:])
    need = needed_by(rolls)
    if need is None and not (alike and lines):
        return ""
    said = _odds(labels, rolls[0], asker) if alike else f"{need}+ is needed"
    return f"Choose a trait for {_attempt(labels, asker.box)}: {said}"


def _attempt(labels: Labels, box: str) -> str:
    """What a roll is for: of a haunt the title of the action, of anything else the piece."""
    path, _, word = box.rpartition("actions.")
    source = source_of(box)
    if path and source.startswith("haunt:") and labels.asking.has_read(source):
        return f'"{labels.asking.deed(source, word)}"'
    return labels.names.about(box)


def _odds(labels: Labels, effect: Effect, asker: _Asker | None) -> str:
    """What a roll needs, and how likely that is; without odds where nobody is known who rolls.

    `5+ is needed; Knowledge 4 gives 31 of 81`, `Knowledge 3 gives 4-5 (7 of 27), 6-7 (1 of 27), 8+ (no chance)`.
    """
    lines, need = graded(effect), needed(effect)
    needs = f"{enumerated([key for key, _ in lines])} count" if lines else f"{need}+ is needed"
    if asker is None:
        return needs
    wanted = lines or [("", Span(need or 0, None))]
    try:
        found = [_chances(labels, effect, asker, trait, wanted) for trait in traits_of(effect) or [""]]
    except Unfit:
        return needs  # more dice than odds are counted for
    return "; ".join(found) if lines else f"{needs}; {', '.join(found)}"


def _chances(labels: Labels, effect: Effect, asker: _Asker, trait: str, wanted: Sequence[tuple[str, Span]]) -> str:
    """How likely a trait, or a number of dice, gives what is needed (under no key), or each line."""
    rules, state, who = labels.rules, labels.state, asker.who
    extra = _extra(labels, effect, asker)
    if trait:
        throw = Throw(rules, state, who, "trait", trait=trait, event=asker.event, extra=extra)
    else:
        dice = effect.roll.dice if effect.roll is not None else None
        if not isinstance(dice, int):
            raise Unfit("", "How many dice it is depends on more than the roll.")
        throw = Throw(rules, state, who, "dice", dice=dice, event=asker.event, extra=extra)
    spread = throw.spread()
    head = _head(throw, trait, trait_of(state, who, trait) if trait else 0)
    ways = [(key, _in_words(chance_of(spread, span.__contains__))) for key, span in wanted]
    return f"{head} {', '.join(f'{key} ({chance})' if key else chance for key, chance in ways)}"


def _head(throw: Throw, trait: str, value: int) -> str:
    """Who gives it: `Might 4 (5 dice plus 1) gives`, `3 dice give`."""
    plus = f" {'plus' if throw.bonus > 0 else 'minus'} {abs(throw.bonus)}" if throw.bonus else ""
    dice = f"{counted(throw.dice, 'die', 'dice')}{plus}"
    if not trait:
        return f"{dice} {'gives' if throw.dice == 1 else 'give'}"
    return f"{trait.capitalize()} {value}{f' ({dice})' if throw.dice != value or plus else ''} gives"


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
    if effect is None or (needed(effect) is None and not graded(effect)):
        return ""
    question = question.replace(labels.names.about(about), _attempt(labels, about), 1)
    thrown = [one for one in before if isinstance(one, DiceRolled) and one.about == about]
    if decision.about.startswith("after-roll:"):
        first = len(thrown) == 1 and thrown[0].kind in ("trait", "dice") and rolled is not None
        return f"{question}. {rolled.total} came, {_odds(labels, effect, None)}" if first and rolled is not None else ""
    if thrown:
        return ""  # these are dice for something that came of it
    # what was used since changes the dice
    asker = None if asked_again or not before else _asker_of(labels, effect, before, decision, about)
    return f"{question}. {_odds(labels, effect, asker)}"


def _asker_of(
    labels: Labels, effect: Effect, before: Sequence[AnyEvent], decision: Decision, box: str
) -> _Asker | None:
    """Who is asked is who rolls; what asks is what the seat was told of before, or a text that speaks by itself, as a room's does."""
    found = next((one for one in _askers(labels, before, decision.seat) if one.box == box), None)
    by_itself = box.startswith("tile/") and effect.roll is not None and effect.roll.extra_if is None
    if found is not None or not by_itself:
        return found
    return _Asker(box, decision.seat, {"you": decision.seat, "src": source_of(box)}, event=False)


def _haunt_begins(labels: Labels, question: str, seat: int) -> str:
    try:
        begins = odds(labels.rules, labels.state, HauntAsked(seat=seat)).haunt_begins
    except Unfit:
        return ""
    if begins is None:
        return ""
    return f"{question}. The haunt begins in {begins.numerator} of {begins.denominator} rolls"
