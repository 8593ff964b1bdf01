"""Tickets for streams: browsers can't send a token with `EventSource` or `WebSocket`, and a token must not stand in an address.

A ticket says whose it is and until when it holds, sealed with a key of the game. Nothing of it is stored, so every
process that serves the game can check it, and it ends with the token for which it was made.
"""

from __future__ import annotations

import base64
import hmac
import re
from datetime import datetime, timedelta

import msgspec

from service.games.tables import Tables
from service.identity import Caller, Gate
from service.outside import Outside
from service.store.port import NoSuchGame

TICKET = re.compile(r"ticket_([a-z][a-z0-9-]{0,39})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})")
"""The token's name, the second in which it ends, the seal."""


class StreamTicket(msgspec.Struct, kw_only=True):
    """A ticket: it opens streams of one game, as the role that asked for it."""

    ticket: str
    """Send it as `?ticket=` to `events` or `socket` of this game. It is good for nothing else."""
    role: str
    """`seat:1`, `spectator`, `referee` or `host`."""
    expires: str
    """ISO 8601 in UTC. A stream that is open goes on."""


class StreamTickets:
    """Makes tickets and looks at them."""

    def __init__(self, tables: Tables, gate: Gate, outside: Outside, lifetime: int) -> None:
        self._tables = tables
        self._gate = gate
        self._outside = outside
        self._lifetime = lifetime

    async def make(self, caller: Caller, shown: bytes) -> StreamTicket:
        """A ticket for the holder of a token, whose digest is `shown`."""
        end = datetime.fromisoformat(self._outside.now()) + timedelta(seconds=self._lifetime)
        second = str(int(end.timestamp()))
        seal = await self._seal(caller.game, caller.token, second, shown)
        return StreamTicket(
            ticket=f"ticket_{caller.token}.{second}.{seal}",
            role=caller.name,
            expires=end.isoformat(timespec="seconds").replace("+00:00", "Z"),
        )

    async def holder(self, game: str, ticket: str) -> bytes | None:
        """The digest of the token for which a ticket was made; None if it doesn't hold, or not for this game."""
        found = TICKET.fullmatch(ticket)
        if found is None:
            return None
        token, second, seal = found.groups()
        try:
            shown = await self._gate.digest_of(game, token)
            made = "" if shown is None else await self._seal(game, token, second, shown)
        except NoSuchGame:
            return None
        if not made or not hmac.compare_digest(made, seal):
            return None
        return shown if int(second) > datetime.fromisoformat(self._outside.now()).timestamp() else None

    async def _seal(self, game: str, token: str, second: str, shown: bytes) -> str:
        live = await self._tables.live(game)
        message = f"stream-ticket\x00{game}\x00{token}\x00{second}\x00".encode() + shown
        made = hmac.digest(live.secret.token_key, message, "sha256")
        return base64.urlsafe_b64encode(made).decode().rstrip("=")
