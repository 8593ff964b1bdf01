"""Tickets for streams."""

from __future__ import annotations

from litestar import Response, post

from service.api.callers import identify, require
from service.api.edge import SECRETS
from service.api.incoming import address
from service.api.outgoing import AnyRequest, created
from service.api.parameters import FromService, Game
from service.games.follow.tickets import StreamTicket


@post(
    "/v1/games/{game:str}/tickets",
    operation_id="makeTicket",
    summary="Make a ticket for streams",
    tags=["events"],
    opt={SECRETS: True},
)
async def make_ticket(request: AnyRequest, service: FromService, game: Game) -> Response[StreamTicket]:
    """Make a ticket that opens streams of this game as the caller's role, for a minute.

    It is for browsers, whose `EventSource` and `WebSocket` can't send an `Authorization` header: send it as `?ticket=` to
    `events` or `socket`. It is good for nothing else, ends with the token that made it, and no log shows it.
    """
    shown = await identify(service, request.headers.get("Authorization"), address(request.scope))
    require(shown.caller, game)
    ticket = await service.stream_tickets.make(shown.caller, shown.digest)
    return created(ticket, None, f"/v1/games/{game}/events")
