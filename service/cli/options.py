"""The store that a command looks at: which one, and that it is there. Opening a missing one would make it, and find nothing amiss in it."""

from pathlib import Path

import msgspec
import rich_click as click

from service.settings import Settings, from_environment
from service.store.open import MEMORY, SQLITE

DATABASE = "omenlog.db"
"""The file in a data folder in which games are kept."""

DATA = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    show_default="as OMENLOG_STORE says, or ./data",
    help=f"Folder of the database ({DATABASE}), as `omenlog serve` has it.",
)


def settings_of(data: Path | None) -> Settings:
    """The settings of the environment, with the store in a folder where one is given."""
    settings = from_environment()
    if data is None:
        return settings
    return msgspec.structs.replace(settings, store=f"{SQLITE}{data.absolute() / DATABASE}")


def settings_of_store(data: Path | None) -> Settings:
    """The same, for a command that looks at what others have put into the store.

    Raises:
        click.UsageError: the store is in the memory of its service, or not there.
    """
    settings = settings_of(data)
    if settings.store == MEMORY:
        raise click.UsageError(
            f"OMENLOG_STORE={MEMORY}: a store in memory is gone with its service; name one that lasts"
        )
    check_there(settings.store)
    return settings


def check_there(store: str) -> None:
    """Check that a store which is a file exists.

    Args:
        store: written as for `OMENLOG_STORE`.

    Raises:
        click.UsageError: there is no such file.
    """
    if store.startswith(SQLITE) and not Path(store.removeprefix(SQLITE)).is_file():
        raise click.UsageError(f"there is no file {store.removeprefix(SQLITE)}")
