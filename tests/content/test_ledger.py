"""The rule ledger: all rules by id, their fields, and which are sealed."""

from collections import Counter
from pathlib import Path

import pytest

from content.errors import ContentErrors
from content.ledger import FOLDER, PREFIXES, WrittenRule, ledger, no_rule, read_ledger, rule_ids
from tests.support.gaps import report

RULE = """
[[rule]]
id = "2E-MOVE-001"
title = "A rule"
text = "What it says."
source = "Somewhere, p. 1"
phase = "both"
actors = ["explorer"]
visibility = "public"
kind = "constraint"
tests = ["what can be seen"]
overrides = []
ambiguity = ""
manual = false
"""


def test_every_rule_of_every_edition_is_there() -> None:
    assert Counter(rule.edition for rule in ledger().values()) == {
        "second": 274,
        "third": 235,
        "legacy": 397,
        "play-by-post": 47,
    }
    assert all(rule_id == rule.id for rule_id, rule in ledger().items())
    assert {rule.id.split("-")[0] for rule in ledger().values()} == PREFIXES.keys()


def test_the_ledger_is_loaded_once() -> None:
    assert ledger() is ledger()


def test_the_quick_look_at_the_ids_finds_the_same() -> None:
    assert rule_ids() == ledger().keys()


def test_the_free_play_pages_of_legacy_are_sealed_and_nothing_else() -> None:
    sealed = {rule.id for rule in ledger().values() if rule.sealed}
    assert sealed
    assert sealed == {rule_id for rule_id in ledger() if rule_id.startswith("LEG-FREE-")}


def test_a_rule_of_another_ledger_is_told_with_the_one_that_was_meant_and_never_with_a_sealed_one() -> None:
    assert no_rule("3E-HROLL-001", ("third",)) == ""
    assert no_rule("2E-HROLL-001", ("play-by-post", "second")) == ""
    said = "2E-HROLL-001 is not a rule of this edition, whose rules begin with 3E-: did you mean `3E-HROLL-001`?"
    assert no_rule("2E-HROLL-001", ("third",)) == said
    assert "LEG-FREE" not in no_rule("LEG-FREE-001", ("legacy",)).partition(" ")[2]
    assert "begin with 2E- or PBP-" in no_rule("3E-LOOT-001", ("play-by-post", "second"))


def test_open_rules_do_not_tell_of_the_sealed_pages_but_in_marked_ambiguities() -> None:
    telling = [
        rule.id
        for rule in ledger().values()
        if not rule.sealed and not rule.sealed_ambiguity and "free play" in rule.ambiguity.lower()
    ]
    assert telling == []
    marked = {rule.id for rule in ledger().values() if rule.sealed_ambiguity and not rule.sealed}
    assert marked == {"LEG-CAMP-005", "LEG-BOOK-004", "LEG-TOKEN-012", "LEG-FAM-004", "LEG-SETUP-014"}
    assert not ledger()["2E-MOVE-001"].sealed_ambiguity


def test_the_format_tells_of_every_field() -> None:
    text = (FOLDER / "FORMAT.md").read_text()
    report(
        f"content/rules/FORMAT.md does not tell of the field `{name}` of a rule: add a row `| `{name}` | … |` to its table."
        for name in WrittenRule.__struct_fields__
        if f"| `{name}` |" not in text
    )


def test_a_rule_that_is_right_is_read(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text(RULE)
    (rule,) = read_ledger(tmp_path).values()
    assert (rule.edition, rule.sealed, rule.manual) == ("second", False, False)


@pytest.mark.parametrize(
    "old, new, told",
    [
        ('phase = "both"', 'phase = "dawn"', "some.toml:2:1: this rule does not fit: Invalid value 'dawn', at /phase"),
        ('kind = "constraint"', "", "some.toml:2:1: this rule does not fit: `kind` is missing"),
        ('kind = "constraint"', 'kind = "constraint"\nnote = ""', "does not fit: There is no field `note`"),
        ('tests = ["what can be seen"]', "tests = []", "does not fit: Expected a list of at least 1 item"),
        ('"2E-MOVE-001"', '"4E-MOVE-001"', "does not fit: Expected a rule's id, such as `2E-MOVE-003`"),
        ('text = "What it says."', 'text = ""', "does not fit: Expected text of at least 1 character"),
        (
            "overrides = []",
            'overrides = ["2E-MOVE-01"]',
            "some.toml:2:1: `2E-MOVE-001` overrides `2E-MOVE-01`, which is no rule: did you mean `2E-MOVE-001`?",
        ),
        ("manual = false", "manual = false\n" + RULE, "some.toml:16:1: the id `2E-MOVE-001` is given twice"),
        ("[[rule]]", "[rule]", "a ledger file holds `[[rule]]` tables and nothing else"),
        ("[[rule]]", "version = 1\n[[rule]]", "a ledger file holds `[[rule]]` tables and nothing else"),
        (
            "manual = false",
            'manual = false\nunplayed = {2 = "why"}',
            "some.toml:2:1: `unplayed` names case '2'; the cases are numbered 1 to 1",
        ),
        ("manual = false", "manual = maybe", "some.toml:1:1: cannot be read: Invalid value"),
    ],
)
def test_a_damaged_ledger_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert RULE.count(old) == 1
    (tmp_path / "some.toml").write_text(RULE.replace(old, new))
    with pytest.raises(ContentErrors) as error:
        read_ledger(tmp_path)
    assert told in str(error.value)


def test_every_mistake_of_the_ledger_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(RULE.replace("both", "dawn"))
    (tmp_path / "b.toml").write_text(RULE.replace("constraint", "whim"))
    with pytest.raises(ContentErrors) as error:
        read_ledger(tmp_path)
    assert len(error.value.mistakes) == 2
