"""Around the whole application: every request gets an id, is counted, is told in the log, and is a span of a trace."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Iterable

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from service.http.incoming import GAME, header
from service.observability import METHODS, OTHER, REQUEST, Metrics, Traces

ID_HEADER = b"x-request-id"
REQUEST_ID = re.compile(rb"[A-Za-z0-9_.:-]{1,64}")
"""An id that a proxy gave; another one is not taken over."""
TRACE_PARENT = b"traceparent"
VERSION = re.compile(rb'"([0-9]+)(?:\.[^"]*)?"')
IN_A_GAME = "/v1/games/{game}"

log = logging.getLogger("omenlog.requests")


class Observed:
    """Passes everything on, and takes note."""

    def __init__(self, app: ASGIApp, metrics: Metrics, traces: Traces, *, told: bool) -> None:
        """Stand before an ASGI application; `told` writes a line for each request into the log."""
        self._app = app
        self._metrics = metrics
        self._traces = traces
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, as an ASGI application."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        request = request_id(scope["headers"])
        REQUEST.set(request.decode())
        method = scope["method"] if scope["method"] in METHODS else OTHER
        route = self._metrics.route(scope["path"])
        with self._traces.request(f"{method} {route}", header(scope, TRACE_PARENT)) as span:

            async def watched(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message["headers"] = [*message["headers"], (ID_HEADER, request)]
                    seconds = time.perf_counter() - begun
                    self._metrics.answered(route, method, message["status"], seconds)
                    if self._told:
                        told = {"method": method, "route": route, "status": message["status"]}
                        told |= {"ms": round(1000 * seconds, 2), **_place(scope, route, message)}
                        log.info("%s %s %d", method, route, message["status"], extra={"told": told})
                    if span is not None:
                        span(_attributes(method, route, message["status"], _place(scope, route, message)))
                await send(message)

            await self._app(scope, receive, watched)


def request_id(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The id that came with a request, if it is one, or else a new one."""
    found = next((value for name, value in headers if name == ID_HEADER and REQUEST_ID.fullmatch(value)), None)
    return found or secrets.token_hex(8).encode()


def _place(scope: HTTPScope, route: str, answer: HTTPResponseStartEvent) -> dict[str, str | int]:
    """Which game and commit it was about: of the path nothing else, for people paste anything into an address."""
    if not route.startswith(IN_A_GAME):
        return {}
    game = scope["path"].split("/")[3]
    if re.fullmatch(GAME, game) is None:
        return {}
    tag = next((value for name, value in answer["headers"] if name.lower() == b"etag"), b"")
    version = VERSION.fullmatch(tag)
    return {"game": game} if version is None else {"game": game, "commit": int(version[1])}


def _attributes(method: str, route: str, status: int, place: dict[str, str | int]) -> dict[str, str | int]:
    """By the names of OpenTelemetry's conventions where there is one."""
    told: dict[str, str | int] = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "omenlog.request": REQUEST.get(),
    }
    return told | {f"omenlog.{name}": value for name, value in place.items()}
