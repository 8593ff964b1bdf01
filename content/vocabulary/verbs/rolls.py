"""What the verbs of dice and fights take: roll, modify-roll, reroll, convert-damage, attacked, must-attack, trap."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import DamageKind, Trait, Word
from content.vocabulary.values import Condition, Value, Who


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
    """So many more (or fewer) dice."""
    result: int = 0
    """Added to the result."""
    max_dice: int | None = None
    """But never more dice than these in all."""
    set: SetResult | None = None
    """In place of rolling, `you` name a result."""
    stored: bool = False
    """In place of rolling, the result is what the card that speaks keeps (`store`), as far as the roll could come to it."""
    trait: Trait | None = None
    """Roll with this trait in place of the one asked for."""


class SetResult(Word, frozen=True, kw_only=True):
    """The span in which a result may be named."""

    from_: int = msgspec.field(name="from")
    to: int


class Reroll(Word, frozen=True, kw_only=True):
    """Roll dice of the roll that this reaction answers again; the new faces stand. Example: `{dice: any}`, `{dice: one}`."""

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
    """`you` make an attack at once, besides the attack of the turn and also before the haunt. Example: `{whom: [{each: monster, in: here}]}`."""

    whom: list[Who]
    """The first of these that is anybody; among several `you` choose. If nobody fits, nothing happens."""


class Trap(Word, frozen=True, kw_only=True):
    """`you` are held until freed by a trait roll (2E-TPOW-001). Example: `{trait: might, at-least: 4, tries: 3}`."""

    trait: Trait
    at_least: int
    """What a roll to get free has to come to."""
    tries: int
    """After so many failures the explorer is free at the start of its next own turn."""
    first_try_counts: bool = False
    """The roll that was just made is the first of the tries."""
    failing_stops: bool = False
    """Whoever tries in vain stops moving for this turn."""
    helpers: Literal["here", "anywhere"] = "here"
    """Which other explorers may try: those in the same room, or all."""
    catches_helpers: bool = False
    """A helper who tries in vain is held as well."""
