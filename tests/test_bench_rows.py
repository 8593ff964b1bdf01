"""The report of `./dev bench` can be written: a run of many minutes must not end for want of a sentence."""

from tests.bench.report import CONTESTANTS
from tests.bench.rows import GROUPS, ROWS
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
