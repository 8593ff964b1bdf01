"""What the sentences of all topics share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from domain.facts.events.base import Event
from projections.naming.names import enumerated
from projections.naming.questions import Asking

Sentences = dict[type[Event], Callable[[Asking, Any], str]]
"""By event type: the function that words it, given the names of the game and the event."""


def faces(rolled: list[int], bonus: int = 0) -> str:
    """What dice showed: `1 0 2`, `1 0 2, plus 4`."""
    shown = " ".join(str(face) for face in rolled) or "no dice"
    return f"{shown}, plus {bonus}" if bonus else shown


def audience(to: Mask, seats: int) -> str:
    """Who was told, in words: `everybody`, `seat 1 and the referee`.

    Args:
        to: a mask of principals.
        seats: how many the game has.
    """
    told = [seat for seat in range(seats) if to & seat_bit(seat)]
    if len(told) == seats:
        if to & SPECTATORS and to & REFEREE:
            return "everybody"
        words = ["all seats"]
    else:
        words = [f"{'seat' if len(told) == 1 else 'seats'} {', '.join(map(str, told))}"] if told else []
    words += ["the spectators"] if to & SPECTATORS else []
    words += ["the referee"] if to & REFEREE else []
    return enumerated(words) or "nobody"


def capital(words: str) -> str:
    """Words with a capital first letter."""
    return words[:1].upper() + words[1:]
