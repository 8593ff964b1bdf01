"""Who is in the house: seats, explorers and monsters, as a role knows them."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta

from domain.engine.rules import Rules
from domain.facts.state import Explorer, Monster, State
from domain.queries.characters import LOWEST
from projections.naming.names import Names
from projections.shapes import (
    AnySide,
    Floor,
    FloorOrNone,
    Id,
    Name,
    Number,
    Part,
    Seat,
    Shape,
    Side,
    Spaces,
    Title,
    Trait,
    reader_of,
)

SHOWN = {
    "State": ("claimed", "explorers", "monsters", "rooms", "haunt"),
    "Explorer": (
        "seat",
        "id",
        "tracks",
        "starts",
        "at",
        "room",
        "part",
        "alive",
        "died",
        "removed",
        "escaped",
        "side",
        "revealed",
        "token",
        "cards",
        "spent",
        "stopped",
        "attacked",
        "held",
    ),
    "Held": ("card", "trait", "at_least", "tries_left"),
    "Monster": (
        "id",
        "kind",
        "room",
        "hides",
        "lair",
        "lair_part",
        "side",
        "traits",
        "boxed",
        "has",
        "part",
        "stunned",
        "left",
        "attacked",
        "cards",
    ),
    "Room": ("floor",),
}
"""The fields of a role's state that are read here; all others stay hidden."""

FIGURES_KEPT = 4096
"""Explorers and monsters whose views are cached: the roles of a game share most, and most commands leave them as they are."""
TRAITS_KEPT = 1024
"""Explorers whose traits are cached: most commands that change an explorer leave them as they are."""

Value = Annotated[int, Meta(ge=0, le=20)]
Position = Annotated[int, Meta(ge=0, le=8, description="A space of a trait's track: 0 is the skull, 8 the top.")]


class SeatView(Shape, frozen=True, kw_only=True):
    """A seat at the table."""

    seat: Seat
    taken: bool
    character: Name
    """The explorer it has taken; empty if it is free, or leaves the choice to the start of the game."""


class TraitView(Shape, frozen=True, kw_only=True):
    """A trait of an explorer: a clip on a track of numbers."""

    value: Value
    """The number that the clip is on now; 0 on the skull."""
    position: Position
    start: Position
    """Where the clip was at the start of the game."""
    track: list[Value]
    """The number of each space."""
    critical: bool
    """The clip is on the last space before the skull: in the haunt one more space down is death."""


class TraitsView(Shape, frozen=True, kw_only=True):
    """The four traits."""

    might: TraitView
    speed: TraitView
    sanity: TraitView
    knowledge: TraitView


class HeldView(Shape, frozen=True, kw_only=True):
    """Something that holds an explorer back until a roll frees it."""

    card: Id
    trait: Trait
    at_least: Number
    """The result that frees the explorer."""
    tries_left: Number
    """The number of failures after which the explorer is free anyway."""


class ExplorerView(Shape, frozen=True, kw_only=True):
    """A player's character."""

    seat: Seat
    character: Id
    title: Title
    room: Id
    floor: Floor
    part: Part
    alive: bool
    """False also for an explorer that left the house without dying."""
    corpse: bool
    """It lies in its room, dead, with the cards that can be taken from it by `loot`."""
    removed: bool
    """Whether it left the house for good without dying."""
    escaped: bool
    """Whether it escaped, with everything it carried."""
    side: AnySide
    revealed: bool
    """Everybody knows the side."""
    token: Annotated[int, Meta(ge=1, le=6)] | None
    """The number on its token, of those dealt for a hidden traitor: the 1 is the traitor's. Null if this role hasn't seen it."""
    traits: TraitsView
    cards: list[Id]
    """The cards that it has; see the view's `cards`."""
    held: HeldView | None
    spent: Spaces
    """Spaces spent in its latest turn."""
    stopped: bool
    """Its movement has ended for this turn."""
    attacked: bool
    """It has made the attack of its latest turn."""


class MonsterView(Shape, frozen=True, kw_only=True):
    """A monster in the house."""

    id: Id
    kind: Id
    title: Title
    room: Name
    """Empty while it hides from this role."""
    floor: FloorOrNone
    """Empty where `room` is."""
    part: Part
    hides: bool
    """Only its own side knows where it is."""
    side: Side
    traits: dict[str, Value]
    """Empty where this role was not told what its box says."""
    has: list[Trait]
    """The traits that it has, which everybody sees."""
    boxed: bool
    """This role was not told what its box says: neither its numbers, nor what damage does to it, nor its own rules."""
    stunned: bool
    left: Spaces
    """Spaces of movement left in the monsters' turn."""
    attacked: bool
    dies: bool | None
    """Whether damage kills it; other monsters are stunned. Null where `boxed`."""
    stuns: bool | None
    """Whether damage stuns it, unless it kills; if false, it does nothing to the monster. Null where `boxed`."""
    defends: bool
    """Whether it hurts an attacker whom it beats: where stunned ones do not, not while it is stunned."""
    color: Annotated[str, Meta(max_length=20)]
    """The color of its token, which also bears a number; empty for large tokens, which bear a name."""
    cards: list[Id]
    """What it carries; see the view's `cards`."""


def seats_of(state: State) -> list[SeatView]:
    """All seats, by number."""
    return list(_seats(tuple(state.claimed)))


@lru_cache(maxsize=FIGURES_KEPT)
def _seats(claimed: tuple[str, ...]) -> list[SeatView]:
    return [SeatView(seat=seat, taken=bool(one), character=one.strip("?")) for seat, one in enumerate(claimed)]


_encode = msgspec.msgpack.Encoder().encode


def explorers_of(names: Names, state: State) -> list[ExplorerView]:
    """All explorers, by seat; none before the start."""
    rooms = state.rooms
    return [_explorer(names.character(one.id), rooms[one.room].floor, _encode(one)) for one in state.explorers]


_decode_explorer = reader_of(Explorer, SHOWN["Explorer"])


@lru_cache(maxsize=FIGURES_KEPT)
def _explorer(title: str, floor: str, encoded: bytes) -> ExplorerView:
    """A function of bytes, so that whatever a view depends on is part of the key."""
    explorer = _decode_explorer(encoded)
    held = explorer.held
    return ExplorerView(
        seat=explorer.seat,
        character=explorer.id,
        title=title,
        room=explorer.room,
        floor=floor,
        part=explorer.part,
        alive=explorer.alive,
        corpse=explorer.died >= 0,
        removed=explorer.removed,
        escaped=explorer.escaped,
        side=explorer.side,
        revealed=explorer.revealed,
        token=explorer.token or None,
        traits=_traits(_encode((explorer.tracks, explorer.starts, explorer.at))),
        cards=explorer.cards,
        held=None
        if held is None
        else HeldView(card=held.card, trait=held.trait, at_least=held.at_least, tries_left=held.tries_left),
        spent=explorer.spent,
        stopped=explorer.stopped,
        attacked=explorer.attacked,
    )


_decode_traits = msgspec.msgpack.Decoder(tuple[list[list[int]], list[int], list[int]]).decode


@lru_cache(maxsize=TRAITS_KEPT)
def _traits(encoded: bytes) -> TraitsView:
    """A function of bytes, too."""
    might, speed, sanity, knowledge = (
        TraitView(value=track[position], position=position, start=start, track=track, critical=position == LOWEST)
        for track, start, position in zip(*_decode_traits(encoded), strict=True)
    )
    return TraitsView(might=might, speed=speed, sanity=sanity, knowledge=knowledge)


def monsters_of(rules: Rules, names: Names, state: State) -> list[MonsterView]:
    """Monsters in the order in which they came."""
    if state.haunt is None or not state.monsters:
        return []
    rooms = state.rooms
    found = []
    for monster in state.monsters.values():
        room, _ = monster.known_place()
        floor = rooms[room].floor if room else ""
        found.append(_monster(rules, state.haunt.id, names.monster(monster.id), floor, _encode(monster)))
    return found


_decode_monster = reader_of(Monster, SHOWN["Monster"])


@lru_cache(maxsize=FIGURES_KEPT)
def _monster(rules: Rules, haunt: str, title: str, floor: str, encoded: bytes) -> MonsterView:
    """A function of bytes, too."""
    monster = _decode_monster(encoded)
    sheet, (room, part) = rules.pack.haunts[haunt].monsters[monster.kind], monster.known_place()
    return MonsterView(
        id=monster.id,
        kind=monster.kind,
        title=title,
        room=room,
        floor=floor,
        part=part,
        hides=monster.hides,
        side=monster.side,
        traits=monster.traits,
        has=monster.has or [trait for trait, number in monster.traits.items() if number],
        boxed=monster.boxed,
        stunned=monster.stunned,
        left=max(0, monster.left),
        attacked=monster.attacked,
        dies=None if monster.boxed else sheet.dies,
        stuns=None if monster.boxed else sheet.stuns,
        defends=not monster.stunned or rules.edition.monsters.fight_stunned,
        color=sheet.color or "",
        cards=monster.cards,
    )
