"""What in a room, or in hand, has something to say to whoever comes, goes or stays, as far as a label warns of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from domain.engine.rules import Rules
from domain.facts.ids import id_name
from domain.facts.state import State
from domain.rulebook.table.triggers import place_of_card
from projections.naming.consequences import NOTHING, goals_of, of_trigger, owner_of

SHOWN = {
    "State": ("explorers", "monsters", "tokens", "piles", "card_states"),
    "Explorer": ("cards", "room"),
    "Monster": ("cards",),
    "TokenHere": ("token", "room"),
    "Pile": ("room", "part", "cards"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

LEFT = ""
"""The key of what the room says that is left."""
TOKENS = "token:"
"""The key that says that there are tokens among the sources of a moment."""


def around_of(rules: Rules, state: State, seat: int) -> Mapping[str, tuple[str, ...]]:
    """By room: the sources that mind when this explorer enters it; by `LEFT` those that mind when it leaves its own."""
    me, entered = state.explorers[seat], _stirring(rules, "entered")
    around = []
    for card, states in _minding(rules).items():
        if (None in states or state.card_states.get(card) in states) and card not in me.cards:
            around += [(place_of_card(state, rules.pack, card)[0], (f"card:{card}",))]
    if TOKENS in entered:
        tokens = ((one.room, f"token:{one.token}") for one in state.tokens)
        around += [(room, (source,)) for room, source in tokens if source in entered]
    left = _stirring(rules, "left")
    if me.room not in left and not around:
        return entered
    found = dict(entered)
    for room, sources in around:
        for one in (room, *_leading_to(rules, room)):
            found[one] = found.get(one, ()) + sources
    if me.room in left:
        found[LEFT] = left[me.room]
    return found


def at_the_end(rules: Rules, state: State, seat: int) -> list[str]:
    """The sources that mind when this explorer ends its turn."""
    me, ends = state.explorers[seat], _stirring(rules, "turn-ended")
    found = [*ends.get(me.room, ())]
    if not ends.keys().isdisjoint(me.cards):
        found += [source for card in me.cards for source in ends.get(card, ())]
    if TOKENS in ends:
        for here in state.tokens:
            if here.room == me.room:
                found += ends.get(f"token:{here.token}", ())
    return found


@lru_cache(maxsize=64)
def _minding(rules: Rules) -> Mapping[str, frozenset[str | None]]:
    """By card that reaches everybody in its room: the states in which it minds that somebody enters; None: all."""
    return {
        card: frozenset(
            None if one.if_ is None else one.if_.card_state for _, one in rules.pack.triggers[f"card:{card}", "entered"]
        )
        for card in rules.pack.reaching.get("entered", ())
    }


@lru_cache(maxsize=512)
def _leading_to(rules: Rules, room: str) -> tuple[str, ...]:
    """Rooms whose text takes whoever enters on into this one."""
    texts = {
        source: found for (source, when), found in rules.pack.triggers.items() if when in ("entered", "discovered")
    }
    return tuple(
        id_name(source)
        for source, found in texts.items()
        if source.startswith("tile:")
        and any(room in goals_of(rules, owner_of(source), trigger.do) for _, trigger in found)
    )


@lru_cache(maxsize=64)
def _stirring(rules: Rules, when: str) -> Mapping[str, tuple[str, ...]]:
    """Sources that at a moment do something of which a label may warn: of rooms and cards by their names, of others as they are."""
    found: dict[str, tuple[str, ...]] = {}
    for source, moment in rules.pack.triggers:
        if moment == when and of_trigger(rules, source, when) != NOTHING:
            token = source.startswith("token:")
            found[source if token else id_name(source)] = (source,)
            if token:
                found[TOKENS] = ()
    return found
