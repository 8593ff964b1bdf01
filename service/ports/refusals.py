"""The store of refusals: what was tried and refused, kept for the referee outside the log, and never more than a given number.

They are in no chain and no export, and the oldest make room for new ones; with the whole store they are copied. Who may see which is for the
caller to judge. Several processes may have one store open. Every adapter passes the tests in `tests/contract`.
"""

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
    """Where refusals are kept. Every method may raise a `StoreError` of `service.ports.log`."""

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
