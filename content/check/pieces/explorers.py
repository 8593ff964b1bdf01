"""Explorers and the rest of the box: tracks, birthdays, the two faces of a character card; as many components as are listed."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator

from content.errors import Finding
from content.survey import Survey
from content.vocabulary.base import TRAITS
from content.vocabulary.pack import Card, Explorer, PackHead, Tile, Track

SPACES = 8
"""Spaces of a trait's track, the skull not counted."""

_MONTH_AND_DAY = re.compile(r"\d\d-\d\d", re.ASCII)

LEAP_YEAR = 2024
"""So that 29 February is a birthday."""


def tracks(survey: Survey) -> Iterator[Finding]:
    """A track has eight numbers that never fall, and starts on one of them."""
    for spot in survey.of(Track):
        values, start = spot.value.values, spot.value.start
        if len(values) != SPACES:
            yield Finding(spot.at("values"), f"a track has {SPACES} values, not {len(values)}")
        if values != sorted(values) or (values and values[0] < 1):
            yield Finding(spot.at("values"), "the values of a track do not ascend from 1 or more")
        if not 0 <= start < len(values):
            yield Finding(spot.at("start"), f"the track has no space {start}: they count from 0 to {len(values) - 1}")


def birthdays(survey: Survey) -> Iterator[Finding]:
    """A birthday is a day of the year, `MM-DD` (it decides who begins, 2E-SETUP-008)."""
    for spot in survey.of(Explorer):
        if not _is_day(spot.value.birthday):
            yield Finding(spot.at("birthday"), f"`{spot.value.birthday}` is no day of the year", "write `MM-DD`")


def other_sides(survey: Survey) -> Iterator[Finding]:
    """Two explorers that share a card name each other, and share a color with nobody else."""
    explorers = {spot.value.id: spot.value for spot in survey.of(Explorer)}
    for spot in survey.of(Explorer):
        explorer = spot.value
        other = explorers.get(explorer.other_side)
        if other is explorer:
            yield Finding(spot.at("other-side"), "nobody is on the own other side")
        elif other is not None and other.other_side != explorer.id:
            message = f"`{other.id}` has `{other.other_side}` on its other side"
            yield Finding(spot.at("other-side"), message)
        elif other is not None and other.color != explorer.color:
            yield Finding(spot.at("color"), f"the other side, `{other.id}`, is {other.color}")
        strangers = [
            name
            for name, stranger in explorers.items()
            if stranger.color == explorer.color and name not in {explorer.id, explorer.other_side}
        ]
        if strangers:
            yield Finding(spot.at("color"), f"`{strangers[0]}` has the same color and is on another card")


def enough(survey: Survey) -> Iterator[Finding]:
    """There are as many cards with explorers as the pack has players at most."""
    colors = {spot.value.color for spot in survey.of(Explorer)}
    for head in survey.of(PackHead):
        if head.value.players and head.value.players[-1] > len(colors):
            message = f"{head.value.players[-1]} players, and explorers of {len(colors)} colors"
            yield Finding(head.at("players"), message)


def counted(survey: Survey) -> Iterator[Finding]:
    """The pack has the cards and tiles that its list of components names, and clips for all who play (2E-COMP-001, 3E-COMP-005, 3E-COMP-009)."""
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


def _is_day(text: str) -> bool:
    if not _MONTH_AND_DAY.fullmatch(text):
        return False
    try:
        dt.date(LEAP_YEAR, int(text[:2]), int(text[3:]))
    except ValueError:
        return False
    return True
