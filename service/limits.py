"""How much a caller may ask for: a bucket of requests for each token or address, refilled as time passes."""

from __future__ import annotations

import math
import time

from service.problems import ProblemError
from service.settings import Settings

MOST = 20_000
"""Buckets kept; beyond that all begin full again, which only ever errs in the caller's favor."""


class Buckets:
    """Token buckets by name."""

    def __init__(self, rate: int, burst: int) -> None:
        """Refill `rate` a second up to `burst`; a rate of 0 is no limit."""
        self._rate = rate
        self._burst = float(max(burst, 1))
        self._buckets: dict[str | bytes, tuple[float, float]] = {}

    def take(self, name: str | bytes) -> None:
        """Take one request out of a bucket: of an address, or of a token by its digest.

        Raises:
            ProblemError: `too-many-requests`, with the seconds until there is one again.
        """
        if not self._rate:
            return
        now = time.monotonic()
        left, since = self._buckets.get(name, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        if left < 1:
            wait = math.ceil((1 - left) / self._rate)
            raise ProblemError(
                "too-many-requests",
                f"Try again in {wait} s.",
                headers={"Retry-After": str(wait)},
                retry_after=wait,
            )
        if len(self._buckets) >= MOST:
            self._buckets.clear()
        self._buckets[name] = (left - 1, now)


class Limits:
    """All buckets of a service."""

    def __init__(self, settings: Settings) -> None:
        """As set."""
        self.tokens = Buckets(settings.token_rate, settings.token_burst)
        self.anonymous = Buckets(settings.anonymous_rate, settings.anonymous_burst)
