"""Stacks are rows of slots that chance determines when somebody looks: first the back, then the face."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import Machine
from domain.facts.events import BackSeen
from domain.facts.pieces import Deck, Slot


def face_at(m: Machine, f: Frame[Waiting], name: str, index: int, *, secret_to: int = -1) -> str | None:
    """The face of a slot counted from the top, asking chance if nobody has looked yet; None: wait.

    Nothing is noted here: the caller emits who learns it. `secret_to` names the seat that looks.
    """
    deck = m.state.decks[name]
    slot = slot_at(deck, index)
    if slot.face:
        return slot.face
    what = f"card:{name}" if name != "tiles" else "tile"
    if secret_to >= 0:
        what = f"{what}:seen-by:{secret_to}"
    if name != "tiles":
        return m.pick(f, what, deck.pool)
    if slot.back:
        back_of = m.rules.pack.tile_backs
        return m.pick(f, what, [face for face in deck.pool if back_of[face] == slot.back])
    return m.pick(f, what, *_loose_tiles(m, deck))


def _loose_tiles(m: Machine, deck: Deck) -> tuple[list[str], list[int]]:
    """Tiles that a slot of unknown back may hold, by weight: a back's share is spread over all tiles that bear it."""
    back_of = m.rules.pack.tile_backs
    open_backs = dict(zip(*backs(m, deck), strict=True))
    bearing = Counter([back_of[face] for face in deck.pool])
    common = math.lcm(*bearing.values())
    faces = [face for face in deck.pool if back_of[face] in open_backs]
    return faces, [open_backs[back_of[face]] * common // bearing[back_of[face]] for face in faces]


def slot_at(deck: Deck, index: int) -> Slot:
    """What is known of a slot, counted from the top."""
    if index < len(deck.top):
        return deck.top[index]
    below = index - len(deck.top) - deck.unknown
    return Slot() if below < 0 else deck.bottom[below]


def backs(m: Machine, deck: Deck) -> tuple[Sequence[str], Sequence[int]]:
    """The backs that the next undetermined slot may have, with how many tiles bear each.

    Tiles set aside face down have shown their backs, so as many faces with such a back are taken.
    """
    back_of = m.rules.pack.tile_backs
    counted = Counter(map(back_of.__getitem__, deck.pool))
    for slot in (*deck.aside, *deck.top, *deck.bottom):
        if slot.back and not slot.face:
            counted[slot.back] -= 1
    left = {back: number for back, number in counted.items() if number > 0}
    return list(left), list(left.values())


def see_top(m: Machine, f: Frame[Waiting]) -> bool | None:
    """The back of the top tile can be read at any time (2E-DISC-003), if tiles are in a stack."""
    if not m.rules.edition.exploration.stack:
        return None
    deck = m.state.decks["tiles"]
    if deck.top:
        if deck.top[0].back:
            return None
        back: str | None = m.rules.pack.back_of(deck.top[0].face)
    elif deck.unknown:
        back = m.pick(f, "tile-back", *backs(m, deck))
    else:
        return None  # buried tiles have shown their backs
    if back is None:
        return WAIT
    m.emit(BackSeen(deck="tiles", back=back, rule=m.rules.cite.top_back))
    return None


SEE_TOP = procedure("see-top", see_top)
