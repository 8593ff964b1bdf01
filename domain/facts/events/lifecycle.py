"""The life of a game: opened, claimed, started, ended, rewound."""

from typing import ClassVar

import msgspec

from domain.facts.events.base import HIDDEN, NOTHING, TO_REFEREE, UNRELEASED, Event, Informs
from domain.facts.events.desk import over, turned
from domain.facts.pieces import Deck, Room, Slot
from domain.facts.state import Explorer, State, Turn
from domain.facts.terms import (
    Chances,
    Commit,
    Digest,
    Face,
    Over,
    Seat,
    SeatOrNobody,
    SeatOrUnnamed,
    Seats,
    Stack,
    Winner,
)


class GameOpened(Event, frozen=True, kw_only=True):
    """A game was opened. Edition, content and source of chance are fixed; the seats are free."""

    informs: ClassVar[Informs] = NOTHING

    game: str
    """Its id."""
    edition: str
    """The rules that it is played by: `second`, `third`, `play-by-post`, or a house's own."""
    pack: str
    """The content that it is played with, by its id."""
    pack_digest: str
    """`sha256:` and the digest of the pack."""
    seats: Seats
    options: dict[str, object]
    """What the table chose, by the names of the request that opened it."""
    source: Chances
    commitment: str = ""
    """Seeded: the salted digest of the seed that will be revealed."""
    arranged: bool = False
    """Whether it was prepared by a tape or a setup, so that the result proves nothing about luck."""

    def apply(self, state: State) -> None:
        state.game = self.game
        state.edition = self.edition
        state.pack = self.pack
        state.seats = self.seats
        state.options = dict(self.options)
        state.arranged = self.arranged
        state.source = self.source
        state.claimed = [""] * self.seats
        state.status = "open"


class GameArranged(Event, frozen=True, kw_only=True):
    """The game was prepared: a fixed first seat, ordered stacks. For the referee; everybody else knows only that it was."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = TO_REFEREE

    setup: dict[str, object]
    """What was prepared, by the names of the request that opened it."""

    def apply(self, state: State) -> None:
        state.setup = dict(self.setup)


class StackArranged(Event, frozen=True, kw_only=True):
    """The top of a stack was laid in a prepared order, face down; the rest is shuffled below."""

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = TO_REFEREE

    deck: Stack
    faces: list[Face]
    """From the top down."""

    def apply(self, state: State) -> None:
        """The slots are determined; what was known of the top before (its back may have been read) no longer holds."""
        deck = state.decks[self.deck]
        loose = [*deck.pool, *(slot.face for slot in deck.top if slot.face)]
        deck.unknown += len(deck.top) - len(self.faces)
        deck.pool = [face for face in loose if face not in self.faces]
        deck.top = [Slot(face=face) for face in self.faces]


class SeatClaimed(Event, frozen=True, kw_only=True):
    """A player took a seat and, perhaps, an explorer (2E-SETUP-002)."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat
    explorer: str = ""
    """Its id (`zoe-ingstrom`); empty while none is chosen."""
    name_digest: Digest = ""
    """Salted digest of the player's name: the name itself is kept beside the log, so that it can be erased."""
    entropy: str = ""
    """What this seat adds to the seeded dice."""

    def apply(self, state: State) -> None:
        state.claimed[self.seat] = self.explorer or "?"


class GameStarted(Event, frozen=True, kw_only=True):
    """The house is set up, the stacks are shuffled, and every explorer is in the starting room (2E-SETUP-005 to 2E-SETUP-007)."""

    informs: ClassVar[Informs] = NOTHING

    explorers: list[Explorer]
    """By seat."""
    rooms: list[Room]
    """All that are there from the start."""
    decks: dict[str, Deck]
    """By name: `tiles`, `event`, `item`, `omen`."""
    first: Seat
    """The seat that begins (2E-SETUP-008)."""

    def apply(self, state: State) -> None:
        """Lay everything out; copies, because events are never changed."""
        state.status = "started"
        state.explorers = msgspec.convert(msgspec.to_builtins(self.explorers), list[Explorer])
        for room in self.rooms:
            state.rooms[room.id] = room
            state.grid[f"{room.floor}:{room.x}:{room.y}"] = room.id
        state.decks = msgspec.convert(msgspec.to_builtins(self.decks), dict[str, Deck])
        state.claimed = [explorer.id for explorer in state.explorers]


class ScenarioChosen(Event, frozen=True, kw_only=True):
    """The group has chosen why it enters the house; the other scenarios are out of the game (3E-SETUP-012, 3E-SETUP-013)."""

    informs: ClassVar[Informs] = NOTHING
    since: ClassVar[str] = UNRELEASED

    scenario: str
    """Its id in the pack."""

    def apply(self, state: State) -> None:
        state.scenario = self.scenario


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: a side won (2E-WIN-001), or nobody (`winner` empty, for a turn limit or an abandoned game).

    What the heroes of a haunt without a traitor lose, the house wins.
    """

    informs: ClassVar[Informs] = NOTHING

    winner: Winner
    because: str
    """Why it is over, in a sentence."""
    status: Over = "finished"

    def apply(self, state: State) -> None:
        state.status = self.status
        state.winner = self.winner
        state.because = self.because
        state.open = {}
        state.frames = []
        state.turn.acting = False
        if state.rulings is not None:
            state.rulings.proposed = None
            state.rulings.awaited = []
        over(state)


class Rewound(Event, frozen=True, kw_only=True):
    """Play goes on from an earlier commit: those who are told this get the state that they knew then.

    Each role is told its own state in an event of its own; those who knew the same share one. The referee's, who knew everything, is the
    last of a commit, and so the one that the engine goes on with. Nothing is erased, and what `KEPT` names is not taken back.
    """

    informs: ClassVar[Informs] = HIDDEN
    audience: ClassVar[str] = "Each role, of its own state; those who know the same share one event."

    to: Commit
    """The commit whose state is restored."""
    state: State
    """All that the role knows of the game from now on."""
    skipped: int = 0
    """For the referee: requests of chance that were open and fell away. Their numbers are not given again."""

    def apply(self, state: State) -> None:
        """Replace everything but what never goes back; a copy, because events are never changed.

        It copies by way of bytes: saved frames keep their bindings encoded, which are not builtins.
        """
        restored = msgspec.json.decode(msgspec.json.encode(self.state), type=State)
        restored.chances = max(state.chances, restored.chances) + self.skipped
        restored.asked = max(state.asked, restored.asked)
        for field in KEPT:
            setattr(restored, field, getattr(state, field))
        for field in State.__struct_fields__:
            setattr(state, field, getattr(restored, field))


KEPT = ("commit", "rulings", "desk")
"""What a rewind leaves as it is. The counts of chance and of decisions stay too: no die is dealt twice, no id is given again."""


class Disclosed(Event, frozen=True, kw_only=True):
    """A secret becomes known to more people."""

    informs: ClassVar[Informs] = HIDDEN

    traitor: SeatOrNobody = -1
    """The seat of the traitor; -1 if it does not become known."""
    innocents: list[Seat] = []
    """Seats known to be heroes."""

    def apply(self, state: State) -> None:
        if self.traitor >= 0:
            state.explorers[self.traitor].side = "traitor"
            if state.haunt is not None:
                state.haunt.traitor = self.traitor
        for seat in self.innocents:
            state.explorers[seat].side = "heroes"


class TurnStarted(Event, frozen=True, kw_only=True):
    """A turn begins: an explorer's, or the monsters' (2E-SETUP-009, 2E-HTURN-002)."""

    informs: ClassVar[Informs] = NOTHING

    seat: SeatOrUnnamed
    """Who plays it; -2 in the monsters' turn while nobody may name the hidden traitor, who does (2E-HID-003)."""
    number: int
    """Of the turn, counted from 1 in its game; a turn that begins again after a rewind keeps its number."""
    monsters: bool = False
    """It is the monsters' turn."""
    allowance: int = -1
    """Movement fixed for the turn (3E-MOVE-001); -1 where it follows the current Speed (2E-MOVE-001)."""
    round: int = 0
    """The round of the haunt, counted from 1; 0 before the haunt."""
    follows: SeatOrNobody = -1
    """In the monsters' turn, where it has a place of its own in the round: the seat after whose turn it comes (3E-MON-002)."""
    shares: bool = True
    """In the monsters' turn: what the traitor has used of a tile is used up for them (2E-ROOM-033)."""

    def apply(self, state: State) -> None:
        """Everything that is counted by the turn begins anew."""
        # The traitor's turn and the monsters' share what tiles allow once a turn (2E-ROOM-033), even if others play in between.
        # A hidden traitor's do not: that would tell everybody whose turn it was.
        haunt = state.haunt
        if haunt is not None and not haunt.hidden and state.turn.seat == haunt.traitor and not state.turn.monsters:
            haunt.shared = [key for key in state.used if key.startswith("tile:")]
        state.turn = Turn(number=self.number, seat=self.seat, monsters=self.monsters, acting=True, follows=self.follows)
        state.used = []
        if self.monsters and haunt is not None:
            state.used, haunt.shared = haunt.shared if self.shares else [], []
        if state.haunt is not None:
            state.haunt.round = self.round
            state.haunt.started = True
            if self.follows >= 0:
                state.haunt.acted, state.haunt.acted_after = self.round, self.follows
        if state.rulings is not None:
            state.rulings.spoken = 0
        if state.desk is not None:
            turned(state.desk, self.number)
        for explorer in state.explorers:
            if explorer.gained:
                explorer.gained = []
        if self.monsters:
            for monster in state.monsters.values():
                monster.left = 0
                monster.spent = 0
                monster.moved = False
                monster.attacked = False
            return
        me = state.explorers[self.seat]
        me.spent = 0
        me.allowance = self.allowance
        me.moved = False
        me.stopped = False
        me.attacked = False
        me.used = []


class TurnEnded(Event, frozen=True, kw_only=True):
    """The active player is done (2E-TURN-003); end-of-turn duties follow."""

    informs: ClassVar[Informs] = NOTHING

    seat: SeatOrUnnamed
    """Whose turn it was; -2 for a hidden traitor who runs the monsters, whom nobody may name."""

    def apply(self, state: State) -> None:
        state.turn.acting = False


class ExtraTurnGiven(Event, frozen=True, kw_only=True):
    """This explorer has another turn after the current one."""

    informs: ClassVar[Informs] = NOTHING

    seat: Seat

    def apply(self, state: State) -> None:
        state.turn.extra = self.seat
