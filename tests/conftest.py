"""What every test can use: the mark of a proven rule, and a word at the end of the run (`record_property("told", …)`)."""

import gc
from collections.abc import Iterator

import pytest

from tests.support.packs import compiled, loaded

pytest_plugins = ("pytester", "tests.changed.clock", "tests.rulecoverage", "tests.support.shared_stores")

# Packs and their rules are many objects that stay: to look through them for garbage every 700 new objects takes a tenth of all tests.
gc.set_threshold(50_000, 20, 100)

_told: list[str] = []
"""What tests want said at the end; workers of xdist send it along with their reports."""


LOADING = ("service.log.packs", "service.cli.content", "service.cli.play.demo", "service.bots.playtest")
"""Modules that load packs."""


@pytest.fixture(scope="session", autouse=True)
def _packs_are_read_once() -> Iterator[None]:
    """Tests share the built-in packs, and services their rules, too."""
    with pytest.MonkeyPatch.context() as patch:
        for module in LOADING:
            patch.setattr(f"{module}.load_pack", loaded)
        patch.setattr("service.log.packs.rules_for", compiled)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what a browser does: its files take longest, and all but one process would wait for them in the end."""
    items.sort(key=lambda item: "tests/table/" not in item.path.as_posix())


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect it."""
    if report.when == "call":
        _told.extend(str(value) for name, value in report.user_properties if name == "told")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say it."""
    if _told:
        terminalreporter.section("told by tests")
        for line in _told:
            terminalreporter.write_line(line)
