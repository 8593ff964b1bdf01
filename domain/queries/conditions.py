"""Compiles conditions (`if`), selections of characters (`who`) and places of the vocabulary.

They share a module because they are recursive: a condition may select, and a selection may have a condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.vocabulary.values import Condition, Count, Each, Number, Place, Rooms, SecretIs, Who
from domain.engine.block import Frame, Test, loops
from domain.engine.machine import Glance
from domain.facts.grid import next_door, opposite, part_of
from domain.facts.ids import id_name
from domain.facts.pieces import Room
from domain.facts.state import Figure, MonsterId, is_explorer
from domain.queries.characters import (
    beside,
    cards_of,
    company,
    critical,
    fits_word,
    holders,
    in_play,
    is_dead,
    is_kind,
    lairs,
    nearest,
    opposed,
    reaches_no_hero,
    side_of,
    token_at,
    trait_of,
    traitor_is,
    turn_order,
)
from domain.queries.numbers import count, number
from domain.queries.rooms import fitting
from domain.queries.whereabouts import sees, whereabouts, your_place, your_room

Cast = Callable[[Glance, Frame], list[Figure]]


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


def _phase(wanted: str) -> Test:
    in_haunt = wanted == "haunt"
    return lambda m, _f: (m.state.haunt is not None) == in_haunt


def _you(kind: str) -> Test:
    return lambda m, f: is_kind(m.state, f.vars["you"], kind)


def _side(wanted: str) -> Test:
    return lambda m, f: side_of(m.state, f.vars["you"]) == wanted


def _traitor(wanted: str) -> Test:
    return lambda m, _f: traitor_is(m.state, wanted)


def _on(floors: list[str]) -> Test:
    return lambda m, f: your_room(m, f).floor in floors


def _in(place: Place) -> Test:
    return lambda m, f: stands_in(m, f, place)


def _in_house(tile: str) -> Test:
    return lambda m, _f: tile in m.state.rooms


def _any_in_house(tiles: list[str]) -> Test:
    return lambda m, _f: any(tile in m.state.rooms for tile in tiles)


def _token(token: str) -> Test:
    return lambda m, f: token_at(m.state, token, *your_place(m, f))


def _token_in_house(token: str) -> Test:
    return lambda m, _f: any(here.token == token for here in m.state.tokens)


def _carrying(card: str) -> Test:
    return lambda m, f: card in cards_of(m.state, f.vars["you"])


def _in_play(card: str) -> Test:
    return lambda m, _f: in_play(m.state, card)


def _has_item(wanted: bool | str) -> Test:  # noqa: FBT001 -- the vocabulary's value
    if wanted == "not-weapon":
        return lambda m, f: any(
            m.rules.pack.is_item_card(card) and not m.rules.pack.is_weapon(card)
            for card in cards_of(m.state, f.vars["you"])
        )
    return lambda m, f: any(map(m.rules.pack.is_item_card, cards_of(m.state, f.vars["you"]))) == wanted


def _held(card: str) -> Test:
    return lambda m, _f: any(card in one.cards for one in m.state.living())


def _critical(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, f: bool(critical(m.state, f.vars["you"])) == wanted


def _ruling(alternative: str) -> Test:
    return lambda m, _f: m.rules.plays_by(m.state, alternative)


def _card_state(wanted: str) -> Test:
    return lambda m, f: m.state.card_states.get(id_name(f.vars["src"])) == wanted


def _there_is(who: Who) -> Test:
    found = cast(who)
    return lambda m, f: bool(found(m, f))


def _with(who: Who) -> Test:
    others = cast(who)
    return lambda m, f: any(
        other != f.vars["you"] and whereabouts(m, f, other) == your_place(m, f) for other in others(m, f)
    )


def _alone(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, f: (not company(m.state, f.vars["you"])) == wanted


def _moved(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, f: m.state.explorers[f.vars["you"]].moved == wanted


def _dead(who: str) -> Test:
    return lambda m, _f: is_dead(m.state, who)


def _monsters_gone(kind: str) -> Test:
    gone = Count(monsters=kind)
    return lambda m, _f: count(m.state, gone) == 0


def _round_at_least(rounds: int) -> Test:
    return lambda m, _f: m.state.haunt is not None and m.state.haunt.round >= rounds


def _secret(wanted: SecretIs) -> Test:
    def holds(m: Glance, f: Frame) -> bool:
        chosen = m.state.haunt.secrets.get(wanted.name) if m.state.haunt is not None else None
        return chosen == (your_place(m, f)[0] if wanted.is_ == "here" else wanted.is_)

    return holds


def _came_from(room: str) -> Test:
    return lambda _m, f: f.vars.get("bindings", f.vars).get("came_from") == room


def _discovered_now(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    def discovered_now(m: Glance, f: Frame) -> bool:
        room = your_room(m, f)
        return (room.discoverer == f.vars["you"] and room.placed_in_turn == m.state.turn.number) == wanted

    return discovered_now


def _by_choice(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda _m, f: bool(f.vars.get("bindings", f.vars).get("by_choice")) == wanted


def _monsters_stuck(floor: str) -> Test:
    return lambda m, _f: any(reaches_no_hero(m, room) for room in lairs(m.state, floor))


def _monsters_explore(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, _f: (m.state.haunt is not None and m.state.haunt.id in m.rules.pack.explored_by_monsters) == wanted


KEYS: dict[str, Callable[[Any], Test]] = {
    "all": _all,
    "any": _any,
    "not_": _not,
    "phase": _phase,
    "you": _you,
    "side": _side,
    "traitor": _traitor,
    "on": _on,
    "in_": _in,
    "in_house": _in_house,
    "any_in_house": _any_in_house,
    "token": _token,
    "token_in_house": _token_in_house,
    "carrying": _carrying,
    "in_play": _in_play,
    "held": _held,
    "has_item": _has_item,
    "critical": _critical,
    "ruling": _ruling,
    "card_state": _card_state,
    "with_": _with,
    "there_is": _there_is,
    "moved": _moved,
    "alone": _alone,
    "dead": _dead,
    "monsters_gone": _monsters_gone,
    "round_at_least": _round_at_least,
    "secret": _secret,
    "came_from": _came_from,
    "discovered_now": _discovered_now,
    "by_choice": _by_choice,
    "monsters_stuck": _monsters_stuck,
    "monsters_explore": _monsters_explore,
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
    if each.if_ is None and each.having is None and each.lowest is None and not each.first:
        return lambda m, f: _filtered(m, f, each)
    fits = test(each.if_) if each.if_ is not None else None

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
            seats = [one for one in found if is_explorer(one)]
            found = [*sorted(seats, key=lambda one: (one - your_seat(f)) % m.state.seats)[:1]]
        return found

    return narrowed


def _filtered(m: Glance, f: Frame, each: Each) -> list[Figure]:
    state, you = m.state, f.vars["you"]
    found: list[Figure] = []
    if each.each != "monster":
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
        return [state.haunt.room] if state.haunt is not None else []
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
