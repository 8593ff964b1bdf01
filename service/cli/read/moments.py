"""`omenlog view`, `omenlog board` and `omenlog diff`: any moment of a game, through any eyes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import rich_click as click

from projections.board import board_of
from projections.diff.compare import difference
from projections.diff.markdown import diff_as_markdown
from projections.view.game import view_of
from service.cli.read.exports import AT, GAME, ROLE, SHOW, opened, shown, tried
from service.cli.stores import DATA


@click.command()
@GAME
@ROLE
@AT
@SHOW
@DATA
def view(*, game: str, role: str | None, at: int | None, show: str, data: Path | None) -> None:
    """Show what a role saw of a GAME at any commit: the house, the decisions that it had, or the view as JSON.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names, which may be in use.
    """
    found, principal = opened(game, role, data)
    click.echo(
        shown(found.rules, tried(lambda: found.known(principal, at)), principal, show, found.passed(principal, at)),
        nl=False,
    )


@click.command()
@GAME
@ROLE
@AT
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    show_default="the standard output",
    help="The file to write.",
)
@DATA
def board(*, game: str, role: str | None, at: int | None, output: Path | None, data: Path | None) -> None:
    """Draw the house as a role saw it at any commit: an SVG to look at or to print, in color or without.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names, which may be in use.
    """
    found, principal = opened(game, role, data)
    picture = board_of(view_of(found.rules, tried(lambda: found.known(principal, at)), principal))
    if output is None:
        click.echo(picture, nl=False)
    else:
        output.write_text(picture, encoding="utf-8")


@click.command()
@GAME
@ROLE
@click.option("--from", "first", type=click.IntRange(1), required=True, help="The earlier commit.")
@click.option("--to", "last", type=click.IntRange(1), show_default="the last", help="The later commit.")
@click.option("--json", "as_json", is_flag=True, help="Print the changes as JSON, as the API answers them.")
@DATA
def diff(*, game: str, role: str | None, first: int, last: int | None, as_json: bool, data: Path | None) -> None:
    """Tell what changed for a role between two commits, in its view and in what it might do, as Markdown.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names, which may be in use.
    """
    if last is not None and first > last:
        raise click.UsageError(f"--from {first} is behind --to {last}: name the earlier commit first")
    found, principal = opened(game, role, data)
    before = tried(lambda: found.moment(principal, first))
    changes = difference(before, tried(lambda: found.moment(principal, last)))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(changes)))
    else:
        click.echo(diff_as_markdown(changes), nl=False)
