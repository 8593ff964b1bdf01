"""`omenlog content …`: for authors of packs."""

import io
import sys
from pathlib import Path

import rich_click as click

from content.commands import FORMS, Form, check_command
from content.manual import manual as manual_text
from service.cli.playtest import playtest
from service.cli.reach import reach
from service.cli.screen import as_typed


@click.group()
def content() -> None:
    """Check packs, play them with bots, read the manual of their vocabulary."""


@content.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format", "form", default="text", type=click.Choice(FORMS), help="For people and editors, or for programs."
)
def check(paths: tuple[Path, ...], form: Form) -> None:
    r"""Check the packs in these folders, or the packs that these files belong to.

    Every mistake is a line `file:line:column: what is wrong: what is probably meant`, which editors read
    (Vim: `errorformat=%f:%l:%c:\ %m`); with `--format json` it is an object a line with `file`, `line`, `column`,
    `message` and `suggestion`. Lines and columns count from 1.

    First comes what is wrong in a file by itself, then, once every file can be read, what names something that is not
    there, and once nothing else is wrong, what of a haunt nobody can ever reach.

    Without PATHS the built-in packs are checked, with the rule ledger and the generated files.

    The exit code is 0 if all is well, 1 if there are mistakes, 2 if the command itself is wrong.
    """
    out = io.StringIO()
    code = check_command(paths, out, form=form)
    click.echo(as_typed(out.getvalue()), nl=False)
    sys.exit(code)


@content.command()
def manual() -> None:
    """Print the manual of the vocabulary: every verb, condition and value with an example."""
    click.echo(manual_text())


content.add_command(playtest)
content.add_command(reach)
