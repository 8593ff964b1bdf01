"""All that a store keeps, opened together: games and accounts, webhooks, and what was refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import msgspec

from service.bootstrap import open_refusal_store, open_store, open_webhook_store
from service.ports.log import LogStore
from service.ports.refusals import RefusalStore
from service.ports.webhooks import WebhookStore
from service.settings import Settings


class Stores(msgspec.Struct, frozen=True):
    """The three of them, in one file or in one Redis."""

    games: LogStore
    webhooks: WebhookStore
    refusals: RefusalStore


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Stores]:
    """The stores that the settings name, with the archive of the games; closed behind the block.

    Raises:
        BadSetting: they name none.
        StoreError: one can't be used.
    """
    async with AsyncExitStack() as stack:
        games = await open_store(settings)
        stack.push_async_callback(games.close)
        webhooks = await open_webhook_store(settings)
        stack.push_async_callback(webhooks.close)
        refusals = await open_refusal_store(settings)
        stack.push_async_callback(refusals.close)
        yield Stores(games, webhooks, refusals)
