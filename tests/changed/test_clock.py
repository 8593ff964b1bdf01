"""The plugin behind `--changed`: it notes how long test files take, and starts none too late."""

import json

import pytest

from tests.changed.clock import NOTED

pytestmark = pytest.mark.usefixtures("two_files")


@pytest.fixture
def two_files(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # importing the others takes longer than the tests
    pytester.makeini("[pytest]\ntestpaths = .\n")
    pytester.makepyfile(test_one="def test_it():\n    pass\n", test_two="def test_it():\n    pass\n")


def _noted(pytester: pytest.Pytester) -> set[str]:
    path = pytester.path / ".pytest_cache" / "v" / NOTED
    return set(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else set()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_whole_run_notes_the_seconds_of_each_file(pytester: pytest.Pytester, workers: str) -> None:
    pytester.runpytest_subprocess("-p", "xdist", "-p", "tests.changed.clock", "-n", workers).assert_outcomes(passed=2)
    assert _noted(pytester) == {"test_one.py", "test_two.py"}


@pytest.mark.parametrize("chosen", [["test_one.py"], ["-k", "one"]])
def test_a_part_of_it_notes_nothing(pytester: pytest.Pytester, chosen: list[str]) -> None:
    pytester.runpytest_subprocess("-p", "tests.changed.clock", *chosen).assert_outcomes(passed=1)
    assert _noted(pytester) == set()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_no_test_starts_too_late_and_the_run_says_which_files_it_left(pytester: pytest.Pytester, workers: str) -> None:
    late = ("-n", workers, "--seconds=-1", "test_one.py", "test_two.py")
    run = pytester.runpytest_subprocess("-p", "xdist", "-p", "tests.changed.clock", *late)
    run.assert_outcomes()
    run.stdout.fnmatch_lines(["no time was left for: test_one.py, test_two.py"])
