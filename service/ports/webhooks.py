"""The store of webhooks: one record for each subscription, changed by compare-and-set.

A record's body holds all there is of a subscription: its keys, how far delivery has come, who is at it. So whatever happens to one
(a lease taken, a message delivered, a key rotated) is one write, all or nothing, and two who meet can't overwrite each other.
To the store a body is opaque. What is acknowledged is durable, as in `service.ports.log`, whose errors these methods raise too.
Several processes may have one store open. Every adapter passes the tests in `tests/contract`.
"""

from typing import Protocol

import msgspec


class WebhookRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A subscription as it is stored."""

    id: str
    game: str
    """The game; of a subscription to all games of an account `account:` and the account's id, which is no game's."""
    body: bytes
    ready: float | None
    """Unix time from which somebody should look after it; None: it has ended."""
    revision: int = 0
    """How often it was written before: 0 for one that is new."""


class WebhookStore(Protocol):
    """Where subscriptions are kept. Every method may raise a `StoreError`."""

    async def add(self, record: WebhookRecord) -> bool:
        """Keeps a new record, whose revision must be 0. False: the id is taken, and nothing has changed."""
        ...

    async def get(self, name: str) -> WebhookRecord | None:
        """The record with this id."""
        ...

    async def of_games(self, *games: str) -> list[WebhookRecord]:
        """All records of these games, or of what else stands in their places, ordered by their ids."""
        ...

    async def ready(self, now: float) -> list[WebhookRecord]:
        """All records that are ready at this time, those that wait longest first."""
        ...

    async def put(self, record: WebhookRecord) -> bool:
        """Replaces a record that still is at the revision of this one; it is then at the next.

        False: it is not, or there is none; nothing has changed.
        """
        ...

    async def remove(self, name: str) -> bool:
        """Forgets a record. False: there was none."""
        ...

    async def close(self) -> None:
        """Lets go of everything. Closing twice is harmless."""
        ...
