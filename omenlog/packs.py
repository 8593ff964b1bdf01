"""What can be played: editions, and what their packs hold."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from content.errors import ContentErrors
from content.load.packs import builtin_packs, load_pack
from domain import editions
from domain.engine.rules import Rules
from domain.game import rules_for
from omenlog.errors import Invalid, unknown

EDITIONS: tuple[str, ...] = tuple(editions.EDITIONS)
"""Every edition that can be played."""


class Contents(msgspec.Struct, frozen=True):
    """What a table can be opened with."""

    edition: str
    pack: str
    seats: tuple[int, ...]
    """How many can play."""
    explorers: tuple[str, ...]
    haunts: tuple[str, ...]
    scenarios: tuple[str, ...]
    """Of one of them each game is played; none where the edition has no scenarios."""
    rulings: dict[str, dict[str, str]]
    """By piece: alternatives of the pack's rulings, each with its words."""


def contents(edition: str = "second", pack: str | Path = "") -> Contents:
    """What can be played in an edition, with its own pack or with a folder or haunt file of yours. Raises `Invalid`."""
    held = rules_of(edition, pack)
    return Contents(
        edition=held.edition.id,
        pack=held.pack.head.id,
        seats=tuple(held.pack.head.players),
        explorers=tuple(held.pack.explorers),
        haunts=tuple(held.pack.haunts),
        scenarios=tuple(held.pack.scenarios),
        rulings={piece: dict(found) for piece, found in held.pack.alternatives.items()},
    )


def rules_of(edition: str, pack: str | Path = "") -> Rules:
    """The rules of an edition, read from its files once, which takes about a second. Raises `Invalid`."""
    if edition not in editions.EDITIONS:
        raise unknown("edition", edition, EDITIONS)
    return _rules_of(edition, str(pack))


@cache
def _rules_of(edition: str, pack: str) -> Rules:
    base = f"{editions.EDITIONS[edition].content or edition}-edition"
    try:
        read = load_pack(Path(pack) if pack else builtin_packs()[base], base=base)
        return rules_for(read, edition)
    except (ContentErrors, ValueError) as error:
        raise Invalid(str(error)) from None
