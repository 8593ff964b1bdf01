"""Moments: which triggers can ever happen to what, what can answer a roll, and limits that say something."""

from collections.abc import Iterator
from typing import Any

from content.check.pieces.cards import CARD_MOMENTS
from content.errors import Finding, listed
from content.survey import Spot, Survey
from content.vocabulary.base import Word
from content.vocabulary.effects import Effect
from content.vocabulary.pack import Action, Card, Haunt, Tile, TokenKind, Trigger
from content.vocabulary.values import Condition

ROOM = frozenset({"entered", "left", "turn-started", "turn-ended"})

HAPPENS: dict[type[Word], frozenset[str]] = {
    Tile: ROOM | {"discovered"},
    TokenKind: frozenset({"entered", "turn-ended"}),
    Card: frozenset(
        {"entered", "turn-started", "turn-ended", "gained", "lost", "stolen", "trait-raised", "damaged", "dying"}
    ),
    Haunt: frozenset(
        {
            "discovered",
            "turn-started",
            "turn-ended",
            "died",
            "monster-stunned",
            "monsters-ended",
            "round-started",
            "haunt-started",
        }
    ),
}
"""What the engine tells each kind of source."""

OF_NOBODY = frozenset({"round-started", "haunt-started", "monsters-ended"})
"""Moments outside of anybody's own turn."""

HAUNT_VERBS = ("win", "reveal", "tell", "count", "place_monster", "give")
"""Verbs that only a haunt can say."""


def known_moments(survey: Survey) -> Iterator[Finding]:
    """A trigger has a moment that comes to its source: nothing is stolen from a tile, no card is discovered."""
    for spot in survey.of(Trigger):
        source = spot.inside(*HAPPENS)
        if source is None:
            continue
        happens = HAPPENS[type(source.value)]
        when = spot.value.when
        if when == "entered" and isinstance(source.value, Card) and spot.value.reach != "room":
            yield Finding(spot.at("when"), "nobody enters a card", "for the room where it lies: `reach: room`")
        if when not in happens and not (when in CARD_MOMENTS and spot.inside(Card) is None):
            what = type(source.value).__name__
            yield Finding(
                spot.at("when"), f"`{when}` never happens to a {what}", f"to it happen {listed(sorted(happens))}"
            )


def answers(survey: Survey) -> Iterator[Finding]:
    """Only a card in hand answers a roll or damage."""
    for spot in survey.of(Action):
        when = spot.value.when
        if when.startswith(("before-roll", "instead-of-roll", "after-", "before-harm")) and spot.inside(Card) is None:
            yield Finding(spot.at("when"), f"only a card can do something `{when}`")


def constant(survey: Survey) -> Iterator[Finding]:
    """What is adjusted all the time answers a roll or harm by a card, as often as there is one (2E-ITEM-003)."""
    for spot in survey.of(Action):
        action = spot.value
        if not action.constant:
            continue
        if spot.inside(Card) is None or not action.when.endswith(("-roll", "-harm", "moving")):
            message = "only what answers a roll or harm or moves by a card can be `constant`"
            yield Finding(spot.at("constant"), message, key=True)
        elif action.once is not None:
            yield Finding(spot.at("once"), "what is `constant` has no limit", key=True)


def again(survey: Survey) -> Iterator[Finding]:
    """A card permits a second use, where a card is limited to one (2E-ITEM-003), or a haunt, where every action is (3E-ACT-003)."""
    for spot in survey.of(Action):
        if spot.value.again and (spot.inside(Card, Haunt) is None or spot.value.constant):
            message = "only an action of a card or haunt that is not `constant` needs `again`"
            yield Finding(spot.at("again"), message, key=True)


def limits(survey: Survey) -> Iterator[Finding]:
    """A limit by turns says something only where turns pass."""
    for spot in survey.of(Trigger):
        trigger = spot.value
        if trigger.once is not None and trigger.once.per != "game" and trigger.when in OF_NOBODY:
            message = f"`{trigger.when}` comes in nobody's turn, so it needs no such limit"
            yield Finding(spot.at("once", "per"), message, "`per: game` is the one that it can have")


def said_by_haunts(survey: Survey) -> Iterator[Finding]:
    """A card or a room wins for nobody, counts nothing and brings no monster: only a haunt does."""
    for spot in survey.of(Effect):
        if spot.inside(Haunt) is not None:
            continue
        for verb in HAUNT_VERBS:
            if getattr(spot.value, verb) is not None:
                yield Finding(spot.at(verb.replace("_", "-")), f"`{verb.replace('_', '-')}` is for haunts", key=True)


def spared_in_rooms(survey: Survey) -> Iterator[Finding]:
    """What a room or a token does can be ignored as `harmful`; a card is declined as a whole, and a haunt means what it says."""
    for spot in survey.of(Effect):
        source = spot.inside(Card, Tile, TokenKind, Haunt)
        if spot.value.harmful and source is not None and isinstance(source.value, Card | Haunt):
            yield Finding(spot.at("harmful"), "only the text of a room or token can be `harmful`", key=True)


def leaving(survey: Survey) -> Iterator[Finding]:
    """Somebody leaves a room, by choice or not, only in a trigger for `left`."""
    said: list[tuple[Spot[Any], str]] = [
        *((spot, "by-choice") for spot in survey.of(Condition) if spot.value.by_choice is not None),
        *((spot, "stop") for spot in survey.of(Effect) if spot.value.stop == "leaving"),
    ]
    for spot, word in said:
        trigger = spot.inside(Trigger)
        if trigger is None or trigger.value.when != "left":
            yield Finding(spot.at(word), "nobody is leaving here", "only a trigger for `left` can say so")
