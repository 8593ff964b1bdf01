"""What one round of one contestant gives, and how a contestant is written.

A contestant is a context manager: entering it prepares (imports, recorded games, a server), what it gives runs one round, and
leaving it cleans up. Each lives in a process of its own, so that no heap, cache or import of one weighs on another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

import msgspec


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """One round."""

    count: int
    """How many of the contestant's units were done."""
    seconds: float
    """Wall time that they took."""
    proofs: dict[str, str] = {}
    """Checksums over what was computed, by what they cover. The same name must always come with the same checksum."""
    notes: dict[str, float] = {}
    """Further figures of this round, by name."""

    @property
    def rate(self) -> float:
        """Units a second."""
        return self.count / self.seconds


Round = Callable[[], Sample]
Contestant = Callable[[int], AbstractContextManager[Round]]
"""Takes the scale, 1 to 10: how much of the work a round does, in tenths."""


def checksum(parts: Iterable[bytes]) -> str:
    """The first 16 hex digits of the SHA-256 over parts, each with its length."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()[:16]


def share(whole: int, scale: int) -> int:
    """So many tenths of the whole, at least 1."""
    return max(1, whole * scale // 10)
