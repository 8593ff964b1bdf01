"""Commands about a game as a whole, as the log keeps them: it is opened, started and closed, and the clock acts for absent players."""

from __future__ import annotations

import msgspec

from domain.facts.commands import AnyCommand
from domain.facts.desk_commands import AnyDeskCommand


class Life(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """Base. Everything that matters is in the command or in the events."""


class Opened(Life, frozen=True, kw_only=True, tag="open"):
    """The game was opened; the event has the rest."""

    hotseat: bool = False
    characters: list[str] = []
    """By seat: the explorer reserved for the one who claims it, or nothing."""


class Claimed(Life, frozen=True, kw_only=True, tag="claim"):
    """A seat was claimed; without an event if it had been claimed before and was given to somebody else."""

    seat: int


class Replaced(Life, frozen=True, kw_only=True, tag="replace"):
    """A seat was taken from its player and is to be claimed by somebody else."""

    seat: int


class Started(Life, frozen=True, kw_only=True, tag="start"):
    """The game was started."""

    today: str
    """MM-DD, the day on which it was opened: the explorer whose birthday comes next begins."""
    scenario: str = ""
    """The scenario that the host named; empty: the game's option did, or there is none."""


class Closed(Life, frozen=True, kw_only=True, tag="close"):
    """The game was abandoned."""

    because: str


class Expired(Life, frozen=True, kw_only=True, tag="expire"):
    """A deadline ran out, and the default action for absent players was taken."""

    decision: str
    due: str
    """When, in UTC."""
    command: AnyCommand
    """What was done: pass, end the turn, or the first answer."""


class Lapsed(Life, frozen=True, kw_only=True, tag="lapse"):
    """A dispute's deadline ran out: what happened stands."""

    dispute: int
    due: str
    """When, in UTC."""


class Forked(Life, frozen=True, kw_only=True, tag="fork"):
    """A sandbox began; the events have the states."""

    of: str
    """The game that it is a fork of."""
    at: int
    """The commit at which it starts."""


AnyLife = Opened | Claimed | Replaced | Started | Closed | Expired | Lapsed | Forked

AnyRecorded = AnyCommand | AnyDeskCommand | AnyLife
"""Any command that a log may hold."""
