"""The record store: the small records beside the log, which are subscriptions, how far each was delivered, and refused attempts.

Every adapter passes the tests in `tests/contract`. It is opened after the log store of the same address, which makes sure that the address is safe.
"""

from typing import Protocol

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A record with an id, replaced as a whole."""

    id: str
    owner: str
    """A game's id, or `account:` and the id of an account."""
    body: bytes
    """All else, in the caller's encoding."""
    ready: float | None
    """Unix time from which somebody should look after it; None: never."""
    revision: int = 0
    """How often it was written before: 0 for a new one."""


class RefusalRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt that was refused."""

    game: str
    number: int
    """The commit after which it was tried."""
    seat: int
    """In whose name it was tried; -1: a referee's."""
    body: bytes
    """All else, in the caller's encoding."""


class RecordStore(Protocol):
    """Where records are kept. Every method may raise a `StoreError` of `service.store.port`."""

    async def add(self, record: Record) -> bool:
        """Keeps a new record, whose revision must be 0. False: the id is taken, and nothing has changed."""

    async def get(self, name: str) -> Record | None: ...

    async def of_owners(self, *owners: str) -> list[Record]:
        """All records of these owners, ordered by their ids."""

    async def ready(self, now: float) -> list[Record]:
        """All records that are ready at this time, those that wait longest first."""

    async def put(self, record: Record) -> bool:
        """Replaces a record that is still at the revision of this one; it is then at the next. False: it isn't, and nothing has changed."""

    async def remove(self, name: str) -> bool:
        """Removes a record. False: there was none."""

    async def add_refusal(self, refusal: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        """Keeps a refusal, and drops the oldest beyond so many of its game, and of its seat in it (1 or more). A power cut may lose it."""

    async def refusals(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """Those after the commits `first` to `last`, in the order in which they came."""

    async def erase_refusals(self, game: str, seat: int | None = None) -> int:
        """Erases all of a game, or of one seat in it. Returns how many there were."""

    async def close(self) -> None:
        """Finishes what was begun and lets go of everything. Closing twice is harmless."""
