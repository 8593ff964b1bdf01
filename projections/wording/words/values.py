"""Numbers in words: `2 points`, `3, 4, 5 or 6 Rats (with 3, 4, 5 or 6 players)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from content.vocabulary.values import Count, Number, Value
from projections.wording.words.english import listed, plural
from projections.wording.words.speech import Speech
from projections.wording.words.titles import trait

EXPLORERS: dict[str, tuple[str, str]] = {
    "all": ("explorer", "in this game"),
    "living": ("explorer", "alive"),
    "living-heroes": ("hero", "alive"),
    "heroes": ("hero", "alive or dead"),
    "escaped": ("explorer", "who escaped"),
}
"""By the vocabulary's word: what is counted, and what more is said of it."""

CARDS: dict[str, str] = {"any": "card", "item": "item card", "omen": "omen card", "of-haunt": "item token"}
"""By the vocabulary's word: which cards in hand are counted."""

RESULTS: dict[str, str] = {
    "roll": "the result of the roll",
    "attack": "the result of the attack",
    "damage": "the damage taken",
    "blanks": "the number of blanks that the reroll shows",
}


def things(s: Speech, count: Count) -> tuple[str, str]:
    """What is counted, in the singular, and where: `Rat`, `in the house`."""
    if count.monsters is not None:
        return s.titles.monster(count.monsters), "in the house"
    if count.tokens is not None:
        return s.titles.token(count.tokens), "in the house"
    if count.cards is not None:
        return CARDS[count.cards], "that [you] [have]"
    if count.omens is not None:
        return "omen", "drawn so far"
    return EXPLORERS[count.explorers or "all"]


def many(thing: str) -> str:
    """Several of what `things` names."""
    return "heroes" if thing == "hero" else plural(thing)


def number_now(s: Speech, value: Value) -> int | None:
    """What a value is now; None where it is told by its formula."""
    if isinstance(value, int):
        return value
    if value.players is not None:
        if s.numbers is None:
            alike = set(value.players.values())
            return alike.pop() if len(alike) == 1 else None
        return value.players.get(str(s.numbers.players))
    if s.numbers is None:
        return None
    if value.counter is not None:
        return s.numbers.counter(value.counter)
    if value.count is not None:
        return s.numbers.count(value.count)
    return _computed(s, value)


def _computed(s: Speech, value: Number) -> int | None:
    parts = [number_now(s, part) for part in value.sum or value.times or []]
    known = [part for part in parts if part is not None]
    if not parts or len(known) < len(parts):
        return None
    return sum(known) if value.sum is not None else prod(known)


def fixed(s: Speech, value: Value) -> int | None:
    """A value that does not change while the game goes on: a number, or one by the players of this game."""
    return number_now(s, value) if isinstance(value, int) or value.players is not None else None


def by_players(table: Mapping[str, int]) -> tuple[str, str]:
    """A table by players: the numbers, and for how many players they are."""
    rows = [(players, table[players]) for players in sorted(table, key=int)]
    return listed(
        [str(number) for _, number in rows], "or"
    ), f"with {listed([players for players, _ in rows], 'or')} players"


def formula(table: Mapping[str, int]) -> str:
    """A table that follows the number of players: `one for each player`; empty if it follows nothing so simple."""
    more = {number - int(players) for players, number in table.items()}
    if len(table) < 2 or len(more) > 1:  # noqa: PLR2004 -- one row shows no rule
        return ""
    extra = more.pop()
    if extra == 0:
        return "one for each player"
    return f"{abs(extra)} {'more' if extra > 0 else 'fewer'} than there are players"


def amount(s: Speech, value: Value, thing: str, several: str = "") -> str:
    """So many things: `1 point`, `2 points`, `Rats, one for each player`."""
    several = several or plural(thing)
    known = fixed(s, value)
    if known is not None:
        return f"{known} {thing if known == 1 else several}"
    if isinstance(value, Number) and value.players is not None:
        numbers, players = by_players(value.players)
        return f"{numbers} {several} ({formula(value.players) or players})"
    return f"as many {several} as {said(s, value)}"


def said(s: Speech, value: Value) -> str:
    """A number by itself: `3`, `the number of Rats in the house`."""
    known = fixed(s, value)
    if known is not None:
        return str(known)
    assert not isinstance(value, int)  # noqa: S101 -- an integer is fixed
    name, stated = next(iter(value.stated().items()))
    return VALUES[name](s, stated)


def _players(_s: Speech, table: dict[str, int]) -> str:
    numbers, players = by_players(table)
    return f"{numbers} ({formula(table) or players})"


def _trait(_s: Speech, one: str) -> str:
    return f"[your] {trait(one)}"


def _count(s: Speech, count: Count) -> str:
    thing, where = things(s, count)
    return f"the number of {many(thing)} {where}"


def _counter(s: Speech, counter: str) -> str:
    return s.titles.counter(counter)


def _result(_s: Speech, register: str) -> str:
    return RESULTS[register]


def _sum(s: Speech, parts: list[Value]) -> str:
    counted = [things(s, part.count) for part in parts if isinstance(part, Number) and part.count is not None]
    places = {where for _, where in counted}
    if len(counted) == len(parts) and len(places) == 1:
        return f"the number of {listed([many(thing) for thing, _ in counted])} {places.pop()}"
    return " plus ".join(said(s, part) for part in parts)


def _times(s: Speech, parts: list[Value]) -> str:
    factors = [said(s, part) for part in parts]
    return " times ".join(f"({factor})" if " plus " in factor else factor for factor in factors)


VALUES: dict[str, Callable[[Speech, Any], str]] = {
    "players": _players,
    "trait": _trait,
    "count": _count,
    "counter": _counter,
    "result": _result,
    "sum": _sum,
    "times": _times,
}
"""By the vocabulary's field: its words."""
