"""What `omenlog view`, `board` and `diff` have in common: a GAME in a file or a store, and whose eyes to look through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import rich_click as click

from domain.audience import SPECTATORS, Mask
from service.bootstrap import MEMORY, open_store
from service.cli.lasting import check_there
from service.recorded import NotRecorded, Recorded, from_file, from_store, names_a_game, principal_of
from service.settings import Settings, from_environment

T = TypeVar("T")

GAME = click.argument("game")
ROLE = click.option(
    "--as",
    "role",
    metavar="ROLE",
    show_default="whose export it is; of a full export or a store: spectator",
    help="Whose eyes to look through: seat:0 to seat:5, spectator or referee.",
)
AT = click.option("--at", type=click.IntRange(1), show_default="the last", help="Look as of this commit.")


def opened(game: str, role: str | None) -> tuple[Recorded, Mask]:
    """The game, and the principal that was asked for.

    Raises:
        click.UsageError: there is no such game or role.
    """
    found = tried(lambda: _opened(game))
    return found, found.principal if role is None else tried(lambda: principal_of(role))


def check_seat(principal: Mask, seats: int) -> None:
    """Check that a game has the seat through whose eyes is to be looked.

    Raises:
        click.BadParameter: it has fewer.
    """
    if principal < SPECTATORS and principal >> seats:
        raise click.BadParameter(f"the game has the seats 0 to {seats - 1}", param_hint="--as")


def tried(look: Callable[[], T]) -> T:
    """What is looked for, or wrong usage if it isn't there.

    Raises:
        click.UsageError: with the sentence that says what would be right.
    """
    try:
        return look()
    except NotRecorded as fault:
        raise click.UsageError(str(fault)) from fault


def _opened(game: str) -> Recorded:
    if not names_a_game(game):
        return from_file(Path(game))
    settings = from_environment()
    if settings.store == MEMORY:
        raise click.UsageError(f"OMENLOG_STORE={MEMORY}: a store in memory has nobody else's games")
    check_there(settings.store)
    return asyncio.run(_stored(settings, game))


async def _stored(settings: Settings, game: str) -> Recorded:
    store = await open_store(settings)
    try:
        return await from_store(store, game)
    finally:
        await store.close()
