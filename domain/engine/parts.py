"""Parts of a haunt's books: which of them were used for all to see, and which were read out to everybody (3E-INFO-002).

A part has an id that stays: `heroes.actions.LIGHT`, `traitor.on.2`, `heroes.instead-of-death`; a monster's box is one part, `monster.ghoul`.
A part is used when, while it is run, those who have not read it are told something: what nobody sees tells nobody that there is such a rule.
What is done as the haunt begins is read aloud anyway, and is no part. Where everybody reads one book there is nothing to ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from content.vocabulary.pack import Haunt, Monster
from domain.engine.block import Frame
from domain.engine.books import SIDES, one_book
from domain.engine.external import EXTERNAL
from domain.facts.audience import EVERYBODY, Mask
from domain.facts.state import State

READING_OUT, AT_ONCE = "reading_out", "at-once"
"""The game's option, and its value by which parts are read out as soon as they are used."""
BOX = "monster."
"""What the id of a monster's box begins with; its kind follows."""
BOXES = "traitor"
"""The side whose book has the boxes (3E-ANAT-011)."""


def part_of_box(kind: str) -> str:
    """The part that is the box of a kind of monster."""
    return f"{BOX}{kind}"


def kind_of_box(part: str) -> str:
    """The kind of monster whose box a part is, or empty."""
    return part.removeprefix(BOX) if part.startswith(BOX) else ""


def side_of_part(part: str) -> str:
    """The side whose book has the part."""
    return BOXES if kind_of_box(part) else part.partition(".")[0]


@lru_cache(maxsize=4096)
def part_of_block(block_id: str) -> str | None:
    """The part that a block of content is of; empty for one that several parts may run; None if it is of no book."""
    owner, _, path = block_id.partition("#")
    if not owner.startswith("haunt/"):
        return None if "/" in owner else ""
    book, _, rest = path.partition(".")
    steps = rest.split(".")
    if book == "monsters":
        return part_of_box(steps[0])
    if book not in SIDES:
        return ""
    if steps[0] == "right-now":
        return None
    return f"{book}.{'.'.join(steps[:2])}"


def part_of_action(source: str, word: str) -> str:
    """The part that says what an action does, or empty: `haunt:heroes` and `LIGHT` are `heroes.actions.LIGHT`."""
    what, _, name = source.partition(":")
    if what == "box":
        return part_of_box(name)
    return f"{name}.actions.{word}" if what == "haunt" else ""


def innermost_part(stack: Sequence[Frame[Any]]) -> str:
    """The part that is being run, or empty: of the innermost block of content."""
    for frame in stack[::-1]:
        part = part_of_block(frame.block.id)
        if part != "":
            return part or ""
    return ""


def has_two_books(haunt: Haunt) -> bool:
    """Whether each side has a book of its own here, so that there is something to ask for."""
    return haunt.id != EXTERNAL and not one_book(haunt)


def readers_of_box(haunt: Haunt, state: State, kind: str) -> Mask:
    """Who has read the box of a kind of monster: the side whose book has it, or everybody."""
    known = state.haunt is not None and part_of_box(kind) in state.haunt.disclosed
    return EVERYBODY if known or not has_two_books(haunt) else state.side_mask(BOXES)


def has_read(haunt: Haunt, state: State, part: str) -> bool:
    """Whether a role knows what a part says: it has read the book, everybody reads one, or the part was read out."""
    if state.haunt is None:
        return False
    told = part in state.haunt.disclosed or f"{side_of_part(part)}.book" in state.texts
    return told or (bool(kind_of_box(part)) and not has_two_books(haunt))


UNKNOWN = 4
"""The number that stands for one that nobody could know, where something must be supposed."""


def close_boxes(haunt: Haunt, kinds: Sequence[str]) -> Haunt:
    """The haunt with the boxes of these kinds of monsters closed: what lies on the table is left of them."""
    shut = {
        kind: Monster(
            title=one.title,
            size=one.size,
            color=one.color,
            side=one.side,
            hidden=one.hidden,
            speed=UNKNOWN,
            might=UNKNOWN,
        )
        for kind, one in haunt.monsters.items()
        if kind in kinds
    }
    return msgspec.structs.replace(haunt, monsters={**haunt.monsters, **shut})


def unread_boxes(haunt: Haunt, state: State) -> list[str]:
    """Kinds of monsters whose boxes a role has not read."""
    return [kind for kind in haunt.monsters if not has_read(haunt, state, part_of_box(kind))]
