"""The gate: which caller a token stands for. Lookups are remembered until a token of that game changes."""

from __future__ import annotations

from service.identity import INVITE, Caller, caller_of, digest
from service.ports.log import LogStore, TokenRecord
from service.ports.outside import Outside

MOST = 50_000
"""Tokens remembered at once."""


class Gate:
    """Knows callers by their tokens. One process writes to a store, so it hears of every change."""

    def __init__(self, store: LogStore, outside: Outside) -> None:
        """Look tokens up in this store; the clock says which have expired."""
        self._store = store
        self._outside = outside
        self._callers: dict[bytes, Caller] = {}
        """By the digest of the token, so that no secret stays in memory."""
        self._forgotten = 0
        """How often tokens were forgotten."""

    async def caller(self, secret: str) -> Caller | None:
        """The caller who shows this token, or None if it doesn't hold."""
        return await self.holding(digest(secret))

    async def holding(self, shown: bytes) -> Caller | None:
        """As `caller`, by the token's digest."""
        caller = self._callers.get(shown) or await self._learn(shown)
        if caller is None or (caller.expires and caller.expires <= self._outside.now()):
            return None
        return caller

    async def digest_of(self, game: str, token: str) -> bytes | None:
        """The digest of a token by its public name, if it holds."""
        records = await self._store.list_tokens(game)
        return next((record.hash for record in records if record.id == token and caller_of(record)), None)

    async def _learn(self, shown: bytes) -> Caller | None:
        """Look a token up, and all of its game with it: where one plays the others follow."""
        found = await self._store.find_token(shown)
        if found is None or caller_of(found) is None:
            return None
        while True:
            forgotten = self._forgotten
            records = await self._store.list_tokens(found.game)
            if forgotten == self._forgotten:
                break  # else a token that was revoked while we read might hold on
        if len(self._callers) >= MOST:
            self._callers.clear()
        callers = {record.hash: caller for record in records if (caller := caller_of(record)) is not None}
        self._callers.update(callers)
        return callers.get(shown)

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
        self._forgotten += 1
        self._callers = {shown: caller for shown, caller in self._callers.items() if caller.game != game}
