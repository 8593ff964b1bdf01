"""What comes from outside into a game: the time, ids and secrets. Injected, so that a test may fix them all."""

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
