"""The stores that must keep the contract: a further adapter is one more branch here."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from service.settings import Settings
from service.store.open import open_store
from service.store.port import LogStore
from tests.support.shared_stores import empty_store


@pytest.fixture(params=["memory", "sqlite", "redis", "cluster"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[LogStore]:
    opened = await open_store(Settings(store=empty_store(request.param, request, tmp_path)))
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def open_durable(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Awaitable[LogStore]]:
    """Opens the same durable store each time that it is called; the test closes what it opens."""
    where = empty_store(request.param, request, tmp_path)

    async def open_it() -> LogStore:
        return await open_store(Settings(store=where))

    return open_it
