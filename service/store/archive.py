"""Archived games: their commits are in files, one for each game, and are read from there as if they were in the store.

A file is gzip of lines: a head that says what follows, then the stored bytes of each commit. It is written aside, read back, and only then named;
it never changes afterwards. In the store the commits keep their numbers, keys and fingerprints; `STRIPPED` takes the place of their bytes.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import os
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import cast
from urllib.parse import quote

import msgspec

from service.store.port import STRIPPED, ArchiveMissing, LogStore, StoredCommit, StoreUnavailable

FORMAT = 1
KEPT = 8  # archived games that are kept in memory
COMPRESSION = 6


class ArchiveHead(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a file."""

    omenlog_archive: int
    game: str
    commits: int
    sha256: str
    """Of the lines that follow."""


_head = msgspec.json.Decoder(ArchiveHead).decode


class Archive:
    """A folder with archived games, or none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._games: OrderedDict[str, asyncio.Task[Sequence[bytes]]] = OrderedDict()

    async def commits(self, game: str) -> Sequence[bytes]:
        """All commits of an archived game, in order. Raises `ArchiveMissing`."""
        task = self._games.get(game)
        if task is None:
            task = self._games[game] = asyncio.create_task(asyncio.to_thread(read_file, self.path(game), game))
            task.add_done_callback(lambda done: self._games.pop(game, None) if _failed(done) else None)
            if len(self._games) > KEPT:
                self._games.popitem(last=False)
        else:
            self._games.move_to_end(game)
        return await asyncio.shield(task)  # whoever leaves doesn't take it from the others

    def forget(self, game: str) -> None:
        self._games.pop(game, None)

    def write(self, game: str, commits: Sequence[bytes]) -> Path:
        """Write the file of a game, on the disk and read back before it has its name. Raises `OSError` or `StoreUnavailable`."""
        file = self.path(game)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.part")
        try:
            body = b"".join(commit + b"\n" for commit in commits)
            head = ArchiveHead(
                omenlog_archive=FORMAT, game=game, commits=len(commits), sha256=hashlib.sha256(body).hexdigest()
            )
            part.unlink(missing_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(gzip.compress(msgspec.json.encode(head) + b"\n" + body, COMPRESSION, mtime=0))
                out.flush()
                os.fsync(out.fileno())
            if read_file(part, game) != list(commits):
                raise StoreUnavailable(f"{part}: what was read back is not what was written; is the disk in order?")
            part.replace(file)
            _sync(file.parent)
        finally:
            part.unlink(missing_ok=True)
        return file

    def path(self, game: str) -> Path:
        if self._folder is None:
            raise ArchiveMissing(
                f"game {game} is archived: set OMENLOG_ARCHIVE to the folder that `omenlog archive` was given"
            )
        return self._folder / f"{quote(game, safe='')}.ndjson.gz"


def read_file(file: Path, game: str) -> list[bytes]:
    """The commits in a file. Raises `ArchiveMissing` if it isn't there, isn't this game's, or was altered or cut."""
    try:
        first, _, body = gzip.decompress(file.read_bytes()).partition(b"\n")
        head = _head(first)
    except FileNotFoundError:
        raise ArchiveMissing(f"game {game} is archived, and its file {file} is missing: put it back") from None
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ArchiveMissing(
            f"game {game} is archived, and its file {file} can't be read ({error}): put a copy back"
        ) from error
    commits = body.split(b"\n")[:-1]
    if head.omenlog_archive != FORMAT or head.game != game or head.sha256 != hashlib.sha256(body).hexdigest():
        raise ArchiveMissing(
            f"game {game} is archived, and its file {file} is not what was written there: put a copy back"
        )
    return commits


class WithArchive:
    """A store whose archived commits are read from files. Everything else is the store's own."""

    def __init__(self, store: LogStore, archive: Archive) -> None:
        self._bare = store
        self._archive = archive

    def __getattr__(self, name: str) -> object:
        found = self.__dict__[name] = getattr(self._bare, name)
        return found

    async def read(self, game: str, after: int, limit: int) -> list[bytes]:
        found = await self._bare.read(game, after, limit)
        if STRIPPED not in found:
            return found
        commits = await self._all(game, max(after, 0) + len(found))
        return [commits[n] if body == STRIPPED else body for n, body in enumerate(found, max(after, 0))]

    async def read_stored(self, game: str, after: int, limit: int) -> list[StoredCommit]:
        found = await self._bare.read_stored(game, after, limit)
        if all(one.body != STRIPPED for one in found):
            return found
        commits = await self._all(game, max(after, 0) + len(found))
        return [
            msgspec.structs.replace(one, body=commits[n]) if one.body == STRIPPED else one
            for n, one in enumerate(found, max(after, 0))
        ]

    async def _all(self, game: str, least: int) -> Sequence[bytes]:
        commits = await self._archive.commits(game)
        if len(commits) < least:
            self._archive.forget(game)
            raise ArchiveMissing(
                f"game {game} is archived with {least} commits or more, and its file {self._archive.path(game)} has {len(commits)}"
            )
        return commits


def with_archive(store: LogStore, folder: str) -> LogStore:
    """The store with what is archived in a folder (empty for none: then archived games can't be read)."""
    # The cast: the type checker doesn't follow `__getattr__`, and thirty methods that pass on would hide the three that do something.
    return cast("LogStore", WithArchive(store, Archive(Path(folder) if folder else None)))


def _failed(done: asyncio.Task[Sequence[bytes]]) -> bool:
    return done.cancelled() or done.exception() is not None


def _sync(folder: Path) -> None:
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
