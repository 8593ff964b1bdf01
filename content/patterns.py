"""Patterns of text from outside: written and published as `^…$`, and matched here from the first character to the last.

In JSON Schema (ECMA-262) `$` is the end of the text. In Python it also matches before a line feed that ends it, so every pattern
goes through `whole` before Python sees it.
"""

from __future__ import annotations

from typing import Any

INVISIBLE = (
    r"\x00-\x1f\x7f-\x9f"  # controls
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufeff\ufff9-\ufffb"  # no width, or fillers
    r"\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, line ends, bidirectional
)
"""Of a character class: what shows nothing, or changes the order in which the rest is shown."""
BLANK = r"\x20\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
"""Of a character class: what is seen as a gap."""
LINE = rf"^[^{INVISIBLE}]*[^{INVISIBLE}{BLANK}][^{INVISIBLE}]*$"
"""A line of text for people: not blank, and nothing in it that nobody sees."""

_END = r"\Z"


def whole(pattern: str) -> str:
    """The pattern as Python has to have it.

    Raises:
        ValueError: it isn't `^…$`.
    """
    if not (pattern.startswith("^") and pattern.endswith("$")):
        raise ValueError(f"{pattern} is not anchored at both ends")
    return pattern[:-1] + _END


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


def told(message: str) -> str:
    """A decoder's message, which shows the pattern that doesn't match, with the pattern as it was written."""
    return message.replace(r"\\Z'", "$'").replace(r'\\Z"', '$"')
