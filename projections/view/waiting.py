"""What the game waits for, as everybody may know it: who is awaited for what, never the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, NamedTuple

from msgspec import UNSET, Meta, UnsetType

from domain.facts.state import UNNAMED, State
from domain.rulebook.desk.pausing import paused
from domain.rulebook.turn.options import turn_decision
from projections.naming.questions import Asking
from projections.shapes import Id, Moment, Seat, Shape, Text

SHOWN = {
    "State": ("open", "turn", "status"),
    "Decision": ("id", "seat", "kind", "about", "total", "caps", "up_to", "offer"),
}
"""The fields of a role's state that are read here; all others stay hidden, above all a decision's options."""

Kind = Annotated[
    str,
    Meta(
        extra_json_schema={
            "enum": ["turn", "reveal", "choice", "reaction", "consent", "ready", "allocation", "selection", "chance"]
        }
    ),
]
"""How a decision is answered: by turn commands, `reveal`, `choose`, `allocate`, `select` or `answer-chance`."""

About = Annotated[str, Meta(max_length=200)]
"""What a decision is about, as a key: `damage:mental`, `place:attic`, `before-harm:tile:crypt`."""


class Awaited(Shape, frozen=True, kw_only=True):
    """Something that the game waits for."""

    decision: Id
    seat: Seat | None
    """The seat that must answer; null for the moderator, who holds the dice and cards, and for a seat that is `unnamed`."""
    unnamed: bool | UnsetType = UNSET
    """Present, and true, where the hidden traitor is awaited, who runs the monsters, and whose seat you are not told (2E-HID-003)."""
    kind: Kind
    about: About
    text: Text
    """In words: `Divide 2 points of mental damage among Sanity and Knowledge`."""
    since: Moment | UnsetType = UNSET
    """The time of the commit since which it is awaited without a break. Only where `since=true` asks for it, of the latest commit
    alone, and never told to spectators who lag behind."""
    due: Moment | None = None
    """When the seat is passed over; null if no deadline runs, as for the moderator's dice, in anything shown as of an earlier commit than the
    latest, and for spectators who lag behind."""


class Times(NamedTuple):
    """What a game's log and its clocks tell of that for which it waits, by decision."""

    since: Mapping[str, str] = MappingProxyType({})
    """From when on it has been awaited."""
    due: Mapping[str, str] = MappingProxyType({})
    """When it runs out."""


TIMELESS = Times()
"""Of anything but the present."""


def awaited(asking: Asking, state: State, times: Times = TIMELESS) -> list[Awaited]:
    """Open decisions in the order in which they were opened, or the turn's own. A hidden traitor's `reveal` is not among them.

    Args:
        asking: words for the role's decisions.
        state: the role's own.
        times: of its decisions.
    """
    if paused(state):
        return []  # while play waits for a ruling, nobody is asked
    turn = turn_decision(state)
    if turn:
        text = turn_text(asking, state)
        seat, unnamed = _whose(state, state.turn.seat)
        return [
            Awaited(
                decision=turn,
                seat=seat,
                unnamed=unnamed,
                kind="turn",
                about="turn",
                text=text,
                since=times.since.get(turn, UNSET),
                due=times.due.get(turn),
            )
        ]
    return [
        Awaited(
            decision=decision.id,
            seat=seat,
            unnamed=unnamed,
            kind=decision.kind,
            about=decision.about,
            text=asking.question(decision),
            since=times.since.get(decision.id, UNSET),
            due=times.due.get(decision.id),
        )
        for decision in state.open.values()
        for seat, unnamed in [_whose(state, decision.seat)]
    ]


def who_is_awaited(one: Awaited, title: Callable[[int], str]) -> str:
    """Who is awaited, in words: a seat by its title, or a party without a seat."""
    if one.seat is not None:
        return title(one.seat)
    return "the moderator" if one.unnamed is UNSET else "the hidden traitor"


def _whose(state: State, seat: int) -> tuple[int | None, bool | UnsetType]:
    """The seat, where there is one that this state names, and whether there is one that it does not."""
    named = state.seat_of(seat)
    return (named if named >= 0 else None), (True if named == UNNAMED else UNSET)


def turn_text(asking: Asking, state: State) -> str:
    """Whose turn it is, in words."""
    player = asking.names.figure(state.turn.seat)
    return f"The monsters' turn, played by {player}" if state.turn.monsters else f"The turn of {player}"
