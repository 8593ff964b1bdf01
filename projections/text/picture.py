"""The house as text, for a terminal: a plan of each floor with everybody in it, and below them what the signs mean."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Iterator

from content.patterns import displayable
from content.vocabulary.base import FLOORS, TRAITS
from domain.engine.rules import Rules
from domain.facts.pieces import Room
from domain.facts.state import Explorer, State
from projections.naming.names import Names, readable
from projections.naming.signs import BARRIER, CROWD, ITEMS, Signs
from projections.naming.standings import fate, numbers_of, verdict
from projections.text.plan import fitted, plans
from projections.view.identification import is_opened

SHOWN = {
    "State": (
        "commit",
        "rooms",
        "links",
        "explorers",
        "monsters",
        "tokens",
        "piles",
        "companions",
        "turn",
        "haunt",
        "status",
    ),
    "Room": ("id", "floor", "parts", "x", "y", "doors", "near"),
    "Link": ("to", "monsters_only", "explorers_only"),
    "Explorer": ("seat", "id", "alive", "died", "escaped", "removed", "side", "cards", "tracks", "at"),
    "Monster": ("kind", "stunned"),
    "Pile": ("room", "cards"),
    "TokenHere": ("token",),
    "Turn": ("number", "seat", "monsters"),
    "Haunt": ("id", "counters", "maxima"),
}
"""The fields of a role's state that are read here; all others stay hidden."""

COLUMNS = 100

FLOOR_NAMES = {"upper": "Upper floor", "ground": "Ground floor", "basement": "Basement"}

DOORS = "gap: open door   ?: doorway into the unknown   x: door that leads nowhere"


def house_as_text(rules: Rules, state: State, columns: int = COLUMNS) -> str:
    """A picture of the house as a role knows it: lines of at most `columns` characters (40 or more), without colors.

    Rooms are cells of a plan with north at the top; explorers stand in them by their initials, the active one with a star.
    """
    names, signs = Names(rules, state), Signs(rules, state)
    headline = _headline(rules, state, names)
    blocks = ["\n".join(textwrap.fill(line, columns) for line in headline.splitlines())]

    def fill(room: Room, width: int) -> list[str]:
        return [*fitted(names.room(room.id), width), *textwrap.wrap(signs.within(room.id), width)]

    for floor in reversed(FLOORS):
        if any(room.floor == floor for room in state.rooms.values()):
            for number, plan in enumerate(plans(state, floor, columns, fill)):
                title = FLOOR_NAMES[floor] + (", further east" if number else "")
                blocks.append(f"{title}\n{plan}")
    legend = list(_legend(state, names, signs))
    blocks.append("\n".join(_wrapped(legend, columns, _indent(legend))))
    return displayable("\n\n".join(block for block in blocks if block)) + "\n"


GUTTER = " │ "
NARROWEST = 40
"""Columns of each of two moments."""
MARK = "»"


def houses_as_text(rules: Rules, before: State, after: State, columns: int = 2 * COLUMNS) -> str:
    """Two moments of a house as a role knows it, side by side: each room in the same place in both, and a mark wherever they differ.

    Lines have at most `columns` characters, or 83 where that is less.
    """
    half = max(NARROWEST, (columns - len(GUTTER)) // 2)
    states = (before, after)
    sides = [_Side(rules, state, states) for state in states]
    for mine, theirs in (sides, sides[::-1]):
        mine.compare(theirs)
    blocks = [[f"Commit {side.state.commit}\n{side.headline(half)}" for side in sides]]
    for floor in reversed(FLOORS):
        if any(room.floor == floor for state in states for room in state.rooms.values()):
            drawn = [mine.floor(floor, half, theirs) for mine, theirs in (sides, sides[::-1])]
            for number, pair in enumerate(zip(*drawn, strict=True)):
                title = FLOOR_NAMES[floor] + (", further east" if number else "")
                blocks.append([f"{title}\n{plan}" for plan in pair])
    indent = max(side.indent for side in sides)
    blocks.append(["\n".join(_wrapped(side.legend, half, indent)) for side in sides])
    differs = any(side.differs for side in sides)
    said = f"{MARK} marks what differs." if differs else "What is shown of the house does not differ."
    pages = [said, *[_beside(left, right, half) for left, right in blocks]]
    return displayable("\n\n".join(pages)) + "\n"


class _Side:
    """One of two moments."""

    def __init__(self, rules: Rules, state: State, among: tuple[State, State]) -> None:
        self.state = state
        self._rules = rules
        self._names = Names(rules, state)
        self._signs = Signs(rules, state, among)
        self._marked: set[str] = set()
        self._lines = _headline(rules, state, self._names).splitlines()
        self.legend = list(_legend(state, self._names, self._signs))
        self.indent = _indent(self.legend)
        self.differs = False

    def compare(self, other: _Side) -> None:
        """Mark what is not the same there."""
        self._marked = {room for room in self.state.rooms if self._within(room) != other._within(room)}
        there = set(_legend(other.state, other._names, other._signs))
        lines = _headline(other._rules, other.state, other._names).splitlines()
        self.differs = (
            bool(self._marked) or not there.issuperset(self.legend) or any(one not in lines for one in self._lines)
        )
        longest = max(
            (len(sign) for sign, _ in self.legend), default=0
        )  # the mark stands behind the sign, out of the columns' way
        self.legend = [
            (sign if (sign, meaning) in there else f"{sign:<{longest}} {MARK}", meaning)
            for sign, meaning in self.legend
        ]
        self._lines = [one if one in lines else f"{MARK} {one}" for one in self._lines]
        self.indent = _indent(self.legend)

    def headline(self, columns: int) -> str:
        return "\n".join(textwrap.fill(line, columns) for line in self._lines)

    def floor(self, floor: str, columns: int, other: _Side) -> list[str]:
        return plans(self.state, floor, columns, self._fill, (other.state, other._fill))

    def _fill(self, room: Room, width: int) -> list[str]:
        title = self._names.room(room.id)
        shown = f"{MARK} {title}" if room.id in self._marked else title
        return [*fitted(shown, width), *textwrap.wrap(self._signs.within(room.id), width)]

    def _within(self, room: str) -> tuple[object, ...]:
        """What is shown of a room; nothing where it isn't in the house."""
        here = self.state.rooms.get(room)
        return () if here is None else (here.floor, here.x, here.y, here.doors, here.near, self._signs.within(room))


def _beside(left: str, right: str, columns: int) -> str:
    pairs = itertools.zip_longest(left.splitlines(), right.splitlines(), fillvalue="")
    return "\n".join(f"{mine:<{columns}}{GUTTER}{theirs}".rstrip() for mine, theirs in pairs)


def _headline(rules: Rules, state: State, names: Names) -> str:
    """The turn and the haunt, or how the game ended."""
    if state.status in ("finished", "abandoned"):
        return verdict(rules, state)
    if not state.explorers:
        return "The game has not started yet."
    player = names.figure(state.turn.seat)
    whose = f"the monsters, played by {player}" if state.turn.monsters else player
    line = f"Turn {state.turn.number}: {whose}"
    haunt = state.haunt
    if haunt is None:
        return line
    marks = [
        f"{names.counter(name)}: {value}" + (f" of {haunt.maxima[name]}" if name in haunt.maxima else "")
        for name, value in (haunt.counters.items() if is_opened(rules, state) else ())
    ]
    return "\n".join([line, "   ".join([f"Haunt: {names.haunt(haunt.id)}", *marks])])


def _legend(state: State, names: Names, signs: Signs) -> Iterator[tuple[str, str]]:
    """The signs and what they mean."""
    people = [f"{names.character(explorer.id)} (seat {explorer.seat})" for explorer in state.explorers]
    longest = max((len(who) for who in people), default=0)
    for explorer, who in zip(state.explorers, people, strict=True):
        yield signs.explorers[explorer.seat], f"{who:<{longest}}  {_condition(names, explorer)}"
    for kind, sign in signs.kinds.items():
        alike = [one for one in state.monsters.values() if one.kind == kind]
        if not alike:
            continue
        traits = numbers_of(alike[0])
        crowd = f"; {CROWD}{sign}: {CROWD} of them" if len(alike) >= CROWD else ""
        brackets = "; in brackets: stunned" if any(one.stunned for one in alike) else ""
        yield sign, f"{names.kind(kind)} ({traits}){crowd}{brackets}"
    here = {one.token for one in state.tokens}
    yield from ((sign, names.token(token)) for token, sign in signs.tokens.items() if token in here)
    lying = [f"{names.room(pile.room)}: {names.cards(pile.cards)}" for pile in state.piles]
    lying += [f"{names.room(room)}: {names.card(card)}" for card, room in state.companions.items()]
    if lying:
        yield ITEMS, f"on the floor: {'; '.join(lying)}"
    if any(room.divided for room in state.rooms.values()):
        yield BARRIER, "barrier, between its west and east (or north and south) sides"
    if state.rooms:
        yield "", DOORS
    ways = list(_ways(state, names))
    if ways:
        yield "ways", "; ".join(ways)


def _condition(names: Names, explorer: Explorer) -> str:
    """Traits, side and cards of an explorer."""
    if not explorer.alive:
        return f"{fate(explorer)}  {names.cards(explorer.cards)}".rstrip() if explorer.died >= 0 else fate(explorer)
    parts = [f"{readable(trait)} {explorer.value(trait)}" for trait in TRAITS]
    if explorer.side == "traitor":
        parts.append("TRAITOR")
    return "  ".join([*parts, names.cards(explorer.cards)]).rstrip()


def _ways(state: State, names: Names) -> Iterator[str]:
    """Stairs, shafts and passages; those in both directions once."""
    told: list[tuple[str, str]] = []
    for room, links in state.links.items():
        for link in links:
            if link.to not in state.rooms or (link.to, room) in told:
                continue
            told.append((room, link.to))
            both = any(back.to == room for back in state.links.get(link.to, ()))
            only = " (monsters)" if link.monsters_only else " (explorers)" if link.explorers_only else ""
            yield f"{names.room(room)} {'<>' if both else '>'} {names.room(link.to)}{only}"


def _indent(legend: Iterable[tuple[str, str]]) -> int:
    """Where meanings begin."""
    return 2 + max((len(sign) for sign, _ in legend), default=0)


def _wrapped(legend: Iterable[tuple[str, str]], columns: int, indent: int) -> Iterator[str]:
    """The legend in two columns, meanings wrapped."""
    for sign, meaning in legend:
        lines = textwrap.wrap(
            f"{sign:<{indent}}{meaning}",
            columns,
            subsequent_indent=" " * indent,
            drop_whitespace=True,
            replace_whitespace=False,
        )
        yield "\n".join(lines)
