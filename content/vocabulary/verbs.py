"""What verbs take, by topic: traits, rolls, cards, places. The table of all verbs is `content.vocabulary.effects.Effect`.

These Structs hold no steps of their own; those that do (`PlaceTile`, `Option`) are beside `Effect`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import DamageKind, Deck, Floor, Trait, Word
from content.vocabulary.values import Condition, Place, Value, Who


class Steps(Word, frozen=True, kw_only=True):
    """Spaces on trait tracks (2E-TRAIT-003). Exactly one of `trait`, `traits`, `one-of`.

    Example: `{trait: speed}`, `{traits: [might, speed], steps: 2}`, `{one-of: [sanity, knowledge]}`.
    """

    trait: Trait | Literal["rolled"] | None = None
    """One trait; `rolled` is the trait of the latest roll of this block."""
    traits: list[Trait] | None = None
    """Each of these traits."""
    one_of: list[Trait] | None = None
    """One of these traits, chosen by the explorer it happens to."""
    steps: Value = 1
    """How many spaces."""
    only: Literal["critical"] | None = None
    """Only traits that are critical: on the last space before the skull."""
    lasting: bool = False
    """It lasts until this card takes it back with `undo`; the spaces for which the track has no room are noted for the card."""
    undo: bool = False
    """It takes back a `lasting` step of this card, and no more: what was noted comes off first (2E-ITEM-016)."""


class Heal(Word, frozen=True, kw_only=True):
    """Raise traits that are below their starting value towards it, never past it.

    Example: `{traits: [might, speed]}`, `{split: [might, speed], steps: 3}`.
    """

    traits: list[Trait] | None = None
    """Each of these traits, right up to its starting value."""
    split: list[Trait] | None = None
    """At most `steps` spaces, divided freely among these traits."""
    steps: Value | None = None
    """With `split`: how many spaces at most, in all."""
    only: Literal["critical"] | None = None
    """Only traits that are critical: on the last space before the skull."""


class SetTrait(Word, frozen=True, kw_only=True):
    """Move clips to a named space of the track. Example: `{traits: [might], to: lowest}`."""

    trait: Literal["rolled"] | Trait | None = None
    """One trait; `rolled` is the trait of the latest roll of this block."""
    traits: list[Trait] | None = None
    """Each of these traits."""
    to: Literal["lowest", "start"]
    """`lowest`: the last space before the skull; `start`: the starting value."""
    or_another: bool = False
    """If the trait is there already, the explorer chooses another trait that is not."""
    another_by: int | None = None
    """With `or-another`: this many spaces down for the other trait, in place of all the way."""


class Damage(Word, frozen=True, kw_only=True):
    """Damage, divided by its taker among the traits of its kind (2E-DMG-001, 2E-DMG-003). Exactly one of `dice`, `points`.

    Example: `{kind: physical, dice: 1}`, `{kind: mental, points: 2}`.
    """

    kind: DamageKind
    """Which traits can take it; `general`: all four."""
    dice: Value | None = None
    """Roll this many dice for the amount (2E-ROLL-006)."""
    points: Value | None = None
    """A fixed amount."""


class Roll(Word, frozen=True, kw_only=True):
    """Roll dice; `outcomes` beside it says what follows. Exactly one of `trait`, `one-of`, `dice`.

    Example: `{trait: speed}`, `{one-of: [speed, sanity]}`, `{dice: 2}`, `{dice: 6, against: {count: {omens: drawn}}}`.
    """

    trait: Trait | None = None
    """A trait roll (2E-ROLL-008)."""
    one_of: list[Trait] | None = None
    """A trait roll with a trait chosen by the roller."""
    dice: Value | None = None
    """That many dice (2E-ROLL-004); not a trait roll."""
    extra_dice: int = 0
    """More (or fewer) dice when `extra-if` holds."""
    extra_if: Condition | None = None
    """When `extra-dice` count."""
    against: Value | None = None
    """Compare with this number: the outcomes are `at-least` and `less`."""
    task: bool = False
    """A haunt's task roll: one attempt at each task in a turn, whatever the trait (2E-ROLL-011, 2E-ROLL-012)."""
    task_name: str | None = None
    """The task, where several actions attempt the same one; default: the action's word."""


class ModifyRoll(Word, frozen=True, kw_only=True):
    """Change the roll that this reaction answers. Example: `{dice: 2, max-dice: 8}`, `{result: 4}`, `{set: {from: 0, to: 8}}`, `{trait: sanity}`."""

    dice: int = 0
    """Dice to add (negative: to remove)."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """At most this many dice in all."""
    set: SetResult | None = None
    """In place of rolling, `you` name a result."""
    stored: bool = False
    """In place of rolling, the result is what this card keeps (`store`), as far as the roll could come to it."""
    trait: Trait | None = None
    """Roll with this trait in place of the one asked for."""


class SetResult(Word, frozen=True, kw_only=True):
    """The span in which a result may be named."""

    from_: int = msgspec.field(name="from")
    to: int
    adds: bool = False
    """What is added to the roll's result is added to this one as well."""


class Reroll(Word, frozen=True, kw_only=True):
    """Roll dice of the roll that this reaction answers again; the new faces count. Example: `{dice: any}`, `{dice: one}`."""

    dice: Literal["one", "any", "all", "blanks"]


class ConvertDamage(Word, frozen=True, kw_only=True):
    """The damage that this reaction answers becomes another kind. Example: `{to: physical}`."""

    to: DamageKind


class EventAttack(Word, frozen=True, kw_only=True):
    """Something without a figure attacks `you`: these dice against yours, the difference is damage. Example: `{trait: might, dice: 4}`."""

    trait: Trait = "might"
    """With what it attacks, and `you` defend."""
    dice: Value
    """How many dice it rolls."""
    damage: DamageKind = "physical"


class MustAttack(Word, frozen=True, kw_only=True):
    """`you` make an attack at once, apart from the attack of the turn and also before the haunt. Example: `{whom: [{each: monster, in: here}]}`."""

    whom: list[Who]
    """The first of these that is anybody; among several `you` choose. If nobody fits, nothing happens."""


class Trap(Word, frozen=True, kw_only=True):
    """`you` are held until freed by a trait roll (2E-TPOW-001). Example: `{trait: might, at-least: 4, tries: 3}`."""

    trait: Trait
    at_least: int
    """What a roll to get free has to come to."""
    tries: int
    """After this many failures the explorer is free at the start of its next own turn."""
    first_try_counts: bool = False
    """The roll that was just made is the first of the tries."""
    failing_stops: bool = False
    """Whoever fails stops moving for this turn."""
    helpers: Literal["here", "anywhere"] = "here"
    """Which other explorers may try: those in the same room, or all."""
    catches_helpers: bool = False
    """A helper who fails is held as well."""


class Draw(Word, frozen=True, kw_only=True):
    """Draw cards, each dealt with before the next. Example: `{deck: item, count: 2}`."""

    deck: Deck
    count: int = 1


class RevealUntil(Word, frozen=True, kw_only=True):
    """Turn up cards of a deck until one of the wanted kind appears, keep it and bury the others. Example: `{deck: item, kind: weapon}`."""

    deck: Deck
    kind: str
    """A kind of card: `weapon` or `companion`."""


class Search(Word, frozen=True, kw_only=True):
    """Choose a card from an undrawn stack, shuffle it and put the card on top. Example: `{decks: [item, event]}`."""

    decks: list[Deck]


class Look(Word, frozen=True, kw_only=True):
    """Look in secret at the next slots of a stack. Example: `{stack: tiles}`, `{stacks: [tiles, event], count: 3, reorder: true}`."""

    stack: Deck | Literal["tiles"] | None = None
    """This stack."""
    stacks: list[Deck | Literal["tiles"]] | None = None
    """One of these, chosen by `you`."""
    count: int = 1
    reorder: bool = False
    """`you` put them back on top in any order, in secret."""


class LoseCard(Word, frozen=True, kw_only=True):
    """Choose (or let chance choose) an own card and lose it. Example: `{how: random, to: discard}`, `{to: floor, at: entrance-hall}`.

    Nothing is lost, and `then` does not follow, where `you` have no such card.
    """

    how: Literal["choose", "random"] = "choose"
    """Who chooses the card: its holder, or chance."""
    kind: Literal["item", "any", "not-weapon"] = "item"
    card: str | None = None
    """A certain card by its id; `this` is the card whose text this is."""
    to: Literal["discard", "deck", "bury", "floor"] = "discard"
    """`deck`: shuffled into its stack; `floor`: it is put down in a room."""
    at: Place | None = None
    """With `floor`: in this room, not that of `you`."""


class TakeCard(Word, frozen=True, kw_only=True):
    """Take a card from another character, as a steal. Example: `{from: target}`."""

    from_: Who = msgspec.field(name="from")
    card: str | None = None
    """A certain card by its id, also one that can't be stolen; this is no steal."""


class Fetch(Word, frozen=True, kw_only=True):
    """Send a companion to carry one item from here, or from a room within reach, to such a room or back here.

    It goes as an explorer would, by doors and by ways that lead back, never out of a room whose text minds that somebody leaves.

    Example: `{spaces: 6}`, `{spaces: 6, barred: [coal-chute]}`.
    """

    spaces: int
    barred: list[str] = []
    """Rooms that it does not enter."""
    barred_tokens: list[str] = []
    """Tokens whose ways it does not use."""


class Move(Word, frozen=True, kw_only=True):
    """Put `you` somewhere, without cost (2E-MOVE-004 does not bar it). Example: `{to: entrance-hall}`, `{to: {on: [upper]}}`."""

    to: Place
    chooser: Literal["you", "actor"] = "you"
    """Who chooses among several rooms: the one who is moved, or the one who acts or has drawn the card."""


class Shift(Word, frozen=True, kw_only=True):
    """Monsters or heroes come one space nearer to `you` along a shortest way. Example: `{monsters: any}`, `{heroes: any}`.

    Of monsters `any` means that their controller says which of them come, of heroes that `you` say so; `each`: all must.
    """

    monsters: Literal["any", "each"] | None = None
    """Monsters that are not stunned."""
    heroes: Literal["any", "each"] | None = None
    """Heroes who could leave their room freely: nothing holds them back, and no opponent is with them."""


class MoveTile(Word, frozen=True, kw_only=True):
    """Move a tile, occupants and all, to another free doorway. Example: `{floor: upper}`, `{tile: here, floor: own-first}`.

    A room that is in the house from the start never moves.
    """

    tile: Literal["speaker", "here"] = "speaker"
    """The tile of this text (2E-ROOM-028), or the one on which `you` are; the latter must move if it can."""
    floor: Floor | Literal["any", "own-first"]
    """To this floor; `own-first`: to its own, or, without a free doorway there, to another for which it is made."""
    chooser: Literal["you", "actor"] = "you"
    """Who chooses among several doorways: `you`, who are on the tile, or the one who acts."""


class RemoveTile(Word, frozen=True, kw_only=True):
    """Take a tile out of the house, with its tokens, and shuffle it into the stack. Example: `{tile: crypt}`.

    It stays if anybody is on it or was last seen there, if a card lies there, and if it is one of the start. Rooms that only it led
    to are cut off.
    """

    tile: str


class Token(Word, frozen=True, kw_only=True):
    """A token and a place. Example: `{token: seal, at: here}`."""

    token: str
    at: Place = "here"
    count: Value = 1
    """How many."""


class RemoveToken(Word, frozen=True, kw_only=True):
    """Take tokens of this name away. Example: `{token: safe}`."""

    token: str
    at: Place | None = None
    """Default: here; `everywhere` with `all`."""
    all: bool = False
    """All of them, wherever they are."""
