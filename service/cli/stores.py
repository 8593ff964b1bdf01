"""`omenlog migrate`, `backup`, `restore`, `archive` and `erase`: an operator's commands on a whole store, or on what people wrote in it."""

from __future__ import annotations

import asyncio
import math
import tempfile
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import Progress

from projections.naming.names import counted
from service.admin.audits import check_chains
from service.admin.backup import ArchivedGames, NotEmpty, archive_games, put_back, save
from service.admin.erase import Erased, erase_texts
from service.admin.migrate import Copied, Migrated, copy_refusals, copy_webhooks, migrate_games
from service.cli.common import DATA, Ticker, check_exists, lasting_settings, say, settings_of_store
from service.settings import Settings, from_environment
from service.store.archive import Archive, with_archive
from service.store.open import MEMORY, SQLITE, open_bare_store, opened
from service.store.redis.connection import is_redis, without_password
from service.store.sqlite.log import SqliteLogStore, copy, make

EVERY = 1.0
"""Seconds between two progress lines."""
MOST_DAYS = 36_500
"""A century: more days back might be before the first date."""


@click.command()
@click.argument("source")
@click.argument("destination")
def migrate(source: str, destination: str) -> None:
    """Copy all games from the store SOURCE to the store DESTINATION, each written as for OMENLOG_STORE.

    Copies logs, records, secrets, tokens, names and other texts, packs, webhooks, refused attempts, and idempotency keys, so that retries
    get the first answer there too. Stop the service first. Compares what is already there, and refuses a game that differs without
    touching it. If interrupted, run it again. At the end it has read every commit back: the same bytes, in one chain.
    """
    for store in (source, destination):
        if store == MEMORY:
            raise click.UsageError("a store in memory belongs to its service alone: name a lasting one")
    if _place(source) == _place(destination):
        raise click.UsageError("SOURCE and DESTINATION are the same store")
    check_exists(source)
    done, webhooks, refused = asyncio.run(_migrate(source, destination))
    say(
        f"In both stores: {counted(done.games, 'game')}, {counted(done.commits, 'commit')} ({done.size:,} bytes), {counted(done.packs, 'pack')}. "
        f"Copied now: {counted(done.added, 'commit')}.\n"
        "Every commit was read back from the destination: the same bytes, and each is in the chain of its game.\n"
        + (f"Webhook subscriptions copied now: {webhooks:,}.\n" if webhooks else "")
        + (f"Refused attempts copied now: {refused:,}.\n" if refused else "")
        + f"Proof over all chain heads: {done.proof}"
    )


def _place(store: str) -> str | Path:
    """Where a store is, however its path is written: copying it onto itself would look like a success."""
    return Path(store.removeprefix(SQLITE)).resolve() if store.startswith(SQLITE) else store


async def _migrate(source: str, destination: str) -> tuple[Migrated, int, int]:
    settings = from_environment()
    async with (
        opened(msgspec.structs.replace(settings, store=source)) as here,
        opened(msgspec.structs.replace(settings, store=destination)) as there,
    ):
        done = await migrate_games(here.games, there.games, CopyProgress())
        return done, await copy_webhooks(here, there), await copy_refusals(here, there)


class CopyProgress:
    """Counts copied games, and reports them on stderr now and then."""

    def __init__(self) -> None:
        self._total = Migrated()
        self._ticker = Ticker(EVERY)

    def __call__(self, one: Copied) -> None:
        self._total.count(one)
        games, commits = counted(self._total.games, "game"), counted(self._total.commits, "commit")
        self._ticker.tick(lambda: f"{games}, {commits} so far (last {one.game})")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
def backup(file: Path, data: Path | None) -> None:
    """Copy the store that OMENLOG_STORE names, SQLite or Redis, to a new FILE while the service runs.

    The copy is an SQLite file either way. Every game in it is whole, and its chain is checked to the last commit. An SQLite store is copied
    as of one moment, a Redis store game by game. Players can go on meanwhile. The copy holds every secret of the store: seeds,
    hidden cards, names. Archived games of an SQLite store stay in their files, so copy that folder too; those of a Redis store are
    copied in full.
    """
    settings = lasting_settings(data)
    if is_redis(settings.store):
        told: list[str] = []
        make(file, lambda part: asyncio.run(_save(settings, part)), look=partial(_check, settings.archive, told))
        say(f"{file}: {told[0]}")
    else:
        say(f"{file}: {_copied(_database(settings), file, settings)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@DATA
def restore(file: Path, data: Path | None) -> None:
    """Restore a FILE that `omenlog backup` wrote, as the store that OMENLOG_STORE names, SQLite or Redis.

    The service must not run, and the store must not exist yet: to go back to an older state, move the present one away first, or
    name another Redis, database or `?prefix=`. The file is checked before anything is written.
    """
    settings = lasting_settings(data)
    if is_redis(settings.store):
        with tempfile.TemporaryDirectory(prefix="omenlog-") as folder:
            aside = Path(folder, "copy.db")  # opening the file itself as a store would change it
            told = _copied(file, aside, settings)
            asyncio.run(_put_back(settings, aside, file))
        say(f"{without_password(settings.store)}: {told}")
        return
    database = _database(settings)
    database.parent.mkdir(parents=True, exist_ok=True)
    say(f"{database}: {_copied(file, database, settings)}")


def _database(settings: Settings) -> Path:
    if not settings.store.startswith(SQLITE):
        raise click.UsageError(
            f"OMENLOG_STORE={without_password(settings.store)} is neither `{SQLITE}path` nor a Redis"
        )
    return Path(settings.store.removeprefix(SQLITE))


def _copied(source: Path, target: Path, settings: Settings) -> str:
    """Copy a store; returns what `_check` says of the copy."""
    told: list[str] = []
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("copying")
        copy(
            source,
            target,
            look=partial(_check, settings.archive, told),
            progress=lambda done, whole: bar.update(task, completed=done, total=whole),
        )
    return told[0]


def _check(archive: str, told: list[str], file: Path) -> None:
    """Check every chain in a file; adds a sentence on how much is in it."""

    async def check() -> tuple[int, int]:
        store = with_archive(await SqliteLogStore.open(file), archive)
        try:
            return await check_chains(store)
        finally:
            await store.close()

    games, commits = asyncio.run(check())
    told.append(f"{counted(games, 'game')} with {counted(commits, 'commit')}, every chain holds")


async def _save(settings: Settings, part: Path) -> None:
    async with opened(settings) as stores:
        await save(stores, part, CopyProgress())


async def _put_back(settings: Settings, aside: Path, file: Path) -> None:
    async with opened(settings) as stores:
        try:
            await put_back(aside, settings.archive, stores, CopyProgress())
        except NotEmpty as found:
            store = without_password(settings.store)
            raise NotEmpty(
                f"{store} {found}. Name another Redis, database or ?prefix=; to finish an interrupted restore, run "
                f"`omenlog migrate {SQLITE}{file} {store}`"
            ) from None


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--older-than",
    type=click.FloatRange(0, MOST_DAYS),
    default=0.0,
    help="Only games whose last commit is at least this many days old.",
)
@DATA
def archive(folder: Path, older_than: float, data: Path | None) -> None:
    """Move the commits of finished games from the store that OMENLOG_STORE names into FOLDER, one compressed file per game.

    Set OMENLOG_ARCHIVE to the same folder for every process that serves the store, best before the first run: then views, events, cursors
    and exports of archived games stay as they were. The service may run. Each game is checked along its chain, written, read back, and
    only then removed from the store; if interrupted, run it again. Records, tokens, names, messages, texts of disputes, refused attempts and
    idempotency keys stay in the store.

    The files belong to the store: keep copies of them, because `omenlog backup` copies an SQLite store without them. They hold every secret of
    their games. `omenlog migrate` copies archived games in full.
    """
    if math.isnan(older_than):  # which no range excludes
        raise click.BadParameter("nan is not a number of days", param_hint="--older-than")
    settings = settings_of_store(data)
    if settings.archive and Path(settings.archive).resolve() != folder.resolve():
        raise click.UsageError(f"OMENLOG_ARCHIVE={settings.archive} is another folder; a store has one archive")
    moved = asyncio.run(_archive(settings, folder, datetime.now(UTC) - timedelta(days=older_than)))
    say(
        f"{folder}: moved {counted(moved.games, 'game')} with {counted(moved.commits, 'commit')} ({moved.size:,} bytes, {moved.written:,} in files); "
        f"{moved.before:,} already archived, {moved.kept:,} still open or too recent."
    )
    if moved.games + moved.before and not settings.archive:
        click.echo(f"Serve this store with OMENLOG_ARCHIVE={folder.resolve()}", err=True)


async def _archive(settings: Settings, folder: Path, until: datetime) -> ArchivedGames:
    store = await open_bare_store(settings)
    try:
        return await archive_games(store, Archive(folder), until)
    finally:
        await store.close()


@click.command()
@click.argument("game")
@click.option(
    "--seat",
    type=click.IntRange(0, 5),
    help="Only what belongs to this seat: its name, its messages, its orders, its refused attempts.  [default: the whole game]",
)
@DATA
def erase(game: str, seat: int | None, data: Path | None) -> None:
    """Erase the names and free texts of a GAME from the store that OMENLOG_STORE names, while the service runs.

    Removes players' names, texts of messages, claims and notes of disputes, standing orders and refused attempts for good, from the store
    and its files. Salted digests of names, messages and claims stay, but their salts go: every chain still verifies, and no one can find
    a name by guessing. A second run changes nothing.

    The log stays, because replays and audits need it: texts of rulings (including those of the opening), the reasons for coin flips,
    and notes and titles entered for a haunt. Earlier copies (backups, a store migrated from, what clients have read) keep what they have.
    """
    erased = asyncio.run(_erase(settings_of_store(data), game, seat))
    say(
        f"{game}: erased {counted(erased.names, 'name')}, the texts of {counted(erased.messages, 'message')}, "
        f"the standing orders of {counted(erased.orders, 'seat')}, "
        f"{counted(erased.claims, 'claim or note', 'claims and notes')} of disputes, "
        f"{counted(erased.refusals, 'refused attempt')}."
    )


async def _erase(settings: Settings, game: str, seat: int | None) -> Erased:
    async with opened(settings) as stores:
        erased = await erase_texts(stores.games, stores.records, game, seat)
        await stores.games.scrub()
    return erased
