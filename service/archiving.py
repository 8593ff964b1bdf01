"""Moving the commits of finished games out of the store, into files.

A game's commits are followed through the chain, written to a file, read back from it, and only then let go of by the store, in one step. Whoever
is interrupted leaves a game that lies in both, or a file without a name; done again, it goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

import msgspec

from service.check import follow_chain
from service.log.facts import OVER
from service.migrate import all_games
from service.store.archive import Archive
from service.store.port import STRIPPED, GameRecord, LogStore, StoreDamaged


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
        (last,) = await store.read_range(record.id, record.version, record.version)
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
