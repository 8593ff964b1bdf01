"""The catalogue: which games their makers have listed, in the order of their opening.

Nothing of it is stored. Each process looks at every game once, when somebody first asks, and from then on only at those that are new.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice

from service.games.records import is_fork, is_listed
from service.ports.log import GameRecord, LogStore, NoSuchGame

PAGE = 500
"""Games read from the store at once."""
LOOKED_AT = 500
"""Listed games that are looked at for one page: one that asks for a rare status may be short, and still not be the last."""


class Catalogue:
    """Knows the listed games."""

    def __init__(self, store: LogStore) -> None:
        self._store = store
        self._names: list[str] = []
        """The listed games."""
        self._places: dict[str, int] = {}
        """Where each of them stands."""
        self._last: str | None = None
        """The last game that was looked at, sandboxes aside: they are removed, and none can be gone on behind."""
        self._turn = asyncio.Lock()

    async def page(
        self, status: str | None, *, newest: bool, after: str | None, limit: int
    ) -> tuple[list[GameRecord], str | None]:
        """Some of the listed games.

        Args:
            status: only those in this one.
            newest: the last that was opened comes first.
            after: the game behind which the page begins.
            limit: how many at the most.

        Returns:
            The games, and the one behind which the next page begins; None on the last one.

        Raises:
            NoSuchGame: `after` isn't listed.
        """
        await self._catch_up()
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
        return (self._names[place] for place in range(begin, end, step))

    async def _catch_up(self) -> None:
        """Look at the games that were opened since the last time, by whichever process."""
        async with self._turn:
            cursor = self._last
            while True:
                try:
                    page = await self._store.list_games(cursor, PAGE)
                except NoSuchGame:
                    if cursor == self._last:  # the store was replaced by an older one; else it was a sandbox
                        self._last, self._names, self._places = None, [], {}
                    cursor = self._last
                    continue
                for record in page:
                    self._take(record)
                if len(page) < PAGE:
                    return
                cursor = page[-1].id

    def _take(self, record: GameRecord) -> None:
        if is_fork(record.facts):
            return
        self._last = record.id
        if record.id not in self._places and is_listed(record.facts):
            self._places[record.id] = len(self._names)
            self._names.append(record.id)
