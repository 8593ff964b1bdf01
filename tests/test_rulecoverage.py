"""The mark of a proven rule can't be put on for looks: what earns it, and what fails."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

MARKED = """
    import pytest
    from domain.facts.refusal import Refused
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

    @pytest.mark.rule("2E-MOVE-002", case=1)
    @pytest.mark.rule("2E-TURN-002", case=(1, 2), asserts=True)
    def test_two_rules_play_cases():
        Table().move("foyer")

    @pytest.mark.rule("2E-COMP-001", case=1)
    def test_a_case_is_earned_too():
        Table()

    @pytest.mark.rule("2E-COMP-001", case=4)
    def test_no_such_case():
        Table()

    @pytest.mark.rule("2E-COMP-001", "2E-MOVE-002", case=1)
    def test_a_case_of_two_rules():
        Table()
"""


@pytest.fixture(autouse=True)
def bare(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The runs in these tests import no plugins but those that they name: all others take longer than the tests."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\nmarkers =\n    rule: proves rules\n")


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_mark_counts_only_where_it_is_earned_with_and_without_workers(
    pytester: pytest.Pytester, workers: str
) -> None:
    pytester.makepyfile(MARKED)

    result = pytester.runpytest_subprocess("-p", "xdist", "-p", "tests.rulecoverage", "-n", workers, "--rule-report")

    result.assert_outcomes(passed=4, failed=8)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines_random(
        [
            "*never cited by the engine: 2E-WIN-001*",
            "*no rule of the ledger: 2E-MOVE-999*",
            "*at most 5 rule ids a test*",
            "*only rules of kind definition or information*",
            "second: 3 of 274",
            "  - 2E-WIN-001 *",
            "  - 2E-ATK-002 *",
            # cases are counted beside rules, and printed beside their tests
            "*never cited by the engine: 2E-COMP-001*",
            "*2E-COMP-001 has the cases 1 to 3, not 4*",
            "*a mark with case= names one rule*",
            "second, cases: 3 of 6*",
            "  - 2E-TURN-002 *",
            "  2E-MOVE-002, case 1: *",
        ]
    )
    result.stdout.no_fnmatch_line("  - 2E-MOVE-002 *")
    result.stdout.fnmatch_lines(["  2E-TURN-002, case 2: *", "      *::test_two_rules_play_cases"])


def test_a_run_that_is_asked_for_all_cases_fails_without_them(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_nothing():\n    pass\n")

    result = pytester.runpytest_subprocess("-p", "tests.rulecoverage", "--all-cases", "play-by-post")

    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["not played: PBP-BASE-001 case 1: *"])
