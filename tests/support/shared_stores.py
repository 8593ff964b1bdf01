"""Stores that several processes share, for tests: fixtures that every test can ask for."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.port import LogStore, Snapshot
from tests.support.redis import cluster, server


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A durable Redis."""
    with server(tmp_path_factory.mktemp("redis")) as running:
        yield running.url


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A durable cluster of three masters."""
    with cluster(tmp_path_factory.mktemp("cluster")) as masters:
        yield "redis+cluster://" + ",".join(f"127.0.0.1:{one.port}" for one in masters)


def empty_store(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store: `memory`, `sqlite`, `redis` or `cluster`."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path / 'log.db'}"
    if kind == "memory":
        return "memory:"
    return f"{request.getfixturevalue(f'{kind}_url')}?prefix={secrets.token_hex(8)}"


async def latest_snapshot(store: LogStore, game: str) -> Snapshot | None:
    """The snapshot that the game would be loaded from."""
    loaded = await store.load(game, ("",))
    assert loaded is not None
    return loaded.snapshot
