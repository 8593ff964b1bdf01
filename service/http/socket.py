"""A game's WebSocket: the events of the live stream, and commands in, each answered as over HTTP.

Each text frame holds one JSON object, told apart by `type`. The route is bare ASGI in front of Litestar, like the hot one, so a connection
that is refused gets the same problem as a request. A client may send commands without waiting for answers. They are done one after another, and
answered in their order; the next is read when the answer to the last one is on its way, so a client that sends faster waits in its own socket, and
nothing is queued here.

A command is checked, answered, counted and logged as one that is posted: what differs is the frame around it.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from typing import Annotated, Any, Literal, cast

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from service.bootstrap import Service
from service.games.follow.feed import Followed
from service.games.follow.presence import Present
from service.games.follow.streams import End, Item, MessageNews, News, Notice, Reason, Unfollowed
from service.games.lobby.answers import CommitEvent
from service.games.play.submit import Done
from service.http.bodies import decode
from service.http.callers import identify, require
from service.http.commands import AnyPosted, decode_command, flag, handle_command, told
from service.http.edge import attributes, check_query, cursor, tell_request
from service.http.incoming import GAME, LONGEST_KEY, address, idempotency_key
from service.http.live import Outlet, framed
from service.http.outgoing import PROBLEM, to_problem
from service.identity import Caller
from service.observability import COMMAND, REQUEST, SetAttributes
from service.problems import ProblemError

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]

# -- from the client ----------------------------------------------------------------------------------------------------


class CommandFrame(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="command", forbid_unknown_fields=True
):
    """A command, as `postCommand` takes it."""

    id: Id
    """Chosen by the client; the answer repeats it."""
    # What is wrong with a key, or with no version at all, is told as of a header.
    key: Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": LONGEST_KEY})] | None = None
    """As the header `Idempotency-Key`: makes a retry safe, on this or another connection."""
    if_match: (
        Annotated[list[Annotated[int, msgspec.Meta(ge=1)]], msgspec.Meta(extra_json_schema={"minItems": 1})] | None
    ) = None
    """Like the header `If-Match`, but numbers alone: the game must be at one of these versions."""
    command: AnyPosted
    sentences: bool = False
    """As the parameter of `postCommand`: the answer tells each event in a sentence, too."""
    screen: bool = False
    """As the parameter of `postCommand`: the answer has what is then on the caller's screen, too."""


class PingFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="ping", forbid_unknown_fields=True):
    """Asks for a `pong`."""

    id: Id


ClientFrame = CommandFrame | PingFrame

# -- from the service ---------------------------------------------------------------------------------------------------


class HelloFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first frame."""

    game: str
    role: str
    """`seat:1`, `spectator`, `referee` or `host`."""
    cursor: int
    """Events after this commit follow."""
    heartbeat: float
    """Seconds after which a quiet connection has a `heartbeat`."""
    request: str
    """The connection's id in the log of the service. The third frame that is sent to it is logged as this and `-3`."""


class EventFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="event"):
    """A commit, as the role was told it."""

    cursor: int
    """Pass it as `after` to go on from there."""
    event: CommitEvent


class AnswerFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="answer", omit_defaults=True):
    """The answer to a command: that of `postCommand`."""

    id: str | None
    """The command's id; null if it couldn't be read."""
    status: int
    """As over HTTP: 201 with a commit, else a problem's."""
    replayed: bool = False
    """The command had been accepted before under the same key: this is the first answer."""
    body: object
    """A `CommandAnswer` with status 201, else a `Problem`, with pointers into the command as over HTTP."""


class PongFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to a `ping`."""

    id: str


class MessageFrame(MessageNews, frozen=True, kw_only=True, tag_field="type", tag="message"):
    """A message was sent, or its text was erased."""


class PresenceFrame(Present, frozen=True, kw_only=True, tag_field="type", tag="presence"):
    """Who follows the game live: once the connection has caught up, and whenever it changes."""


class HeartbeatFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="heartbeat"):
    """Nothing has happened for a while."""

    cursor: int


class EndFrame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="end"):
    """The last frame: the connection closes after it."""

    reason: Reason | Literal["text-only"]
    cursor: int
    """Everything up to here was sent: pass it as `after` to go on."""


CODES: dict[str, int] = {
    "game-over": 1000,
    "stopping": 1001,
    "text-only": 1003,
    "unavailable": 1013,
    "token-ended": 4401,
    "too-slow": 4408,
    "ahead-of-log": 4409,
}
"""The close code of each reason. The library adds 1009 for a frame that is too large and 1011 for a peer that is gone."""


ROUTE = "/v1/games/{game}/socket"
"""As metrics and the log call it."""
PATH = re.compile(r"/v1/games/([^/]+)/socket/?")
PARAMETERS = ("after", "events", "ticket")
"""The parameters allowed in the query."""
CREATED = 201
FINISHING = 1.0
"""Seconds that a command on its way has when the connection ends."""

_GAME = re.compile(GAME)
ENVELOPE = 1024
"""Bytes that a frame may have around a command, whose own limit is that of a body."""
_frames = msgspec.json.Decoder(ClientFrame)
_encode = msgspec.json.Encoder().encode


class SocketRoute:
    """Answers WebSocket connections, and passes all else on."""

    def __init__(self, service: Service, app: ASGIApp) -> None:
        self._service = service
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.WEBSOCKET:
            await self._app(scope, receive, send)
            return
        await receive()  # the client wants to connect
        try:
            stream = await _open(self._service, scope)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the caller gets a problem and the log the rest
            await _deny(scope, send, to_problem(error))
            return
        try:
            await _Socket(self._service, stream, scope, receive, send).serve()
        finally:
            stream.close()


async def _open(service: Service, scope: Any) -> Followed | Unfollowed:  # noqa: ANN401 -- ASGI's scope
    """The stream that is asked for. Raises what `getEvents` would answer."""
    found = PATH.fullmatch(scope["path"])
    if found is None:
        raise ProblemError("not-found", "There is no WebSocket here.")
    query = check_query(scope["query_string"], PARAMETERS)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    authorization = headers.get("authorization")
    ticket = (found[1], query["ticket"]) if "ticket" in query and _GAME.fullmatch(found[1]) else None
    shown = await identify(service, authorization, address(scope), ticket)
    require(shown.caller, found[1])
    after = cursor(query.get("after", "0"), "after")
    await service.feeds.page(shown.caller, after, 1)  # a cursor ahead of the log is refused
    if not flag(query, "events", default=True):
        return Unfollowed(service.streams, service.gate, shown.caller, shown.digest, after)
    return await service.feeds.open(shown.caller, shown.digest, after, notices=True)


async def _deny(scope: Any, send: Send, problem: ProblemError) -> None:  # noqa: ANN401 -- ASGI's scope
    """Refuse to connect, with a problem where the server can send one."""
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        return
    extra = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
    headers = [(b"content-type", PROBLEM.encode()), (b"cache-control", b"no-store"), *extra]
    await send({"type": "websocket.http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": problem.body(), "more_body": False})


class _Socket:
    """One connection that was accepted."""

    def __init__(
        self, service: Service, stream: Followed | Unfollowed, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._service = service
        self._stream = stream
        self._caller: Caller = stream.caller
        self._receive = receive
        self._outlet = Outlet(scope, send, service.settings.stall)
        self._sending = asyncio.Lock()
        self._idle = asyncio.Event()
        self._idle.set()
        self._cursor = stream.cursor
        self._ended = False
        self._connection = REQUEST.get()
        self._heard = 0
        """Frames that have come."""

    async def serve(self) -> None:
        """Tell and hear until one of both ends it."""
        await self._outlet.send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        hello = HelloFrame(
            game=self._caller.game,
            role=self._caller.name,
            cursor=self._cursor,
            heartbeat=self._service.settings.heartbeat,
            request=self._connection,
        )
        await self._send(_encode(hello))
        await self._outlet.until_done(asyncio.create_task(self._tell()), asyncio.create_task(self._hear()))

    # -- out ----------------------------------------------------------------------------------------------------------

    async def _tell(self) -> None:
        async with contextlib.aclosing(self._stream.items(self._take)) as items:
            async for item in items:
                if isinstance(item, End):
                    await self._end(item.reason)
                    return
                if isinstance(item, News | Notice) and self._take(item):
                    continue
                in_time = await self._send(_told(item))
                self._cursor = self._stream.cursor
                if not in_time:
                    await self._end("too-slow")
                    return

    def _take(self, news: News | Notice) -> bool:
        """Send it without waiting; False if that can't be now."""
        if self._ended or not self._outlet.write(framed(news, _told_in_frame)):
            return False
        if isinstance(news, News):
            self._cursor = cast("int", news.cursor)
        return True

    async def _send(self, text: bytes) -> bool:
        async with self._sending:
            if self._ended:
                return False
            return await self._outlet.send({"type": "websocket.send", "bytes": None, "text": text.decode()})

    async def _end(self, reason: Any) -> None:  # noqa: ANN401 -- a reason of `EndFrame`
        """Say why, then close; a command on its way is finished first."""
        if not self._outlet.late:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), FINISHING)
        await self._send(_encode(EndFrame(reason=reason, cursor=self._cursor)))
        async with self._sending:
            if not self._ended:
                self._ended = True
                why = f"{reason}; go on after {self._cursor}"
                await self._outlet.send({"type": "websocket.close", "code": CODES[reason], "reason": why})

    # -- in -----------------------------------------------------------------------------------------------------------

    async def _hear(self) -> None:
        while True:
            message = cast("dict[str, Any]", await self._receive())
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if text is None:
                await self._end("text-only")
                return
            self._idle.clear()
            try:
                if not await self._stream.holds():
                    self._stream.news.set()  # `_tell` finds it too, and ends the connection
                    continue
                answer = await self._answer(text.encode())
                if self._ended or not self._outlet.write(text_frame(answer)):
                    await self._send(answer)
            finally:
                self._idle.set()

    async def _answer(self, body: bytes) -> bytes:
        self._heard += 1
        REQUEST.set(f"{self._connection}-{self._heard}")
        begun = time.perf_counter()
        trace = self._service.traces.request
        with contextlib.nullcontext() if trace is None else trace(f"{COMMAND} {ROUTE}", None) as span:
            name, problem, done, answer = None, None, None, b""
            try:
                self._service.limits.tokens.take(self._stream.shown)
                frame = self._read(body)
                if isinstance(frame, PingFrame):
                    return _encode(PongFrame(id=frame.id))
                name = frame.id
                done, answer = await self._command(frame)
            except Exception as error:  # noqa: BLE001 -- whatever it is, the caller gets a problem and the log the rest
                name, problem = name or _id(body), to_problem(error)
                answer = problem.body()
            status = CREATED if problem is None else problem.status
            self._note(status, time.perf_counter() - begun, done, span)
        return _answered(name, status, answer, replayed=done is not None and done.replayed)

    def _read(self, body: bytes) -> ClientFrame:
        """A frame; what is wrong with its command is told as of the body of a request, with pointers into the command alone."""
        settings = self._service.settings
        if len(body) > settings.body_limit:
            decode_command(self._service, _command_in(body))
        try:
            frame: ClientFrame = decode(body, _frames, settings.depth_limit, around=1)
        except ProblemError as problem:
            if any(one.pointer.startswith("/command") for one in problem.problem.errors):
                decode_command(self._service, _command_in(body))
            raise
        return frame

    async def _command(self, frame: CommandFrame) -> tuple[Done, bytes]:
        if frame.if_match == []:
            raise ProblemError("invalid-precondition", "Expected the numbers of versions: [12, 13].")
        key = idempotency_key(frame.key)
        done = await handle_command(self._service, self._caller, frame.command, key, frame.if_match)
        asked = {"sentences": frame.sentences, "on_screen": frame.screen}
        return done, await told(self._service, self._caller, done, **asked)

    def _note(self, status: int, seconds: float, done: Done | None, span: SetAttributes | None) -> None:
        """Take note of a command as of a request."""
        self._service.metrics.answered(ROUTE, COMMAND, status, seconds)
        if span is None and not self._service.settings.log_requests:
            return
        place: dict[str, str | int] = {"game": self._caller.game}
        if done is not None:
            place["commit"] = done.number
        if self._service.settings.log_requests:
            tell_request(COMMAND, ROUTE, status, seconds, place)
        if span is not None:
            span(attributes(COMMAND, ROUTE, status, place))


def text_frame(text: bytes) -> bytes:
    """A message of a server as WebSockets frame it (RFC 6455, section 5.2)."""
    size = len(text)
    if size < 126:  # noqa: PLR2004 -- the three forms of a length
        return b"\x81%c%b" % (size, text)
    return (b"\x81\x7e" + size.to_bytes(2) if size < 1 << 16 else b"\x81\x7f" + size.to_bytes(8)) + text


def _told_in_frame(item: Item) -> bytes:
    return text_frame(_told(item))


def _told(item: Item) -> bytes:
    if isinstance(item, Notice):
        return b'{"type":"%b",%b' % (item.kind.encode(), item.body[1:])
    cursor = str(item.cursor).encode()
    if isinstance(item, News):
        return b'{"type":"event","cursor":%b,"event":%b}' % (cursor, item.event)
    return b'{"type":"heartbeat","cursor":%b}' % cursor


def _answered(name: str | None, status: int, body: bytes, *, replayed: bool = False) -> bytes:
    again = b',"replayed":true' if replayed else b""
    return b'{"type":"answer","id":%b,"status":%d%b,"body":%b}' % (_encode(name), status, again, body)


class _WithCommand(msgspec.Struct):
    command: msgspec.Raw = msgspec.Raw(b"")


def _command_in(body: bytes) -> bytes:
    """The command of a frame, as it was sent; empty if there is none."""
    try:
        return bytes(msgspec.json.decode(body, type=_WithCommand).command)
    except (ValueError, RecursionError):
        return b""


class _WithId(msgspec.Struct):
    id: str | None = None


def _id(body: bytes) -> str | None:
    """The id of a frame that may be wrong in other ways."""
    try:
        found = msgspec.json.decode(body, type=_WithId).id
    except (ValueError, RecursionError):
        return None
    return None if found is None else found[:64]
