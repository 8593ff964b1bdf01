"""A store that is no file as one file, and back: by way of `migrate`, which proves each game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from service.migrate import Copied, all_webhooks, copy_refusals, copy_webhooks, migrate
from service.settings import Settings
from service.store.open import SQLITE, Stores, opened
from service.store.port import StoreError

Told = Callable[[Copied], None]
"""Told of each game."""


class NotEmpty(StoreError):
    """Something is there already. It was left as it is."""


async def save(stores: Stores, file: Path, told: Told) -> None:
    """Copy a store into a new SQLite file while it is used: each game as it stands at one moment.

    Raises:
        StoreError: one of the stores fails, or the log of a game doesn't hold.
    """
    # Before the logs: a cursor may be behind the log that it counts, but never ahead of it.
    subscriptions = [found async for found in all_webhooks(stores.games, stores.webhooks)]
    async with opened(Settings(store=f"{SQLITE}{file}")) as copy:
        await migrate(stores.games, copy.games, told)
        for found in subscriptions:
            await copy.webhooks.add(replace(found, revision=0))
        await copy_refusals(stores, copy)


async def put_back(file: Path, archive: str, stores: Stores, told: Told) -> None:
    """Copy a SQLite file, and what it has in an archive, into a store that is empty.

    Raises:
        NotEmpty: it has games or accounts.
        StoreError: one of the stores fails.
    """
    if await stores.games.list_games(None, 1) or await stores.games.list_accounts():
        raise NotEmpty("has games or accounts already, and was left as it is")
    async with opened(Settings(store=f"{SQLITE}{file}", archive=archive)) as copy:
        await migrate(copy.games, stores.games, told)
        await copy_webhooks(copy, stores)
        await copy_refusals(copy, stores)
