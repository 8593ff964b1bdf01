"""Amounts that have to be at least 1: dice, points, spaces, cards, copies."""

from collections.abc import Iterator

from content.check.walk import Survey, written
from content.errors import Finding
from content.vocabulary.base import Word
from content.vocabulary.effects import (
    Damage,
    Draw,
    EventAttack,
    Fetch,
    HauntRoll,
    Heal,
    Look,
    PlaceMonster,
    Roll,
    RollEach,
    SetTrait,
    Steps,
    Token,
    Trap,
)
from content.vocabulary.pack import Barrier, Components, Counter, PackHead, Playtest, ReduceDamage, Standing
from content.vocabulary.values import Rooms

AT_LEAST_ONE: dict[type[Word], tuple[str, ...]] = {
    Steps: ("steps",),
    Heal: ("steps",),
    SetTrait: ("another_by",),
    Damage: ("dice", "points"),
    Roll: ("dice",),
    RollEach: ("all_at_least",),
    EventAttack: ("dice",),
    Draw: ("count",),
    Look: ("count",),
    Fetch: ("spaces",),
    HauntRoll: ("number",),
    Token: ("count",),
    PlaceMonster: ("count",),
    Trap: ("at_least", "tries"),
    Barrier: ("at_least",),
    ReduceDamage: ("points",),
    Counter: ("max",),
    Playtest: ("games",),
    Rooms: ("within",),
    Standing: ("trade_within",),
}


def at_least_one(survey: Survey) -> Iterator[Finding]:
    """An amount that is written down as a number is at least 1."""
    for kind, names in AT_LEAST_ONE.items():
        for spot in survey.of(kind):
            for name in names:
                amount = getattr(spot.value, name)
                if isinstance(amount, int) and amount < 1:
                    field = written(kind, name)
                    yield Finding(spot.at(field), f"`{field}` is {amount}: it has to be at least 1")


def inventory(survey: Survey) -> Iterator[Finding]:
    """Of what is said to lie in the box there is at least one piece."""
    for spot in survey.of(Components):
        for name, number in spot.value.tokens.items():
            if number < 1:
                yield Finding(spot.at("tokens", name), f"there are {number} tokens of this kind")


def counters_in_bounds(survey: Survey) -> Iterator[Finding]:
    """A counter starts between 0 and its highest value."""
    for spot in survey.of(Counter):
        counter = spot.value
        if counter.start < 0 or (counter.max is not None and counter.start > counter.max):
            yield Finding(spot.at("start"), f"the counter starts at {counter.start}, outside its bounds")


def player_counts(survey: Survey) -> Iterator[Finding]:
    """A pack says for how many players it is: numbers from 1 up, each once, ascending."""
    for spot in survey.of(PackHead):
        counts = spot.value.players
        if not counts or counts != sorted(set(counts)) or counts[0] < 1:
            yield Finding(spot.at("players"), "the numbers of players do not ascend from 1 or more")
