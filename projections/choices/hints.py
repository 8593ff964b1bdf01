"""Hints for bots: where a haunt's books send a seat and its monsters now, as haunt files say under `seek`.

People are not shown them: no view, picture or post has them, and `decisions` only for callers who ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from content.vocabulary.pack import Seek
from domain.engine.bindings import Bound
from domain.engine.block import Frame, Test
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.facts.audience import Mask
from domain.facts.ids import is_own_side
from domain.facts.state import Figure, State, is_monster
from domain.queries.conditions import places, test
from projections.shapes import Id, Name, Part, Shape, Side
from projections.view.haunts import book_of, sides_read

SHOWN = {
    "State": ("haunt", "explorers", "monsters", "rooms", "tokens"),
    "Haunt": ("id",),
    "Explorer": ("side", "alive"),
    "Monster": ("side",),
    "Room": ("id", "parts", "floor"),
    "TokenHere": ("token", "room", "part"),
}
"""The fields of a role's state that are read here (conditions of a book read more, all of it the role's own); all others stay hidden."""


class PlaceView(Shape, frozen=True, kw_only=True):
    """(A part of) a room."""

    room: Id
    part: Part


class HintView(Shape, frozen=True, kw_only=True):
    """Where a side finds what it needs now, by a book that the seat has read."""

    side: Side
    """Whose book says so."""
    by: list[Id]
    """Monsters of the side that are to go there; empty: the explorer of the seat."""
    places: list[PlaceView]
    """Where it is in the house now; both parts of a barrier room where the whole room is meant."""
    explore: bool = False
    """In rooms not discovered yet."""
    monsters: Name | None = None
    """At monsters of this kind."""
    foes: bool = False
    """At the opponents."""
    steal: bool = False
    """Items are to be stolen, where they may be, rather than wounds dealt."""
    stay: bool = False
    """Whoever is there already is to stay."""


def hints_of(rules: Rules, state: State, principal: Mask) -> list[HintView]:
    """The hints that a seat's books give it now, book by book, the most urgent first; none for spectators and the referee.

    `state` is the role's own: the fold of what it was told.
    """
    seat = principal.bit_length() - 1
    if state.haunt is None or seat >= len(state.explorers):
        return []
    rules = rules.of(state)
    return [hint for side in sides_read(state) for hint in _hints(rules, state, seat, state.haunt.id, side)]


def _hints(rules: Rules, state: State, seat: int, haunt: str, side: str) -> Iterator[HintView]:
    """The hints whose conditions hold for the seat or for its monsters. A traitor who has no book of its own is after the others."""
    explorer = state.explorers[seat]
    if explorer.side == "traitor" and side == "heroes":
        if explorer.alive:
            yield HintView(side=side, by=[], places=[], foes=True)
        return
    glance = Glance(rules, state)
    for holds, seek in _goals(rules, haunt, side):
        who: list[Figure] = [seat] if explorer.alive else []
        if seek.for_ == "monsters":
            own = explorer.side or "heroes"
            if is_own_side(own) and rules.runs_monsters(state) == seat:
                own = "traitor"
            who = [name for name, monster in state.monsters.items() if monster.side == own]
        if holds is not None:
            who = [one for one in who if holds(glance, Frame(rules.block("act"), _bound(one, seat, side)))]
        if seek.rooms is not None:
            for one in who:
                frame = Frame(rules.block("act"), _bound(one, seat, side))
                yield _hint(
                    rules, state, side, seek, [one] if is_monster(one) else [], places(glance, frame, seek.rooms)
                )
        elif who:
            yield _hint(rules, state, side, seek, [one for one in who if is_monster(one)])


def _bound(figure: Figure, seat: int, side: str) -> Bound:
    return {"you": figure, "src": f"haunt:{side}", "drawer": seat}


@lru_cache(maxsize=256)
def _goals(rules: Rules, haunt: str, side: str) -> list[tuple[Test | None, Seek]]:
    book = book_of(rules.pack.haunts[haunt], side)
    return [(test(seek.if_) if seek.if_ is not None else None, seek) for seek in book.seek]


def _hint(
    rules: Rules, state: State, side: str, seek: Seek, by: list[str], rooms: Sequence[str] | None = None
) -> HintView:
    found = list(dict.fromkeys(_places(rules, state, seek) if rooms is None else _parts(state, rooms)))
    return HintView(
        side=side,
        by=by,
        places=[PlaceView(room=room, part=part) for room, part in found],
        explore=seek.explore,
        monsters=seek.monsters,
        foes=seek.foes,
        steal=seek.steal,
        stay=seek.stay,
    )


def _parts(state: State, rooms: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Whole rooms with all their parts."""
    return ((room, part) for room in rooms for part in range(max(1, len(state.rooms[room].parts))))


def _places(rules: Rules, state: State, seek: Seek) -> Iterator[tuple[str, int]]:
    """Where tokens lie, or whole rooms with all their parts."""
    if seek.token is not None:
        yield from ((here.room, here.part) for here in state.tokens if here.token == seek.token)
        return
    done = {here.room for here in state.tokens if here.token == seek.without_token}
    for room in state.rooms.values():
        marked = seek.symbol is not None and seek.symbol in rules.pack.tiles[room.id].symbols
        if (marked and room.id not in done) or room.id == seek.room or room.floor == seek.floor:
            yield from _parts(state, [room.id])
