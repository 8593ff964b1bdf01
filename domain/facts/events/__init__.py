"""Events: everything that can happen in a game, in the past tense, one file for each topic.

Each event says with `apply` what it changes; `domain.evolve` folds them. Nothing here decides, rolls or reads content. A new event is
a class in the file of its topic, and nothing else here.
"""

# ruff: noqa: F403 -- each topic's events are this package's
from typing import TYPE_CHECKING, Union

import msgspec

from domain.facts.events import (
    cards,
    desk,
    dice,
    haunt,
    house,
    lifecycle,
    monsters,
    rulings,
    traits,
    waiting,
)
from domain.facts.events.base import Event
from domain.facts.events.cards import *
from domain.facts.events.desk import *
from domain.facts.events.dice import *
from domain.facts.events.haunt import *
from domain.facts.events.house import *
from domain.facts.events.lifecycle import *
from domain.facts.events.monsters import *
from domain.facts.events.rulings import *
from domain.facts.events.traits import *
from domain.facts.events.waiting import *

TOPICS = (lifecycle, house, cards, dice, traits, haunt, monsters, waiting, rulings, desk)

EVENT_TYPES: tuple[type[Event], ...] = tuple(
    kind
    for topic in TOPICS
    for kind in vars(topic).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == topic.__name__
)
"""Every type of event, in the order of the contract."""

if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Union[EVENT_TYPES]  # noqa: UP007 -- a union of what was found


class Told(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event with its audience: who is told, as a mask over principals (see `domain.facts.audience`)."""

    to: int
    event: AnyEvent
