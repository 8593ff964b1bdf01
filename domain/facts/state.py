"""The state of a game: everything that events have told, and nothing that could be derived only from outside.

One class serves the engine and every role: a role's state is the fold of the events that this role was told, so what it
may not know is simply absent. All of it is data (msgspec Structs); a snapshot is its encoding. Nothing in it is ever part of a
cycle, so that what there is many of is not tracked by the garbage collector (`gc=False`).
"""

from __future__ import annotations

from typing import Annotated, NewType

import msgspec
from msgspec import Meta

from content.vocabulary.base import TRAITS
from content.vocabulary.entry import Entry
from domain.facts.audience import Mask, seats_mask
from domain.facts.desk import Desk
from domain.facts.pieces import Deck, Link, Pile, Room, TokenHere
from domain.facts.terms import (
    Addressee,
    Book,
    CardId,
    Clip,
    Commit,
    DecisionId,
    EntryNumber,
    MonsterKind,
    Part,
    Question,
    RoomId,
    RulingNumber,
    Seat,
    SeatOrNobody,
    SeatOrReferee,
    Side,
    Spaces,
    Status,
    Trait,
    TraitOrNone,
    Winner,
    figure_or,
)
from domain.facts.typed import TypeIs

TRAIT_INDEX: dict[str, int] = {trait: index for index, trait in enumerate(TRAITS)}

MonsterId = NewType("MonsterId", str)
"""A monster's name in the log: its kind and a number (`rat-2`)."""

MonsterName = Annotated[MonsterId, Meta(description="The monster, by its id: its kind and a number (`rat-2`).")]
"""The same, as fields say it."""

NO_MONSTER = MonsterId("")
"""What events hold where they name no figure."""

Figure = Annotated[
    int | MonsterId, figure_or("The character: an explorer by its seat, or a monster by its id.", "monster")
]
"""A character: an explorer by its seat number, a monster by its id. Events store them so."""

Aim = Annotated[int | str, figure_or("A character, by seat or id, or a room by its id.", "name")]
"""What something is done to: a character, or a room by its id."""


def is_explorer(figure: Aim | None) -> TypeIs[int]:
    """Whether a figure is an explorer, by its seat."""
    return isinstance(figure, int)


def is_monster(figure: Figure | None) -> TypeIs[MonsterId]:
    """Whether a figure is a monster, by its id."""
    return isinstance(figure, str)


MODERATOR = -1
"""The addressee of a chance decision: whoever holds the real dice and cards."""

UNNAMED = -2
"""The hidden traitor's seat wherever everybody reads it: who runs the monsters before the revelation (2E-HID-003).

Events, decisions and turns have it in place of the seat, in the engine's state too, so that nothing has to be masked on the way out;
`State.seat_of` gives the seat to whoever was told it.
"""


TAKEN_AWAY = -2
"""In place of the turn of its death: the corpse was taken out of the house."""


class Held(msgspec.Struct):
    """An explorer held back by an event (Webs, Debris) until a roll frees it."""

    card: CardId
    """The event that holds it."""
    trait: Trait
    """The trait to roll with."""
    at_least: int
    """The result that frees it."""
    tries_left: int
    """Attempts until it is free anyhow."""
    failing_stops: bool = False
    """A failed attempt ends movement for the turn."""
    far: bool | msgspec.UnsetType = msgspec.UNSET
    """Others may help from wherever they are. Unset, not false: what was stored before keeps its bytes."""
    catches: int | msgspec.UnsetType = msgspec.UNSET
    """Tries left to a helper who is caught by failing; unset: helpers are not caught."""


class Explorer(msgspec.Struct, omit_defaults=True, gc=False):
    """One player's character, before and in the haunt, alive or dead."""

    seat: Seat
    id: str
    """Its id in the pack (`zoe-ingstrom`)."""
    tracks: list[list[int]]
    """By trait: the value at each clip position; position 0 is the skull (2E-TRAIT-005)."""
    starts: list[int]
    """By trait: the starting position."""
    at: list[Clip]
    """By trait: the clip's position, 0 (skull) to 8."""
    room: RoomId
    age: int = 0
    """In years; some haunts choose their traitor by it."""
    part: Part = 0
    alive: bool = True
    """False also of one who is removed."""
    died: int = -1
    """The number of the turn in which it became a corpse that keeps its cards; -1: it is none, `TAKEN_AWAY`: not any more."""
    removed: bool = False
    """Out of the house without having died; `alive` is then false, though a traitor's player goes on taking turns (2E-HTURN-004)."""
    escaped: bool = False
    """Removed by getting away, with everything that was carried."""
    side: Side = ""
    """`heroes` or `traitor` once the haunt has begun and this fold was told; empty before or where it is secret."""
    revealed: bool = False
    """Everybody knows the side."""
    token: int = 0
    """The number on its token, of those that were dealt for a hidden traitor (2E-HID-001); 0 where this fold was not told."""
    cards: list[CardId] = []
    """What it holds, in the order in which it was gained."""
    surplus: dict[str, int] = {}
    """`card/trait` to spaces noted as over the top (2E-ITEM-015), or below 0 of a loss that the lowest number has stopped."""
    spent: Spaces = 0
    """Spaces of movement spent this turn."""
    allowance: int = -1
    """Movement fixed at the start of the turn (third edition); -1: the current Speed counts."""
    moved: bool = False
    """It has moved in this turn."""
    stopped: bool = False
    """Movement has ended for this turn (2E-MOVE-004)."""
    attacked: bool = False
    """It can make no further attack in this turn."""
    used: list[str] = []
    """What was used since this explorer's last turn began and is limited to once in its own turn."""
    omens_owed: list[list[str]] = []
    """`[omen, room]` for which a haunt roll is due at the end of the turn (2E-HROLL-001)."""
    held: Held | None = None
    """What holds it back."""
    gained: list[CardId] = []
    """Cards gained in the current turn."""

    def value(self, trait: str) -> int:
        """The current number of a trait, 0 on the skull."""
        index = TRAIT_INDEX[trait]
        return self.tracks[index][self.at[index]]


class Monster(msgspec.Struct, omit_defaults=True, gc=False):
    """A monster in the house; its numbers were fixed when it was placed."""

    id: MonsterName
    kind: MonsterKind
    room: RoomId
    """Empty while it hides."""
    side: Side
    traits: dict[Trait, int]
    """Its number for each trait that it has: dice rolled."""
    part: Part = 0
    hides: bool = False
    """Only its side knows where it is, which is then in `lair`, so that rules that ask nobody's side take it to be nowhere."""
    lair: str = ""
    """The room in which it hides, where this fold was told."""
    lair_part: Part = 0
    stunned: bool = False
    """It misses its next turn."""
    stunned_in_turn: int = -1
    """The number of the turn in which it was stunned; -1: it is not."""
    left: Spaces = 0
    """Spaces of movement left in the current monsters' turn."""
    spent: Spaces = 0
    """Spaces of movement spent in it."""
    moved: bool = False
    """It has moved in this turn."""
    attacked: bool = False
    """It can make no further attack in this turn."""
    attacks: bool = True
    """It may attack."""
    cards: list[CardId] = []
    """What it carries, where its haunt lets it (2E-MON-018)."""
    boxed: bool = False
    """This fold was not told what its box says: `traits` is empty, and `has` says which traits it has (3E-ANAT-011)."""
    has: list[Trait] = []
    """The traits that a boxed one has."""
    rolled: dict[Trait, int] = {}
    """By trait, while it is boxed: how many dice it was last seen to roll."""

    def lacks(self, trait: str) -> bool:
        """Whether it has no such trait, which everybody sees."""
        return trait not in self.has and self.traits.get(trait, 0) <= 0

    def known_place(self) -> tuple[str, int]:
        """Room and part as far as this fold was told: no room of a monster that hides from it."""
        return (self.lair, self.lair_part) if self.hides else (self.room, self.part)


class Entered(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that was entered of a printed haunt book, as far as this fold was told."""

    number: EntryNumber
    """Of the entry; what an entry lays on the table and what only a side reads are told apart."""
    book: Book
    """`heroes` or `traitor`."""
    by: SeatOrReferee
    """The seat that entered it, or `MODERATOR`."""
    entry: Entry
    """In the vocabulary of content files."""


class Haunt(msgspec.Struct, omit_defaults=True):
    """The haunt in play."""

    id: str
    """Its id in the pack; `external` for one from a printed book."""
    number: int
    """Its number in the chart; 0 where it has none."""
    omen: CardId
    """The omen whose roll began it; empty where a card or a scenario did."""
    room: RoomId
    """Where its omen was drawn."""
    revealer: Seat
    """The haunt revealer, by seat."""
    shared: list[str] = []
    """What tiles allow once in the traitor's turn and the monsters' together, and the traitor has used (2E-ROOM-033)."""
    hidden: bool = False
    """The traitor was dealt in secret and is not revealed yet."""
    traitor: SeatOrNobody = -1
    """The traitor's seat where this fold was told, else -1."""
    round: int = 0
    """The round, counted from 1; 0 before the first."""
    acted: int = -1
    """The round in which the monsters had their latest turn, where that has a place of its own in a round."""
    acted_after: SeatOrNobody = -1
    """The seat after whose turn it came."""
    started: bool = False
    """Both sides are ready and the first turn has begun."""
    counters: dict[str, int] = {}
    """By name: the value of each counter, as far as this fold was told."""
    maxima: dict[str, int] = {}
    """By name: how far a counter goes, where it has an end."""
    entries: list[Entered] = []
    """Of a haunt from the players' own books: what was entered so far, in this order."""
    proposed: Entered | None = None
    """What waits for the consent of others."""
    entered: int = 0
    """Entries so far: the number of the latest."""
    notes: dict[str, str] = {}
    """By name: notes of a book that somebody was told by `tell`."""
    used: list[str] = []
    """Parts of the books that were used for all to see (`domain.engine.parts`)."""
    disclosed: list[str] = []
    """Those of them that were read out to everybody."""
    secrets: dict[str, str] = {}
    """Rooms and words chosen in secret, by name; empty where this fold was told only that there is one."""


class Turn(msgspec.Struct, omit_defaults=True, gc=False):
    """Whose turn it is."""

    number: int = 0
    """Counted from 1; 0 before the first."""
    seat: Addressee = -1
    """Whose it is: 0 to 5; -1 before the first, -2 for a hidden traitor who runs the monsters."""
    monsters: bool = False
    """The monsters' turn, played by `seat`, which is -2 while nobody may name the hidden traitor."""
    active: MonsterId = NO_MONSTER
    """The monster that is acting (2E-MON-001)."""
    finished: list[MonsterName] = []
    """Monsters that are done with it."""
    recovered: list[MonsterName] = []
    """Monsters that have spent the current turn on recovering (3E-MON-006)."""
    follows: SeatOrNobody = -1
    """In the monsters' turn: the seat after whose turn it comes, where that is not the last of the round."""
    acting: bool = False
    """False while nobody may take turn actions (before the start, in haunt setup, at the end)."""
    extra: SeatOrNobody = -1
    """The seat that has one more turn after this one; -1: none."""
    rolls: int = 0
    """How often dice were rolled in it; there is no limit (2E-ROLL-002)."""
    drawn: list[CardId] = []
    """Cards drawn in it, which everybody has been read (2E-CARD-004)."""


class Ruling(msgspec.Struct, frozen=True):
    """What somebody proposes that the table should hold to where no rule answers."""

    number: RulingNumber
    text: str
    """As written by whoever proposed it."""
    by: SeatOrReferee
    """The seat that proposed it; `MODERATOR` for the referee."""


class Rulings(msgspec.Struct, omit_defaults=True):
    """The table's own rulings. They are kept beside the game: no rewind takes them back."""

    proposed: Ruling | None = None
    """The one that waits for consent."""
    awaited: list[Seat] = []
    """Seats that have not consented to it yet."""
    agreed: list[Ruling] = []
    """Those that hold, in the order in which they were agreed."""
    numbers: int = 0
    """Proposed so far: the number of the latest."""
    spoken: int = 0
    """Rulings proposed and coins flipped in the current turn, which are limited."""


class Decision(msgspec.Struct, omit_defaults=True, gc=False):
    """Something that the game waits for: an addressee and what may be answered."""

    id: DecisionId
    seat: Addressee
    """The addressee; -1 is the moderator, -2 the hidden traitor, whose seat nobody may name."""
    kind: Question
    """`choice`, `reaction`, `consent`, `ready`, `allocation`, `selection` or `chance`."""
    about: str
    """What it is about, as a key that clients may show (`damage`, `rotate:attic`, `card:idol`)."""
    options: list[str] = []
    """For choice, reaction, consent, ready and a chance pick: the answers; empty where only the addressee was told."""
    total: int = 0
    """Allocation: points to divide. Selection: how many at the most. Chance: dice."""
    caps: dict[Trait, int] = {}
    """Allocation: spaces that each trait can still take."""
    up_to: bool = False
    """Allocation: whether fewer points than `total` may be divided, or none."""
    offer: dict[str, list[str]] = {}
    """Consent to a trade: the cards that `gives` and `wants` name, as the active explorer offers them."""
    who: Figure | None = None
    """Dice: who rolls; null where it is not said, as in games of older revisions."""
    trait: TraitOrNone = ""
    """Dice: the trait that is rolled."""
    cause: str = ""
    """Dice: what they are for, as `DiceRolled` says: `attack`, `haunt`, or the block that asks for them (`card/rotten#do`)."""


class SavedFrame(msgspec.Struct, omit_defaults=True):
    """A step of something half-done: where in which block, and what is bound there."""

    block: str
    """The procedure, or the part of a piece, that is half-done (`card/rotten#do`)."""
    at: str
    """The step in it that comes next; empty at its end."""
    vars: msgspec.Raw
    """What is bound there, by name."""


class Sandbox(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a fork is: a sandbox that began where another game stood."""

    of: str
    """The id of that game."""
    at: Commit
    """The commit at which it starts."""
    sampled: bool = False
    """What was hidden from its maker is invented, to agree with what they knew; if false, it is the truth."""
    unread: dict[str, list[str]] = {}
    """By haunt: sides whose book its maker has not read in play; nothing in it happens here (2E-SEC-001)."""


class State(msgspec.Struct, omit_defaults=True):
    """A game, or what one role knows of it."""

    game: str = ""
    """Its id."""
    edition: str = ""
    """The rules that it is played by."""
    pack: str = ""
    """The content that it is played with, by its id."""
    seats: int = 0
    """How many it has."""
    status: Status = "none"
    """How the game stands; `none` before it is opened."""
    commit: Commit = 0
    """The number of the latest commit folded in."""
    options: dict[str, object] = {}
    """What the table chose, by the names of the request that opened it."""
    setup: dict[str, object] = {}
    """What somebody prepared, where this fold was told."""
    arranged: bool = False
    """It was prepared by a tape or a setup, so that the result proves nothing about luck."""
    source: str = ""
    """Who answers for chance: `seeded`, `tape`, `moderator` or `table`."""
    scenario: str = ""
    """Why the group enters the house, where the pack has scenarios to choose from."""
    claimed: list[str] = []
    """By seat: the explorer taken, or empty."""
    explorers: list[Explorer] = []
    """By seat."""
    rooms: dict[str, Room] = {}
    """By id."""
    grid: dict[str, str] = {}
    """`floor:x:y` to the room there."""
    links: dict[str, list[Link]] = {}
    """By room: the ways that lead out of it other than doors."""
    decks: dict[str, Deck] = {}
    """By name: `tiles`, `event`, `item`, `omen`."""
    piles: list[Pile] = []
    """Items on the floor."""
    tokens: list[TokenHere] = []
    """Tokens in the house."""
    monsters: dict[MonsterId, Monster] = {}
    """By id."""
    card_states: dict[str, str] = {}
    """By card: the state it is in, of cards that have states."""
    companions: dict[str, str] = {}
    """Companions whose custodian died, and the room where they wait (2E-DEATH-004)."""
    companion_parts: dict[str, int] = {}
    """The part of a barrier room where a companion waits; 0 for those that are not named."""
    omens_drawn: int = 0
    """Omens that count for haunt rolls."""
    omens_back: list[CardId] = []
    """Omens that have left play since they were drawn: drawn again, they count no second time (3E-HROLL-002, ruling)."""
    turn: Turn = msgspec.field(default_factory=Turn)
    """Whose turn it is, and what happened in it."""
    used: list[str] = []
    """What was used in the current turn, whoever's it is (2E-ITEM-013, 2E-ROLL-003)."""
    ever: list[str] = []
    """What was used up for the whole game (`tile/chapel#0@2`)."""
    rows_read: dict[str, list[str]] = {}
    """By event: the rows of its tables that were read when it was drawn last, where the others stay unread (`.0.4+`)."""
    haunt: Haunt | None = None
    """The haunt, once it has begun."""
    open: dict[str, Decision] = {}
    """By id: what the game waits for."""
    frames: list[SavedFrame] = []
    """What is half-done, from the bottom up; for the referee."""
    asked: int = 0
    """Decisions opened so far: the number in the next id."""
    chances: int = 0
    """Chance requests answered so far; never rewound."""
    rulings: Rulings | None = None
    """Once somebody has proposed a ruling or flipped a coin."""
    desk: Desk | None = None
    """Once somebody has disputed something or play has gone back."""
    texts: list[str] = []
    """Texts of the haunt that were read out or told (`story`, `heroes.book`, `heroes.ending`, or a key of a book's texts)."""
    winner: Winner = ""
    because: str = ""
    """Why it is over, in a sentence; empty before."""
    sandbox: Sandbox | None = None
    """Of a fork; nothing that happens in it has happened."""

    def character(self, aim: Aim | None) -> Figure | None:
        """The character that is aimed at, if it is one and in this game."""
        if is_explorer(aim):
            return aim if 0 <= aim < self.seats else None
        return MonsterId(aim) if aim in self.monsters else None

    def explorer(self, seat: int) -> Explorer:
        """The explorer of a seat."""
        return self.explorers[seat]

    def seat_of(self, seat: int) -> int:
        """The seat itself, and for `UNNAMED` the traitor's; still `UNNAMED` where this fold was not told whose that is."""
        if seat == UNNAMED and self.haunt is not None and self.haunt.traitor >= 0:
            return self.haunt.traitor
        return seat

    def first_seat(self) -> int:
        """The seat from which a turn is counted and whose dice are rolled: the one whose turn it is, 0 before the first.

        While nobody may say who runs the monsters it is the haunt revealer's, the same in every fold.
        """
        if self.turn.seat == UNNAMED and self.haunt is not None:
            return self.haunt.revealer
        return max(self.turn.seat, 0)

    def cards_about(self) -> list[str]:
        """Cards that somebody has, or that are on a floor of the house."""
        holders: list[Explorer | Monster | Pile] = [*self.explorers, *self.monsters.values(), *self.piles]
        return [card for one in holders for card in one.cards]

    def living(self) -> list[Explorer]:
        """Explorers alive, by seat."""
        return [explorer for explorer in self.explorers if explorer.alive]

    def side_mask(self, side: str) -> Mask:
        """The principals of one side's true members, as far as this fold was told, and the referee; before the haunt all are heroes."""
        return seats_mask(one.seat for one in self.explorers if (one.side or "heroes") == side)

    def place_of(self, figure: Figure) -> tuple[str, int]:
        """Room and part of a character: whoever shares both can deal with it. Of an open barrier both parts are part 0.

        A monster that hides is in no room.
        """
        who = self.monsters[figure] if isinstance(figure, str) else self.explorers[figure]
        part = who.part
        if part and self.rooms[who.room].opened:
            part = 0
        return who.room, part

    def hideout_of(self, monster: MonsterId) -> tuple[str, int]:
        """Room and part in which a monster hides.

        Raises:
            LookupError: this fold was not told.
        """
        who = self.monsters[monster]
        if not who.lair:
            raise LookupError(monster)
        return who.lair, 0 if self.rooms[who.lair].opened else who.lair_part

    def stands_at(self, figure: Figure) -> tuple[str, int]:
        """Like `place_of`, and of a monster that hides the place that only its side knows: for what it does itself."""
        if isinstance(figure, str) and self.monsters[figure].hides:
            return self.hideout_of(figure)
        return self.place_of(figure)
