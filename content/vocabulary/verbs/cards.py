"""What the verbs of cards and stacks take: draw, reveal-until, search, look, lose-card, take, fetch."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.base import Deck, Word
from content.vocabulary.values import Place, Who


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
    """Not one of a kind, but this card; `this` is the one that speaks."""
    to: Literal["discard", "deck", "bury", "floor"] = "discard"
    """`deck`: shuffled into its stack; `floor`: it lies in a room."""
    at: Place | None = None
    """With `floor`: in this room, not that of `you`."""


class TakeCard(Word, frozen=True, kw_only=True):
    """Take a card from another character, as a steal. Example: `{from: target}`."""

    from_: Who = msgspec.field(name="from")


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
