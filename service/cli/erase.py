"""`omenlog erase`: the names and free texts of a game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import rich_click as click

from projections.names import counted
from service.admin.erase import Erased
from service.admin.erase import erase as erase_texts
from service.cli.lasting import DATA, settings_of_store
from service.cli.screen import say
from service.settings import Settings
from service.store.open import open_refusal_store, open_store


@click.command()
@click.argument("game")
@click.option(
    "--seat",
    type=click.IntRange(0, 5),
    help="Only what is of this seat: its name, messages sent from it, its orders, what it was refused.  [default: the whole game]",
)
@DATA
def erase(game: str, seat: int | None, data: Path | None) -> None:
    """Erase the names and free texts of a GAME from the store that OMENLOG_STORE names, while the service runs.

    Players' names, the texts of messages, claims and notes of disputes, standing orders and refused attempts go, from the store and from
    its files, and can't be had back. Salted digests of names, messages and claims stay, their salts go: every chain still verifies, and
    nobody can find a name by trying. Done again, it changes nothing.

    What is in the log stays, because whoever replays or audits the game needs it: texts of rulings (those of the opening too), what
    coins were flipped for, and notes and titles entered of a haunt. Copies made before (backups, a store that was migrated
    from, what clients have read) keep what they have.
    """
    settings = settings_of_store(data)
    erased = asyncio.run(_erase(settings, game, seat))
    say(
        f"{game}: erased {counted(erased.names, 'name')}, the texts of {counted(erased.messages, 'message')}, "
        f"the standing orders of {counted(erased.orders, 'seat')}, "
        f"{counted(erased.claims, 'claim or note', 'claims and notes')} of disputes, "
        f"{counted(erased.refusals, 'refused attempt')}."
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
