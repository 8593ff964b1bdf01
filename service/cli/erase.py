"""`omenlog erase`: the names and free texts of a game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import rich_click as click

from service.bootstrap import MEMORY, SQLITE, open_store
from service.erasing import Erased
from service.erasing import erase as erase_texts
from service.settings import Settings, from_environment


@click.command()
@click.argument("game")
@click.option(
    "--seat",
    type=click.IntRange(0, 5),
    help="Only what is of this seat: its name, messages sent from it, its orders.  [default: the whole game]",
)
def erase(game: str, seat: int | None) -> None:
    """Erase the names and free texts of a GAME from the store that OMENLOG_STORE names, while the service runs.

    Players' names, the texts of messages, claims and notes of disputes and standing orders go, from the store and from its files, and can't be had
    back. Salted digests of names and messages stay, their salts go: every chain still verifies, and nobody can find a name by trying. Done
    again, it changes nothing.

    What is in the log stays, because whoever replays or audits the game needs it: texts of rulings (those of the opening too), what
    coins were flipped for, and notes and titles entered of a haunt. Copies made before (backups, a store that was migrated
    from, what clients have read) keep what they have.
    """
    settings = from_environment()
    if settings.store == MEMORY:
        raise click.UsageError(f"OMENLOG_STORE={MEMORY}: a store in memory is gone with its service")
    if settings.store.startswith(SQLITE) and not Path(settings.store.removeprefix(SQLITE)).exists():
        raise click.UsageError(f"there is no file {settings.store.removeprefix(SQLITE)}")
    erased = asyncio.run(_erase(settings, game, seat))
    click.echo(
        f"{game}: erased {erased.names} names, the texts of {erased.messages} messages, the standing orders of {erased.orders} seats, "
        f"{erased.claims} claims and notes of disputes."
    )


async def _erase(settings: Settings, game: str, seat: int | None) -> Erased:
    store = await open_store(settings)
    try:
        erased = await erase_texts(store, game, seat)
        await store.scrub()
    finally:
        await store.close()
    return erased
