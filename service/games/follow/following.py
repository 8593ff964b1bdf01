"""Following a game live: whoever follows reads the log by its own cursor and is only woken by news.

So nothing is queued for a reader: a slow one reads later what it missed, and what it may not see never comes near it.
Who waits at the end of the log is told by the game's feed (`feed.py`), which looks once for all of them.
Every stream ends by saying why and from where to go on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator

from projections.naming.names import counted
from service.games.follow.feed import End, Feed, Item, News, Quiet, Reason, SetBack, Take
from service.games.read.reading import Page, Reading
from service.games.tables import Tables
from service.identity import Caller, Gate
from service.problems import ProblemError
from service.settings import Settings
from service.store.port import StoreError

BATCH = 100
"""Commits read at once."""

log = logging.getLogger(__name__)


class Following:
    """Live streams."""

    def __init__(self, tables: Tables, reading: Reading, gate: Gate, settings: Settings) -> None:
        self.tables = tables
        self.gate = gate
        self.settings = settings
        self.ended = False
        self.reading = reading
        self._open: Counter[tuple[str, str]] = Counter()
        self._streams: set[Stream] = set()
        self._feeds: dict[str, Feed] = {}
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
        live = await self.tables.live(caller.game)
        return not page.events and live.facts.over() and after >= live.version

    async def page(self, caller: Caller, after: int, limit: int = BATCH) -> Page:
        """The caller's next events. Raises as `Reading.page`."""
        return await self.reading.page(caller, after, limit)

    def open(self, caller: Caller, shown: bytes, after: int, eyes: Caller | None = None) -> Followed:
        """Open a stream, which must be closed in the end.

        Args:
            caller: who follows.
            shown: the digest of the token that was shown, which may cease to hold.
            after: the cursor, not ahead of the log.
            eyes: as whom the caller looks, if not as itself.

        Raises:
            ProblemError: `too-many-streams`.
        """
        stream = Followed(self, caller, shown, after, eyes or caller)
        self.enter(stream)
        stream.join(self._feed(caller.game))
        return stream

    def _feed(self, game: str) -> Feed:
        feed = self._feeds.get(game)
        if feed is None or feed.failure is not None:
            feed = Feed(game, self.tables, self.reading, self.gate, self.settings.heartbeat)
            self._feeds[game] = feed
        return feed

    def forget(self, feed: Feed) -> None:
        """Nobody follows a game any more."""
        if self._feeds.get(feed.game) is feed:
            del self._feeds[feed.game]

    def enter(self, stream: Stream) -> None:
        """Give a stream one of its owner's places.

        Raises:
            ProblemError: `too-many-streams`.
        """
        if self._open[stream.owner] >= self.settings.streams_per_token:
            raise ProblemError(
                "too-many-streams",
                f"One token may hold {counted(self.settings.streams_per_token, 'stream')}.",
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
        self.owner = owner
        self.news = asyncio.Event()
        self.take: Take | None = None
        """Set by whoever can send news without waiting; else all of it goes through `items`."""
        self._following = following

    def close(self) -> None:
        """Give the place of the stream to another one. Doing it twice is harmless."""
        self._following.leave(self)

    def items(self) -> AsyncGenerator[Item, None]:
        """What is to be sent, in order; the last one is an `End`."""
        raise NotImplementedError


class Followed(Stream):
    """One stream: everything behind a cursor, then what happens."""

    def __init__(self, following: Following, caller: Caller, shown: bytes, after: int, eyes: Caller) -> None:
        super().__init__(following, (caller.game, caller.token))
        self.caller = caller
        self.eyes = eyes
        """Whose events they are: the caller's, or those of a role as which the referee looks."""
        self.shown = shown
        self.cursor = after
        self.held = True
        """Whether the token that was shown still stands for the same caller, as of the last look."""
        self._waits = False
        self._clock = asyncio.get_running_loop().time
        self._said = self._clock()

    def join(self, feed: Feed) -> None:
        """Be told of a game."""
        self._feed = feed
        self._channel = feed.join(self)

    def close(self) -> None:
        if self._following.leave(self) and self._feed.leave(self):
            self._following.forget(self._feed)

    async def holds(self) -> bool:
        """Ask whether the token that was shown still stands for the same caller."""
        self.held = await self._following.gate.holding(self.shown) == self.caller
        return self.held

    def tell(self) -> None:
        """The feed has looked: take what is new at once if nothing is before it, or else see to it in `items`."""
        channel, feed = self._channel, self._feed
        if self.cursor < channel.version and self._waits and self.take is not None and self._ends() is None:
            for news in channel.after(self.cursor) or ():
                if not self.take(news):
                    break
                self.cursor += 1
                self._said = self._clock()
        if self.cursor < channel.version or not self.held or feed.final is not None or feed.failure is not None:
            self.news.set()

    async def items(self) -> AsyncGenerator[Item, None]:
        """What is to be sent, in order; the last one is an `End`."""
        try:
            async for item in self._items():
                yield item
        except StoreError as error:
            log.error("game %s: a stream ends, as the store failed: %s", self.caller.game, error)  # noqa: TRY400 -- the store's message says all
            yield End(self.cursor, "unavailable")

    async def _items(self) -> AsyncGenerator[Item, None]:
        while True:
            self.news.clear()
            reason = self._ends()
            if reason is not None:
                yield End(self.cursor, reason)
                return
            if isinstance(self._feed.failure, SetBack):
                yield End(self.cursor, "ahead-of-log")
                return
            if self._feed.failure is not None:
                raise self._feed.failure.with_traceback(None)  # the feed has told where it was; here it would grow
            behind = await self._behind()
            for news in behind:
                self.cursor += 1
                yield news
                self._said = self._clock()
            if behind or not self.held:
                continue
            # Counted from what was said last, not from what woke us: that something happened may be secret for now.
            if self._clock() >= self._said + self._following.settings.heartbeat:
                yield Quiet(self.cursor)
                self._said = self._clock()
            else:
                await self._wait()

    def _ends(self) -> Reason | None:
        if self._following.ended:
            return "stopping"
        if not self.held:
            return "token-ended"
        final = self._feed.final
        return "game-over" if final is not None and self.cursor >= final else None

    async def _behind(self) -> list[News]:
        """What lies behind the cursor: as the feed has read it, or else from the log; nothing if the token has ended."""
        found = self._channel.after(self.cursor)
        if found is not None:
            return found
        if not await self.holds():
            return []
        page = await self._following.page(self.eyes, self.cursor)
        return [News(number, event) for number, event in enumerate(page.events, self.cursor + 1)]

    async def _wait(self) -> None:
        """Wait until something is to be said."""
        self._waits = True
        try:
            async with asyncio.timeout_at(self._said + self._following.settings.heartbeat):
                await self.news.wait()
        except TimeoutError:
            pass
        finally:
            self._waits = False
