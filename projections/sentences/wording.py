"""What the sentences of all topics share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.facts.events.base import Event
from projections.naming.questions import Asking

Sentences = dict[type[Event], Callable[[Asking, Any], str]]
"""By event type: the function that words it, given the names of the game and the event."""


def faces(rolled: list[int], bonus: int = 0) -> str:
    """What dice showed: `1 0 2`, `1 0 2, plus 4`."""
    shown = " ".join(str(face) for face in rolled) or "no dice"
    return f"{shown}, plus {bonus}" if bonus else shown


def capital(words: str) -> str:
    """Words with a capital first letter."""
    return words[:1].upper() + words[1:]
