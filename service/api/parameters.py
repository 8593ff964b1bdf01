"""Parameters that many calls share. Litestar enforces and documents only what is said here, not `msgspec.Meta`."""

from __future__ import annotations

from typing import Annotated

from litestar.di import NamedDependency
from litestar.params import HeaderParameter, PathParameter, QueryParameter

from content.patterns import whole
from service.api.incoming import LONGEST_KEY, STRONG_KEY
from service.bootstrap import Service
from service.identity import GAME_ID, Caller
from service.webhooks.desk import Desk

GAME = GAME_ID
MOST = 999_999_999
"""The highest commit number that anybody can speak of."""

FromService = NamedDependency[Service]
FromCaller = NamedDependency[Caller]
FromDesk = NamedDependency[Desk]
Game = Annotated[str, PathParameter(pattern=GAME, description="The game's id.")]
SeatNumber = Annotated[int, PathParameter(ge=0, le=5, description="The seat, counted from 0.")]
TokenName = Annotated[
    str, PathParameter(pattern=whole(r"^[a-z][a-z0-9-]{0,39}$"), description="The token's public name.")
]
At = Annotated[
    int | None,
    QueryParameter(ge=1, le=MOST, description="As of this commit; by default the latest that the caller may see."),
]
As = Annotated[
    str | None,
    QueryParameter(
        name="as",
        pattern=whole(r"^(seat:[0-5]|spectator|referee)$"),
        description="For the referee: the role to look as.",
    ),
]
After = Annotated[int, QueryParameter(ge=0, le=MOST, description="The cursor: only commits with higher numbers.")]
Limit = Annotated[int, QueryParameter(ge=1, le=1000, description="Items on a page at the most.")]
KEY_TEXT = "Makes a retry safe: the same key and request get the first answer again, for ever. Bare or quoted."
IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", description=KEY_TEXT, schema_extra={"min_length": 1, "max_length": LONGEST_KEY}
    ),
]
StrongKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description=f"{KEY_TEXT} It protects tokens: long, and not to be guessed.",
        schema_extra={"min_length": STRONG_KEY, "max_length": LONGEST_KEY},
    ),
]
"""Bounds are documented here and enforced by `service.api.incoming`, which answers `invalid-idempotency-key`."""
IfNoneMatch = Annotated[
    str | None,
    HeaderParameter(name="If-None-Match", description="Entity tags of what the caller has: 304 if one is current."),
]
LastEventId = Annotated[
    str | None,
    HeaderParameter(name="Last-Event-ID", description="For a live stream: the cursor; it wins over `after`."),
]
AccountAfter = Annotated[
    str, QueryParameter(description="The cursor, as it was given; empty: from the beginning.", max_length=2000)
]
Ticket = Annotated[
    str | None,
    QueryParameter(
        description="A ticket in the place of a token, for clients that can't send headers (see `makeTicket`); it goes first.",
    ),
]
