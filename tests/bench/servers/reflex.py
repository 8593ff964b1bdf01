"""A server that answers whatever comes with the same few bytes: the rate of its answers is the client's own limit."""

from __future__ import annotations

import asyncio
from typing import cast

import uvloop

ANSWER = b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}"


class Reflex(asyncio.Protocol):
    """One connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to answer."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:  # noqa: ARG002 -- asyncio gives it
        """Answer. The client sends its next request after the answer, so what comes is always one whole request."""
        self._transport.write(ANSWER)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(Reflex, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


def main() -> None:
    """Serve until the process is ended."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve())


if __name__ == "__main__":
    main()
