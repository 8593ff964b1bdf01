"""Reactions: cards that answer a roll or a harm, in or out of the own turn (Angel Feather, Lucky Stone, Idol, Skull).

A window is opened only where somebody may use it by public state, and asks the one it concerns; `pass` closes it.
"""

from __future__ import annotations

from content.vocabulary.pack import Action
from domain.effects.machine import Machine
from domain.events import ActionTaken
from domain.turn.limits import exhausted, note_use

WINDOWS = {
    "before-roll": ("before-roll", "instead-of-roll"),
    "after-roll": ("after-roll",),
    "before-harm": ("before-harm",),
}
"""By window: the moments of actions that it opens for. One window serves before and instead, for both precede the dice."""


def open_reactions(m: Machine, seat: int, window: str, *, kind: str, event: bool = False) -> list[str]:
    """`card:idol#USE` for each card of the explorer that may answer now."""
    pack = m.rules.pack
    explorer = m.state.explorers[seat]
    return [
        f"card:{card}#{action.word}"
        for card in explorer.cards
        for action in pack.reactions.get(card, ())
        if action.when in WINDOWS[window]
        and _answers(action, kind, event=event)
        and not exhausted(m.rules, m.state, seat, f"card:{card}", action)
    ]


def _answers(action: Action, kind: str, *, event: bool) -> bool:
    """Whether an action answers this kind of roll, or of damage."""
    if action.when == "before-harm":
        return action.kinds is None or kind in action.kinds
    wanted = action.rolls
    return wanted is None or "any" in wanted or kind in wanted or (event and "event" in wanted)


def react(m: Machine, seat: int, option: str) -> None:
    """Use the reaction that was chosen."""
    source, _, word = option.partition("#")
    card = source.partition(":")[2]
    pack = m.rules.pack
    action = next(one for one in pack.reactions[card] if one.word == word)
    rule = m.rules.cite.new_item if card in m.state.explorers[seat].gained else m.rules.cite.item_use
    m.emit(ActionTaken(figure=seat, source=source, word=word, rule=rule))
    note_use(m, seat, source, action)
    m.call(pack.action_block(source, word), you=seat, src=source, owner=seat)
