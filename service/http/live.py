"""Sending to one reader who may be slow: nothing is built up for it, it is told that it was too slow, and then let go."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec
from litestar import Response
from litestar.types import Message, Receive, Scope, Send

from service.games.follow.streams import End, EndData, Item, News, Notice, Stream

_encode = msgspec.json.Encoder().encode

ABORT = "omenlog.abort"
"""The extension of our server by which a connection is dropped with all that its reader hasn't accepted."""
CHUNK = "omenlog.chunk"
"""The extension of our server that writes without waiting: a chunk of an answer's body, framed as HTTP/1.1 frames it, or a frame of a WebSocket.
It is a function that gives False, and has written nothing, while the reader has not accepted what was written before."""
SSE = "text/event-stream"
RETRY = b"retry: 2000\n\n"
"""How long a client waits before it connects again, in milliseconds."""


class Outlet:
    """The way to one reader. A reader who accepts nothing for `stall` seconds is late: nothing new is sent to it.

    The server holds 64 KiB for a reader and then lets `send` wait; so a late one has at most that, and what was being
    sent, to come. What is said last waits behind it for as long again; then the connection is dropped.
    """

    def __init__(self, scope: Scope, send: Send, stall: float) -> None:
        extensions: dict[str, Any] = scope.get("extensions") or {}
        self._abort: Callable[[], None] | None = extensions.get(ABORT)
        self._write: Callable[[bytes], bool] | None = extensions.get(CHUNK)
        self._send = send
        self._stall = stall
        self._since: float | None = None
        self._clock = asyncio.get_running_loop().time
        self.late = False

    async def send(self, message: Message) -> bool:
        """Send; whether the reader has kept up so far."""
        self._since = self._clock()
        await self._send(message)
        self._since = None
        return not self.late

    def write(self, piece: bytes) -> bool:
        """Send a chunk or frame of a stream that has begun, without waiting; False where the server can't do that, or not now."""
        return self._write is not None and self._write(piece)

    async def until_done(self, *tasks: asyncio.Task[None]) -> None:
        """Wait until one of the tasks is done, or the reader is given up; all others are then canceled."""
        try:
            while True:
                done, _ = await asyncio.wait(tasks, timeout=self._stall / 4, return_when=asyncio.FIRST_COMPLETED)
                if done or self._given_up():
                    return
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _given_up(self) -> bool:
        waited = 0.0 if self._since is None else self._clock() - self._since
        self.late = self.late or waited > self._stall
        if waited <= 2 * self._stall:
            return False
        if self._abort is not None:
            self._abort()
        return True


class LiveStream(Response[Any]):
    """An answer that stays open: server-sent events as they come, until the stream ends or the reader is gone."""

    def __init__(self, stream: Stream, stall: float, add: Callable[[bytes], bytes] | None = None) -> None:
        """Send what the stream tells, or what `add` makes of each commit, which is asked in their order."""
        super().__init__(None)
        self._stream = stream
        self._add = add
        self._stall = stall

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401 -- what Litestar hands over serves answers that it encodes
        return self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        outlet = Outlet(scope, send, self._stall)
        try:
            await outlet.until_done(asyncio.create_task(self._tell(outlet)), asyncio.create_task(_gone(receive)))
        finally:
            self._stream.close()

    async def _tell(self, outlet: Outlet) -> None:
        headers = [
            (b"content-type", SSE.encode()),
            (b"cache-control", b"private, no-store"),
            (b"vary", b"Authorization, Accept"),
        ]
        await outlet.send({"type": "http.response.start", "status": 200, "headers": headers})
        await outlet.send(_body(RETRY))

        def take(news: News | Notice) -> bool:
            return outlet.write(framed(news, _chunk))

        async with contextlib.aclosing(self._stream.items(None if self._add else take)) as items:
            async for one in items:
                item = News(one.cursor, self._add(one.event)) if self._add and isinstance(one, News) else one
                in_time = await outlet.send(_body(framed(item, sse)))
                if not in_time and not isinstance(item, End | Notice):
                    await outlet.send(_body(sse(End(item.cursor, "too-slow"))))
                    break
        await outlet.send(_body(b"", more=False))


def framed(item: Item, form: Callable[[Item], bytes]) -> bytes:
    """An item as `form` writes it; of news and notices it is asked once, however many are sent them."""
    if not isinstance(item, News | Notice):
        return form(item)
    made = item.frames.get(form)
    if made is None:
        made = item.frames[form] = form(item)
    return made


def sse(item: Item) -> bytes:
    """An item as a server-sent event; its id is the cursor from which to go on, and a notice has none."""
    if isinstance(item, News):
        return b"id: %b\nevent: commit\ndata: %b\n\n" % (str(item.cursor).encode(), item.event)
    if isinstance(item, Notice):
        return b"event: %b\ndata: %b\n\n" % (item.kind.encode(), item.body)
    if isinstance(item, End):
        data = _encode(EndData(reason=item.reason, cursor=item.cursor))
        return b"id: %b\nevent: end\ndata: %b\n\n" % (str(item.cursor).encode(), data)
    return b":\n\n"


def _chunk(item: Item) -> bytes:
    event = framed(item, sse)
    return b"%x\r\n%b\r\n" % (len(event), event)


def _body(body: bytes, *, more: bool = True) -> Any:  # noqa: ANN401 -- one of ASGI's messages
    return {"type": "http.response.body", "body": body, "more_body": more}


async def first_news(stream: Stream, seconds: float, receive: Receive) -> None:
    """Wait until a stream tells something or ends, for so many seconds at most, and no longer than its reader is there."""
    tasks = (asyncio.create_task(_next(stream)), asyncio.create_task(_gone(receive)))
    try:
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _next(stream: Stream) -> None:
    async with contextlib.aclosing(stream.items()) as items:
        async for item in items:
            if isinstance(item, News | End):
                return


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
