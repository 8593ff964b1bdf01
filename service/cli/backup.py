"""`omenlog backup` and `omenlog restore`: a store as one file, and back."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import rich_click as click
from rich.console import Console
from rich.progress import Progress

from projections.names import counted
from service.admin.backup import NotEmpty, put_back, save
from service.admin.check import check_chains
from service.cli.lasting import DATA, settings_of
from service.cli.migrate import SignsOfLife
from service.cli.screen import say
from service.settings import Settings
from service.store.archive import with_archive
from service.store.open import MEMORY, SQLITE, opened
from service.store.redis.connection import is_redis, without_password
from service.store.sqlite.backup import copy, make
from service.store.sqlite.log import SqliteLogStore


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
def backup(file: Path, data: Path | None) -> None:
    """Copy the store that OMENLOG_STORE names, SQLite or Redis, to a new FILE, while the service runs.

    The copy is a SQLite file in either case. Every game in it is whole, and its chain is checked to the last commit. A SQLite store is copied as
    it stands at one moment, a Redis each game for itself. Players go on meanwhile. Such a copy holds every secret that the store
    holds: seeds, hidden cards, names. Games that were archived stay in their files (of a Redis they are copied in full): copy that folder too.
    """
    settings = _settings(data)
    if is_redis(settings.store):
        told: list[str] = []
        make(
            file,
            lambda part: asyncio.run(_save(settings, part)),
            look=lambda part: told.append(_told(part, settings.archive)),
        )
        say(f"{file}: {told[0]}")
    else:
        say(f"{file}: {_copied(_database(settings), file, settings)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@DATA
def restore(file: Path, data: Path | None) -> None:
    """Make the store that OMENLOG_STORE names, SQLite or Redis, from a FILE that `omenlog backup` wrote.

    The service must not run yet, and no store may lie there: to put an older state back, move the present one away first, or
    name another Redis, database or `?prefix=`. The file is checked before anything is written.
    """
    settings = _settings(data)
    if is_redis(settings.store):
        with tempfile.TemporaryDirectory(prefix="omenlog-") as folder:
            aside = Path(folder, "copy.db")  # opened as a store, the file itself would change
            told = _copied(file, aside, settings)
            asyncio.run(_put_back(settings, aside, file))
        say(f"{without_password(settings.store)}: {told}")
        return
    database = _database(settings)
    database.parent.mkdir(parents=True, exist_ok=True)
    say(f"{database}: {_copied(file, database, settings)}")


def _settings(data: Path | None) -> Settings:
    """The settings, which name a store that lasts.

    Raises:
        click.UsageError: it doesn't last.
    """
    settings = settings_of(data)
    if settings.store == MEMORY:
        raise click.UsageError(f"OMENLOG_STORE={MEMORY} is no `{SQLITE}path` and no Redis: only such a store is copied")
    return settings


def _database(settings: Settings) -> Path:
    """The file of the store in use.

    Raises:
        click.UsageError: it is no file.
    """
    if not settings.store.startswith(SQLITE):
        raise click.UsageError(f"OMENLOG_STORE={without_password(settings.store)} is no `{SQLITE}path` and no Redis")
    return Path(settings.store.removeprefix(SQLITE))


def _copied(source: Path, target: Path, settings: Settings) -> str:
    """Copy a store; tells how much is in the copy, every chain of which was checked."""
    told: list[str] = []
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("copying")
        copy(
            source,
            target,
            look=lambda part: told.append(_told(part, settings.archive)),
            progress=lambda done, whole: bar.update(task, completed=done, total=whole),
        )
    return told[0]


def _told(file: Path, archive: str) -> str:
    """How much is in it, after every chain was checked."""
    games, commits = asyncio.run(_checked(file, archive))
    return f"{counted(games, 'game')} with {counted(commits, 'commit')}, every chain holds"


async def _checked(file: Path, archive: str) -> tuple[int, int]:
    store = with_archive(await SqliteLogStore.open(file), archive)
    try:
        return await check_chains(store)
    finally:
        await store.close()


# -- Redis ------------------------------------------------------------------------------------------------------------------


async def _save(settings: Settings, part: Path) -> None:
    async with opened(settings) as stores:
        await save(stores, part, SignsOfLife())


async def _put_back(settings: Settings, aside: Path, file: Path) -> None:
    async with opened(settings) as stores:
        try:
            await put_back(aside, settings.archive, stores, SignsOfLife())
        except NotEmpty as found:
            store = without_password(settings.store)
            raise NotEmpty(
                f"{store} {found}. Name another Redis, database or ?prefix=; a restore that was interrupted is finished by "
                f"`omenlog migrate {SQLITE}{file} {store}`"
            ) from None
