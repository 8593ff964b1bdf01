"""Item piles on the floor (2E-ITEM-007 to 2E-ITEM-009)."""

from domain.facts.state import State


def pile_at(state: State, room: str, part: int) -> list[str]:
    """Cards lying in (a part of) a room."""
    for pile in state.piles:
        if pile.room == room and pile.part == part:
            return pile.cards
    return []
