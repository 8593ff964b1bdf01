"""Where characters are to whoever's steps ask: a monster that hides is nowhere, except in its own side's book and for what it does itself."""

from __future__ import annotations

from domain.engine.block import Frame
from domain.engine.machine import Glance, Machine
from domain.facts.pieces import Room
from domain.facts.state import Figure, MonsterId, is_monster


def sees(m: Glance, f: Frame, monster: MonsterId) -> bool:
    """Whether the steps of a frame may know where a monster is."""
    one, you = m.state.monsters[monster], f.vars["you"]
    if not one.hides or monster == you:
        return True
    return _of_book(m, f) == one.side


def _of_book(m: Glance, f: Frame) -> str:
    """The side in whose book the steps stand; empty of rooms, cards and tokens."""
    source = str(f.vars.get("src", ""))
    if not source.startswith("haunt:"):
        return ""
    frames = [*m.stack, f] if isinstance(m, Machine) else [f]
    for frame in frames[::-1]:
        for name in (
            str(frame.vars.get("does", "")),
            frame.block.id,
            f"#{frame.vars.get('src', '').partition(':')[2]}.",
        ):
            for side in ("heroes", "traitor"):
                if f"#{side}." in name:
                    return side
    return ""


def whereabouts(m: Glance, f: Frame, figure: Figure) -> tuple[str, int]:
    """Room and part of a character, as far as the steps of a frame may know; no room of a monster that hides from them.

    Raises:
        LookupError: they may know what the role was not told whose state this is.
    """
    if is_monster(figure) and m.state.monsters[figure].hides:
        return m.state.hideout_of(figure) if sees(m, f, figure) else ("", 0)
    return m.state.place_of(figure)


def your_place(m: Glance, f: Frame) -> tuple[str, int]:
    """Room and part of the frame's `you`."""
    return m.state.stands_at(f.vars["you"])


def your_room(m: Glance, f: Frame) -> Room:
    """The room of the frame's `you`."""
    return m.state.rooms[your_place(m, f)[0]]
