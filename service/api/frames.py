"""What goes over a game's WebSocket: one JSON object in each text frame, told apart by `type`."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from domain.commands import AnyCommand
from service.api.incoming import LONGEST_KEY
from service.games.follow.feed import Reason
from service.games.lobby.answers import CommitEvent

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]

# -- from the client ----------------------------------------------------------------------------------------------------


class CommandFrame(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="command", forbid_unknown_fields=True
):
    """A command, as `postCommand` takes it."""

    id: Id
    """The client's own; the answer carries it."""
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_KEY)] | None = None
    """As the header `Idempotency-Key`: makes a retry safe, on this or another connection."""
    if_match: list[Annotated[int, msgspec.Meta(ge=1)]] | None = None
    """As the header `If-Match`, the numbers alone: versions of which the game must be at one."""
    command: AnyCommand


class PingFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """Asks for a `pong`."""

    id: Id


ClientFrame = CommandFrame | PingFrame

# -- from the service ---------------------------------------------------------------------------------------------------


class HelloFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first frame."""

    game: str
    role: str
    """`seat:1`, `spectator`, `referee` or `host`."""
    cursor: int
    """Events behind this commit follow."""
    heartbeat: float
    """Seconds after which a quiet connection has a `heartbeat`."""


class EventFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="event"):
    """A commit, as the role was told it."""

    cursor: int
    """Pass it as `after` to go on behind it."""
    event: CommitEvent


class AnswerFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="answer", omit_defaults=True):
    """The answer to a command: that of `postCommand`."""

    id: str | None
    """The command's; null if it couldn't be read."""
    status: int
    """As over HTTP: 201 with a commit, else a problem's."""
    replayed: bool = False
    """The command had been accepted before under the same key: this is the first answer."""
    body: object
    """A `CommitAnswer` with status 201, else a `Problem`."""


class PongFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to a `ping`."""

    id: str


class HeartbeatFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="heartbeat"):
    """Nothing has happened for a while."""

    cursor: int


class EndFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The last frame: the connection closes behind it."""

    reason: Reason | Literal["text-only"]
    cursor: int
    """All up to here was sent: pass it as `after` to go on."""


CODES: dict[str, int] = {
    "game-over": 1000,
    "stopping": 1001,
    "text-only": 1003,
    "unavailable": 1013,
    "token-ended": 4401,
    "too-slow": 4408,
    "ahead-of-log": 4409,
}
"""The close code of each reason. The library adds 1009 for a frame that is too large and 1011 for a peer that is gone."""
