"""A pytest plugin: which rules of the ledger are proven, by tests whose mark the engine has confirmed.

    @pytest.mark.rule("2E-MOVE-001", "2E-MOVE-004")

A marked test counts for a rule only if the engine cited the id while the test ran: in an event, in a refusal, or (noted with
`cite`) in an answer of a server in another process. Where it did not, the test fails: a mark cannot be put on for looks.
Rules of kind `definition` and `information` are seldom cited; a test that asserts the ledger's own check says so:

    @pytest.mark.rule("2E-ITEM-018", asserts=True)

At the end of the run the proven rules are counted by area; `--rule-report` lists the others.
"""

from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator

import pytest

from content.ledger import Rule, ledger
from domain.effects.machine import Machine
from domain.refusal import Refused

MOST_IDS = 5
"""Ids on one test: a test that proves more proves nothing in particular."""

ASSERTABLE = frozenset({"definition", "information"})

_cited: set[str] = set()
"""What the engine has cited since the running test began. A test runner runs one test at a time."""

_proven: set[str] = set()
"""Rules proven in this run; under xdist filled by the reports of the workers."""


def cite(ids: Iterable[str]) -> None:
    """Note citations that were seen in answers of an engine in another process."""
    _cited.update(one for one in ids if one)


class _Claims:
    """What the marks of a test claim, and what is wrong with them."""

    def __init__(self, item: pytest.Item) -> None:
        self.cited: list[str] = []
        self.asserted: list[str] = []
        self.mistake = ""
        rules = ledger()
        for mark in item.iter_markers("rule"):
            asserts = mark.kwargs.get("asserts", False)
            (self.asserted if asserts else self.cited).extend(mark.args)
            unknown = [one for one in mark.args if one not in rules]
            if unknown:
                self.mistake = f"no rule of the ledger: {', '.join(unknown)}"
            elif not mark.args or set(mark.kwargs) - {"asserts"}:
                self.mistake = "a rule mark takes rule ids and perhaps asserts=True"
            elif asserts and any(rules[one].kind not in ASSERTABLE for one in mark.args):
                self.mistake = "only rules of kind definition or information are proven by assertion"
        if len(self.cited) + len(self.asserted) > MOST_IDS:
            self.mistake = f"at most {MOST_IDS} rule ids a test"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--rule-report`."""
    parser.addoption("--rule-report", action="store_true", help="list the rules that no test of this run proves")


def pytest_configure() -> None:
    """Listen to the engine: two hooks that exist in test runs alone, so that play pays nothing for them."""
    run, emit, refuse = Machine.run, Machine.emit, Refused.__init__

    def emit_and_note(machine: Machine, event: object, *args: object, **kwargs: object) -> None:
        _cited.add(getattr(event, "rule", ""))
        emit(machine, event, *args, **kwargs)  # type: ignore[arg-type]  # passed on as it came

    def run_and_note(machine: Machine) -> None:
        run(machine)
        _cited.update(told.event.rule for told in machine.told)  # events that were put in without `emit`

    def refuse_and_note(refused: Refused, *args: object, **kwargs: object) -> None:
        refuse(refused, *args, **kwargs)  # type: ignore[arg-type]  # passed on as it came
        _cited.add(refused.rule)

    Machine.emit = emit_and_note  # type: ignore[method-assign,assignment]  # the hook is the point
    Machine.run = run_and_note  # type: ignore[method-assign,assignment]  # the hook is the point
    Refused.__init__ = refuse_and_note  # type: ignore[method-assign,assignment]  # the hook is the point


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a marked test whose mark is wrong or unearned; note what the others have proven."""
    claims = _Claims(item)
    if claims.mistake:
        pytest.fail(claims.mistake, pytrace=False)
    _cited.clear()
    result = yield
    unearned = [one for one in claims.cited if one not in _cited]
    if unearned:
        pytest.fail(f"marked, but never cited by the engine: {', '.join(unearned)}", pytrace=False)
    proven = [*claims.cited, *claims.asserted]
    if proven:
        item.user_properties.append(("rules", " ".join(proven)))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect what passed tests have proven; workers of xdist send it along with their reports."""
    if report.when == "call" and report.passed:
        for name, value in report.user_properties:
            if name == "rules":
                _proven.update(str(value).split())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many rules this run has proven."""
    if _proven:
        terminalreporter.section("rules proven")
        for line in report_lines(_proven, full=config.getoption("--rule-report")):
            terminalreporter.write_line(line)


def report_lines(proven: set[str], *, full: bool) -> Iterator[str]:
    """The report: for each edition of which something is proven its areas; with `full` the rules that are not."""
    editions: dict[str, list[Rule]] = defaultdict(list)
    for rule in ledger().values():
        editions[rule.edition].append(rule)
    for edition, rules in editions.items():
        total = Counter(_area(rule) for rule in rules)
        done = Counter(_area(rule) for rule in rules if rule.id in proven)
        yield f"{edition}: {done.total()} of {len(rules)}"
        if not done:
            continue
        areas = [f"{area} {done[area]}/{number}" for area, number in total.items()]
        yield from (f"  {', '.join(areas[at : at + 10])}" for at in range(0, len(areas), 10))
        if full:
            for rule in rules:
                if rule.id not in proven:
                    yield f"  - {rule.id} [{rule.kind}{', by people' if rule.manual else ''}] {rule.title}"


def _area(rule: Rule) -> str:
    return rule.id.split("-")[1]
