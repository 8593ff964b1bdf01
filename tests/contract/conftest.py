"""The stores that must keep the contract: a further adapter is one more branch here."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from service.bootstrap import open_store
from service.ports.log import LogStore
from service.settings import Settings
from tests.support.redis import cluster, server


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(tmp_path_factory.mktemp("redis")) as running:
        yield running.url


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with cluster(tmp_path_factory.mktemp("cluster")) as masters:
        yield "redis+cluster://" + ",".join(f"127.0.0.1:{one.port}" for one in masters)


def address(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty store: a file of its own, or keys with a prefix of their own."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path / 'log.db'}"
    if kind == "memory":
        return "memory:"
    return f"{request.getfixturevalue(f'{kind}_url')}?prefix={secrets.token_hex(8)}"


@pytest.fixture(params=["memory", "sqlite", "redis", "cluster"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[LogStore]:
    opened = await open_store(Settings(store=address(request.param, request, tmp_path)))
    yield opened
    await opened.close()


@pytest.fixture(params=["sqlite", "redis", "cluster"])
def open_durable(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Awaitable[LogStore]]:
    """Opens the same durable store each time that it is called; the test closes what it opens."""
    where = address(request.param, request, tmp_path)

    async def open_it() -> LogStore:
        return await open_store(Settings(store=where))

    return open_it
