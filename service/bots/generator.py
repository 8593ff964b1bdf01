"""Numbers for bots: HMAC-SHA256 over a seed and a context, the same on every machine, platform and version of Python."""

import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64


class Generator:
    """An endless row of numbers that depends on its seed and context only."""

    def __init__(self, seed: str, *context: object) -> None:
        """Begin the row.

        Args:
            seed: what makes two bots differ.
            context: what makes two moments of one bot differ, such as the version of the game that it looks at.
        """
        self._key = "\x00".join((seed, *map(str, context))).encode()
        self._drawn = 0

    def below(self, bound: int) -> int:
        """The next number from 0 to `bound` - 1, each equally likely as far as 64 bits can tell."""
        digest = hmac.digest(self._key, b"%d" % self._drawn, "sha256")
        self._drawn += 1
        return int.from_bytes(digest[:8], "big") * bound // _SPAN

    def chance(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.below(one_in) == 0

    def pick(self, things: Sequence[T]) -> T:
        """One of the things, each equally likely."""
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], at_least: int = 0) -> list[T]:
        """Some of the things, in their order: each or none of them equally likely, but `at_least` so many."""
        found = [thing for thing in things if self.below(2)]
        while len(found) < at_least:
            found = [thing for thing in things if thing in found or self.below(2)]
        return found
