"""Sending to the endpoints of others: a request goes out, an outcome comes back, and no endpoint can do harm by its answer."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import msgspec


class EndpointRefused(Exception):
    """An address is not to be used, or whoever is there did not agree. The message says why, in words for its owner."""


class Outcome(msgspec.Struct, frozen=True):
    """What became of a request."""

    status: int = 0
    """Of the answer; 0 where there was none."""
    error: str = ""
    """What went wrong, in words for the endpoint's owner; empty for a success."""
    retry_after: float = 0.0
    """Seconds that the endpoint asks to be left alone."""


class Line(Protocol):
    """A way to one endpoint whose address was found good; it leads there until it is closed."""

    async def send(self, headers: Mapping[str, str], body: bytes) -> Outcome:
        """Posts once. Whatever goes wrong outside is an outcome, never an exception."""
        ...


class Sender(Protocol):
    """Reaches endpoints."""

    async def ask(self, url: str) -> None:
        """Asks an endpoint whether it wants to be sent to.

        Raises:
            EndpointRefused: it did not agree, or its address is not to be used.
        """
        ...

    def line(self, url: str) -> AbstractAsyncContextManager[Line]:
        """Opens a way to an endpoint.

        Raises:
            EndpointRefused: its address is not to be used now (on entering).
        """
        ...

    async def close(self) -> None:
        """Lets go of everything."""
        ...
