"""`omenlog openapi` and `omenlog docs`: files that are generated and committed."""

import sys

import rich_click as click

from content.commands import docs_command
from service.openapi import FILE, Drift, write
from service.openapi import check as compare


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say where the committed file differs, and exit with 1.")
def openapi(*, check: bool) -> None:
    """Write the contract openapi/openapi.json anew, from the handlers, their types and a short game's answers."""
    if not check:
        write()
        click.echo(f"wrote {FILE}")
        return
    try:
        compare()
    except Drift as drift:
        click.echo(str(drift))
        raise click.ClickException(f"{FILE} is not what the code says; `omenlog openapi` writes it anew") from None


@click.command()
def docs() -> None:
    """Write the manual and the schemas of content/ anew, from the vocabulary."""
    sys.exit(docs_command())
