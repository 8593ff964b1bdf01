"""Backing a store up to one file and restoring it, and moving finished games out of it into files.

Redis is backed up and restored by way of `migrate`, which proves each game. To archive a game, its commits are followed through the chain, written to
a file, read back from it, and only then dropped by the store, in one step. Whoever is interrupted leaves a game that lies in both, or a
file without a name; done again, it goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from service.admin.check import follow_chain
from service.admin.migrate import Copied, all_games, all_webhooks, copy_refusals, copy_webhooks, migrate_games
from service.log.facts import OVER
from service.settings import Settings
from service.store.archive import Archive
from service.store.open import SQLITE, Stores, opened
from service.store.port import STRIPPED, GameRecord, LogStore, StoreDamaged, StoreError

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
    subscriptions = [found async for found in all_webhooks(stores.games, stores.records)]
    async with opened(Settings(store=f"{SQLITE}{file}")) as copy:
        await migrate_games(stores.games, copy.games, told)
        for found in subscriptions:
            await copy.records.add(replace(found, revision=0))
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
        await migrate_games(copy.games, stores.games, told)
        await copy_webhooks(copy, stores)
        await copy_refusals(copy, stores)


class Moved(msgspec.Struct, kw_only=True):
    """What was moved, and what was not."""

    games: int = 0
    commits: int = 0
    size: int = 0
    """Bytes that the store had of them."""
    written: int = 0
    """Bytes of the files."""
    before: int = 0
    """Games that were archived before."""
    kept: int = 0
    """Games that are not over, or not for long enough."""


async def archive_games(
    store: LogStore, archive: Archive, until: datetime, told: Callable[[str], None] = lambda _game: None
) -> Moved:
    """Move every game that was over at a time and is not archived yet.

    Args:
        store: the store itself, without its archive: what was stripped has to show.
        archive: where the files go.
        until: games whose last commit is from this time or earlier.
        told: called with each game that was moved.

    Raises:
        StoreDamaged: the log of a game doesn't hold. It stays as it is.
        StoreError: the store fails, or the files are not what was written.
        OSError: the folder can't be written.
    """
    moved = Moved()
    async for record in all_games(store):
        if record.status not in OVER or not record.version:
            moved.kept += 1
            continue
        (last,) = await store.read(record.id, record.version - 1, 1)
        if last == STRIPPED:
            moved.before += 1
        elif _time(record.id, last) > until:
            moved.kept += 1
        else:
            await _move(store, archive, record, moved)
            told(record.id)
    return moved


async def _move(store: LogStore, archive: Archive, record: GameRecord, moved: Moved) -> None:
    commits = [body async for body, _ in follow_chain(store, record.id, record.version)]
    file = await asyncio.to_thread(archive.write, record.id, commits)
    await store.strip(record.id, record.version)
    moved.games += 1
    moved.commits += len(commits)
    moved.size += sum(map(len, commits))
    moved.written += file.stat().st_size


class _Dated(msgspec.Struct, frozen=True):
    at: str


_dated = msgspec.json.Decoder(_Dated).decode


def _time(game: str, commit: bytes) -> datetime:
    try:
        return datetime.fromisoformat(_dated(commit).at)
    except (ValueError, TypeError) as error:
        raise StoreDamaged(f"the last commit of game {game} can't be read: {error}") from error
