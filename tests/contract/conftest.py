"""The stores that must keep the contract: a further adapter is one more branch here."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from service.ports.log import LogStore
from service.store.memory import MemoryLogStore
from service.store.sqlite import SqliteLogStore


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[LogStore]:
    opened: LogStore = MemoryLogStore() if request.param == "memory" else await SqliteLogStore.open(tmp_path / "log.db")
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite"])
def open_durable(tmp_path: Path) -> Callable[[], Awaitable[LogStore]]:
    """Opens the same durable store each time that it is called; the test closes what it opens."""

    async def open_it() -> LogStore:
        return await SqliteLogStore.open(tmp_path / "durable.db")

    return open_it
