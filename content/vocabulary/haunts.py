"""A haunt: one file with two books, and what it brings along: monsters, counters, what it forbids."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from content.vocabulary.abilities import Action, Attack, Trigger
from content.vocabulary.base import TRAITS, Deck, Floor, Side, Trait, Word
from content.vocabulary.cards import Card, TokenKind
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition, Number, Rooms, Value

Stage = Literal["draft", "playtested", "stable"]

Kind = Literal["one-traitor", "no-traitor", "hidden-traitor", "free-for-all"]
"""Who plays against whom: all against one, all against the house, all against one of them in secret, everybody against everybody."""


class TraitorRule(Word, frozen=True, kw_only=True):
    """Who becomes the traitor; one key, `otherwise` where nobody fits.

    Example: `{revealer: true}`, `{highest: might, besides-revealer: true}`, `{explorer: zoe-ingstrom, otherwise: {highest: knowledge}}`.
    """

    revealer: bool = False
    """Whoever revealed the haunt."""
    left_of_revealer: bool = False
    """The next player after the revealer."""
    highest: Trait | None = None
    """Who has most of this trait."""
    lowest: Trait | None = None
    """Who has least of this trait."""
    oldest: bool = False
    """Whose explorer is oldest."""
    youngest: bool = False
    """Whose explorer is youngest."""
    explorer: str | None = None
    """Who plays this explorer."""
    hidden: bool = False
    """By numbered tokens dealt in secret (2E-HID-001)."""
    none: bool = False
    """Nobody."""
    free_for_all: bool = False
    """Everybody plays against everybody (third edition)."""
    most_omens: bool = False
    """Whoever has the most omens."""
    holds: str | None = None
    """Whoever has this card."""
    besides_revealer: bool = False
    """The revealer is left out."""
    otherwise: TraitorRule | None = None
    """Where nobody fits."""


class Monster(Word, frozen=True, kw_only=True):
    """A kind of monster. Numbers may depend on the number of players.

    Example: `{title: Rat, speed: 3, might: 2, sanity: 1}`.
    """

    title: str
    size: Literal["small", "large"] = "small"
    might: Value | None = None
    speed: Value
    sanity: Value | None = None
    knowledge: Value | None = None
    attack: Attack | None = None
    """Default: might."""
    attacks: bool = True
    """With `false` it never attacks."""
    dies: bool = False
    """Damage kills it in place of stunning (2E-MON-004, 3E-MON-009)."""
    stuns: bool = True
    """Damage stuns it; with `false` damage does nothing to it, though steps may still stun it (2E-MON-006, 3E-MON-010)."""
    side: Side = "traitor"
    """Whose side it is on."""
    explores: bool = False
    """It may discover rooms (against 2E-MON-017); it draws no cards for them."""
    carries: bool = False
    """It may trade, drop and pick up items (2E-ITEM-010), and drops all of them when it is stunned (2E-MON-019)."""
    keeps: bool = False
    """Stunned, it holds on to what it carries (against 2E-MON-019)."""
    uses_items: bool = False
    """It may attack with weapons that it carries (2E-ITEM-002)."""
    color: Literal["red", "orange", "yellow", "green", "blue", "purple", "magenta"] | None = None
    """Of a small one: the color of its numbered tokens (2E-COMP-007)."""
    hidden: bool = False
    """Only its side knows where it is, until it attacks, or a trigger or an action happens to it; with its next step it hides again.
    While it hides, rooms, tokens and cards do nothing to it, and it slows nobody. For steps and conditions of the other side it is
    nowhere; steps of its own side find it, and `move` moves it in secret."""
    actions: list[Action] = []
    """Special actions of this kind of monster, in the monsters' turn; `you` are the monster. No other kind can take them (3E-ANAT-014)."""
    on: list[Trigger] = []
    """Special rules of this kind of monster: what happens by itself when a moment comes for one of them (`monster-stunned`)."""
    text: str = ""
    """What people read about it."""

    @property
    def traits(self) -> dict[Trait, Value]:
        """Its numbers, of those traits that it has."""
        stated = self.stated()
        return {trait: stated[trait] for trait in TRAITS if trait in stated}


class MonstersTurn(Word, frozen=True, kw_only=True):
    """When the monsters act and who runs them while nobody is known to be the traitor: in haunts without one, too.

    A known traitor runs them, right after its own turn (3E-MON-002), or at the end of the round (2E-HTURN-002).

    Example: `{after: revealer, run-by: revealer}`.
    """

    after: Literal["revealer", "left-of-revealer", "right-of-revealer"] = "revealer"
    """After whose turn; it stays so when the player has died."""
    run_by: Literal["revealer", "left-of-revealer", "right-of-revealer", "traitor"] = "revealer"
    """Whose player; `traitor`: the hidden traitor's, unnamed."""


class Powers(Word, frozen=True, kw_only=True):
    """Which of a traitor's usual powers the haunt withdraws, by `false`; where nobody is a traitor `true` gives one to everybody (3E-TRAI-009).

    Example: `{tiles: false}`, `{events: false}`.
    """

    tiles: bool | None = None
    """Ignoring the harm or damage of tiles (2E-TPOW-002, 3E-TRAI-004)."""
    events: bool | None = None
    """Declining events (2E-TPOW-005), or drawing none for the symbol of a room (3E-TRAI-007)."""


class Seek(Word, frozen=True, kw_only=True):
    """Where a side finds what it needs: a hint for bots that play this side. People are not shown it.

    Example: `{token: bell, if: {carrying: clapper}}`, `{for: monsters, room: entrance-hall, if: {carrying: silver-brush}}`,
    `{rooms: {window: true, without-token: shutter}}`, `{token: throne, stay: true}`.
    """

    for_: Literal["explorers", "monsters"] = msgspec.field(name="for", default="explorers")
    """Who is to go there: the explorers of the side, or its monsters."""
    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only while this holds (of whoever is to go there)."""
    room: str | None = None
    """This room."""
    floor: Floor | None = None
    """Any room on this floor."""
    token: str | None = None
    """Rooms with a token of this name."""
    symbol: Deck | None = None
    """Rooms with this symbol."""
    without_token: str | None = None
    """With `symbol`: only rooms where no such token lies."""
    rooms: Rooms | None = None
    """Rooms like these, such as those with a window; `you` are whoever is to go there."""
    explore: bool = False
    """Rooms not discovered yet."""
    monsters: str | None = None
    """Monsters of this kind."""
    foes: bool = False
    """Whoever is on the other side."""
    steal: bool = False
    """Whoever wins a fight takes an item, where it may, rather than wound."""
    stay: bool = False
    """Whoever is there already stays there, and explores no further."""


class Book(Word, frozen=True, kw_only=True):
    """What one side reads (or, with a hidden traitor, everybody)."""

    story: str
    """What the side reads first."""
    goal: str
    """In words: You Win When."""
    right_now: list[Effect] = []
    """What is done as the haunt begins (2E-HSET-006)."""
    actions: list[Action] = []
    on: list[Trigger] = []
    wins_when: Condition | None = None
    """The side wins as soon as this holds."""
    because: str = ""
    """The ending in a sentence."""
    loses_when: Condition | None = None
    """In a book that everybody reads: they lose as soon as this holds. A hidden traitor then wins; where there is none, nobody does."""
    because_lost: str = ""
    """Beside `loses-when`: the ending in a sentence."""
    plays_on: Condition | None = None
    """In the book that the traitor reads: after the traitor's death the monsters have turns only while this holds (2E-HTURN-005).

    Where nothing is said they have none, and the heroes play on without them.
    """
    instead_of_death: list[Effect] = []
    """What happens to one of this side (`you`) in place of dying; clips on the skull go to the lowest number first (2E-DEATH-002)."""
    locations: list[str] = []
    """Rooms that matter to this side: its book lists them with the regions of each."""
    seek: list[Seek] = []
    """In the order of what matters most."""
    texts: dict[str, str] = {}
    """Texts for `tell`, by name."""
    ending: str = ""
    """What the winners read."""
    ending_lost: str = ""
    """In a book that everybody reads: what a hidden traitor who has won reads; without it `ending` is read then, too."""


class Bar(Word, frozen=True, kw_only=True):
    """Something that a card, room or token permits and the haunt forbids (2E-PREC-003). Exactly one of `card`, `kind`, `tile`, `token`.

    Example: `{card: crystal-ball}`, `{kind: weapon, side: heroes}`, `{tile: vault, word: OPEN}`.
    """

    card: str | None = None
    """What this card lets its holder do; it is carried as ever."""
    kind: Literal["weapon", "companion"] | None = None
    """What cards of this kind let their holders do."""
    tile: str | None = None
    """What this room lets those in it do."""
    token: str | None = None
    """What this token lets those beside it do."""
    word: str | None = None
    """Only this action; without a word all of them, and attacks with the card."""
    side: Side | None = None
    """Only for this side; an unrevealed traitor counts among the heroes."""


class Stealing(Word, frozen=True, kw_only=True):
    """What a haunt says about stealing, in place of the rules (2E-STEAL-004). Example: `{cards: {locket: 1}}`, `{barred: true}`."""

    barred: bool = False
    """Nobody can steal anything."""
    granted: bool = False
    """Explorers may steal, in an edition whose rules let nobody (3E-TRADE-007)."""
    cards: dict[str, int] = {}
    """By card: the least physical damage for which it may be taken, whatever its own text says of stealing; other cards follow the rules."""


class Playtest(Word, frozen=True, kw_only=True):
    """What bots made of a haunt; written by `omenlog content playtest --record`.

    Example: `{games: 400, heroes: {3: 47, 4: 52, 5: 55, 6: 49}, rounds: {3: 6, 4: 6, 5: 7, 6: 7}}`.
    In a free-for-all: `{games: 400, winners: {3: [34, 31, 35], 4: [26, 24, 25, 25]}, rounds: {3: 6, 4: 6}}`.
    """

    games: int
    """Games between `steady` bots, this many for each number of players."""
    heroes: dict[str, int] = {}
    """By the number of players: how many of 100 games the heroes won; the traitor or the house won the others."""
    winners: dict[str, list[int]] = {}
    """Of a free-for-all in place of `heroes`, by the number of players: how many of 100 games each won, clockwise from the revealer."""
    rounds: dict[str, int]
    """By the number of players: rounds of the haunt, on average."""


def own_counter(name: str, seat: int) -> str:
    """The name under which a game keeps an explorer's own count."""
    return f"{name}:{seat}"


IN_TEXT = re.compile(r"\{([^{}]*)\}")
"""A number that a text names: `{needed}`."""


class Haunt(Word, frozen=True, kw_only=True):
    """A haunt: one file, two books."""

    id: str
    title: str
    stage: Stage
    """From `playtested` on it gives the figures, and either side wins its share."""
    playtest: Playtest | None = None
    kind: Kind
    """In a `free-for-all` each explorer is a side of its own: `wins-when` is asked of each, who is `you`, and whoever it holds for has won."""
    traitor: TraitorRule | None = None
    """Used where the chart does not say (a haunt named in the game's options, or one that `begins` by itself)."""
    begins: dict[str, list[str]] = {}
    """By room: the omens that begin this haunt there, whatever the chart says. Without it the chart leads to the haunt, or a game's options name it.

    Whoever takes all cells of a number takes the number; else the haunt gets the next number after the chart's last.
    """
    story: str = ""
    """Read to everybody before the books. Where scenarios lead to the haunts there is none: the stories of the books are read aloud."""
    counters: dict[str, Counter] = {}
    """By name."""
    numbers: dict[str, Value] = {}
    """Numbers for texts, by name: a text that says `{needed}` shows the number of the game. Each is a number, or a table by `players`.

    Stories, goals, endings and the titles of actions, options and counters may name them, and the haunt's counters too.
    """
    tokens: list[TokenKind] = []
    """Tokens that only this haunt has."""
    items: list[Card] = []
    """Item tokens, for `give` (2E-ITEM-017)."""
    monsters: dict[str, Monster] = {}
    """Kinds of monsters, by name."""
    blocks: dict[str, list[Effect]] = {}
    """Steps for `run`, by name."""
    bars: list[Bar] = []
    """What may not be done in this haunt though a card, room or token permits it; everybody knows."""
    stealing: Stealing | None = None
    """What is different about stealing; everybody knows."""
    heroes: Book | None = None
    """Absent in a free-for-all: everybody reads the traitor's book (3E-HTYPE-009)."""
    traitor_book: Book | None = None
    """Absent without a traitor or with a hidden one: everybody reads the heroes' book (2E-HID-004)."""
    revealed: list[Effect] = []
    """What happens when the hidden traitor is revealed; `you` are the traitor."""
    reveal_if: Condition | None = None
    """The hidden traitor (`you`) may turn up the token only while this holds; default: at any time (2E-HID-005)."""
    truce: bool = False
    """While the traitor is hidden, explorers may not attack one another, and then only opponents (against 2E-HID-009)."""
    revealer_runs: bool = False
    """While the traitor is hidden the haunt revealer's player runs the monsters, for all to see; default: the traitor's does, unnamed
    (2E-HID-003)."""
    monsters_turn: MonstersTurn | None = None
    """When the monsters act and who runs them, where that is not the traitor."""
    traitor_powers: Powers | None = None
    """What is different about the traitor's powers; everybody knows."""
    traitor_first: bool = False
    """The traitor's Right Now is done before the heroes' (against 2E-HSET-006).

    Where they are read out, the heroes' introduction stays first (3E-START-004), and the traitor's comes before its Right Now.
    """

    @property
    def books(self) -> dict[Side, Book]:
        """By the side that it is written for: each book that there is."""
        found: dict[Side, Book | None] = {"heroes": self.heroes, "traitor": self.traitor_book}
        return {side: book for side, book in found.items() if book is not None}

    @property
    def one_book(self) -> bool:
        """Whether everybody reads the same book."""
        return self.heroes is None or self.traitor_book is None

    def read_by(self, side: str) -> Side:
        """Which book somebody on a side reads: its own, or the only one."""
        if self.one_book:
            return "traitor" if self.heroes is None else "heroes"
        return "traitor" if side == "traitor" else "heroes"

    def book(self, side: str) -> Book:
        """The book that somebody on a side reads."""
        return self.books[self.read_by(side)]


class Counter(Word, frozen=True, kw_only=True):
    """A counter that the haunt uses. Example: `{title: Seals, start: 0, max: 10}`, `{title: Bids, each: explorer, public: true}`."""

    title: str
    start: int = 0
    max: Value | None = None
    """It goes no higher: a number, or a table by players."""
    track: bool = False
    """It is kept on the Turn/Damage track, of which there is one (2E-COMP-011); so everybody sees where it stands."""
    each: Literal["explorer"] | None = None
    """Every explorer has a count of its own: steps move that of `you`, and conditions and numbers ask for that of `you`."""
    public: bool = False
    """Everybody knows it from the start, and how far it goes.

    Else only the side whose book names it does, and the others see where it stands once it moves (2E-SEC-001).
    """

    def keys(self, name: str, players: int) -> list[str]:
        """The names under which a game keeps it: one for each seat where every explorer has its own."""
        return [name] if self.each is None else [own_counter(name, seat) for seat in range(players)]

    def end(self, players: int) -> int | None:
        """How far it goes with so many players; None without an end."""
        if isinstance(self.max, Number):
            return (self.max.players or {}).get(str(players))
        return self.max
