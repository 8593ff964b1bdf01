"""The catalogue: which games their makers have listed, in the order of their opening. Nothing of it is stored (see `newcomers`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from service.games.newcomers import Newcomers
from service.log.facts import is_listed
from service.store.port import GameRecord, LogStore, NoSuchGame

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
        self._newcomers = Newcomers(store, self._take, self._forget)

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
