"""A live stream read in process: the application is called as a server calls it, so that every chunk is seen as it is sent."""

import asyncio
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, cast

from litestar import Litestar

from service.http.live import CHUNK

PATIENCE = 10.0
"""Seconds that a chunk may take to come."""


class Stream:
    """A reader of server-sent events who accepts all and leaves when told to."""

    def __init__(
        self, app: Litestar, path: str, headers: Mapping[str, str], *, accepts: Callable[[], bool] | None = None
    ) -> None:
        """Connect.

        Args:
            app: the application.
            path: with the query, if there is one.
            headers: of the request; the stream's `Accept` comes on top.
            accepts: lets the application write without waiting, as our server does; says each time whether there is room.
        """
        self._accepts = accepts
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.chunks: list[bytes] = []
        self._asked = False
        self._news = asyncio.Event()
        self._left = asyncio.Event()
        self._call = asyncio.create_task(self._answer(app, path, {**headers, "Accept": "text/event-stream"}))
        self._call.add_done_callback(lambda _: self._news.set())

    async def _answer(self, app: Litestar, path: str, headers: Mapping[str, str]) -> None:
        path, _, query = path.partition("?")
        scope: Any = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("omenlog", 80),
            "extensions": {} if self._accepts is None else {CHUNK: self._chunk},
        }
        await cast("Any", app)(scope, self._receive, self._send)  # ASGI's own types name every message there is

    async def _receive(self) -> Any:  # noqa: ANN401 -- ASGI's messages are mappings of any shape
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = list(message["headers"])
        else:
            self.chunks.append(message["body"])
        self._news.set()

    def _chunk(self, framed: bytes) -> bool:
        if self._accepts is None or not self._accepts():
            return False
        size, _, rest = framed.partition(b"\r\n")
        assert rest[int(size, 16) :] == b"\r\n", "a chunk as HTTP/1.1 frames it"
        self.chunks.append(rest[:-2])
        self._news.set()
        return True

    async def ended(self) -> None:
        """Wait until the application has ended it."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.shield(self._call)

    async def until(self, number: int, after: int = 0) -> None:
        """Wait for the commit with this number; for the first chunk, if the stream begins behind it."""
        mark = b"id: %d\n" % number if number > after else b""
        async with asyncio.timeout(PATIENCE):
            while not any(mark in chunk for chunk in self.chunks) and not self._call.done():
                self._news.clear()
                await self._news.wait()

    async def leave(self) -> None:
        """Close the connection."""
        self._left.set()
        await self._call
