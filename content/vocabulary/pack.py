"""What a pack is made of: tiles, cards, tokens, explorers, haunts and the chart that leads to them."""

from __future__ import annotations

from typing import Literal

from content.vocabulary.abilities import (
    Action,
    Attack,
    Ban,
    Binding,
    Limit,
    Link,
    Modify,
    ReduceDamage,
    Standing,
    Trigger,
)
from content.vocabulary.base import Compass, Deck, Floor, Trait, Word
from content.vocabulary.cards import Alternative, Card, CardSet, Ruling, TokenKind
from content.vocabulary.effects import Effect
from content.vocabulary.haunts import (
    Bar,
    Book,
    Counter,
    Haunt,
    Monster,
    MonstersTurn,
    Playtest,
    Powers,
    Seek,
    Stage,
    Stealing,
    TraitorRule,
)


class Barrier(Word, frozen=True, kw_only=True):
    """A room in two parts (2E-ROOM-004). Example: `{trait: speed, at-least: 3, parts: [[east], [west]]}`."""

    trait: Trait
    at_least: int
    """What a roll to cross has to come to."""
    by_ruling: dict[str, int] = {}
    """The number in place of it, by the alternative of a ruling that the table chose; see `Alternative`. Example: `{easy-crossing: 3}`."""
    parts: list[list[Compass]]
    """The doors of each part; behind a locked door there is none."""
    opened_by: str | None = None
    """Once a token of this name lies in the room the barrier is open: its parts are one room, and nobody rolls (2E-ROOM-039)."""


class Tile(Word, frozen=True, kw_only=True):
    """A room tile.

    Example: `{id: attic, title: Attic, floors: [upper], doors: [south], symbols: [event]}`.
    """

    id: str
    title: str
    text: str = ""
    """What people read on it."""
    floors: list[Floor]
    """The floors on which it can lie."""
    doors: list[Compass]
    """The sides with a door, the tile upright as printed."""
    doors_by_ruling: dict[str, list[Compass]] = {}
    """These in place of them, by the alternative of a ruling that the table chose; see `Alternative`. Example: `{one-way-in: [south]}`."""
    symbols: list[Deck] = []
    """For what the discoverer draws."""
    asterisk: bool = False
    """Its printed name bears an asterisk: the rulebook says more about it (2E-ROOM-001)."""
    windows: list[Compass] = []
    """The sides with a window."""
    outside: bool = False
    """It lies outside."""
    start: Start | None = None
    """Where it lies at the start of the game; such tiles are not in the stack."""
    barrier: Barrier | None = None
    locked: bool = False
    """What parts it is a locked door: whoever is put here stands before it, and nobody but monsters gets past it until it is opened (2E-ROOM-038)."""
    links: list[Link] = []
    """Ways to other rooms besides doors."""
    on: list[Trigger] = []
    actions: list[Action] = []
    unplaced: list[Action] = []
    """What it offers in the haunt, wherever one is, while it is not in the house yet.

    On the own turn; a player who is dead may take it in the monsters' turn, before the first of them acts.
    """
    always: list[Standing] = []
    rulings: list[Ruling] = []


class Start(Word, frozen=True, kw_only=True):
    """The place of a tile that lies in the house from the start. Example: `{floor: ground, x: 0, y: 0, passages: [north]}`."""

    floor: Floor
    x: int
    """So many tiles east of the floor's origin."""
    y: int
    """So many tiles north of the floor's origin."""
    passages: list[Compass] = []
    """Open sides to the next room of a joined tile: passable, not doorways to explore through."""
    front_door: Compass | None = None
    """The side with the front door, which is no doorway."""
    landing: bool = False
    """It is the floor's landing."""


class Explorer(Word, frozen=True, kw_only=True):
    """A character that a player may take. Tracks run from the lowest value up, without the skull; `start` counts from 0."""

    id: str
    title: str
    color: str
    """The color of the figure, the same on both faces."""
    other_side: str
    """The explorer on the other face: out of the game when this one is taken (2E-SETUP-002)."""
    age: int
    birthday: str
    """MM-DD."""
    might: Track
    speed: Track
    sanity: Track
    knowledge: Track

    @property
    def tracks(self) -> dict[Trait, Track]:
        """By trait."""
        return {"might": self.might, "speed": self.speed, "sanity": self.sanity, "knowledge": self.knowledge}


class Track(Word, frozen=True, kw_only=True):
    """A trait's line of numbers. Example: `{values: [2, 2, 3, 3, 4, 4, 6, 7], start: 3}`."""

    values: list[int]
    """Eight numbers that never fall."""
    start: int
    """Where the clip starts, counted from 0."""


class Chart(Word, frozen=True, kw_only=True):
    """From omen and room to a haunt's number, from the number to who is the traitor and which haunt of ours is played.

    Where scenarios lead to the numbers there are no omens, rooms and cells.
    """

    omens: list[str] = []
    """Every omen of the pack, in the order of the cells."""
    rooms: list[str] = []
    """Every room with an omen symbol."""
    cells: dict[str, list[int]] = {}
    """By room, in the order of `omens`."""
    traitors: dict[str, TraitorRule]
    """By number, as the printed chart says."""
    haunts: dict[str, str]
    """By number: the haunt of this pack that is played."""
    titles: dict[str, str] = {}
    """By number: the title in the printed books, for groups that play from these."""
    stand_ins: str = ""
    """Says openly which numbers have no haunt of their own yet."""


class Scenario(Word, frozen=True, kw_only=True):
    """A third-edition scenario: a reason to enter the house, and the haunt number for each omen."""

    id: str
    title: str
    text: str
    haunts: dict[str, int]
    """By omen: the number of the haunt."""


class Components(Word, frozen=True, kw_only=True):
    """What lies in the box besides what the pack tells piece by piece. Example: `{tokens: {item: 14, trait-roll: 18}}`."""

    tokens: dict[str, int] = {}
    """By their kind: how many there are."""
    cards: dict[Deck, int] = {}
    """By their stack: how many there are; the pack must have as many."""
    tiles: int | None = None
    """Room tiles of the stack; the pack must have as many."""
    clips: int | None = None
    """Clips for traits: each explorer needs four."""
    dice: int | None = None
    number_tracks: int | None = None


class HauntForm(Word, frozen=True, kw_only=True):
    """What each haunt of a pack has to say. Example: `{sections: [story, goal, ending], nobody-left: true}`."""

    sections: list[Literal["story", "goal", "ending"]] = []
    """What stands in every book: introduction, objective, closing text."""
    nobody_left: bool = False
    """Each says how the game ends, or that it goes on, when nobody is left on a side: no rule of the game does (3E-END-002)."""


class PackHead(Word, frozen=True, kw_only=True):
    """`pack.yaml`: what this pack is."""

    id: str
    version: str
    title: str
    edition: Literal["second", "third"]
    stage: Stage
    credits: str
    note: str = ""
    """What is missing or particular, openly."""
    players: list[int]
    """The numbers of players that it is for."""
    haunts: HauntForm | None = None
    """What its haunts have to say, where that is more than the shape asks for."""
    components: Components | None = None
    vocabulary: int = 1
    """The version of the vocabulary that it is written in; there is only 1 so far."""
    blocks: dict[str, list[Effect]] = {}
    """Steps for `run`, by name."""


class Pack(Word, frozen=True, kw_only=True):
    """A whole pack as loaded: the canonical bytes of this Struct give its digest."""

    head: PackHead
    tiles: list[Tile]
    explorers: list[Explorer]
    cards: list[Card]
    tokens: list[TokenKind]
    chart: Chart | None = None
    scenarios: list[Scenario] = []
    haunts: list[Haunt] = []


__all__ = [
    "Action",
    "Alternative",
    "Attack",
    "Ban",
    "Bar",
    "Barrier",
    "Binding",
    "Book",
    "Card",
    "CardSet",
    "Chart",
    "Counter",
    "Explorer",
    "Haunt",
    "HauntForm",
    "Limit",
    "Link",
    "Modify",
    "Monster",
    "MonstersTurn",
    "Pack",
    "PackHead",
    "Playtest",
    "Powers",
    "ReduceDamage",
    "Ruling",
    "Scenario",
    "Seek",
    "Stage",
    "Standing",
    "Start",
    "Stealing",
    "Tile",
    "TokenKind",
    "Track",
    "TraitorRule",
    "Trigger",
]
