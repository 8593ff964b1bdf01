"""The mark of a proven rule can't be put on for looks: what earns it, and what fails."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MARKED = """
    import pytest
    from domain.refusal import Refused
    from tests.support.table import Table

    @pytest.mark.rule("2E-MOVE-002")
    def test_earned_by_an_event():
        Table().move("foyer")

    @pytest.mark.rule("2E-ATK-001")
    def test_earned_by_a_refusal():
        table = Table()
        with table.refuses("2E-ATK-001"):
            table.attack(1)

    @pytest.mark.rule("2E-WIN-001")
    def test_not_earned():
        Table().move("foyer")

    @pytest.mark.rule("2E-MOVE-999")
    def test_no_such_rule():
        pass

    @pytest.mark.rule("2E-MOVE-001", "2E-MOVE-002", "2E-MOVE-003", "2E-MOVE-004", "2E-MOVE-005", "2E-MOVE-006")
    def test_too_many():
        pass

    @pytest.mark.rule("2E-ITEM-018", asserts=True)
    def test_a_definition_is_asserted():
        pass

    @pytest.mark.rule("2E-MOVE-001", asserts=True)
    def test_a_constraint_is_not():
        pass

    @pytest.mark.rule("2E-ATK-002")
    def test_a_failure_proves_nothing():
        raise Refused("no", rule="2E-ATK-002")
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_mark_counts_only_where_it_is_earned_with_and_without_workers(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeini("[pytest]\nmarkers =\n    rule: proves rules\n")
    pytester.makepyfile(MARKED)

    result = pytester.runpytest_subprocess("-p", "tests.rulecoverage", "-n", workers, "--rule-report")

    result.assert_outcomes(passed=3, failed=5)
    result.stdout.fnmatch_lines_random(
        [
            "*never cited by the engine: 2E-WIN-001*",
            "*no rule of the ledger: 2E-MOVE-999*",
            "*at most 5 rule ids a test*",
            "*only rules of kind definition or information*",
            "second: 3 of 273",
            "  - 2E-WIN-001 *",
            "  - 2E-ATK-002 *",
        ]
    )
    result.stdout.no_fnmatch_line("  - 2E-MOVE-002 *")
