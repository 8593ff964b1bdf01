"""The strict reading of YAML: what is a number, what stays text, where everything stands, what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest

from content.errors import ContentErrors, Finding, did_you_mean
from content.load.documents import MAX_DEPTH, MAX_NODES, Document

UNCLOSED = "a.yaml:2:1: not YAML: while parsing a flow sequence, did not find expected ',' or ']' (it begins in line 1)"
TWO_DOCUMENTS = (
    "a.yaml:2:1: not YAML: expected a single document in the stream, but found another document (it begins in line 1)"
)


@pytest.mark.parametrize(
    "text, data",
    [
        ("7", 7),
        ("+1", 1),
        ("-2", -2),
        ("0", 0),
        ("true", True),
        ("null", None),
        ("~", None),
        ('"7"', "7"),
        ("yes", "yes"),
        ("No", "No"),
        ("on", "on"),
        ("off", "off"),
        ("True", "True"),
        ("04-29", "04-29"),
        ("2010-01-02", "2010-01-02"),
        ("1.5", "1.5"),
        ("007", "007"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        (".inf", ".inf"),
        ("5+", "5+"),
        ("2-4", "2-4"),
        ("{on: 1, no: 2, 3: 4, 5+: 6, null: 7, true: 8}", {"on": 1, "no": 2, "3": 4, "5+": 6, "null": 7, "true": 8}),
        ("[&a {x: 1}, *a]", [{"x": 1}, {"x": 1}]),
        ("{<<: {x: 1}}", {"<<": {"x": 1}}),
        ("!!str 5", "5"),
        ("- one\n- two # said\n", ["one", "two"]),
    ],
)
def test_only_whole_numbers_true_false_and_null_are_more_than_text(text: str, data: object) -> None:
    assert Document("a.yaml", text).data == data
    assert type(Document("a.yaml", text).data) is type(data)


def test_a_place_counts_lines_and_characters_from_one() -> None:
    document = Document("a.yaml", "eins: 1\nzwölf: {ä: [x, é, y]}\n")
    assert str(document.mistake(Finding(("zwölf", "ä", 2), "here"))) == "a.yaml:2:19: here"
    assert str(document.mistake(Finding(("zwölf", "ä"), "here", key=True))) == "a.yaml:2:9: here"
    assert str(document.mistake(Finding(("eins",), "here", "there?"))) == "a.yaml:1:7: here: there?"


def test_what_is_not_written_counts_for_what_would_hold_it() -> None:
    document = Document("a.yaml", "tile:\n  id: attic\n")
    assert str(document.mistake(Finding(("tile", "doors", 0), "none"))) == "a.yaml:2:3: none"


def test_a_part_can_be_shown_as_it_is_written() -> None:
    document = Document("a.yaml", "do:\n  - roll: {dice: 1}   # how\n    outcomes:\n      1+: []\n  - {stop: turn}\n")
    assert document.source(("do", 0)) == "roll: {dice: 1}   # how\noutcomes:\n  1+: []"
    assert document.source(("do", 1)) == "{stop: turn}"


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "a.yaml:1:1: the file is empty"),
        ("# nothing\n", "a.yaml:1:1: the file is empty"),
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3:1: the key `a` is given twice: the first one stands in line 1"),
        ("{3: 1, '3': 2}", "a.yaml:1:8: the key `3` is given twice: the first one stands in line 1"),
        ("a: [1, 2", UNCLOSED),
        ("a: 1\n--- \nb: 2\n", TWO_DOCUMENTS),
        ("a: *b", "a.yaml:1:4: not YAML: found undefined alias"),
        ("a: &a [*a]", "a.yaml:1:4: an alias within what it stands for"),
        ("a: !!float 1.5", "a.yaml:1:4: the tag `tag:yaml.org,2002:float` has no meaning here"),
        ("a: !!int many", "a.yaml:1:4: the tag `tag:yaml.org,2002:int` has no meaning here"),
        ("a: !!set {b}", "a.yaml:1:4: the tag `tag:yaml.org,2002:set` has no meaning here"),
        ("a: 12345678901", "a.yaml:1:4: over 9 digits"),
        ("a: \x07", "a.yaml:1:1: not YAML: unacceptable character #x0007: control characters are not allowed"),
    ],
)
def test_what_goes_beyond_is_refused(text: str, told: str) -> None:
    with pytest.raises(ContentErrors) as error:
        Document("a.yaml", text)
    assert str(error.value) == told


@pytest.mark.parametrize(
    "text, place, sign",
    [
        (r'title: "My \e[31mred"', "1:8", "U+001B (a control character)"),
        (r'a: {b: "ding\a"}', "1:8", "U+0007 (a control character)"),
        ('- a: 1\n- "a\\tb": 2', "2:3", "U+0009 (a control character)"),
        (r'a: "\N"', "1:4", "U+0085 (a control character)"),
        ("a: My \u202etnuah", "1:4", "U+202E (right-to-left override)"),
        ("a: M\u200by", "1:4", "U+200B (zero width space)"),
        ("a: x\U000e0041", "1:4", "U+E0041 (tag latin capital letter a)"),
    ],
)
def test_characters_that_nobody_sees_are_refused_in_texts_and_keys(text: str, place: str, sign: str) -> None:
    with pytest.raises(ContentErrors) as error:
        Document("a.yaml", text)
    assert str(error.value) == (
        f"a.yaml:{place}: a character that is not shown, or that changes how others are shown: {sign}: "
        "leave it out; a text has letters, signs, spaces and line breaks"
    )


def test_a_text_has_paragraphs_emoji_and_letters_of_all_scripts() -> None:
    text = "a: |\n  Zoë, 李, \u0639\u0644\u064a.\n\n  \u2764\ufe0f\n"
    assert Document("a.yaml", text).data == {"a": "Zoë, 李, \u0639\u0644\u064a.\n\n\u2764\ufe0f\n"}


def test_everything_beyond_the_subset_is_told_at_once() -> None:
    with pytest.raises(ContentErrors) as error:
        Document("a.yaml", "a: !x 1\nb: 9999999999\na: 2\n")
    assert [mistake.line for mistake in error.value.mistakes] == [1, 2, 3]


def test_aliases_cannot_grow_without_bound() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(ContentErrors, match=f"over {MAX_NODES} nodes with all aliases written out"):
        Document("bomb.yaml", "\n".join(lines))


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused(opening: str) -> None:
    with pytest.raises(ContentErrors, match=f"nested more than {MAX_DEPTH} levels deep"):
        Document("deep.yaml", opening * 100_000)


def test_deep_nesting_by_aliases_is_refused() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 1_000)]
    with pytest.raises(ContentErrors, match=f"nested more than {MAX_DEPTH} levels deep"):
        Document("deep.yaml", "\n".join(lines))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ContentErrors, match="cannot be read: No such file"):
        Document.read(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: 1\nb: \xe9\n")
    with pytest.raises(ContentErrors, match=r"latin\.yaml:2:1: a byte that is not UTF-8"):
        Document.read(tmp_path / "latin.yaml")


def test_nothing_is_suggested_where_nothing_comes_near() -> None:
    assert did_you_mean("gian", ["gain", "lose"]) == "did you mean `gain`?"
    assert did_you_mean("GAIN", ["gain", "lose"]) == "did you mean `gain`?"
    assert did_you_mean("2e-move-1", ["2E-MOVE-001", "2E-PAST-001"]) == "did you mean `2E-MOVE-001`?"
    assert did_you_mean("xyz", ["gain", "lose"]) == ""


def test_without_libyaml_a_pack_is_the_same(small: Path) -> None:
    program = """
import sys, yaml
from pathlib import Path
if sys.argv[2] == "without":
    del yaml.CSafeLoader
from content.load.digest import digest, pack_bytes
from content.load.packs import load_pack
print(digest(pack_bytes(load_pack(Path(sys.argv[1])))))
"""
    run = [sys.executable, "-c", program, str(small)]
    digests = {subprocess.check_output([*run, how]) for how in ("with", "without")}
    assert len(digests) == 1
