"""Compiles conditions (`if`), selections of characters (`who`) and places of the vocabulary.

They share a module because they are recursive: a condition may select, and a selection may have a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from content.vocabulary.values import Condition, Each, Number, Place, Rooms, Who
from domain.engine.block import Cast, Frame, Test, loops
from domain.engine.machine import Glance
from domain.facts.grid import next_door, opposite, part_of
from domain.facts.ids import id_name
from domain.facts.pieces import Room
from domain.facts.state import Figure, MonsterId, is_explorer
from domain.queries.characters import (
    beside,
    corpses,
    fits_word,
    has_trait,
    holders,
    nearest,
    opposed,
    trait_of,
    turn_order,
)
from domain.queries.numbers import counter, number
from domain.queries.rooms import fitting
from domain.queries.simple_conditions import SIMPLE
from domain.queries.whereabouts import sees, whereabouts, your_place, your_room


def test(condition: Condition) -> Test:
    """Compile a condition."""
    stated = condition.stated()
    tests = [build(stated[key]) for key, build in KEYS.items() if key in stated]
    if condition.counter is not None or condition.count is not None or condition.number is not None:
        tests.append(_comparison(condition))
    if len(tests) == 1:
        return tests[0]
    return lambda m, f: all(one(m, f) for one in tests)


def _all(conditions: list[Condition]) -> Test:
    parts = [test(part) for part in conditions]
    return lambda m, f: all(part(m, f) for part in parts)


def _any(conditions: list[Condition]) -> Test:
    parts = [test(part) for part in conditions]
    return lambda m, f: any(part(m, f) for part in parts)


def _not(condition: Condition) -> Test:
    negated = test(condition)
    return lambda m, f: not negated(m, f)


def _in(place: Place) -> Test:
    return lambda m, f: stands_in(m, f, place)


def _there_is(who: Who) -> Test:
    found = cast(who)
    return lambda m, f: bool(found(m, f))


def _with(who: Who) -> Test:
    others = cast(who)
    return lambda m, f: next(beside_you(m, f, others), None) is not None


def beside_you(m: Glance, f: Frame, others: Cast) -> Iterator[Figure]:
    """Those of the others who share the room and part of the frame's `you`."""
    you = f.vars["you"]
    return (one for one in others(m, f) if one != you and whereabouts(m, f, one) == your_place(m, f))


KEYS: dict[str, Callable[[Any], Test]] = {
    **SIMPLE,
    "all": _all,
    "any": _any,
    "not_": _not,
    "in_": _in,
    "with_": _with,
    "there_is": _there_is,
}
"""By the vocabulary's field; comparisons of `counter`, `count` and `number` take several fields and are handled apart."""


def _comparison(c: Condition) -> Test:
    if c.counter is not None:
        left = number(Number(counter=c.counter))
    elif c.count is not None:
        left = number(Number(count=c.count))
    else:
        left = number(c.number if c.number is not None else 0)
    least = number(c.at_least) if c.at_least is not None else None
    most = number(c.at_most) if c.at_most is not None else None
    if least is None and most is None:
        return lambda m, f: left(m, f) >= 1
    return lambda m, f: (least is None or left(m, f) >= least(m, f)) and (most is None or left(m, f) <= most(m, f))


def cast(who: Who) -> Cast:
    """Compile a selection of characters, in turn order from the current player on."""
    if isinstance(who, Each):
        return _each(who)
    if who == "you":
        return lambda _m, f: [f.vars["you"]]
    if who == "target":
        return lambda _m, f: _target(f)
    if who == "traitor":
        return lambda m, _f: [one.seat for one in m.state.living() if one.side == "traitor"]
    if who.startswith("holder:"):
        card = id_name(who)
        return lambda m, _f: holders(m.state, card)
    if who == "nearest-explorer":
        return lambda m, f: nearest(m.state, f.vars["you"])
    step = 1 if who == "left-of-you" else -1
    return lambda m, f: [beside(m.state, your_seat(f), step)]


def actor(f: Frame) -> Figure:
    """Who acts or has drawn the card, also while `you` are somebody else for a step."""
    if "owner" in f.vars:
        return f.vars["owner"]
    if "drawer" in f.vars:
        return f.vars["drawer"]
    return next((bound[0] for name, bound in loops(f).items() if name.startswith("each@")), f.vars["you"])


def your_seat(f: Frame) -> int:
    """The seat of `you`, for words of the vocabulary that are for explorers alone.

    Raises:
        TypeError: `you` is a monster; fail rather than ask one.
    """
    you = f.vars["you"]
    if not is_explorer(you):
        raise TypeError(you)
    return you


def _target(f: Frame) -> list[Figure]:
    aim = f.vars.get("target")
    if aim is None:
        return []
    return [aim if is_explorer(aim) else MonsterId(aim)]


def _each(each: Each) -> Cast:
    """Compile a filter; the keys that few use come last."""
    if each.if_ is None and each.having is None and each.lowest is None and each.most is None and not each.first:
        return lambda m, f: _filtered(m, f, each)
    fits = test(each.if_) if each.if_ is not None else None

    def narrowed(m: Glance, f: Frame) -> list[Figure]:
        found = _filtered(m, f, each)
        if each.having is not None:
            found = [one for one in found if all(has_trait(m.state, one, trait) for trait in each.having)]
        if fits is not None:
            found = [one for one in found if fits(m, Frame(f.block, {**f.vars, "you": one}))]
        if each.most is not None and found:
            most = max(counter(m.state, each.most, one) for one in found)
            found = [one for one in found if counter(m.state, each.most, one) == most]
        if each.lowest is not None and found:
            least = min(trait_of(m.state, one, each.lowest) for one in found)
            found = [one for one in found if trait_of(m.state, one, each.lowest) == least]
        if each.first:
            seats = [one for one in found if is_explorer(one)]
            found = [*sorted(seats, key=lambda one: (one - your_seat(f)) % m.state.seats)[:1]]
        return found

    return narrowed


def _filtered(m: Glance, f: Frame, each: Each) -> list[Figure]:
    state, you = m.state, f.vars["you"]
    found: list[Figure] = []
    if each.each == "corpse":
        found += corpses(state)
    elif each.each != "monster":
        found += [
            seat for seat in turn_order(state) if state.explorers[seat].alive and fits_word(state, seat, you, each.each)
        ]
    if each.each in ("monster", "character", "opponent"):
        found += [
            name
            for name, monster in state.monsters.items()
            if each.kind in (None, monster.kind)
            and (each.each != "opponent" or opposed(state, name, you))
            and sees(m, f, name)
        ]
    if each.on is not None:
        found = [one for one in found if state.rooms[whereabouts(m, f, one)[0]].floor in each.on]
    if each.in_ is not None:
        found = within(m, f, each.in_, found)
    return [one for one in found if one != you] if each.besides_you else found


BOUND = {"target-room": "target", "placed-room": "placed", "that-room": "that"}
"""Rooms that an earlier step, a loop or the command has bound."""


def places(m: Glance, f: Frame, place: str | Rooms) -> list[str]:
    """Room ids that a place can mean now, in the order in which they came into the house."""
    state = m.state
    if isinstance(place, Rooms):
        return _rooms(m, f, place, list(state.rooms.values()))
    if place == "here":
        return [your_place(m, f)[0]]
    if place in BOUND:
        room = f.vars.get(BOUND[place])
        return [room] if room in state.rooms else []
    if place == "other-token":
        here = your_place(m, f)[0]
        token = f.vars.get("token", "")
        return [lies.room for lies in state.tokens if lies.token == token and lies.room != here]
    if place == "room-of-haunt":
        return [state.haunt.room] if state.haunt is not None and state.haunt.room in state.rooms else []
    if place.startswith("token:"):
        name = id_name(place)
        return [lies.room for lies in state.tokens if lies.token == name]
    if place.startswith("room-of:"):
        return [whereabouts(m, f, one)[0] for one in cast(id_name(place))(m, f)]
    return [place] if place in state.rooms else []


def within(m: Glance, f: Frame, place: str | Rooms, figures: list[Figure]) -> list[Figure]:
    """Those of the characters who are at a place, and on its side of a barrier (2E-ROOM-010)."""
    if place == "here":
        here = your_place(m, f)
        return [one for one in figures if whereabouts(m, f, one) == here]
    if isinstance(place, str) and place.startswith("room-of:"):
        shared = [whereabouts(m, f, one) for one in cast(id_name(place))(m, f)]
        return [one for one in figures if whereabouts(m, f, one) in shared]
    rooms, sides = places(m, f, place), _sides(m, f, place)
    found = []
    for one in figures:
        room, part = whereabouts(m, f, one)
        if room in rooms and sides.get(room, part) == part:
            found.append(one)
    return found


def _sides(m: Glance, f: Frame, place: str | Rooms) -> dict[str, int]:
    """Of barrier rooms that a place means: the part where `you` are, or the one behind the door through which `you` reach it."""
    room, part = your_place(m, f)
    if isinstance(place, Rooms):
        return {room: part} if place.or_here else {}
    there = m.state.rooms.get(str(f.vars.get("target", ""))) if place == "target-room" else None
    if there is None or not there.divided:
        return {}
    here = m.state.rooms[room]
    if there.id not in next_door(here, part):
        return {}
    return {there.id: part_of(there, opposite(here.near.index(there.id)))}


def stands_in(m: Glance, f: Frame, place: str | Rooms) -> bool:
    """Whether the frame's `you` is at a place, without looking at the rest of the house."""
    if isinstance(place, str) and place.startswith("room-of:"):
        return bool(within(m, f, place, [f.vars["you"]]))
    if isinstance(place, Rooms):
        return bool(_rooms(m, f, place, [your_room(m, f)]))
    return your_place(m, f)[0] in places(m, f, place)


def _rooms(m: Glance, f: Frame, wanted: Rooms, found: list[Room]) -> list[str]:
    if wanted.with_ is not None:
        having = {whereabouts(m, f, one)[0] for one in cast(wanted.with_)(m, f)}
        found = [room for room in found if room.id in having]
    return fitting(m, f, wanted, found)
