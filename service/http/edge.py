"""What holds for every request and answer: ids, metrics, the log, HEAD, CORS, gzip, rate headers, and the parameters of the query.

It runs before all routes, the hot one and sockets too. A header that comes in several lines is read as one list (RFC 9110, section 5.3),
so a header that is not a list and comes twice is refused wherever it is read. Each parameter must be one that the contract names for the call,
and come once. Whole numbers are digits alone, in the path too: Litestar would read `1e2`, `1.0` and `+1` as numbers.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
import zlib
from collections.abc import Awaitable, Collection, Iterable, Mapping
from typing import Any, cast
from urllib.parse import parse_qsl

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from litestar.typing import FieldDefinition

from content.errors import did_you_mean
from service.http.incoming import GAME, HEADERS, MOST, address, header, takes_gzip
from service.http.operation import SECRETS
from service.http.outgoing import AnyRequest
from service.limits import Limits, follow
from service.observability import METHODS, OTHER, REQUEST, Metrics, SetAttributes, Traces
from service.problems import FieldError, ProblemError
from service.settings import ANY_ORIGIN

UNDER = "/v1/"
"""Elsewhere are documents and pages for people and machines of all sorts, who may append any parameters."""
SHOWN = 40
"""Characters of an unknown name that are told back."""

NUMBER = re.compile(r"0|[1-9][0-9]*")

COMPRESSED = frozenset(
    {b"application/json", b"application/problem+json", b"application/x-ndjson", b"image/svg+xml", b"text/markdown"}
)
"""Media types that are compressed. Server-sent events are not: each has to leave at once."""
LEAST = 1_000
"""Bytes of a body that is worth compressing."""
LONG = 65_536
"""Bytes of a body whose compression would keep others waiting: a thread does it."""
LEVEL = 4
"""A screen of 37 KB takes 0.2 ms and 7.3 KB; at zlib's usual level 6 it would take 0.45 ms, and 5 % less."""
GZIP = 16 + zlib.MAX_WBITS

ALLOWED = b"DELETE, GET, HEAD, POST, PUT"
SENT = b"Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id"
"""Headers that a page may send."""
EXPOSED = b"ETag, Location, Retry-After, RateLimit-Policy, RateLimit"
"""Headers of answers that a page may read."""
PREFLIGHT_HOLDS = b"7200"
"""Seconds for which a browser need not ask again; none keeps it for longer."""

ID_HEADER = b"x-request-id"
REQUEST_ID = re.compile(rb"[A-Za-z0-9_.:-]{1,64}")
"""An id that a proxy gave; another one is not taken over."""
TRACE_PARENT = b"traceparent"
VERSION = re.compile(rb'"([0-9]+)(?:\.[^"]*)?"')
IN_A_GAME = "/v1/games/{game}"

log = logging.getLogger("omenlog.requests")

Headers = list[tuple[bytes, bytes]]
Known = Mapping[tuple[str, str], Mapping[str, bool]]
"""The names of each call's parameters, and whether each is a number; by the template of its path and its method."""


def parameters(app: Litestar) -> Known:
    """The parameters of all routes that Litestar knows: those in the contract, as both are made from the handlers."""
    return {
        (route.path_format, str(method)): {
            one.field_alias: _is_number(_field(handler, one.field_name)) for one in kwargs.expected_query_params
        }
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, kwargs) in route.route_handler_map.items()
    }


def _field(handler: HTTPRouteHandler, name: str) -> FieldDefinition:
    """A parameter of a handler, or of what it asks for."""
    asked_for = (one.parsed_fn_signature.parameters.get(name) for one in handler.resolve_dependencies().values())
    return handler.parsed_fn_signature.parameters.get(name) or next(filter(None, asked_for))


def _is_number(field: FieldDefinition) -> bool:
    return not field.is_subclass_of(bool) and (field.is_subclass_of(int) or field.has_inner_subclass_of(int))


async def check_request(request: AnyRequest) -> None:
    """Check the query of a request that Litestar has routed, and the numbers in its path. Raises `not-found` or `invalid-parameter`.

    Async, although it awaits nothing: Litestar calls any other check in a thread.
    """
    if request.method == "OPTIONS" or not request.scope["path"].startswith(UNDER):
        return
    parts = request.scope["path"].split("/")
    if any(isinstance(one, int) and str(one) not in parts for one in request.path_params.values()):
        raise ProblemError("not-found", "Numbers in a path are digits alone.")
    method = "GET" if request.method == "HEAD" else request.method
    known: Known = request.app.state.parameters
    named = known.get((request.scope["path_template"], method), {})
    check_query(request.scope["query_string"], named, [name for name, number in named.items() if number])


def check_query(query: bytes, known: Collection[str], numbers: Collection[str] = ()) -> dict[str, str]:
    """Read a query; `numbers` names the parameters that are whole numbers.

    Raises `invalid-parameter` if the call takes no such parameter, if one is no number, or if one comes twice or is `null`: Litestar would take the
    last value, or none.
    """
    if not query:
        return {}
    given = parse_qsl(query.decode("latin-1"), keep_blank_values=True)
    names = [name for name, _ in given]
    errors = [FieldError(name[:SHOWN], _unknown(name, known)) for name in dict.fromkeys(names) if name not in known]
    twice = dict.fromkeys(name for name, value in given if name in known and (value == "null" or names.count(name) > 1))
    errors += [FieldError(name, "Once at the most, and not null.") for name in twice]
    strange = (name for name, value in given if name in numbers and name not in twice and not NUMBER.fullmatch(value))
    errors += [FieldError(name, "A whole number, in digits alone and without a zero before it.") for name in strange]
    if errors:
        detail = "; ".join(f"{one.pointer}: {one.detail}" for one in errors[:3])
        raise ProblemError("invalid-parameter", detail, errors=errors)
    return dict(given)


def cursor(text: str, where: str) -> int:
    """The cursor of a game's stream, from the parameter or header named `where`, which Litestar does not check. Raises `invalid-cursor`."""
    if not NUMBER.fullmatch(text) or int(text[:10]) > MOST:
        detail = "The cursor of a game is a commit's number."
        raise ProblemError("invalid-cursor", detail, errors=[FieldError(where, detail)])
    return int(text)


def _unknown(name: str, known: Iterable[str]) -> str:
    if near := did_you_mean(name, known):
        return f"Unknown; {near}"
    return f"Unknown; this call takes {', '.join(sorted(known))}." if known else "Unknown; this call takes none."


class Edge:
    """Gathers headers by name, passes requests on as the routes expect them, and answers as the callers do, among them pages of these origins.

    `told` writes a line for each request into the log.
    """

    def __init__(
        self, app: ASGIApp, limits: Limits, metrics: Metrics, traces: Traces, origins: frozenset[str], *, told: bool
    ) -> None:
        self._app = app
        self.limits = limits
        self.metrics = metrics
        self.told = told
        self._traces = traces
        self._any = ANY_ORIGIN in origins
        self._origins = frozenset(origin.encode() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        headers = cast("Any", scope)[HEADERS] = _joined(list(scope["headers"]))
        scope["headers"] = list(headers.items())
        if scope["type"] != ScopeType.HTTP:
            # What is sent over a WebSocket, it notes itself.
            await self._app(scope, receive, _Answer(self, scope, send, begun, "GET").send)
            return
        method = scope["method"] if scope["method"] in METHODS else OTHER
        answer = _Answer(self, scope, send, begun, method)
        if self._traces.request is None:
            await self._pass_on(scope, receive, answer)
        else:
            with self._traces.request(f"{method} {answer.route}", headers.get(TRACE_PARENT)) as answer.span:
                await self._pass_on(scope, receive, answer)

    async def _pass_on(self, scope: HTTPScope, receive: Receive, answer: _Answer) -> None:
        origin = header(scope, b"origin")
        if origin and (self._any or origin in self._origins):
            if scope["method"] == "OPTIONS" and header(scope, b"access-control-request-method"):
                answer.shared = self._preflight(origin)
                await answer.send({"type": "http.response.start", "status": 204, "headers": []})
                await answer.send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            answer.shared = self._shared(origin)
        answer.varies = bool(self._origins) and not self._any
        if scope["method"] == "HEAD":
            await _head(self._app, scope, answer.send)
        else:
            await self._app(scope, receive, _zipped(scope, answer.send))

    def _shared(self, origin: bytes) -> Headers:
        return [
            (b"access-control-allow-origin", b"*" if self._any else origin),
            (b"access-control-expose-headers", EXPOSED),
        ]

    def _preflight(self, origin: bytes) -> Headers:
        return [
            (b"access-control-allow-origin", b"*" if self._any else origin),
            (b"access-control-allow-methods", ALLOWED),
            (b"access-control-allow-headers", SENT),
            (b"access-control-max-age", PREFLIGHT_HOLDS),
            (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
        ]


class _Answer:
    """The way of an answer to the caller, on which it gets the headers that every answer has, and is noted."""

    __slots__ = (
        "_begun",
        "_edge",
        "_method",
        "_request",
        "_scope",
        "_send",
        "_taken",
        "route",
        "shared",
        "span",
        "varies",
    )

    def __init__(self, edge: Edge, scope: Scope, send: Send, begun: float, method: str) -> None:
        """The request has `begun` at this reading of the clock; the answer is noted under this method."""
        self._edge = edge
        self._scope = scope
        self._send = send
        self._begun = begun
        self._method = method
        self._taken = follow()
        self._request = request_id(header(scope, ID_HEADER))
        REQUEST.set(self._request.decode())
        self.route = edge.metrics.route(scope["path"])
        self.shared: Headers = []
        """Headers for a page of another origin."""
        self.varies = False
        """Whether another origin would be answered otherwise."""
        self.span: SetAttributes | None = None

    def send(self, message: Any) -> Awaitable[None]:  # noqa: ANN401 -- one of ASGI's messages, of whatever kind
        status = SWITCHED if message["type"] == "websocket.accept" else message.get("status")
        if status is not None:
            message["headers"] = self._headers(status, message["headers"])
            self._note(status, message["headers"])
        return self._send(message)

    def _headers(self, status: int, given: Iterable[tuple[bytes, bytes]]) -> Headers:
        headers = [*given, *self.shared]
        if self.varies:
            headers = _varying(headers, b"Origin")
        if status in (204, 405):
            headers = _with_head(headers)
        rates = self._taken.headers()
        if rates is None:
            rates = self._edge.limits.anonymous.headers(address(self._scope))
        return [*headers, *rates, (ID_HEADER, self._request)]

    def _note(self, status: int, headers: Headers) -> None:
        edge, method, route = self._edge, self._method, self.route
        seconds = time.perf_counter() - self._begun
        edge.metrics.answered(route, method, status, seconds)
        if edge.told:
            tell_request(method, route, status, seconds, _place(self._scope, route, headers))
        if self.span is not None:
            self.span(attributes(method, route, status, _place(self._scope, route, headers)))


# -- headers ------------------------------------------------------------------------------------------------------------


def _joined(headers: Collection[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Headers with each name once; what several lines say is a list."""
    found = dict(headers)
    if len(found) == len(headers):
        return found
    found.clear()
    for name, value in headers:
        found[name] = b"%b, %b" % (found[name], value) if name in found else value
    return found


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
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            begun.set()

    await app(asked, gone, _zipped(asked, head_alone))


# -- gzip ---------------------------------------------------------------------------------------------------------------


def _zipped(scope: HTTPScope, send: Send) -> Send:
    """The way for an answer that is compressed if the caller takes that."""
    accepted = header(scope, b"accept-encoding")
    return _Gzip(scope, send).send if accepted and takes_gzip(accepted.decode("latin-1")) else send


class _Gzip:
    """Compresses one answer, if it is long enough and shows no secret."""

    def __init__(self, scope: HTTPScope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: Any = None
        """The head of the answer, until it is known what it says of the body."""
        self._packer: Any = None

    async def send(self, message: Any) -> None:  # noqa: ANN401 -- one of ASGI's messages
        if message["type"] == "http.response.start" and self._fits(message["status"], message["headers"]):
            self._start = message
        elif message["type"] == "http.response.body" and self._start is not None:
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._packer is not None:
            await self._send(await self._packed(message))
        else:
            await self._send(message)

    def _fits(self, status: int, headers: Headers) -> bool:
        if status in (204, 304):
            return False
        # The router says which handler answered. The hot route never asks it, and shows no secret.
        handler = cast("Any", self._scope).get("route_handler")
        if handler is not None and handler.opt.get(SECRETS):
            return False
        told = {name.lower(): value for name, value in headers}
        return b"content-encoding" not in told and told.get(b"content-type", b"").partition(b";")[0] in COMPRESSED

    async def _begin(self, message: Any) -> None:  # noqa: ANN401 -- one of ASGI's messages
        start, self._start = self._start, None
        if not message.get("more_body") and len(message["body"]) < LEAST:
            await self._send(start)
            await self._send(message)
            return
        self._packer = zlib.compressobj(LEVEL, wbits=GZIP)
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


# -- ids, metrics, the log ---------------------------------------------------------------------------------------------


SWITCHED = 101
"""The status of a request that opened a WebSocket."""


def tell_request(method: str, route: str, status: int, seconds: float, place: Mapping[str, str | int]) -> None:
    """Write a line of a request into the log."""
    told = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 2), **place}
    log.info("%s %s %d", method, route, status, extra={"told": told})


def request_id(given: bytes | None) -> bytes:
    """The id that came with a request, if it is one, or else a new one."""
    if given and REQUEST_ID.fullmatch(given):
        return given
    return b"%016x" % random.getrandbits(64)  # of each worker another: Python seeds it anew in a fork


def _place(scope: Scope, route: str, headers: Headers) -> dict[str, str | int]:
    """Which game and commit it was about: of the path nothing else, for people paste anything into an address."""
    place = _game(scope["path"], route)
    if not place:
        return place
    tag = next((value for name, value in headers if name.lower() == b"etag"), b"")
    version = VERSION.fullmatch(tag)
    return place if version is None else {**place, "commit": int(version[1])}


def _game(path: str, route: str) -> dict[str, str | int]:
    if not route.startswith(IN_A_GAME):
        return {}
    game = path.split("/")[3]
    return {} if re.fullmatch(GAME, game) is None else {"game": game}


def attributes(method: str, route: str, status: int, place: dict[str, str | int]) -> dict[str, str | int]:
    """By the names of OpenTelemetry's conventions where there is one."""
    told: dict[str, str | int] = {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "omenlog.request": REQUEST.get(),
    }
    return told | {f"omenlog.{name}": value for name, value in place.items()}
