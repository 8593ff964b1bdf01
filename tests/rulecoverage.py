"""A pytest plugin: which rules and cases of the ledger are proven, by tests whose mark the engine has confirmed.

    @pytest.mark.rule("2E-MOVE-001", "2E-MOVE-004")       # this test shows these rules at work
    @pytest.mark.rule("2E-PAST-001", case=2)              # it plays the second sentence of that rule's `tests`, as it is written
    @pytest.mark.rule("2E-PAST-001", case=(1, 3))         # both of these

A marked test counts for a rule only if the engine cited the id while the test ran: in an event, in a refusal, or (noted with
`cite`) in an answer of a server in another process. Where it did not, the test fails: a mark cannot be put on for looks.
Two kinds of marks are earned by assertion alone and say so with `asserts=True`: rules of kind `definition` and `information`,
which are seldom cited, and cases in which nothing comes of a rule (no roll, no damage, an action accepted as usual). Such a
case counts as played; the rule itself still needs a test in which the engine cites it.

At the end of the run proven rules are counted by area, and played cases on a line of their own. `--rule-report` prints each
case's sentence beside its tests, and what nothing proves. `--all-cases second` fails a run that leaves out a case of that edition.
"""

from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator

import pytest

from content.ledger import Rule, ledger
from domain.engine import machine
from domain.facts import refusal

MOST_IDS = 5
"""Ids on one test: a test that proves more proves nothing in particular."""

ASSERTABLE = frozenset({"definition", "information"})

_Case = tuple[str, int]
"""A rule's id and the number of one of its cases, from 1."""

_cited: set[str] = set()
"""What the engine has cited since the running test began. A test runner runs one test at a time."""

_proven: set[str] = set()
"""Rules proven in this run; under xdist filled by the reports of the workers."""

_played: dict[_Case, list[str]] = defaultdict(list)
"""By case: the tests of this run that played it."""


def cite(ids: Iterable[str]) -> None:
    """Note citations that were seen in answers of an engine in another process."""
    _cited.update(one for one in ids if one)


class _Claims:
    """What the marks of a test claim, and what is wrong with them."""

    def __init__(self, item: pytest.Item) -> None:
        self.cited: set[str] = set()
        self.asserted: set[str] = set()
        self.cases: set[_Case] = set()
        self.mistake = ""
        for mark in item.iter_markers("rule"):
            self.mistake = self.mistake or self._read(mark)
        if not self.mistake and len({*self.cited, *self.asserted, *(rule for rule, _ in self.cases)}) > MOST_IDS:
            self.mistake = f"at most {MOST_IDS} rule ids a test"

    def _read(self, mark: pytest.Mark) -> str:
        """Take note of a mark; returns what is wrong with it, or nothing."""
        rules = ledger()
        asserts = mark.kwargs.get("asserts", False)
        if not mark.args or set(mark.kwargs) - {"asserts", "case"}:
            return "a rule mark takes rule ids, and perhaps case= and asserts=True"
        if unknown := [one for one in mark.args if one not in rules]:
            return f"no rule of the ledger: {', '.join(unknown)}"
        if "case" in mark.kwargs and (mistake := self._read_cases(mark)):
            return mistake
        if not asserts:
            self.cited.update(mark.args)
        elif all(rules[one].kind in ASSERTABLE for one in mark.args):
            self.asserted.update(mark.args)
        elif "case" not in mark.kwargs:
            return "only rules of kind definition or information are proven by assertion"
        return ""

    def _read_cases(self, mark: pytest.Mark) -> str:
        if len(mark.args) != 1:
            return "a mark with case= names one rule"
        case = mark.kwargs["case"]
        numbers = case if isinstance(case, tuple) else (case,)
        most = len(ledger()[mark.args[0]].tests)
        if not numbers or any(type(one) is not int or not 1 <= one <= most for one in numbers):
            return f"{mark.args[0]} has the cases 1 to {most}, not {case!r}"
        self.cases.update((mark.args[0], one) for one in numbers)
        return ""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--rule-report` and `--all-cases`."""
    parser.addoption(
        "--rule-report", action="store_true", help="print each case beside its tests, and the rules that nothing proves"
    )
    parser.addoption(
        "--all-cases",
        action="append",
        default=[],
        metavar="EDITION",
        help="fail if a case of this edition is not played",
    )


def pytest_configure() -> None:
    """Listen to the engine, compiled or not."""
    machine.watchers.append(lambda _, event, __: _cited.add(event.rule))
    refusal.watchers.append(lambda refused: _cited.add(refused.rule))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a marked test whose mark is wrong or unearned; note what the others have proven."""
    claims = _Claims(item)
    if claims.mistake:
        pytest.fail(claims.mistake, pytrace=False)
    _cited.clear()
    result = yield
    unearned = sorted(claims.cited - _cited)
    if unearned:
        pytest.fail(f"marked, but never cited by the engine: {', '.join(unearned)}", pytrace=False)
    item.user_properties.append(("rules", sorted(claims.cited | claims.asserted)))
    item.user_properties.append(("cases", sorted(claims.cases)))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what passed tests have proven; workers of xdist send it along with their reports."""
    if report.when == "call" and report.passed:
        for name, value in report.user_properties:
            if name == "rules":
                _proven.update(value)  # type: ignore[arg-type]  # a list of ids, as it was put there
            if name == "cases":
                for rule, number in value:  # type: ignore[attr-defined]  # a list of cases, as it was put there
                    _played[rule, number].append(report.nodeid)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many rules and cases this run has proven."""
    if _proven or _played:
        terminalreporter.section("rules proven")
        for line in report_lines(_proven, _played, full=config.getoption("--rule-report")):
            terminalreporter.write_line(line)
    for rule, number in _left_out(config):
        terminalreporter.write_line(f"not played: {rule} case {number}: {ledger()[rule].tests[number - 1]}", red=True)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that leaves out a case it was asked for; a run that failed anyway keeps its status."""
    if (
        session.exitstatus == pytest.ExitCode.OK
        and not hasattr(session.config, "workerinput")
        and _left_out(session.config)
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _left_out(config: pytest.Config) -> list[_Case]:
    """Cases that `--all-cases` asks for and no test has played; a case with a reason in the ledger is not asked for."""
    editions = config.getoption("--all-cases")
    return [
        case for rule in ledger().values() if rule.edition in editions for case in _cases(rule) if case not in _played
    ]


def report_lines(proven: set[str], played: dict[_Case, list[str]], *, full: bool) -> Iterator[str]:
    """The report: for each edition its rules by area and its cases; with `full` each case and what nothing proves."""
    editions: dict[str, list[Rule]] = defaultdict(list)
    for rule in ledger().values():
        editions[rule.edition].append(rule)
    for edition, rules in editions.items():
        total = Counter(_area(rule) for rule in rules)
        done = Counter(_area(rule) for rule in rules if rule.id in proven)
        cases = [case for rule in rules for case in _cases(rule)]
        yield f"{edition}: {done.total()} of {len(rules)}"
        yield f"{edition}, cases: {sum(case in played for case in cases)} of {len(cases)}"
        if not done:
            continue
        areas = [f"{area} {done[area]}/{number}" for area, number in total.items()]
        yield from (f"  {', '.join(areas[at : at + 10])}" for at in range(0, len(areas), 10))
        if full:
            for rule in rules:
                yield from _report_rule(rule, proven, played)


def _report_rule(rule: Rule, proven: set[str], played: dict[_Case, list[str]]) -> Iterator[str]:
    if rule.id not in proven:
        yield f"  - {rule.id} [{rule.kind}{', by people' if rule.manual else ''}] {rule.title}"
    for number, sentence in enumerate(rule.tests, 1):
        yield f"  {rule.id}, case {number}: {sentence}"
        if reason := rule.unplayed.get(str(number)):
            yield f"      cannot be played: {reason}"
        yield from (f"      {test}" for test in played.get((rule.id, number), () if reason else ("not played",)))


def _cases(rule: Rule) -> list[_Case]:
    """The cases that are to be played."""
    return [(rule.id, number) for number in range(1, len(rule.tests) + 1) if str(number) not in rule.unplayed]


def _area(rule: Rule) -> str:
    return rule.id.split("-")[1]
