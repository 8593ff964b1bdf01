"""What a pack is made of: tiles, cards, tokens, explorers, haunts and the chart that leads to them."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import Compass, DamageKind, Deck, Floor, Side, Trait, Word
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition, Value, Who

Stage = Literal["draft", "playtested", "stable"]


class Limit(Word, frozen=True, kw_only=True):
    """How often something may be done. Example: `{per: turn}`, `{per: game, each: explorer}`."""

    per: Literal["turn", "own-turn", "game"]
    """`own-turn`: once in the turn of whoever does it; `turn`: once in everybody's turn."""
    each: Literal["explorer", "source"] = "source"
    """`explorer`: counted for each explorer by itself."""


class Standing(Word, frozen=True, kw_only=True):
    """An adjustment that holds as long as its source does; exactly one verb key. It is no use of an item (2E-ITEM-003).

    Example: `{modify: {rolls: [trait], dice: 1, max-dice: 8}}`, `{reduce-damage: {kind: physical, points: 1}}`.
    """

    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only while this holds."""
    modify: Modify | None = None
    """Change rolls."""
    reduce_damage: ReduceDamage | None = None
    """Take less damage."""
    spared: list[str] | None = None
    """The holder is spared the harmful text of these tiles."""
    blocks_sight: bool = False
    """Nobody sees through this room."""
    slows: int | None = None
    """Leaving the room costs so many spaces more (third edition obstacles)."""
    move_limit: int | None = None
    """At most so many spaces of movement in a turn."""


class Modify(Word, frozen=True, kw_only=True):
    """More or fewer dice, or points added to the result, for some rolls."""

    rolls: list[Literal["trait", "attack", "defense", "event", "haunt", "damage", "any"]]
    """Which rolls."""
    traits: list[Trait] | None = None
    """Only rolls of these traits."""
    dice: int = 0
    """So many more (or fewer) dice."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """But never more dice than these in all."""
    min_dice: int | None = None
    """But never fewer dice than these."""
    whose: Literal["holder", "in-room", "heroes-in-room"] = "holder"
    """Whose rolls."""


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
    """Only where this holds."""
    for_: Literal["explorers", "heroes", "traitor", "monsters", "everyone"] = msgspec.field(
        name="for", default="explorers"
    )
    """To whom it happens."""
    harmful: bool = False
    """Traitor and monsters may ignore it (2E-TPOW-002, 2E-MON-010)."""
    once: Limit | None = None
    """How often."""
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
    """At which moment."""
    rolls: list[Literal["trait", "attack", "defense", "event", "damage", "haunt", "any"]] | None = None
    """For reactions to rolls: to which. Default `any`."""
    kinds: list[DamageKind] | None = None
    """For reactions to harm: to which."""
    once: Limit | None = None
    """How often."""
    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only where this holds."""
    target: Who | None = None
    """Whom the command must name."""
    side: Side | None = None
    """Only this side may."""
    for_: Literal["explorers", "monsters", "everyone"] = msgspec.field(name="for", default="explorers")
    """Who may do it: monsters only what a room, a token or their side's book offers to them."""
    rule: str | None = None
    """The ledger rule that grants it, where it is not the piece's own text."""
    forbidden: list[Ban] = []
    """What forbids it by a rule of its own."""
    do: list[Effect]


class Ban(Word, frozen=True, kw_only=True):
    """Something that a rule forbids. Example: `{if: {monsters-explore: true}, rule: 2E-MON-022}`."""

    if_: Condition = msgspec.field(name="if")
    """Where this holds it is forbidden."""
    rule: str
    """By this rule of the ledger."""


class Attack(Word, frozen=True, kw_only=True):
    """A way to attack that a weapon, an omen or a monster has.

    Example: `{trait: might, dice: 1, max-dice: 8}`, `{trait: speed, range: line-of-sight}`.
    """

    trait: Trait = "might"
    damage: DamageKind = "physical"
    dice: int = 0
    """So many more (or fewer) dice."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """But never more dice than these in all."""
    range: Literal["room", "line-of-sight", "adjacent"] = "room"
    """How far away the target may be."""
    safe: bool = False
    """The attacker takes no damage even in the same room."""
    cost: list[Effect] | None = None
    """What the attacker pays for it."""
    before: list[Effect] | None = None
    """What happens before the roll."""
    kills: list[str] = []
    """Monsters of these kinds (`any`: of all kinds) that it defeats are killed, stunned or not (2E-ATK-013)."""
    steals: bool = False
    """A monster's attack: it may take a card in place of the damage, as explorers do (2E-MON-009)."""


class Link(Word, frozen=True, kw_only=True):
    """A way between two rooms besides doors. Example: `{to: foyer}`."""

    to: str
    """The other room."""
    both_ways: bool = True
    """It leads back as well."""
    monsters_only: bool = False
    """Explorers cannot go there by it."""
    rule: str | None = None
    """The ledger rule that grants it to monsters."""


class Barrier(Word, frozen=True, kw_only=True):
    """A room in two parts (2E-ROOM-004). Example: `{trait: speed, at-least: 3, parts: [[east], [west]]}`."""

    trait: Trait
    at_least: int
    """What a roll to cross has to come to."""
    parts: list[list[Compass]]
    """The doors of each part."""


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
    symbols: list[Deck] = []
    """For what the discoverer draws."""
    windows: list[Compass] = []
    """The sides with a window."""
    outside: bool = False
    """It lies outside."""
    start: Start | None = None
    """Where it lies at the start of the game; such tiles are not in the stack."""
    barrier: Barrier | None = None
    links: list[Link] = []
    """Ways to other rooms besides doors."""
    on: list[Trigger] = []
    actions: list[Action] = []
    unplaced: list[Action] = []
    """What it offers in the haunt, wherever one is, while it is not in the house yet."""
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


class Ruling(Word, frozen=True, kw_only=True):
    """How a question about this piece was settled."""

    by: Literal["rulebook", "official", "community", "project"]
    """Who settled it."""
    text: str
    """What holds."""
    alternatives: list[str] = []
    """What was not chosen, for house rulings."""


class Card(Word, frozen=True, kw_only=True):
    """A card: event, item or omen; also an item token of a haunt.

    Example: `{id: axe, deck: item, title: Axe, text: Sharp., kinds: [weapon], attack: {dice: 1, max-dice: 8}}`.
    """

    id: str
    deck: Deck
    title: str
    text: str
    """What people read on it."""
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
    """A way to attack that its holder has."""
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
    links: list[Link] = []
    """Ways from the room where it lies."""
    actions: list[Action] = []
    always: list[Standing] = []
    on: list[Trigger] = []


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


class Track(Word, frozen=True, kw_only=True):
    """A trait's line of numbers. Example: `{values: [2, 2, 3, 3, 4, 4, 6, 7], start: 3}`."""

    values: list[int]
    """Eight numbers that never fall."""
    start: int
    """Where the clip starts, counted from 0."""


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
    besides_revealer: bool = False
    """The revealer is left out."""
    otherwise: TraitorRule | None = None
    """Where nobody fits."""


class Chart(Word, frozen=True, kw_only=True):
    """From omen and room to a haunt's number, from the number to who is the traitor and which haunt of ours is played."""

    omens: list[str]
    """Every omen of the pack, in the order of the cells."""
    rooms: list[str]
    """Every room with an omen symbol."""
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
    """With `false` it never attacks."""
    dies: bool = False
    """Damage kills it in place of stunning (2E-MON-004)."""
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
    text: str = ""
    """What people read about it."""


class Seek(Word, frozen=True, kw_only=True):
    """Where a side finds what it needs: shown to that side, and followed by the built-in bots. Example: `{token: bell, if: {carrying: clapper}}`."""

    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only while this holds."""
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
    explore: bool = False
    """Rooms not discovered yet."""
    monsters: str | None = None
    """Monsters of this kind."""
    foes: bool = False
    """Whoever is on the other side."""


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
    plays_on: Condition | None = None
    """Traitor's book: after the traitor's death the monsters play on only while this holds, else the heroes have won (2E-HTURN-005)."""
    instead_of_death: list[Effect] = []
    """What happens to one of this side (`you`) in place of dying; clips on the skull go to the lowest number first (2E-DEATH-002)."""
    seek: list[Seek] = []
    """In the order of what matters most."""
    texts: dict[str, str] = {}
    """Texts for `tell`, by name."""
    ending: str = ""
    """What the winners read."""


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
    """By name."""
    tokens: list[TokenKind] = []
    """Tokens that only this haunt has."""
    items: list[Card] = []
    """Item tokens, for `give` (2E-ITEM-017)."""
    monsters: dict[str, Monster] = {}
    """Kinds of monsters, by name."""
    blocks: dict[str, list[Effect]] = {}
    """Steps for `run`, by name."""
    heroes: Book
    traitor_book: Book | None = None
    """Absent with a hidden traitor: everybody reads the heroes' book (2E-HID-004)."""
    revealed: list[Effect] = []
    """What happens when the hidden traitor is revealed; `you` are the traitor."""
    reveal_if: Condition | None = None
    """The hidden traitor (`you`) may turn up the token only while this holds; default: at any time (2E-HID-005)."""
    truce: bool = False
    """While the traitor is hidden, explorers may not attack one another (against 2E-HID-009)."""
    traitor_first: bool = False
    """The traitor's Right Now is done before the heroes' (against 2E-HSET-006)."""


class Counter(Word, frozen=True, kw_only=True):
    """A counter that the haunt uses. Example: `{title: Seals, start: 0, max: 10}`."""

    title: str
    start: int = 0
    max: int | None = None
    """It goes no higher."""


class Scenario(Word, frozen=True, kw_only=True):
    """A third-edition scenario: a reason to enter the house, and the haunt number for each omen."""

    id: str
    title: str
    text: str
    haunts: dict[str, int]
    """By omen: the number of the haunt."""


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
