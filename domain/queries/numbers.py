"""Compiles numbers of the vocabulary."""

from __future__ import annotations

from typing import Any

from content.vocabulary.haunts import own_counter
from content.vocabulary.values import Count, Value
from domain.engine.block import Frame, NumberOf
from domain.engine.machine import Glance
from domain.facts.state import Figure, State, is_explorer
from domain.queries.characters import cards_of, trait_of

NOBODY = -1


def number(value: Value) -> NumberOf:
    """Compile a number."""
    if isinstance(value, int):
        return lambda _m, _f: value
    if value.players is not None:
        table = value.players
        return lambda m, _f: table[str(m.state.seats)]
    if value.trait is not None:
        trait = value.trait
        return lambda m, f: trait_of(m.state, f.vars["you"], trait)
    if value.count is not None:
        return _count(value.count)
    if value.counter is not None:
        name = value.counter
        return lambda m, f: counter(m.state, name, f.vars["you"])
    if value.result is not None:
        register = value.result
        return lambda _m, f: int(f.vars.get(register, 0))
    parts = [number(part) for part in (value.sum or value.times or [])]
    if value.times is not None:
        return lambda m, f: _product(part(m, f) for part in parts)
    return lambda m, f: sum(part(m, f) for part in parts)


def _product(numbers: Any) -> int:  # noqa: ANN401 -- an iterable of ints
    result = 1
    for factor in numbers:
        result *= factor
    return result


def counter_key(state: State, name: str, you: Figure) -> str:
    """The name under which a counter is kept for `you`: its own, or where each explorer has one, that of the explorer."""
    if not is_explorer(you) or state.haunt is None or name in state.haunt.counters:
        return name
    return own_counter(name, you)


def counter(state: State, name: str, you: Figure = NOBODY) -> int:
    """A counter of the haunt, that of `you` where each explorer has one; 0 where there is none."""
    return 0 if state.haunt is None else state.haunt.counters.get(counter_key(state, name, you), 0)


def _count(counted: Count) -> NumberOf:
    """How many there are; of cards, in the hands of `you`."""
    if counted.cards is None:
        return lambda m, _f: count(m.state, counted)
    kind = counted.cards

    def held(m: Glance, f: Frame) -> int:
        pack = m.rules.pack
        cards = cards_of(m.state, f.vars["you"])
        if kind == "any":
            return len(cards)
        deck = "" if kind == "of-haunt" else kind
        return sum(pack.deck_of(card) == deck for card in cards)

    return held


def count(state: State, counted: Count) -> int:
    """How many there are."""
    if counted.monsters is not None:
        kind = counted.monsters
        return sum(1 for monster in state.monsters.values() if kind in ("any", monster.kind))
    if counted.tokens is not None:
        return sum(here.count for here in state.tokens if here.token == counted.tokens)
    if counted.omens is not None:
        return state.omens_drawn
    if counted.explorers == "all":
        return state.seats
    if counted.explorers == "escaped":
        return sum(1 for explorer in state.explorers if explorer.escaped)
    explorers = state.explorers if counted.explorers == "heroes" else state.living()
    if counted.explorers == "living":
        return len(explorers)
    return sum(1 for explorer in explorers if explorer.side != "traitor")
