"""Reference cards: which rules remind of what a turn offers, of the traitor's powers and of how monsters act."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from content.ledger import PREFIXES, ledger, rule_ids
from domain.editions.edition import Edition
from projections.shapes import Id, Number, Shape, Text, Title

RuleId = Annotated[str, Meta(max_length=20)]
Card = Annotated[str, Meta(extra_json_schema={"enum": ["player", "traitor", "monster"]})]


class ReminderLine(Shape, frozen=True, kw_only=True):
    """A rule of which a card reminds."""

    rule: RuleId
    title: Title
    text: Text


class ReminderCard(Shape, frozen=True, kw_only=True):
    """A reference card."""

    card: Card
    rules: list[ReminderLine]


class Reminders(Shape, frozen=True, kw_only=True):
    """The reference cards that lie where everybody sees them."""

    game: Id
    version: Number
    cards: list[ReminderCard]
    """Of `player` everybody has one. Empty where the edition has no such cards."""


def shared_cards(edition: Edition) -> dict[str, list[str]]:
    """By card: the ids of its rules; none where the cards are not for everybody."""
    if not edition.reminders.shared:
        return {}
    return {card: rules_in(edition, areas) for card, areas in edition.reminders.cards().items()}


def powers_and_monsters(edition: Edition) -> list[str]:
    """Ids of what the ledger says of the traitor's powers and of monsters, edition by edition."""
    found = rules_in(edition, (*edition.reminders.traitor, *edition.reminders.monster))
    return sorted(name for name in found if name not in edition.restated)


def rules_in(edition: Edition, areas: tuple[str, ...]) -> list[str]:
    """The ids of the rules of these areas, in their order."""
    return list(_rules_in(edition.rules_of(), areas))


@lru_cache(maxsize=64)
def _rules_in(editions: tuple[str, ...], areas: tuple[str, ...]) -> tuple[str, ...]:
    prefixes = [prefix for prefix, edition in PREFIXES.items() if edition in editions]
    wanted = [f"{prefix}-{area}-" for area in areas for prefix in prefixes]
    return tuple(name for start in wanted for name in sorted(rule_ids()) if name.startswith(start))


def reminders_of(edition: Edition, game: str, version: int) -> Reminders:
    """The cards with the words of their rules."""
    known = ledger()
    cards = [
        ReminderCard(
            card=card,
            rules=[ReminderLine(rule=name, title=known[name].title, text=known[name].text) for name in named],
        )
        for card, named in shared_cards(edition).items()
    ]
    return Reminders(game=game, version=version, cards=cards)
