"""What commits brought about that no single event says: who died of what, where and by whom, who placed a tile. And what a timeline marks.

It is found as a log is folded, from what everybody was told and where figures stand for all to see. So it is the same for every role, and
nothing in it was hidden from anybody. Half-done things are remembered from one commit to the next: an attack is decided in one, and the
explorer who divides its damage dies in another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.facts.audience import EVERYBODY
from domain.facts.events import (
    ActionTaken,
    AttackDecided,
    CardDrawn,
    CardGained,
    CardLost,
    DamageTaken,
    DecisionOpened,
    DiceRerolled,
    DiceRolled,
    DisputeOpened,
    ExplorerAttacked,
    ExplorerDied,
    FiguresSwapped,
    GameEnded,
    GameStarted,
    HauntBegun,
    MonsterHid,
    MonsterKilled,
    MonsterPlaced,
    MonsterShown,
    Moved,
    ResultNamed,
    Rewound,
    RuleApplied,
    SandboxBegun,
    SeatClaimed,
    TileDrawn,
    TilePlaced,
    Told,
    TraitChanged,
    TurnEnded,
    TurnStarted,
)
from domain.facts.events.base import Event
from domain.facts.ids import id_kind, split_id
from domain.facts.state import Figure, MonsterName, State, is_explorer, is_monster
from domain.facts.terms import Across, Along, CardId, Floor, RoomId, RuleId, Seat, SeatOrUnnamed, TileId, one_of

SHOWN = {
    "State": ("explorers", "monsters", "rooms", "open"),
    "Explorer": ("seat", "room"),
    "Monster": ("room",),
    "Room": ("floor",),
}
"""The fields of the engine's state that are read here, which are the same in the state of every role."""

ATTACK = "attack"
MOST_HALF_DONE = 32
"""Commits that left something half-done to which play can go back and nothing is forgotten; in others the latest attack or action is."""
PIECES = ("card", "tile", "token", "haunt")
BOOKS = ("heroes", "traitor")

DeathCause = Annotated[
    str,
    Meta(
        description="What it died of: `attack`, or the piece whose text did it (`card:axe`, `tile:vault`, `token:closet`, `haunt:traitor`). "
        "Empty where no event that everybody was told says so."
    ),
]


class Death(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An explorer died, or a monster was killed: of what, where, and by whom."""

    seat: Seat | None = None
    """The explorer, by its seat; absent for a monster."""
    monster: MonsterName | None = None
    """The monster, by its id; absent for an explorer."""
    room: RoomId
    """Where it was, as far as everybody knew; empty for a monster that hid."""
    floor: Floor | None = None
    """The floor of that room; the third edition says region."""
    cause: DeathCause
    by: Figure | None = None
    """Who did it: the attacker, an attacked one who struck back, or whoever used the card or took the action. Absent: nobody."""
    weapon: CardId | None = None
    """The card that `by` attacked with."""
    rules: list[RuleId]
    """The rules that were cited for it, in order; their words: `GET /v1/rules/{id}`."""


class TileLaid(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tile came into the house: who placed it, and where."""

    tile: TileId
    by: SeatOrUnnamed | None = None
    """The seat that turned it up or chose its place; absent where a text placed it and nobody had a choice."""
    floor: Floor
    x: Across
    y: Along


class Mark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a line of the game's commits marks."""

    kind: Annotated[
        str,
        one_of(
            "A `turn` began, an `omen` was drawn, the `haunt` began, somebody died (`death`), a `dispute` was opened, play went back (`rewind`), "
            "or who sits at the table may have changed (`seat`): a seat was taken, its player was replaced, or play went back.",
            "turn",
            "omen",
            "haunt",
            "death",
            "dispute",
            "rewind",
            "seat",
        ),
    ]
    turn: int | None = None
    """The number of the turn that began."""
    seat: Seat | None = None
    """Whose turn it is; absent in the monsters' turn."""


class CommitFacts(msgspec.Struct, omit_defaults=True):
    """What is known of a commit besides its events."""

    deaths: list[Death] = []
    placed: list[TileLaid] = []
    marks: list[Mark] = []
    ended: bool = False
    """The game ended. How is told to each role by what it knows."""


NOTHING = CommitFacts()


class Attack(msgspec.Struct, frozen=True):
    """The latest attack."""

    figure: Figure
    target: Figure
    weapon: str
    rules: tuple[str, ...]

    def other(self, figure: Figure) -> Figure | None:
        """Whom a figure fights in it; None if it has no part in it."""
        return {self.figure: self.target, self.target: self.figure}.get(figure)


class Harm(msgspec.Struct, frozen=True):
    """What has put an explorer's clip on the skull, or will."""

    cause: str
    by: Figure | None
    weapon: str
    rules: tuple[str, ...]

    def under(self, event: Event) -> Harm:
        """The same, with the rule that an event cites."""
        return Harm(self.cause, self.by, self.weapon, (*self.rules, *_cited(event)))


class Pending(msgspec.Struct, omit_defaults=True):
    """What is remembered while something is half-done. Fields are replaced and nothing in them is changed, so that a copy need not be deep."""

    attack: Attack | None = None
    deed: ActionTaken | None = None
    """The latest action of a card, tile, token or haunt."""
    text: str = ""
    """The piece that was named last: what follows right behind it is what its text does."""
    near: str = ""
    """The same, or a card that came or went behind it: what follows may be what is gained or lost with it."""
    rolled: str = ""
    """The piece that the latest roll was for, and in `deed_rolled` the action."""
    deed_rolled: ActionTaken | None = None
    harm: dict[int, Harm] = {}
    """By seat."""
    drawn: dict[str, int] = {}
    """By tile: the seat that turned it up, or chooses where it goes."""


class KeptFacts(msgspec.Struct, frozen=True):
    """What a fold of facts has found and remembers, as a snapshot keeps it."""

    found: dict[int, CommitFacts] = {}
    """By number, of the commits that have any."""
    pending: Pending = msgspec.field(default_factory=Pending)
    half_done: dict[int, Pending] = {}
    """By number: what was remembered behind the latest commits that left something half-done."""


class FactFold:
    """Finds the facts of a game's commits, one after the other."""

    __slots__ = ("_brought", "_half_done", "_pending", "_remembers", "_rooms", "_state", "found")

    def __init__(self, state: State | None = None, kept: KeptFacts | None = None) -> None:
        """Begin before the first commit, or behind a snapshot with the engine's state and what was found so far."""
        before = kept or KeptFacts()
        self.found = before.found
        self._pending = before.pending
        self._half_done = before.half_done
        self._remembers = True
        self._rooms = {} if state is None else _rooms(state)
        self._state = state or State()
        self._brought = CommitFacts()

    def kept(self) -> KeptFacts:
        """To be encoded before the next commit."""
        return KeptFacts(self.found, self._pending, self._half_done)

    def follow(self, number: int, told: Sequence[Told], state: State) -> None:
        """Take the next commit in; `state` is the engine's after it.

        A commit that tells nobody anything is a player who was replaced, or whoever came in that place.
        """
        self._state = state
        if not told:
            self._mark("seat")
        for one in told:
            kind = type(one.event)
            if kind in HEARD:
                if one.to == EVERYBODY:
                    self._remembers = True
                    HEARD[kind](self, one.event)
            elif kind in REPLACING:
                self._rooms = _rooms(state)
                self._pending = self._remembered(one.event)
                self._remembers = True
                if kind is Rewound:
                    self._mark("rewind")
                    self._mark("seat")
        if self._brought != NOTHING:
            self.found[number], self._brought = self._brought, CommitFacts()
        if self._remembers and state.open:
            self._half_done[number] = msgspec.structs.replace(self._pending)
            if len(self._half_done) > MOST_HALF_DONE:
                del self._half_done[next(iter(self._half_done))]
        elif self._remembers:
            self._pending, self._remembers = Pending(), False

    def _remembered(self, event: Event) -> Pending:
        """What is half-done where play goes on: as it was remembered there, or as far as the open questions say."""
        before = self._half_done.get(event.to) if isinstance(event, Rewound) else None
        if before is not None:
            return msgspec.structs.replace(before)
        asked = [(*split_id(one.about), one.seat) for one in self._state.open.values()]
        return Pending(drawn={tile: seat for what, tile, seat in asked if what == "place"})

    def _mark(self, kind: str) -> None:
        """Mark the commit, once for each kind: roles are told of a rewind one by one, and several may die."""
        if all(one.kind != kind for one in self._brought.marks):
            self._brought.marks.append(Mark(kind=kind))

    # -- what led to it -----------------------------------------------------------------------------------------------

    def _begin_turn(self, event: TurnStarted) -> None:
        self._brought.marks.append(Mark(kind="turn", turn=event.number, seat=None if event.monsters else event.seat))
        self._forget(event)

    def _forget(self, _event: TurnStarted | TurnEnded) -> None:
        self._pending = Pending(drawn=self._pending.drawn)

    def _attack(self, event: ExplorerAttacked) -> None:
        self._pending.attack = Attack(event.figure, event.target, event.weapon, _cited(event))
        self.name("")

    def _decide(self, event: AttackDecided) -> None:
        if self._pending.attack is not None:
            attack = self._pending.attack
            self._pending.attack = msgspec.structs.replace(attack, rules=(*attack.rules, *_cited(event)))

    def _act(self, event: ActionTaken) -> None:
        self._pending.deed = event
        self.name(event.source)

    def _take_damage(self, event: DamageTaken) -> None:
        self._harmed(event.seat, self._harm(event.seat, event.source, event))
        self.name(event.source)

    def _lower(self, event: TraitChanged) -> None:
        """A clip comes to the skull: by damage, of which it was told, or by what a text takes."""
        if event.to or not event.by:
            return
        if event.cause != "damage":
            self._harmed(event.seat, self._harm(event.seat, self._pending.near, event))
        elif event.seat in self._pending.harm:
            self._harmed(event.seat, self._pending.harm[event.seat].under(event))

    def _harmed(self, seat: int, harm: Harm) -> None:
        self._pending.harm = {**self._pending.harm, seat: harm}

    def _harm(self, victim: Figure, cause: str, event: Event) -> Harm:
        by, weapon, rules = self._culprit(victim, cause)
        return Harm(cause, by, weapon, (*rules, *_cited(event)))

    def _culprit(self, victim: Figure, cause: str) -> tuple[Figure | None, str, tuple[str, ...]]:
        """Who brought something about, the weapon, and the rules cited so far."""
        attack, deed = self._pending.attack, self._pending.deed
        if cause == ATTACK and attack is not None and (other := attack.other(victim)) is not None:
            return other, attack.weapon if other == attack.figure else "", attack.rules
        if deed is not None and cause and deed.source == cause:
            return deed.figure, "", _cited(deed)
        return None, "", ()

    def name(self, source: str) -> None:
        """A piece is named: `card:axe`, or a box of one, `tile/vault#on.0`."""
        self._pending.text = self._pending.near = piece_of(source)

    def _roll(self, event: DiceRolled) -> None:
        self.name(event.about)
        self._pending.rolled, self._pending.deed_rolled = self._pending.text, self._pending.deed

    def _roll_again(self, _event: DiceRerolled | ResultNamed) -> None:
        """What was done to the roll is done; what it was for goes on."""
        self.name(self._pending.rolled)
        self._pending.deed = self._pending.deed_rolled

    def _draw_card(self, event: CardDrawn) -> None:
        if event.deck == "omen":
            self._mark("omen")
        self.name("" if self._pending.deed else f"card:{event.card}")  # whose text goes on behind it, no event says

    def _pass_card(self, event: CardGained | CardLost) -> None:
        self._pending.near = "" if self._pending.deed else f"card:{event.card}"

    def _draw(self, event: TileDrawn) -> None:
        self._pending.drawn = {**self._pending.drawn, event.tile: event.seat}

    def _ask(self, event: DecisionOpened) -> None:
        what, tile = split_id(event.decision.about)
        if what == "place":
            self._pending.drawn = {**self._pending.drawn, tile: event.decision.seat}

    # -- where they stand ---------------------------------------------------------------------------------------------

    def _move(self, event: Moved) -> None:
        self._rooms[event.figure] = event.room
        self.name("")

    def _stand(self, event: MonsterPlaced | MonsterShown) -> None:
        self._rooms[event.monster] = event.room

    def _hide(self, event: MonsterHid) -> None:
        self._rooms[event.monster] = ""

    def _swap(self, event: FiguresSwapped) -> None:
        rooms = self._rooms
        rooms[event.first], rooms[event.second] = rooms.get(event.second, ""), rooms.get(event.first, "")

    # -- what came of it ----------------------------------------------------------------------------------------------

    def _die(self, event: ExplorerDied) -> None:
        harm = self._pending.harm.get(event.seat)
        self._bury(event.seat, self._harm(event.seat, self._pending.text, event) if harm is None else harm.under(event))

    def _kill(self, event: MonsterKilled) -> None:
        attack = self._pending.attack
        fought = attack is not None and attack.other(event.monster) is not None
        self._bury(event.monster, self._harm(event.monster, ATTACK if fought else self._pending.text, event))

    def _bury(self, victim: Figure, harm: Harm) -> None:
        room = self._rooms.get(victim, "")
        there = self._state.rooms.get(room)
        self._mark("death")
        self._brought.deaths.append(
            Death(
                seat=victim if is_explorer(victim) else None,
                monster=victim if is_monster(victim) else None,
                room=room,
                floor=None if there is None else there.floor,
                cause=harm.cause,
                by=harm.by,
                weapon=harm.weapon or None,
                rules=list(dict.fromkeys(harm.rules)),
            )
        )

    def _lay(self, event: TilePlaced) -> None:
        by = self._pending.drawn.get(event.tile)
        self._brought.placed.append(TileLaid(tile=event.tile, by=by, floor=event.floor, x=event.x, y=event.y))

    def _end(self, _event: GameEnded) -> None:
        self._brought.ended = True


# ruff: noqa: SLF001 -- the fold's own methods, by what they hear
HEARD: Mapping[type[Event], Callable[[FactFold, Any], None]] = MappingProxyType(
    {
        TurnStarted: FactFold._begin_turn,
        TurnEnded: FactFold._forget,
        ExplorerAttacked: FactFold._attack,
        AttackDecided: FactFold._decide,
        ActionTaken: FactFold._act,
        DamageTaken: FactFold._take_damage,
        TraitChanged: FactFold._lower,
        RuleApplied: lambda fold, event: fold.name(event.source),
        DiceRolled: FactFold._roll,
        DiceRerolled: FactFold._roll_again,
        ResultNamed: FactFold._roll_again,
        CardDrawn: FactFold._draw_card,
        CardGained: FactFold._pass_card,
        CardLost: FactFold._pass_card,
        TileDrawn: FactFold._draw,
        DecisionOpened: FactFold._ask,
        Moved: FactFold._move,
        MonsterPlaced: FactFold._stand,
        MonsterShown: FactFold._stand,
        MonsterHid: FactFold._hide,
        FiguresSwapped: FactFold._swap,
        ExplorerDied: FactFold._die,
        MonsterKilled: FactFold._kill,
        TilePlaced: FactFold._lay,
        GameEnded: FactFold._end,
        HauntBegun: lambda fold, _: fold._mark("haunt"),
        DisputeOpened: lambda fold, _: fold._mark("dispute"),
        SeatClaimed: lambda fold, _: fold._mark("seat"),
    }
)
"""What is done with which event that everybody was told."""

REPLACING = frozenset[type[Event]]({GameStarted, Rewound, SandboxBegun})
"""They put figures where no other event says."""


def _rooms(state: State) -> dict[Figure, str]:
    """Where figures stand for all to see."""
    found: dict[Figure, str] = {one.seat: one.room for one in state.explorers}
    return found | {name: one.room for name, one in state.monsters.items()}


def _cited(event: Event) -> tuple[str, ...]:
    return (event.rule,) if event.rule else ()


@lru_cache(4096)
def piece_of(source: str) -> str:
    """The piece that a source or a box is of: `tile:vault` of `tile/vault#on.0`, `haunt:heroes` of a box in the heroes' book."""
    box, _, path = source.partition("#")
    if not path:
        return source if id_kind(source) in PIECES else ""
    what, _, name = box.partition("/")
    if what == "haunt":
        name = path.partition(".")[0]
        return f"haunt:{name}" if name in BOOKS else ""
    return f"{what}:{name}" if what in PIECES else ""
