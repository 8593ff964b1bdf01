"""What every store of refusals promises."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from service.settings import Settings
from service.store.open import open_refusal_store, open_store
from service.store.port import LogStore, StoreError
from service.store.records import RefusalRecord, RefusalStore
from tests.support.shared_stores import empty_store


def record(seat: int, number: int, body: bytes = b"{}", game: str = "g") -> RefusalRecord:
    return RefusalRecord(game=game, number=number, seat=seat, body=body)


async def fill(store: RefusalStore, *seats: int, per_game: int = 100, per_seat: int = 100) -> None:
    """One after the other, each after the commit of its place."""
    for number, seat in enumerate(seats, 1):
        await store.add(record(seat, number), per_game=per_game, per_seat=per_seat)


async def numbers(store: RefusalStore, game: str = "g") -> list[int]:
    return [one.number for one in await store.between(game, 0, 1000)]


@pytest.fixture(params=["memory", "sqlite", "redis", "cluster"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(store=empty_store(request.param, request, tmp_path))


@pytest.fixture
async def games(settings: Settings) -> AsyncIterator[LogStore]:
    opened = await open_store(settings)
    yield opened
    await opened.close()


@pytest.fixture
async def store(settings: Settings, games: LogStore) -> AsyncIterator[RefusalStore]:
    opened = await open_refusal_store(settings)
    yield opened
    await opened.close()


async def test_what_is_kept_is_found_in_its_order_with_all_its_bytes(store: RefusalStore) -> None:
    kept = [record(2, 7, bytes(range(256))), record(-1, 5, b"a b c"), record(0, 9)]
    for one in kept:
        await store.add(one, per_game=9, per_seat=9)
    await store.add(record(0, 7, game="other"), per_game=9, per_seat=9)
    assert await store.between("g", 0, 9) == kept
    assert await store.between("g", 6, 8) == kept[:1]
    assert await store.between("g", 8, 6) == []
    assert await store.between("none", 0, 9) == []


async def test_the_oldest_of_a_seat_go_first_and_leave_the_others_alone(store: RefusalStore) -> None:
    await fill(store, 0, 1, 0, 0, 1, 0, per_seat=2)
    assert await numbers(store) == [2, 4, 5, 6]


async def test_the_oldest_of_a_game_go_first_whosever_they_are(store: RefusalStore) -> None:
    await fill(store, 0, 1, 2, 0, 1, per_game=3)
    assert await numbers(store) == [3, 4, 5]


async def test_lower_bounds_hold_from_the_next_refusal_on(store: RefusalStore) -> None:
    await fill(store, 0, 0, 0, 1, 1)
    await store.add(record(1, 6), per_game=3, per_seat=1)
    assert await numbers(store) == [2, 3, 6]


async def test_a_seat_is_erased_or_all_of_a_game(store: RefusalStore) -> None:
    await fill(store, 0, 1, -1, 0)
    await store.add(record(0, 1, game="other"), per_game=9, per_seat=9)
    assert await store.erase("g", 0) == 2
    assert await numbers(store) == [2, 3]
    assert await store.erase("g") == 2
    assert await store.erase("g") == 0
    assert await numbers(store, "other") == [1]


async def test_a_closed_store_says_so(store: RefusalStore) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.between("g", 0, 1)
