"""The rule behind a question, for whoever answers it wrongly and for whoever asks why it was put."""

from __future__ import annotations

from domain.editions.citations import Citations
from domain.facts.state import MODERATOR, Decision

ASKED: dict[str, str] = {
    "place": "tile_placed",
    "bury-tile": "tile_placed",
    "damage": "division",
    "haunt": "ready",
    "trade-with": "trade",
    "before-roll": "item_use",
    "after-roll": "item_use",
    "before-harm": "harm_window",
    "decline": "decline_moment",
    "ignore": "traitor_ignores",
    "part": "arrival_side",
    "move-tile": "connecting_door",
    "doorway": "rearrange",
    "rearrange": "rearrange",
    "go-on": "turn_ends",
    "witness": "own_turn",
    "entry": "own_turn",
    "steal": "steal",
    "weapon": "weapons",
    "pass-over": "symbol",
    "role": "hidden_deal",
    "ruling": "table_ruling",
    "known-haunt": "known_haunt",
    "haunt-room": "haunt_chart",
}
"""By the key of a question: the topic of the rule that has it asked. All other questions are a text's own."""

CHANCES: dict[str, str] = {
    "dice": "dice_roll",
    "tile-back": "top_back",
    "tile": "tile_turned",
    "card": "draw",
    "coin": "coin",
    "roles": "hidden_deal",
    "tokens": "hidden_deal",
}
"""By the key of a request of chance."""


def procedure_behind(cite: Citations, decision: Decision) -> str:
    """The rule that has it asked; empty where a text of content asks it."""
    key = decision.about.partition(":")[0]
    topic = CHANCES.get(key) if decision.kind == "chance" else ASKED.get(key)
    if key == "dice" and decision.seat == MODERATOR and cite.moderator_rolls:
        topic = "moderator_rolls"
    return str(getattr(cite, topic)) if topic else ""


def rule_of_question(cite: Citations, decision: Decision, *, monsters: bool) -> str:
    """The rule that has it asked, or the rank of the text that asks, as far as everybody may know which one that is.

    Args:
        cite: the edition's.
        decision: the question.
        monsters: whether it is asked in the monsters' turn: sides of barrier rooms are then those of a monster (2E-ROOM-012).
    """
    key, _, block = decision.about.partition(":")
    if key == "part" and monsters and cite.monster_side:
        return cite.monster_side
    return procedure_behind(cite, decision) or rule_of_text(cite, block)


def rule_of_text(cite: Citations, block: str) -> str:
    """The rank by which what this block of content orders holds (2E-PREC-001, 2E-PREC-002)."""
    return cite.haunt_precedence if block.startswith("haunt/") else cite.card_precedence
