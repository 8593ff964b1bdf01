"""Who is who: sides, opponents, company, what a character has and where it is. Questions about a state, nothing compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.state import TRAIT_INDEX, Explorer, Figure, Room, State

if TYPE_CHECKING:
    from content.vocabulary.pack import Barrier
    from domain.rules import Rules

LOWEST = 1
"""The position of a track's lowest number: the last space before the skull."""


def trait_of(state: State, figure: Figure, trait: str) -> int:
    """A character's current value in a trait; 0 for what it lacks."""
    if isinstance(figure, int):
        return state.explorers[figure].value(trait)
    monster = state.monsters.get(figure)
    return 0 if monster is None else monster.traits.get(trait, 0)


def is_kind(state: State, figure: Figure, kind: str) -> bool:
    """Whether a character is a `monster`, `hero`, `traitor`, `revealed-traitor`, `drawer`, or an `explorer` at all.

    Before it is revealed a hidden traitor passes for a hero: whom a text touches must not tell who it is.
    """
    if not isinstance(figure, int):
        return kind == "monster"
    if kind == "explorer":
        return True
    if kind == "drawer":
        return not state.turn.monsters and state.turn.seat == figure
    explorer = state.explorers[figure]
    if kind == "hero":
        return not (explorer.side == "traitor" and explorer.revealed)
    if kind == "revealed-traitor":
        return explorer.side == "traitor" and explorer.revealed
    return kind == "traitor" and explorer.side == "traitor"


def side_of(state: State, figure: Figure) -> str:
    """`heroes` or `traitor`; before the haunt every explorer counts as hero."""
    if isinstance(figure, int):
        return "traitor" if state.explorers[figure].side == "traitor" else "heroes"
    monster = state.monsters.get(figure)
    return "traitor" if monster is None else monster.side


def traitor_is(state: State, wanted: str) -> bool:
    """What is publicly so about the traitor."""
    haunt = state.haunt
    if haunt is None:
        return wanted == "none"
    if wanted == "hidden":
        return haunt.hidden
    if wanted == "none":
        return haunt.traitor < 0 and not haunt.hidden
    if wanted == "exists":
        return haunt.traitor >= 0 or haunt.hidden
    if haunt.traitor < 0 or haunt.hidden:
        return False
    traitor = state.explorers[haunt.traitor]
    here = traitor.alive or traitor.removed
    return here if wanted == "revealed" else not here


def takes_turns(explorer: Explorer) -> bool:
    """Whether an explorer's player has turns: of the dead none, of those out of the house the traitor (2E-HTURN-004)."""
    return explorer.alive or (explorer.removed and explorer.side == "traitor")


def room_of(state: State, figure: Figure) -> Room:
    """The room a character is in."""
    return state.rooms[state.place_of(figure)[0]]


def cards_of(state: State, figure: Figure) -> list[str]:
    """Cards in a character's possession."""
    if isinstance(figure, int):
        return state.explorers[figure].cards
    monster = state.monsters.get(figure)
    return [] if monster is None else monster.cards


def together(state: State, figure: Figure, other: Figure) -> bool:
    """Two characters in the same room and part (2E-ROOM-010)."""
    return figure != other and state.place_of(figure) == state.place_of(other)


def in_play(state: State, card: str) -> bool:
    """Whether a card is in somebody's possession or in a pile; what was carried out of the house is not."""
    if any(card in one.cards and not one.escaped for one in state.explorers):
        return True
    if any(card in pile.cards for pile in state.piles):
        return True
    return any(card in monster.cards for monster in state.monsters.values())


def critical(state: State, figure: Figure) -> list[str]:
    """Traits of a character that are critical: on the last space before the skull (3E-TRAIT-008)."""
    if not isinstance(figure, int):
        return []
    at = state.explorers[figure].at
    return [trait for trait, index in TRAIT_INDEX.items() if at[index] == LOWEST]


def chosen_rulings(state: State) -> dict[str, list[str]]:
    """By piece: what the table chose of its rulings when it opened the game, one id or several."""
    chosen = state.options.get("rulings")
    if not isinstance(chosen, dict):
        return {}
    return {piece: [named] if isinstance(named, str) else list(named) for piece, named in chosen.items()}


def to_cross(rules: Rules, state: State, barrier: Barrier) -> int:
    """What a roll to cross has to come to at this table (2E-ROOM-005)."""
    for alternative, number in barrier.by_ruling.items():
        if rules.plays_by(state, alternative):
            return number
    return barrier.at_least


def turn_order(state: State) -> list[int]:
    """All seats, the current player first, then clockwise (2E-SETUP-009)."""
    first = state.first_seat()
    return [(first + step) % state.seats for step in range(state.seats)]


def opposed(state: State, figure: Figure, other: Figure) -> bool:
    """Whether two characters are opponents (2E-ATK-004); with a hidden traitor every explorer may be (2E-HID-009)."""
    if state.haunt is None:
        return False
    if state.haunt.hidden and (isinstance(figure, int) or isinstance(other, int)):
        return figure != other  # nobody claims the traitor's friends unrevealed (2E-HID-006)
    return side_of(state, figure) != side_of(state, other)
