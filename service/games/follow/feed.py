"""What happens in one game, read once for everybody who follows it in this process.

The feed asks the store how far the game has come and whose tokens still hold, reads what is new once for each role, and tells the readers.
A reader that waits at the end of the log takes the news at once; any other is woken and goes on by its own cursor. Only a few commits are kept
for each role that somebody follows, so a slow reader costs nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from domain.facts.audience import Mask
from service.games.live import LATEST, Live
from service.games.read.reading import Reading
from service.games.tables import Tables
from service.identity import Caller, Gate
from service.log.chain import FIRST
from service.log.commits import hash_of
from service.store.port import NoSuchGame, StoreError

Reason = Literal["game-over", "token-ended", "stopping", "too-slow", "unavailable", "ahead-of-log"]
"""Why a stream ends: all was told; the token holds no longer; the service stops; the reader accepted nothing for too long;
the store failed; the log was set back, as by an older backup, and is no longer the one that was told. Behind the three in the middle it
makes sense to come again with the cursor, behind the last one only from the beginning."""


Cursor = int | str
"""Where a stream stands: in a game the number of a commit; an account's is opaque."""


class News(msgspec.Struct):
    """A commit, as one role may see it; where many follow in that role, it is one object for all of them."""

    cursor: Cursor
    """The commit's number, or for an account where to go on behind it."""
    event: bytes
    """A CloudEvent, encoded."""
    _framed: dict[Callable[[News], bytes], bytes] = {}

    def framed(self, form: Callable[[News], bytes]) -> bytes:
        """Itself as `form` writes it, which is asked once, however many are sent it."""
        made = self._framed.get(form)
        if made is None:
            made = self._framed[form] = form(self)
        return made


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


Item = News | Quiet | End
Take = Callable[[News], bool]
"""Sends news to its reader at once, without waiting; False, and nothing was sent, where that can't be."""


AT_ONCE = 64
"""Streams that are told before everybody else has a turn."""

log = logging.getLogger(__name__)


class Reader(Protocol):
    """Somebody who follows, in one role, by the token that was shown."""

    caller: Caller
    eyes: Caller
    """Whose events they are: the caller's, or those of a role as which the referee looks."""
    shown: bytes
    held: bool
    """Whether the token still stands for the same caller, as of the last look."""

    def tell(self) -> None:
        """The feed has looked."""
        ...


class Channel:
    """One role's part of a game: the same bytes, whoever follows in that role."""

    def __init__(self, caller: Caller) -> None:
        self.streams: set[Reader] = set()
        self.version = 0
        """The latest commit that the role may see, as of the last look."""
        self._caller = caller
        self._recent: list[News] = []
        """The commits up to `version`, none missing, as far as they are kept; who is further behind reads for itself."""

    async def look(self, live: Live, reading: Reading) -> float | None:
        """Read what is new.

        Args:
            live: the game, as the store says now that it is.
            reading: what each role may see.

        Returns:
            Seconds until the role may see more although nothing happens; None if that can't be.

        Raises:
            StoreError: the store failed.
        """
        # Asked before the page: what becomes old enough in between then stands on the page, and nobody waits for it.
        due = await reading.due_of(live, self._caller)
        if await reading.head_of(live, self._caller) < self.version:
            return due  # who lags behind by time is shown less for a while if the machine's clock was set back
        page = await reading.page_of(live, self._caller, self.version, LATEST if self.version else 0)
        if page.next < page.version:
            self.version, self._recent = page.version, []
        else:
            news = [News(number, event) for number, event in enumerate(page.events, self.version + 1)]
            self._recent = (self._recent + news)[-LATEST:]
            self.version = page.version
        return due

    def after(self, cursor: int) -> list[News] | None:
        """All behind a cursor, or None if that is more than is kept."""
        behind = self.version - cursor
        if behind <= 0:
            return []
        return self._recent[-behind:] if behind <= len(self._recent) else None


class SetBack(Exception):
    """The log is not the one that was told any more: somebody put an older one in its place."""


class Feed:
    """Looks at one game for as long as somebody follows it."""

    def __init__(self, game: str, tables: Tables, reading: Reading, gate: Gate, heartbeat: float) -> None:
        """Nobody follows yet.

        Args:
            game: its id.
            tables: games in memory.
            reading: what each role may see.
            gate: whose tokens hold.
            heartbeat: seconds after which it looks although it heard nothing.
        """
        self.game = game
        self.failure: Exception | None = None
        """Why nothing more will come."""
        self.final: int | None = None
        """The last commit, if no more can follow."""
        self._tables = tables
        self._reading = reading
        self._gate = gate
        self._heartbeat = heartbeat
        self._last = (0, FIRST)
        """The latest commit that was looked at, and its hash."""
        self._bell = asyncio.Event()
        self._channels: dict[Mask, Channel] = {}
        self._shown: dict[tuple[bytes, Caller], set[Reader]] = {}
        """Streams by the token that was shown, and whom it stood for."""
        self._task: asyncio.Task[None] | None = None

    def join(self, stream: Reader) -> Channel:
        """Tell a stream from now on; what lies before the next look it reads for itself."""
        channel = self._channels.setdefault(stream.eyes.principal, Channel(stream.eyes))
        channel.streams.add(stream)
        self._shown.setdefault((stream.shown, stream.caller), set()).add(stream)
        if self._task is None:
            self._tables.table(self.game).waiting.add(self._bell)
            self._task = asyncio.create_task(self._run())
        self._bell.set()
        return channel

    def leave(self, stream: Reader) -> bool:
        """Tell a stream no longer; whether nobody is left."""
        channel = self._channels[stream.eyes.principal]
        channel.streams.discard(stream)
        if not channel.streams:
            del self._channels[stream.eyes.principal]
        known = self._shown[stream.shown, stream.caller]
        known.discard(stream)
        if not known:
            del self._shown[stream.shown, stream.caller]
        if self._channels or self._task is None:
            return not self._channels
        self._tables.table(self.game).waiting.discard(self._bell)
        self._task.cancel()
        return True

    async def _run(self) -> None:
        try:
            while True:
                self._bell.clear()
                due = await self._look()
                await self._tell()
                try:
                    async with asyncio.timeout(due):
                        await self._bell.wait()
                except TimeoutError:
                    pass
        except Exception as error:
            if not isinstance(error, StoreError | NoSuchGame | SetBack):  # of these each stream tells
                log.exception("game %s: its streams end", self.game)
            self.failure = error
            await self._tell()

    async def _look(self) -> float:
        """Find out what is new; seconds until it is to be looked again although nothing is heard."""
        head = await self._tables.store.head(self.game)
        if head is not None:
            self._tables.hear(self.game, head)
        for (shown, caller), streams in list(self._shown.items()):
            if await self._gate.holding(shown, head) != caller:
                for stream in streams:
                    stream.held = False
        live = await self._tables.live(self.game)
        await self._check(live)
        dues = [self._gate.left(caller) for _, caller in self._shown]
        dues += [await channel.look(live, self._reading) for channel in list(self._channels.values())]
        self.final = live.version if live.facts.over() else None
        return min([self._heartbeat, *(max(due, 0) + 0.001 for due in dues if due is not None)])

    async def _check(self, live: Live) -> None:
        """Check that the log goes on from what was told, which no play can change: a rewind is a commit like any other.

        Raises:
            SetBack: it is shorter, or another one.
        """
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
        streams = [stream for channel in self._channels.values() for stream in channel.streams]
        for number, stream in enumerate(streams, 1):
            stream.tell()
            if not number % AT_ONCE:
                await asyncio.sleep(0)
