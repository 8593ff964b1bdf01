"""The box: as many cards, tiles and clips as its list says (2E-COMP-001, 3E-COMP-005, 3E-COMP-009)."""

from collections import Counter
from collections.abc import Iterator

from content.errors import Finding
from content.survey import Survey
from content.vocabulary.base import TRAITS
from content.vocabulary.pack import Card, PackHead, Tile


def counted(survey: Survey) -> Iterator[Finding]:
    """The pack has the cards and tiles that its list of components names, and clips for all who play."""
    cards = Counter(spot.value.deck for spot in survey.of(Card) if spot.above is None)
    tiles = sum(spot.value.start is None for spot in survey.of(Tile))
    for head in survey.of(PackHead):
        box = head.value.components
        if box is None:
            continue
        for deck, number in box.cards.items():
            if number > 0 and cards[deck] != number:
                all_told = f"{sum(cards[one] for one in box.cards)} of {sum(box.cards.values())} cards in all"
                message = f"the box has {number} {deck} cards, the pack {cards[deck]}: {all_told}"
                yield Finding(head.at("components", "cards", deck), message)
        if box.tiles is not None and box.tiles > 0 and tiles != box.tiles:
            message = f"the box has {box.tiles} tiles for the stack, the pack {tiles}"
            yield Finding(head.at("components", "tiles"), message)
        needed = max(head.value.players, default=0) * len(TRAITS)
        if box.clips is not None and 0 < box.clips < needed:
            message = f"{needed // len(TRAITS)} players need {needed} clips"
            yield Finding(head.at("components", "clips"), message)
