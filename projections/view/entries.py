"""Haunts from the players' own books: what may be entered, and what waits for consent."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.state import MODERATOR, State
from domain.rulebook.haunt.entering import BOOK, books, may_enter
from projections.shapes import Number, Seat, Shape, Side

SHOWN = {"State": ("haunt", "open", "status", "explorers"), "Haunt": ("id", "number", "traitor", "proposed")}
"""The fields of a role's state that are read here; all others stay hidden."""

NOTE = {"notes": {"first": "What your book says, in your own words."}}
"""An entry that is always possible."""


class EnterView(Shape, frozen=True, kw_only=True):
    """What the caller may enter now, and how."""

    books: list[Side]
    """Books from which the caller may enter."""
    example: dict[str, Any]
    """A command that can be posted as it stands: it enters a note for the side that reads the first of these books."""


class EntryView(Shape, frozen=True, kw_only=True):
    """Something that was entered and waits for consent."""

    number: Number
    book: Side
    by: Seat | None
    """The seat that entered it."""
    entry: Annotated[dict[str, Any], Meta(extra_json_schema={"description": "In the vocabulary of content files."})]


def enterable(rules: Rules, state: State, principal: Mask) -> EnterView | None:
    """What a role may enter; None if nothing can be entered now."""
    if principal == SPECTATORS or not may_enter(state):
        return None
    found = books(rules, state, MODERATOR if principal == REFEREE else principal.bit_length() - 1)
    if not found:
        return None
    return EnterView(books=found, example={"type": "enter", "decision": BOOK, "book": found[0], "entry": NOTE})


def proposed(state: State) -> EntryView | None:
    """What waits for consent, as far as the role was told."""
    one = state.haunt.proposed if state.haunt is not None else None
    if one is None:
        return None
    by = one.by if one.by >= 0 else None
    return EntryView(number=one.number, book=one.book, by=by, entry=msgspec.to_builtins(one.entry))
