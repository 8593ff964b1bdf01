"""Accounts: opened, looked at, followed; tokens bound to them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from litestar import Response
from litestar.response import Stream

from service.bootstrap import Service
from service.games.follow.accounts import AccountOpened, AccountShown, AccountStream, Bound, Words
from service.games.lobby.answers import AccountEventPage
from service.http.bodies import JSON, read_body
from service.http.callers import Shown, account_holder, authenticate, count_anonymous, require
from service.http.incoming import (
    AccountAfter,
    FromService,
    Game,
    LastEventId,
    Limit,
    Sentences,
    TokenName,
    accepted,
    address,
)
from service.http.live import SSE, LiveStream
from service.http.operation import ACCOUNT, ANYBODY, Example, operation
from service.http.outgoing import NDJSON, PRIVATE, AnyRequest, created
from service.log.reader import PAGE
from service.log.requests import BindToken
from service.problems import forbidden
from service.store.port import AccountRecord


@operation("POST /v1/accounts", "Open an account", "accounts", security=ANYBODY, secrets=True)
async def open_account(request: AnyRequest, service: FromService) -> Response[AccountOpened]:
    """Open an account. The answer shows its key once. Bind tokens to the account to follow all their games in one stream.

    An address may open a limited number of accounts a day; `RateLimit` in the answer says how many are left.
    """
    count_anonymous(service, request)
    service.limits.accounts.take(address(request.scope))
    return created(await service.accounts.open(), None, "/v1/account")


@operation(
    "GET /v1/account",
    "Get the account",
    "accounts",
    security=ACCOUNT,
    problems="damaged-log archive-missing",
    example=Example("/v1/account"),
)
async def get_account(request: AnyRequest, service: FromService) -> Response[AccountShown]:
    """List the tokens that are bound to the account whose key the request shows."""
    account = await account_holder(service, request)
    return Response(await service.accounts.show(account), headers=PRIVATE)


@operation(
    "GET /v1/account/events",
    "Follow all games",
    "accounts",
    security=ACCOUNT,
    problems="invalid-cursor ahead-of-log not-acceptable too-many-streams damaged-log archive-missing",
    media=(NDJSON, SSE),
    example=Example("/v1/account/events?limit=2"),
)
async def get_account_events(
    *,
    request: AnyRequest,
    service: FromService,
    after: AccountAfter = "",
    limit: Limit = 100,
    last_event_id: LastEventId = None,
    sentences: Sentences = False,
) -> Response[AccountEventPage]:
    """Get what the account's tokens were told after a cursor. The events of each game come in order.

    `Accept` chooses the form as for `getEvents`: a page, everything up to now, or a live stream. `recipient` names the token that was told, and
    each event carries the cursor behind it. A cursor records how far each game was told, so a client resumes exactly after any break.
    A token that is bound later brings its game from the beginning.
    """
    account = await account_holder(service, request)
    kind = accepted(request.headers.get("Accept"), (JSON, NDJSON, SSE))
    where = "Last-Event-ID" if last_event_id and kind == SSE else "after"
    given = last_event_id if last_event_id and kind == SSE else after
    positions = await service.accounts.positions(account, given, where)
    words = Words(service.tables) if sentences else None
    if kind == SSE:
        await service.accounts.page(account, positions, 1)  # a cursor ahead of a log is refused
        stream = AccountStream(service.streams, service.tables, service.accounts, account, positions, words)
        live: Response[Any] = LiveStream(stream, service.settings.stall)
        return live
    if kind == NDJSON:
        lines: Response[Any] = Stream(_lines(service, account, positions, words), media_type=NDJSON, headers=PRIVATE)
        return lines
    page = await service.accounts.page(account, positions, min(limit, service.settings.page_limit), words=words)
    body = b'{"events":[%b],"next":"%b","more":%b}' % (
        b",".join([news.event for news in page.news]),
        service.accounts.cursor(account, page.positions).encode(),
        b"true" if page.more else b"false",
    )
    answer: Response[Any] = Response(body, headers=PRIVATE, media_type=JSON)
    return answer


async def _lines(
    service: Service, account: AccountRecord, positions: list[int], words: Words | None
) -> AsyncIterator[bytes]:
    more = True
    while more:
        page = await service.accounts.page(account, positions, PAGE, words=words)
        yield b"".join([news.event + b"\n" for news in page.news])
        positions, more = page.positions, page.more


# -- bindings -----------------------------------------------------------------------------------------------------------


@operation(
    "PUT /v1/games/{game:str}/tokens/{token:str}/account",
    "Bind a token to an account",
    "accounts",
    body=BindToken,
    problems="account-full is-fork",
)
async def bind_token(request: AnyRequest, service: FromService, game: Game, token: TokenName) -> Response[Bound]:
    """Bind the token that the request shows to the account whose key is in the body. Only a caller who has both can do this.

    The binding survives a rotation of the token, and ends with the token. A token is bound to at most one account.
    """
    shown = await _own(request, service, game, token)
    asked: BindToken = await read_body(request, service)
    return Response(await service.accounts.bind(shown.caller, shown.digest, asked.key), headers=PRIVATE)


@operation("DELETE /v1/games/{game:str}/tokens/{token:str}/account", "Unbind a token", "accounts")
async def unbind_token(request: AnyRequest, service: FromService, game: Game, token: TokenName) -> None:
    """Unbind the token that the request shows from its account."""
    shown = await _own(request, service, game, token)
    await service.accounts.unbind(shown.caller, shown.digest)


async def _own(request: AnyRequest, service: Service, game: str, token: str) -> Shown:
    shown = await authenticate(service, request)
    require(shown.caller, game)
    if shown.caller.token != token:
        raise forbidden()
    return shown
