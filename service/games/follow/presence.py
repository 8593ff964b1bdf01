"""Who follows a game live, by role: what the streams of this process say, and what other processes on the same store say of theirs.

Each process with streams keeps one small record of all games that somebody follows there, and writes it again when somebody came or went, and
three times before it lapses. It reads the records of the others once a pulse, in one task for all games. So somebody who comes or goes
elsewhere is told within two pulses, and who followed in a process that was killed is gone when its record has lapsed. Nothing of it is in the log.

Who leaves counts as there for a while: a page that is loaded again, or a new ticket, is neither a going nor a coming.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter

import msgspec

from service.games.tables import Tables
from service.identity import Caller
from service.store.port import Record, RecordStore, StoreError

log = logging.getLogger(__name__)

OWNER = "presence"
"""Whose the records are."""
HEARTBEAT = 15.0
"""The heartbeat to which the following belong, in seconds. With a shorter one they are shorter, too."""
GRACE, PULSE, LEASE, PAUSE = 5.0, 1.0, 30.0, 1.0
"""How long who has left counts as there; how often other processes are looked at; when a record lapses; and how far apart a game's
streams are told."""
OTHERS = ("referee", "co-referee", "host")


class Present(msgspec.Struct, frozen=True):
    """Who follows the game live, over server-sent events, a WebSocket or a request that waits."""

    roles: list[str]
    """`seat:0` and so on, `referee`, `co-referee`, `host`: each once, however many streams it has."""
    spectators: int
    """Spectators' tokens."""


class _Shared(msgspec.Struct, frozen=True):
    """What a process says of its games."""

    until: float
    """Unix time when it lapses."""
    games: dict[str, list[str]]


_encode = msgspec.msgpack.Encoder().encode
_shared = msgspec.msgpack.Decoder(_Shared).decode
NOBODY = Present([], 0)


class Presence:
    """Knows who is there."""

    def __init__(self, tables: Tables, records: RecordStore, name: str, heartbeat: float) -> None:
        """Nobody is there yet; `name` tells this process apart from all others."""
        unit = max(min(heartbeat / HEARTBEAT, 1.0), 0.01)
        self.pause = PAUSE * unit
        self._grace, self._pulse, self._lease = GRACE * unit, PULSE * unit, LEASE * unit
        self._tables = tables
        self._records = records
        self._record = Record(id=f"{OWNER}:{name}", owner=OWNER, body=b"", ready=None)
        self._open: dict[str, Counter[str]] = {}
        """How many streams each has, by game; 0 for who has just left."""
        self._leaving: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._elsewhere: dict[str, set[str]] = {}
        self.known: dict[str, Present] = {}
        """What `of` has answered last for a game, unless that has changed."""
        self._said: dict[str, list[str]] = {}
        """What the record says."""
        self._renew = 0.0
        self._wrote = self._silent = False
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def come(self, caller: Caller) -> None:
        """A stream is opened."""
        who, there = _who(caller), self._open.setdefault(caller.game, Counter())
        leaving = self._leaving.pop((caller.game, who), None)
        if leaving is not None:
            leaving.cancel()
        there[who] += 1
        if there[who] == 1 and leaving is None:
            self._changed(caller.game)
        if self._task is None and not self._closed:
            self._task = asyncio.create_task(self._run())

    def go(self, caller: Caller) -> None:
        """A stream is closed."""
        who, there = _who(caller), self._open[caller.game]
        there[who] -= 1
        if not there[who] and not self._closed:
            later = asyncio.get_running_loop().call_later(self._grace, self._gone, caller.game, who)
            self._leaving[caller.game, who] = later

    def _gone(self, game: str, who: str) -> None:
        del self._leaving[game, who]
        del self._open[game][who]
        if not self._open[game]:
            del self._open[game]
        self._changed(game)

    def of(self, game: str) -> Present:
        """Who is there, as of the last look at other processes; the same object until that changes."""
        found = self.known.get(game)
        if found is None:
            found = self.known[game] = _present({*self._open.get(game, ()), *self._elsewhere.get(game, ())})
        return found

    async def read(self, game: str) -> Present:
        """Who is there, also where nobody follows the game in this process."""
        await self._look_around()
        return self.of(game) if game in self._open or game in self._elsewhere else NOBODY

    def _changed(self, game: str) -> None:
        self.known.pop(game, None)
        if game in self._open:
            self._tables.table(game).announce()

    async def _run(self) -> None:
        try:
            while self._open or self._said:
                try:
                    await self._share()
                    await self._look_around()
                    self._silent = False
                except StoreError as error:
                    if not self._silent:
                        log.warning("who follows in other processes is not known now: %s", error)
                    self._silent = True
                await asyncio.sleep(self._pulse)
        finally:
            self._task = None

    async def _share(self) -> None:
        """Say who is here, if that has changed or what was said would lapse."""
        games = {game: sorted(there) for game, there in self._open.items()}
        now = time.time()
        if games == self._said and now < self._renew:
            return
        if not games:
            await self._records.remove(self._record.id)
        else:
            await self._write(_encode(_Shared(now + self._lease, games)))
        self._said, self._renew = games, now + self._lease / 3

    async def _write(self, body: bytes) -> None:
        self._wrote = True
        record = msgspec.structs.replace(self._record, body=body)
        while not await self._records.add(record):
            known = await self._records.get(record.id)
            if known is not None and await self._records.put(msgspec.structs.replace(record, revision=known.revision)):
                return

    async def _look_around(self) -> None:
        """Read what other processes say. Raises `StoreError`."""
        found: dict[str, set[str]] = {}
        now = time.time()
        for record in await self._records.of_owners(OWNER):
            if record.id == self._record.id:
                continue
            try:
                said = _shared(record.body)
            except msgspec.DecodeError:  # of another version
                continue
            if said.until < now - self._lease:
                await self._records.remove(record.id)  # of a process that was killed
            elif said.until >= now:
                for game, there in said.games.items():
                    found.setdefault(game, set()).update(there)
        before, self._elsewhere = self._elsewhere, found
        for game in {*before, *found}:
            if before.get(game) != found.get(game):
                self._changed(game)

    async def close(self) -> None:
        """Say that nobody is here any more."""
        self._closed = True
        for leaving in self._leaving.values():
            leaving.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if not self._wrote:
            return
        try:
            await self._records.remove(self._record.id)
        except StoreError as error:
            log.warning("this process is thought to have streams for a while: %s", error)


def _who(caller: Caller) -> str:
    """A role, or one of many spectators."""
    return f"spectator/{caller.token}" if caller.role == "spectator" else caller.name


def _present(there: set[str]) -> Present:
    seats = sorted(who for who in there if who.startswith("seat:"))
    spectators = sum(who.startswith("spectator/") for who in there)
    return Present([*seats, *(who for who in OTHERS if who in there)], spectators)
