"""`omenlog backup` and `omenlog restore`: a store as one file, and back."""

from __future__ import annotations

import asyncio
from pathlib import Path

import rich_click as click
from rich.console import Console
from rich.progress import Progress

from service.bootstrap import SQLITE
from service.check import check_chains
from service.settings import from_environment
from service.store.sqlite import SqliteLogStore
from service.store.sqlite_backup import copy


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def backup(file: Path) -> None:
    """Copy the store that OMENLOG_STORE names to a new FILE, while the service runs.

    The copy is the store of one moment: every game in it is whole, and its chain is checked to the last commit. Players go
    on meanwhile. Such a copy holds every secret that the store holds: seeds, hidden cards, names.
    """
    click.echo(f"{file}: {_copied(_database(), file)}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def restore(file: Path) -> None:
    """Make the store that OMENLOG_STORE names from a FILE that `omenlog backup` wrote.

    The service must not run yet, and no store may lie there: to put an older state back, move the present one away first.
    """
    database = _database()
    database.parent.mkdir(parents=True, exist_ok=True)
    click.echo(f"{database}: {_copied(file, database)}")


def _database() -> Path:
    """The file of the store in use.

    Raises:
        click.UsageError: it is no file.
    """
    store = from_environment().store
    if not store.startswith(SQLITE):
        raise click.UsageError(f"OMENLOG_STORE={store} is no `{SQLITE}path`: only such a store is copied as a file")
    return Path(store.removeprefix(SQLITE))


def _copied(source: Path, target: Path) -> str:
    """Copy a store; tells how much is in the copy, every chain of which was checked."""
    told: list[str] = []
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("copying")
        copy(
            source,
            target,
            look=lambda part: told.append(asyncio.run(_told(part))),
            progress=lambda done, whole: bar.update(task, completed=done, total=whole),
        )
    return told[0]


async def _told(file: Path) -> str:
    """How much is in it, after every chain was checked."""
    store = await SqliteLogStore.open(file)
    try:
        games, commits = await check_chains(store)
    finally:
        await store.close()
    return f"{games:,} games with {commits:,} commits, every chain holds"
