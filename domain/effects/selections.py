"""Selections of the vocabulary: which characters `who` means, which rooms a place can mean."""

from __future__ import annotations

from collections.abc import Callable

from content.vocabulary.values import Condition, Each, Rooms, Who
from domain.effects.characters import is_kind, opposed, room_of, trait_of, turn_order
from domain.effects.machine import Frame, Glance
from domain.house.grid import neighbor, next_door, open_windows, opposite, part_of
from domain.house.paths import distances
from domain.state import Figure, Room, State

Cast = Callable[[Glance, Frame], list[Figure]]


def cast(who: Who) -> Cast:
    """Compile a selection of characters, in turn order from the current player on."""
    if isinstance(who, Each):
        return _each(who)
    if who == "you":
        return lambda _m, f: [f.vars["you"]]
    if who == "target":
        return lambda _m, f: [f.vars["target"]] if f.vars.get("target") is not None else []
    if who == "traitor":
        return lambda m, _f: [one.seat for one in m.state.living() if one.side == "traitor"]
    if who.startswith("holder:"):
        card = who.partition(":")[2]
        return lambda m, _f: _holders(m.state, card)
    if who == "nearest-explorer":
        return lambda m, f: _nearest(m, f.vars["you"])
    step = 1 if who == "left-of-you" else -1
    return lambda m, f: [_beside(m.state, f.vars["you"], step)]


def as_option(figure: Figure) -> str:
    """A character as the option of a choice: `seat:2`, `rat-2`."""
    return f"seat:{figure}" if isinstance(figure, int) else figure


def actor(f: Frame) -> Figure:
    """Who acts or has drawn the card, also while `you` are somebody else for a step."""
    for name in ("owner", "drawer"):
        if name in f.vars:
            found: Figure = f.vars[name]
            return found
    loops = [bound for name, bound in f.vars.items() if name.startswith("each@")]
    outermost: Figure = loops[0][0] if loops else f.vars["you"]
    return outermost


def _holders(state: State, card: str) -> list[Figure]:
    """Who has a card: an explorer, or a monster that carries it."""
    found: list[Figure] = [one.seat for one in state.living() if card in one.cards]
    return found + [name for name, monster in state.monsters.items() if card in monster.cards]


def _beside(state: State, seat: int, step: int) -> int:
    """The next living explorer to the left (clockwise) or right."""
    other = seat
    for _ in range(state.seats):
        other = (other + step) % state.seats
        if state.explorers[other].alive:
            return other
    return seat


def _each(each: Each) -> Cast:
    """Compile a filter; the keys that few use come last."""
    if each.if_ is None and each.having is None and each.lowest is None and not each.first:
        return lambda m, f: _filtered(m, f, each)
    fits = condition(each.if_) if each.if_ is not None else None

    def narrowed(m: Glance, f: Frame) -> list[Figure]:
        found = _filtered(m, f, each)
        if each.having is not None:
            found = [one for one in found if all(trait_of(m.state, one, trait) > 0 for trait in each.having)]
        if fits is not None:
            found = [one for one in found if fits(m, Frame(f.block, {**f.vars, "you": one}))]
        if each.lowest is not None and found:
            least = min(trait_of(m.state, one, each.lowest) for one in found)
            found = [one for one in found if trait_of(m.state, one, each.lowest) == least]
        if each.first:
            you, seats = f.vars["you"], m.state.seats
            found = [*sorted((one for one in found if isinstance(one, int)), key=lambda one: (one - you) % seats)[:1]]
        return found

    return narrowed


def condition(asked: Condition) -> Callable[[Glance, Frame], bool]:
    """Compile a condition; the two modules need each other, for conditions select and selections ask."""
    from domain.effects.conditions import test  # noqa: PLC0415 -- see above

    return test(asked)


def _filtered(m: Glance, f: Frame, each: Each) -> list[Figure]:
    state, you = m.state, f.vars["you"]
    found: list[Figure] = []
    if each.each != "monster":
        found += [
            seat for seat in turn_order(state) if state.explorers[seat].alive and _fits(state, seat, you, each.each)
        ]
    if each.each in ("monster", "character", "opponent"):
        found += [
            name
            for name, monster in state.monsters.items()
            if each.kind in (None, monster.kind) and (each.each != "opponent" or opposed(state, name, you))
        ]
    if each.on is not None:
        found = [one for one in found if room_of(state, one).floor in each.on]
    if each.in_ is not None:
        found = within(m, f, each.in_, found)
    return [one for one in found if one != you] if each.besides_you else found


def _fits(state: State, seat: int, you: Figure, each: str) -> bool:
    if each == "hero":
        return is_kind(state, seat, "hero")
    if each == "traitor":
        return state.explorers[seat].side == "traitor"
    if each == "opponent":
        return seat != you and opposed(state, seat, you)
    return True


def _nearest(m: Glance, you: Figure) -> list[Figure]:
    """The other explorers that are nearest by the ways that `you` can go; several if they are equally near, none if there is no way."""
    reach = distances(m.state, m.state.place_of(you)[0], monster=not isinstance(you, int))
    others = [one for one in m.state.living() if one.seat != you and one.room in reach]
    if not others:
        return []
    least = min(reach[one.room] for one in others)
    return [one.seat for one in others if reach[one.room] == least]


BOUND = {"target-room": "target", "placed-room": "placed"}
"""Rooms that an earlier step or the command has bound."""


def places(m: Glance, f: Frame, place: str | Rooms) -> list[str]:
    """Room ids that a place can mean now, in the order in which they came into the house."""
    state = m.state
    if isinstance(place, Rooms):
        return _rooms(m, f, place, list(state.rooms.values()))
    if place == "here":
        return [state.place_of(f.vars["you"])[0]]
    if place in BOUND:
        room = f.vars.get(BOUND[place])
        return [room] if room in state.rooms else []
    if place == "other-token":
        here = state.place_of(f.vars["you"])[0]
        token = f.vars.get("token", "")
        return [lies.room for lies in state.tokens if lies.token == token and lies.room != here]
    if place == "room-of-haunt":
        return [state.haunt.room] if state.haunt is not None else []
    if place.startswith("token:"):
        name = place.partition(":")[2]
        return [lies.room for lies in state.tokens if lies.token == name]
    if place.startswith("room-of:"):
        return [state.place_of(one)[0] for one in cast(place.partition(":")[2])(m, f)]
    return [place] if place in state.rooms else []


def within(m: Glance, f: Frame, place: str | Rooms, figures: list[Figure]) -> list[Figure]:
    """Those of the characters who are at a place: none whom a barrier keeps apart from it (2E-ROOM-010)."""
    state, you = m.state, f.vars["you"]
    if place == "here":
        here = state.place_of(you)
        return [one for one in figures if state.place_of(one) == here]
    if isinstance(place, str) and place.startswith("room-of:"):
        shared = [state.place_of(one) for one in cast(place.partition(":")[2])(m, f)]
        return [one for one in figures if state.place_of(one) in shared]
    rooms, sides = places(m, f, place), _sides(state, f, place)
    found = []
    for one in figures:
        room, part = state.place_of(one)
        if room in rooms and sides.get(room, part) == part:
            found.append(one)
    return found


def _sides(state: State, f: Frame, place: str | Rooms) -> dict[str, int]:
    """Of barrier rooms that a place means: the part where `you` are, or the one behind the door through which `you` reach it."""
    room, part = state.place_of(f.vars["you"])
    if isinstance(place, Rooms):
        return {room: part} if place.or_here else {}
    there = state.rooms.get(f.vars.get("target", "")) if place == "target-room" else None
    if there is None or not there.divided:
        return {}
    here = state.rooms[room]
    if there.id not in next_door(here, part):
        return {}
    return {there.id: part_of(there, opposite(here.near.index(there.id)))}


def stands_in(m: Glance, f: Frame, place: str | Rooms) -> bool:
    """Whether the frame's `you` is at a place; the rest of the house is not looked at."""
    if isinstance(place, str) and place.startswith("room-of:"):
        return bool(within(m, f, place, [f.vars["you"]]))
    if isinstance(place, Rooms):
        return bool(_rooms(m, f, place, [room_of(m.state, f.vars["you"])]))
    return m.state.place_of(f.vars["you"])[0] in places(m, f, place)


def _rooms(m: Glance, f: Frame, wanted: Rooms, found: list[Room]) -> list[str]:  # noqa: C901, PLR0912 -- one branch a key
    state = m.state
    here = room_of(state, f.vars["you"])
    if wanted.one_of is not None:
        found = [room for room in found if room.id in wanted.one_of]
    if wanted.on is not None:
        found = [room for room in found if room.floor in wanted.on]
    if wanted.other_floor:
        found = [room for room in found if room.floor != here.floor]
    if wanted.lower_floor:
        order = ("basement", "ground", "upper")
        found = [room for room in found if order.index(room.floor) < order.index(here.floor)]
    if wanted.adjacent:
        beside = {neighbor(state.grid, here, direction) for direction in range(4)}
        found = [room for room in found if room.id in beside]
    if wanted.connected:
        linked = {*here.near, *(link.to for link in state.links.get(here.id, ()))}
        found = [room for room in found if room.id in linked]
    if wanted.next_door:
        beside = set(next_door(here, state.place_of(f.vars["you"])[1]))
        found = [room for room in found if room.id in beside]
    if wanted.besides_here:
        found = [room for room in found if room.id != here.id]
    if wanted.with_token is not None:
        having = {lies.room for lies in state.tokens if lies.token == wanted.with_token}
        found = [room for room in found if room.id in having]
    if wanted.without_token is not None:
        having = {lies.room for lies in state.tokens if lies.token == wanted.without_token}
        found = [room for room in found if room.id not in having]
    tiles = m.rules.pack.tiles
    if wanted.symbol is not None:
        found = [room for room in found if wanted.symbol in tiles[room.id].symbols]
    if wanted.outside is not None:
        found = [room for room in found if tiles[room.id].outside == wanted.outside]
    if wanted.window is not None:
        found = [room for room in found if bool(open_windows(state.grid, room)) == wanted.window]
    if wanted.within is not None:
        reach = distances(state, here.id, monster=not isinstance(f.vars["you"], int))
        found = [room for room in found if reach.get(room.id, 99) <= wanted.within]
    if wanted.discovered_since_haunt is not None:
        found = [room for room in found if room.in_haunt == wanted.discovered_since_haunt]
    if wanted.with_ is not None:
        having = {state.place_of(one)[0] for one in cast(wanted.with_)(m, f)}
        found = [room for room in found if room.id in having]
    if wanted.or_here and here not in found:
        found.append(here)
    return [room.id for room in found]
