"""A service, a browser, and screens at its tables. A test that asks for `screen` gets one; `screens` makes more."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser

from openapi.writer.outside import Fixed
from tests.acceptance.conftest import _own_seeds, client, outside, table
from tests.acceptance.driving import serving, settings
from tests.support.chromium import chromium
from tests.table.screens import WIDE, Screen
from tests.table.screens import screen as opened

__all__ = ["_own_seeds", "client", "outside", "table"]

MakeScreen = Callable[..., Screen]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="Write the pictures of docs/ anew that tests take.")


@pytest.fixture(autouse=True)
def _pictures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option is there where these tests were named on the command line."""
    monkeypatch.setattr(Screen, "keeps_pictures", bool(request.config.getoption("--pictures", default=False)))


@pytest.fixture(scope="session")
def address(outside: Fixed) -> Iterator[str]:
    with serving(settings("memory:", token_rate=0, anonymous_rate=0, heartbeat=1), outside) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """It ends with its file, and Playwright's event loop with it, so that tests may run loops of their own in this process."""
    with chromium() as found:
        yield found


@pytest.fixture
def screens(browser: Browser, address: str) -> Iterator[MakeScreen]:
    """Makes devices: `screens(**PHONE, **DARK)`; with `address` at another service."""
    with ExitStack() as stack:

        def make(address: str = address, **device: Any) -> Screen:  # noqa: ANN401 -- as `new_context` takes it
            return stack.enter_context(opened(browser, address, **{**WIDE, **device}))

        yield make


@pytest.fixture
def screen(screens: MakeScreen) -> Screen:
    return screens()
