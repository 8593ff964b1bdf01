"""Following an account live: all its games at once, each woken by its own news."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator

from service.games.follow.accounts import Accounts
from service.games.follow.feed import BATCH
from service.games.follow.streams import Cursor, End, Item, News, Quiet, Stream, Streams, Take
from service.games.tables import Tables
from service.problems import ProblemError
from service.store.port import AccountRecord, StoreError

log = logging.getLogger(__name__)


class _Bell(asyncio.Event):
    """Rung by a game's news."""

    def __init__(self, game: str, stream: AccountStream) -> None:
        super().__init__()
        self._game = game
        self._stream = stream

    def set(self) -> None:
        """Tell the stream which game it was."""
        self._stream.rung.add(self._game)
        self._stream.news.set()


class AccountStream(Stream):
    """One stream over all games of an account, which goes on for ever."""

    def __init__(
        self, streams: Streams, tables: Tables, accounts: Accounts, account: AccountRecord, positions: list[int]
    ) -> None:
        """Begin behind these positions. It must be closed in the end.

        Raises:
            ProblemError: `too-many-streams`.
        """
        super().__init__(streams, ("", account.id))
        self.rung: set[str] = set()
        self._tables = tables
        self._accounts = accounts
        self._account = account
        self._positions = positions
        self._bells: dict[str, _Bell] = {}
        streams.enter(self)

    def close(self) -> None:
        if self._streams.leave(self):
            for game, bell in self._bells.items():
                self._tables.table(game).waiting.discard(bell)

    @property
    def cursor(self) -> Cursor:
        """Where it stands."""
        return self._accounts.cursor(self._account, self._positions)

    async def items(self, take: Take | None = None) -> AsyncGenerator[Item, None]:  # noqa: ARG002 -- its news are too few to be sent so
        told = self.cursor
        try:
            async for item in self._items():
                yield item
                told = item.cursor
        except StoreError as error:
            log.error("account %s: a stream ends, as the store failed: %s", self._account.id, error)  # noqa: TRY400 -- the store's message says all
            yield End(told, "unavailable")
        except ProblemError as problem:
            log.warning("account %s: a stream ends: %s", self._account.id, problem)
            yield End(told, "ahead-of-log")  # nothing else is refused behind a cursor that held

    async def _items(self) -> AsyncGenerator[Item, None]:
        streams = self._streams
        clock = asyncio.get_running_loop().time
        said = clock()
        only: set[str] | None = None
        while not streams.ended:
            if await self._hang_bells():
                only = None
            self.news.clear()
            self.rung = set()
            due = await self._accounts.due(self._account)  # first, as in a game's stream
            look = clock() + (max(due, 0) + 0.001 if due is not None else streams.settings.heartbeat)
            page = await self._accounts.page(self._account, self._positions, BATCH, only)
            for news in page.news:
                yield News(news.cursor, news.event)
                said = clock()
            self._positions = page.positions
            if page.more:
                only = None
                continue
            until = min(look, said + streams.settings.heartbeat)
            try:
                async with asyncio.timeout(max(until - clock(), 0)):
                    await self.news.wait()
                # What another process did may come without a bell: now and then all games are looked at.
                only = self.rung
            except TimeoutError:
                only = None
                if clock() >= said + streams.settings.heartbeat:
                    yield Quiet(self.cursor)
                    said = clock()
        yield End(self.cursor, "stopping")

    async def _hang_bells(self) -> bool:
        """Hear of every game; whether there are new ones."""
        before = len(self._bells)
        for place in await self._accounts.places(self._account):
            if place.game not in self._bells:
                self._bells[place.game] = bell = _Bell(place.game, self)
                self._tables.table(place.game).waiting.add(bell)
        return len(self._bells) > before
