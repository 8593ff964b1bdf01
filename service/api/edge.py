"""What holds for every request and answer, whichever route it is for: HEAD, browsers of other origins, gzip, rate headers.

It stands in front of all routes, the hot one and sockets too. A header that comes in several lines is read as one list (RFC 9110,
section 5.3), so that a header which is no list and comes twice fits nothing, wherever it is read.
"""

from __future__ import annotations

import asyncio
import zlib
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.api.incoming import address, header, takes_gzip
from service.limits import Limits, follow
from service.settings import ANY_ORIGIN

Headers = list[tuple[bytes, bytes]]

SECRETS = "secrets"
"""In a handler's `opt`: its answer shows a token or an invite. Compressed together with what somebody else may choose, the length
of an answer would tell it piece by piece (BREACH)."""
COMPRESSED = frozenset(
    {b"application/json", b"application/problem+json", b"application/x-ndjson", b"image/svg+xml", b"text/markdown"}
)
"""Media types that are compressed. Server-sent events are not: each has to leave at once."""
LEAST = 1_000
"""Bytes of a body that is worth compressing."""
LONG = 32_768
"""Bytes of a body whose compression would keep others waiting: a thread does it."""
GZIP = 16 + zlib.MAX_WBITS

METHODS = b"DELETE, GET, HEAD, POST, PUT"
SENT = b"Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
"""Headers that a page may send."""
EXPOSED = b"ETag, Location, Retry-After, RateLimit-Policy, RateLimit"
"""Headers of answers that a page may read."""
PREFLIGHT_HOLDS = b"7200"
"""Seconds for which a browser need not ask again; none keeps it for longer."""


class Edge:
    """Passes requests on as the routes expect them, and answers as the callers do."""

    def __init__(self, app: ASGIApp, limits: Limits, origins: frozenset[str]) -> None:
        """Stand before an ASGI application, for pages of these origins."""
        self._app = app
        self._limits = limits
        self._any = ANY_ORIGIN in origins
        self._origins = frozenset(origin.encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, as an ASGI application."""
        scope["headers"] = _joined(cast("Headers", scope["headers"]))
        taken = follow()

        async def send_with_rates(message: Any) -> None:  # noqa: ANN401 -- one of ASGI's messages, of whatever kind
            if "headers" in message:
                rates = taken.headers()
                if rates is None:
                    rates = self._limits.anonymous.headers(address(scope))
                message["headers"] = [*message["headers"], *rates]
            await send(message)

        if scope["type"] == ScopeType.HTTP:
            await self._answer(scope, receive, send_with_rates)
        else:
            await self._app(scope, receive, send_with_rates)

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        origin = header(scope, b"origin")
        allowed = origin is not None and (self._any or origin in self._origins)
        if allowed and scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method"):
            start: Any = {"type": "http.response.start", "status": 204, "headers": self._preflight(origin or b"")}
            body: Any = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(start)
            await send(body)
            return
        shared = self._shared(origin) if allowed else []

        async def shared_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *shared]
                if self._origins and not self._any:
                    headers = _varying(headers, b"Origin")
                message["headers"] = _with_head(headers) if message["status"] in (204, 405) else headers
            await send(message)

        if scope["method"] == "HEAD":
            await _head(self._app, scope, shared_send)
        else:
            await self._app(scope, receive, _Gzip(scope, shared_send).send)

    def _shared(self, origin: bytes | None) -> Headers:
        return [
            (b"access-control-allow-origin", b"*" if self._any else origin or b""),
            (b"access-control-expose-headers", EXPOSED),
        ]

    def _preflight(self, origin: bytes) -> Headers:
        return [
            (b"access-control-allow-origin", b"*" if self._any else origin),
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", SENT),
            (b"access-control-max-age", PREFLIGHT_HOLDS),
            (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
        ]


# -- headers ------------------------------------------------------------------------------------------------------------


def _joined(headers: Headers) -> Headers:
    """Headers with each name once; what several lines say is a list."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        found[name] = b"%b, %b" % (found[name], value) if name in found else value
    return headers if len(found) == len(headers) else list(found.items())


def _varying(headers: Headers, name: bytes) -> Headers:
    """Headers that say that the answer depends on another header of the request too."""
    known = b", ".join(value for each, value in headers if each.lower() == b"vary")
    others = [(each, value) for each, value in headers if each.lower() != b"vary"]
    return [*others, (b"vary", b"%b, %b" % (known, name) if known else name)]


def _with_head(headers: Headers) -> Headers:
    """What is said to be offered, with HEAD wherever there is GET."""
    return [(name, _offered(value) if name.lower() == b"allow" else value) for name, value in headers]


def _offered(value: bytes) -> bytes:
    methods = {one.strip() for one in value.split(b",")}
    return b", ".join(sorted(methods | {b"HEAD"} if b"GET" in methods else methods))


# -- HEAD ---------------------------------------------------------------------------------------------------------------


async def _head(app: ASGIApp, scope: HTTPScope, send: Send) -> None:
    """Answer as GET would be answered, without the body. Whatever would follow the head of the answer is called off."""
    asked: Any = {**scope, "method": "GET", "extensions": {}}
    begun = asyncio.Event()

    async def gone() -> Any:  # noqa: ANN401 -- one of ASGI's messages
        await begun.wait()
        return {"type": "http.disconnect"}

    async def head_alone(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(end)
            begun.set()

    await app(asked, gone, _Gzip(asked, head_alone).send)


# -- gzip ---------------------------------------------------------------------------------------------------------------


class _Gzip:
    """Compresses one answer, where the caller takes that, the answer is long enough, and it shows no secret."""

    def __init__(self, scope: HTTPScope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: Any = None
        """The head of the answer, until it is known what it says of the body."""
        self._packer: Any = None

    async def send(self, message: Any) -> None:  # noqa: ANN401 -- one of ASGI's messages
        """Send a message of the application."""
        if message["type"] == "http.response.start" and self._fits(message["status"], message["headers"]):
            self._start = message
        elif message["type"] == "http.response.body" and self._start is not None:
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._packer is not None:
            await self._send(await self._packed(message))
        else:
            await self._send(message)

    def _fits(self, status: int, headers: Headers) -> bool:
        if status in (204, 304) or not takes_gzip((header(self._scope, b"accept-encoding") or b"").decode("latin-1")):
            return False
        # The router says which handler answered. The hot route has none, and shows no secret.
        handler: Any = dict(self._scope).get("route_handler")
        if handler is not None and handler.opt.get(SECRETS):
            return False
        kinds = [value.partition(b";")[0] for name, value in headers if name.lower() == b"content-type"]
        return kinds != [] and kinds[0] in COMPRESSED

    async def _begin(self, message: Any) -> None:  # noqa: ANN401 -- one of ASGI's messages
        start, self._start = self._start, None
        if not message.get("more_body") and len(message["body"]) < LEAST:
            await self._send(start)
            await self._send(message)
            return
        self._packer = zlib.compressobj(wbits=GZIP)
        first = await self._packed(message)
        headers = [one for one in start["headers"] if one[0].lower() != b"content-length"]
        headers.append((b"content-encoding", b"gzip"))
        if not first["more_body"]:
            headers.append((b"content-length", b"%d" % len(first["body"])))
        start["headers"] = headers
        await self._send(start)
        await self._send(first)

    async def _packed(self, message: Any) -> Any:  # noqa: ANN401 -- as above
        body, more = message["body"], message.get("more_body", False)
        packed = await asyncio.to_thread(self._pack, body, more) if len(body) > LONG else self._pack(body, more)
        return {"type": "http.response.body", "body": packed, "more_body": more}

    def _pack(self, body: bytes, more: bool) -> bytes:  # noqa: FBT001 -- as ASGI has it
        # What a stream has said so far can be read so far.
        packed: bytes = self._packer.compress(body) + self._packer.flush(zlib.Z_SYNC_FLUSH if more else zlib.Z_FINISH)
        return packed
