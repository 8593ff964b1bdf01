"""Following a game live: whoever follows reads the log by its own cursor and is only woken by news.

So nothing is queued for a reader: a slow one reads later what it missed, and what it may not see never comes near it.
Every stream ends by saying why and from where to go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Literal

import msgspec

from service.games.gate import Gate
from service.games.reading import Page, Reading
from service.games.tables import Tables
from service.identity import Caller
from service.ports.log import StoreError
from service.problems import ProblemError
from service.settings import Settings

BATCH = 100
"""Commits read at once."""

log = logging.getLogger(__name__)

Reason = Literal["game-over", "token-ended", "stopping", "too-slow", "unavailable"]
"""Why a stream ends: all was told; the token holds no longer; the service stops; the reader accepted nothing for too long;
the store failed. Behind all but the first two it makes sense to come again with the cursor."""


Cursor = int | str
"""Where a stream stands: in a game the number of a commit; an account's is opaque."""


class News(msgspec.Struct, frozen=True):
    """A commit, as the one who follows may see it."""

    cursor: Cursor
    """The commit's number, or for an account where to go on behind it."""
    event: bytes
    """A CloudEvent, encoded."""


class Quiet(msgspec.Struct, frozen=True):
    """Nothing has happened for a while."""

    cursor: Cursor


class End(msgspec.Struct, frozen=True):
    """The last item of every stream."""

    cursor: Cursor
    """All up to here was sent."""
    reason: Reason


class EndData(msgspec.Struct, frozen=True, kw_only=True):
    """What the last event of a live stream says."""

    reason: Reason
    cursor: Cursor
    """Where to go on, as in the event's id."""


Item = News | Quiet | End


class Following:
    """Live streams."""

    def __init__(self, tables: Tables, reading: Reading, gate: Gate, settings: Settings) -> None:
        """Follow these games."""
        self.tables = tables
        self.gate = gate
        self.settings = settings
        self.ended = False
        self.reading = reading
        self._open: Counter[tuple[str, str]] = Counter()
        self._streams: set[Stream] = set()
        self._none_left = asyncio.Event()

    def end(self) -> None:
        """Let every stream come to its end: the service stops."""
        self.ended = True
        if not self._streams:
            self._none_left.set()
        for stream in self._streams:
            stream.news.set()

    async def drain(self, seconds: float) -> None:
        """End all streams, and give their readers so many seconds to hear of it."""
        self.end()
        try:
            await asyncio.wait_for(self._none_left.wait(), seconds)
        except TimeoutError:
            log.info("%d streams did not end in time and are cut off", len(self._streams))

    def __len__(self) -> int:
        """Streams that are open."""
        return self._open.total()

    async def nothing_left(self, caller: Caller, after: int) -> bool:
        """Whether the game is over and the caller has seen all of it.

        Raises:
            ProblemError: `ahead-of-log`.
        """
        page = await self.page(caller, after, 1)
        return not page.events and await self.over(caller.game, after)

    async def page(self, caller: Caller, after: int, limit: int = BATCH) -> Page:
        """The caller's next events. Raises as `Reading.page`."""
        return await self.reading.page(caller, after, limit)

    async def due(self, caller: Caller) -> float | None:
        """As `Reading.due`."""
        return await self.reading.due(caller)

    async def over(self, game: str, cursor: int) -> bool:
        """Whether nothing lies behind the cursor and nothing can happen in the game any more."""
        live = await self.tables.live(game)
        return live.facts.over() and cursor >= live.version

    def open(self, caller: Caller, shown: bytes, after: int) -> Followed:
        """Open a stream, which must be closed in the end.

        Args:
            caller: who follows.
            shown: the digest of the token that was shown, which may cease to hold.
            after: the cursor, not ahead of the log.

        Raises:
            ProblemError: `too-many-streams`.
        """
        stream = Followed(self, caller, shown, after)
        self.enter(stream)
        self.tables.table(caller.game).waiting.add(stream.news)
        return stream

    def enter(self, stream: Stream) -> None:
        """Give a stream one of its owner's places.

        Raises:
            ProblemError: `too-many-streams`.
        """
        if self._open[stream.owner] >= self.settings.streams_per_token:
            raise ProblemError(
                "too-many-streams",
                f"One token may hold {self.settings.streams_per_token} streams.",
                headers={"Retry-After": "5"},
                retry_after=5,
            )
        self._open[stream.owner] += 1
        self._streams.add(stream)

    def wake(self, owner: tuple[str, str]) -> None:
        """Let all streams of an owner look again."""
        for stream in self._streams:
            if stream.owner == owner:
                stream.news.set()

    def leave(self, stream: Stream) -> bool:
        """Give a stream's place back; whether it had one."""
        if stream not in self._streams:
            return False
        self._streams.discard(stream)
        self._open[stream.owner] -= 1
        if not self._open[stream.owner]:
            del self._open[stream.owner]
        if self.ended and not self._streams:
            self._none_left.set()
        return True


class Stream:
    """Something that is followed live."""

    def __init__(self, following: Following, owner: tuple[str, str]) -> None:
        """Of an owner, who may hold only so many."""
        self.owner = owner
        self.news = asyncio.Event()
        self._following = following

    def close(self) -> None:
        """Give the place of the stream to another one. Doing it twice is harmless."""
        self._following.leave(self)

    def items(self) -> AsyncGenerator[Item, None]:
        """What is to be sent, in order; the last one is an `End`."""
        raise NotImplementedError


class Followed(Stream):
    """One stream: everything behind a cursor, then what happens."""

    def __init__(self, following: Following, caller: Caller, shown: bytes, after: int) -> None:
        """Made by `Following.open`."""
        super().__init__(following, (caller.game, caller.token))
        self.caller = caller
        self.shown = shown
        self.cursor = after

    def close(self) -> None:
        """See `Stream.close`."""
        if self._following.leave(self):
            self._following.tables.table(self.caller.game).waiting.discard(self.news)

    async def holds(self) -> bool:
        """Whether the token that was shown still stands for the same caller."""
        return await self._following.gate.holding(self.shown) == self.caller

    async def items(self) -> AsyncGenerator[Item, None]:
        """What is to be sent, in order; the last one is an `End`."""
        try:
            async for item in self._items():
                yield item
        except StoreError as error:
            log.error("game %s: a stream ends, as the store failed: %s", self.caller.game, error)  # noqa: TRY400 -- the store's message says all
            yield End(self.cursor, "unavailable")

    async def _items(self) -> AsyncGenerator[Item, None]:
        following, caller = self._following, self.caller
        clock = asyncio.get_running_loop().time
        said = clock()
        while True:
            if following.ended:
                yield End(self.cursor, "stopping")
                return
            if not await self.holds():
                yield End(self.cursor, "token-ended")
                return
            self.news.clear()
            # Asked before the page: what becomes old enough in between then stands on the page, and nobody waits for it.
            due = await following.due(caller)
            look = clock() + (due + 0.001 if due is not None else following.settings.heartbeat)
            page = await following.page(caller, self.cursor)
            for event in page.events:
                self.cursor += 1
                yield News(self.cursor, event)
                said = clock()
            if self.cursor < page.version:
                continue
            if await following.over(caller.game, self.cursor):
                yield End(self.cursor, "game-over")
                return
            # Counted from what was said last, not from what woke us: that something happened may be secret for now.
            until = min(look, said + following.settings.heartbeat)
            try:
                # Not `wait_for`, which makes a task each time.
                async with asyncio.timeout(max(until - clock(), 0)):
                    await self.news.wait()
            except TimeoutError:
                if clock() >= said + following.settings.heartbeat:
                    yield Quiet(self.cursor)
                    said = clock()
