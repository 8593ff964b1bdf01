"""The load: so many connections at once, each with requests made beforehand, the next one sent when the last is answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from typing import cast

import msgspec
import uvloop


class Outcome(msgspec.Struct, frozen=True):
    """What came of a load."""

    seconds: float
    """From the first request to the last answer."""
    latencies: list[float]
    """Of all requests, in seconds, in no order."""
    bodies: list[list[bytes]]
    """The answers, by connection."""


class LoadFailed(Exception):
    """A request was not answered with 201. The message is the answer."""


class Connection(asyncio.Protocol):
    """One connection. Reads no more of HTTP than status and length, so that it costs little beside the server."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.latencies: list[float] = []
        self.bodies: list[bytes] = []
        self._requests = requests
        self._received = b""
        self._sent_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to send."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The server hung up."""
        if not self.done.done():
            self.done.set_exception(exc or LoadFailed("the connection was closed"))

    def send(self) -> None:
        """Send the next request."""
        self._sent_at = time.perf_counter()
        self.transport.write(self._requests[len(self.bodies)])

    def data_received(self, data: bytes) -> None:
        """Take an answer, whole or in pieces."""
        received = self._received = self._received + data
        head, found, body = received.partition(b"\r\n\r\n")
        if not found:
            return
        at = head.lower().index(b"content-length:") + len(b"content-length:")
        if len(body) < int(head[at:].partition(b"\r\n")[0]):
            return
        self.latencies.append(time.perf_counter() - self._sent_at)
        self._received = b""
        self.bodies.append(body)
        if not head.startswith(b"HTTP/1.1 201"):
            self.done.set_exception(LoadFailed(received.decode(errors="replace")))
        elif len(self.bodies) < len(self._requests):
            self.send()
        else:
            self.done.set_result(None)


def run(address: str, requests: Sequence[Sequence[bytes]]) -> Outcome:
    """Send requests over one connection for each row.

    Args:
        address: `http://host:port`.
        requests: by connection, whole requests with head and body.

    Raises:
        LoadFailed: something else than 201 was answered.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_run(address, requests))


async def _run(address: str, requests: Sequence[Sequence[bytes]]) -> Outcome:
    host, _, port = address.removeprefix("http://").partition(":")
    loop = asyncio.get_running_loop()
    opened = [await loop.create_connection(partial(Connection, row), host, int(port)) for row in requests]
    connections = [connection for _, connection in opened]
    begun = time.perf_counter()
    for connection in connections:
        connection.send()
    await asyncio.gather(*[connection.done for connection in connections])
    seconds = time.perf_counter() - begun
    latencies = [latency for connection in connections for latency in connection.latencies]
    return Outcome(seconds, latencies, [connection.bodies for connection in connections])


def request(path: str, token: str, key: str, body: bytes) -> bytes:
    """A whole POST request, as a plain HTTP client would send it; without a token, or a key, if that is empty."""
    shown = f"Authorization: Bearer {token}\r\n" if token else ""
    once = f"Idempotency-Key: {key}\r\n" if key else ""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: omenlog-bench\r\n"
        f"{shown}{once}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def upgrade(path: str, token: str = "") -> bytes:
    """A request that opens a WebSocket."""
    shown = f"Authorization: Bearer {token}\r\n" if token else ""
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{shown}\r\n"
    )
    return head.encode()


def frame(text: bytes) -> bytes:
    """A text frame of a client, under a mask of zeros."""
    size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2)
    return b"\x81" + size + bytes(4) + text


class WebSocket(asyncio.Protocol):
    """One WebSocket. Reads no more of its frames than how long they are, so that it costs little beside the server."""

    def __init__(self, asked: bytes) -> None:
        self._asked = asked
        self._received = bytearray()
        self._upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._asked)

    def connection_lost(self, exc: Exception | None) -> None:
        """The server hung up."""
        self.failed(exc or LoadFailed("the connection was closed"))

    def hear(self, text: bytes) -> None:
        """Take a message."""
        raise NotImplementedError

    def failed(self, why: Exception) -> None:
        """Nothing more will come."""
        raise NotImplementedError

    def data_received(self, data: bytes) -> None:
        """Take what came, as far as it is whole."""
        received = self._received
        received += data
        if not self._upgraded:
            head, found, rest = bytes(received).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head:
                self.failed(LoadFailed(head.decode(errors="replace")))
                return
            self._upgraded = True
            received[:] = rest
        while len(received) >= 2:
            begin, size = 2, received[1]
            if size == 126:
                begin, size = 4, int.from_bytes(received[2:4], "big")
            elif size == 127:
                begin, size = 10, int.from_bytes(received[2:10], "big")
            if len(received) < begin + size:
                return
            text = bytes(received[begin : begin + size])
            del received[: begin + size]
            self.hear(text)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share (0 to 1) of all values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
