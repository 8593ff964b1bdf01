"""`omenlog verify` and `omenlog replay`: an exported game, looked at offline."""

import sys
from pathlib import Path

import msgspec
import rich_click as click

from content.digest import decode_pack, digest, pack_bytes
from content.load import builtin_packs, load_pack
from domain.game import rules_for
from domain.rules import Rules
from projections.decisions import decisions_of
from projections.picture import house_as_text
from projections.post import status_post
from projections.view import view_of
from service.audit import Outcome, audit
from service.exported import PRINCIPALS, Export, open_export
from service.exported import replay as replayed

EXIT = {Outcome.EXACT: 0, Outcome.DIVERGED: 1, Outcome.UNVERIFIED: 3}
"""Exit codes of `verify`; 2 is click's own for wrong usage."""

FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@FILE
def verify(file: Path) -> None:
    """Audit an exported game, from the FILE alone: hash chain, every decision again, seed.

    Prints EXACT (exit code 0), UNVERIFIED (3: nothing contradicts the record, but not all of it could be checked) or
    DIVERGED (1) with the first commit that differs.
    """
    export = open_export(file)
    verdict = audit(export)
    where = f" at commit {verdict.commit}" if verdict.commit is not None else ""
    because = f": {verdict.because}" if verdict.because else ""
    click.echo(f"{verdict.outcome.value}{where}, {verdict.commits} of {export.header.version} commits hold{because}")
    sys.exit(EXIT[verdict.outcome])


@click.command()
@FILE
@click.option(
    "--as",
    "role",
    type=click.Choice(list(PRINCIPALS)),
    show_default="whose export it is; of a full export: spectators",
    help="Whose eyes to look through.",
)
@click.option("--at", type=click.IntRange(1), show_default="the last", help="Look as of this commit.")
@click.option(
    "--show",
    type=click.Choice(["picture", "markdown", "bbcode", "view", "decisions"]),
    default="picture",
    help="The house as text, a status post for a forum, or the JSON that the API would have answered.",
)
def replay(file: Path, role: str | None, at: int | None, show: str) -> None:
    """Show what a role saw of an exported game, at its end or earlier."""
    export = open_export(file)
    if at is not None and at > len(export.lines):
        raise click.BadParameter(f"the game has {len(export.lines)} commits", param_hint="--at")
    if role is None:
        role = "spectators" if export.full else export.header.principal
    principal = PRINCIPALS[role]
    rules, state = rules_of(export), replayed(export, principal, at)
    if show == "picture":
        click.echo(house_as_text(rules, state), nl=False)
    elif show in ("markdown", "bbcode"):
        click.echo(status_post(rules, state, "markdown" if show == "markdown" else "bbcode"), nl=False)
    else:
        answer = view_of(rules, state, principal) if show == "view" else decisions_of(rules, state, principal)
        click.echo(msgspec.json.format(msgspec.json.encode(answer)))


def rules_of(export: Export) -> Rules:
    """The rules that a game was played by: the pack in the file, or the built-in one with the digest that it names.

    Raises:
        click.ClickException: neither is there.
    """
    header = export.header
    if digest(bytes(header.pack)) == header.pack_digest:
        return rules_for(decode_pack(bytes(header.pack)), header.edition)
    for folder in builtin_packs().values():
        pack = load_pack(folder)
        if digest(pack_bytes(pack)) == header.pack_digest:
            return rules_for(pack, header.edition)
    raise click.ClickException(f"the pack {header.pack_id} ({header.pack_digest}) is neither in the file nor built in")
