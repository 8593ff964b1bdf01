"""Cards, the tokens that they leave, and how questions about them were settled."""

from __future__ import annotations

from typing import Literal

import msgspec

from content.vocabulary.abilities import Action, Attack, Link, Standing, Trigger
from content.vocabulary.base import Deck, Icon, Word
from content.vocabulary.effects import Effect
from content.vocabulary.values import Condition

OFFICIAL = "official"
"""What a table names to play by an official ruling where such rulings do not bind by themselves (PBP-BASE-002)."""


class Ruling(Word, frozen=True, kw_only=True):
    """How a question about this piece was settled."""

    by: Literal["rulebook", "official", "community", "project"]
    """Who settled it. An `official` ruling does not bind play by post: where it makes a difference its first `Alternative` is the text without it."""
    text: str
    """What holds."""
    alternatives: list[str | Alternative] = []
    """What was not chosen. A table may choose an `Alternative` when it opens a game; a text is only told."""


class Alternative(Word, frozen=True, kw_only=True):
    """An answer that a table may choose in place of a ruling, by the game option `rulings`: `{night-view: night-view-hurts}`.

    Where the steps differ they ask with `if: {ruling: <id>}`. Example: `{id: night-view-hurts, text: A failed roll deals damage.}`.
    """

    id: str
    """The name by which it is chosen, unique in the pack."""
    text: str
    """What holds then."""


class CardSet(Word, frozen=True, kw_only=True):
    """What cards give that one explorer has together. Example: `{with: [bell, book], whole: [{gain: {trait: sanity}}], broken: []}`."""

    with_: list[str] = msgspec.field(name="with")
    """The other cards of the set."""
    whole: list[Effect]
    """As soon as an explorer has all of them."""
    broken: list[Effect]
    """As soon as one of them is lost."""


class Card(Word, frozen=True, kw_only=True):
    """A card: event, item or omen; also an item token of a haunt.

    Example: `{id: axe, deck: item, title: Axe, text: Sharp., kinds: [weapon], attack: {dice: 1, max-dice: 8}}`.
    """

    id: str
    deck: Deck
    title: str
    text: str
    """What people read on it."""
    kinds: list[Literal["weapon", "companion"]] = []
    barred: list[Literal["drop", "trade", "steal"]] = []
    """What cannot be done with it (2E-ITEM-011)."""
    no_item: bool = False
    """Bite, Dog, Girl and Madman are not items (2E-ITEM-012)."""
    states: list[str] = []
    """The first one is the state in which it is gained."""
    keeps_state: bool = False
    """It stays in its state when it changes hands; only drawn anew it is in the first."""
    lasting: bool = False
    """An event whose effect lasts: it is not discarded where it has left a token in the house (2E-CARD-005)."""
    do: list[Effect] = []
    """Events: what happens. Omens and items: what happens on drawing."""
    declinable: bool = False
    """Omens: the traitor may decline what it does on drawing, as it may any event (2E-TPOW-005)."""
    do_if: Condition | None = None
    """If this fails, `otherwise` happens instead of `do`."""
    otherwise: list[Effect] = []
    always: list[Standing] = []
    attack: Attack | None = None
    """A way to attack that its holder has."""
    actions: list[Action] = []
    on: list[Trigger] = []
    set: CardSet | None = None
    """What it gives together with others."""
    rulings: list[Ruling] = []


class TokenKind(Word, frozen=True, kw_only=True):
    """What a token in a room means.

    Example: `{id: smoke, title: Smoke, always: [{modify: {rolls: [trait], dice: -2, min-dice: 1, whose: in-room}}]}`.
    """

    id: str
    title: str
    text: str = ""
    icon: Icon | None = None
    """By which drawing pictures show it; without one it is shown by the first letters of its `id`."""
    links_alike: bool = False
    """Rooms with this token are linked with each other, one space apart."""
    explorers_only: bool = False
    """Monsters don't go the way of `links-alike`."""
    links: list[Link] = []
    """Ways from the room where it is."""
    actions: list[Action] = []
    always: list[Standing] = []
    on: list[Trigger] = []
