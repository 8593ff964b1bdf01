"""What the verbs of traits and damage take: gain, lose, heal, set-trait, damage."""

from __future__ import annotations

from typing import Literal

from content.vocabulary.base import DamageKind, Trait, Word
from content.vocabulary.values import Value


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
    """It lasts until the card that speaks takes it back with `undo`; the spaces for which the track has no room are noted for that card."""
    undo: bool = False
    """It takes a `lasting` step of the card that speaks back, and no more: what was noted comes off first (2E-ITEM-016)."""


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
    """With `or-another`: so many spaces down for the other trait, in place of all the way."""


class Damage(Word, frozen=True, kw_only=True):
    """Damage, divided by its taker among the traits of its kind (2E-DMG-001, 2E-DMG-003). Exactly one of `dice`, `points`.

    Example: `{kind: physical, dice: 1}`, `{kind: mental, points: 2}`.
    """

    kind: DamageKind
    """Which traits can take it; `general`: all four."""
    dice: Value | None = None
    """Roll so many dice for the amount (2E-ROLL-006)."""
    points: Value | None = None
    """A fixed amount."""
