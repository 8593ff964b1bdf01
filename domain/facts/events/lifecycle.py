"""The life of a game: opened, claimed, started, ended, rewound."""

from typing import ClassVar

import msgspec

from domain.facts.events.base import HIDDEN, NOTHING, Event, Informs
from domain.facts.events.desk import over, turned
from domain.facts.pieces import Deck, Room, Slot
from domain.facts.state import Explorer, State, Turn


class GameOpened(Event, frozen=True, kw_only=True):
    """A game was opened. Edition, content and source of chance are fixed; the seats are free."""

    informs: ClassVar[Informs] = NOTHING

    game: str
    edition: str
    pack: str
    pack_digest: str
    seats: int
    options: dict[str, object]
    source: str
    """`seeded`, `tape` or `moderator`."""
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

    setup: dict[str, object]

    def apply(self, state: State) -> None:
        state.setup = dict(self.setup)


class StackArranged(Event, frozen=True, kw_only=True):
    """The top of a stack was laid in a prepared order, face down; the rest is shuffled below."""

    informs: ClassVar[Informs] = HIDDEN

    deck: str
    faces: list[str]

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

    seat: int
    explorer: str = ""
    name_digest: str = ""
    """Salted digest of the player's name: the name itself is kept beside the log, so that it can be erased."""
    entropy: str = ""
    """What this seat adds to the seeded dice."""

    def apply(self, state: State) -> None:
        state.claimed[self.seat] = self.explorer or "?"


class GameStarted(Event, frozen=True, kw_only=True):
    """The house is set up, the stacks are shuffled, and every explorer is in the starting room (2E-SETUP-005 to 2E-SETUP-007)."""

    informs: ClassVar[Informs] = NOTHING

    explorers: list[Explorer]
    rooms: list[Room]
    decks: dict[str, Deck]
    first: int
    """The seat that begins (2E-SETUP-008)."""

    def apply(self, state: State) -> None:
        """Lay everything out; copies, because events are never changed."""
        state.status = "started"
        state.explorers = msgspec.convert(msgspec.to_builtins(self.explorers), list[Explorer])
        for room in msgspec.convert(msgspec.to_builtins(self.rooms), list[Room]):
            state.rooms[room.id] = room
            state.grid[f"{room.floor}:{room.x}:{room.y}"] = room.id
        state.decks = msgspec.convert(msgspec.to_builtins(self.decks), dict[str, Deck])
        state.claimed = [explorer.id for explorer in state.explorers]


class ScenarioChosen(Event, frozen=True, kw_only=True):
    """The group has chosen why it enters the house; the other scenarios are out of the game (3E-SETUP-012, 3E-SETUP-013)."""

    informs: ClassVar[Informs] = NOTHING

    scenario: str

    def apply(self, state: State) -> None:
        state.scenario = self.scenario


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: a side won (2E-WIN-001), or nobody (`winner` empty, for a turn limit or an abandoned game)."""

    informs: ClassVar[Informs] = NOTHING

    winner: str
    because: str
    status: str = "finished"

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

    to: int
    """The commit whose state is restored."""
    state: State
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

    traitor: int = -1
    """The seat of the traitor."""
    innocents: list[int] = []
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

    seat: int
    """Who plays it; -2 in the monsters' turn while nobody may name the hidden traitor, who does (2E-HID-003)."""
    number: int
    monsters: bool = False
    allowance: int = -1
    """Movement fixed for the turn (3E-MOVE-001); -1 where it follows the current Speed (2E-MOVE-001)."""
    round: int = 0
    follows: int = -1
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

    seat: int

    def apply(self, state: State) -> None:
        state.turn.acting = False


class ExtraTurnGiven(Event, frozen=True, kw_only=True):
    """This explorer has another turn after the current one."""

    informs: ClassVar[Informs] = NOTHING

    seat: int

    def apply(self, state: State) -> None:
        state.turn.extra = self.seat
