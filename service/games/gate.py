"""The gate: which caller a token stands for.

Lookups are remembered, each with the revision of the game's records at which it was made. Every request asks the store for the game's
head, which is the cheapest question there is: if the records have changed since, by whichever process, the token is looked up again.
So a token that was revoked anywhere holds nowhere, from the moment on that the revocation was acknowledged. The head is passed on, so that
nobody is shown a game as it was before what somebody was answered already.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import msgspec

from service.identity import INVITE, Caller, caller_of, digest
from service.outside import Outside
from service.store.port import Head, LogStore, TokenRecord

MOST = 50_000
"""Tokens remembered at once."""


class Known(msgspec.Struct, frozen=True):
    """A token that held, as of a revision of its game's records."""

    caller: Caller
    revision: int


def _nobody(_game: str, _head: Head) -> None:
    """Nobody wants to know."""


class Gate:
    """Knows callers by their tokens."""

    def __init__(self, store: LogStore, outside: Outside) -> None:
        """Look tokens up in this store; the clock says which have expired."""
        self._store = store
        self._outside = outside
        self._known: dict[bytes, Known] = {}
        """By the digest of the token, so that no secret stays in memory."""
        self._shown: dict[str, list[bytes]] = {}
        """The digests that are known of a game."""
        self.heard: Callable[[str, Head], None] = _nobody
        """Told how far a caller's game has come."""

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
                    self.heard(known.caller.game, head)
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
        self.heard(found.game, head)
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
        """The invite for this place of this game, if that is what the secret is.

        It may be spent: then it may still prove a retry.
        """
        found = await self._store.find_token(digest(secret))
        if found is None or (found.game, found.role, found.seat) != (game, INVITE + place, seat):
            return None
        expired = found.expires is not None and found.expires <= self._outside.now()
        return None if found.revoked or expired else found

    def forget(self, game: str) -> None:
        """Look the tokens of a game up again."""
        for shown in self._shown.pop(game, ()):
            del self._known[shown]
