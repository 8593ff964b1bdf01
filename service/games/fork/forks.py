"""Which forks there are of a game: a text beside its log for each, so that limit and list hold across processes; and their end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping

import msgspec

from projections.naming.names import counted
from service.games.play.submit import Play
from service.games.refusals import Refusals
from service.games.tables import LiveGame, Tables
from service.identity import Caller, Gate
from service.log.deadlines import due_at
from service.log.facts import is_fork, read_facts
from service.outside import Outside
from service.problems import ProblemError
from service.store.port import NoSuchGame, RecordChanges, StoreError

FORK = "fork:"
"""What the keys of a game's texts about its forks begin with."""
PAGE = 200
"""Games looked at at once by the sweep."""

log = logging.getLogger(__name__)


class ForkShown(msgspec.Struct, frozen=True, kw_only=True):
    """A fork, as listed to its maker and to the referee."""

    game: str
    """The sandbox, a game of its own."""
    at: int
    """The commit at which it starts."""
    by: str
    """The public name of the token that made it."""
    sampled: bool
    """Whether what was hidden from its maker is invented; if not, it is true."""
    made: str
    expires: str
    """When it is removed, in UTC."""


class ForkList(msgspec.Struct, frozen=True, kw_only=True):
    """Forks of a game, the oldest first."""

    forks: list[ForkShown]


_read = msgspec.json.Decoder(ForkShown).decode


class Forks:
    """Keeps the lists, and removes what has expired."""

    def __init__(
        self,
        tables: Tables,
        play: Play,
        gate: Gate,
        refusals: Refusals,
        outside: Outside,
        *,
        most: int,
        lifetime: int,
        sweep: float,
    ) -> None:
        """Keep lists of the forks of these games.

        A token may have `most` forks of a game at a time. Each is kept for `lifetime` seconds, and looked for every `sweep` seconds after that.
        """
        self._tables = tables
        self._play = play
        self._store = tables.store
        self._gate = gate
        self._refusals = refusals
        self._outside = outside
        self._most = most
        self._lifetime = lifetime
        self._sweep = sweep
        self._task: asyncio.Task[None] | None = None

    def expiry(self) -> str:
        return due_at(self._outside.now(), self._lifetime)

    async def check_room(self, caller: Caller) -> None:
        """Check that the caller may make another, before a world is sampled for nothing. Raises `too-many-forks`."""
        self._check_room(caller, await self._listed(caller.game))

    def _check_room(self, caller: Caller, found: Iterable[ForkShown]) -> None:
        mine = [one.expires for one in found if one.by == caller.token and not self.expired(one.expires)]
        if len(mine) >= self._most:
            detail = f"{counted(self._most, 'fork')} at a time; the first of yours expires at {min(mine)}."
            raise ProblemError("too-many-forks", detail)

    async def note(self, caller: Caller, fork: ForkShown) -> None:
        """Write down a fork that is about to be made; those that have expired make room. Raises `too-many-forks`."""

        async def change(_live: LiveGame) -> tuple[None, RecordChanges | None]:
            found = await self._listed(caller.game)
            if any(one.game == fork.game for one in found):
                return None, None
            over = {f"{FORK}{one.game}": None for one in found if self.expired(one.expires)}
            self._check_room(caller, found)
            texts: Mapping[str, str | None] = {**over, f"{FORK}{fork.game}": msgspec.json.encode(fork).decode()}
            return None, RecordChanges(texts=texts)

        await self._play.change_records(caller.game, change)

    async def of(self, caller: Caller) -> ForkList:
        """The caller's forks of its game, or for the referee all of them, as far as they are there."""
        found = []
        for one in await self._listed(caller.game):
            mine = one.by == caller.token or caller.role == "referee"
            if mine and not self.expired(one.expires) and await self._store.head(one.game) is not None:
                found.append(one)
        return ForkList(forks=sorted(found, key=lambda one: (one.made, one.game)))

    async def _listed(self, game: str) -> list[ForkShown]:
        return [_read(text) for text in (await self._store.get_texts(game, FORK)).values()]

    def expired(self, expires: str) -> bool:
        return expires <= self._outside.now()

    def start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._look())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _look(self) -> None:
        while True:
            try:
                await self.sweep()
            except StoreError as error:
                log.warning("expired forks could not be removed: %s", error)
            await asyncio.sleep(self._sweep)

    async def sweep(self) -> int:
        """Remove all forks that have expired; several processes may do so at once. Returns how many there were."""
        removed, after = 0, None
        while True:
            try:
                page = await self._store.list_games(after, PAGE)
            except NoSuchGame:  # the last of the page was removed by another process: go on at the next sweep
                return removed
            for record in page:
                fork = read_facts(record.facts).fork if is_fork(record.facts) else None
                if fork is not None and self.expired(fork.expires):
                    await self.remove(record.id, fork.of)
                    removed += 1
                else:
                    after = record.id
            if len(page) < PAGE:
                return removed

    async def remove(self, fork: str, parent: str) -> None:
        """Remove an expired fork with all that was kept of it; what is beside it first, so that a sweep finds it again if that fails."""
        await self._refusals.erase(fork)
        await self._store.remove(fork)
        try:
            await self._store.update_game(parent, RecordChanges(texts={f"{FORK}{fork}": None}))
        except NoSuchGame:
            log.warning("fork %s outlived game %s", fork, parent)
        self._tables.drop(fork)
        self._gate.forget(fork)
