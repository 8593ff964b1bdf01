"""Outcome keys: `5+`, `2-4` and `0` beside a roll (2E-ROLL-004), `at-least` and `less` where it is against a number."""

import re
from functools import lru_cache
from typing import NamedTuple

AT_LEAST = "at-least"
LESS = "less"

_KEY = re.compile(r"(?P<low>0|[1-9]\d?)(?:(?P<open>\+)|-(?P<high>0|[1-9]\d?))?", re.ASCII)


class Span(NamedTuple):
    """The results that one outcome is for."""

    low: int
    high: int | None
    """The last result; None: anything higher, too."""

    def __contains__(self, result: object) -> bool:
        return isinstance(result, int) and self.low <= result and (self.high is None or result <= self.high)


@lru_cache(maxsize=512)
def parse(key: str) -> Span | None:
    """Read the key of an outcome.

    Args:
        key: `5+`, `2-4` or `0`; results are at least 0 and below 100.

    Returns:
        The results it is for, or None if it is not such a key (or goes backwards, as `4-2`).
    """
    match = _KEY.fullmatch(key)
    if match is None:
        return None
    low = int(match["low"])
    if match["open"]:
        return Span(low, None)
    high = int(match["high"] or low)
    return Span(low, high) if low <= high else None
