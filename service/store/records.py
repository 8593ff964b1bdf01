"""What is kept beside the log: refusals, and the subscriptions of webhooks. Every adapter passes the tests in `tests/contract`."""

from typing import Protocol

import msgspec


class RefusalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that was refused."""

    game: str
    number: int
    """The commit after which it was tried."""
    seat: int
    """In whose name it was tried; -1: a referee's."""
    body: bytes
    """All else, in the caller's encoding."""


class RefusalStore(Protocol):
    """Where refusals are kept. Every method may raise a `StoreError` of `service.store.port`."""

    async def add(self, record: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        """Keeps a refusal, and lets the oldest go beyond so many of its game, and of its seat in that game (1 or more each)."""
        ...

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """Those after the commits `first` to `last`, in the order in which they came."""
        ...

    async def erase(self, game: str, seat: int | None = None) -> int:
        """Forgets all of a game, or of one seat in it. Returns how many there were."""
        ...

    async def close(self) -> None:
        """Lets go of everything. Closing twice is harmless."""
        ...


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
