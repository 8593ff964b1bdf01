"""Sentences for what the game waits for, and for what is done or has no effect."""

from __future__ import annotations

from domain.facts.events import (
    ActionTaken,
    DecisionClosed,
    DecisionOpened,
    Declined,
    Fizzled,
    OptionsTold,
    RuleApplied,
    Suspended,
    TradeProposed,
)
from domain.facts.ids import split_id
from domain.facts.state import MODERATOR
from projections.naming.names import counted
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences, capital

VAIN = {
    "attack": "The attack hits nobody.",
    "crowd": "The house holds no more monsters.",
    "counter-damage": "At a distance the attacker takes no damage.",
    "damage": "The damage hits nobody.",
    "discovery": "No free doorway is left: the discovery lapses.",
    "fetch": "There is nothing to fetch.",
    "gain": "The traits of monsters never go up.",
    "lose": "The traits of monsters never go down.",
    "move-tile": "The tile stays where it is.",
    "place-tile": "No tile can be placed.",
    "rearrange": "No other way of laying the tiles makes room.",
    "remove-tile": "The tile stays in the house.",
    "stun": "Being stunned changes nothing for the monster.",
    "win": "Nobody wins before the haunt.",
}
"""By what had no effect."""
NOTHING_CAME = "It has no effect."
"""Of what an older revision says so."""


def _opened(a: Asking, e: DecisionOpened) -> str:
    seat = e.decision.seat
    who = "The moderator" if seat == MODERATOR else a.names.figure(seat)
    question = a.question(e.decision)
    return f"{who} is asked: {question}{'' if question.endswith('?') else '.'}"


def _options(a: Asking, e: OptionsTold) -> str:
    return f"Possible answers: {'; '.join(a.answers(e.decision, e.options))}."


def _closed(_a: Asking, e: DecisionClosed) -> str:
    return f"Decision {e.decision} is answered."


def _suspended(_a: Asking, e: Suspended) -> str:
    if not e.frames:
        return "Nothing is pending any more."
    return f"The game pauses with {counted(len(e.frames), 'step')} pending."


def _rule(a: Asking, e: RuleApplied) -> str:
    return f"{capital(a.names.source(e.source))}: rule {e.rule} applies."


def _fizzled(a: Asking, e: Fizzled) -> str:
    what, rest = split_id(e.what)
    if what == "draw":
        return f"The {a.names.deck(rest)} is empty."
    if what == "cascade":
        return f"{capital(a.names.source(rest))} goes in circles: nothing more happens by it now."
    return VAIN.get(e.what, NOTHING_CAME)


def _acted(a: Asking, e: ActionTaken) -> str:
    target = "" if e.target is None else "itself" if e.target == e.figure else a.names.figure(e.target)
    return f"{a.names.figure(e.figure)} acts. {a.deed(e.source, e.word, target)}."


def _trade(a: Asking, e: TradeProposed) -> str:
    seat, partner = a.names.figure(e.seat), a.names.figure(e.partner)
    wants = a.names.cards(e.wants)
    if not e.gives:
        return f"{seat} asks {partner} for {wants}."
    return f"{seat} offers {a.names.cards(e.gives)} to {partner}{f' for {wants}' if wants else ''}."


def _declined(a: Asking, e: Declined) -> str:
    who = a.names.figure(e.seat)
    if e.what == "trade":
        return f"{who} declines the trade."
    if e.what.startswith("draw:"):
        return f"{who} skips the symbol and draws nothing."
    if e.what.endswith("?"):
        return f"{who} says no: {e.what}"
    return f"{who} declines {a.names.source(e.what)}."


SENTENCES: Sentences = {
    DecisionOpened: _opened,
    OptionsTold: _options,
    DecisionClosed: _closed,
    Suspended: _suspended,
    RuleApplied: _rule,
    Fizzled: _fizzled,
    ActionTaken: _acted,
    TradeProposed: _trade,
    Declined: _declined,
}
