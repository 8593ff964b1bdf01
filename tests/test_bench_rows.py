"""The report of `./dev bench` can be written: a run of many minutes must not end for want of a sentence."""

from tests.bench.report import CONTESTANTS
from tests.bench.rows import GROUPS, ROWS


def test_every_contestant_is_described_and_every_row_has_its_own() -> None:
    measured = {name for group in GROUPS for name in group}
    assert measured <= set(CONTESTANTS)
    assert {row.ours.contestant for row in ROWS} <= measured
