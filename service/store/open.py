"""All that a store keeps, opened together: games and accounts, webhooks, and what was refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec

from service.settings import BadSetting, Settings
from service.store.archive import with_archive
from service.store.memory.log import MemoryLogStore
from service.store.memory.records import MemoryRefusalStore, MemoryWebhookStore
from service.store.port import LogStore, StoreUnavailable
from service.store.records import RefusalStore, WebhookStore
from service.store.redis.connection import is_redis, without_password
from service.store.redis.log import RedisLogStore
from service.store.redis.records import RedisRefusalStore, RedisWebhookStore
from service.store.sqlite.log import SqliteLogStore
from service.store.sqlite.records import SqliteRefusalStore, SqliteWebhookStore


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


SQLITE = "sqlite:///"


MEMORY = "memory:"


async def open_bare_store(settings: Settings) -> LogStore:
    """The store that the settings name, in which archived commits are missing.

    Raises:
        BadSetting: they name none.
        StoreError: it can't be used.
    """
    if settings.store == MEMORY:
        return MemoryLogStore()
    if is_redis(settings.store):
        return await RedisLogStore.open(settings.store)
    if settings.store.startswith(SQLITE):
        path = Path(settings.store.removeprefix(SQLITE))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{path}: its folder can't be made: {error}") from error
        return await SqliteLogStore.open(path, max_bytes=settings.store_max_bytes or None)
    raise BadSetting(
        f"OMENLOG_STORE={without_password(settings.store)}: neither `{SQLITE}path` nor `{MEMORY}` nor `redis://host:port/0` "
        "(nor rediss://, unix://, redis+cluster://, rediss+cluster://)"
    )


async def open_store(settings: Settings) -> LogStore:
    """The store that the settings name, with its archive. Raises as `open_bare_store` does."""
    store = await open_bare_store(settings)
    return store if settings.store == MEMORY else with_archive(store, settings.archive)


async def open_webhook_store(settings: Settings) -> WebhookStore:
    """The store of webhooks that goes with the store of the games, which must have been opened before.

    Raises:
        StoreError: it can't be used.
    """
    if settings.store == MEMORY:
        return MemoryWebhookStore()
    if is_redis(settings.store):
        return await RedisWebhookStore.open(settings.store)
    return await SqliteWebhookStore.open(settings.store.removeprefix(SQLITE))


async def open_refusal_store(settings: Settings) -> RefusalStore:
    """The store of refusals that goes with the store of the games, which must have been opened before.

    Raises:
        StoreError: it can't be used.
    """
    if settings.store == MEMORY:
        return MemoryRefusalStore()
    if is_redis(settings.store):
        return await RedisRefusalStore.open(settings.store)
    return await SqliteRefusalStore.open(settings.store.removeprefix(SQLITE))
