"""What a piece does: by itself (`Trigger`), when somebody wants it (`Action`, `Attack`), or all the time (`Standing`)."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import DamageKind, Deck, Side, Trait, Word
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition, Place, Who


class Limit(Word, frozen=True, kw_only=True):
    """How often something may be done. Example: `{per: turn}`, `{per: game, each: explorer}`."""

    per: Literal["turn", "own-turn", "game"]
    """`own-turn`: once in the turn of whoever does it; `turn`: once in everybody's turn."""
    each: Literal["explorer", "source"] = "source"
    """`explorer`: counted for each explorer by itself."""


class Standing(Word, frozen=True, kw_only=True):
    """An adjustment that holds as long as its source does; exactly one verb key. It is not a use of an item (2E-ITEM-003).

    Example: `{modify: {rolls: [trait], dice: 1, max-dice: 8}}`, `{reduce-damage: {kind: physical, points: 1}}`.
    """

    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only while this holds. `blocks-sight`, `slows` and `trade-within` take no condition."""
    modify: Modify | None = None
    """Change rolls."""
    reduce_damage: ReduceDamage | None = None
    """Take less damage."""
    spared: list[str] | None = None
    """The holder is spared the harmful text of these tiles."""
    blocks_sight: bool = False
    """Nobody sees through this room."""
    slows: int | None = None
    """Leaving the room costs this many spaces more (third edition obstacles)."""
    move_limit: int | None = None
    """At most this many spaces of movement in a turn."""
    trade_within: int | None = None
    """The holder may trade with explorers up to this many spaces away."""
    items_by_ruling: str | None = None
    """With `trade-within`: where the table plays by this alternative, only items change hands so far away."""
    may_pass_over: Deck | None = None
    """The holder need not draw for this symbol of a room just discovered."""
    may_bury_tile: bool = False
    """The holder may put a tile that a discovery on foot has turned up under the stack, and take the next."""
    special: bool = False
    """It is a special action: not with a card gained this turn, and a use of the card (3E-ACT-005, 3E-TRADE-005)."""

    @property
    def impedes(self) -> bool:
        """Whether it limits movement or sight: of an event that does a new traitor is freed (2E-TPOW-001)."""
        return self.move_limit is not None or self.slows is not None or self.blocks_sight


class Modify(Word, frozen=True, kw_only=True):
    """More or fewer dice, or points added to the result, for some rolls."""

    rolls: list[Literal["trait", "task", "attack", "defense", "event", "event-trait", "haunt", "damage", "any"]]
    """Which rolls; `event`: those that an event drawn by the roller asks for, `event-trait`: trait rolls among these.

    Where attacks are made by trait rolls (3E-DICE-004), `trait` means attack and defense too; `task` never does.
    """
    traits: list[Trait] | None = None
    """Only rolls of these traits."""
    dice: int = 0
    """Dice to add (negative: to remove)."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """At most this many dice in all."""
    min_dice: int | None = None
    """At least this many dice."""
    whose: Literal["holder", "in-room", "heroes-in-room"] = "holder"
    """Whose rolls."""


class ReduceDamage(Word, frozen=True, kw_only=True):
    """All damage of this kind is reduced by this many points."""

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
        "trait-raised",
        "damaged",
        "dying",
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
    reach: Literal["holder", "room"] = "holder"
    """Cards: to their holder, or to whoever is in the room where the card is, in hands or on the floor (`entered`, `turn-started`)."""
    by: Literal["item"] | None = None
    """With `trait-raised`: only where an item (or an omen that is one) raises it."""
    kinds: list[DamageKind] | None = None
    """With `damaged`: only by damage of these kinds."""
    harmful: bool = False
    """Traitor and monsters may ignore it (2E-TPOW-002, 2E-MON-010); in the third edition they ignore damage, which needs no mark."""
    binds: list[Binding] = []
    """Whom a rule of the ledger names as not exempt from it."""
    once: Limit | None = None
    """How often."""
    special: bool = False
    """It is a special action, so not with a card gained this turn (3E-ACT-005)."""
    do: list[Effect]


class Action(Word, frozen=True, kw_only=True):
    """Something that may be done: on one's own turn, or as a reaction in a window.

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
    rolls: (
        list[Literal["trait", "task", "attack", "defense", "event", "event-trait", "damage", "haunt", "any"]] | None
    ) = None
    """For reactions to rolls: to which, in the words of `modify`. Default `any`."""
    traits: list[Trait] | None = None
    """For reactions to rolls: only to those with these traits."""
    kinds: list[DamageKind] | None = None
    """For reactions to harm: to which."""
    once: Limit | None = None
    """How often."""
    if_: Condition | None = msgspec.field(name="if", default=None)
    """Only where this holds."""
    target: Who | None = None
    """Whom the command must name."""
    room: Place | None = None
    """Which room the command must name: the `target-room`."""
    spaces: int = 0
    """Spaces of movement that it costs."""
    leaves: bool = False
    """Doing it counts as leaving the room by choice: opponents slow it, and it is barred once movement has ended (2E-PAST-001, 2E-MOVE-004)."""
    side: Side | None = None
    """Only this side may."""
    for_: Literal["explorers", "monsters", "everyone"] = msgspec.field(name="for", default="explorers")
    """Who may do it: monsters only what a room, a token or their side's book offers to them."""
    constant: bool = False
    """A standing effect of the card, not a use of it: it neither needs nor spends the card's action of the turn, and works at once."""
    any_turn: bool = False
    """It may be done in anybody's turn, where special actions belong to one's own (3E-ACT-006)."""
    again: bool = False
    """Several times in a turn, where an item is used once (against 2E-ITEM-003, 2E-ITEM-013) or every special action (3E-ACT-003)."""
    rule: str | None = None
    """The ledger rule that grants it, where it is not the piece's own text."""
    forbidden: list[Ban] = []
    """What forbids it by a rule of its own."""
    do: list[Effect]


class Binding(Word, frozen=True, kw_only=True):
    """Somebody to whom a text happens by a rule of its own. Example: `{if: {you: revealed-traitor}, rule: 3E-TRAI-006}`."""

    if_: Condition = msgspec.field(name="if")
    """Of whom this holds."""
    rule: str
    """By this rule of the ledger."""


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
    """Dice to add (negative: to remove)."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """At most this many dice in all."""
    range: Literal["room", "line-of-sight", "adjacent"] = "room"
    """How far away the target may be."""
    safe: bool = False
    """The attacker takes no damage even in the same room."""
    dice_by_ruling: dict[str, int] = {}
    """`dice` where the table plays by an alternative."""
    cost: list[Effect] | None = None
    """What the attacker pays for it."""
    free_by_ruling: str | None = None
    """Where the table plays by this alternative, the attacker may keep the `cost` and forgo the `dice`."""
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
