"""How much a caller may ask for: a bucket of requests for each token or address, refilled as time passes.

Every answer says what its caller has left, by the headers of the IETF's draft (draft-ietf-httpapi-ratelimit-headers): a policy of `q` requests
in `w` seconds, of which `r` are left and all again after `t` seconds.
"""

from __future__ import annotations

import ipaddress
import math
import time
from contextvars import ContextVar
from functools import lru_cache

from service.problems import ProblemError
from service.settings import Settings
from service.shared import Shared, key

MOST = 20_000
"""Addresses whose network is remembered."""

DAY = 86_400
NETWORK = 64
"""Bits of an address of the newer kind that are one customer's."""

POLICY, LEFT = b"ratelimit-policy", b"ratelimit"


class Taken:
    """The bucket that a request was taken from, if it was."""

    def __init__(self) -> None:
        self.by: tuple[Buckets, str | bytes] | None = None
        """Of several, the last one says what the caller has left: it belongs to what was shown."""

    def headers(self) -> list[tuple[bytes, bytes]] | None:
        """What the caller has left, empty if there is no limit; None if the request was taken from no bucket."""
        return None if self.by is None else self.by[0].headers(self.by[1])


_taken: ContextVar[Taken | None] = ContextVar("taken", default=None)


def follow() -> Taken:
    """From now on note what is taken for the request that is being answered."""
    taken = Taken()
    _taken.set(taken)
    return taken


class Buckets:
    """Token buckets by name, those of all workers. One that was forgotten is full, which only ever errs in the caller's favor."""

    def __init__(self, policy: str, rate: float, burst: int, shared: Shared) -> None:
        """Refill `rate` a second up to `burst`; a rate of 0 is no limit. The policy is named in answers."""
        self._policy = policy.encode()
        self._rate = rate
        self._burst = float(max(burst, 1))
        self._lock = shared.lock
        self._table = shared.table(POLICIES.index(policy))
        window = math.ceil(self._burst / rate) if rate else 0
        self._said = b'"%b";q=%d;w=%d' % (self._policy, self._burst, window)

    def take(self, name: str | bytes) -> None:
        """Take one request from the bucket of an address, or of a token by its digest. Raises `too-many-requests`, with the seconds to wait."""
        taken = _taken.get()
        if taken is not None:
            taken.by = (self, name)
        if not self._rate:
            return
        of = key(name)
        with self._lock:
            now = time.monotonic()
            row = self._table.find(of)
            left = self._left(row, now)
            if left >= 1:
                if row < 0:
                    row = max(self._table.group(of), key=lambda one: self._left(one, now))
                self._table.put(row, of, left - 1, now)
                return
        wait = math.ceil((1 - left) / self._rate)
        raise ProblemError(
            "too-many-requests", f"Try again in {wait} s.", headers={"Retry-After": str(wait)}, retry_after=wait
        )

    def headers(self, name: str | bytes) -> list[tuple[bytes, bytes]]:
        """What is left in a bucket, for an answer; empty if there is no limit."""
        if not self._rate:
            return []
        left = self._left(self._table.find(key(name)), time.monotonic())
        full = math.ceil((self._burst - left) / self._rate)
        return [(POLICY, self._said), (LEFT, b'"%b";r=%d;t=%d' % (self._policy, left, full))]

    def _left(self, row: int, now: float) -> float:
        """What is in a bucket, full where there is none."""
        if row < 0:
            return self._burst
        left, since = self._table.get(row)
        return min(self._burst, left + (now - since) * self._rate)


POLICIES = ("token", "address", "accounts")
"""Each has a table of its own."""


class Limits:
    """All buckets of a service."""

    def __init__(self, settings: Settings, shared: Shared) -> None:
        self.tokens = Buckets("token", settings.token_rate, settings.token_burst, shared)
        self.anonymous = Buckets("address", settings.anonymous_rate, settings.anonymous_burst, shared)
        self.accounts = Buckets("accounts", settings.accounts_per_address / DAY, settings.accounts_per_address, shared)


@lru_cache(maxsize=MOST)
def customer(address: str) -> str:
    """The address, or the network in which whoever has one can take as many as they like."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), NETWORK), strict=False))
