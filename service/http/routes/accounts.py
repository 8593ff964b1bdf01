"""Accounts: opened, looked at, followed; tokens bound to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
from litestar import Response, delete, get, post, put, route
from litestar.response import Stream

from service.bootstrap import Service
from service.games.follow.account_stream import AccountStream
from service.games.follow.accounts import AccountOpened, AccountShown, Bound
from service.games.lobby.answers import AccountEventPage
from service.http.bodies import read_body
from service.http.callers import Shown, account_holder, count_anonymous, identify, require
from service.http.edge import SECRETS
from service.http.incoming import AccountAfter, FromService, Game, LastEventId, Limit, TokenName, accepted, address
from service.http.live import SSE, LiveStream
from service.http.outgoing import NDJSON, PRIVATE, AnyRequest, created
from service.log.reader import PAGE
from service.log.requests import BindToken
from service.problems import forbidden
from service.store.port import AccountRecord

JSON = "application/json"
WITH_KEY: Sequence[dict[str, list[str]]] = [{"account": []}]

_bind = msgspec.json.Decoder(BindToken)


@post(
    "/v1/accounts",
    operation_id="openAccount",
    summary="Open an account",
    tags=["accounts"],
    security=[{}],
    opt={SECRETS: True},
)
async def open_account(request: AnyRequest, service: FromService) -> Response[AccountOpened]:
    """Open an account. Its key is shown once; bind tokens to it, and follow all their games by one stream.

    An address may open so many in a day, as `RateLimit` of the answer says.
    """
    count_anonymous(service, request)
    service.limits.accounts.take(address(request.scope))
    return created(await service.accounts.open(), None, "/v1/account")


@get("/v1/account", operation_id="getAccount", summary="See the account", tags=["accounts"], security=WITH_KEY)
async def get_account(request: AnyRequest, service: FromService) -> Response[AccountShown]:
    """See which tokens are bound to the account whose key is shown."""
    account = await account_holder(service, request)
    return Response(await service.accounts.show(account), headers=PRIVATE)


@get(
    "/v1/account/events",
    operation_id="getAccountEvents",
    summary="Follow all games",
    tags=["accounts"],
    security=WITH_KEY,
)
async def get_account_events(
    request: AnyRequest,
    service: FromService,
    after: AccountAfter = "",
    limit: Limit = 100,
    last_event_id: LastEventId = None,
) -> Response[AccountEventPage]:
    """Get what the account's tokens were told behind a cursor; of each game in its order.

    By `Accept` as `getEvents`: a page, everything as of now, or live. Events name by `recipient` the token that was told,
    and carry the cursor behind them. A cursor knows how far each game was told, so that it is exact after any break.
    A token that is bound later brings its game from the beginning.
    """
    account = await account_holder(service, request)
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, SSE))
    where = "Last-Event-ID" if last_event_id and kind == SSE else "after"
    given = last_event_id if last_event_id and kind == SSE else after
    positions = await service.accounts.positions(account, given, where)
    if kind == SSE:
        await service.accounts.page(account, positions, 1)  # a cursor ahead of a log is refused
        stream = AccountStream(service.streams, service.tables, service.accounts, account, positions)
        live: Response[Any] = LiveStream(stream, service.settings.stall)
        return live
    if kind == NDJSON:
        lines: Response[Any] = Stream(_lines(service, account, positions), media_type=NDJSON, headers=PRIVATE)
        return lines
    page = await service.accounts.page(account, positions, min(limit, service.settings.page_limit))
    body = b'{"events":[%b],"next":"%b","more":%b}' % (
        b",".join([news.event for news in page.news]),
        service.accounts.cursor(account, page.positions).encode(),
        b"true" if page.more else b"false",
    )
    answer: Response[Any] = Response(body, headers=PRIVATE, media_type=JSON)
    return answer


async def _lines(service: Service, account: AccountRecord, positions: list[int]) -> AsyncIterator[bytes]:
    more = True
    while more:
        page = await service.accounts.page(account, positions, PAGE)
        yield b"".join([news.event + b"\n" for news in page.news])
        positions, more = page.positions, page.more


# -- bindings -----------------------------------------------------------------------------------------------------------


@route("/v1/games/{game:str}/tokens/{token:str}/account", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_binding(game: Game, token: TokenName) -> Response[None]:  # noqa: ARG001 -- the path has them
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "DELETE, OPTIONS, PUT"})


@put(
    "/v1/games/{game:str}/tokens/{token:str}/account",
    operation_id="bindToken",
    summary="Bind a token to an account",
    tags=["accounts"],
    opt={"body": BindToken},
)
async def bind_token(request: AnyRequest, service: FromService, game: Game, token: TokenName) -> Response[Bound]:
    """Bind the token that the request shows to the account whose key stands in the body: only who has both can.

    The binding goes on when the token is rotated, and ends with the token. A token is bound to one account at a time.
    """
    shown = await _own(request, service, game, token)
    asked: BindToken = await read_body(request, service, _bind)
    return Response(await service.accounts.bind(shown.caller, shown.digest, asked.key), headers=PRIVATE)


@delete(
    "/v1/games/{game:str}/tokens/{token:str}/account",
    operation_id="unbindToken",
    summary="Unbind a token",
    tags=["accounts"],
    status_code=204,
)
async def unbind_token(request: AnyRequest, service: FromService, game: Game, token: TokenName) -> None:
    """Bind the token that the request shows to no account."""
    shown = await _own(request, service, game, token)
    await service.accounts.unbind(shown.caller, shown.digest)


async def _own(request: AnyRequest, service: Service, game: str, token: str) -> Shown:
    shown = await identify(service, request.headers.get("Authorization"), address(request.scope))
    require(shown.caller, game)
    if shown.caller.token != token:
        raise forbidden()
    return shown
