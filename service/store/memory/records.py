"""Records in memory: gone with the process, as the games are."""

from msgspec.structs import replace

from service.store.port import StoreUnavailable
from service.store.records import Record, RefusalRecord


class MemoryRecordStore:
    """`RecordStore` in dicts."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._refusals: dict[str, list[RefusalRecord]] = {}
        self._closed = False

    async def add(self, record: Record) -> bool:
        self._require_open()
        if record.id in self._records:
            return False
        self._records[record.id] = replace(record, revision=1)
        return True

    async def get(self, name: str) -> Record | None:
        self._require_open()
        return self._records.get(name)

    async def of_owners(self, *owners: str) -> list[Record]:
        self._require_open()
        return sorted((one for one in self._records.values() if one.owner in owners), key=lambda one: one.id)

    async def ready(self, now: float) -> list[Record]:
        self._require_open()
        found = [
            (one.ready, one.id, one) for one in self._records.values() if one.ready is not None and one.ready <= now
        ]
        return [one for _, _, one in sorted(found, key=lambda entry: entry[:2])]

    async def put(self, record: Record) -> bool:
        self._require_open()
        known = self._records.get(record.id)
        if known is None or known.revision != record.revision:
            return False
        self._records[record.id] = replace(record, revision=record.revision + 1)
        return True

    async def remove(self, name: str) -> bool:
        self._require_open()
        return self._records.pop(name, None) is not None

    async def add_refusal(self, refusal: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        self._require_open()
        kept = self._refusals.setdefault(refusal.game, [])
        kept.append(refusal)
        mine = [one for one in kept if one.seat == refusal.seat]
        for oldest in mine[:-per_seat]:
            kept.remove(oldest)
        del kept[:-per_game]

    async def refusals(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        self._require_open()
        return [one for one in self._refusals.get(game, ()) if first <= one.number <= last]

    async def erase_refusals(self, game: str, seat: int | None = None) -> int:
        self._require_open()
        kept = self._refusals.pop(game, [])
        left = [] if seat is None else [one for one in kept if one.seat != seat]
        if left:
            self._refusals[game] = left
        return len(kept) - len(left)

    async def close(self) -> None:
        self._closed = True

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")
