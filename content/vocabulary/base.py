"""What all vocabulary types share: strict Structs in kebab-case, and the closed word lists."""

from typing import Any, Literal

import msgspec

Trait = Literal["might", "speed", "sanity", "knowledge"]
"""The four traits (2E-TRAIT-001); the first two are physical, the last two mental (2E-TRAIT-002)."""

TRAITS: tuple[Trait, ...] = ("might", "speed", "sanity", "knowledge")

Floor = Literal["basement", "ground", "upper"]
"""A floor of the house; the third edition says region."""

FLOORS: tuple[Floor, ...] = ("basement", "ground", "upper")

Compass = Literal["north", "east", "south", "west"]
"""A side of a tile, named with the tile upright as printed."""

Deck = Literal["event", "item", "omen"]

DECKS: tuple[Deck, ...] = ("event", "item", "omen")

DamageKind = Literal["physical", "mental", "general"]

Side = Literal["heroes", "traitor"]

Icon = Literal[
    "antenna",
    "arch",
    "barrel",
    "boards",
    "book",
    "bottle",
    "bridge",
    "cage",
    "candle",
    "chair",
    "chest",
    "cloud",
    "crate",
    "cross",
    "curtain",
    "cutlery",
    "dish",
    "door",
    "drain",
    "drop",
    "ear",
    "egg",
    "figure",
    "flame",
    "footprints",
    "frame",
    "hammer",
    "hourglass",
    "ladder",
    "lamp",
    "lock",
    "mask",
    "mirror",
    "nest",
    "picture",
    "pillar",
    "pit",
    "root",
    "rope",
    "safe",
    "shutter",
    "skull",
    "spiral",
    "stairs",
    "star",
    "stove",
    "table",
    "tag",
    "wall",
    "wardrobe",
    "wheel",
]
"""A small drawing by which pictures show a token. Stored packs name them: names are added, and none is taken away."""


class Word(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, rename="kebab"):
    """Base of every vocabulary type: unknown keys are refused, so that a slip of the pen is found when a pack is loaded."""

    def stated(self) -> dict[str, Any]:
        """By field: what is written, without what is left out."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}
