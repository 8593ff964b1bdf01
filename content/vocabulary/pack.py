"""What a pack is made of: tiles, cards, tokens, explorers, haunts and the chart that leads to them."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import Compass, DamageKind, Deck, Floor, Side, Trait, Word
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition, Number, Value, Who

Stage = Literal["draft", "playtested", "stable"]


class Limit(Word, frozen=True, kw_only=True):
    """How often something may be done. Example: `{per: turn}`, `{per: game, each: explorer}`."""

    per: Literal["turn", "own-turn", "game"]
    each: Literal["explorer", "source"] = "source"
    """`explorer`: counted for each explorer by itself."""


class Standing(Word, frozen=True, kw_only=True):
    """An adjustment that holds as long as its source does; exactly one verb key. It is no use of an item (2E-ITEM-003).

    Example: `{modify: {rolls: [trait], dice: 1, max-dice: 8}}`, `{reduce-damage: {kind: physical, points: 1}}`.
    """

    if_: Condition | None = msgspec.field(name="if", default=None)
    modify: Modify | None = None
    reduce_damage: ReduceDamage | None = None
    spared: list[str] | None = None
    """The holder is spared the harmful text of these tiles."""
    blocks_sight: bool = False
    slows: int | None = None
    """Leaving the room costs so many spaces more (third edition obstacles)."""
    move_limit: int | None = None


class Modify(Word, frozen=True, kw_only=True):
    """More or fewer dice, or points added to the result, for some rolls."""

    rolls: list[Literal["trait", "attack", "defense", "event", "haunt", "damage", "any"]]
    traits: list[Trait] | None = None
    dice: int = 0
    result: int = 0
    max_dice: int | None = None
    min_dice: int | None = None
    whose: Literal["holder", "in-room", "heroes-in-room"] = "holder"


class ReduceDamage(Word, frozen=True, kw_only=True):
    """Every damage of this kind is lowered by so many points."""

    kind: DamageKind
    points: int


class Trigger(Word, frozen=True, kw_only=True):
    """Something that happens by itself when its moment comes.

    Example: `{when: turn-ended, once: {per: game, each: explorer}, do: [{gain: {trait: sanity}}]}`.
    """

    when: Literal[
        "discovered",
        "entered",
        "left",
        "turn-started",
        "turn-ended",
        "drawn",
        "gained",
        "lost",
        "stolen",
        "died",
        "monster-stunned",
        "monsters-ended",
        "round-started",
        "haunt-started",
    ]
    if_: Condition | None = msgspec.field(name="if", default=None)
    for_: Literal["explorers", "heroes", "traitor", "monsters", "everyone"] = msgspec.field(
        name="for", default="explorers"
    )
    harmful: bool = False
    """Traitor and monsters may ignore it (2E-TPOW-002, 2E-MON-010)."""
    once: Limit | None = None
    do: list[Effect]


class Action(Word, frozen=True, kw_only=True):
    """Something that may be done: on the own turn, or as a reaction in a window.

    Example: `{word: HEAL, target: {each: explorer, in: here}, once: {per: game}, do: [{heal: {traits: [might, speed]}, who: target}]}`.
    """

    word: str
    """The word that the command names, in capitals."""
    title: str = ""
    """A label for people."""
    when: Literal[
        "own-turn",
        "before-moving",
        "moving",
        "instead-of-attack",
        "before-roll",
        "instead-of-roll",
        "after-roll",
        "before-harm",
    ] = "own-turn"
    rolls: list[Literal["trait", "attack", "defense", "event", "damage", "haunt", "any"]] | None = None
    """For reactions to rolls: to which. Default `any`."""
    kinds: list[DamageKind] | None = None
    """For reactions to harm: to which."""
    once: Limit | None = None
    if_: Condition | None = msgspec.field(name="if", default=None)
    target: Who | None = None
    """Whom the command must name."""
    side: Side | None = None
    """Haunt and token actions: only this side may."""
    harmless: bool = False
    secret: bool = False
    do: list[Effect]


class Attack(Word, frozen=True, kw_only=True):
    """A way to attack that a weapon, an omen or a monster has.

    Example: `{trait: might, dice: 1, max-dice: 8}`, `{trait: speed, range: line-of-sight}`.
    """

    trait: Trait = "might"
    damage: DamageKind = "physical"
    dice: int = 0
    result: int = 0
    max_dice: int | None = None
    range: Literal["room", "line-of-sight", "adjacent"] = "room"
    safe: bool = False
    """The attacker takes no damage even in the same room."""
    cost: list[Effect] | None = None
    before: list[Effect] | None = None


class Link(Word, frozen=True, kw_only=True):
    """A way between two rooms besides doors. Example: `{to: foyer}`."""

    to: str
    both_ways: bool = True
    monsters_only: bool = False


class Barrier(Word, frozen=True, kw_only=True):
    """A room in two parts (2E-ROOM-004). Example: `{trait: speed, at-least: 3, parts: [[east], [west]]}`."""

    trait: Trait
    at_least: int
    parts: list[list[Compass]]


class Tile(Word, frozen=True, kw_only=True):
    """A room tile.

    Example: `{id: attic, title: Attic, floors: [upper], doors: [south], symbols: [event]}`.
    """

    id: str
    title: str
    text: str = ""
    floors: list[Floor]
    doors: list[Compass]
    symbols: list[Deck] = []
    windows: list[Compass] = []
    outside: bool = False
    start: Start | None = None
    """Where it lies at the start of the game; such tiles are not in the stack."""
    barrier: Barrier | None = None
    links: list[Link] = []
    on: list[Trigger] = []
    actions: list[Action] = []
    always: list[Standing] = []
    rulings: list[Ruling] = []


class Start(Word, frozen=True, kw_only=True):
    """The place of a tile that lies in the house from the start. Example: `{floor: ground, x: 0, y: 0, passages: [north]}`."""

    floor: Floor
    x: int
    y: int
    passages: list[Compass] = []
    """Open sides to the next room of a joined tile: passable, not doorways to explore through."""
    front_door: Compass | None = None
    landing: bool = False


class Ruling(Word, frozen=True, kw_only=True):
    """How a question about this piece was settled."""

    by: Literal["rulebook", "official", "community", "project"]
    text: str
    alternatives: list[str] = []


class Card(Word, frozen=True, kw_only=True):
    """A card: event, item or omen; also an item token of a haunt.

    Example: `{id: axe, deck: item, title: Axe, kinds: [weapon], attack: {dice: 1, max-dice: 8}}`.
    """

    id: str
    deck: Deck
    title: str
    text: str
    kinds: list[Literal["weapon", "companion"]] = []
    barred: list[Literal["drop", "trade", "steal"]] = []
    """What cannot be done with it (2E-ITEM-011)."""
    no_item: bool = False
    """Bite, Dog, Girl and Madman are not items (2E-ITEM-012)."""
    states: list[str] = []
    """The first one is the state in which it is gained."""
    lasting: bool = False
    """An event whose effect lasts (a token): it is not discarded (2E-CARD-005)."""
    do: list[Effect] = []
    """Events: what happens. Omens and items: what happens on drawing."""
    do_if: Condition | None = None
    """Where this fails, `otherwise` happens in place of `do`."""
    otherwise: list[Effect] = []
    always: list[Standing] = []
    attack: Attack | None = None
    actions: list[Action] = []
    on: list[Trigger] = []
    rulings: list[Ruling] = []


class TokenKind(Word, frozen=True, kw_only=True):
    """What a token in a room means.

    Example: `{id: smoke, title: Smoke, always: [{modify: {rolls: [trait], dice: -2, min-dice: 1, whose: in-room}}]}`.
    """

    id: str
    title: str
    text: str = ""
    links_alike: bool = False
    """Rooms with this token are linked with each other, one space apart."""
    actions: list[Action] = []
    always: list[Standing] = []
    on: list[Trigger] = []


class Explorer(Word, frozen=True, kw_only=True):
    """A character that a player may take. Tracks run from the lowest value up, without the skull; `start` counts from 0."""

    id: str
    title: str
    color: str
    other_side: str
    """The explorer on the other face: out of the game when this one is taken (2E-SETUP-002)."""
    age: int
    birthday: str
    """MM-DD."""
    might: Track
    speed: Track
    sanity: Track
    knowledge: Track


class Track(Word, frozen=True, kw_only=True):
    """A trait's line of numbers. Example: `{values: [2, 2, 3, 3, 4, 4, 6, 7], start: 3}`."""

    values: list[int]
    start: int


class TraitorRule(Word, frozen=True, kw_only=True):
    """Who becomes the traitor; one key, `otherwise` where nobody fits.

    Example: `{revealer: true}`, `{highest: might, besides-revealer: true}`, `{explorer: zoe-ingstrom, otherwise: {highest: knowledge}}`.
    """

    revealer: bool = False
    left_of_revealer: bool = False
    highest: Trait | None = None
    lowest: Trait | None = None
    oldest: bool = False
    youngest: bool = False
    explorer: str | None = None
    hidden: bool = False
    """By numbered tokens dealt in secret (2E-HID-001)."""
    none: bool = False
    besides_revealer: bool = False
    otherwise: TraitorRule | None = None


class Chart(Word, frozen=True, kw_only=True):
    """From omen and room to a haunt's number, from the number to who is the traitor and which haunt of ours is played."""

    omens: list[str]
    rooms: list[str]
    cells: dict[str, list[int]]
    """By room, in the order of `omens`."""
    traitors: dict[str, TraitorRule]
    """By number, as the printed chart says."""
    haunts: dict[str, str]
    """By number: the haunt of this pack that is played."""
    stand_ins: str = ""
    """Says openly which numbers have no haunt of their own yet."""


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
    dies: bool = False
    """Damage kills it in place of stunning (2E-MON-004)."""
    side: Side = "traitor"
    explores: bool = False
    carries: bool = False
    text: str = ""


class Seek(Word, frozen=True, kw_only=True):
    """Where a side finds what it needs: shown to that side, and followed by the built-in bots. Example: `{room: {with-token: bell}, if: {...}}`."""

    if_: Condition | None = msgspec.field(name="if", default=None)
    room: str | None = None
    token: str | None = None
    symbol: Deck | None = None
    explore: bool = False
    monsters: str | None = None
    foes: bool = False


class Book(Word, frozen=True, kw_only=True):
    """What one side reads (or, with a hidden traitor, everybody)."""

    story: str
    goal: str
    """In words: You Win When."""
    right_now: list[Effect] = []
    actions: list[Action] = []
    on: list[Trigger] = []
    wins_when: Condition | None = None
    because: str = ""
    """The ending in a sentence."""
    seek: list[Seek] = []
    texts: dict[str, str] = {}
    ending: str = ""


class Haunt(Word, frozen=True, kw_only=True):
    """A haunt: one file, two books."""

    id: str
    title: str
    stage: Stage
    kind: Literal["one-traitor", "no-traitor", "hidden-traitor"]
    traitor: TraitorRule | None = None
    """Used where the chart does not say (a haunt named in the game's options)."""
    story: str
    """Read to everybody."""
    counters: dict[str, Counter] = {}
    tokens: list[TokenKind] = []
    items: list[Card] = []
    monsters: dict[str, Monster] = {}
    blocks: dict[str, list[Effect]] = {}
    heroes: Book
    traitor_book: Book | None = None
    """Absent with a hidden traitor: everybody reads the heroes' book (2E-HID-004)."""
    revealed: list[Effect] = []
    """What happens when the hidden traitor is revealed; `you` are the traitor."""
    figures: dict[str, Number] = {}


class Counter(Word, frozen=True, kw_only=True):
    """A counter that the haunt uses. Example: `{title: Seals, start: 0, max: 10}`."""

    title: str
    start: int = 0
    max: int | None = None


class Scenario(Word, frozen=True, kw_only=True):
    """A third-edition scenario: a reason to enter the house, and the haunt number for each omen."""

    id: str
    title: str
    text: str
    haunts: dict[str, int]


class PackHead(Word, frozen=True, kw_only=True):
    """`pack.yaml`: what this pack is."""

    id: str
    version: str
    title: str
    edition: Literal["second", "third"]
    stage: Stage
    credits: str
    note: str = ""
    players: list[int]
    blocks: dict[str, list[Effect]] = {}


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
