"""Options that several commands share, and what they name: stores, services, roles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import rich_click as click

from content.errors import did_you_mean
from domain.facts.audience import SPECTATORS, Mask
from service.bots.client import Api
from service.log.recorded import NotRecorded, principal_of
from service.settings import Settings, from_environment
from service.store.open import MEMORY, SQLITE

Command = TypeVar("Command", bound=Callable[..., Any])

DATABASE = "omenlog.db"
"""The database file in a data folder."""
PATIENCE = 5.0
"""Seconds to keep retrying while the service does not answer."""

DATA = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    show_default="from OMENLOG_STORE, or ./data",
    help=f"Data folder with the database ({DATABASE}), as for `omenlog serve`.",
)
URL = click.option("--url", default="http://127.0.0.1:8000", help="Address of the service.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def token_option(meaning: str) -> Callable[[Command], Command]:
    """The required option `--token`."""
    return click.option("--token", required=True, envvar="OMENLOG_TOKEN", show_envvar=True, help=meaning)


def calling(token: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options `--url` and `--token` (with this help), and pass it an `Api` that sends that token."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*args: Any, url: str, token: str, **options: Any) -> None:  # noqa: ANN401 -- whatever click passes
            with Api(url, token, patience=PATIENCE) as api:
                command(*args, api=api, **options)

        return token_option(token)(URL(run))

    return decorate


def role_option(default: str) -> Callable[[Command], Command]:
    """The option `--as`, with a description of its default."""
    return click.option(
        "--as",
        "role",
        metavar="ROLE",
        show_default=default,
        help="Role to see it as: seat:0 to seat:5, spectator or referee.",
    )


def principal_asked(role: str) -> Mask:
    """The principal that `--as` names."""
    try:
        return principal_of(role)
    except NotRecorded as fault:
        raise click.BadParameter(str(fault), param_hint="--as") from None


def check_seat(principal: Mask, seats: int) -> None:
    """Check that the game has the seat that `--as` names."""
    if principal < SPECTATORS and principal >> seats:
        raise click.BadParameter(f"the game has seats 0 to {seats - 1}", param_hint="--as")


def check_known(name: str, known: Iterable[str], what: str, option: str) -> None:
    """Check that a name is known."""
    names = list(known)
    if name not in names:
        near = did_you_mean(name, names)
        told = f"no {what} {name!r}{f': {near}' if near else ''}"
        raise click.BadParameter(f"{told}{' There' if near else '; there'} are {', '.join(names)}", param_hint=option)


def settings_of(data: Path | None) -> Settings:
    """The settings from the environment, with the store in a data folder if one is given."""
    settings = from_environment()
    if data is None:
        return settings
    return msgspec.structs.replace(settings, store=f"{SQLITE}{data.absolute() / DATABASE}")


def lasting_settings(data: Path | None) -> Settings:
    """The same, for a store that outlasts its service."""
    settings = settings_of(data)
    if settings.store == MEMORY:
        raise click.UsageError(f"OMENLOG_STORE={MEMORY} is gone with its service; name an SQLite or Redis store")
    return settings


def settings_of_store(data: Path | None) -> Settings:
    """The same, for a store that must exist: opening a missing one would create it."""
    settings = lasting_settings(data)
    check_exists(settings.store)
    return settings


def check_exists(store: str) -> None:
    """Check that a store, written as for `OMENLOG_STORE`, exists if it is a file."""
    if store.startswith(SQLITE) and not Path(store.removeprefix(SQLITE)).is_file():
        raise click.UsageError(f"no such file: {store.removeprefix(SQLITE)}")
