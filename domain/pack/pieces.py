"""The pieces of a pack by id, and what follows from each alone: titles, decks, rulings, ways between rooms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_uppercase

from content.survey import Spot, walk
from content.vocabulary.base import Word
from content.vocabulary.cards import OFFICIAL
from content.vocabulary.effects import Effect, Token
from content.vocabulary.pack import Alternative, Bar, Card, Haunt, Link, Pack, Ruling, Tile
from domain.engine.tables import counts_as_item


def decks_of(pack: Pack) -> dict[str, list[str]]:
    """Faces of each stack in the pack's order: the three decks, and `tiles`."""
    decks = {deck: [card.id for card in pack.cards if card.deck == deck] for deck in ("event", "item", "omen")}
    return {**decks, "tiles": [tile.id for tile in pack.tiles if tile.start is None]}


def titles_of(cards: Sequence[Card]) -> dict[str, str]:
    """By card: its title; cards that share one bear a letter as well."""
    found: dict[str, str] = {}
    number = Counter(card.title for card in cards)
    given: Counter[str] = Counter()
    for card in cards:
        letter = f" {ascii_uppercase[given[card.title]]}" if number[card.title] > 1 else ""
        given[card.title] += 1
        found[card.id] = f"{card.title}{letter}"
    return found


def free_to(cards: Sequence[Card]) -> dict[str, frozenset[str]]:
    """Cards that may be dropped, traded or stolen (2E-ITEM-011, 2E-STEAL-002)."""
    return {
        act: frozenset(card.id for card in cards if counts_as_item(card) and act not in card.barred)
        for act in ("drop", "trade", "steal")
    }


def tokens_left_by(card: Card) -> frozenset[str]:
    """Tokens that a card puts into the house."""
    return frozenset(spot.value.token for spot in walk(Spot((), card)) if isinstance(spot.value, Token))


def impedes(card: Card) -> bool:
    """Whether a kept event limits its keeper all the time, or time and again."""
    if any(standing.impedes for standing in card.always):
        return True
    return any(
        step.trap is not None or step.stop not in (None, "block") for trigger in card.on for step in steps_of(trigger)
    )


def steps_of(word: Word | Iterable[Word]) -> Iterator[Effect]:
    """All effects in a piece of content, those inside others too."""
    for one in [word] if isinstance(word, Word) else word:
        yield from (spot.value for spot in walk(Spot((), one)) if isinstance(spot.value, Effect))


def alternatives_of(pack: Pack) -> dict[str, dict[str, str]]:
    """By piece and id: answers that a table may choose in place of rulings, and official rulings that it may choose."""
    found: dict[str, dict[str, str]] = {}
    for piece, ruling, offered in _choices(pack):
        texts = found.setdefault(piece, {})
        texts.update({one.id: one.text for one in offered})
        if ruling.by == "official":
            texts[OFFICIAL] = " ".join([texts[OFFICIAL], ruling.text] if OFFICIAL in texts else [ruling.text])
    return found


def unofficial_of(pack: Pack) -> dict[str, tuple[str, frozenset[str]]]:
    """By alternative that is the text without an official ruling: its piece, and the choices that keep it from holding."""
    return {
        offered[0].id: (piece, frozenset((OFFICIAL, *(one.id for one in offered[1:]))))
        for piece, ruling, offered in _choices(pack)
        if ruling.by == "official"
    }


def _choices(pack: Pack) -> Iterator[tuple[str, Ruling, list[Alternative]]]:
    """Rulings that have alternatives, with their pieces."""
    pieces: list[Tile | Card] = [*pack.tiles, *pack.cards]
    for piece in pieces:
        for ruling in piece.rulings:
            offered = [one for one in ruling.alternatives if isinstance(one, Alternative)]
            if offered:
                yield piece.id, ruling, offered


def links_of(tiles: Iterable[Tile]) -> dict[str, list[tuple[str, Link]]]:
    """By tile: links that it makes or that lead to it, with their maker."""
    found: dict[str, list[tuple[str, Link]]] = {}
    for tile in tiles:
        for link in tile.links:
            for end in (tile.id, link.to):
                found.setdefault(end, []).append((tile.id, link))
    return found


def bars_of(haunts: Iterable[Haunt], cards: Iterable[Card]) -> dict[str, Mapping[str, list[Bar]]]:
    """By haunt and source: what it bars (2E-PREC-003); haunts that bar nothing are left out."""
    known = list(cards)
    return {haunt.id: _barred_by(haunt, [*known, *haunt.items]) for haunt in haunts if haunt.bars}


def _barred_by(haunt: Haunt, cards: Sequence[Card]) -> dict[str, list[Bar]]:
    found: dict[str, list[Bar]] = {}
    for bar in haunt.bars:
        kinds = [f"card:{card.id}" for card in cards if bar.kind in card.kinds]
        named = (("card", bar.card), ("tile", bar.tile), ("token", bar.token))
        for source in [*kinds, *(f"{what}:{name}" for what, name in named if name is not None)]:
            found.setdefault(source, []).append(bar)
    return found
