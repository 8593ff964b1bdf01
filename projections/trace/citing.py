"""The rule behind an event, where the event doesn't carry one: by what it is and what it is part of, in each edition's own ids.

Events say their rule wherever a procedure applied one. What is left are events of which the rule is always the same (an answer
of chance is drawn by the rule on drawing), parts of something larger (a card that is lost is lost by what becomes of it), the
service's own bookkeeping, of which no rulebook speaks, and what a text of content orders, which holds because of its rank.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from content.ledger import ledger
from domain.editions.asking import CHANCES, procedure_behind, rule_of_text
from domain.editions.citations import Citations
from domain.facts.events import (
    CardLost,
    ChanceAnswered,
    DecisionClosed,
    DecisionOpened,
    Declined,
    DiceRerolled,
    DiceRolled,
    Disclosed,
    GameEnded,
    GameOpened,
    MonsterChosen,
    MonsterParted,
    OptionsTold,
    ResultNamed,
    SeatClaimed,
    Suspended,
    TraitChanged,
    cards,
    dice,
    haunt,
    house,
    monsters,
    traits,
    waiting,
)
from domain.facts.events.base import Event
from domain.facts.ids import id_kind
from domain.facts.state import Decision
from projections.trace.shapes import RuleTold

Topic = Callable[[Citations, Any], str]

ROLLS: dict[str, str] = {
    "trait": "trait_roll",
    "haunt": "haunt_dice",
    "attack": "attack_roll",
    "defense": "attack_roll",
    "movement": "movement_dice",
}
"""By the kind of a roll; any other is a roll of so many dice."""


def _topic(name: str) -> Topic:
    return lambda cite, _event: str(getattr(cite, name))


def _asked(cite: Citations, event: DecisionOpened) -> str:
    return procedure_behind(cite, event.decision)


def _answered(cite: Citations, event: ChanceAnswered) -> str:
    topic = CHANCES.get(id_kind(event.what))
    return topic(cite) if topic is not None else ""


def _rolled(cite: Citations, event: DiceRolled) -> str:
    return str(getattr(cite, ROLLS.get(event.kind, "dice_roll")))


def _declined(cite: Citations, event: Declined) -> str:
    return cite.trade if event.what == "trade" else ""


def _ended(cite: Citations, event: GameEnded) -> str:
    return cite.won if event.winner else ""


def _changed(cite: Citations, event: TraitChanged) -> str:
    """A trait set by nothing else belongs to somebody whose death makes a traitor."""
    return cite.turned if event.cause == "set" else ""


UNSAID: dict[type[Event], Topic] = {
    GameOpened: _topic("player_count"),
    SeatClaimed: _topic("explorer_choice"),
    ChanceAnswered: _answered,
    DecisionOpened: _asked,
    DiceRolled: _rolled,
    DiceRerolled: _topic("item_use"),
    ResultNamed: _topic("item_use"),
    Disclosed: _topic("won"),
    Declined: _declined,
    GameEnded: _ended,
    MonsterChosen: _topic("one_monster"),
    TraitChanged: _changed,
}
"""By type: the rule of an event that carries none. Any other such event is bookkeeping, or what a text itself does."""

OF_TEXTS = {topic.__name__ for topic in (cards, dice, haunt, house, monsters, traits, waiting)}
"""Modules of events that a text of content can cause. No rulebook speaks of the others, or of unfinished steps."""

PASSED_ON = (CardLost, MonsterParted)
"""One half of a transfer: the rule is that of where the card goes."""


ANSWERED = (DecisionClosed, OptionsTold)
"""What goes with a question: the rule is that of the question, which may have been asked in an earlier commit."""


def citations(
    cite: Citations, events: Sequence[Event], boxes: Sequence[str], asked: Mapping[str, Decision]
) -> list[str]:
    """The rule of each event of a commit, in their order; empty where there is none.

    Args:
        cite: of the edition that is played.
        events: what the role was told of the commit.
        boxes: for each, the box that spoke, or empty.
        asked: the questions that were open before, by their ids.
    """
    questions = {**asked, **{one.decision.id: one.decision for one in events if isinstance(one, DecisionOpened)}}
    return [event.rule or _unsaid(cite, events, place, boxes[place], questions) for place, event in enumerate(events)]


def _unsaid(cite: Citations, events: Sequence[Event], place: int, box: str, questions: Mapping[str, Decision]) -> str:
    event = events[place]
    if isinstance(event, ANSWERED):
        question = questions.get(event.decision)
        return (procedure_behind(cite, question) if question is not None else "") or _by_text(cite, box)
    if isinstance(event, PASSED_ON):
        whither = (later.rule for later in events[place + 1 :] if later.rule and event.card in cards_in(later))
        found = next(whither, "")
        if found:
            return found
    if isinstance(event, ChanceAnswered):
        found = next((one.rule for one in events[place + 1 :] if isinstance(one, DiceRolled) and one.rule), "")
        if found and event.faces:
            return found  # what fell is told by the roll that it answers
    topic = UNSAID.get(type(event))
    found = "" if topic is None else topic(cite, event)
    by_text = type(event).__module__ in OF_TEXTS and not isinstance(event, Suspended)
    return found or (_by_text(cite, box) if by_text else "")


def _by_text(cite: Citations, box: str) -> str:
    """What a text does holds because of its rank (2E-PREC-001 to 2E-PREC-003); which text it was a role needn't know."""
    return rule_of_text(cite, box) if box else cite.haunt_over_card or cite.card_precedence


def cards_in(event: Event) -> Sequence[str]:
    """The cards that an event is about."""
    card = getattr(event, "card", "")
    several: Sequence[str] = getattr(event, "cards", ())
    return [card] if card else several


def told(rule: str) -> RuleTold | None:
    """A rule with its words; None for an id that this version's ledger doesn't have, as an imported game may cite one."""
    found = ledger().get(rule)
    return None if found is None else RuleTold(found.id, found.title, found.text)
