"""An outside without chance and without a network, so that the same game is played each time."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from service.outside import Purpose
from service.webhooks.sender import EndpointRefused, Line, SendOutcome, parse


class Fixed:
    """`Outside` without chance: a clock that ticks by itself, ids and secrets that are digests of what they are for."""

    def __init__(self, salt: str = "", seed: str = "") -> None:
        """Begin at a fixed second.

        Args:
            salt: changes all ids and secrets.
            seed: changes seeds alone, so that two games differ in nothing but what chance does.
        """
        self._salt = salt
        self._seed = seed
        self._made: Counter[str] = Counter()

    def restart(self, salt: str) -> None:
        """Begin again with another salt."""
        self._salt = salt
        self._made.clear()

    def leap(self, seconds: int) -> None:
        """Let time pass."""
        self._made["now"] += seconds

    def now(self) -> str:
        """See `Outside.now`: a second later at each call, from the first of January 2026."""
        self._made["now"] += 1
        minutes, second = divmod(self._made["now"], 60)
        hours, minute = divmod(minutes, 60)
        return f"2026-01-{1 + hours // 24:02d}T{hours % 24:02d}:{minute:02d}:{second:02d}.000Z"

    def game_id(self) -> str:
        return base64.b32encode(self._next("game", ""))[:20].decode().lower()

    def secret(self, purpose: Purpose) -> bytes:
        return self._next(purpose, self._seed if purpose == "seed" else "")

    def _next(self, what: str, more: str) -> bytes:
        self._made[what] += 1
        return hashlib.sha256(f"{self._salt}:{what}:{self._made[what]}:{more}".encode()).digest()


class Nobody:
    """`Sender` that reaches nobody and finds everybody willing, but for this machine."""

    async def ask(self, url: str) -> None:
        if parse(url, private=False).host == "localhost":
            raise EndpointRefused("the host's name leads to an address that is not to be used")

    @asynccontextmanager
    async def line(self, url: str) -> AsyncIterator[Line]:  # noqa: ARG002 -- whoever it is for gets nothing
        yield self

    async def send(self, headers: Mapping[str, str], body: bytes) -> SendOutcome:  # noqa: ARG002 -- as above
        return SendOutcome(200)

    async def close(self) -> None:
        """See `Sender.close`."""
