"""`omenlog archive`: finished games leave the store for files."""

from __future__ import annotations

import asyncio
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

import rich_click as click

from projections.names import counted
from service.admin.backup import Moved, archive_games
from service.cli.lasting import DATA, settings_of_store
from service.cli.screen import say
from service.settings import Settings
from service.store.archive import Archive
from service.store.open import open_bare_store

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
