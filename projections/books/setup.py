"""What was done as the haunt began: the events between its beginning and its first turn, in words."""

from __future__ import annotations

from collections.abc import Iterable

from domain.engine.rules import Rules
from domain.facts.events import (
    CountersTold,
    EntryAgreed,
    EntryProposed,
    HauntBegun,
    HauntRejected,
    MonsterHid,
    MonsterShown,
    Rewound,
    SideTold,
    TextTold,
    TurnStarted,
)
from domain.facts.events.base import Event
from domain.facts.state import State
from projections.naming.questions import Asking
from projections.sentences import cards, haunt, house, monsters, traits
from projections.sentences.history import worded

SHOWN: dict[str, tuple[str, ...]] = {}
"""The fields of a role's state that are read here: none but names."""

DONE = {
    **cards.SENTENCES,
    **haunt.SENTENCES,
    **house.SENTENCES,
    **monsters.SENTENCES,
    **traits.SENTENCES,
}.keys() - {
    CountersTold,
    EntryAgreed,
    EntryProposed,
    HauntBegun,
    HauntRejected,
    MonsterHid,
    MonsterShown,
    SideTold,
    TextTold,
}
"""Events that do something on the table: no questions, no dice, and no reading."""


def setup_of(rules: Rules, state: State, commits: Iterable[tuple[int, Iterable[Event]]]) -> list[str]:
    """One sentence for each thing done while the haunt was set up, the last time if play was taken back behind its beginning.

    Args:
        rules: of the game.
        state: the role's own, for names.
        commits: each with its number and the events that the role was told.
    """
    asking = Asking(rules, state)
    done: list[tuple[int, str]] = []
    began = started = 0
    for number, events in commits:
        for event in events:
            match event:
                case HauntBegun():
                    began, started, done = number, 0, []
                case TurnStarted() if began and not started:
                    started = number
                case Rewound():
                    done = [one for one in done if one[0] <= event.to]
                    began = began if began <= event.to else 0
                    started = started if started <= event.to else 0
                case _ if began and not started and type(event) in DONE:
                    done.append((number, worded(asking, event)))
    return [words for _, words in done]
