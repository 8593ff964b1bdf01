"""A game's events: a JSON page, all of it as NDJSON, or live as server-sent events."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from litestar import Response, get
from litestar.response import Stream
from litestar.types import Receive, Scope, Send

from service.api.callers import require
from service.api.incoming import accepted, bearer
from service.api.outgoing import NDJSON, PRIVATE, AnyRequest, versioned
from service.api.parameters import MOST, After, FromCaller, FromService, Game, IfNoneMatch, LastEventId, Limit
from service.bootstrap import Service
from service.games.answers import EventPage
from service.games.tables import PAGE
from service.identity import Caller
from service.problems import FieldError, ProblemError

JSON = "application/json"
SSE = "text/event-stream"


@get(
    "/v1/games/{game:str}/events",
    operation_id="getEvents",
    summary="Follow the game",
    tags=["events"],
)
async def get_events(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
    last_event_id: LastEventId = None,
) -> Response[EventPage]:
    """Get what the caller's role was told behind a cursor, one CloudEvents object for each commit.

    By `Accept`: `application/json` is a page, `application/x-ndjson` is everything as of now, one event a line, and
    `text/event-stream` stays open and ends with the game; a client that connects again then gets 204.
    """
    require(caller, game)
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, SSE))
    if kind == SSE:
        live: Response[Any] = await _live(request, service, caller, _cursor(last_event_id, after))
        return live
    if kind == NDJSON:
        first = await service.reading.page(caller, after, PAGE)
        headers = {"ETag": f'"{first.version}"', **PRIVATE}
        lines: Response[Any] = Stream(_lines(service, caller, after, first.version), media_type=NDJSON, headers=headers)
        return lines
    page = await service.reading.page(caller, after, min(limit, service.settings.page_limit))
    body = b'{"events":[%b],"next":%d,"version":%d}' % (b",".join(page.events), page.next, page.version)
    return versioned(if_none_match, body, page.version)


def _cursor(last_event_id: str | None, after: int) -> int:
    """`Last-Event-ID` wins: it is what a browser knows when it connects again.

    Raises:
        ProblemError: `invalid-parameter`.
    """
    if not last_event_id:
        return after
    if not (last_event_id.isascii() and last_event_id.isdecimal()) or int(last_event_id[:10]) > MOST:
        detail = "The id of an event is a commit's number."
        raise ProblemError("invalid-parameter", detail, errors=[FieldError("Last-Event-ID", detail)])
    return int(last_event_id)


async def _lines(service: Service, caller: Caller, after: int, upto: int) -> AsyncIterator[bytes]:
    while after < upto:
        page = await service.reading.page(caller, after, min(PAGE, upto - after))
        yield b"".join([event + b"\n" for event in page.events])
        after = page.next


# -- live ---------------------------------------------------------------------------------------------------------------


async def _live(request: AnyRequest, service: Service, caller: Caller, after: int) -> Response[Any]:
    if await service.following.nothing_left(caller, after):
        return Response(None, status_code=204, headers=PRIVATE)
    frames = service.following.frames(caller, bearer(request.headers.get("Authorization")), after)
    first = await anext(frames)  # so that a stream too many is refused before the answer begins
    return LiveStream(first, frames, service.settings.stall)


class LiveStream(Response[Any]):
    """An answer that stays open: frames as they come, until they end, the client goes, or it accepts nothing any more."""

    def __init__(self, first: bytes, frames: AsyncGenerator[bytes, None], stall: float) -> None:
        """Send `first`, then the frames, each within `stall` seconds."""
        super().__init__(None)
        self._first = first
        self._frames = frames
        self._stall = stall

    def to_asgi_response(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401 -- what Litestar hands over serves answers that it encodes
        """The ASGI application that answers."""
        return self._answer

    async def _answer(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as an ASGI application."""
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        headers = [
            (b"content-type", SSE.encode()),
            (b"cache-control", b"private, no-store"),
            (b"vary", b"Authorization, Accept"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        try:
            await self._send_frame(send, self._first)
            async for frame in self._frames:
                await self._send_frame(send, frame)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except TimeoutError:
            return  # a reader that accepts nothing is let go; it connects again with its cursor
        finally:
            with contextlib.suppress(RuntimeError):
                await self._frames.aclose()

    async def _send_frame(self, send: Send, frame: bytes) -> None:
        async with asyncio.timeout(self._stall):
            await send({"type": "http.response.body", "body": frame, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
