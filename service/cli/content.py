"""`omenlog content …`: for authors of packs."""

import sys
from pathlib import Path

import rich_click as click

from content.commands import check_command
from content.manual import manual as manual_text
from service.cli.playtest import playtest


@click.group()
def content() -> None:
    """Check packs, play them with bots, read the manual of their vocabulary."""


@content.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
def check(paths: tuple[Path, ...]) -> None:
    """Check the packs in these folders: every mistake with file, line, column and a suggestion.

    Without PATHS the built-in packs are checked, with the rule ledger and the generated files.
    """
    sys.exit(check_command(paths))


@content.command()
def manual() -> None:
    """Print the manual of the vocabulary: every verb, condition and value with an example."""
    click.echo(manual_text())


content.add_command(playtest)
