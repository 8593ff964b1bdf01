"""Live streams: how many each token may hold open, what is sent in one, and how all come to an end.

Whoever follows reads the log by its own cursor and is only woken by news. So nothing is queued for a reader: a slow one reads later what it
missed, and what it may not see never comes near it. Every stream ends by saying why and from where to go on.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import logging
import re
from collections.abc import AsyncGenerator, Callable
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from projections.naming.names import counted
from service.games.tables import Tables
from service.games.talk import Message
from service.identity import Caller, Gate
from service.outside import Outside
from service.problems import ProblemError
from service.settings import Settings
from service.shared import Shared, key
from service.store.port import NoSuchGame, StoreError

log = logging.getLogger(__name__)

Reason = Literal["game-over", "token-ended", "stopping", "too-slow", "unavailable", "ahead-of-log"]
"""Why a stream ends: all was told; the token holds no longer; the service stops; the reader accepted nothing for too long;
the store failed; the log was set back, as by an older backup, and is no longer the one that was told. Behind the three in the middle it
makes sense to come again with the cursor, behind the last one only from the beginning."""


Cursor = int | str
"""The position of a stream: in a game the number of a commit; an account's is opaque."""


class News(msgspec.Struct):
    """A commit, as one role may see it; where many follow in that role, it is one object for all of them."""

    cursor: Cursor
    """The commit's number, or for an account where to go on behind it."""
    event: bytes
    """A CloudEvent, encoded."""
    frames: dict[object, bytes] = {}
    """As each protocol writes it: made once, however many are sent it."""


class MessageNews(msgspec.Struct, frozen=True, kw_only=True):
    """A message was sent, or its text was erased."""

    message: Message | None
    """As `getMessages` has it; null: more has changed than is told here, so read `getMessages`."""


class Notice(msgspec.Struct):
    """Something beside the log, as all who are told of it may see it. It has no cursor: who misses it asks for what there is."""

    kind: Literal["message", "presence"]
    body: bytes
    """An object, encoded: `MessageNews` or `Present`."""
    frames: dict[object, bytes] = {}
    """As in `News`."""


class Quiet(msgspec.Struct, frozen=True):
    """Nothing has happened for a while."""

    cursor: Cursor


class End(msgspec.Struct, frozen=True):
    """The last item of every stream."""

    cursor: Cursor
    """All up to here was sent."""
    reason: Reason


class EndData(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of a live stream."""

    reason: Reason
    cursor: Cursor
    """Where to go on, as in the event's id."""


Item = News | Notice | Quiet | End
Take = Callable[[News | Notice], bool]
"""Sends news to its reader at once, without waiting; False, and nothing was sent, where that can't be."""


class Streams:
    """All live streams of this process; how many a caller has is counted over all workers."""

    def __init__(self, settings: Settings, shared: Shared) -> None:
        self.settings = settings
        self.ended = False
        self._lock = shared.lock
        self._counts = shared.counts()
        self._streams: set[Stream] = set()
        self._none_left = asyncio.Event()

    def end(self) -> None:
        self.ended = True
        if not self._streams:
            self._none_left.set()
        for stream in self._streams:
            stream.news.set()

    async def drain(self, seconds: float) -> None:
        self.end()
        try:
            await asyncio.wait_for(self._none_left.wait(), seconds)
        except TimeoutError:
            log.info("%d streams did not end in time and are cut off", len(self._streams))

    def __len__(self) -> int:
        return len(self._streams)

    def enter(self, stream: Stream) -> None:
        """Give a stream one of its owner's places. Raises `too-many-streams`."""
        with self._lock:
            if self._counts.of(stream.holder) >= self.settings.streams_per_token:
                raise _too_many(f"One token may hold {counted(self.settings.streams_per_token, 'stream')}.")
            most = self.settings.spectator_streams_per_game
            if stream.audience and self._counts.of(stream.audience) >= most:
                raise _too_many(f"The spectators of a game may hold {counted(most, 'stream')} together.")
            self._count(stream, 1)
        self._streams.add(stream)

    def _count(self, stream: Stream, change: int) -> None:
        for name in filter(None, (stream.holder, stream.audience)):
            self._counts.add(name, change)

    def wake(self, owner: tuple[str, str]) -> None:
        for stream in self._streams:
            if stream.owner == owner:
                stream.news.set()

    def leave(self, stream: Stream) -> bool:
        """Give a stream's place back; whether it had one."""
        if stream not in self._streams:
            return False
        self._streams.discard(stream)
        self._count(stream, -1)
        if self.ended and not self._streams:
            self._none_left.set()
        return True


def _too_many(detail: str) -> ProblemError:
    return ProblemError("too-many-streams", detail, headers={"Retry-After": "5"}, retry_after=5)


class Stream:
    """Something that is followed live."""

    def __init__(self, streams: Streams, owner: tuple[str, str], audience: str = "") -> None:
        """`audience` is the game whose spectator holds it, empty for anybody else's."""
        self.owner = owner
        self.holder = key("\0".join(("holder", *owner)))
        self.audience = key(f"audience\0{audience}") if audience else b""
        self.news = asyncio.Event()
        self._streams = streams

    def close(self) -> None:
        """Give the place of the stream to another one. Doing it twice is harmless."""
        self._streams.leave(self)

    def items(self, take: Take | None = None) -> AsyncGenerator[Item, None]:
        """What is to be sent, in order; the last one is an `End`. News that `take` has sent is left out."""
        raise NotImplementedError


class Unfollowed(Stream):
    """The place of a connection that is told nothing of its game: it counts as a stream, and ends with its token or the service."""

    def __init__(self, streams: Streams, gate: Gate, caller: Caller, shown: bytes, cursor: int) -> None:
        """`shown` is the digest of the caller's token. Raises `too-many-streams`."""
        super().__init__(streams, (caller.game, caller.token), caller.game if caller.role == "spectator" else "")
        self.caller = caller
        self.shown = shown
        self.cursor = cursor
        self._gate = gate
        streams.enter(self)

    async def holds(self) -> bool:
        return await self._gate.holding(self.shown) == self.caller

    async def items(self, take: Take | None = None) -> AsyncGenerator[Item, None]:  # noqa: ARG002 -- there is no news
        try:
            while True:
                self.news.clear()
                if not await self.holds() or self._streams.ended:
                    break
                try:
                    async with asyncio.timeout(self._streams.settings.heartbeat):
                        await self.news.wait()
                except TimeoutError:
                    yield Quiet(self.cursor)
            yield End(self.cursor, "stopping" if self._streams.ended else "token-ended")
        except StoreError as error:
            log.error("game %s: a connection ends, as the store failed: %s", self.caller.game, error)  # noqa: TRY400 -- the store's message says all
            yield End(self.cursor, "unavailable")


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
