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
        self._callers: dict[str, Caller] = {}

    async def caller(self, secret: str) -> Caller | None:
        """The caller who shows this token, or None if it doesn't hold."""
        caller = self._callers.get(secret)
        if caller is None:
            record = await self._store.find_token(digest(secret))
            caller = None if record is None else caller_of(record)
            if caller is not None:
                if len(self._callers) >= MOST:
                    self._callers.clear()
                self._callers[secret] = caller
        if caller is None or (caller.expires and caller.expires <= self._outside.now()):
            return None
        return caller

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
        self._callers = {secret: caller for secret, caller in self._callers.items() if caller.game != game}
