"""Patterns: the whole text is matched, and what is published is what was written."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import pytest

from content.patterns import INVISIBLE, LINE, LINES, TALK, displayable, published, told, unseen, whole

ROOT = Path(__file__).parents[2]


def test_a_line_feed_behind_the_end_is_not_passed_over() -> None:
    assert re.search("^[a-z]+$", "ok\n"), "as Python has it"
    assert not re.search(whole("^[a-z]+$"), "ok\n")
    assert re.search(whole("^[a-z]+$"), "ok")


@pytest.mark.parametrize("pattern", ["[a-z]+", "^[a-z]+", "[a-z]+$"])
def test_a_pattern_is_anchored_at_both_ends(pattern: str) -> None:
    with pytest.raises(ValueError, match="is not anchored"):
        whole(pattern)


def test_the_pattern_is_published_and_told_as_it_was_written() -> None:
    schema = {"properties": {"pattern": {"type": "string", "pattern": whole("^a$")}, "b": [{"pattern": "^b$"}]}}
    shown = {"properties": {"pattern": {"type": "string", "pattern": "^a$"}, "b": [{"pattern": "^b$"}]}}
    assert published(schema) == shown
    assert told(f"Expected `str` matching regex {whole('^a$')!r}") == "Expected text that matches `^a$`"


def test_what_a_text_has_to_look_like_is_told_in_words() -> None:
    class Asked(msgspec.Struct):
        pack: Annotated[str, msgspec.Meta(pattern=whole("^[a-z][a-z0-9-]*$"))]
        trait: Annotated[str, msgspec.Meta(pattern=whole("^(might|speed)$"))] = "might"

    def said(**asked: str) -> str:
        with pytest.raises(msgspec.ValidationError) as refused:
            msgspec.convert(asked, Asked)
        return told(str(refused.value))

    pack = "Expected lower-case letters, digits and hyphens, such as `my-pack`, at /pack"
    assert said(pack="NOPE x") == said(pack="../../x") == pack
    assert said(pack="a", trait="luck") == "Expected one of might, speed, at /trait"


class Anything(msgspec.Struct, forbid_unknown_fields=True):
    """A body with something of every kind that a decoder refuses."""

    to: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    share: Annotated[float, msgspec.Meta(le=1)] = 1
    even: Annotated[int, msgspec.Meta(multiple_of=2)] = 2
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=3)] = "a"
    cards: Annotated[list[str], msgspec.Meta(min_length=1, max_length=2)] = msgspec.field(default_factory=lambda: ["a"])
    pair: tuple[int, int] = (1, 2)
    points: dict[Annotated[str, msgspec.Meta(max_length=5)], Annotated[int, msgspec.Meta(ge=0)]] = {}
    open: bool = True
    at: int | str | None = None
    side: Literal["heroes", "traitor"] = "heroes"
    within: list["Inner"] = []


class Inner(msgspec.Struct):
    """Something with a field that it must have."""

    word: str


@pytest.mark.parametrize(
    "body, words",
    [
        ('{"to": 0}', "Expected a whole number, at least 1, at /to"),
        ('{"to": 6}', "Expected a whole number, at most 5, at /to"),
        ('{"to": 1.5}', "Expected a whole number, not one with a fraction, at /to"),
        ('{"to": "a"}', "Expected a whole number, not text, at /to"),
        ('{"share": 2}', "Expected a number, at most 1, at /share"),
        ('{"even": 3}', "Expected a whole number that's a multiple of 2, at /even"),
        ('{"name": ""}', "Expected text of at least 1 character, at /name"),
        ('{"name": "long"}', "Expected text of at most 3 characters, at /name"),
        ('{"cards": []}', "Expected a list of at least 1 item, at /cards"),
        ('{"cards": {}}', "Expected a list, not an object, at /cards"),
        ('{"pair": [1]}', "Expected a list of 2 items, at /pair"),
        ('{"points": {"might": -1}}', "Expected a whole number, at least 0, at /points/..."),
        ('{"points": {"sanity": 1}}', "Expected text of at most 5 characters, at /points"),
        ('{"open": null}', "Expected true or false, not null, at /open"),
        ('{"at": []}', "Expected a whole number or text or null, not a list, at /at"),
        ('{"side": "house"}', "Invalid value 'house', at /side"),
        ('{"within": [{}]}', "`word` is missing, at /within/0"),
        ('{"too": 1}', "There is no field `too`"),
        ("[]", "Expected an object, not a list"),
    ],
)
def test_whatever_a_decoder_refuses_is_told_in_words(body: str, words: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(body, type=Anything)
    assert told(str(refused.value)) == words


def test_no_pattern_comes_to_python_but_through_whole() -> None:
    """Those in `content/authoring/schema.py` are published only."""
    found = []
    for folder in ("content", "domain", "omenlog", "projections", "service"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.relative_to(ROOT).as_posix() == "content/authoring/schema.py":
                continue
            lines = path.read_text().splitlines()
            found += [f"{path}:{n}" for n, line in enumerate(lines, 1) if re.search(r"""pattern=r?["']""", line)]
    assert not found


@pytest.mark.parametrize("text", ["a", "Zoë", "a b", "李", "\u0639\u0644\u064a", "\U0001f47b", "\u2764\ufe0f", " a "])
def test_a_line_holds_what_people_write(text: str) -> None:
    for pattern in (LINE, LINES, TALK):
        assert re.search(whole(pattern), text)


UNSEEN = [
    0x0,
    0x9,
    0xA,
    0xD,
    0x1F,
    0x7F,
    0x85,
    0xAD,
    0x61C,
    0x200B,
    0x200D,
    0x200E,
    0x2028,
    0x202E,
    0x2066,
    0x2060,
    0xFEFF,
    0x3164,
]


@pytest.mark.parametrize("code", UNSEEN)
def test_a_line_holds_nothing_that_nobody_sees(code: int) -> None:
    for text in (chr(code), f"a{chr(code)}", f"a{chr(code)}b", f"{chr(code)}b"):
        assert not re.search(whole(LINE), text)
    assert re.fullmatch(f"[{INVISIBLE}]", chr(code))


@pytest.mark.parametrize("code", UNSEEN)
def test_lines_hold_line_breaks_and_nothing_else_that_nobody_sees(code: int) -> None:
    for text in (f"a{chr(code)}", f"a{chr(code)}{chr(code)}b", f"{chr(code)}b"):
        assert bool(re.search(whole(LINES), text)) == (code == 0xA)
    assert not re.search(whole(LINES), f" {chr(code)} ")
    assert "text without invisible characters" in told(f"Expected `str` matching regex {whole(LINES)!r}")


@pytest.mark.parametrize("code", UNSEEN)
def test_talk_holds_joiners_and_lines_and_no_other_control_characters(code: int) -> None:
    for text in (f"a{chr(code)}", f"a{chr(code)}{chr(code)}b", f" {chr(code)}b"):
        assert bool(re.search(whole(TALK), text)) == (code in (0x9, 0xA) or code > 0x9F)
    assert not re.search(whole(TALK), f" {chr(code)} ")
    assert (
        told(f"Expected `str` matching regex {whole(TALK)!r}")
        == "Expected text without control characters, and not blank"
    )


@pytest.mark.parametrize("code", [code for code in UNSEEN if code != 0xA])
def test_what_nobody_sees_is_named_by_its_number(code: int) -> None:
    assert unseen(f"a{chr(code)}\n").startswith(f"U+{code:04X} (")


def test_a_terminal_is_given_nothing_that_it_obeys() -> None:
    text = "\x1b[31mred\x1b]0;x\x07\r\x9b2J\x7f \u202eb"
    assert displayable(text) == "\u241b[31mred\u241b]0;x\u2407\u240d\ufffd2J\u2421 \ufffdb"
    assert len(displayable(text)) == len(text)
    assert displayable("Zoë\n\tline \u2764\ufe0f") == "Zoë\n\tline \u2764\ufe0f"


@pytest.mark.parametrize("text", ["", " ", "  ", "\u00a0", "\u3000 \u2003", "\u2800"])
def test_no_text_is_blank(text: str) -> None:
    for pattern in (LINE, LINES, TALK):
        assert not re.search(whole(pattern), text)
        assert not re.search(whole(pattern), f"{text}\n\u200d{text}")


def test_a_name_that_is_refused_for_a_sign_that_nobody_sees_is_told_so() -> None:
    refused = told(f"Expected `str` matching regex {whole(LINE)!r}")
    assert refused == "Expected a line of text without invisible characters, and not blank"
