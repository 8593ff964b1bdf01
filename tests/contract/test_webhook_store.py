"""What every store of webhooks promises."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from service.settings import Settings
from service.store.open import open_store, open_webhook_store
from service.store.port import LogStore, StoreError
from service.store.records import WebhookRecord, WebhookStore
from tests.support.shared_stores import empty_store

Open = Callable[[], Awaitable[WebhookStore]]


def record(name: str, game: str = "g", ready: float | None = 0.0, body: bytes = b"{}") -> WebhookRecord:
    return WebhookRecord(id=name, game=game, body=body, ready=ready)


def names(found: list[WebhookRecord]) -> list[str]:
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
async def store(settings: Settings, games: LogStore) -> AsyncIterator[WebhookStore]:
    opened = await open_webhook_store(settings)
    yield opened
    await opened.close()


async def test_what_is_added_is_found(store: WebhookStore) -> None:
    body = bytes(range(256))
    assert await store.add(record("a", body=body, ready=1.5))
    assert await store.get("a") == WebhookRecord(id="a", game="g", body=body, ready=1.5, revision=1)
    assert await store.get("b") is None


async def test_an_id_is_taken_once(store: WebhookStore) -> None:
    assert await store.add(record("a", body=b"first"))
    assert not await store.add(record("a", game="other", body=b"second"))
    found = await store.get("a")
    assert found is not None
    assert (found.game, found.body, found.revision) == ("g", b"first", 1)


async def test_records_of_a_game_by_their_ids(store: WebhookStore) -> None:
    for name, game in (("b", "g"), ("c", "h"), ("a", "g")):
        await store.add(record(name, game))
    assert names(await store.of_games("g")) == ["a", "b"]
    assert names(await store.of_games("h", "none", "g")) == ["a", "b", "c"]
    assert await store.of_games("none") == await store.of_games() == []


async def test_what_is_ready_those_first_that_wait_longest(store: WebhookStore) -> None:
    for name, ready in (("a", 3.0), ("b", 1.0), ("c", None), ("d", 3.5), ("e", 1.0)):
        await store.add(record(name, ready=ready))
    assert names(await store.ready(3.0)) == ["b", "e", "a"]
    assert names(await store.ready(0.5)) == []


async def test_a_record_is_replaced_at_its_revision_alone(store: WebhookStore) -> None:
    await store.add(record("a"))
    found = await store.get("a")
    assert found is not None
    assert await store.put(replace(found, body=b"two", ready=None))
    assert not await store.put(replace(found, body=b"lost"))
    now = await store.get("a")
    assert now == WebhookRecord(id="a", game="g", body=b"two", ready=None, revision=2)
    assert await store.ready(9e9) == []
    assert await store.put(replace(now, ready=4.0))
    assert names(await store.ready(4.0)) == ["a"]
    assert not await store.put(record("none")), "there is none"


async def test_what_is_removed_is_gone_and_comes_not_back_by_a_late_write(store: WebhookStore) -> None:
    await store.add(record("a"))
    found = await store.get("a")
    assert found is not None
    assert await store.remove("a")
    assert not await store.remove("a")
    assert not await store.put(found)
    assert (await store.get("a"), await store.of_games("g"), await store.ready(9e9)) == (None, [], [])
    assert await store.add(record("a"))


async def test_of_many_who_write_at_once_one_wins_each_time(store: WebhookStore) -> None:
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


async def test_a_closed_store_says_so(store: WebhookStore) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreError):
        await store.get("a")
    with pytest.raises(StoreError):
        await store.add(record("a"))


@pytest.mark.parametrize("kind", ["sqlite", "redis", "cluster"])
async def test_two_who_have_it_open_see_one_another(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    settings = Settings(store=empty_store(kind, request, tmp_path))
    games = await open_store(settings)
    first, second = await open_webhook_store(settings), await open_webhook_store(settings)
    assert await first.add(record("a"))
    assert not await second.add(record("a"))
    found = await second.get("a")
    assert found is not None
    assert await second.put(found)
    assert not await first.put(found)
    for one in (first, second):
        await one.close()
    again = await open_webhook_store(settings)
    kept = await again.get("a")
    assert kept is not None
    assert kept.revision == 2
    await again.close()
    await games.close()
