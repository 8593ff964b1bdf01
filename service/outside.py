"""The outside of a game: the time, ids and secrets. Injected, so that a test may fix them all."""

import base64
import secrets
import time
from functools import lru_cache
from typing import Literal, Protocol

SECRET_BYTES = 32
"""Length of seeds, salts and keys."""

Purpose = Literal["seed", "seed-salt", "salt-key", "token-key", "token", "name-salt", "webhook-key", "world"]
"""What a secret is for; a test may fix some and vary others."""


class Outside(Protocol):
    """The clock and the source of everything that must be unguessable."""

    def now(self) -> str:
        """The time in UTC, ISO 8601 with milliseconds (`2026-01-02T03:04:05.678Z`)."""
        ...

    def game_id(self) -> str:
        """A fresh id for a game: 20 characters of lower-case base 32, 100 bits."""
        ...

    def secret(self, purpose: Purpose) -> bytes:
        """`SECRET_BYTES` fresh random bytes."""
        ...


@lru_cache(maxsize=2)
def _to_the_second(second: int) -> str:
    """Kept for the second, because every command of a busy service asks."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


class Machine:
    """`Outside` of a running service."""

    def now(self) -> str:
        second, millisecond = divmod(time.time_ns() // 1_000_000, 1_000)
        return f"{_to_the_second(second)}.{millisecond:03d}Z"

    def game_id(self) -> str:
        return base64.b32encode(secrets.token_bytes(13))[:20].decode().lower()

    def secret(self, purpose: Purpose) -> bytes:  # noqa: ARG002 -- for those who must tell secrets apart; here all are random
        return secrets.token_bytes(SECRET_BYTES)
