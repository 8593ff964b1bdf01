"""Limits: what was used, how often it may be, and what one item, one roll, one turn allows (2E-ITEM-013, 2E-ROLL-003)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from content.vocabulary.pack import Action, Limit
from domain.effects.machine import Machine
from domain.events import Used
from domain.state import Figure, State

if TYPE_CHECKING:
    from domain.rules import Rules


def limit_key(source: str, word: str, limit: Limit, figure: Figure) -> str:
    """The typed key under which a use is counted."""
    key = f"{source}#{word}"
    return f"{key}@{figure}" if limit.each == "explorer" or limit.per == "own-turn" else key


def exhausted(rules: Rules, state: State, seat: int, source: str, action: Action) -> str:
    """The rule that bars this use by its limit or because the item has had its action, or empty if it may be used.

    An item has one action a turn (2E-ITEM-013); in the third edition a card gained this turn can't be used (3E-ACT-005).
    """
    explorer = state.explorers[seat]
    if source.startswith("card:"):
        if rules.edition.cards.one_action and source in state.used:
            return rules.cite.one_item_action
        if not rules.edition.cards.new_usable and source.partition(":")[2] in explorer.gained:
            return rules.cite.new_card
    limit = action.once
    if limit is None:
        return ""
    key = limit_key(source, action.word, limit, seat)
    spent = rules.cite.item_once if source.startswith("card:") else rules.cite.same_roll
    if limit.per == "own-turn":
        out = state.turn.monsters or state.turn.seat != seat or key in explorer.used
        return spent if out else ""
    return spent if key in (state.ever if limit.per == "game" else state.used) else ""


def note_use(m: Machine, seat: int, source: str, action: Action) -> None:
    """Count a use: for the item (one action a turn) and for the action's own limit."""
    if source.startswith("card:") and source not in m.state.used:
        m.emit(Used(key=source, per="turn", seat=seat, rule=m.rules.cite.one_item_action))
    limit = action.once
    if limit is not None:
        key = limit_key(source, action.word, limit, seat)
        m.emit(Used(key=key, per=limit.per, seat=seat, rule=m.rules.cite.item_once))
