"""`omenlog migrate`, `backup`, `restore` and `archive`: games from one place to another, with proof."""

from __future__ import annotations

import asyncio
import math
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import Progress

from projections.naming.names import counted
from service.admin.backup import Moved, NotEmpty, archive_games, put_back, save
from service.admin.check import check_chains
from service.admin.migrate import Copied, Migrated, copy_refusals, copy_webhooks, migrate_games
from service.cli.screen import say
from service.cli.stores import DATA, check_there, settings_of, settings_of_store
from service.settings import Settings, from_environment
from service.store.archive import Archive, with_archive
from service.store.open import MEMORY, SQLITE, open_bare_store, opened
from service.store.redis.connection import is_redis, without_password
from service.store.sqlite.backup import copy, make
from service.store.sqlite.log import SqliteLogStore

EVERY = 1.0
"""Seconds between two signs of life."""


@click.command()
@click.argument("source")
@click.argument("destination")
def migrate(source: str, destination: str) -> None:
    """Copy all games from the store SOURCE into the store DESTINATION, each written as for OMENLOG_STORE.

    Logs, records, secrets, tokens, names and other texts, packs, webhooks, what was refused, and the keys of requests that were done, so that
    their retries get the first answer there too. Stop the service first. What is there already is compared; a game that differs is refused and
    left alone. If it is interrupted, run it again. At the end every commit has been read back: the same bytes, in one chain.
    """
    for store in (source, destination):
        if store == MEMORY:
            raise click.UsageError("a store in memory has nobody else's games: name one that lasts")
    if _place(source) == _place(destination):
        raise click.UsageError("SOURCE and DESTINATION are the same store")
    check_there(source)
    done, webhooks, refused = asyncio.run(_migrate(source, destination))
    say(
        f"In both stores: {counted(done.games, 'game')}, {counted(done.commits, 'commit')} ({done.size:,} bytes), {counted(done.packs, 'pack')}. "
        f"Copied now: {counted(done.added, 'commit')}.\n"
        "Every commit was read back from the destination: the same bytes, and each stands in the chain of its game.\n"
        + (f"Subscriptions of webhooks copied now: {webhooks:,}.\n" if webhooks else "")
        + (f"Refused attempts, kept for referees, copied now: {refused:,}.\n" if refused else "")
        + f"Proof over all chain heads: {done.proof}"
    )


def _place(store: str) -> str | Path:
    """Where a store is, however its path is written: a copy onto itself would prove nothing, and look like one."""
    return Path(store.removeprefix(SQLITE)).resolve() if store.startswith(SQLITE) else store


async def _migrate(source: str, destination: str) -> tuple[Migrated, int, int]:
    """What is in both stores now, and how many webhooks and refusals were copied."""
    settings = from_environment()
    async with (
        opened(msgspec.structs.replace(settings, store=source)) as here,
        opened(msgspec.structs.replace(settings, store=destination)) as there,
    ):
        done = await migrate_games(here.games, there.games, SignsOfLife())
        return done, await copy_webhooks(here, there), await copy_refusals(here, there)


class SignsOfLife:
    """Says now and then how far it has come, on stderr."""

    def __init__(self) -> None:
        self._total = Migrated()
        self._told = time.monotonic()

    def __call__(self, one: Copied) -> None:
        """Count a game."""
        self._total.count(one)
        if time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            click.echo(
                f"{counted(self._total.games, 'game')}, {counted(self._total.commits, 'commit')} so far (last {one.game})",
                err=True,
            )


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


LONGEST = 36_500
"""Days that a game may have been over: a century, as no date lies behind the beginning of all dates."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--older-than",
    type=click.FloatRange(0, LONGEST),
    default=0.0,
    help="Days since the last commit of a game; games that ended later stay.",
)
@DATA
def archive(folder: Path, older_than: float, data: Path | None) -> None:
    """Move the commits of finished games from the store that OMENLOG_STORE names into FOLDER, one compressed file for each game.

    Set OMENLOG_ARCHIVE to the same folder for every process that serves the store, best before the first run: then views, events, cursors
    and exports of archived games are what they were. The service may run. A game is followed through its chain, written, read back, and only then
    taken out of the store; interrupted, run it again. Records, tokens, names, messages, texts of disputes, refused attempts and keys of
    requests stay in the store.

    The files belong to the store: keep copies of them, as `omenlog backup` copies a SQLite store without them. They hold every secret of
    their games. `omenlog migrate` puts archived games into another store in full.
    """
    if math.isnan(older_than):  # of which no range can say that it lies without
        raise click.BadParameter("nan is no number of days", param_hint="--older-than")
    settings = settings_of_store(data)
    if settings.archive and Path(settings.archive).resolve() != folder.resolve():
        raise click.UsageError(f"OMENLOG_ARCHIVE={settings.archive} is another folder: an archive is in one")
    until = datetime.now(UTC) - timedelta(days=older_than)
    moved = asyncio.run(_archive(settings, folder, until))
    say(
        f"{folder}: moved {counted(moved.games, 'game')} with {counted(moved.commits, 'commit')} ({moved.size:,} bytes, {moved.written:,} in files); "
        f"{moved.before:,} were there before, {moved.kept:,} still open or ended later."
    )
    if moved.games + moved.before and not settings.archive:
        click.echo(f"Serve this store with OMENLOG_ARCHIVE={folder.resolve()}", err=True)


async def _archive(settings: Settings, folder: Path, until: datetime) -> Moved:
    store = await open_bare_store(settings)
    try:
        return await archive_games(store, Archive(folder), until)
    finally:
        await store.close()
