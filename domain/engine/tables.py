"""A pack as tables: what procedures ask of content, by id and by source.

`domain.pack` builds them, once for each digest of a pack; they are never changed, and hold nothing of a game. A source is
typed: `card:axe`, `tile:attic`, `token:safe`, `haunt:the-bell-below`; `haunt:heroes` and `haunt:traitor` mean the books of the
haunt in play, `box:ghoul` the box of one of its kinds of monsters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from content.vocabulary.effects import Effect
from content.vocabulary.pack import (
    Action,
    Bar,
    Card,
    Chart,
    Explorer,
    Haunt,
    Link,
    Monster,
    Pack,
    PackHead,
    Scenario,
    Standing,
    Tile,
    TokenKind,
    Trigger,
)
from domain.engine.block import Block, Frame, NumberOf, Test
from domain.facts.ids import id_name, split_id
from domain.facts.state import Aim, MonsterId, State


class Adjustment(NamedTuple):
    """A standing effect with the test of when it counts; without one it always does."""

    standing: Standing
    condition: Test | None


class Offer(NamedTuple):
    """An action with what was compiled of it."""

    action: Action
    block: str
    """The block of its steps."""
    aims: Callable[[Any, Frame[Any]], Sequence[Aim]] | None
    """Whom, or which rooms, it is for; without it nobody is named."""
    condition: Test | None
    bans: Sequence[tuple[Test, str]]
    """What forbids it, each with its rule."""
    prospect: Test | None
    """Whether it could change anything now; without one it always could."""
    rolls: bool
    """It needs a roll to succeed."""
    task: str
    """The task of the haunt at which it is an attempt (2E-ROLL-011), or empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """A compiled pack."""

    # -- pieces -----------------------------------------------------------------------------------------------------

    source: Pack
    head: PackHead
    tiles: Mapping[str, Tile]
    cards: Mapping[str, Card]
    items: Mapping[str, Card]
    """Item tokens of haunts."""
    explorers: Mapping[str, Explorer]
    haunts: Mapping[str, Haunt]
    tokens: Mapping[str, TokenKind]
    chart: Chart
    scenarios: Mapping[str, Scenario]
    decks: Mapping[str, list[str]]
    """Faces in the pack's order, by `event`, `item`, `omen` and `tiles`."""
    order: Mapping[str, Mapping[str, int]]
    """By deck and face: its place in that order."""
    tiles_for: Mapping[str, list[str]]
    """Tiles that fit each floor."""
    tile_backs: Mapping[str, str]
    """What `back_of` answers, for those who ask about a whole stack."""
    titles: Mapping[str, str]
    """By card: its title; cards that share one bear a letter as well."""
    free_to: Mapping[str, frozenset[str]]
    """By `drop`, `trade` and `steal`: the cards to which it may happen."""
    alternatives: Mapping[str, Mapping[str, str]]
    """By piece and id: answers that a table may choose in place of rulings, and official rulings that it may choose."""
    unofficial: Mapping[str, tuple[str, frozenset[str]]]
    """By alternative that is the text without an official ruling: its piece, and the choices there that keep it from holding."""
    links: Mapping[str, list[tuple[str, Link]]]
    """By tile: links that it makes or that lead to it, with their maker."""
    left_by: Mapping[str, frozenset[str]]
    """By event with a lasting effect: the tokens that it leaves in the house."""
    impeding: frozenset[str]
    """Events that limit or bar movement, actions or sight of those who keep them (2E-TPOW-001, ruling)."""
    sets: Mapping[str, list[tuple[str, frozenset[str]]]]
    """By card: the cards that make a set with it, with the one that says so."""

    # -- what they do -----------------------------------------------------------------------------------------------

    blocks: Mapping[str, Block]
    written: Mapping[str, Sequence[Effect]]
    """The effects that each block was compiled from."""
    triggers: Mapping[tuple[str, str], list[tuple[str, Trigger]]]
    """By source and moment: the triggers, with their blocks."""
    trigger_of: Mapping[str, Trigger]
    trigger_tests: Mapping[str, Test]
    bindings: Mapping[str, list[tuple[Test, str]]]
    """By the block of a trigger: of whom a rule says that it happens to them too."""
    offers: Mapping[str, list[Offer]]
    reactions: Mapping[str, list[Offer]]
    """By card."""
    unplaced: Mapping[str, list[Offer]]
    """What tiles offer while they are not in the house."""
    standing: Mapping[str, list[Adjustment]]

    # -- haunts -----------------------------------------------------------------------------------------------------

    goals: Mapping[tuple[str, str], tuple[Test, str]]
    """By haunt and side: when it has won, and why."""
    goals_by_players: frozenset[tuple[str, str]]
    """Goals that ask for as many of something as there are explorers, the dead included (2E-DEATH-003)."""
    losses: Mapping[str, tuple[str, Test, str]]
    """By haunt: the book that says when all who read it have lost, when that is, and the ending in a sentence."""
    counters_named: Mapping[tuple[str, str], list[str]]
    """By haunt and side: counters that its book names, by itself or in blocks that it runs."""
    counters_known: Mapping[tuple[str, bool], list[str]]
    """By haunt, and whether what a book tells first is read aloud: counters that everybody knows from the start."""
    traits: Mapping[tuple[str, str], Mapping[str, NumberOf]]
    """By haunt and kind of monster: its numbers, for those traits that it has."""
    instead: Mapping[tuple[str, str], str]
    """By haunt and side: the block of what happens in place of a death (2E-DEATH-002)."""
    plays_on: Mapping[str, Test]
    """By haunt: whether the monsters can still win without their traitor (2E-HTURN-005)."""
    reveals: Mapping[str, Test]
    """By haunt: when its hidden traitor may be revealed on its own wish, where that is not at any time (2E-HID-005)."""
    bars: Mapping[str, Mapping[str, list[Bar]]]
    """By haunt and source: what it forbids although a card, room or token permits it (2E-PREC-003)."""

    # -- precomputed, so that play searches for nothing that no piece has --------------------------------------------

    slows: Mapping[str, int]
    """By token: spaces that it adds to leaving its room."""
    opaque: frozenset[str]
    """Tokens that block sight."""
    limiting: frozenset[str]
    """Cards that may limit their holder's movement."""
    linking: frozenset[str]
    """Tokens whose rooms are linked with each other."""
    alert: frozenset[str]
    """Tokens that affect those who enter their room."""
    passed_through: frozenset[str]
    """Tokens with an action that leads to another token of the kind (Revolving Wall)."""
    quiet: frozenset[str]
    """Tiles that do nothing to those who leave or enter: walking between them needs no procedure."""
    moving: frozenset[str]
    """Tiles, as sources, that go elsewhere with those who enter."""
    sliding: frozenset[str]
    """Tiles on which nobody who enters stays."""
    held_by_roll: frozenset[str]
    """Tiles that ask a roll of those who leave."""
    locked: frozenset[str]
    """Tiles behind whose door nobody can be put (2E-ROOM-038)."""
    offering: frozenset[str]
    """Sources that offer an action on the own turn."""
    for_monsters: frozenset[str]
    """Sources that may offer an action to monsters."""
    unplaced_for: Mapping[str, list[str]]
    """By side: tiles that offer it something while they are not in the house."""
    with_busy_monsters: frozenset[str]
    """Haunts whose monsters may do more than move and attack."""
    explored_by_monsters: frozenset[str]
    """Haunts whose monsters discover rooms."""
    reaching: Mapping[str, list[str]]
    """By moment: cards whose text reaches those in their room."""
    minds_raises: bool
    """Whether some text waits for a trait to be raised."""
    trading: Mapping[str, int]
    """By card: how far its holder can trade."""

    # -- cards and tiles --------------------------------------------------------------------------------------------

    def in_order(self, deck: str, faces: Iterable[str]) -> list[str]:
        """Faces in the pack's order, which tells nothing about theirs in the stack."""
        order = self.order[deck]
        return sorted(faces, key=lambda face: order[face])

    def back_of(self, face: str) -> str:
        """A tile's back: its floors joined by `+`; cards of a deck all look alike."""
        return self.tile_backs.get(face, "")

    def links_at(self, tile: str) -> list[tuple[str, Link]]:
        """Links that this tile makes or that lead to it, with their maker."""
        return self.links.get(tile, [])

    def card(self, card: str) -> Card:
        """A card, or an item token of a haunt."""
        return self.cards[card] if card in self.cards else self.items[card]

    def deck_of(self, card: str) -> str:
        """The deck that a card belongs to; empty for item tokens."""
        return self.cards[card].deck if card in self.cards else ""

    def is_item(self, card: str) -> bool:
        """Whether item rules apply: item cards, most omens, item tokens (2E-ITEM-004, 2E-ITEM-012, 2E-ITEM-017)."""
        return counts_as_item(self.card(card))

    def is_item_card(self, card: str) -> bool:
        """Whether it is a card of the item deck."""
        return card in self.cards and self.cards[card].deck == "item"

    def is_weapon(self, card: str) -> bool:
        """Whether it is a weapon (2E-ITEM-018)."""
        return "weapon" in self.card(card).kinds

    def is_companion(self, card: str) -> bool:
        """Whether it is a companion (2E-ITEM-022)."""
        return "companion" in self.card(card).kinds

    def can(self, card: str, act: str) -> bool:
        """Whether a card may be the object of `drop`, `trade` or `steal` (2E-ITEM-011, 2E-STEAL-002)."""
        return card in self.free_to[act]

    def card_block(self, card: str) -> str:
        """The block of what a card does when drawn."""
        return f"card/{card}#do"

    def link_rule(self, maker: str, to: str) -> str:
        """The rule that grants monsters a way other than a door, by its maker (`tile:gallery`) and where it leads."""
        what, name = split_id(maker)
        links = self.tiles[name].links if what == "tile" else self.tokens[name].links
        rules = [link.rule for link in links if link.rule and (what == "tile" or link.to == to)]
        return rules[0] if rules else ""

    # -- monsters ---------------------------------------------------------------------------------------------------

    def monster(self, state: State, kind: str) -> Monster:
        """A kind of monster of the haunt in play."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return self.haunts[state.haunt.id].monsters[kind]

    def traits_of(self, state: State, kind: str) -> Mapping[str, NumberOf]:
        """The numbers of a kind of monster of the haunt in play, for those traits that it has."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return self.traits[state.haunt.id, kind]

    def busy(self, state: State, monster: MonsterId) -> bool:
        """Whether a monster may do more than move and attack."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return state.haunt.id in self.with_busy_monsters or f"tile:{state.stands_at(monster)[0]}" in self.for_monsters

    # -- actions ----------------------------------------------------------------------------------------------------

    def offers_of(self, state: State, source: str) -> list[Offer]:
        """What a source offers."""
        if source in self.unplaced and id_name(source) not in state.rooms:
            return self.unplaced[source]
        return self.offers.get(source_in_play(state, source), [])

    def action_block(self, source: str, word: str, state: State | None = None) -> str:
        """The block of an action."""
        return f"{_prefix_of(source_in_play(state, source))}actions.{word}"


def counts_as_item(card: Card) -> bool:
    """Whether item rules apply to a card: events are no items, even while somebody keeps one; nor are some omens (2E-ITEM-012)."""
    return not card.no_item and card.deck != "event"


def source_in_play(state: State | None, source: str) -> str:
    """The key of a source in these tables: of a haunt's book it names the haunt as well."""
    if state is not None and state.haunt is not None:
        kind, _, name = source.partition(":")
        if kind in ("haunt", "box"):
            return f"haunt:{state.haunt.id}#{'monsters.' if kind == 'box' else ''}{name}"
    return source


@lru_cache(maxsize=4096)
def _prefix_of(key: str) -> str:
    """The prefix of the ids of a source's blocks."""
    owner, _, book = key.replace(":", "/", 1).partition("#")
    return f"{owner}#{book}." if book else f"{owner}#"
