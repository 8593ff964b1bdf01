"""A store that is no file as one file, and back: by way of `migrate`, which proves each game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from service.migrate import Copied, all_webhooks, copy_webhooks, migrate
from service.ports.log import LogStore, StoreError
from service.ports.webhooks import WebhookStore
from service.store.archive import with_archive
from service.store.sqlite import SqliteLogStore
from service.store.webhooks_sqlite import SqliteWebhookStore

Told = Callable[[Copied], None]
"""Told of each game."""


class NotEmpty(StoreError):
    """Something is there already. It was left as it is."""


async def save(games: LogStore, webhooks: WebhookStore, file: Path, told: Told) -> None:
    """Copy a store into a new SQLite file while it is used: each game as it stands at one moment.

    Raises:
        StoreError: one of the stores fails, or the log of a game doesn't hold.
    """
    # Before the logs: a cursor may be behind the log that it counts, but never ahead of it.
    subscriptions = [found async for found in all_webhooks(games, webhooks)]
    copy = await SqliteLogStore.open(file)
    try:
        await migrate(games, copy, told)
        kept = await SqliteWebhookStore.open(file)
        try:
            for found in subscriptions:
                await kept.add(replace(found, revision=0))
        finally:
            await kept.close()
    finally:
        await copy.close()


async def put_back(file: Path, archive: str, games: LogStore, webhooks: WebhookStore, told: Told) -> None:
    """Copy a SQLite file, and what it has in an archive, into a store that is empty.

    Raises:
        NotEmpty: it has games or accounts.
        StoreError: one of the stores fails.
    """
    if await games.list_games(None, 1) or await games.list_accounts():
        raise NotEmpty("has games or accounts already, and was left as it is")
    copy = with_archive(await SqliteLogStore.open(file), archive)
    try:
        kept = await SqliteWebhookStore.open(file)
        try:
            await migrate(copy, games, told)
            await copy_webhooks(copy, kept, webhooks)
        finally:
            await kept.close()
    finally:
        await copy.close()
