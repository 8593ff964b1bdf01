"""Conditions of the vocabulary, compiled to tests: one function for each key, all keys of a condition must hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.vocabulary.values import Condition, Count, Number, Place, SecretIs, Who
from domain.effects.characters import (
    cards_of,
    critical,
    in_play,
    is_kind,
    room_of,
    side_of,
    together,
    traitor_is,
)
from domain.effects.machine import Frame, Glance
from domain.effects.numbers import count, number
from domain.effects.selections import cast, stands_in
from domain.house.paths import reaches
from domain.state import Explorer, Figure, State

Test = Callable[[Glance, Frame], bool]


def test(condition: Condition) -> Test:
    """Compile a condition."""
    tests = [build(getattr(condition, key)) for key, build in KEYS.items() if getattr(condition, key) is not None]
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
    return lambda m, f: room_of(m.state, f.vars["you"]).floor in floors


def _in(place: Place) -> Test:
    return lambda m, f: stands_in(m, f, place)


def _in_house(tile: str) -> Test:
    return lambda m, _f: tile in m.state.rooms


def _any_in_house(tiles: list[str]) -> Test:
    return lambda m, _f: any(tile in m.state.rooms for tile in tiles)


def _token(token: str) -> Test:
    return lambda m, f: token_at(m.state, token, *m.state.place_of(f.vars["you"]))


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
    return lambda m, f: m.state.card_states.get(f.vars["src"].partition(":")[2]) == wanted


def _there_is(who: Who) -> Test:
    found = cast(who)
    return lambda m, f: bool(found(m, f))


def _with(who: Who) -> Test:
    others = cast(who)
    return lambda m, f: any(together(m.state, f.vars["you"], other) for other in others(m, f))


def _alone(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, f: (not _company(m.state, f.vars["you"])) == wanted


def _moved(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, f: m.state.explorers[f.vars["you"]].moved == wanted


def _dead(who: str) -> Test:
    return lambda m, _f: _is_dead(m.state, who)


def _monsters_gone(kind: str) -> Test:
    gone = Count(monsters=kind)
    return lambda m, _f: count(m.state, gone) == 0


def _round_at_least(rounds: int) -> Test:
    return lambda m, _f: m.state.haunt is not None and m.state.haunt.round >= rounds


def _secret(wanted: SecretIs) -> Test:
    def holds(m: Glance, f: Frame) -> bool:
        chosen = m.state.haunt.secrets.get(wanted.name) if m.state.haunt is not None else None
        return chosen == (m.state.place_of(f.vars["you"])[0] if wanted.is_ == "here" else wanted.is_)

    return holds


def _came_from(room: str) -> Test:
    return lambda _m, f: f.vars.get("bindings", f.vars).get("came_from") == room


def _discovered_now(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    def discovered_now(m: Glance, f: Frame) -> bool:
        room = room_of(m.state, f.vars["you"])
        return (room.discoverer == f.vars["you"] and room.placed_in_turn == m.state.turn.number) == wanted

    return discovered_now


def _by_choice(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda _m, f: bool(f.vars.get("bindings", f.vars).get("by_choice")) == wanted


def _monsters_stuck(floor: str) -> Test:
    return lambda m, _f: any(reaches_no_hero(m, room) for room in _lairs(m.state, floor))


def _monsters_explore(wanted: bool) -> Test:  # noqa: FBT001 -- the vocabulary's value
    return lambda m, _f: (m.state.haunt is not None and m.state.haunt.id in m.rules.pack.explored_by_monsters) == wanted


def _lairs(state: State, floor: str) -> set[str]:
    """Rooms of a floor with monsters of the traitor."""
    rooms = state.rooms
    return {one.room for one in state.monsters.values() if one.side == "traitor" and rooms[one.room].floor == floor}


def reaches_no_hero(m: Glance, room: str) -> bool:
    """Whether a monster there has no way to any hero; the Elevator and shafts that it can climb are ways (2E-MON-021)."""
    goals = {one.room for one in m.state.living() if is_kind(m.state, one.seat, "hero")}
    goals.update(source.partition(":")[2] for source in m.rules.pack.moving)
    return not reaches(m.state, room, goals)


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
"""By the vocabulary's field; comparisons of `counter`, `count` and `number` take several fields and stand apart."""


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


def token_at(state: State, token: str, room: str, part: int) -> bool:
    """Whether a token of this name lies in that part of the room."""
    return any(here.token == token and here.room == room and here.part == part for here in state.tokens)


def _company(state: State, figure: Figure) -> list[Explorer]:
    return [one for one in state.living() if together(state, figure, one.seat)]


def _is_dead(state: State, who: str) -> bool:
    dead = [explorer for explorer in state.explorers if not explorer.alive and not explorer.removed]
    if who == "any-explorer":
        return bool(dead)
    if who == "traitor":
        return any(explorer.side == "traitor" for explorer in dead)
    return all(explorer in dead for explorer in state.explorers if explorer.side != "traitor")
