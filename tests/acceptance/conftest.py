"""One server for all tests that only open games of their own; whoever restarts or breaks one starts another."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, serving, settings
from tests.support import forked
from tests.support.shared_stores import empty_store

SHARED = {
    "log_level": "critical",
    "snapshot_every": "7",
    "token_rate": "0",
    "anonymous_rate": "0",
    "open_games_per_address": "0",
    "streams_per_token": "40",
    "heartbeat": "1",
    "webhook_private": "true",
}
"""Settings of processes that share a store."""


@pytest.fixture(scope="session")
def outside() -> Fixed:
    """The server's clock and secrets."""
    return Fixed()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, outside: Fixed) -> Iterator[str]:
    store = tmp_path_factory.mktemp("acceptance") / "log.db"
    with serving(settings(store, token_rate=0, anonymous_rate=0, webhook_private=True), outside) as found:
        yield found


@pytest.fixture(autouse=True)
def _own_seeds(outside: Fixed, request: pytest.FixtureRequest) -> None:
    """Each test has seeds of its own, the same in whatever order tests run."""
    outside.restart(request.node.nodeid)


@pytest.fixture(scope="session")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=20) as found:
        yield found


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """A game that has just been started."""
    return Table.open(client)


@pytest.fixture(scope="session", params=["redis", "sqlite"])
def addresses(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """Where two processes listen that share a store."""
    store = empty_store(request.param, request, tmp_path_factory.mktemp("two"))
    with ExitStack() as stack:
        processes = [forked.serving(tmp_path_factory.mktemp("process"), store=store, **SHARED) for _ in range(2)]
        yield [stack.enter_context(one)[0] for one in processes]
