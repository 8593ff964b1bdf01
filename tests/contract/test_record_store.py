"""What every store of records promises."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.settings import Settings
from service.store.open import open_records, open_store
from service.store.port import LogStore, Record, RecordStore, RefusalRecord, StoreError
from tests.support.shared_stores import empty_store

Open = Callable[[], Awaitable[RecordStore]]


def record(name: str, owner: str = "g", ready: float | None = 0.0, body: bytes = b"{}") -> Record:
    return Record(id=name, owner=owner, body=body, ready=ready)


def names(found: list[Record]) -> list[str]:
    return [one.id for one in found]


@pytest.fixture(params=["memory", "sqlite", "redis", "cluster"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return Settings(store=empty_store(request.param, request, tmp_path))


@pytest.fixture
async def games(settings: Settings) -> AsyncIterator[LogStore]:
    opened = await open_store(settings)
    yield opened
    await opened.close()


@pytest.fixture
async def store(settings: Settings, games: LogStore) -> AsyncIterator[RecordStore]:
    opened = await open_records(settings)
    yield opened
    await opened.close()


async def test_what_is_added_is_found(store: RecordStore) -> None:
    body = bytes(range(256))
    assert await store.add(record("a", body=body, ready=1.5))
    assert await store.get("a") == Record(id="a", owner="g", body=body, ready=1.5, revision=1)
    assert await store.get("b") is None


async def test_an_id_is_taken_once(store: RecordStore) -> None:
    assert await store.add(record("a", body=b"first"))
    assert not await store.add(record("a", owner="other", body=b"second"))
    found = await store.get("a")
    assert found is not None
    assert (found.owner, found.body, found.revision) == ("g", b"first", 1)


async def test_records_of_an_owner_by_their_ids(store: RecordStore) -> None:
    for name, owner in (("b", "g"), ("c", "h"), ("a", "g")):
        await store.add(record(name, owner))
    assert names(await store.of_owners("g")) == ["a", "b"]
    assert names(await store.of_owners("h", "none", "g")) == ["a", "b", "c"]
    assert await store.of_owners("none") == await store.of_owners() == []


async def test_what_is_ready_those_first_that_wait_longest(store: RecordStore) -> None:
    for name, ready in (("a", 3.0), ("b", 1.0), ("c", None), ("d", 3.5), ("e", 1.0)):
        await store.add(record(name, ready=ready))
    assert names(await store.ready(3.0)) == ["b", "e", "a"]
    assert names(await store.ready(0.5)) == []


async def test_a_record_is_replaced_at_its_revision_alone(store: RecordStore) -> None:
    await store.add(record("a"))
    found = await store.get("a")
    assert found is not None
    assert await store.put(replace(found, body=b"two", ready=None))
    assert not await store.put(replace(found, body=b"lost"))
    now = await store.get("a")
    assert now == Record(id="a", owner="g", body=b"two", ready=None, revision=2)
    assert await store.ready(9e9) == []
    assert await store.put(replace(now, ready=4.0))
    assert names(await store.ready(4.0)) == ["a"]
    assert not await store.put(record("none")), "there is none"


async def test_what_is_removed_is_gone_and_comes_not_back_by_a_late_write(store: RecordStore) -> None:
    await store.add(record("a"))
    found = await store.get("a")
    assert found is not None
    assert await store.remove("a")
    assert not await store.remove("a")
    assert not await store.put(found)
    assert (await store.get("a"), await store.of_owners("g"), await store.ready(9e9)) == (None, [], [])
    assert await store.add(record("a"))


async def test_of_many_who_write_at_once_one_wins_each_time(store: RecordStore) -> None:
    await store.add(record("a", body=b"0"))

    async def one_more() -> None:
        while True:
            found = await store.get("a")
            assert found is not None
            if await store.put(replace(found, body=b"%d" % (int(found.body) + 1))):
                return

    await asyncio.gather(*[one_more() for _ in range(20)])
    found = await store.get("a")
    assert found is not None
    assert (found.body, found.revision) == (b"20", 21)


async def test_a_closed_store_says_so(store: RecordStore) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreError):
        await store.get("a")
    with pytest.raises(StoreError):
        await store.add(record("a"))
    with pytest.raises(StoreError, match="closed"):
        await store.refusals("g", 0, 1)


@pytest.mark.parametrize("kind", ["sqlite", "redis", "cluster"])
async def test_two_who_have_it_open_see_one_another(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    settings = Settings(store=empty_store(kind, request, tmp_path))
    games = await open_store(settings)
    first, second = await open_records(settings), await open_records(settings)
    assert await first.add(record("a"))
    assert not await second.add(record("a"))
    found = await second.get("a")
    assert found is not None
    assert await second.put(found)
    assert not await first.put(found)
    for one in (first, second):
        await one.close()
    again = await open_records(settings)
    kept = await again.get("a")
    assert kept is not None
    assert kept.revision == 2
    await again.close()
    await games.close()


# -- refusals -----------------------------------------------------------------------------------------------------------


def refusal(seat: int, number: int, body: bytes = b"{}", game: str = "g") -> RefusalRecord:
    return RefusalRecord(game=game, number=number, seat=seat, body=body)


async def fill(store: RecordStore, *seats: int, per_game: int = 100, per_seat: int = 100) -> None:
    """One after the other, each after the commit of its place."""
    for number, seat in enumerate(seats, 1):
        await store.add_refusal(refusal(seat, number), per_game=per_game, per_seat=per_seat)


async def numbers(store: RecordStore, game: str = "g") -> list[int]:
    return [one.number for one in await store.refusals(game, 0, 1000)]


async def test_what_is_kept_is_found_in_its_order_with_all_its_bytes(store: RecordStore) -> None:
    kept = [refusal(2, 7, bytes(range(256))), refusal(-1, 5, b"a b c"), refusal(0, 9)]
    for one in kept:
        await store.add_refusal(one, per_game=9, per_seat=9)
    await store.add_refusal(refusal(0, 7, game="other"), per_game=9, per_seat=9)
    assert await store.refusals("g", 0, 9) == kept
    assert await store.refusals("g", 6, 8) == kept[:1]
    assert await store.refusals("g", 8, 6) == []
    assert await store.refusals("none", 0, 9) == []


async def test_the_oldest_of_a_seat_go_first_and_leave_the_others_alone(store: RecordStore) -> None:
    await fill(store, 0, 1, 0, 0, 1, 0, per_seat=2)
    assert await numbers(store) == [2, 4, 5, 6]


async def test_the_oldest_of_a_game_go_first_whosever_they_are(store: RecordStore) -> None:
    await fill(store, 0, 1, 2, 0, 1, per_game=3)
    assert await numbers(store) == [3, 4, 5]


async def test_lower_bounds_hold_from_the_next_refusal_on(store: RecordStore) -> None:
    await fill(store, 0, 0, 0, 1, 1)
    await store.add_refusal(refusal(1, 6), per_game=3, per_seat=1)
    assert await numbers(store) == [2, 3, 6]


async def test_a_seat_is_erased_or_all_of_a_game(store: RecordStore) -> None:
    await fill(store, 0, 1, -1, 0)
    await store.add_refusal(refusal(0, 1, game="other"), per_game=9, per_seat=9)
    assert await store.erase_refusals("g", 0) == 2
    assert await numbers(store) == [2, 3]
    assert await store.erase_refusals("g") == 2
    assert await store.erase_refusals("g") == 0
    assert await numbers(store, "other") == [1]
