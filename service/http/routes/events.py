"""A game's events: a page, all of them, or live; traces of them in words, and proofs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter
from litestar.response import Stream

from projections.trace.shapes import TracePage
from projections.trace.sifting import Wanted
from service.bootstrap import Service
from service.games.follow.presence import Present
from service.games.lobby.answers import EventPage
from service.games.read.proof import HeadPage, ProofPage
from service.http.bodies import JSON
from service.http.callers import READS, authenticate, count_anonymous, looking_as, require, sees_all
from service.http.edge import cursor
from service.http.incoming import (
    FROM_ZERO,
    MOST,
    After,
    As,
    FromCaller,
    FromService,
    Game,
    IfNoneMatch,
    LastEventId,
    Limit,
    Sentences,
    Ticket,
    accepted,
    shown,
)
from service.http.live import SSE, LiveStream
from service.http.operation import ANYBODY, EITHER, SAME, TICKET, Example, link, operation
from service.http.outgoing import MARKDOWN, NDJSON, PRIVATE, AnyRequest, behind, published, versioned, versioned_later
from service.identity import Caller
from service.log.reader import PAGE
from service.problems import forbidden


@operation(
    "GET /v1/games/{game:str}/events",
    "Follow the game",
    "events",
    security=TICKET,
    problems="ahead-of-log invalid-cursor not-acceptable too-many-streams",
    media=(NDJSON, SSE),
    others={"204": "To a live stream: the game is over and nothing is left."},
    example=Example("/v1/games/{game}/events?after=4&limit=2"),
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
    sentences: Sentences = False,
) -> Response[EventPage]:
    """Get what the caller's role was told after a cursor, as one CloudEvents object for each commit.

    `Accept` chooses the form: `application/json` is a page, `application/x-ndjson` is everything up to now, one event on each line, and
    `text/event-stream` stays open. A stream ends with the event `end` and a reason: `game-over`, `token-ended`, `stopping` (the service shuts
    down), `too-slow` (the reader accepted nothing for too long), `unavailable`, or `ahead-of-log` (an older log was restored: start again). Its id
    is the cursor to go on from. A client that reconnects after the end of a game gets 204. Once the game is disclosed, every token reads all
    roles' events by `as`.

    A stream also tells, in events without an id, of messages that the role was told (`message`) and of who follows the game live (`presence`).
    """
    shown = await authenticate(service, request, None if ticket is None else (game, ticket))
    caller = await looking_as(service, shown.caller, game, as_)
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, SSE))
    if kind == SSE:
        # What a browser knows when it connects again wins.
        begin = cursor(last_event_id, "Last-Event-ID") if last_event_id else after
        if await service.feeds.nothing_left(caller, begin):
            over: Response[Any] = Response(None, status_code=204, headers=PRIVATE)
            return over
        add = (await service.tracing.narrator(caller, begin)).add if sentences else None
        stream = await service.feeds.open(shown.caller, shown.digest, begin, caller, notices=True)
        live: Response[Any] = LiveStream(stream, service.settings.stall, add)
        return live
    if kind == NDJSON:
        upto = (await service.reading.page(caller, after, 1)).version  # a cursor ahead of the log is refused

        def lines() -> Response[Any]:
            return Stream(_lines(service, caller, after, upto, sentences=sentences), media_type=NDJSON)

        return versioned(request, if_none_match, upto, lines, caller.name, kind)
    page = await service.reading.page(caller, after, min(limit, service.settings.page_limit))
    events = page.events
    if sentences:
        narrator = await service.tracing.narrator(caller, after)
        events = await narrator.add_all(events)
    body = b'{"events":[%b],"next":%d,"version":%d}' % (b",".join(events), page.next, page.version)
    return versioned(request, if_none_match, page.version, lambda: body, caller.name, kind)


@operation(
    "GET /v1/games/{game:str}/presence", "See who follows", "events", example=Example("/v1/games/{game}/presence")
)
async def get_presence(service: FromService, caller: FromCaller, game: Game) -> Response[Present]:
    """See who follows the game live now, by role: over a stream, a WebSocket or a request that waits, in any process of the service.

    Somebody whose connection ended is there for five seconds more, so that a page which is loaded again does not flicker. Streams of accounts
    do not count. Who lost the network without a word is there until the connection is found dead. Presence is no secret to anybody with a token
    of the game, and spectators who lag behind see it at once: it tells of connections, not of the game.
    """
    require(caller, game)
    return Response(await service.presence.read(game), headers=PRIVATE)


async def _lines(service: Service, caller: Caller, after: int, upto: int, *, sentences: bool) -> AsyncIterator[bytes]:
    narrator = await service.tracing.narrator(caller, after) if sentences else None
    while after < upto:
        page = await service.reading.page(caller, after, min(PAGE, upto - after))
        events = await narrator.add_all(page.events) if narrator else page.events
        yield b"".join([event + b"\n" for event in events])
        after = page.next


From = Annotated[
    int | None,
    QueryParameter(name="from", examples=shown(5), ge=1, le=MOST, description="The first commit. Default: commit 1."),
]
To = Annotated[
    int | None,
    QueryParameter(
        name="to", ge=1, le=MOST, description="The last commit. Default: the latest that the caller may see."
    ),
]


@operation(
    "GET /v1/games/{game:str}/trace",
    "Trace a span of commits",
    "referee",
    security=EITHER,
    problems="ahead-of-log unfit-span unknown-rule unfit-filter not-acceptable several-roles",
    media=(NDJSON, MARKDOWN),
    litestar=READS,
)
async def get_trace(  # noqa: PLR0913 -- each is a parameter of the request
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    from_: From = None,
    to: To = None,
    as_: As = None,
    turn: Annotated[int | None, QueryParameter(**FROM_ZERO, le=MOST, description="Only steps of this turn.")] = None,
    round_: Annotated[
        int | None,
        QueryParameter(
            name="round",
            **FROM_ZERO,
            le=MOST,
            description="Only steps of this round of the haunt; 0: before its first turn.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        QueryParameter(examples=shown(0), **FROM_ZERO, le=5, description="Only what was done or tried for this seat."),
    ] = None,
    rule: Annotated[
        str,
        QueryParameter(
            examples=shown("2E-CARD-004"), max_length=40, description="Only steps in which this rule was applied."
        ),
    ] = "",
    room: Annotated[
        str,
        QueryParameter(
            examples=shown("entrance-hall"),
            max_length=80,
            description="Only what happened in this room, or to it: its id or title.",
        ),
    ] = "",
    card: Annotated[
        str,
        QueryParameter(
            examples=shown("skull"), max_length=80, description="Only what was about this card: its id or title."
        ),
    ] = "",
    grep: Annotated[
        str, QueryParameter(max_length=200, description="Only steps in whose words this text occurs, in any case.")
    ] = "",
    legal: Annotated[bool, QueryParameter(description="Whether to tell what was legal.")] = True,
    names: Annotated[bool, QueryParameter(description="Whether to show players' names.")] = False,
    told: Annotated[
        bool, QueryParameter(description="For whoever may look `as` others: whether to say who was told of each line.")
    ] = False,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[TracePage]:
    """Trace a span of commits: who did what, what was rolled or drawn, what changed, and by which rule.

    Each step also tells which card, tile, token or haunt box applied, what was legal at that moment, which rulings of this game mattered, and what
    was refused after it. All of it is computed from what the role knew and was told. The referee, who may look `as` any role, also learns the
    steps within boxes, everybody's legal commands and everybody's refused attempts; once the game is disclosed, so may everybody.

    `Accept` chooses the form: `application/json` is a page, `application/x-ndjson` is the whole span, one step on each line, and `text/markdown` is
    the same, to be pasted into a forum.

    Filters leave only the steps for which all of them hold. `turn` and `round` keep the step with which the turn or round began, too. `seat` is who
    acted, or tried something after the step and was refused. `rule` was cited by what happened, or by a refusal. `room` and `card` are named in the
    command or in what happened; `room` also is where the acting explorer or monster stood. `grep` searches all that a step tells but what was
    legal and bookkeeping (`note`). A page looks at no more than 1,000 commits: it may be short or empty and still not be the last. Go on as long
    as there is a `next`.
    """
    eyes = await looking_as(service, caller, game, as_)
    if told and not await sees_all(service, caller):
        raise forbidden()
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, MARKDOWN))
    wanted = Wanted(turn=turn, round=round_, seat=seat, rule=rule, room=room, card=card, grep=grep)
    span = await service.tracing.span(caller, from_, to, eyes.principal)
    span = await service.tracing.narrowed(span, wanted, legal=legal, names=names, told=told)
    beside = await service.tracing.beside(span)

    async def written() -> object:
        if kind == JSON:
            return await service.tracing.page(span, after, min(limit, service.settings.page_limit))
        pieces = service.tracing.lines(span, after) if kind == NDJSON else service.tracing.markdown(span, after)
        # The first piece is made before anything is said: what goes wrong is then told as a problem, not by a stream that breaks off.
        first = await anext(pieces, b"")
        return Stream(behind(first, pieces), media_type=kind)

    return await versioned_later(request, if_none_match, span.version, written, caller.name, kind, beside)


@operation(
    "GET /v1/games/{game:str}/heads",
    "Get the chain's hashes",
    "proof",
    security=ANYBODY,
    problems="not-found ahead-of-log",
    links={"proofs": link("getProofs", SAME, says="With a seat's token.")},
    example=Example("/v1/games/{game}/heads?after=4&limit=2"),
)
async def get_heads(
    *,
    request: AnyRequest,
    service: FromService,
    game: Game,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[HeadPage]:
    """Get the hashes of the commits after a cursor, to be able to show later that this was the log.

    A hash covers its commit and all before it, and reveals nothing of them. Keep some where the service can't reach them (`omenlog witness`
    does this); `omenlog verify --heads` checks an exported game against them.
    """
    count_anonymous(service, request)
    page = await service.proving.heads(game, after, min(limit, service.settings.page_limit))
    return versioned(request, if_none_match, page.version, lambda: page)


@operation(
    "GET /v1/games/{game:str}/proofs",
    "Get proofs of what the caller was told",
    "proof",
    problems="ahead-of-log",
    example=Example("/v1/games/{game}/proofs?after=4&limit=1"),
)
async def get_proofs(
    *,
    request: AnyRequest,
    service: FromService,
    caller: FromCaller,
    game: Game,
    after: After = 0,
    limit: Limit = 100,
    if_none_match: IfNoneMatch = None,
) -> Response[ProofPage]:
    """Get what the caller's role was told after a cursor, each commit with the digests of what was hidden from it.

    These are the lines of the role's export: the salted digest of what the role was told is one of eight, the eight give the root, and the root
    gives the hash that everybody gets as the head. The referee, who sees everything, exports the game instead.
    """
    require(caller, game, "host", "seat", "spectator")
    body, version = await service.proving.proofs(caller, after, min(limit, service.settings.page_limit))
    return versioned(request, if_none_match, version, lambda: body, caller.name)


@operation(
    "GET /v1/proof",
    "Read how a game is proved",
    "proof",
    security=ANYBODY,
    litestar={"media_type": MARKDOWN},
    example=Example("/v1/proof", lines=1),
)
async def get_proof_page(request: AnyRequest, if_none_match: IfNoneMatch = None) -> Response[str]:
    """Read, as Markdown, how a player can check that nothing was altered and no die was chosen, and what such a check cannot show."""
    return published(request, if_none_match, _page(), MARKDOWN)


@lru_cache(maxsize=1)
def _page() -> bytes:
    return resources.files("service.http").joinpath("proof.md").read_bytes()
