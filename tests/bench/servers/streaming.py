"""The peer of live streams: a bare Litestar application whose `Stream` sends each body that is posted to all who follow."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
import uvloop
from litestar import Litestar, Request, get, post
from litestar.response import Stream

_frames: list[bytes] = []
_waiting: set[asyncio.Event] = set()


@post("/frames")
async def publish(request: Request[Any, Any, Any]) -> dict[str, int]:
    """Keep the body, and wake whoever follows."""
    _frames.append(await request.body())
    for event in _waiting:
        event.set()
    return {"frames": len(_frames)}


@get("/frames")
async def follow() -> Stream:
    """All that is posted from now on."""
    return Stream(_told(len(_frames)), media_type="text/event-stream")


async def _told(cursor: int) -> AsyncIterator[bytes]:
    news = asyncio.Event()
    _waiting.add(news)
    try:
        yield b"retry: 2000\n\n"
        while True:
            news.clear()
            while cursor < len(_frames):
                yield _frames[cursor]
                cursor += 1
            await news.wait()
    finally:
        _waiting.discard(news)


def main() -> None:
    """Serve until the process is ended."""
    app = Litestar([publish, follow], openapi_config=None, logging_config=None)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(server.serve([listening]))


if __name__ == "__main__":
    main()
