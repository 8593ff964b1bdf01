"""`omenlog erase`: the names and free texts of a game."""

from __future__ import annotations

import asyncio

import rich_click as click

from service.bootstrap import MEMORY, open_refusal_store, open_store
from service.cli.lasting import check_there
from service.erasing import Erased
from service.erasing import erase as erase_texts
from service.settings import Settings, from_environment


@click.command()
@click.argument("game")
@click.option(
    "--seat",
    type=click.IntRange(0, 5),
    help="Only what is of this seat: its name, messages sent from it, its orders, what it was refused.  [default: the whole game]",
)
def erase(game: str, seat: int | None) -> None:
    """Erase the names and free texts of a GAME from the store that OMENLOG_STORE names, while the service runs.

    Players' names, the texts of messages, claims and notes of disputes, standing orders and refused attempts go, from the store and from
    its files, and can't be had back. Salted digests of names, messages and claims stay, their salts go: every chain still verifies, and
    nobody can find a name by trying. Done again, it changes nothing.

    What is in the log stays, because whoever replays or audits the game needs it: texts of rulings (those of the opening too), what
    coins were flipped for, and notes and titles entered of a haunt. Copies made before (backups, a store that was migrated
    from, what clients have read) keep what they have.
    """
    settings = from_environment()
    if settings.store == MEMORY:
        raise click.UsageError(f"OMENLOG_STORE={MEMORY}: a store in memory is gone with its service")
    check_there(settings.store)
    erased = asyncio.run(_erase(settings, game, seat))
    click.echo(
        f"{game}: erased {erased.names} names, the texts of {erased.messages} messages, the standing orders of {erased.orders} seats, "
        f"{erased.claims} claims and notes of disputes, "
        f"{erased.refusals} refused attempts."
    )


async def _erase(settings: Settings, game: str, seat: int | None) -> Erased:
    store = await open_store(settings)
    refusals = await open_refusal_store(settings)
    try:
        erased = await erase_texts(store, refusals, game, seat)
        await store.scrub()
    finally:
        await refusals.close()
        await store.close()
    return erased
