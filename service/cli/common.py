"""What commands share: options and what they name (stores, services, roles), and how they print.

Output is colored and wrapped on a terminal, in plain whole lines into a pipe. Texts name commands as the user types them.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import rich_click as click
from rich.console import Console
from rich.text import Text

from content.errors import did_you_mean
from content.patterns import displayable
from content.vocabulary.pack import Pack
from domain.editions import EDITIONS, misfit
from domain.facts.audience import SPECTATORS, Mask
from projections.text.picture import COLUMNS
from service.bots.brains import BRAINS
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
    help=f"Data folder of the service, with its database ({DATABASE}).",
)
URL = click.option("--url", default="http://127.0.0.1:8000", help="Address of the service.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


EDITION = click.option("--edition", default="second", type=click.Choice(list(EDITIONS)), help="The rules to play by.")
HAUNT = click.option("--haunt", default="", show_default="by the chart", help="The id of the haunt to play.")
SCENARIO = click.option(
    "--scenario", default="", show_default="one at random", help="The id of the scenario, where the pack has some."
)
CORES = os.cpu_count() or 1


class SeatSpan(click.ParamType[range]):
    """A number of seats, or a range: `4`, `3..6`."""

    name = "N[..M]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> range:
        if isinstance(value, range):
            return value
        low, _, high = str(value).partition("..")
        if not low.isdecimal() or not (high or low).isdecimal() or int(low) > int(high or low):
            self.fail(f"{value!r} is neither a number of seats nor a range such as 3..6", param, ctx)
        return range(int(low), int(high or low) + 1)


def bots_option(known: Iterable[str]) -> Callable[[Command], Command]:
    """The option `--bots` of a command that knows these."""
    meaning = f"Kinds of bots, assigned to the seats in turn: {', '.join(known)}."
    return click.option("--bots", default="steady", help=meaning)


BOTS = bots_option(BRAINS)


def token_option(meaning: str) -> Callable[[Command], Command]:
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
    """Refuse a seat of `--as` that the game does not have."""
    if principal < SPECTATORS and principal >> seats:
        raise click.BadParameter(f"the game has seats 0 to {seats - 1}", param_hint="--as")


def check_known(names: Iterable[str], known: Iterable[str], what: str, option: str) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            near = did_you_mean(name, known)
            told = f"no {what} {name!r}{f': {near}' if near else ''}"
            those = f"are {', '.join(known)}" if known else "are none in this pack"
            raise click.BadParameter(f"{told}{' There' if near else '; there'} {those}", param_hint=option)


def check_edition(edition: str, pack: Pack) -> None:
    """Refuse an edition that does not play this pack."""
    if why := misfit(edition, pack.head.edition):
        raise click.BadParameter(why, param_hint="--edition")


def settings_of(data: Path | None) -> Settings:
    """The settings from the environment, with the store in a data folder if one is given."""
    store = {} if data is None else {"store": f"{SQLITE}{data.absolute() / DATABASE}"}
    return msgspec.structs.replace(from_environment(), **store)


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
    """Refuse a store, written as for `OMENLOG_STORE`, whose file does not exist."""
    if store.startswith(SQLITE) and not Path(store.removeprefix(SQLITE)).is_file():
        raise click.UsageError(f"no such file: {store.removeprefix(SQLITE)}")


NARROWEST = 40
"""The least width, in columns, that pictures are drawn for."""

EXIT_CODE = "omenlog.exit_code"
"""In the `meta` of a context: with which code its command ends for a known fault, if not with 1."""
COMMAND = "OMENLOG_COMMAND"
"""The variable in which `./dev` says how its user types `omenlog`."""


def typed() -> str:
    """How the user types this program: `omenlog`, or `./dev omenlog` in a checkout."""
    return os.environ.get(COMMAND) or "omenlog"


def as_typed(text: str) -> str:
    """A text that names commands as the user types them."""
    return text.replace("`omenlog ", f"`{typed()} ")


def in_checkout() -> bool:
    """Whether this runs from a checkout, where generated files can be rewritten."""
    return (Path(__file__).parents[2] / "pyproject.toml").is_file()


def console() -> Console:
    return Console(highlight=False)


def columns(screen: Console | None = None, most: int = COLUMNS) -> int:
    """The width of a picture: the terminal's, up to what is easy to read."""
    screen = screen or console()
    return max(NARROWEST, min(most, screen.width)) if screen.is_terminal else most


def say(text: str | Text = "", *, screen: Console | None = None, indent: int = 0, hang: int = 0) -> None:
    """Print a text, without markup; on a terminal, wrap lines between words, `hang` columns deeper than the first."""
    screen = screen or console()
    words = Text(as_typed(text)) if isinstance(text, str) else text.copy()
    words.plain = displayable(words.plain)
    if not screen.is_terminal:
        for line in words.split(allow_blank=True):
            screen.print(Text(" " * indent) + line, soft_wrap=True)
        return
    for line in words.split(allow_blank=True):
        bare = line.plain
        lead = indent + len(bare) - len(bare.lstrip())
        rest = line[len(bare) - len(bare.lstrip()) :]
        for at, one in enumerate(rest.wrap(screen, max(NARROWEST // 2, screen.width - lead - hang)) or [rest]):
            one.rstrip()
            screen.print(Text(" " * (lead + (hang if at else 0))) + one, soft_wrap=True)


class Ticker:
    """Reports on stderr how far a long command has come, at most once every few seconds."""

    def __init__(self, every: float) -> None:
        self._every = every
        self._told = time.monotonic()

    def tick(self, text: Callable[[], str]) -> None:
        if time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            click.echo(text(), err=True)


def own_address() -> str:
    """This machine's address in its network, found without sending anything; or empty."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # connecting a datagram socket sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return ""
