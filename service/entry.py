"""The console script `omenlog`, which says what to install where there is the library alone."""

import importlib
import sys


def main() -> None:
    """Run the command line."""
    try:
        cli = importlib.import_module("service.cli")
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] == __package__:
            raise
        sys.exit(
            f"omenlog: the command line needs more than the library ({error.name}): pip install 'omenlog[service]'"
        )
    cli.main()
