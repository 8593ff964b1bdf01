"""A bare Litestar application that gives every body back, served as the service is: uvicorn, uvloop, httptools."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
import uvloop
from litestar import Litestar, post
from litestar.params import JSONBody


@post("/v1/games/{game:str}/commands")
async def give_back(data: JSONBody[dict[str, Any]]) -> dict[str, Any]:
    """The body comes, is decoded, and goes out again."""
    return data


def main() -> None:
    """Serve until the process is ended."""
    app = Litestar([give_back], openapi_config=None, logging_config=None)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, server_header=False))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(server.serve([listening]))


if __name__ == "__main__":
    main()
