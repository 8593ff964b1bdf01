"""Patterns of text from outside: written and published as `^…$`, and matched here from the first character to the last.

In JSON Schema (ECMA-262) `$` is the end of the text. In Python it also matches before a line feed that ends it, so every pattern
goes through `whole` before Python sees it.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from typing import Any

CONTROLS = r"\x00-\x1f\x7f-\x9f"
"""Of a character class: what steers a terminal, tabs and line breaks among it."""
INVISIBLE = (
    CONTROLS  # from here on what has no width, and fillers
    + r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufeff\ufff9-\ufffb"
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line ends, bidirectional
)
"""Of a character class: what shows nothing, or changes the order in which the rest is shown."""
BLANK = r"\x20\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
"""Of a character class: what is seen as a gap."""
_SEEN = rf"[^{INVISIBLE}{BLANK}]"
LINE = rf"^[{BLANK}]*{_SEEN}[^{INVISIBLE}]*$"
"""A line of text for people: not blank, and nothing in it that nobody sees."""
_LINE_BREAK = (r"\x00-\x1f", r"\x00-\x09\x0b-\x1f")
LINES = rf"^[\n{BLANK}]*{_SEEN}[^{INVISIBLE.replace(*_LINE_BREAK)}]*$"
"""The same of one line or more."""
TALK = rf"^[\n\t{INVISIBLE[len(CONTROLS) :]}{BLANK}]*{_SEEN}[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"
"""What people tell each other: not blank, and no control characters but tabs and line breaks; emoji and some scripts have joiners in them."""
_UNSEEN = re.compile(rf"(?!\n)[{INVISIBLE}\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")
"""The same with the formats and tags beyond the first plane; line breaks are left to texts that may have paragraphs."""
_STEERS = re.compile(r"(?![\n\t])[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal obeys in place of showing it: controls, and what turns the order of characters round."""
_PICTURES = 0x2400
"""Here Unicode has a picture of each control character of ASCII."""
_DELETE, _DELETED, _UNKNOWN = 0x7F, "\u2421", "\ufffd"

_END = r"\Z"


def whole(pattern: str) -> str:
    """The pattern as Python has to have it.

    Raises:
        ValueError: it isn't `^…$`.
    """
    if not (pattern.startswith("^") and pattern.endswith("$")):
        raise ValueError(f"{pattern} is not anchored at both ends")
    return pattern[:-1] + _END


def unseen(text: str) -> str:
    """The first character of a text that nobody sees, or that changes how the rest is shown, by number and name; nothing if there is none."""
    found = None if text.isprintable() and text.isascii() else _UNSEEN.search(text)
    if found is None:
        return ""
    return f"U+{ord(found[0]):04X} ({unicodedata.name(found[0], 'a control character').lower()})"


def displayable(text: str) -> str:
    """The text as a terminal can show it without obeying it; each character stays one, so that columns and styles still fit."""
    return _STEERS.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    sign = ord(found[0])
    if sign == _DELETE:
        return _DELETED
    return chr(_PICTURES + sign) if sign < _DELETE else _UNKNOWN


def published(schema: Any) -> Any:  # noqa: ANN401 -- any piece of a JSON Schema
    """A schema with its patterns as they were written."""
    if isinstance(schema, list):
        return [published(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _written(value) if key == "pattern" else published(value) for key, value in schema.items()}


def _written(pattern: Any) -> Any:  # noqa: ANN401 -- a pattern, or a member that is called so
    if not isinstance(pattern, str):
        return published(pattern)
    return pattern[: -len(_END)] + "$" if pattern.endswith(_END) else pattern


LOOKS = {
    r"^[A-Za-z][A-Za-z0-9.]{0,59}$": "letters and digits, such as `Moved`, 60 characters at most",
    LINE: "a line of text without invisible characters, and not blank",
    LINES: "text without invisible characters, and not blank",
    TALK: "text without control characters, and not blank",
    "^[a-z][a-z0-9-]{0,39}$": "lower-case letters, digits and hyphens, such as `my-pack`, 40 characters at most",
    "^[a-z][a-z0-9-]*$": "lower-case letters, digits and hyphens, such as `my-pack`",
    "^[a-z][a-z-]{0,39}$": "lower-case letters and hyphens, such as `illegal-command`",
    "^[a-z0-9][a-z0-9+#@:._/-]*$": "lower-case letters, digits and any of `+#@:._/-`, such as `card:bell`",
    "^[A-Za-z0-9][A-Za-z0-9._-]*$": "letters, digits and any of `._-`, such as `heroes.actions.LIGHT`",
    "^[a-z2-7]{20}$": "20 lower-case letters and digits from 2 to 7",
    "^(own:)?([a-z2-7]{20}):([0-9]{1,4})$": "the `next` of a page, as it was given",
    "^card:[a-z0-9][a-z0-9-]*#[A-Z][A-Z0-9-]*$": "a card and one of its words, such as `card:bottle#DRINK`",
    "^[A-Z][A-Z0-9-]*$": "capital letters, digits and hyphens, such as `DRINK`",
    "^[A-Za-z0-9_-]+$": "letters, digits, hyphens and underscores",
    "^[A-Za-z0-9+/=_-]*$": "Base64",
    "^[0-9a-f]{64}$": "64 hexadecimal digits in lower case",
    "^([0-9a-f]{64})?$": "64 hexadecimal digits in lower case, or nothing",
    "^(0|[1-9][0-9]*)$": "a whole number, such as `12`",
    r"^(0|[1-9][0-9]?)(\+|-(0|[1-9][0-9]?))?$": "a result, such as `5+`, `2-4` or `0`",
    "^[0-9]{1,9}$": "a number of 9 digits at most",
    "^[0-9]{1,3}-[0-9]{1,6}$": "two numbers and a hyphen, such as `1-12`",
    **dict.fromkeys(
        (
            r"^(2E|3E|LEG|PBP)-[A-Z][A-Z0-9]*-\d{3}$",
            "^[A-Z0-9]{2,3}-[A-Z0-9]+-[0-9]{3}$",
            "^[A-Z0-9]{2,4}-[A-Z0-9]+-[0-9]{3}$",
        ),
        "a rule's id, such as `2E-MOVE-003`",
    ),
}
"""What texts that a pattern takes look like; one that lists words tells these."""
_WORDS = re.compile(r"\^\(([a-z0-9:|\[\]-]+)\)\$")
_PATTERN = re.compile(r"""`str` matching regex (?P<shown>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
_KINDS = re.compile(
    r"`([a-z]+(?: \| [a-z]+)*)`(?: of length (?:([<>])= )?(\d+)| ([<>])= ([-+.e\d]+))?(?:, got `([a-z]+)`)?"
)
_NAMES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_PARTS = {"str": "character", "array": "item", "object": "member"}
"""What the length of a text, a list or an object counts."""
_PHRASES = (
    (re.compile(r"^Object missing required field (`.*`)$"), r"\1 is missing"),
    (re.compile(r"^Object contains unknown field (`.*`)$"), r"There is no field \1"),
    (re.compile(r"^Invalid enum value "), "Invalid value "),
    (re.compile(r"^Invalid base64 .*$"), "Expected Base64"),
)


def told(message: str) -> str:
    """A decoder's message in words: `Expected a whole number, at least 1, at /to`."""
    words, pointer = told_at(message)
    return f"{words}, at {pointer}" if pointer else words


def told_at(message: str) -> tuple[str, str]:
    """What a decoder says in words, and where, as a JSON Pointer; empty: of all that it read."""
    said, _, path = message.partition(" - at `")
    pointer = "".join(f"/{name or index}" for name, index in re.findall(r"\.([^.\[\]`]+)|\[([^\]]+)\]", path))
    for phrase, words in _PHRASES:
        said = phrase.sub(words, said)
    if said.startswith("Expected "):
        said = _PATTERN.sub(lambda found: _look(_written(ast.literal_eval(found["shown"]))), said)
        said = _KINDS.sub(_kind, said)
    return said, pointer


def _kind(found: re.Match[str]) -> str:
    kinds, side, length, bound, number, got = found.groups()
    words = " or ".join(_NAMES.get(one, one) for one in kinds.split(" | "))
    if length is not None:
        most = {"<": "at most ", ">": "at least ", None: ""}[side]
        return f"{words} of {most}{length} {_PARTS.get(kinds, 'item')}{'' if length == '1' else 's'}"
    if number is not None:
        return f"{words}, at {'most' if bound == '<' else 'least'} {number.removesuffix('.0')}"
    if got is None:
        return words
    fraction = got == "float" and "int" in kinds
    return f"{words}, not {'one with a fraction' if fraction else _NAMES.get(got, got)}"


def _look(pattern: str) -> str:
    """What a text looks like that matches; of a pattern that nothing is known of, the pattern."""
    if words := _WORDS.fullmatch(pattern):
        return f"one of {', '.join(words[1].replace('seat:[0-5]', 'seat:0 to seat:5').split('|'))}"
    return LOOKS.get(pattern, f"text that matches `{pattern}`")
