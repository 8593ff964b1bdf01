"""`omenlog migrate`: all games from one store into another, with proof."""

import asyncio
import time
from pathlib import Path

import msgspec
import rich_click as click

from projections.names import counted
from service.admin.migrate import Copied, Migrated, copy_refusals, copy_webhooks, migrate_games
from service.cli.lasting import check_there
from service.cli.screen import say
from service.settings import from_environment
from service.store.open import MEMORY, SQLITE, opened

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
