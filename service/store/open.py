"""Open the store that the settings name: its games, and the records beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import msgspec

from service.settings import BadSetting, Settings
from service.store.archive import with_archive
from service.store.memory import MemoryLogStore, MemoryRecordStore
from service.store.port import LogStore, RecordStore, StoreUnavailable
from service.store.redis.connection import is_redis, without_password
from service.store.redis.log import RedisLogStore
from service.store.redis.records import RedisRecordStore
from service.store.sqlite.log import SqliteLogStore
from service.store.sqlite.records import SqliteRecordStore

SQLITE = "sqlite:///"
MEMORY = "memory:"


class Stores(msgspec.Struct, frozen=True):
    """Both stores, in one file or in one Redis."""

    games: LogStore
    records: RecordStore


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Stores]:
    """Both stores, with the archive of the games; closed after the block. Raises as `open_bare_store` does."""
    async with AsyncExitStack() as stack:
        games = await open_store(settings)
        stack.push_async_callback(games.close)
        records = await open_records(settings)
        stack.push_async_callback(records.close)
        yield Stores(games, records)


async def open_bare_store(settings: Settings) -> LogStore:
    """The store that the settings name, without its archive: archived commits read as `STRIPPED`. Raises `BadSetting` or `StoreError`."""
    if settings.store == MEMORY:
        return MemoryLogStore()
    if is_redis(settings.store):
        return await RedisLogStore.open(settings.store)
    if settings.store.startswith(SQLITE):
        path = Path(settings.store.removeprefix(SQLITE))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{path}: could not create its folder: {error}") from error
        return await SqliteLogStore.open(path, max_bytes=settings.store_max_bytes or None)
    raise BadSetting(
        f"OMENLOG_STORE={without_password(settings.store)}: write `{SQLITE}path`, `{MEMORY}` or `redis://host:port/0` "
        "(or rediss://, unix://, redis+cluster://, rediss+cluster://)"
    )


async def open_store(settings: Settings) -> LogStore:
    """The store that the settings name, with its archive. Raises as `open_bare_store` does."""
    store = await open_bare_store(settings)
    return store if settings.store == MEMORY else with_archive(store, settings.archive)


async def open_records(settings: Settings) -> RecordStore:
    """The store of records that goes with the store of the games, which must have been opened before."""
    if settings.store == MEMORY:
        return MemoryRecordStore()
    if is_redis(settings.store):
        return await RedisRecordStore.open(settings.store)
    return await SqliteRecordStore.open(settings.store.removeprefix(SQLITE))
