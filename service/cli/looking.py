"""What `omenlog view`, `board` and `diff` have in common: a GAME in a file or a store, and whose eyes to look through."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import rich_click as click

from domain.audience import SPECTATORS, Mask
from service.cli.lasting import settings_of_store
from service.log.recorded import NotRecorded, Recorded, from_file, from_store, names_a_game, principal_of
from service.settings import Settings
from service.store.open import open_store

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., object])

GAME = click.argument("game")


def role_option(default: str) -> Callable[[Command], Command]:
    """The option that says through whose eyes to look, and whose it is unless told."""
    return click.option(
        "--as",
        "role",
        metavar="ROLE",
        show_default=default,
        help="Whose eyes to look through: seat:0 to seat:5, spectator or referee.",
    )


ROLE = role_option("whose export it is; of a full export or a store: spectator")
AT = click.option("--at", type=click.IntRange(1), show_default="the last", help="Look as of this commit.")


def opened(game: str, role: str | None, data: Path | None) -> tuple[Recorded, Mask]:
    """The game, and the principal that was asked for.

    Raises:
        click.UsageError: there is no such game or role.
    """
    found = tried(lambda: _opened(game, data))
    return found, found.principal if role is None else principal_asked(role)


def principal_asked(role: str) -> Mask:
    """The principal that `--as` names.

    Raises:
        click.BadParameter: it is no role.
    """
    try:
        return principal_of(role)
    except NotRecorded as fault:
        raise click.BadParameter(str(fault), param_hint="--as") from None


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


def _opened(game: str, data: Path | None) -> Recorded:
    if not names_a_game(game):
        return from_file(Path(game))
    return asyncio.run(_stored(settings_of_store(data), game))


async def _stored(settings: Settings, game: str) -> Recorded:
    store = await open_store(settings)
    try:
        return await from_store(store, game)
    finally:
        await store.close()
