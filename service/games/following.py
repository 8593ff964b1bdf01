"""Following a game live: whoever follows reads the log by its own cursor and is only woken by news.

So nothing is queued for a reader: a slow one reads later what it missed, and what it may not see never comes near it.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator

from service.games.gate import Gate
from service.games.reading import Reading
from service.games.tables import Tables
from service.identity import Caller
from service.problems import ProblemError
from service.settings import Settings

BATCH = 100
"""Commits read at once."""
RETRY = b"retry: 2000\n\n"
"""How long a client waits before it connects again, in milliseconds."""
HEARTBEAT = b":\n\n"


class Following:
    """Live streams."""

    def __init__(self, tables: Tables, reading: Reading, gate: Gate, settings: Settings) -> None:
        """Follow these games."""
        self._tables = tables
        self._reading = reading
        self._gate = gate
        self._settings = settings
        self._open: Counter[tuple[str, str]] = Counter()
        self._waiting: set[asyncio.Event] = set()
        self._ended = False

    def end(self) -> None:
        """Let every stream come to its end: the service stops."""
        self._ended = True
        for event in self._waiting:
            event.set()

    def __len__(self) -> int:
        """Streams that are open."""
        return self._open.total()

    async def nothing_left(self, caller: Caller, after: int) -> bool:
        """Whether the game is over and the caller has seen all of it.

        Raises:
            ProblemError: `ahead-of-log`.
        """
        page = await self._reading.page(caller, after, 1)
        live = await self._tables.live(caller.game)
        return live.facts.over() and not page.events

    async def frames(self, caller: Caller, secret: str, after: int) -> AsyncGenerator[bytes, None]:
        """The stream of server-sent events behind a cursor; it ends with the game, the token or the service.

        Args:
            caller: who follows.
            secret: the token shown, which may cease to hold.
            after: the cursor, not ahead of the log.

        Raises:
            ProblemError: `too-many-streams`, before the first frame.
        """
        mine = (caller.game, caller.token)
        if self._open[mine] >= self._settings.streams_per_token:
            raise ProblemError(
                "too-many-streams",
                f"One token may hold {self._settings.streams_per_token} streams.",
                headers={"Retry-After": "5"},
                retry_after=5,
            )
        table = self._tables.table(caller.game)
        news = asyncio.Event()
        self._open[mine] += 1
        table.waiting.add(news)
        self._waiting.add(news)
        try:
            yield RETRY
            async for frame in self._follow(caller, secret, after, news):
                yield frame
        finally:
            self._waiting.discard(news)
            table.waiting.discard(news)
            self._open[mine] -= 1
            if not self._open[mine]:
                del self._open[mine]

    async def _follow(
        self, caller: Caller, secret: str, cursor: int, news: asyncio.Event
    ) -> AsyncGenerator[bytes, None]:
        while not self._ended and await self._gate.caller(secret) == caller:
            news.clear()
            page = await self._reading.page(caller, cursor, BATCH)
            for number, event in enumerate(page.events, cursor + 1):
                yield b"id: %d\nevent: commit\ndata: %b\n\n" % (number, event)
            cursor = page.next
            if cursor < page.version:
                continue
            live = await self._tables.live(caller.game)
            if live.facts.over() and cursor >= live.version:
                return
            try:
                await asyncio.wait_for(news.wait(), self._settings.heartbeat)
            except TimeoutError:
                yield HEARTBEAT
