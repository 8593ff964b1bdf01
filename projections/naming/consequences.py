"""What a choice leads to that nobody takes back: a death, the end of the turn or of movement, a card used up or used for this turn.

Read off the content, not off a state: what comes of a roll or depends on a condition is only said to be possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from content.vocabulary.abilities import Action
from content.vocabulary.effects import Effect, Option
from domain.engine.rules import Rules

CERTAIN: Mapping[str, str] = {
    "you": "deadly",
    "target": "deadly for the target",
    "escape": "you leave the house for good",
    "turn": "ends your turn",
    "moving": "ends your movement",
    "this": "uses the card up",
}
"""By what an effect says: what it leads to, in words."""
POSSIBLE: Mapping[str, str] = {
    "you": "may be deadly",
    "target": "may be deadly for the target",
    "escape": "you may leave the house for good",
    "turn": "may end your turn",
    "moving": "may end your movement",
    "this": "may use the card up",
}
"""The same where it does not always happen."""
SPENT = "its use this turn"


@lru_cache(maxsize=4096)
def of_action(rules: Rules, source: str, word: str) -> str:
    """What an action leads to, as the end of a label: ` (ends your turn)`, or nothing.

    Args:
        rules: of the game.
        source: as the pack's tables have it (`Tables.source_in_play`).
        word: of the action.
    """
    action = next((one for one in rules.pack.actions.get(source, ()) if one.word == word), None)
    if action is None:
        return ""
    said = _said(rules, source.partition("#")[0].replace(":", "/"), action.do)
    return _ending([*said, *([SPENT] if _spends(source, action) else [])])


def _spends(source: str, action: Action) -> bool:
    """Whether it is the one use of a card in a turn (2E-ITEM-003)."""
    return source.startswith("card:") and not (action.constant or action.again)


def of_option(rules: Rules, owner: str, option: Option) -> str:
    """The same of an option of `choose` in a piece: `card/bottle`, `haunt/the-bell-below`."""
    return _ending(_said(rules, owner, option.do))


def _ending(said: Sequence[str]) -> str:
    if CERTAIN["this"] in said:
        said = [one for one in said if one != SPENT]
    return f" ({', '.join(said)})" if said else ""


def _said(rules: Rules, owner: str, effects: Sequence[Effect]) -> list[str]:
    found = list(_walk(rules, owner, effects, certain=True))
    certain = {what for what, always in found if always}
    possible = dict.fromkeys(what for what, _ in found if what not in certain)
    return [*(words for what, words in CERTAIN.items() if what in certain), *(POSSIBLE[what] for what in possible)]


def _walk(
    rules: Rules, owner: str, effects: Sequence[Effect], *, certain: bool, within: tuple[str, ...] = ()
) -> Iterator[tuple[str, bool]]:
    """Each consequence for whoever acts or is the target, and whether it always follows."""
    for effect in effects:
        always = certain and effect.if_ is None and effect.may is None
        if effect.who in (None, "you", "target"):
            yield from ((what, always) for what in _consequences(effect))
        branches = (
            effect.then,
            effect.else_,
            *(effect.outcomes or {}).values(),
            *(one.do for one in effect.choose or ()),
            effect.each_room.do if effect.each_room is not None else None,
        )
        for branch in branches:
            yield from _walk(rules, owner, branch or (), certain=False, within=within)
        if effect.run is not None and effect.run not in within:
            written = rules.pack.written
            block = written.get(f"{owner}#blocks.{effect.run}", written.get(f"pack#blocks.{effect.run}", ()))
            yield from _walk(rules, owner, block, certain=always, within=(*within, effect.run))


def _consequences(effect: Effect) -> Iterator[str]:
    if effect.kill in ("you", "target"):
        yield "target" if "target" in (effect.kill, effect.who) else "you"
    if effect.who == "target":
        return
    if effect.escape is not None:
        yield "escape"
    if effect.stop in ("turn", "moving"):
        yield effect.stop
    if effect.discard is not None or (effect.lose_card is not None and effect.lose_card.card == "this"):
        yield "this"
