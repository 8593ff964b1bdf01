"""Refusals and webhooks in memory: gone with the process, as the games are."""

from msgspec.structs import replace

from service.store.port import StoreUnavailable
from service.store.records import RefusalRecord, WebhookRecord


class MemoryRefusalStore:
    """`RefusalStore` in a dict."""

    def __init__(self) -> None:
        self._games: dict[str, list[RefusalRecord]] = {}
        self._closed = False

    async def add(self, record: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        self._require_open()
        kept = self._games.setdefault(record.game, [])
        kept.append(record)
        mine = [one for one in kept if one.seat == record.seat]
        for oldest in mine[:-per_seat]:
            kept.remove(oldest)
        del kept[:-per_game]

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        self._require_open()
        return [one for one in self._games.get(game, ()) if first <= one.number <= last]

    async def erase(self, game: str, seat: int | None = None) -> int:
        self._require_open()
        kept = self._games.pop(game, [])
        left = [] if seat is None else [one for one in kept if one.seat != seat]
        if left:
            self._games[game] = left
        return len(kept) - len(left)

    async def close(self) -> None:
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")


class MemoryWebhookStore:
    """`WebhookStore` in a dict."""

    def __init__(self) -> None:
        self._records: dict[str, WebhookRecord] = {}
        self._closed = False

    async def add(self, record: WebhookRecord) -> bool:
        self._require_open()
        if record.id in self._records:
            return False
        self._records[record.id] = replace(record, revision=1)
        return True

    async def get(self, name: str) -> WebhookRecord | None:
        self._require_open()
        return self._records.get(name)

    async def of_games(self, *games: str) -> list[WebhookRecord]:
        self._require_open()
        return sorted((one for one in self._records.values() if one.game in games), key=lambda one: one.id)

    async def ready(self, now: float) -> list[WebhookRecord]:
        self._require_open()
        found = [
            (one.ready, one.id, one) for one in self._records.values() if one.ready is not None and one.ready <= now
        ]
        return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])]

    async def put(self, record: WebhookRecord) -> bool:
        self._require_open()
        known = self._records.get(record.id)
        if known is None or known.revision != record.revision:
            return False
        self._records[record.id] = replace(record, revision=record.revision + 1)
        return True

    async def remove(self, name: str) -> bool:
        self._require_open()
        return self._records.pop(name, None) is not None

    async def close(self) -> None:
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")
