"""The store of refusals in memory: gone with the process, as the games are."""

from service.ports.log import StoreUnavailable
from service.ports.refusals import RefusalRecord


class MemoryRefusalStore:
    """`RefusalStore` in a dict."""

    def __init__(self) -> None:
        self._games: dict[str, list[RefusalRecord]] = {}
        self._closed = False

    async def add(self, record: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        """See `RefusalStore.add`."""
        self._require_open()
        kept = self._games.setdefault(record.game, [])
        kept.append(record)
        mine = [one for one in kept if one.seat == record.seat]
        for oldest in mine[:-per_seat]:
            kept.remove(oldest)
        del kept[:-per_game]

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """See `RefusalStore.between`."""
        self._require_open()
        return [one for one in self._games.get(game, ()) if first <= one.number <= last]

    async def erase(self, game: str, seat: int | None = None) -> int:
        """See `RefusalStore.erase`."""
        self._require_open()
        kept = self._games.pop(game, [])
        left = [] if seat is None else [one for one in kept if one.seat != seat]
        if left:
            self._games[game] = left
        return len(kept) - len(left)

    async def close(self) -> None:
        """See `RefusalStore.close`."""
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")
