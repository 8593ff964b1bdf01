"""Who is calling: bearer tokens with one role in one game, and invites that are exchanged for one.

The service knows a token by its SHA-256 alone. `Gate` remembers lookups, each with the revision of the game's records at which it was made.
Every request asks the store for the game's head, the cheapest question there is; if the records have changed since, in whichever process,
the token is looked up again. So a revoked token holds nowhere once its revocation was acknowledged. The head is passed on, so that nobody is
shown an older game than somebody was shown before.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from datetime import datetime
from typing import Literal

import msgspec

from content.patterns import whole
from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from service.outside import Outside
from service.store.port import Head, LogStore, TokenRecord

Role = Literal["host", "seat", "referee", "spectator"]
ROLES: tuple[Role, ...] = ("host", "seat", "referee", "spectator")
GAME_ID = whole(r"^[a-z2-7]{20}$")
"""The form of a game's id."""

INVITE = "invite-"
"""What the roles of invites begin with in the store: `invite-seat`, `invite-referee`, `invite-spectator`."""

CO_REFEREE = "co-referee"
"""The name of the second referee's token; its role is the referee's."""

PREFIX = "omen_"
"""What every token and invite begins with, so that secret scanners know them."""
LENGTH = len(PREFIX) + 43
"""Characters of a token: the prefix and 32 bytes in base 64."""


class Caller(msgspec.Struct, frozen=True):
    """A token that holds: one role in one game."""

    game: str
    token: str
    """The token's public name."""
    role: Role
    seat: int = -1
    expires: str = ""
    """ISO 8601 in UTC, or empty for never."""

    @property
    def name(self) -> str:
        """`host`, `seat:1`, `referee`, `co-referee` or `spectator`: what idempotency keys are scoped to."""
        if self.role == "seat":
            return f"seat:{self.seat}"
        return CO_REFEREE if self.token == CO_REFEREE else self.role

    @property
    def principal(self) -> Mask:
        """Whose part of the log the caller sees. A host sees what a spectator sees."""
        if self.role == "seat":
            return seat_bit(self.seat)
        return REFEREE if self.role == "referee" else SPECTATORS

    def looking_as(self, principal: Mask) -> Caller:
        """The same token, with another role's eyes: it is told what that role is told, as late as that role is."""
        if principal in (SPECTATORS, REFEREE):
            return msgspec.structs.replace(self, role="referee" if principal == REFEREE else "spectator", seat=-1)
        return msgspec.structs.replace(self, role="seat", seat=principal.bit_length() - 1)


class Credential(msgspec.Struct, frozen=True):
    """A token or an invite, which is shown once."""

    id: str
    """Its public name in the game: `seat-1`, `invite-seat-1`."""
    secret: str


class Invite(Credential, frozen=True, omit_defaults=True):
    """An invite, which is shown once."""

    good_for: int = 1
    """How many may claim it."""


def digest(secret: str) -> bytes:
    """What the store knows of a token."""
    return hashlib.sha256(secret.encode()).digest()


def derive(key: bytes, *parts: str) -> str:
    """A token's secret from a key and what it is for.

    Where the parts hold something that only the caller knows (an idempotency key, an invite), a retry gets the same secret,
    though only its digest was kept.
    """
    made = hmac.digest(key, "\x00".join(parts).encode(), "sha256")
    return PREFIX + base64.urlsafe_b64encode(made).decode().rstrip("=")


def caller_of(token: TokenRecord) -> Caller | None:
    """The caller who shows this token, unless it is an invite or holds no longer."""
    if token.revoked or token.role not in ROLES:
        return None
    return Caller(token.game, token.id, token.role, -1 if token.seat is None else token.seat, token.expires or "")


def principal_named(name: str, seats: int) -> Mask | None:
    """The principal that `?as=` names: `seat:2`, `spectator`, `referee`; None if the game has no such role."""
    if name == "spectator":
        return SPECTATORS
    if name == "referee":
        return REFEREE
    head, _, number = name.partition(":")
    if head == "seat" and number.isdecimal() and len(number) == 1 and int(number) < seats:
        return seat_bit(int(number))
    return None


def scoped_key(principal: str, key: str) -> str:
    """The digest under which an idempotency key is kept: one principal's keys don't meet another's."""
    return hashlib.sha256(f"{principal}\x00{key}".encode()).hexdigest() if key else ""


MOST = 50_000
"""Tokens remembered at once."""


class Known(msgspec.Struct, frozen=True):
    """A token that held, as of a revision of its game's records."""

    caller: Caller
    revision: int


class Gate:
    """Knows callers by their tokens."""

    def __init__(self, store: LogStore, outside: Outside, heard: Callable[[str, Head], None]) -> None:
        """`heard` is told how far a caller's game has come."""
        self._store = store
        self._outside = outside
        self._known: dict[bytes, Known] = {}
        """By the digest of the token, so that no secret stays in memory."""
        self._shown: dict[str, list[bytes]] = {}
        """The digests that are known of a game."""
        self._heard = heard

    async def caller(self, secret: str) -> Caller | None:
        """The caller who shows this token, or None if it doesn't hold now."""
        return await self.holding(digest(secret))

    async def holding(self, shown: bytes, head: Head | None = None) -> Caller | None:
        """As `caller`, by the token's digest; `head` is that of the token's game, if it was asked for, and heard, just now."""
        known = self._known.get(shown)
        if known is not None:
            if head is None:
                head = await self._store.head(known.caller.game)
                if head is not None:
                    self._heard(known.caller.game, head)
            if head is None or head.revision != known.revision:
                known = None
        if known is None:
            known = await self._learn(shown)
        if known is None or (known.caller.expires and known.caller.expires <= self._outside.now()):
            return None
        return known.caller

    def left(self, caller: Caller) -> float | None:
        """Seconds until a caller's token expires; None for never."""
        if not caller.expires:
            return None
        return (datetime.fromisoformat(caller.expires) - datetime.fromisoformat(self._outside.now())).total_seconds()

    async def digest_of(self, game: str, token: str) -> bytes | None:
        """The digest of a token by its public name, if it holds."""
        records = await self._store.list_tokens(game)
        return next((record.hash for record in records if record.id == token and caller_of(record)), None)

    async def _learn(self, shown: bytes) -> Known | None:
        """Look a token up, and all of its game with it: where one plays the others follow."""
        found = await self._store.find_token(shown)
        if found is None or caller_of(found) is None:
            return None
        # First: what changes while the tokens are read is then noticed by the next who shows one.
        head = await self._store.head(found.game)
        if head is None:
            return None
        self._heard(found.game, head)
        records = await self._store.list_tokens(found.game)
        if len(self._known) >= MOST:
            self._known.clear()
            self._shown.clear()
        self.forget(found.game)
        shown_of = self._shown[found.game] = []
        for record in records:
            caller = caller_of(record)
            if caller is not None:
                self._known[record.hash] = Known(caller, head.revision)
                shown_of.append(record.hash)
        return self._known.get(shown)

    async def invite(self, secret: str, game: str, place: str, seat: int | None = None) -> TokenRecord | None:
        """The invite for this place of this game, if that is what the secret is; a spent one may still prove a retry."""
        found = await self.any_invite(secret, game)
        return found if found is not None and (found.role, found.seat) == (INVITE + place, seat) else None

    async def any_invite(self, secret: str, game: str) -> TokenRecord | None:
        """The invite of this game that the secret is, for whatever place; also a spent one."""
        found = await self._store.find_token(digest(secret))
        if found is None or found.game != game or not found.role.startswith(INVITE):
            return None
        expired = found.expires is not None and found.expires <= self._outside.now()
        return None if found.revoked or expired else found

    def forget(self, game: str) -> None:
        """Look the tokens of a game up again."""
        for shown in self._shown.pop(game, ()):
            del self._known[shown]
