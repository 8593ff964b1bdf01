"""Reactions: cards that answer a roll or a harm, in or out of the own turn (Angel Feather, Lucky Stone, Idol, Skull).

A window is opened only where somebody may use it by public state, and asks the one it concerns; `pass` closes it.
"""

from __future__ import annotations

from content.vocabulary.pack import Action
from domain.engine.bindings import Answerable, Bound
from domain.engine.block import Frame
from domain.engine.machine import Glance, Machine
from domain.engine.rules import Rules
from domain.engine.tables import Offer
from domain.facts.events import ActionTaken
from domain.facts.ids import id_name
from domain.rulebook.table.adjustments import answers_roll
from domain.rulebook.table.limits import exhausted, note_use

WINDOWS = {
    "before-roll": ("before-roll", "instead-of-roll"),
    "after-roll": ("after-roll",),
    "before-harm": ("before-harm",),
}
"""By window: the moments of actions that it opens for. One window serves before and instead, for both precede the dice."""


def open_reactions(m: Glance, seat: int, window: str, answered: Answerable) -> list[str]:
    """`card:idol#USE` for each card of the explorer that may answer the bound roll or damage now."""
    pack = m.rules.pack
    explorer = m.state.explorers[seat]
    if not explorer.alive:
        return []
    return [
        f"card:{card}#{offer.action.word}"
        for card in explorer.cards
        for offer in pack.reactions.get(card, ())
        if offer.action.when in WINDOWS[window]
        and f"card:{card}#{offer.action.word}" not in answered.get("answered_by", ())
        and _answers(m.rules, offer.action, answered)
        and not exhausted(m.rules, m.state, seat, f"card:{card}", offer)
        and _holds(m, seat, f"card:{card}", offer, answered)
    ]


def _holds(m: Glance, seat: int, source: str, offer: Offer, answered: Answerable) -> bool:
    """Whether the action's own condition holds for the one who would answer, and the answer could change something."""
    bound: Bound = {"you": seat, "src": source, "drawer": seat, "answered": answered}
    tests = (offer.condition, offer.prospect)
    return all(one is None or one(m, Frame(m.rules.block("act"), bound)) for one in tests)


def _answers(rules: Rules, action: Action, answered: Answerable) -> bool:
    """Whether an action answers this kind of roll, or of damage."""
    kind = answered["kind"]
    if action.when == "before-harm":
        return action.kinds is None or kind in action.kinds
    if action.traits is not None and answered.get("trait", "") not in action.traits:
        return False
    return action.rolls is None or answers_roll(rules, action.rolls, kind, event=answered.get("event", False))


def is_constant(m: Glance, option: str) -> bool:
    """Whether a reaction is what its card does all the time, which has no limit."""
    source, _, word = option.partition("#")
    return any(one.action.word == word and one.action.constant for one in m.rules.pack.reactions[id_name(source)])


def react(m: Machine, seat: int, option: str) -> None:
    """Use the reaction that was chosen."""
    source, _, word = option.partition("#")
    card = id_name(source)
    offer = next(one for one in m.rules.pack.reactions[card] if one.action.word == word)
    rule = m.rules.cite.new_item if card in m.state.explorers[seat].gained else m.rules.cite.item_use
    if offer.action.constant:
        rule = m.rules.cite.always_on or rule
    m.emit(ActionTaken(figure=seat, source=source, word=word, rule=rule))
    note_use(m, seat, source, offer)
    m.call(offer.block, you=seat, src=source, owner=seat)
