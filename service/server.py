"""Serving: the application under uvicorn, stopped gracefully even while streams are open."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import logging
import math
import re
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from content.load.offers import Source
from service.app import make_app
from service.bootstrap import Service, open_service
from service.homes import Homes
from service.http.edge import ID_HEADER, request_id
from service.http.live import ABORT, CHUNK
from service.http.outgoing import PROBLEM
from service.http.socket import ENVELOPE
from service.limits import Limits, customer
from service.log.packs import Loaded
from service.outside import Outside
from service.problems import ProblemError
from service.settings import Settings
from service.shared import Shared


def serve(settings: Settings, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve until a signal stops it; `ready` is called with the base address once requests are accepted.

    Raises as `open_service` does, `OSError` if it can't listen on the address, and `KeyboardInterrupt` after Ctrl-C, once everything is closed.
    """
    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(run(settings, ready=ready))


async def run(settings: Settings, *, ready: Callable[[str], None] | None = None) -> None:
    """Serve on the running event loop, in a process that does nothing else: see `serve`."""
    server = await prepare(settings, ready=ready)
    settle_garbage()
    await server.serve()


COLLECT = (1_000, 5, 1_000)
"""Objects made, and younger collections, before garbage is collected.

All games wait for as long as it takes to look at what was made since: 3 to 8 ms now and then, where `(5_000, 10, 50)` took 20 to 60. To look at
all games in memory, as seldom as that is, takes a quarter of a second for 512 of them.
"""


def settle_garbage() -> None:
    """Keep the collector of cycles off what stays: rules and content are a hundred thousand objects, and all games wait while it looks.

    Nearly everything that a command makes is freed without it, as it is in no cycle.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT)


async def prepare(
    settings: Settings,
    *,
    ready: Callable[[str], None] | None = None,
    outside: Outside | None = None,
    member: Member | None = None,
) -> Server:
    """Open the service and make a server for it, whose `serve` runs until a signal, or until `should_exit` is set. Raises as `serve` does.

    A `member` of a crew of workers listens where its parent does.
    """
    listening = listen(settings) if member is None else member.listening
    try:
        service = await (
            open_service(settings, outside)
            if member is None
            else open_service(settings, outside, shared=member.shared, loaded=member.loaded)
        )
    except BaseException:
        listening.close()
        raise
    leaving = asyncio.Event()
    homes = None if member is None else member.homes
    config = uvicorn.Config(
        make_app(service),
        log_level=settings.log_level,
        log_config=None,
        http=cast(
            "Any", functools.partial(_Http, settings, service.limits, leaving, homes)
        ),  # uvicorn calls it as a class, and no more
        ws=_WebSocket,
        ws_max_size=settings.body_limit + ENVELOPE,
        ws_ping_interval=settings.heartbeat,
        # Longer than a slow reader is given: only a peer that is gone runs into it.
        ws_ping_timeout=3 * settings.stall,
        ws_per_message_deflate=False,  # 64 KiB of memory for each connection, for messages of some hundred bytes
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=max(1, round(settings.shutdown)),
        timeout_notify=-sys.maxsize,  # once a second, also when the clock is set back
        callback_notify=None if member is None else functools.partial(_beat, service, member),
    )
    for name in LOGGERS:
        logging.getLogger(name).addFilter(_without_queries)
    drain = functools.partial(service.streams.drain, settings.shutdown / 2)
    server = Server(config, listening, leaving, before_shutdown=drain, ready=ready, homes=homes)
    server.lingers = 0.0 if member is None else settings.shutdown / 2
    return server


class Member(NamedTuple):
    """What a worker has from its parent."""

    listening: socket.socket
    homes: Homes
    shared: Shared
    loaded: Mapping[Source, Loaded]
    beat: Callable[[], None]
    """Tells the parent that the event loop turns."""


async def _beat(service: Service, member: Member) -> None:
    service.metrics.refresh()
    member.homes.beat()
    member.beat()


LOGGERS = ("uvicorn.error", "uvicorn.access", "uvicorn.asgi")
"""Loggers that may write addresses; one of them writes that of every WebSocket."""
_QUERY = re.compile(r"(/[^\s\"'?]*)\?[^\s\"']*")


def _without_queries(record: logging.LogRecord) -> bool:
    """Take the query strings out of addresses that are being logged: there are tickets in them, and whatever else people put there."""
    message = record.getMessage()
    if "?" in message:
        record.msg, record.args = _QUERY.sub(r"\1", message), ()
    return True


NEVER = math.inf
"""A deadline."""
RATE = 65_536
"""Bytes of a body each of which buys its sender as much of a second: so a large body may take its time, and none can trickle in."""


TOO_SLOW = ProblemError("request-timeout", "Headers and body have deadlines here: send them at once, or faster.")
NOT_HTTP = ProblemError("invalid-request", "What arrived can't be read as HTTP/1.1; the connection is closed.")


class _Cycle(RequestResponseCycle):
    """Uvicorn's, which writes an answer that is all there at once, and not head and body in two calls of the system."""

    _start: Any = None
    """The head of the answer, held until its body begins."""

    async def send(self, message: Any) -> None:  # noqa: ANN401 -- one of ASGI's messages
        if message["type"] == "http.response.start" and not self.response_started:
            self._start = message
            return
        start, self._start = self._start, None
        if start is not None:
            if not message.get("more_body") and self._answer(start, message.get("body", b"")):
                return
            await super().send(start)
        await super().send(message)

    def _answer(self, start: Any, body: bytes) -> bool:  # noqa: ANN401 -- as above
        """Write a whole answer; False, and nothing is done, where that takes more than writing."""
        if self.flow.write_paused or self.disconnected or not self.keep_alive or self.scope["method"] == "HEAD":
            return False
        headers = start["headers"]
        head = STATUS_LINE[start["status"]] + b"".join([b"%b: %b\r\n" % one for one in headers]) + b"\r\n"
        whole = b"\r\ncontent-length: %d\r\n" % len(body) in head
        if not whole or not head.count(b"\n") == head.count(b"\r") == len(headers) + 2:
            return False
        self.response_started = self.response_complete = True
        self.waiting_for_100_continue = False
        self.transport.write(head + body)
        self.message_event.set()
        self.on_response()
        return True


class _Http(HttpToolsProtocol):
    """Uvicorn's, with deadlines for what arrives; it tells the application how to drop a connection, and how to write to one without waiting.

    Uvicorn itself has a deadline for connections that are idle between two requests, and none for what comes drop by drop.
    """

    def __init__(
        self,
        settings: Settings,
        limits: Limits,
        leaving: asyncio.Event,
        homes: Homes | None,
        *arguments: Any,  # noqa: ANN401 -- uvicorn's own
        request: bytes = b"",
        **options: Any,  # noqa: ANN401 -- as above
    ) -> None:
        """`request`: what another worker has received of it before it handed the connection on."""
        super().__init__(*arguments, **options)
        self._limits = limits
        self._leaving = leaving
        self._homes = homes
        self._request = request
        self._used = bool(request)
        """Whether anything has arrived."""
        self._header_timeout = settings.header_timeout
        self._body_timeout = settings.body_timeout
        self._end = NEVER
        """When what is expected must have arrived, by the loop's clock: headers, a body, or another request."""
        self._timer: asyncio.TimerHandle | None = None
        """Goes off by then, or before; so most requests come and are answered without one being set or canceled."""
        self._begun = False
        """Whether a request has begun to arrive."""
        self._extensions: dict[str, Any] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A connection that has not said anything yet is as idle as one that says nothing more."""
        super().connection_made(transport)
        self._extensions = {ABORT: transport.abort, CHUNK: self._chunk}
        self._expect(self._header_timeout)
        if self._request:
            self.data_received(self._request)
            self._request = b""

    def data_received(self, data: bytes) -> None:
        """Hand a new connection on to the worker at home in the game that it asks for, or read what it asks."""
        if self._used or not self._hand_on(data):
            self._used = True
            super().data_received(data)

    def _hand_on(self, request: bytes) -> bool:
        connection = self.transport.get_extra_info("socket")
        if self._homes is None or self._leaving.is_set() or not self._homes.hand_on(request, connection.fileno()):
            return False  # the others may be leaving, too
        self.transport.close()  # our descriptor; the other worker has its own
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._expect(self._header_timeout)
        self._begun = True
        super().on_message_begin()
        self.scope["extensions"] = self._extensions

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        if self.parser.should_upgrade():
            self._expect(0)
        else:
            self._expect(self._body_timeout)
            self.cycle.__class__ = _Cycle  # uvicorn asks nobody which class to make
            if self._leaving.is_set():
                self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._end += len(body) / RATE
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._begun = False
        super().on_message_complete()
        cycle = cast("RequestResponseCycle | None", self.cycle)  # a connection that becomes a WebSocket has none
        answered = cycle is not None and cycle.response_complete
        self._expect(self.timeout_keep_alive if answered else 0)

    def on_response_complete(self) -> None:
        """As uvicorn has it, but for the deadline."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        elif not self._begun:
            self._expect(self.timeout_keep_alive)

    def _expect(self, seconds: float) -> None:
        """Give what arrives next so many seconds; 0: nothing is expected, or it may take for ever."""
        self._end = self.loop.time() + seconds if seconds else NEVER
        if seconds and (self._timer is None or self._timer.when() > self._end):
            self._wake_up(self._end)

    def _wake_up(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_at(when, self._look_again)

    def _look_again(self) -> None:
        """Close the connection if what is expected is late; with an answer, where a request has begun and no answer yet."""
        self._timer = None
        if self.transport.is_closing() or self._end == NEVER:
            return
        if self.flow.read_paused:  # it is we who are slow
            self._expect(self._body_timeout or self._header_timeout)
        elif self.loop.time() < self._end:
            self._wake_up(self._end)
        else:
            cycle = cast("RequestResponseCycle | None", self.cycle)
            answering = cycle is not None and cycle.response_started and not cycle.response_complete
            if self._begun and not answering:
                self._refuse(TOO_SLOW)
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
            self.transport.close()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 -- uvicorn's own words
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or cycle.response_complete or (cycle.more_body and not cycle.response_started):
            self._refuse(NOT_HTTP)
        elif (
            not cycle.response_started
        ):  # the request before this rubbish was whole, and gets its answer, which is the last
            cycle.keep_alive = False
            self.flow.pause_reading()
            return
        self.transport.close()

    def _refuse(self, problem: ProblemError) -> None:
        """Answer in the application's place, which never heard of the request; its sender is known by the address alone."""
        body = problem.body()
        rates = self._limits.anonymous.headers(customer(self.client[0]) if self.client else "")
        head = [
            b"HTTP/1.1 %d %b" % (problem.status, HTTPStatus(problem.status).phrase.encode()),
            b"content-type: %b" % PROBLEM.encode(),
            b"content-length: %d" % len(body),
            b"cache-control: no-store",
            b"connection: close",
            b"%b: %b" % (ID_HEADER, request_id(dict(self.headers or ()).get(ID_HEADER))),
            *(b"%b: %b" % one for one in rates),
        ]
        self.transport.write(b"\r\n".join([*head, b"", body]))

    def handle_websocket_upgrade(self) -> None:
        """Serve a WebSocket, or hand it on to the worker at home in its game, unless an earlier answer is still on its way."""
        self._expect(0)  # no other request, though the one before has been answered
        cycle = cast("RequestResponseCycle | None", self.cycle)
        answered = (cycle is None or cycle.response_complete) and not self.transport.get_write_buffer_size()
        if answered:
            head = [b"%b %b HTTP/1.1" % (self.scope["method"].encode(), self.url)]
            head += [b"%b: %b" % one for one in self.scope["headers"]]
            if self._hand_on(b"\r\n".join([*head, b"", b""])):
                return
        super().handle_websocket_upgrade()

    def _chunk(self, chunk: bytes) -> bool:
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(chunk)
        return True


class _WebSocket(WebSocketsSansIOProtocol):
    """The same for WebSockets."""

    async def run_asgi(self) -> None:
        self.scope["extensions"] |= {ABORT: self.transport.abort, CHUNK: self._frame}  # type: ignore[dict-item]  # as above
        await super().run_asgi()

    def _frame(self, frame: bytes) -> bool:
        if not self.handshake_complete or self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True


class Server(uvicorn.Server):
    """Uvicorn, which else would wait for live streams that never end by themselves."""

    def __init__(
        self,
        config: uvicorn.Config,
        listening: socket.socket,
        leaving: asyncio.Event,
        *,
        before_shutdown: Callable[[], Awaitable[None]],
        ready: Callable[[str], None] | None,
        homes: Homes | None = None,
    ) -> None:
        """`before_shutdown` is awaited before the server waits for requests to end; from `leaving` on each is the last on its connection."""
        super().__init__(config)
        self.listening = listening
        self.lingers = 0.0
        """Seconds for which connections stay open on which nothing is being asked, for the sake of those who have just sent a request."""
        self._leaving = leaving
        self._before_shutdown = before_shutdown
        self._ready = ready
        self._homes = homes
        self._taking: set[asyncio.Task[None]] = set()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve(sockets or [self.listening])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._homes is not None and self.started:
            self._homes.listen(self._take)
        if self._ready is not None and self.started:
            self._ready(address_of(self.listening))

    def _take(self, connection: socket.socket, request: bytes) -> None:
        task = asyncio.get_running_loop().create_task(self._go_on(connection, request))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _go_on(self, connection: socket.socket, request: bytes) -> None:
        """Serve a connection that another worker has handed on."""
        make = functools.partial(
            cast("Callable[..., asyncio.Protocol]", self.config.http_protocol_class),
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
            request=request,
        )
        with contextlib.suppress(OSError):  # it has hung up
            await asyncio.get_running_loop().connect_accepted_socket(make, connection)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._homes is not None:
            self._homes.close()
        for server in self.servers:
            server.close()  # those whose streams end come again, and not to us
        self._leaving.set()
        drained, began = asyncio.ensure_future(self._before_shutdown()), time.monotonic()
        while not self.force_exit and (not drained.done() or self._expects_more(began)):
            await asyncio.sleep(TICK)
            if self._homes is not None:
                self._homes.receive(self._take)
        drained.cancel()
        await asyncio.gather(*self._taking)
        await super().shutdown(sockets)
        if self.force_exit:  # uvicorn leaves it out, and the store would stay open
            await self.lifespan.shutdown()

    def _expects_more(self, began: float) -> bool:
        return bool(self.server_state.connections) and time.monotonic() - began < self.lingers


TICK = 0.02
"""Seconds between two looks at who is still connected, and whether somebody presses Ctrl-C again."""


def address_of(listening: socket.socket) -> str:
    host, port, *_ = listening.getsockname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def listen(settings: Settings, *, beside: bool = False) -> socket.socket:
    """Take the address, also `beside` other sockets that do; uvicorn itself would log that it can't, and exit."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio switches Nagle's delay off only where it is: else every answer waits 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if beside:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind((settings.host, settings.port))
        listening.listen(2048)
    except OSError as error:
        listening.close()
        raise OSError(error.errno, error.strerror, f"{settings.host}:{settings.port}") from None
    return listening


def new_loop() -> asyncio.AbstractEventLoop:
    with contextlib.suppress(ImportError):
        import uvloop  # noqa: PLC0415 -- not there on every platform

        return uvloop.new_event_loop()
    return asyncio.new_event_loop()
