"""One server for all tests that only open games of their own; whoever restarts or breaks one starts another."""

from collections.abc import Iterator

import httpx
import pytest

from service.openapi.fixed import Fixed
from tests.acceptance.driving import Table, serving, settings


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
