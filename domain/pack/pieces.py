"""The pieces of a pack by id, and what procedures ask of them: cards, tiles, decks, ways between rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from string import ascii_uppercase

from content.survey import Spot, walk
from content.vocabulary.cards import OFFICIAL
from content.vocabulary.effects import Effect, Token
from content.vocabulary.pack import Alternative, Card, Chart, Link, Monster, Pack, Ruling, Tile
from domain.state import State

NO_CHART = Chart(omens=[], rooms=[], cells={}, traitors={}, haunts={})


def _tokens_of(card: Card) -> frozenset[str]:
    return frozenset(spot.value.token for spot in walk(Spot((), card)) if isinstance(spot.value, Token))


def _impedes(card: Card) -> bool:
    """Whether a kept event limits its keeper all the time, or time and again."""
    if any(standing.impedes for standing in card.always):
        return True
    steps = [spot.value for trigger in card.on for spot in walk(Spot((), trigger)) if isinstance(spot.value, Effect)]
    return any(step.trap is not None or step.stop not in (None, "block") for step in steps)


def _choices(pack: Pack) -> Iterator[tuple[str, Ruling, list[Alternative]]]:
    """Rulings in place of which something else may be chosen, with their pieces."""
    pieces: list[Tile | Card] = [*pack.tiles, *pack.cards]
    for piece in pieces:
        for ruling in piece.rulings:
            offered = [one for one in ruling.alternatives if isinstance(one, Alternative)]
            if offered:
                yield piece.id, ruling, offered


def _no_item(card: Card) -> bool:
    """Events are no items, even while somebody keeps one; nor are omens that say so (2E-ITEM-012)."""
    return card.no_item or card.deck == "event"


class Pieces:
    """Tables of what is in the box."""

    def __init__(self, pack: Pack) -> None:
        self.source = pack
        self.head = pack.head
        self.tiles = {tile.id: tile for tile in pack.tiles}
        self.cards = {card.id: card for card in pack.cards}
        self.explorers = {explorer.id: explorer for explorer in pack.explorers}
        self.haunts = {haunt.id: haunt for haunt in pack.haunts}
        self.chart = pack.chart or NO_CHART
        self.decks = {deck: [card.id for card in pack.cards if card.deck == deck] for deck in ("event", "item", "omen")}
        self.decks["tiles"] = [tile.id for tile in pack.tiles if tile.start is None]
        self.tiles_for = {
            floor: [tile.id for tile in pack.tiles if tile.start is None and floor in tile.floors]
            for floor in ("basement", "ground", "upper")
        }
        self._order = {name: {face: number for number, face in enumerate(faces)} for name, faces in self.decks.items()}
        self.tile_backs = {tile.id: "+".join(tile.floors) for tile in pack.tiles}
        """What `back_of` answers, for those who ask about a whole stack."""
        self._items = {card.id: card for haunt in pack.haunts for card in haunt.items}
        self.titles = self._collect_titles()
        """By card: its title; cards that share one bear a letter as well."""
        self._free_to = self._freely()
        self.alternatives = self._collect_alternatives(pack)
        """Answers that a table may choose in place of rulings, and official rulings that it may choose: by piece, id and text."""
        self.unofficial = self._collect_unofficial(pack)
        """By alternative that is the text without an official ruling: its piece, and the choices there that keep it from holding."""
        self._links = self._collect_links()
        self.left_by = {card.id: _tokens_of(card) for card in pack.cards if card.lasting}
        """By event with a lasting effect: the tokens that it leaves in the house."""
        self.impeding = frozenset(card.id for card in pack.cards if card.deck == "event" and _impedes(card))
        """Events that limit or bar movement, actions or sight of whoever keeps them (2E-TPOW-001, ruling)."""

    def _collect_titles(self) -> dict[str, str]:
        found: dict[str, str] = {}
        cards = [*self.cards.values(), *self._items.values()]
        number = Counter(card.title for card in cards)
        given: Counter[str] = Counter()
        for card in cards:
            letter = f" {ascii_uppercase[given[card.title]]}" if number[card.title] > 1 else ""
            given[card.title] += 1
            found[card.id] = f"{card.title}{letter}"
        return found

    def _freely(self) -> dict[str, frozenset[str]]:
        """Cards that may be dropped, traded or stolen."""
        cards = (*self.cards.values(), *self._items.values())
        return {
            act: frozenset(card.id for card in cards if not _no_item(card) and act not in card.barred)
            for act in ("drop", "trade", "steal")
        }

    def _collect_alternatives(self, pack: Pack) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for piece, ruling, offered in _choices(pack):
            texts = found.setdefault(piece, {})
            texts.update({one.id: one.text for one in offered})
            if ruling.by == "official":
                texts[OFFICIAL] = " ".join([texts[OFFICIAL], ruling.text] if OFFICIAL in texts else [ruling.text])
        return found

    def _collect_unofficial(self, pack: Pack) -> dict[str, tuple[str, frozenset[str]]]:
        return {
            offered[0].id: (piece, frozenset((OFFICIAL, *(one.id for one in offered[1:]))))
            for piece, ruling, offered in _choices(pack)
            if ruling.by == "official"
        }

    def _collect_links(self) -> dict[str, list[tuple[str, Link]]]:
        found: dict[str, list[tuple[str, Link]]] = {}
        for tile in self.tiles.values():
            for link in tile.links:
                for end in (tile.id, link.to):
                    found.setdefault(end, []).append((tile.id, link))
        return found

    def in_order(self, deck: str, faces: Iterable[str]) -> list[str]:
        """Faces in the pack's order, which tells nothing about theirs in the stack."""
        order = self._order[deck]
        return sorted(faces, key=lambda face: order[face])

    def back_of(self, face: str) -> str:
        """A tile's back: its floors joined by `+`; cards of a deck all look alike."""
        return self.tile_backs.get(face, "")

    def links_at(self, tile: str) -> list[tuple[str, Link]]:
        """Links that this tile makes or that lead to it, with their maker."""
        return self._links.get(tile, [])

    def card(self, _state: State, card: str) -> Card:
        """A card, or an item token of a haunt."""
        return self.cards[card] if card in self.cards else self._items[card]

    def _any_card(self, card: str) -> Card:
        return self.cards[card] if card in self.cards else self._items[card]

    def deck_of(self, _state: State, card: str) -> str:
        """The deck that a card belongs to; empty for item tokens."""
        return self.cards[card].deck if card in self.cards else ""

    def is_item(self, card: str) -> bool:
        """Whether item rules apply: item cards, most omens, item tokens (2E-ITEM-004, 2E-ITEM-012, 2E-ITEM-017)."""
        return not _no_item(self._any_card(card))

    def is_item_card(self, card: str) -> bool:
        """Whether it is a card of the item deck."""
        return card in self.cards and self.cards[card].deck == "item"

    def is_weapon(self, card: str) -> bool:
        """Whether it is a weapon (2E-ITEM-018)."""
        return "weapon" in self._any_card(card).kinds

    def is_companion(self, card: str) -> bool:
        """Whether it is a companion (2E-ITEM-022)."""
        return "companion" in self._any_card(card).kinds

    def can(self, card: str, act: str) -> bool:
        """Whether a card may be the object of `drop`, `trade` or `steal` (2E-ITEM-011, 2E-STEAL-002)."""
        return card in self._free_to[act]

    def card_block(self, card: str) -> str:
        """The block of what a card does when drawn."""
        return f"card/{card}#do"

    def monster(self, state: State, kind: str) -> Monster:
        """A kind of monster of the haunt in play."""
        assert state.haunt is not None  # noqa: S101 -- monsters exist in a haunt only
        return self.haunts[state.haunt.id].monsters[kind]
