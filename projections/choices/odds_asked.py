"""What odds can be asked for: plain dice, a trait roll, the haunt roll, an attack."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from content.patterns import whole
from content.vocabulary.base import Trait
from domain.facts.commands import Character, Id, Seat

MOST_DICE = 24
"""Dice of one roll."""
OUTCOME = whole(r"^(0|[1-9][0-9]?)(\+|-(0|[1-9][0-9]?))?$")

Dice = Annotated[int, Meta(ge=0, le=MOST_DICE)]
Points = Annotated[int, Meta(ge=-24, le=24)]
Total = Annotated[int, Meta(ge=0, le=99)]
Reaction = Annotated[str, Meta(max_length=100, pattern=whole(r"^card:[a-z0-9][a-z0-9-]*#[A-Z][A-Z0-9-]*$"))]
Outcomes = Annotated[list[Annotated[str, Meta(pattern=OUTCOME)]], Meta(max_length=20)]
"""As cards and haunts have them beside a roll: `5+`, `2-4`, `0`."""


class Ask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="of"):
    """Base of what is asked."""


class Use(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card used on the roll, as if its holder used it."""

    reaction: Reaction
    """As `decisions` lists it: `card:idol#PRAY`."""
    result: Total | None = None
    """The result, for a card that names one in place of rolling."""


Uses = Annotated[list[Use], Meta(max_length=6)]
"""In the order in which they are used."""


class RollAsked(Ask, frozen=True, kw_only=True):
    """What all single rolls have."""

    outcomes: Outcomes = []
    """Outcomes whose chance to compute."""
    at_least: Total | None = None
    """A total whose chance to compute. Dice are then rolled again to reach it; without one, to raise the mean."""


class DiceAsked(RollAsked, frozen=True, kw_only=True, tag="dice"):
    """A number of dice, whoever rolls them."""

    dice: Dice
    bonus: Points = 0
    """Points added to the sum. A total is never below 0."""


class TraitAsked(RollAsked, frozen=True, kw_only=True, tag="trait"):
    """A trait roll (2E-ROLL-008) by a character as it is now, with what its cards and its room adjust."""

    who: Character
    trait: Trait
    event: bool = False
    """An event that the roller has drawn asks for it, which matters to some cards."""
    use: Uses = []


class HauntAsked(Ask, frozen=True, kw_only=True, tag="haunt"):
    """A haunt roll (2E-HROLL-002): whether the haunt begins."""

    seat: Seat | None = None
    """Who rolls; by default whoever's turn it is."""
    omens: Total | None = None
    """Omens drawn by then; by default as many as now."""
    use: Uses = []


class AttackAsked(Ask, frozen=True, kw_only=True, tag="attack"):
    """An attack with both rolls (2E-ATK-005, 2E-ATK-008). Whether it is legal now is not checked: a dry run does that."""

    attacker: Character
    target: Character
    weapon: Id | None = None
    """A card that the attacker has; none for bare hands, or a monster's own attack."""
    use: Uses = []
    """Cards that the attacker uses on its roll."""
    target_uses: Uses = []
    """Cards that the target uses on its roll."""


AnyAsked = DiceAsked | TraitAsked | HauntAsked | AttackAsked
