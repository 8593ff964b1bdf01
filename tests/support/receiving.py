"""A receiver of webhooks for tests: a real server that agrees to be sent to, notes what comes, and answers as it is told."""

from __future__ import annotations

import base64
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PATIENCE = 60.0
"""Seconds to wait for what must come."""


class Reply(msgspec.Struct, frozen=True):
    """What is answered to a message."""

    status: int = 204
    headers: dict[str, str] = {}
    wait: float = 0.0
    """Seconds before the answer."""


class Got(msgspec.Struct, frozen=True):
    """A message as it came."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def number(self) -> int:
        number: int = self.json["data"]["number"]
        return number

    @property
    def json(self) -> Any:  # noqa: ANN401 -- JSON
        return json.loads(self.body)


Answering = Callable[[Got], Reply]


class Receiver:
    """What came, in its order."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/hook"
        self.got: list[Got] = []
        """All messages."""
        self.taken: list[Got] = []
        """Those that are, or are just being, answered with a 2xx."""
        self.asked: list[dict[str, str]] = []
        """The headers of each OPTIONS."""
        self.agrees: dict[str, str] = {"WebHook-Allowed-Origin": "*"}
        """The headers that answer OPTIONS."""
        self.answering: Answering = lambda _: Reply()
        self.news = threading.Condition()

    def numbers(self) -> list[int]:
        """The commits that were taken, in the order in which they were."""
        return [one.number for one in self.taken]

    def wait(self, true: Callable[[], bool]) -> None:
        """Wait until something holds of what came."""
        with self.news:
            assert self.news.wait_for(true, PATIENCE), [(one.id, one.at) for one in self.got][-10:]

    def wait_for(self, count: int) -> None:
        """Wait until so many were taken."""
        self.wait(lambda: len(self.taken) >= count)


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Receive on a free port of the loopback."""
    found: list[Receiver] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_OPTIONS(self) -> None:
            found[0].asked.append(_lower(self.headers))
            self._answer(Reply(204, found[0].agrees))

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if len(body) < length:
                self.close_connection = True  # whoever sent it was killed amid it
                return
            got = Got(self.path, _lower(self.headers), body, time.time())
            receiver = found[0]
            with receiver.news:
                receiver.got.append(got)
                receiver.news.notify_all()
            reply = receiver.answering(got)
            time.sleep(reply.wait)
            if reply.status < 300:
                with (
                    receiver.news
                ):  # before the answer: what that sets off may come by another connection, to another thread
                    receiver.taken.append(got)
                    receiver.news.notify_all()
            self._answer(reply)

        def _answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 204:
                self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Whoever was killed while we answered does not read the answer."""

    with Server(("127.0.0.1", 0), Handler) as server:
        found.append(Receiver(server.server_address[1]))
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
            found[0].url = found[0].url.replace("http:", "https:")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield found[0]
        finally:
            server.shutdown()
            thread.join()


def _lower(headers: Any) -> dict[str, str]:  # noqa: ANN401 -- of http.server
    return {name.lower(): value for name, value in headers.items()}


def verified(got: Got, public_key: str) -> bool:
    """Whether a `v1a` signature of a message holds."""
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    signed = f"{got.id}.{got.headers['webhook-timestamp']}.".encode() + got.body
    for one in got.headers["webhook-signature"].split():
        version, _, text = one.partition(",")
        try:
            if version == "v1a":
                key.verify(base64.b64decode(text), signed)
                return True
        except InvalidSignature:  # of another key
            continue
    return False
