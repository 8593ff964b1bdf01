"""`omenlog openapi` and `omenlog docs`: files that are generated and committed."""

import sys

import rich_click as click

from content.commands import docs_command
from service.cli.screen import as_typed
from service.openapi.files import Drift, write
from service.openapi.files import check as compare


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; say where a committed file differs, and exit with 1.")
def openapi(*, check: bool) -> None:
    """Write the contract anew, from the handlers, their types and a short game's answers.

    Requests are in openapi/openapi.json; streams (events out, commands in over a WebSocket) and what webhooks send in openapi/asyncapi.json.
    """
    if not check:
        for file in write():
            click.echo(f"wrote {file}")
        return
    try:
        compare()
    except Drift as drift:
        click.echo(str(drift))
        raise click.ClickException(
            as_typed("openapi/ is not what the code says; `omenlog openapi` writes it anew")
        ) from None


@click.command()
def docs() -> None:
    """Write the manual and the schemas of content/ anew, from the vocabulary."""
    sys.exit(docs_command())
