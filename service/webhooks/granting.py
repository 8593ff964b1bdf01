"""Granting: who asked for a subscription, whether they may still be told, and with which keys they are. Asked before each message."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from service.identity import Caller, caller_of
from service.outside import Outside
from service.store.port import LogStore, TokenRecord
from service.store.records import WebhookRecord, WebhookStore
from service.webhooks import whole as wholes
from service.webhooks.holding import Clock, Hold, rewrite
from service.webhooks.subscription import Key, Subscription, disabled, rested, woken
from service.webhooks.whole import Whole, is_part, read_whole, whole_record

REST = 300.0
"""Seconds after which it is looked again whether the token of a part is bound to the account anew, if nobody has said so."""


class Grant(msgspec.Struct, frozen=True):
    """Leave to send."""

    caller: Caller
    """Who is told: what their role sees is what is sent."""
    keys: list[Key]
    """What messages are signed with."""


class Granting:
    """Knows to whom subscriptions belong."""

    def __init__(self, store: WebhookStore, games: LogStore, outside: Outside, clock: Clock) -> None:
        """Look up subscriptions here, tokens there; by the clock."""
        self._store = store
        self._games = games
        self._outside = outside
        self._clock = clock

    async def grant(self, it: Subscription) -> Grant | None:
        """Leave to send, unless the token, or what the subscription is a part of, holds no longer."""
        if not it.whole:
            caller = await self._caller(it, lambda token: it.belongs(token.hash))
            return None if caller is None else Grant(caller, it.keys)
        whole = await self._whole(it)
        if whole is None or whole.state != "active":
            return None
        caller = await self._caller(it, lambda token: token.account == whole.account)
        return None if caller is None else Grant(caller, whole.keys)

    async def withdrawn(self, hold: Hold) -> None:
        """Do what is to be done without a grant: a token that ended will not come back, but a binding may.

        Raises:
            LeaseLost: the subscription is not held any more.
        """
        if not hold.it.whole:
            await hold.change(lambda it: disabled(it, "the token that asked for it holds no longer"))
        elif await self._whole(hold.it) is None:
            await self._store.remove(hold.it.id)
        else:
            await hold.change(lambda it: rested(it, self._clock() + REST))
            # Whoever bound the token meanwhile may have woken it before it was put to rest.
            if await self.grant(hold.it) is not None:
                await hold.change(woken)

    async def gone(self, hold: Hold, reason: str) -> None:
        """The endpoint wants no more: of a part, none of any game.

        Raises:
            LeaseLost: the subscription is not held any more.
        """
        if not hold.it.whole:
            await hold.change(lambda it: disabled(it, reason))
            return

        def ended(found: WebhookRecord) -> WebhookRecord:
            whole = read_whole(found)
            if not is_part(hold.it, whole):
                return found
            return whole_record(msgspec.structs.replace(whole, state="disabled", reason=reason), found.revision)

        await rewrite(self._store, hold.it.whole, ended)

    async def _whole(self, it: Subscription) -> Whole | None:
        """What it is a part of, if that is there still."""
        found = await self._store.get(it.whole)
        if found is None or not wholes.is_whole(found):
            return None
        whole = read_whole(found)
        return whole if is_part(it, whole) else None

    async def _caller(self, it: Subscription, theirs: Callable[[TokenRecord], bool]) -> Caller | None:
        """Whoever has the token by that name, if it holds and is theirs: else nothing is theirs to see."""
        for token in await self._games.list_tokens(it.game):
            if token.id == it.token and theirs(token):
                caller = caller_of(token)
                expired = caller is None or (caller.expires and caller.expires <= self._outside.now())
                return None if expired else caller
        return None
