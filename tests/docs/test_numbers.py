"""Figures and versions that pages name are those that hold."""

import json
import re

from domain.engine.rules import REVISION
from tests.bench import capacity
from tests.docs.pages import ROOT, section


def _last(title: str) -> int:
    return int(re.findall(r"^\| (\d+) \|", section("CHANGELOG.md", title), re.MULTILINE)[0])


def test_the_changelog_names_the_revision_of_the_rules() -> None:
    assert _last("Revisions of the rules") == REVISION


def test_the_changelog_names_the_version_of_the_contract() -> None:
    for file in ("openapi.json", "asyncapi.json"):
        document = json.loads((ROOT / "openapi" / file).read_text(encoding="utf-8"))
        assert document["info"]["version"] == str(_last("Revisions of the contract"))


def test_scale_points_to_rows_that_the_benchmarks_have() -> None:
    rows = re.findall(
        r"^\|.*\| ([^|]+) \|$", section("docs/scale.md", "One process").partition("| where")[0], re.MULTILINE
    )[2:]
    measured = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    assert len(rows) == 7
    assert [row for row in rows if f"| {row}" not in measured] == []


def test_no_word_is_explained_twice_in_the_glossary() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    words = [word for row in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE) for word in row.split(", ")]
    words = [word for word in words if word not in ("word", "---")]
    assert [word for word in set(words) if words.count(word) > 1] == []


def test_scale_says_what_follows_from_its_benchmark() -> None:
    report = capacity.REPORT.read_text(encoding="utf-8")
    figures = capacity.read(report)
    assert capacity.markdown(figures) == report
    page = capacity.PAGE.read_text(encoding="utf-8")
    assert capacity.with_capacity(page, figures) == page
