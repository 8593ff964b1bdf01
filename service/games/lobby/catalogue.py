"""Which games their makers have listed, and how many unstarted games each address and token has opened.

A process learns about games from the store when it first needs to, and goes on from there. Who opened a game is kept beside its log as digests
until the game begins, and is shown to nobody.
"""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from itertools import islice

from service.limits import customer
from service.log.facts import ADDRESS, OPENER, TOKEN, is_fork, is_listed
from service.problems import ProblemError
from service.store.port import GameRecord, LogStore, NoSuchGame

PAGE = 500
"""Games read from the store at once."""


class Newcomers:
    """Shows every game to somebody, in the order of their opening; sandboxes are passed over."""

    def __init__(
        self, store: LogStore, take: Callable[[GameRecord], Awaitable[None]], forget: Callable[[], None]
    ) -> None:
        """Nothing was looked at yet; `take` is given each game, some of them twice.

        `forget` is called before all of them are given again, because the store was replaced by an older one.
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


LOOKED_AT = 500
"""Listed games that are looked at for one page: one that asks for a rare status may be short, and still not be the last."""


class Catalogue:
    """Knows the listed games."""

    def __init__(self, store: LogStore) -> None:
        self._store = store
        self._names: list[str] = []
        """The listed games."""
        self._places: dict[str, int] = {}
        """The place of each of them."""
        self._newcomers = Newcomers(store, self._take, self._forget)

    async def page(
        self, status: str | None, *, newest: bool, after: str | None, limit: int
    ) -> tuple[list[GameRecord], str | None]:
        """Some of the listed games behind one of them, and the one behind which the next page begins; None on the last one.

        Raises `NoSuchGame` where `after` isn't listed.
        """
        await self._newcomers.look()
        found: list[GameRecord] = []
        last, left = after, self._behind(after, newest=newest)
        for name in islice(left, LOOKED_AT):
            record = await self._store.get_game(name)
            if record is not None and status in (None, record.status):
                if len(found) == limit:
                    return found, last
                found.append(record)
            last = name
        return found, last if next(left, None) is not None else None

    def _behind(self, after: str | None, *, newest: bool) -> Iterator[str]:
        if after is not None and after not in self._places:
            raise NoSuchGame(after)
        step = -1 if newest else 1
        first = len(self._names) - 1 if newest else 0
        begin = first if after is None else self._places[after] + step
        end = -1 if newest else len(self._names)
        return map(self._names.__getitem__, range(begin, end, step))

    async def _take(self, record: GameRecord) -> None:
        if record.id not in self._places and is_listed(record.facts):
            self._places[record.id] = len(self._names)
            self._names.append(record.id)

    def _forget(self) -> None:
        self._names, self._places = [], {}


LATER = 3600
"""Seconds after which somebody with too many games may ask again: nobody knows when one will begin."""


def opener(address: str, token: bytes | None, key: str = "") -> dict[str, str]:
    """Who opens a game, as the texts that are kept beside it; `token` is the digest of what was shown, if it holds.

    `key` is the opening key: it is in no store, so without it nobody finds the addresses by trying all that there are.
    """
    found = {ADDRESS: hmac.digest(key.encode(), customer(address).encode(), "sha256").hex()}
    return found if token is None else {**found, TOKEN: token.hex()}


class Openers:
    """Counts games that have not begun, by who opened them."""

    def __init__(self, store: LogStore, *, per_address: int, per_token: int) -> None:
        self._store = store
        self._most = {ADDRESS: per_address, TOKEN: per_token}
        self._games: dict[tuple[str, str], set[str]] = {}
        """By opener: games that had not begun when they were last looked at."""
        self._opening: Counter[tuple[str, str]] = Counter()
        """Games that are being opened."""
        self._newcomers = Newcomers(store, self._take, self._games.clear)

    @asynccontextmanager
    async def place(self, who: Mapping[str, str], game: str) -> AsyncIterator[None]:
        """Take a place for a game that is about to be opened. Raises `too-many-games`."""
        limited = [(kind, name) for kind, name in who.items() if self._most[kind]]
        if limited:
            await self._newcomers.look()
        for one in limited:
            if self._full(one):
                await self._strike_out(one)
        # Nothing is awaited from here to the place: else two could take the last one.
        if any(self._full(one) for one in limited):
            detail = (
                "Too many games that you opened have not begun: start or close some, or wait until they are given up."
            )
            raise ProblemError("too-many-games", detail, headers={"Retry-After": str(LATER)}, retry_after=LATER)
        self._opening.update(limited)
        try:
            yield
            for one in limited:
                self._games.setdefault(one, set()).add(game)
        finally:
            self._opening.subtract(limited)
            self._opening += Counter()  # forgets those without any

    def _full(self, one: tuple[str, str]) -> bool:
        return len(self._games.get(one, ())) + self._opening[one] >= self._most[one[0]]

    async def _strike_out(self, one: tuple[str, str]) -> None:
        """Look at all games of an opener: which of them have begun, or were given up?"""
        for game in list(self._games.get(one, ())):
            record = await self._store.get_game(game)
            if record is None or record.status != "open":
                self._games[one].discard(game)

    async def _take(self, record: GameRecord) -> None:
        if record.status == "open":
            for one in (await self._store.get_texts(record.id, OPENER)).items():
                self._games.setdefault(one, set()).add(record.id)
