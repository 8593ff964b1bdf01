"""The rule behind a question, cited by refused answers and by traces."""

from __future__ import annotations

from collections.abc import Callable

from domain.editions.citations import Citations
from domain.facts.ids import id_kind, split_id
from domain.facts.state import MODERATOR, Decision

Topic = Callable[[Citations], str]
"""Picks the rule of a topic from what an edition cites."""

ASKED: dict[str, Topic] = {
    "place": lambda cite: cite.tile_placed,
    "bury-tile": lambda cite: cite.tile_placed,
    "damage": lambda cite: cite.division,
    "haunt": lambda cite: cite.ready,
    "trade-with": lambda cite: cite.trade_consent or cite.trade,
    "before-roll": lambda cite: cite.optional_action or cite.item_use,
    "after-roll": lambda cite: cite.optional_action or cite.item_use,
    "before-harm": lambda cite: cite.harm_window,
    "decline": lambda cite: cite.decline_moment,
    "ignore": lambda cite: cite.traitor_ignores,
    "ignore-damage": lambda cite: cite.traitor_ignores,
    "pass-over-symbol": lambda cite: cite.traitor_declines,
    "part": lambda cite: cite.arrival_side,
    "move-tile": lambda cite: cite.connecting_door,
    "doorway": lambda cite: cite.rearrange,
    "rearrange": lambda cite: cite.rearrange,
    "go-on": lambda cite: cite.turn_ends,
    "witness": lambda cite: cite.own_turn,
    "entry": lambda cite: cite.own_turn,
    "steal": lambda cite: cite.steal,
    "weapon": lambda cite: cite.weapons,
    "move-other": lambda cite: cite.forced_move,
    "pass-over": lambda cite: cite.symbol,
    "role": lambda cite: cite.hidden_deal,
    "ruling": lambda cite: cite.table_ruling,
    "known-haunt": lambda cite: cite.known_haunt,
    "traitor": lambda cite: cite.volunteer,
    "volunteer": lambda cite: cite.volunteer,
    "volunteers": lambda cite: cite.volunteer,
    "scenario": lambda cite: cite.scenario,
    "haunt-room": lambda cite: cite.haunt_chart,
}
"""By the key of a question: the rule that asks it. All other questions are asked by a text of content."""

CHANCES: dict[str, Topic] = {
    "dice": lambda cite: cite.dice_roll,
    "tile-back": lambda cite: cite.top_back,
    "tile": lambda cite: cite.tile_turned,
    "card": lambda cite: cite.draw,
    "coin": lambda cite: cite.coin,
    "roles": lambda cite: cite.hidden_deal,
    "tokens": lambda cite: cite.hidden_deal,
}
"""By the key of a request of chance."""


def procedure_behind(cite: Citations, decision: Decision) -> str:
    """The rule that asks it; empty if a text of content does."""
    key = id_kind(decision.about)
    topic = CHANCES.get(key) if decision.kind == "chance" else ASKED.get(key)
    if key == "dice" and decision.seat == MODERATOR and cite.moderator_rolls:
        return cite.moderator_rolls
    return topic(cite) if topic is not None else ""


def rule_of_question(cite: Citations, decision: Decision, *, monsters: bool) -> str:
    """The rule that asks it, or the precedence rule of the text that asks, as far as everybody may know which text it is.

    Args:
        cite: the edition's.
        decision: the question.
        monsters: whether it is asked in the monsters' turn: sides of barrier rooms are then those of a monster (2E-ROOM-012).
    """
    key, block = split_id(decision.about)
    if key == "part" and monsters and cite.monster_side:
        return cite.monster_side
    return procedure_behind(cite, decision) or rule_of_text(cite, block)


def rule_of_text(cite: Citations, block: str) -> str:
    """The precedence rule of a block of content (2E-PREC-001, 2E-PREC-002)."""
    return cite.haunt_precedence if block.startswith("haunt/") else cite.card_precedence
