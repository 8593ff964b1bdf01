"""Seats, other places, tokens, and tickets for streams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Response

from service.games.follow.streams import StreamTicket
from service.games.lobby.answers import (
    InviteList,
    InviteRotatedAnswer,
    SeatClaimedAnswer,
    SeatReplacedAnswer,
    TokenRotatedAnswer,
)
from service.http.bodies import fingerprint, read_body
from service.http.callers import authenticate, count_anonymous, identify_if_known, require
from service.http.incoming import (
    FromCaller,
    FromService,
    Game,
    InviteName,
    SeatNumber,
    StrongKey,
    TokenName,
    bearer,
    strong_key,
)
from service.http.operation import ANYBODY, SAME, link, operation
from service.http.outgoing import PRIVATE, AnyRequest, created
from service.log.requests import ClaimSeat, Join
from service.problems import unauthorized


@operation(
    "POST /v1/games/{game:str}/seats/{seat:int}/claim",
    "Claim a seat",
    "seats",
    security=ANYBODY,
    body=ClaimSeat,
    problems="invite-refused not-found not-open game-over seat-taken unknown-character character-taken name-taken "
    "illegal-command conflict",
    headers={"ETag": True},
    secrets=True,
    links={
        "view": link("getView", SAME, says="With the seat's token."),
        "start": link("startGame", SAME, says="With the host's token."),
        "replace": link("replaceSeat", SAME | {"seat": "$request.path.seat"}, says="With the host's token."),
    },
)
async def claim_seat(
    request: AnyRequest, service: FromService, game: Game, seat: SeatNumber, idempotency_key_: StrongKey = None
) -> Response[SeatClaimedAnswer]:
    """Exchange a seat's invite for its token. Optionally choose a character and add entropy to the dice."""
    count_anonymous(service, request)
    asked: ClaimSeat = await read_body(request, service)
    key = strong_key(idempotency_key_)
    answer, done = await service.life.claim(game, seat, asked, key, fingerprint(f"claim {seat}", asked))
    return created(answer, answer.version, f"/v1/games/{game}/view", replayed=done.replayed)


@operation(
    "POST /v1/games/{game:str}/seats/{seat:int}/replace",
    "Replace a player",
    "seats",
    problems="not-found seats-free game-over conflict",
    headers={"ETag": True},
    secrets=True,
)
async def replace_seat(
    service: FromService, caller: FromCaller, game: Game, seat: SeatNumber, idempotency_key_: StrongKey = None
) -> Response[SeatReplacedAnswer]:
    """Take a seat from its player: the token ends, the name is erased, and the answer has a new invite. Everybody is told."""
    require(caller, game, "host")
    key = strong_key(idempotency_key_)
    answer, done = await service.life.replace(caller, seat, key, fingerprint(f"replace {seat}", None))
    # The host may lag behind: the answer doesn't say how far the game has come.
    answer = msgspec.structs.replace(answer, version=min(answer.version, await service.reading.version(caller)))
    return created(answer, answer.version, f"/v1/games/{game}", replayed=done.replayed)


JOINS: Mapping[str, Any] = {
    "security": ANYBODY,
    "body": Join,
    "problems": "invite-refused game-over",
    "never": "key-reused",
    "headers": {"ETag": True},
    "secrets": True,
}


@operation(
    "POST /v1/games/{game:str}/spectators",
    "Join as a spectator",
    "seats",
    **{**JOINS, "problems": f"{JOINS['problems']} invite-used-up"},
)
async def join_spectators(
    request: AnyRequest, service: FromService, game: Game, idempotency_key_: StrongKey = None
) -> Response[SeatClaimedAnswer]:
    """Exchange a spectator's invite for a token.

    An invite may be good for many, as its `good_for` said when the game was opened: each claim makes another token, until it is used up. A retry
    with the same idempotency key gets the same token.
    """
    return await _join_as("spectator", request, service, game, idempotency_key_)


@operation("POST /v1/games/{game:str}/referee", "Join as the referee", "seats", **JOINS)
async def join_referee(
    request: AnyRequest, service: FromService, game: Game, idempotency_key_: StrongKey = None
) -> Response[SeatClaimedAnswer]:
    """Exchange the referee's invite for a token. The referee sees everything, and answers for dice and cards in a moderated game."""
    return await _join_as("referee", request, service, game, idempotency_key_)


async def _join_as(
    place: str, request: AnyRequest, service: FromService, game: str, key: str | None
) -> Response[SeatClaimedAnswer]:
    count_anonymous(service, request)
    asked: Join = await read_body(request, service)
    answer = await service.life.join(game, place, asked, strong_key(key))
    return created(answer, answer.version, f"/v1/games/{game}/view")


@operation(
    "GET /v1/games/{game:str}/invites",
    "List invites",
    "seats",
    links={"rotate": link("rotateInvite", SAME | {"invite": "$response.body#/invites/0/id"})},
)
async def list_invites(request: AnyRequest, service: FromService, game: Game) -> Response[InviteList]:
    """List a game's invites, without their secrets, and how many people each can still serve. For the host and the referee.

    Whoever shows an invite in place of a token learns of that one alone: whether it has been used.
    """
    caller = await identify_if_known(service, request)
    if caller is None:
        mine = await service.life.invite(game, bearer(request.headers.get("Authorization")))
        if mine is None:
            raise unauthorized()
        return Response(mine, headers=PRIVATE)
    require(caller, game, "host", "referee")
    return Response(await service.life.invites(game), headers=PRIVATE)


@operation(
    "POST /v1/games/{game:str}/invites/{invite:str}/rotate",
    "Rotate an invite",
    "seats",
    problems="not-found invite-used-up game-over conflict",
    secrets=True,
)
async def rotate_invite(
    service: FromService, caller: FromCaller, game: Game, invite: InviteName
) -> Response[InviteRotatedAnswer]:
    """Exchange an invite that was lost, or reached the wrong person, for a new one; the old one ends. For the host and the referee.

    The new one serves as many as the old one still did; who came by the old one keeps the place. No commit tells of it. If no answer came, ask
    again. To take a seat from a player who has claimed it, replace the player.
    """
    require(caller, game, "host", "referee")
    return created(await service.life.rotate_invite(game, invite), None, f"/v1/games/{game}/invites")


@operation(
    "POST /v1/games/{game:str}/tokens/{token:str}/rotate", "Rotate a token", "seats", never="key-reused", secrets=True
)
async def rotate_token(
    request: AnyRequest, service: FromService, game: Game, token: TokenName, idempotency_key_: StrongKey = None
) -> Response[TokenRotatedAnswer]:
    """Exchange the token that the request shows for a new one; the old one ends. Only its holder can do this."""
    count_anonymous(service, request)
    secret = bearer(request.headers.get("Authorization"))
    answer = await service.life.rotate(game, token, secret, strong_key(idempotency_key_))
    return created(answer, None, f"/v1/games/{game}")


@operation("POST /v1/games/{game:str}/tickets", "Make a ticket for streams", "events", never="store-full", secrets=True)
async def make_ticket(request: AnyRequest, service: FromService, game: Game) -> Response[StreamTicket]:
    """Make a ticket that opens streams of this game as the caller's role. It holds for a minute.

    It is for browsers, whose `EventSource` and `WebSocket` can't send an `Authorization` header: send it as `?ticket=` to `events` or `socket`.
    It is good for nothing else, ends with the token that made it, and appears in no log.
    """
    shown = await authenticate(service, request)
    require(shown.caller, game)
    ticket = await service.stream_tickets.make(shown.caller, shown.digest)
    return created(ticket, None, f"/v1/games/{game}/events")
