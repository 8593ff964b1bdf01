"""One server for all tests that only open games of their own; whoever restarts or breaks one starts another."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, serving, settings
from tests.support.shared_stores import empty_store

SERVE = """
import sys
from service.server import serve
from service.settings import Settings
serve(Settings(store=sys.argv[1], packs="second-edition", port=0, log_level="critical", snapshot_every=7,
               token_rate=0, anonymous_rate=0, open_games_per_address=0, streams_per_token=40, heartbeat=1.0, webhook_private=True),
      ready=lambda address: print(address, flush=True))
"""
"""A process of the service; it says where it listens."""


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
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with ExitStack() as stack:
        started = []
        for _ in range(2):
            command = [sys.executable, "-c", SERVE, store]
            running = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment))
            stack.callback(running.terminate)
            started.append(running)
        found = []
        for running in started:
            assert running.stdout is not None
            found.append(running.stdout.readline().strip())
        yield found
