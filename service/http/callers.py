"""Who is calling, for handlers that ask: the token is looked up, its rate is counted, its role is checked."""

from __future__ import annotations

import hmac
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.di import Provide

from domain.facts.audience import REFEREE
from service.bootstrap import Service
from service.games.lobby.catalogue import opener
from service.http.incoming import As, FromService, address, bearer
from service.http.outgoing import AnyRequest
from service.identity import Caller, Role, digest, principal_named
from service.problems import ProblemError, forbidden, unauthorized
from service.store.port import AccountRecord
from service.webhooks.desk import Desk

Connection = ASGIConnection[Any, Any, Any, Any]
Ticket = tuple[str, str]
"""A game, and a ticket that was shown for it."""


def provide_service(request: AnyRequest) -> Service:
    service: Service = request.app.state.service
    return service


# Providers below ask for the service: of what does not depend on each other Litestar makes tasks, which cost more than the wait is worth.


async def provide_caller(service: FromService, request: AnyRequest) -> Caller:
    """The caller of a request. Raises `unauthorized` or `too-many-requests`."""
    return (await authenticate(service, request)).caller


async def authenticate(service: Service, connection: Connection, ticket: Ticket | None = None) -> Shown:
    """The caller behind a connection, and the digest of its token. Raises as `provide_caller` does."""
    return await identify(service, connection.headers.get("Authorization"), address(connection.scope), ticket)


class Shown(msgspec.Struct, frozen=True):
    """A caller, and the digest of the token by which it was known."""

    caller: Caller
    digest: bytes


async def identify(service: Service, authorization: str | None, where: str, ticket: Ticket | None = None) -> Shown:
    """Who shows this header, or this ticket; counted at the token's rate, else at that of the address. Raises as `provide_caller` does."""
    try:
        shown = digest(bearer(authorization)) if ticket is None else await service.stream_tickets.holder(*ticket)
        caller = None if shown is None else await service.gate.holding(shown)
        if shown is None or caller is None:
            raise unauthorized()
    except ProblemError:
        service.limits.anonymous.take(where)
        raise
    service.limits.tokens.take(shown)
    return Shown(caller, shown)


def count_anonymous(service: Service, connection: Connection) -> None:
    """Count a request that shows no valid token, by its address. Raises `too-many-requests`."""
    service.limits.anonymous.take(address(connection.scope))


async def identify_if_known(service: Service, connection: Connection) -> Caller | None:
    """The caller behind a connection; None for a stranger, who shows no valid token. Raises `too-many-requests`."""
    try:
        return (await authenticate(service, connection)).caller
    except ProblemError as problem:
        if problem.code != "unauthorized":
            raise
        return None


def check_opening_key(service: Service, connection: Connection) -> None:
    """Raise `unauthorized` if opening games needs the operator's key, and the caller doesn't show it."""
    key = service.settings.opening_key
    scheme, _, shown = connection.headers.get("Authorization", "").partition(" ")
    # Of digests, so that not even the key's length is told by the time that it takes.
    same = hmac.compare_digest(digest(shown.strip()), digest(key))
    if key and not (same and scheme.lower() == "bearer"):
        raise ProblemError(
            "unauthorized",
            "Opening a game here takes the opening key, as Authorization: Bearer … Ask the operator of this service.",
            headers={"WWW-Authenticate": "Bearer"},
        )


async def opener_behind(service: Service, connection: Connection) -> dict[str, str]:
    """Who opens a game, for the quota: an address, and what it shows: the opening key, the key of an account, or a token of another game."""
    where, key = address(connection.scope), service.settings.opening_key
    shown = connection.headers.get("Authorization", "").partition(" ")[2].strip()
    if not shown:
        return opener(where, None, key)
    named = digest(shown)
    holds = bool(key)  # it has been checked
    if not holds:
        holds = await service.gate.holding(named) is not None or await service.store.find_account(named) is not None
    return opener(where, named if holds else None, key)


def require(caller: Caller, game: str, *roles: Role) -> None:
    """Raise `forbidden` unless the caller belongs to this game and has one of these roles (any, if none is named)."""
    if caller.game != game or (roles and caller.role not in roles):
        raise forbidden()


async def looking_as(
    service: Service, caller: Caller, game: str, as_: str | None, *, confidential: bool = False
) -> Caller:
    """The caller of a game, or the role that `?as=` names: for the referee, and once the game is disclosed for everybody. Raises `forbidden`.

    What is `confidential` was written to the referee alone and lies beside the log: no disclosure opens it.
    """
    require(caller, game)
    if as_ is None:
        return caller
    principal = principal_named(as_, await service.reading.seats(caller))
    if principal is None:
        raise ProblemError("forbidden", f"This game has no {as_}.")
    if caller.principal == principal:
        return caller
    if caller.principal != REFEREE and confidential:
        raise ProblemError("forbidden", "Only the referee reads this as another role.")
    if caller.principal != REFEREE and not await service.reading.disclosed(caller):
        raise ProblemError(
            "forbidden", "Only the referee may look as another role, until the game is over and disclosed."
        )
    return caller.looking_as(principal)


async def sees_all(service: Service, caller: Caller) -> bool:
    """Whether the caller may know all of its game: the referee, and once the game is disclosed everybody."""
    return caller.role == "referee" or await service.reading.disclosed(caller)


async def account_holder(service: Service, connection: Connection) -> AccountRecord:
    """The account whose key is shown; counted at the key's rate. Raises `unauthorized` or `too-many-requests`."""
    try:
        secret = bearer(connection.headers.get("Authorization"))
        account = await service.accounts.holder(secret)
    except ProblemError:
        count_anonymous(service, connection)
        raise
    service.limits.tokens.take(digest(secret))
    return account


async def callers_behind(service: Service, request: AnyRequest) -> list[Caller]:
    """Whose token is shown, or the holders of all tokens of the account whose key it is; nobody where nothing is shown.

    Raises as `account_holder` does.
    """
    if request.headers.get("Authorization") is None:
        count_anonymous(service, request)
        return []
    shown = await token_or_account(service, request)
    if isinstance(shown, Shown):
        return [shown.caller]
    found = [await service.accounts.bound(shown, place) for place in await service.accounts.places(shown)]
    return [one for one in found if one is not None]


async def token_or_account(service: Service, request: AnyRequest) -> Shown | AccountRecord:
    """Who shows a token, or the key of an account; counted at its rate. Raises as `account_holder` does."""
    try:
        shown = digest(bearer(request.headers.get("Authorization")))
    except ProblemError:
        count_anonymous(service, request)
        raise
    caller = await service.gate.holding(shown)
    if caller is None:
        return await account_holder(service, request)
    service.limits.tokens.take(shown)
    return Shown(caller, shown)


async def provide_desk(service: FromService, request: AnyRequest) -> Desk:
    """The subscriptions of the token, or of the account, behind what is shown. Raises as `account_holder` does."""
    shown = await token_or_account(service, request)
    if isinstance(shown, AccountRecord):
        return service.webhooks.of_account(shown)
    return service.webhooks.of_token(shown.caller, shown.digest)


async def provide_reader(service: FromService, request: AnyRequest, as_: As = None) -> Caller:
    """The caller of a request, or of an account the token by which it reads this game. Raises as `account_holder` and `Accounts.reader` do."""
    shown = await token_or_account(service, request)
    if isinstance(shown, AccountRecord):
        return await service.accounts.reader(shown, request.path_params["game"], as_)
    return shown.caller


READS: dict[str, Any] = {"dependencies": {"caller": Provide(provide_reader)}}
"""For `litestar` of an operation that reads a game, with `?as=`: the key of an account is good for it, too."""
