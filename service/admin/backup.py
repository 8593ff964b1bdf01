"""Back up a store to one file, restore it, and archive finished games in files.

Redis is backed up and restored by `migrate`, which proves each game. To archive a game, its commits are checked along the chain, written to
a file, read back, and only then removed from the store, in one step. An interruption leaves a game in both places, or an
unnamed file; the next run goes on from there.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec.structs import replace

from service.admin.audits import all_games, follow_chain
from service.admin.migrate import CopiedCallback, all_webhooks, copy_refusals, copy_webhooks, migrate_games
from service.log.facts import OVER
from service.settings import Settings
from service.store.archive import Archive
from service.store.open import SQLITE, Stores, opened
from service.store.port import STRIPPED, GameRecord, LogStore, StoreDamaged, StoreError


class NotEmpty(StoreError):
    """The destination has contents, which were left alone."""


async def save(stores: Stores, file: Path, told: CopiedCallback) -> None:
    """Copy a store to a new SQLite file while it is in use, each game as of one moment. Raises as `migrate_games` does."""
    # Before the logs: a cursor may be behind its log, but never ahead of it.
    subscriptions = [found async for found in all_webhooks(stores.games, stores.records)]
    async with opened(Settings(store=f"{SQLITE}{file}")) as copy:
        await migrate_games(stores.games, copy.games, told)
        for found in subscriptions:
            await copy.records.add(replace(found, revision=0))
        await copy_refusals(stores, copy)


async def put_back(file: Path, archive: str, stores: Stores, told: CopiedCallback) -> None:
    """Copy an SQLite file, with the games in its archive, into an empty store. Raises NotEmpty, or as `migrate_games` does."""
    if await stores.games.list_games(None, 1) or await stores.games.list_accounts():
        raise NotEmpty("has games or accounts already, and was left alone")
    async with opened(Settings(store=f"{SQLITE}{file}", archive=archive)) as copy:
        await migrate_games(copy.games, stores.games, told)
        await copy_webhooks(copy, stores)
        await copy_refusals(copy, stores)


class ArchivedGames(msgspec.Struct, kw_only=True):
    """How much was archived: the games of this run, their bytes in the store (`size`) and in the files (`written`)."""

    games: int = 0
    commits: int = 0
    size: int = 0
    written: int = 0
    before: int = 0
    """Games that earlier runs archived."""
    kept: int = 0
    """Games that are not over, or too recent."""


async def archive_games(store: LogStore, archive: Archive, until: datetime) -> ArchivedGames:
    """Archive every finished game whose last commit is from `until` or earlier.

    The store must be opened without its archive, so that archived games can be told from others. Raises StoreDamaged for a damaged log, which
    stays in the store; StoreError, also if a file does not read back as written; and OSError if the folder can't be written.
    """
    moved = ArchivedGames()
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
    return moved


async def _move(store: LogStore, archive: Archive, record: GameRecord, moved: ArchivedGames) -> None:
    commits = [body async for body, _ in follow_chain(store, record.id, record.version)]
    file = await asyncio.to_thread(archive.write, record.id, commits)
    await store.strip(record.id, record.version)
    moved.games += 1
    moved.commits += len(commits)
    moved.size += sum(map(len, commits))
    moved.written += file.stat().st_size


class _Dated(msgspec.Struct, frozen=True):
    at: str


def _time(game: str, commit: bytes) -> datetime:
    try:
        return datetime.fromisoformat(msgspec.json.decode(commit, type=_Dated).at)
    except (ValueError, TypeError) as error:
        raise StoreDamaged(f"the last commit of game {game} can't be read: {error}") from error
