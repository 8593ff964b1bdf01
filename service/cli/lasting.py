"""The store that a command is to look at has to be there: opening one that isn't would make it, and say that nothing is amiss in it."""

from pathlib import Path

import rich_click as click

from service.bootstrap import SQLITE


def check_there(store: str) -> None:
    """Check that a store which is a file exists.

    Args:
        store: written as for `OMENLOG_STORE`.

    Raises:
        click.UsageError: there is no such file.
    """
    if store.startswith(SQLITE) and not Path(store.removeprefix(SQLITE)).is_file():
        raise click.UsageError(f"there is no file {store.removeprefix(SQLITE)}")
