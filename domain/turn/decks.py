"""Stacks as slots that chance determines when somebody looks: first the back, then the face."""

from __future__ import annotations

from collections.abc import Sequence

from domain.effects.machine import Frame, Machine
from domain.state import Deck


def face_at(m: Machine, f: Frame, name: str, index: int, *, secret_to: int = -1) -> str | None:
    """The face of a slot counted from the top, asking chance if nobody has looked yet; None: wait.

    Nothing is remembered here: the caller emits who learns it. `secret_to` names the seat that looks.
    """
    deck = m.state.decks[name]
    slots = deck.top
    if index < len(slots) and slots[index].face:
        return slots[index].face
    if index >= len(slots) + deck.unknown:
        return deck.bottom[index - len(slots) - deck.unknown].face
    back = slots[index].back if index < len(slots) else ""
    options = [face for face in deck.pool if not back or m.rules.pack.back_of(face) == back]
    what = f"card:{name}" if name != "tiles" else "tile"
    return m.pick(f, what if secret_to < 0 else f"{what}:seen-by:{secret_to}", options)


def backs(m: Machine, deck: Deck) -> tuple[Sequence[str], Sequence[int]]:
    """The backs that the next undetermined slot may have, with how many tiles bear each.

    Tiles set aside face down have shown their backs, so that many faces with such a back are spoken for.
    """
    counted: dict[str, int] = {}
    for face in deck.pool:
        back = m.rules.pack.back_of(face)
        counted[back] = counted.get(back, 0) + 1
    for slot in (*deck.aside, *deck.top, *deck.bottom):
        if slot.back and not slot.face:
            counted[slot.back] -= 1
    left = {back: number for back, number in counted.items() if number > 0}
    return list(left), list(left.values())
