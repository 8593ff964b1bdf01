"""What the forked children of `mutation` do: run the tests as they are and listen, or run them with a mistake in the domain.

The parent never imports the domain, so that a child loads all of it, the mutated module from memory. Nothing is written.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FrameType

import pytest

from tests.prove.mutants import Mutant, Spot

ROOT = Path(__file__).parents[2]
TESTS = ["tests/domain", "--deselect", "tests/domain/laws/test_golden.py"]
"""The golden games are played here in the process instead, last of all."""
OPTIONS = [
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "pytest_asyncio.plugin",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",
]
"""The one plugin that the project's settings name; the parent has loaded it already, about which pytest complains."""


@dataclass
class Known:
    """What is known of a test."""

    seconds: float = 0.0
    passed: bool = True
    calls: set[Spot] = field(default_factory=set)


@dataclass
class Baseline:
    """What the tests do without a mistake."""

    tests: dict[str, Known]
    compiling: set[Spot]
    """Called when a pack is compiled, once for all tests."""
    golden: bool
    """Whether the golden games are those committed."""


@contextmanager
def heard() -> Iterator[set[Spot]]:
    """The functions of the domain that are called inside the block; filled when it ends."""
    codes: set[CodeType] = set()
    spots: set[Spot] = set()

    def hear(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    sys.setprofile(hear)
    try:
        yield spots
    finally:
        sys.setprofile(None)
        for code in codes:
            folder, _, file = code.co_filename.rpartition(f"{ROOT}/domain/")
            if file and not folder:
                spots.add((f"domain/{file}", code.co_firstlineno))


class Listener:
    """A pytest plugin: times each test, and notes what it calls and whether it passes."""

    def __init__(self) -> None:
        self.tests: dict[str, Known] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        known = self.tests[item.nodeid] = Known()
        begun = time.perf_counter()
        with heard() as known.calls:
            result = yield
        known.seconds = time.perf_counter() - begun
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.tests[report.nodeid].passed &= not report.failed


class Witness:
    """A pytest plugin: remembers the first test that failed, or the module that could not even be loaded."""

    def __init__(self) -> None:
        self.first = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.first = self.first or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.first = self.first or report.nodeid


def listen(answer: Connection) -> None:
    """Run all tests of the domain once; answers a `Baseline`."""
    _settle()
    listener = Listener()
    with heard() as compiling:
        packs = importlib.import_module("tests.support.packs")
        for name in ("second-edition", "third-edition"):
            packs.rules(name)
    pytest.main([*OPTIONS, *TESTS], plugins=[listener])
    answer.send(Baseline(listener.tests, compiling, _golden_games_hold()))


def attempt(mutant: Mutant, tests: Sequence[str], answer: Connection, *, golden: bool) -> None:
    """Make the mistake and run the tests, then the golden games; answers what noticed it, or nothing."""
    _settle()
    code, get_code = mutant.compiled(), SourceFileLoader.get_code

    def get_mutated(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code if name == mutant.module else get_code(loader, name)

    SourceFileLoader.get_code = get_mutated  # type: ignore[method-assign,assignment]  # in this child alone
    witness = Witness()
    noticed = ""
    try:
        if tests and pytest.main([*OPTIONS, "-x", *tests], plugins=[witness]) != pytest.ExitCode.OK:
            noticed = "a law" if "/laws/" in witness.first else "a test"
        elif golden and not _golden_games_hold():
            noticed = "golden games"
    except Exception:  # noqa: BLE001 -- whatever the mistake led to
        noticed = "golden games"
    answer.send(noticed)


def _golden_games_hold() -> bool:
    golden = importlib.import_module("tests.laws.golden")
    return bool(golden.hashes() == json.loads(golden.HASHES.read_text(encoding="utf-8")))


def _settle() -> None:
    """Print nothing, write nothing, search for no simpler counterexample."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.dont_write_bytecode = True
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    hypothesis = importlib.import_module("hypothesis")
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutation", database=None, derandomize=True, phases=phases)
    hypothesis.settings.load_profile("mutation")
