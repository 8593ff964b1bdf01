"""History in words: one plain sentence for every event."""

from __future__ import annotations

from collections.abc import Mapping

from domain.engine.rules import Rules
from domain.facts.desk import Dispute
from domain.facts.events import AmendmentTold, DecisionClosed
from domain.facts.events.base import Event
from domain.facts.state import MODERATOR, Decision, State
from projections.naming.questions import Asking
from projections.sentences import cards, desk, dice, haunt, house, lifecycle, monsters, rulings, traits, waiting
from projections.sentences.wording import Sentences, capital

SHOWN = {
    "State": ("explorers", "haunt"),
    "Explorer": ("id",),
    "Haunt": ("id",),
    "Decision": ("seat",),
    "Dispute": ("number", "earlier", "amendment"),
    "Ruled": ("amendment",),
    "Amendment": ("you", "do"),
}
"""Of a role's state only names and amendments are read here. All else is in the event, which its role was told."""

SENTENCES: Sentences = {
    **lifecycle.SENTENCES,
    **house.SENTENCES,
    **cards.SENTENCES,
    **dice.SENTENCES,
    **traits.SENTENCES,
    **haunt.SENTENCES,
    **monsters.SENTENCES,
    **waiting.SENTENCES,
    **rulings.SENTENCES,
    **desk.SENTENCES,
}
"""By event type; a test holds it against the list of all events."""


CLOSED = ("!.", "?.", "..", '.".')
"""Endings of names and quotations that already close a sentence."""


def sentence(rules: Rules, event: Event, state: State | None = None) -> str:
    """One plain sentence for an event, such as: Ox Bellows goes to the Attic.

    Args:
        rules: whose pack has the titles.
        event: any event.
        state: a state of the game from its start on, for the explorers' names; without it they are called `Seat 2`.
    """
    return worded(Asking(rules, state or State()), event)


def worded(asking: Asking, event: Event, sums: str = "", asked: Mapping[str, Decision] | None = None) -> str:
    """The same with the words for a state given: for many events of one state.

    Args:
        asking: the words.
        event: any event.
        sums: what its numbers are made of, as `made_of` says it.
        asked: the decisions that were open before its commit, as far as they are known: who has answered one is named.
    """
    if asked and isinstance(event, DecisionClosed) and event.decision in asked:
        return _answered(asking, asked[event.decision])
    words = capital(SENTENCES[type(event)](asking, event))
    words = words[:-1] if words.endswith(CLOSED) else words
    return f"{words} {sums}" if sums else words


def _answered(asking: Asking, decision: Decision) -> str:
    who = "The referee" if decision.seat == MODERATOR else asking.names.figure(decision.seat)
    question = asking.question(decision)
    return f"{who} has answered: {question}{'' if question.endswith('?') else '.'}"


def amended(asking: Asking, dispute: Dispute) -> list[str]:
    """What each ruling amends, in words, and last what is proposed; empty where it amends nothing, and where the role was not told."""
    found = [*[one.amendment for one in dispute.earlier], dispute.amendment]
    return [
        "" if one is None else worded(asking, AmendmentTold(number=dispute.number, you=one.you, do=one.do))
        for one in found
    ]
