"""What happens in one game, and beside its log, read once for everybody who follows it in this process.

The feed asks the store how far the game has come and whose tokens still hold, reads what is new once for each role, and tells the readers.
A commit that this process has made, and that comes alone, need not be read: the feed asks only whether nothing else has changed.
A reader that waits at the end of the log takes the news at once; any other is woken and goes on by its own cursor. Only a few commits are kept
for each role that somebody follows (`channel`), so a slow reader costs nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from itertools import chain

import msgspec

from domain.facts.audience import Mask
from service.games.follow.channel import Channel, open_channel
from service.games.follow.presence import Presence, Present
from service.games.follow.streams import (
    End,
    Item,
    News,
    Notice,
    Quiet,
    Reason,
    Stream,
    Streams,
    Take,
)
from service.games.horizon import Horizon, Page, lags
from service.games.tables import LiveGame, Tables
from service.games.talk import Place, read_messages
from service.identity import Caller, Gate
from service.log.chain import FIRST
from service.log.commits import hash_of
from service.log.facts import OVER
from service.store.port import Head, NoSuchGame, StoreError

BATCH = 100
"""Commits read at once."""
AT_ONCE = 64
"""Streams that are told before everybody else has a turn."""

_encode = msgspec.json.Encoder().encode

log = logging.getLogger(__name__)


class SetBack(Exception):
    """The log is not the one that was told any more: somebody put an older one in its place."""


class Feed:
    """Looks at one game for as long as somebody follows it."""

    def __init__(
        self, game: str, tables: Tables, horizon: Horizon, gate: Gate, presence: Presence, heartbeat: float
    ) -> None:
        """Nobody follows yet; `heartbeat` is the seconds after which it looks although it heard nothing."""
        self.game = game
        self.present: Notice | None = None
        """Who is there."""
        self.failure: Exception | None = None
        """Why nothing more will come."""
        self.final: int | None = None
        """The last commit, if no more can follow."""
        self._tables = tables
        self._slot = tables.table(game)
        self._horizon = horizon
        self._gate = gate
        self._presence = presence
        self._shown_present: Present | None = None
        self._next_present = 0.0
        """When the streams may be told again who is there."""
        self._heartbeat = heartbeat
        self._last = (0, FIRST)
        """The latest commit that was looked at, and its hash."""
        self._next: tuple[int, int, int] | None = None
        """The game in memory, version and revision that mean that nothing but one more commit has come; None: look at everything."""
        self._bell = asyncio.Event()
        self._channels: dict[Mask, Channel] = {}
        self._streams: dict[Mask, set[Followed]] = {}
        """By role, as the channels are."""
        self._shown: dict[tuple[bytes, Caller], set[Followed]] = {}
        """Streams by the token that was shown, and whom it stood for."""
        self._task: asyncio.Task[None] | None = None

    def join(self, stream: Followed, channel: Channel) -> Channel:
        """Tell a stream from now on; what comes before the next look it reads for itself. `channel` is taken if the role has none."""
        channel = self._channels.setdefault(stream.eyes.principal, channel)
        self._streams.setdefault(stream.eyes.principal, set()).add(stream)
        self._shown.setdefault((stream.shown, stream.caller), set()).add(stream)
        if self._task is None:
            self._slot.waiting.add(self._bell)
            self._task = asyncio.create_task(self._run())
        self._next = None
        self._bell.set()
        return channel

    def leave(self, stream: Followed) -> bool:
        """Tell a stream no longer; whether nobody is left."""
        streams = self._streams[stream.eyes.principal]
        streams.discard(stream)
        if not streams:
            del self._streams[stream.eyes.principal], self._channels[stream.eyes.principal]
        known = self._shown[stream.shown, stream.caller]
        known.discard(stream)
        if not known:
            del self._shown[stream.shown, stream.caller]
        if self._channels or self._task is None:
            return not self._channels
        self._slot.waiting.discard(self._bell)
        self._task.cancel()
        return True

    async def _run(self) -> None:
        try:
            while True:
                self._bell.clear()
                due = asyncio.get_running_loop().call_later(await self._look(), self._bell.set)
                await self._tell()
                await self._bell.wait()
                due.cancel()
        except Exception as error:
            if not isinstance(error, StoreError | NoSuchGame | SetBack):  # of these each stream tells
                log.exception("game %s: its streams end", self.game)
            self.failure = error
            await self._tell()

    async def _look(self) -> float:
        """Find out what is new; seconds until it is to be looked again although nothing is heard."""
        dues = [self._look_round()]
        if not await self._one_more():
            before = await self._ask()
            live = await self._tables.live(self.game)
            revision = live.revision
            await self._check(live)
            dues += [self._gate.left(caller) for _, caller in self._shown]
            dues += [await channel.look(live, self._horizon) for channel in list(self._channels.values())]
            dues.append(await self._listen(live))
            self.final = live.version if live.facts.status in OVER else None
            # Asked again: what was read may have come after a token ended.
            after = await self._ask(before)
            for channel in self._channels.values():
                channel.publish()
            calm = after == Head(self._last[0], revision) and not self._bell.is_set() and self.final is None
            if calm and not lags(live.facts) and all(due is None for due in dues):
                self._next = (live.serial, self._last[0] + 1, revision)
        return min([self._heartbeat, *(max(due, 0) + 0.001 for due in dues if due is not None)])

    async def _one_more(self) -> bool:
        """Take in a commit that was made here, if nothing else has happened since everything was looked at: then there is nothing to read."""
        expected, self._next = self._next, None
        live = self._slot.live
        if live is None or expected != (live.serial, live.version, live.revision):
            return False
        event = self._horizon.latest(live)
        if event is None or any(channel.version != live.version - 1 for channel in self._channels.values()):
            return False
        link, events = live.hash, {principal: event(principal) for principal in self._channels}
        # Asked after it was stored: if nothing else has changed, all tokens hold that held before.
        head = await self._tables.store.head(self.game)
        if head is None or expected[1:] != (head.version, head.revision) or self._bell.is_set():
            return False
        for principal, channel in self._channels.items():
            channel.add(events[principal])
        self._last, self._next = (head.version, link), (live.serial, head.version + 1, head.revision)
        return True

    async def _listen(self, live: LiveGame) -> float | None:
        """Read messages that were sent or erased, each once for all who hear it; seconds until somebody may hear more."""
        channels = [channel for channel in self._channels.values() if channel.note(live.talk)]
        if not channels:
            return None
        audible: set[Place] = set()
        for channel in channels:
            audible.update(await channel.audible(live, self._horizon))
        messages = await read_messages(self._tables.store, self.game, audible) if audible else {}
        notices: dict[Place, Notice] = {}
        for channel in channels:
            await channel.hear(live, self._horizon, messages, notices)
        dues = [self._horizon.old_enough_in(live, at) for channel in channels for at in channel.waiting()]
        return min((due for due in dues if due > 0), default=None)

    def _look_round(self) -> float | None:
        """Find out who is there; seconds until the streams may be told of a change."""
        known = self._presence.known.get(self.game)
        if known is not None and known is self._shown_present:
            return None
        now = asyncio.get_running_loop().time()
        if now < self._next_present:
            return self._next_present - now
        present = self._presence.of(self.game)
        if present != self._shown_present:
            self.present = Notice("presence", _encode(present))
            self._next_present = now + self._presence.pause
        self._shown_present = present
        return None

    async def _ask(self, before: Head | None = None) -> Head | None:
        """Ask the store how far the game has come, and whose tokens still hold unless that is known as of `before`."""
        head = await self._tables.store.head(self.game)
        if head is not None:
            self._tables.hear(self.game, head)
            if head == before:
                return head
        for (shown, caller), streams in list(self._shown.items()):
            if await self._gate.holding(shown, head) != caller:
                for stream in streams:
                    stream.held = False
        return head

    async def _check(self, live: LiveGame) -> None:
        """Check that the log goes on from what was told (no play changes that: a rewind is a commit too). Raises `SetBack`."""
        number, link = self._last
        if live.version < number:
            raise SetBack
        self._last = (live.version, live.hash)
        if not number or live.version == number:
            same = not number or live.hash == link
        else:
            found = live.bodies(number - 1, 1) or await self._tables.store.read(self.game, number - 1, 1)
            same = bool(found) and hash_of(found[0]) == link
        if not same:
            raise SetBack

    async def _tell(self) -> None:
        streams = list(chain.from_iterable(self._streams.values()))
        for number, stream in enumerate(streams, 1):
            stream.tell()
            if not number % AT_ONCE:
                await asyncio.sleep(0)


class Followed(Stream):
    """One stream: everything behind a cursor, then what happens."""

    def __init__(
        self,
        feeds: Feeds,
        feed: Feed,
        caller: Caller,
        shown: bytes,
        after: int,
        *,
        eyes: Caller,
        channel: Channel,
        notices: bool,
    ) -> None:
        super().__init__(feeds.streams, (caller.game, caller.token), caller.game if caller.role == "spectator" else "")
        self.caller = caller
        self.eyes = eyes
        """Whose events they are: the caller's, or those of a role as which the referee looks."""
        self.shown = shown
        self.cursor = after
        self.held = True
        """Whether the token that was shown still stands for the same caller, as of the last look."""
        self._feeds = feeds
        self._feed = feed
        self._take: Take | None = None
        self._waits = False
        self._clock = asyncio.get_running_loop().time
        self._said = self._clock()
        self._streams.enter(self)
        self._channel = feed.join(self, channel)
        self._notices = notices
        """Whether it tells of what lies beside the log."""
        self._noticed = self._channel.noticed
        self._present: Notice | None = None
        feeds.presence.come(caller)

    def close(self) -> None:
        if self._streams.leave(self):
            self._feeds.presence.go(self.caller)
            if self._feed.leave(self):
                self._feeds.forget(self._feed)

    async def holds(self) -> bool:
        self.held = await self._feeds.gate.holding(self.shown) == self.caller
        return self.held

    def tell(self) -> None:
        """The feed has looked: take what is new at once if nothing is before it, or else see to it in `items`."""
        channel, feed = self._channel, self._feed
        behind = self.cursor < channel.version
        unnoticed = self._unnoticed()
        if (behind or unnoticed) and self._waits and self._take is not None and self._ends() is None:
            for news in channel.after(self.cursor) or ():
                if not self._take(news):
                    break
                self.cursor += 1
                self._said = self._clock()
            behind = self.cursor < channel.version
            if unnoticed and not behind and all(map(self._take, self._notices_left())):
                self._said = self._clock()
            unnoticed = self._unnoticed()
        if behind or unnoticed or not self.held or feed.final is not None or feed.failure is not None:
            self.news.set()

    def _unnoticed(self) -> bool:
        """Whether there are notices that were not told."""
        if not self._notices:
            return False
        return self._noticed != self._channel.noticed or self._present is not self._feed.present

    def _notices_left(self) -> Iterator[Notice]:
        """The notices that were not told; each counts as told when the next one is asked for."""
        yield from self._messages_left()
        present = self._feed.present
        if present is not None and present is not self._present:
            yield present
            self._present = present

    def _messages_left(self) -> Iterator[Notice]:
        for number, notice in self._channel.notices(self._noticed):
            yield notice
            self._noticed = number

    async def items(self, take: Take | None = None) -> AsyncGenerator[Item, None]:
        self._take = take
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
                if reason == "game-over" and self._notices:
                    for notice in self._messages_left():
                        yield notice
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
            if self._unnoticed():
                for notice in self._notices_left():
                    yield notice
                self._said = self._clock()
                continue
            # Counted from what was said last, not from what woke us: that something happened may be secret for now.
            if self._clock() >= self._said + self._streams.settings.heartbeat:
                yield Quiet(self.cursor)
                self._said = self._clock()
            else:
                await self._wait()

    def _ends(self) -> Reason | None:
        if self._streams.ended:
            return "stopping"
        if not self.held:
            return "token-ended"
        final = self._feed.final
        return "game-over" if final is not None and self.cursor >= final else None

    async def _behind(self) -> list[News]:
        """What comes after the cursor: as the feed has read it, or else from the log; nothing if the token has ended."""
        found = self._channel.after(self.cursor)
        if found is not None:
            return found
        page = await self._feeds.page(self.eyes, self.cursor)
        if not await self.holds():  # asked after reading: the page may tell of what came after the token ended
            return []
        return [News(number, event) for number, event in enumerate(page.events, self.cursor + 1)]

    async def _wait(self) -> None:
        self._waits = True
        try:
            async with asyncio.timeout_at(self._said + self._streams.settings.heartbeat):
                await self.news.wait()
        except TimeoutError:
            pass
        finally:
            self._waits = False


class Feeds:
    """The feeds of all games that somebody follows."""

    def __init__(self, tables: Tables, horizon: Horizon, gate: Gate, streams: Streams, presence: Presence) -> None:
        self.gate = gate
        self.presence = presence
        self.streams = streams
        self._tables = tables
        self._horizon = horizon
        self._feeds: dict[str, Feed] = {}

    async def nothing_left(self, caller: Caller, after: int) -> bool:
        """Whether the game is over and the caller has seen all of it. Raises `ahead-of-log`."""
        page = await self.page(caller, after, 1)
        live = await self._tables.live(caller.game)
        return not page.events and live.facts.status in OVER and after >= live.version

    async def page(self, caller: Caller, after: int, limit: int = BATCH) -> Page:
        """The caller's next events. Raises as `Horizon.page`."""
        return await self._horizon.page(await self._tables.live(caller.game), caller, after, limit)

    async def open(
        self, caller: Caller, shown: bytes, after: int, eyes: Caller | None = None, *, notices: bool = False
    ) -> Followed:
        """Open a stream behind a cursor that is not ahead of the log. It must be closed in the end. Raises `too-many-streams`.

        `shown` is the digest of the token that was shown, which may cease to hold; `eyes` are those of a role as which the caller looks. With
        `notices` it also tells what happens beside the log from now on.
        """
        eyes = eyes or caller
        live = await self._tables.live(caller.game)
        channel = await open_channel(self._tables.store, live, self._horizon, eyes)
        feed = self._feeds.get(caller.game)
        if feed is None or feed.failure is not None:
            feed = Feed(
                caller.game, self._tables, self._horizon, self.gate, self.presence, self.streams.settings.heartbeat
            )
            self._feeds[caller.game] = feed
        return Followed(self, feed, caller, shown, after, eyes=eyes, channel=channel, notices=notices)

    def forget(self, feed: Feed) -> None:
        if self._feeds.get(feed.game) is feed:
            del self._feeds[feed.game]
