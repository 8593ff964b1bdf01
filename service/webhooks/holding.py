"""Holding a subscription: a lease in its record, so that one at a time sends, whoever else was told to look."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable
from typing import Self

from msgspec.structs import replace

from service.store.port import StoreError
from service.store.records import Record, RecordStore
from service.webhooks.subscription import Subscription, read, record

Clock = Callable[[], float]
"""Unix time. What is due when is the machine's business, not a game's: it stands in no log."""
Step = Callable[[Subscription], Subscription]


class LeaseLost(Exception):
    """The subscription was removed, or is somebody else's by now."""


class Hold:
    """A subscription that is held. Made by `take`; each change is written at once and renews the lease."""

    def __init__(self, store: RecordStore, it: Subscription, revision: int, seconds: float, clock: Clock) -> None:
        self.it = it
        self._store = store
        self._revision = revision
        self._seconds = seconds
        self._clock = clock

    @classmethod
    async def take(cls, store: RecordStore, name: str, seconds: float, clock: Clock) -> Self | None:
        """Take the lease, if there is something to do and nobody has it.

        Args:
            store: where the subscription is.
            name: its id.
            seconds: how long the lease lasts unless it is renewed; longer than any one request to the endpoint.
            clock: says what time it is.
        """
        found = await store.get(name)
        if found is None or found.ready is None or found.ready > clock():
            return None
        it = replace(read(found), lease=secrets.token_hex(8), leased=clock() + seconds)
        if not await store.put(record(it, found.revision)):
            return None
        return cls(store, it, found.revision + 1, seconds, clock)

    async def change(self, step: Step) -> None:
        """Do a step, to the subscription as it then is.

        Raises:
            LeaseLost: it is not held any more; nothing has changed.
        """
        while True:
            it = replace(step(self.it), leased=self._clock() + self._seconds)
            if await self._store.put(record(it, self._revision)):
                self.it, self._revision = it, self._revision + 1
                return
            await self._look_again()

    async def renew(self) -> None:
        """Make sure that the lease lasts for another request. Raises as `change` does."""
        if self.it.leased - self._clock() < self._seconds * 0.9:
            await self.change(lambda it: it)

    async def release(self) -> None:
        """Let go. If that fails, the lease runs out by itself."""
        with contextlib.suppress(LeaseLost, StoreError):
            while not await self._store.put(record(replace(self.it, lease="", leased=0.0), self._revision)):
                await self._look_again()

    async def _look_again(self) -> None:
        """Somebody has changed it meanwhile: its owner, or whoever has the lease now."""
        found = await self._store.get(self.it.id)
        now = None if found is None else read(found)
        if found is None or now is None or now.lease != self.it.lease:
            raise LeaseLost
        self.it, self._revision = now, found.revision


async def rewrite(store: RecordStore, name: str, step: Callable[[Record], Record]) -> Record | None:
    """Change a record, however often somebody else does at the same time.

    Args:
        store: where it is.
        name: its id.
        step: gives the record that takes the place of one; the very same, if nothing is to change.

    Returns:
        What it is now; None if there is none of that id.
    """
    while True:
        found = await store.get(name)
        if found is None:
            return None
        changed = step(found)
        if changed is found or await store.put(changed):
            return changed
