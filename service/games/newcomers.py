"""Looking at each game once: what a process knows of all games, it reads from the store when it first needs it, and goes on from there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from service.log.facts import is_fork
from service.store.port import GameRecord, LogStore, NoSuchGame

PAGE = 500
"""Games read from the store at once."""


class Newcomers:
    """Shows every game to somebody, in the order of their opening; sandboxes are passed over."""

    def __init__(
        self, store: LogStore, take: Callable[[GameRecord], Awaitable[None]], forget: Callable[[], None]
    ) -> None:
        """Nothing was looked at yet.

        Args:
            store: where the games are.
            take: is given each game, some of them twice.
            forget: called before all of them are given again, because the store was replaced by an older one.
        """
        self._store = store
        self._take = take
        self._forget = forget
        self._last: str | None = None
        """The last game that was looked at, sandboxes aside: they are removed, and none can be gone on behind."""
        self._turn = asyncio.Lock()

    async def look(self) -> None:
        """Show the games that were opened since the last look, by whichever process."""
        async with self._turn:
            cursor = self._last
            while True:
                try:
                    page = await self._store.list_games(cursor, PAGE)
                except NoSuchGame:
                    if cursor == self._last:
                        self._last = None
                        self._forget()
                    cursor = self._last
                    continue
                for record in page:
                    if not is_fork(record.facts):
                        await self._take(record)
                        self._last = record.id
                if len(page) < PAGE:
                    return
                cursor = page[-1].id
