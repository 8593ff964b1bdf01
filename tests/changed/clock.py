"""A pytest plugin: a whole run notes how long each test file took; `--seconds` starts no test after so many."""

import time
from collections import defaultdict
from pathlib import Path

import pytest

NOTED = "omenlog/seconds"
"""Seconds by test file, in pytest's cache."""


_UNTIL = pytest.StashKey[float]()
"""The moment after which this process starts no test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, help="start no test later than this after all were collected")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Clock(config), "clock")


def pytest_collection_finish(session: pytest.Session) -> None:
    seconds = session.config.getoption("--seconds")
    if seconds is not None:
        session.config.stash[_UNTIL] = time.monotonic() + seconds


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    return True if time.monotonic() > item.config.stash.get(_UNTIL, float("inf")) else None


class _Clock:
    """Adds up, where the reports of all workers come together."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        if self._whole and not self._config.option.collectonly:
            self._config.cache.set(NOTED, {file: round(took, 1) for file, took in self._seconds.items()})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._config.getoption("--seconds") is not None:
            missed = {Path(one).as_posix() for one in self._config.args} - set(self._seconds)
            if missed:
                terminalreporter.write_line(f"no time was left for: {', '.join(sorted(missed))}")
