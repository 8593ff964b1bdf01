"""Around the whole application: every request gets an id, is counted, and is told in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.metrics import Metrics

HEADER = b"x-request-id"
REQUEST_ID = re.compile(rb"[A-Za-z0-9_.:-]{1,64}")
"""An id that a proxy gave; another one is not taken over."""
VERSION = re.compile(rb'"([0-9]+)"')

log = logging.getLogger("omenlog.requests")


class Observed:
    """Passes everything on, and takes note."""

    def __init__(self, app: ASGIApp, metrics: Metrics, *, told: bool) -> None:
        """Stand before an ASGI application; `told` writes a line for each request into the log."""
        self._app = app
        self._metrics = metrics
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, as an ASGI application."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        request = _given(scope) or secrets.token_hex(8).encode()

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (HEADER, request)]
                seconds = time.perf_counter() - begun
                self._metrics.answered(scope["path"], scope["method"], message["status"], seconds)
                if self._told:
                    _tell(scope, message["status"], list(message["headers"]), seconds, request, self._metrics)
            await send(message)

        await self._app(scope, receive, watched)


def _given(scope: HTTPScope) -> bytes | None:
    """The id that came with the request, if it is one."""
    found = next((value for name, value in scope["headers"] if name == HEADER), None)
    return found if found is not None and REQUEST_ID.fullmatch(found) else None


def _tell(
    scope: HTTPScope, status: int, headers: list[tuple[bytes, bytes]], seconds: float, request: bytes, metrics: Metrics
) -> None:
    """A line in the log: no query, no header, no body, where secrets might be; of the path its template and the game."""
    route = metrics.route(scope["path"])
    told: dict[str, object] = {
        "request": request.decode(),
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(1000 * seconds, 2),
    }
    if route.startswith("/v1/games/{game}"):
        told["game"] = scope["path"].split("/")[3]
        tag = next((value for name, value in headers if name.lower() == b"etag"), b"")
        version = VERSION.fullmatch(tag)
        if version is not None:
            told["commit"] = int(version[1])
    log.info("%s %s %d", scope["method"], route, status, extra={"told": told})
