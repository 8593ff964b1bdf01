"""Whether a condition can ever hold, as far as its words and what a haunt does can tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from content.check.form.amounts import SPACES, by_players
from content.check.form.tables import HIGHEST
from content.errors import Finding, Trail
from content.survey import Spot, getter, written
from content.vocabulary.values import Condition, Count, Number, Rooms, Value

ANY = "any"

UNBOUNDED = 10**9

Span = tuple[int, int]
"""The least and the most that a number can come to."""

COMPARED = frozenset({"counter", "count", "number", "at_least", "at_most"})

TRAITORS = frozenset({"traitor", "revealed-traitor"})


class Facts(msgspec.Struct):
    """What can be true in a game, or in one haunt; anything not listed here counts as possible."""

    players: list[str]
    """Numbers of players that the pack is for."""
    kind: str = ""
    """The haunt's kind; empty outside of haunts, and where sides change."""
    in_haunt: bool = False
    begun: frozenset[str] = frozenset()
    """Tiles that are in the house from the start."""
    named: set[str] = msgspec.field(default_factory=set)
    """What has to come from somewhere: `token lamp`, `item clapper`, `monster rat`."""
    come: set[str] = msgspec.field(default_factory=set)
    """What of this does come."""
    first: set[str] | None = None
    """What of this has come when the haunt has begun; None: unknown."""
    placed: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    """By the number of players: how many of each have certainly come by then."""
    counters: dict[str, Span] = msgspec.field(default_factory=dict)
    """Between what each counter moves."""

    most: dict[str, int] = msgspec.field(default_factory=dict)
    """How much of it there can be at a time, where it has a limit."""
    floors: dict[str, frozenset[str]] = msgspec.field(default_factory=dict)
    """By token: the floors on which it can lie; none: unknown."""
    highest_trait: int = SPACES
    """The highest value of a trait that anybody has."""
    omens: int | None = None
    """How many omens the pack has."""
    staying: int = 0
    """How many explorers have no way out of the house: a traitor, where only heroes can escape."""

    def lacks(self, kind: str, name: str) -> str:
        """Say why something is never there; nothing if it can be."""
        what = f"{kind} {name}"
        if name == ANY and kind == "monster" and self.in_haunt and not _kinds(ANY, self):
            return "this haunt has no monsters"
        if name == ANY or what not in self.named or what in self.come:
            return ""
        does = {"token": "places the token", "item": "gives the item", "monster": "brings the monster"}[kind]
        return f"nothing {does} `{name}`"


class Atom(NamedTuple):
    """One thing that a condition asks for, or excludes."""

    holds: bool
    field: str
    value: Any
    trail: Trail


def never(spot: Spot[Condition], facts: Facts, *, for_some: bool = False) -> list[Finding]:
    """Say why a condition never holds.

    Args:
        spot: the condition.
        facts: what can be so.
        for_some: it has to be able to hold with each number of players, not only with one of them.

    Returns:
        The reasons, each with its place; if there are none, it can hold.
    """
    if whatever := list(_never(spot, facts, "")):
        return whatever
    if not _depends_on_players(spot.value):
        return []
    reasons = [list(_never(spot, facts, players)) for players in facts.players]
    if for_some:
        return next((found for found in reasons if found), [])
    return reasons[0] if reasons and all(reasons) else []


def _depends_on_players(condition: Condition) -> bool:
    """Tell whether a condition compares with a table by players."""
    numbers = (condition.number, condition.at_least, condition.at_most)
    parts = [*(condition.all or ()), *(condition.any or ())]
    return any(isinstance(number, Number) for number in numbers) or any(map(_depends_on_players, parts))


def vain(spot: Spot[Condition], facts: Facts, *, for_some: bool = False) -> Iterator[Finding]:
    """Find the parts of a condition that make no difference: alternatives that never hold, exclusions of nothing."""
    condition = spot.value
    parts: list[tuple[Trail, Condition]] = []
    if condition.not_ is not None:
        parts.append((spot.at("not"), condition.not_))
    parts += [(spot.at("any", index), part) for index, part in enumerate(condition.any or ())]
    for trail, part in parts:
        inner = Spot(trail, part, spot)
        yield from never(inner, facts, for_some=for_some) or vain(inner, facts, for_some=for_some)
    for index, part in enumerate(condition.all or ()):
        yield from vain(Spot(spot.at("all", index), part, spot), facts, for_some=for_some)


def already(spot: Spot[Condition], facts: Facts) -> bool:
    """Tell whether a condition certainly holds while all counters have the least value that `facts` gives them."""
    return any(_already(spot.value, facts, players) for players in facts.players or [""])


def _already(condition: Condition, facts: Facts, players: str) -> bool:
    parts: list[bool] = []
    for name in _given(condition):
        value = getattr(condition, name)
        if name == "all":
            parts += [_already(part, facts, players) for part in value]
        elif name == "any":
            parts.append(any(_already(part, facts, players) for part in value))
        elif name in COMPARED:
            continue
        elif name == "monsters_gone":
            parts.append(facts.first is not None and not facts.first & _kinds(value, facts))
        elif name == "round_at_least":
            parts.append(value <= 1)
        elif name == "token_in_house":
            parts.append(f"token {value}" in facts.placed.get(players, {}))
        else:
            parts.append(name == "phase" and value == "haunt" and facts.in_haunt)
    if condition.counter is not None or condition.count is not None or condition.number is not None:
        there = facts.placed.get(players, {})
        parts.append(
            _surely(condition, facts, players) or _alive(condition, players) or _enough(condition, there, players)
        )
    return all(parts)


def _enough(condition: Condition, there: dict[str, int], players: str) -> bool:
    """Tell whether as many monsters or tokens as are asked for are among those that are there."""
    count, least = condition.count, by_players(condition.at_least)
    if count is None or condition.at_most is not None or not least:
        return False
    asked = least.get(players, least.get("", UNBOUNDED))
    return any(there.get(name, 0) >= asked for name in (f"monster {count.monsters}", f"token {count.tokens}"))


def _alive(condition: Condition, players: str) -> bool:
    """Tell whether as many explorers are alive in the house from the start as are asked for; one may be the traitor."""
    count, least = condition.count, by_players(condition.at_least)
    if count is None or count.explorers is None or count.explorers == "escaped" or not least or not players:
        return False
    there = int(players) - int(count.explorers in {"heroes", "living-heroes"})
    return condition.at_most is None and least.get(players, least.get("", UNBOUNDED)) <= there


def _kinds(kind: str, facts: Facts) -> set[str]:
    """Return the monsters of a kind by their names among what has to come."""
    return {name for name in facts.named if name.startswith("monster ")} if kind == ANY else {f"monster {kind}"}


def always(condition: Condition, facts: Facts) -> bool:
    """Tell whether a comparison, or a count of rounds, holds with any number of players whatever happens."""
    if condition.counter is None and condition.count is None and condition.number is None:
        return condition.round_at_least is not None and condition.round_at_least <= 1
    for players in facts.players or [""]:
        left = _left(condition, facts, players)
        least, most = _span(condition.at_least, facts, players), _span(condition.at_most, facts, players)
        if left is None or (condition.at_least is None and condition.at_most is None):
            return False
        if condition.at_least is not None and (least is None or left[0] < least[1]):
            return False
        if condition.at_most is not None and (most is None or left[1] > most[0]):
            return False
    return True


def _left(condition: Condition, facts: Facts, players: str) -> Span | None:
    """Return between what moves that a condition compares."""
    if condition.counter is not None:
        return facts.counters.get(condition.counter)
    if condition.count is not None:
        return _count_span(condition.count, facts, players)
    return _span(condition.number, facts, players)


def _surely(condition: Condition, facts: Facts, players: str) -> bool:
    """Tell whether a comparison with a counter that has one value holds."""
    span = facts.counters.get(condition.counter or "")
    if span is None or span[0] != span[1]:
        return False
    least = _span(condition.at_least, facts, players)
    most = _span(condition.at_most, facts, players)
    return (least is None or span[0] >= least[1]) and (most is None or span[0] <= most[0])


def _never(spot: Spot[Condition], facts: Facts, players: str) -> Iterator[Finding]:
    """Yield each reason why a condition never holds with this number of players."""
    atoms = list(atoms_of(spot))
    for atom in atoms:
        if reason := _unheard_of(atom, facts):
            yield Finding(atom.trail, f"this never holds: {reason}", key=True)
    yield from _contradictions(atoms, facts)
    for inner in _conjuncts(spot):
        if reason := _out_of_reach(inner.value, facts, players):
            name = next(name for name in ("counter", "count", "number") if getattr(inner.value, name) is not None)
            yield Finding(inner.at(name), f"this never holds{reason}", key=True)
        for index, options in enumerate([inner.value.any] if inner.value.any else []):
            reasons = [
                list(_never(Spot(inner.at("any", place), option, inner), facts, players))
                for place, option in enumerate(options)
            ]
            if all(reasons):
                yield reasons[index][0]


def _conjuncts(spot: Spot[Condition]) -> Iterator[Spot[Condition]]:
    """Return a condition and those that have to hold with it."""
    yield spot
    for index, part in enumerate(spot.value.all or ()):
        yield from _conjuncts(Spot(spot.at("all", index), part, spot))


def atoms_of(spot: Spot[Condition]) -> Iterator[Atom]:
    """Return what has to hold and what must not."""
    for part in _conjuncts(spot):
        for name in _given(part.value):
            if name == "not_":
                inner = part.value.not_
                names = _given(inner) if inner is not None else []
                if len(names) == 1 and names[0] not in {"all", "any", "not_"} | COMPARED:
                    yield Atom(False, names[0], getattr(inner, names[0]), part.at("not", written(Condition, names[0])))  # noqa: FBT003 - it does not hold
            elif name not in {"all", "any"} | COMPARED:
                yield Atom(True, name, getattr(part.value, name), part.at(written(Condition, name)))  # noqa: FBT003 - it holds


def _given(condition: Condition) -> list[str]:
    values = getter(Condition.__struct_fields__)(condition)
    return [name for name, value in zip(Condition.__struct_fields__, values, strict=True) if value is not None]


def _unheard_of(atom: Atom, facts: Facts) -> str:
    """Say why one thing is never so; nothing if it can be."""
    if atom.holds:
        return _absent(atom.field, atom.value, facts)
    if atom.field == "in_house" and atom.value in facts.begun:
        return f"`{atom.value}` lies in the house from the start"
    if atom.field == "phase" and atom.value == "haunt" and facts.in_haunt:
        return "this is read in the haunt only"
    return ""


def _absent(field: str, value: Any, facts: Facts) -> str:  # noqa: ANN401 - a field of any type
    match field, value:
        case "phase", "exploration" if facts.in_haunt:
            return "this is read in the haunt only"
        case (("token" | "token_in_house"), str(name)):
            return facts.lacks("token", name)
        case (("carrying" | "in_play" | "held"), str(name)):
            return facts.lacks("item", name)
        case "in_", str(place) if place.startswith("token:"):
            return facts.lacks("token", place.removeprefix("token:"))
        case "in_", Rooms(with_token=str(name)) | Rooms(next_to_token=str(name)):
            return facts.lacks("token", name)
        case (("traitor" | "dead" | "you"), str(word)):
            return _no_such_traitor(field, word, facts.kind)
    return ""


def _no_such_traitor(field: str, word: str, kind: str) -> str:
    """Say why nobody is such a traitor in a haunt of this kind."""
    if kind in {"no-traitor", "free-for-all"} and (
        (field == "traitor" and word != "none")
        or (field == "dead" and word == "traitor")
        or (field == "you" and word in TRAITORS)
    ):
        return "this haunt has no traitor"
    if field == "traitor" and word == "none" and kind in {"one-traitor", "hidden-traitor"}:
        return "this haunt has a traitor"
    if field == "traitor" and word == "hidden" and kind == "one-traitor":
        return "the traitor of this haunt is known"
    return ""


def _contradictions(atoms: list[Atom], facts: Facts) -> Iterator[Finding]:
    """Find what is asked for together and excludes each other."""
    for place, atom in enumerate(atoms):
        for other in atoms[:place]:
            if atom.field == other.field and atom.value == other.value and atom.holds != other.holds:
                name = written(Condition, atom.field)
                yield Finding(atom.trail, f"this never holds: `{name}` is asked for and excluded", key=True)
            elif atom.holds and other.holds and _exclude(other, atom, facts):
                one, two = (f"`{written(Condition, part.field)}: {_shown(part.value)}`" for part in (other, atom))
                yield Finding(atom.trail, f"this never holds: {one} and {two} exclude each other", key=True)


def _shown(value: Any) -> str:  # noqa: ANN401 - a field of any type
    return f"[{', '.join(value)}]" if isinstance(value, list) else str(value)


def _exclude(one: Atom, other: Atom, facts: Facts) -> bool:
    """Tell whether two things are never so together."""
    if one.field == other.field:
        if one.field == "you":
            pair = {one.value, other.value}
            return ("monster" in pair and len(pair) > 1) or pair == {"hero", "revealed-traitor"}
        return one.field in {"phase", "side", "card_state"} and one.value != other.value
    said = {one.field: one.value, other.field: other.value}
    if said.keys() == {"token", "on"}:
        lies = facts.floors.get(said["token"], frozenset())
        return bool(lies) and not lies & set(said["on"])
    if said.keys() == {"you", "side"}:
        if said["you"] in TRAITORS:
            return bool(said["side"] == "heroes")
        return bool(said["you"] == "hero" and said["side"] == "traitor" and facts.kind in {"one-traitor", "no-traitor"})
    return False


def _out_of_reach(condition: Condition, facts: Facts, players: str) -> str:
    """Say why a number is never so high or so low; nothing if it can be."""
    what = "the number" if condition.number is not None else "there"
    if condition.counter is not None:
        what = f"the counter `{condition.counter}`"
    left = _left(condition, facts, players)
    if left is None:
        return ""
    least, most = _span(condition.at_least, facts, players), _span(condition.at_most, facts, players)
    if least is None and most is None and condition.at_least is None and condition.at_most is None:
        least = (1, 1)
    with_players = f" with {players} explorers" if players else ""
    if least is not None and left[1] < least[0]:
        gets = "are" if what == "there" else "gets"
        return f"{with_players}: {what} {gets} at most {left[1]}, never {least[0]}"
    if most is not None and left[0] > most[1]:
        gets = "are" if what == "there" else "gets"
        return f"{with_players}: {what} {gets} at least {left[0]}, never {most[1]}"
    return ""


def _count_span(count: Count, facts: Facts, players: str) -> Span | None:
    for kind, name in (("token", count.tokens), ("monster", count.monsters)):
        if name is not None:
            return (0, 0 if facts.lacks(kind, name) else facts.most.get(f"{kind} {name}", UNBOUNDED))
    if count.explorers is not None and facts.players:
        all_of_them = int(players) if players else max(int(one) for one in facts.players)
        known = facts.kind == "one-traitor" and count.explorers in {"heroes", "living-heroes"}
        staying = facts.staying if count.explorers == "escaped" else int(known)
        return (0, all_of_them - staying)
    if count.omens is not None and facts.omens is not None:
        return (0, facts.omens)
    return None


def _span(value: Value | None, facts: Facts, players: str) -> Span | None:
    """Return the bounds of a number, where they are known."""
    if isinstance(value, Number) and value.counter is not None:
        return facts.counters.get(value.counter)
    if isinstance(value, Number) and value.count is not None:
        return _count_span(value.count, facts, players)
    if isinstance(value, Number) and value.trait is not None:
        return (0, facts.highest_trait)
    if isinstance(value, Number) and value.result == "roll":
        return (0, HIGHEST)
    if isinstance(value, Number) and value.sum is not None:
        parts = [_span(part, facts, players) for part in value.sum]
        known = [part for part in parts if part is not None]
        return (sum(low for low, _ in known), sum(high for _, high in known)) if len(known) == len(parts) else None
    table = by_players(value)
    if table is None:
        return None
    number = table.get(players, table.get(""))
    return None if number is None else (number, number)
