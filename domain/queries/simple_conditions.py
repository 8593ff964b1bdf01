"""Compiles conditions that ask the state one thing: they hold no other condition and select nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.vocabulary.values import Count, SecretIs
from domain.engine.block import Frame, Test
from domain.engine.machine import Glance
from domain.facts.ids import id_name
from domain.queries.characters import (
    cards_of,
    company,
    critical,
    in_play,
    is_dead,
    is_kind,
    lairs,
    reaches_no_hero,
    side_of,
    token_at,
    traitor_is,
)
from domain.queries.numbers import count
from domain.queries.whereabouts import your_place, your_room


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


SIMPLE: dict[str, Callable[[Any], Test]] = {
    "phase": _phase,
    "you": _you,
    "side": _side,
    "traitor": _traitor,
    "on": _on,
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
"""By the vocabulary's field."""
