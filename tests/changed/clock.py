"""A pytest plugin: a whole run notes how long each test file took; `--until` starts no test after that moment."""

import time
from collections import defaultdict
from pathlib import Path

import pytest

NOTED = "omenlog/seconds"
"""Seconds by test file, in pytest's cache."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--until", type=float, metavar="EPOCH", help="start no test after this moment")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Clock(config), "clock")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> bool | None:
    until = item.config.getoption("--until")
    return True if until and time.time() > until else None


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
        if self._config.getoption("--until"):
            missed = {Path(one).as_posix() for one in self._config.args} - set(self._seconds)
            if missed:
                terminalreporter.write_line(f"no time was left for: {', '.join(sorted(missed))}")
