"""What haunts bar of all that cards, rooms and tokens permit, gathered by source (2E-PREC-003)."""

from __future__ import annotations

from collections.abc import Iterable

from content.vocabulary.pack import Bar, Card, Haunt


def bars_of(haunts: Iterable[Haunt], cards: Iterable[Card]) -> dict[str, dict[str, list[Bar]]]:
    """By haunt and typed source (`card:axe`, `tile:vault`, `token:safe`): what is barred; haunts that bar nothing are not there."""
    known = list(cards)
    return {haunt.id: _by_source(haunt, [*known, *haunt.items]) for haunt in haunts if haunt.bars}


def _by_source(haunt: Haunt, cards: Iterable[Card]) -> dict[str, list[Bar]]:
    found: dict[str, list[Bar]] = {}
    for bar in haunt.bars:
        kinds = [f"card:{card.id}" for card in cards if bar.kind in card.kinds]
        named = (("card", bar.card), ("tile", bar.tile), ("token", bar.token))
        for source in [*kinds, *(f"{what}:{name}" for what, name in named if name is not None)]:
            found.setdefault(source, []).append(bar)
    return found
