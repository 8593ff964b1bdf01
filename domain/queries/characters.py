"""Questions about characters: sides, opponents, company, belongings, places."""

from __future__ import annotations

from domain.engine.machine import Glance
from domain.facts.ids import HOUSE, id_name
from domain.facts.pieces import Room
from domain.facts.state import TAKEN_AWAY, TRAIT_INDEX, Explorer, Figure, State, is_explorer
from domain.house.paths import distances, reaches

LOWEST = 1
"""The position of a track's lowest number: the last space before the skull."""


def trait_of(state: State, figure: Figure, trait: str) -> int:
    """A character's current value in a trait; 0 for what it lacks."""
    if is_explorer(figure):
        return state.explorers[figure].value(trait)
    monster = state.monsters.get(figure)
    return 0 if monster is None else monster.traits.get(trait, 0)


def has_trait(state: State, figure: Figure, trait: str) -> bool:
    """Whether a character has a trait at all, which everybody sees even of a monster whose box they have not read."""
    if is_explorer(figure):
        return state.explorers[figure].value(trait) > 0
    monster = state.monsters.get(figure)
    return monster is not None and not monster.lacks(trait)


def is_kind(state: State, figure: Figure, kind: str) -> bool:
    """Whether a character is a `monster`, `hero`, `traitor`, `revealed-traitor`, `drawer`, or an `explorer` at all.

    Before it is revealed a hidden traitor counts as a hero: whom a text affects must not give it away. Who plays against everybody
    counts as one too, so that cards and rooms go on doing what they did.
    """
    if not is_explorer(figure):
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
    """`heroes`, `traitor`, or in a free-for-all `seat:2`; before the haunt every explorer counts as hero."""
    if is_explorer(figure):
        return state.explorers[figure].side or "heroes"
    monster = state.monsters.get(figure)
    return "traitor" if monster is None else monster.side


def traitor_is(state: State, wanted: str) -> bool:
    """Whether something is publicly true of the traitor."""
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


def takes_turns(state: State, explorer: Explorer) -> bool:
    """Whether an explorer's player has turns: not the dead, and of those out of the house only the traitor (2E-HTURN-004).

    While the traitor is hidden nobody out of the house has any: the turns would tell whose the role is (2E-HID-003, 3E-HTYPE-004).
    """
    if explorer.alive or state.haunt is None or state.haunt.hidden:
        return explorer.alive
    return explorer.removed and explorer.side == "traitor"


def room_of(state: State, figure: Figure) -> Room:
    """The room a character is in."""
    return state.rooms[state.stands_at(figure)[0]]


def cards_of(state: State, figure: Figure) -> list[str]:
    """Cards in a character's possession."""
    if is_explorer(figure):
        return state.explorers[figure].cards
    monster = state.monsters.get(figure)
    return [] if monster is None else monster.cards


def together(state: State, figure: Figure, other: Figure) -> bool:
    """Two characters in the same room and part (2E-ROOM-010)."""
    return figure != other and state.stands_at(figure) == state.place_of(other)


def in_play(state: State, card: str) -> bool:
    """Whether a card is in somebody's possession or in a pile; what was carried out of the house is not."""
    if any(card in one.cards and not one.removed for one in state.explorers):
        return True
    if any(card in pile.cards for pile in state.piles):
        return True
    return any(card in monster.cards for monster in state.monsters.values())


def critical(state: State, figure: Figure) -> list[str]:
    """Traits of a character that are critical: on the last space before the skull (3E-TRAIT-008)."""
    if not is_explorer(figure):
        return []
    at = state.explorers[figure].at
    return [trait for trait, index in TRAIT_INDEX.items() if at[index] == LOWEST]


def winning_seats(state: State) -> list[int]:
    """The seats whose side has won, dead or alive; whoever was turned against the heroes has won with the house."""
    side = "traitor" if state.winner == HOUSE else state.winner
    return [one.seat for one in state.explorers if side and one.side == side]


def turn_order(state: State) -> list[int]:
    """All seats, the current player first, then clockwise (2E-SETUP-009)."""
    first = state.first_seat()
    return [(first + step) % state.seats for step in range(state.seats)]


def opposed(state: State, figure: Figure, other: Figure) -> bool:
    """Whether two characters are opponents (2E-ATK-004); with a hidden traitor every explorer may be (2E-HID-009).

    In a free-for-all every explorer is, to all others and to the monsters (3E-HTYPE-007).
    """
    if state.haunt is None:
        return False
    if state.haunt.hidden and (is_explorer(figure) or is_explorer(other)):
        return figure != other  # an unrevealed traitor has no claim to the traitor's friends (2E-HID-006)
    return side_of(state, figure) != side_of(state, other)


def as_option(figure: Figure) -> str:
    """A character as the option of a choice: `seat:2`, `rat-2`."""
    return f"seat:{figure}" if is_explorer(figure) else figure


def holders(state: State, card: str) -> list[Figure]:
    """Who has a card: an explorer, or a monster that carries it."""
    found: list[Figure] = [one.seat for one in state.living() if card in one.cards]
    return found + [name for name, monster in state.monsters.items() if card in monster.cards]


def beside(state: State, seat: int, step: int) -> int:
    """The next living explorer to the left (clockwise) or right."""
    other = seat
    for _ in range(state.seats):
        other = (other + step) % state.seats
        if state.explorers[other].alive:
            return other
    return seat


def fits_word(state: State, seat: int, you: Figure, each: str) -> bool:
    """Whether an explorer is what a selection says: `hero`, `traitor`, `opponent` of `you`, or any explorer."""
    if each == "hero":
        return is_kind(state, seat, "hero")
    if each == "traitor":
        return state.explorers[seat].side == "traitor"
    if each == "opponent":
        return seat != you and opposed(state, seat, you)
    return True


def nearest(state: State, you: Figure) -> list[Figure]:
    """The other explorers that are nearest by the ways that `you` can go; several if they are equally near, none if there is no way."""
    reach = distances(state, state.stands_at(you)[0], monster=not is_explorer(you))
    others = [one for one in state.living() if one.seat != you and one.room in reach]
    if not others:
        return []
    least = min(reach[one.room] for one in others)
    return [one.seat for one in others if reach[one.room] == least]


def reaches_no_hero(m: Glance, room: str) -> bool:
    """Whether a monster there has no way to any hero; the Elevator and shafts that it can climb are ways (2E-MON-021)."""
    goals = {one.room for one in m.state.living() if is_kind(m.state, one.seat, "hero")}
    goals.update(id_name(source) for source in m.rules.pack.moving)
    return not reaches(m.state, room, goals)


def token_at(state: State, token: str, room: str, part: int) -> bool:
    """Whether a token of this name is in that part of the room."""
    return any(here.token == token and here.room == room and here.part == part for here in state.tokens)


def company(state: State, figure: Figure) -> list[Explorer]:
    """Living explorers in the same room and part as a character."""
    return [one for one in state.living() if together(state, figure, one.seat)]


def corpses(state: State) -> list[int]:
    """Seats of the dead whose figures lie in the house (3E-DIE-003), in turn order."""
    return [seat for seat in turn_order(state) if is_corpse(state.explorers[seat])]


def is_corpse(explorer: Explorer) -> bool:
    """Whether a dead explorer's figure lies in the house."""
    return not explorer.alive and not explorer.removed and explorer.died != TAKEN_AWAY


def is_dead(state: State, who: str) -> bool:
    """Whether `any-explorer`, the `traitor`, or all `heroes` have died."""
    dead = [explorer for explorer in state.explorers if not explorer.alive and not explorer.removed]
    if who == "any-explorer":
        return bool(dead)
    if who == "traitor":
        return any(explorer.side == "traitor" for explorer in dead)
    return all(explorer in dead for explorer in state.explorers if explorer.side != "traitor")


def lairs(state: State, floor: str) -> set[str]:
    """Rooms of a floor with monsters of the traitor."""
    rooms = state.rooms
    there = {one.room for one in state.monsters.values() if one.side == "traitor" and not one.hides}
    return {room for room in there if rooms[room].floor == floor}
