"""The report of `./dev bench` can be written: a run of many minutes must not end for want of a sentence."""

import subprocess
import sys

import pytest

from tests.bench.report import CONTESTANTS
from tests.bench.rows import GROUPS, ROWS
from tests.docs.pages import ROOT
from tests.support.gaps import report


def test_every_contestant_is_described_and_every_row_has_its_own() -> None:
    measured = {name for group in GROUPS for name in group}
    report(
        f"{name} is measured, but not described: enter a sentence on it in CONTESTANTS in tests/bench/report.py."
        for name in sorted(measured - set(CONTESTANTS))
    )
    report(
        f"A row measures {name}, which belongs to no group: enter it in GROUPS in tests/bench/rows.py."
        for name in sorted({row.ours.contestant for row in ROWS} - measured)
    )


@pytest.mark.parametrize(
    "options, words",
    [
        (["--rounds", "0"], "argument --rounds: 0 is no number of rounds: write a whole number, 1 or more"),
        (["--rounds", "many"], "argument --rounds: many is no number of rounds: write a whole number, 1 or more"),
        (["--scale", "--only", "play"], "--scale has no rows and no rounds: leave --only and --rounds out, or --scale"),
        (["--scale", "--rounds", "3"], "--scale has no rows and no rounds: leave --only and --rounds out, or --scale"),
    ],
)
def test_what_can_not_be_measured_is_said_before_anything_is(options: list[str], words: str) -> None:
    command = [sys.executable, "-m", "tests.bench", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.endswith(f"./dev bench: error: {words}\n")


def test_a_small_bench_of_scale_runs_on_every_store_and_writes_nothing() -> None:
    command = [sys.executable, "-m", "tests.bench", "--scale", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert all(f"| {store} | 2 | 20 |" in done.stdout for store in ("SQLite", "Redis", "Redis Cluster"))
    assert done.stdout.endswith("No file was written: only a full run does.\n")
