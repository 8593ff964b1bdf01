"""How many games somebody has opened that have not begun: so that no address and no token fills the store with them.

Who opened a game lies beside its log as digests, for as long as it has not begun, and is shown to nobody.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from service.games.newcomers import Newcomers
from service.limits import customer
from service.log.facts import ADDRESS, OPENER, TOKEN
from service.problems import ProblemError
from service.store.port import GameRecord, LogStore

LATER = 3600
"""Seconds after which somebody with too many games may ask again: nobody knows when one will begin."""


def opener(address: str, token: bytes | None, key: str = "") -> dict[str, str]:
    """Who opens a game, as the texts that are kept beside it.

    Args:
        address: where the request came from.
        token: the digest of what was shown, if it holds.
        key: the opening key. It is in no store, so without it nobody finds the addresses by trying all that there are.
    """
    found = {ADDRESS: hmac.digest(key.encode(), customer(address).encode(), "sha256").hex()}
    return found if token is None else {**found, TOKEN: token.hex()}


class Openers:
    """Counts games that have not begun, by who opened them."""

    def __init__(self, store: LogStore, *, per_address: int, per_token: int) -> None:
        """Let nobody have more than so many; 0 is no limit."""
        self._store = store
        self._most = {ADDRESS: per_address, TOKEN: per_token}
        self._games: dict[tuple[str, str], set[str]] = {}
        """By opener: games that had not begun when they were last looked at."""
        self._opening: Counter[tuple[str, str]] = Counter()
        """Games that are being opened."""
        self._newcomers = Newcomers(store, self._take, self._games.clear)

    @asynccontextmanager
    async def place(self, who: Mapping[str, str], game: str) -> AsyncIterator[None]:
        """Take a place for a game that is about to be opened.

        Args:
            who: its opener's texts.
            game: its id.

        Raises:
            ProblemError: `too-many-games`.
        """
        limited = [(kind, name) for kind, name in who.items() if self._most[kind]]
        if limited:
            await self._newcomers.look()
        for one in limited:
            if self._full(one):
                await self._strike_out(one)
        # Nothing is awaited from here to the place: else two could take the last one.
        if any(self._full(one) for one in limited):
            raise _too_many()
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


def _too_many() -> ProblemError:
    detail = "Too many games that you opened have not begun: start or close some, or wait until they are given up."
    return ProblemError("too-many-games", detail, headers={"Retry-After": str(LATER)}, retry_after=LATER)
