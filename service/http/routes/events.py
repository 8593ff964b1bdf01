"""A game's events: a JSON page, all of it as NDJSON, or live as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from litestar import Response, get
from litestar.response import Stream

from service.bootstrap import Service
from service.games.lobby.answers import EventPage
from service.games.tables import PAGE
from service.http.callers import Shown, identify, looking_as
from service.http.edge import cursor
from service.http.incoming import (
    After,
    As,
    FromService,
    Game,
    IfNoneMatch,
    LastEventId,
    Limit,
    Ticket,
    accepted,
    address,
)
from service.http.live import SSE, LiveStream
from service.http.outgoing import NDJSON, PRIVATE, AnyRequest, versioned
from service.identity import Caller

JSON = "application/json"


@get(
    "/v1/games/{game:str}/events",
    operation_id="getEvents",
    summary="Follow the game",
    tags=["events"],
    security=[{"token": []}, {"ticket": []}],
)
async def get_events(  # noqa: PLR0913 -- each is a parameter of the request
    *,
    request: AnyRequest,
    service: FromService,
    game: Game,
    after: After = 0,
    limit: Limit = 100,
    as_: As = None,
    if_none_match: IfNoneMatch = None,
    last_event_id: LastEventId = None,
    ticket: Ticket = None,
) -> Response[EventPage]:
    """Get what the caller's role was told behind a cursor, one CloudEvents object for each commit.

    By `Accept`: `application/json` is a page, `application/x-ndjson` is everything as of now, one event a line, and
    `text/event-stream` stays open. Its last event is `end` with a reason: `game-over`, `token-ended`, `stopping` (the
    service does), `too-slow` (the reader accepted nothing for too long), `unavailable`, or `ahead-of-log` (an older log was put back: begin
    anew); its id is the cursor from which to go on. Behind the end of a game a client that connects again gets 204.
    """
    shown = await _shown(request, service, game, ticket)
    caller = await looking_as(service, shown.caller, game, as_)
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, SSE))
    if kind == SSE:
        # What a browser knows when it connects again wins.
        begin = cursor(last_event_id, "Last-Event-ID") if last_event_id else after
        live: Response[Any] = await _live(service, shown, caller, begin)
        return live
    if kind == NDJSON:
        upto = (await service.reading.page(caller, after, 1)).version  # a cursor ahead of the log is refused

        def lines() -> Response[Any]:
            return Stream(_lines(service, caller, after, upto), media_type=NDJSON)

        return versioned(request, if_none_match, upto, lines, caller.name, kind)
    page = await service.reading.page(caller, after, min(limit, service.settings.page_limit))
    body = b'{"events":[%b],"next":%d,"version":%d}' % (b",".join(page.events), page.next, page.version)
    return versioned(request, if_none_match, page.version, lambda: body, caller.name, kind)


async def _shown(request: AnyRequest, service: Service, game: str, ticket: str | None) -> Shown:
    """Who follows, by a ticket or by a token."""
    by_ticket = None if ticket is None else (game, ticket)
    return await identify(service, request.headers.get("Authorization"), address(request.scope), by_ticket)


async def _lines(service: Service, caller: Caller, after: int, upto: int) -> AsyncIterator[bytes]:
    while after < upto:
        page = await service.reading.page(caller, after, min(PAGE, upto - after))
        yield b"".join([event + b"\n" for event in page.events])
        after = page.next


# -- live ---------------------------------------------------------------------------------------------------------------


async def _live(service: Service, shown: Shown, eyes: Caller, after: int) -> Response[Any]:
    if await service.following.nothing_left(eyes, after):
        return Response(None, status_code=204, headers=PRIVATE)
    return LiveStream(service.following.open(shown.caller, shown.digest, after, eyes), service.settings.stall)
