"""`omenlog verify` and `omenlog replay`: an exported game, looked at offline."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import rich_click as click

from domain.audience import SPECTATORS, Mask
from domain.past import Passed
from domain.rules import Rules
from domain.state import State
from projections.decisions import decisions_of
from projections.names import counted
from projections.picture import house_as_text
from projections.post import status_post
from projections.view import view_of
from service.audit.role_chain import open_heads
from service.audit.verdict import RUNNING, Outcome, Progress, Verdict, audit, damaged, quietly
from service.cli.looking import AT, check_seat, principal_asked, role_option
from service.cli.screen import columns, say
from service.log.exported import Damaged, latest, open_export, parse_export
from service.log.exported import replay as replayed
from service.log.recorded import rules_of

EXIT = {Outcome.EXACT.value: 0, Outcome.DIVERGED.value: 1, Outcome.UNVERIFIED.value: 3, RUNNING: 3}
"""Exit codes of `verify`; 2 is click's own for wrong usage."""

FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--heads",
    type=click.Path(path_type=Path),
    show_default="none",
    help="Heads witnessed while the game was played (`omenlog witness`): the file must be of that chain.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    show_default="none",
    help="The full export of the same game: what the role's export in FILE says must stand in it.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    default=None,
    show_default="as many as there are processors",
    help="Processes that check a long game: one decides again, the others check the chain.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option(
    "--progress/--no-progress",
    default=None,
    show_default="where somebody looks on",
    help="Say on stderr how many commits were checked.",
)
def verify(
    *, file: Path, heads: Path | None, against: Path | None, processes: int | None, as_json: bool, progress: bool | None
) -> None:
    """Audit an exported game, from the FILE alone (- reads it from the standard input).

    Every link of the hash chain is checked, every command decided again and every die rolled again from the disclosed
    seed. Of a role's own export the chain is checked: that what the role was told stands in it.

    Prints EXACT (exit code 0), UNVERIFIED (3: nothing contradicts the record, but not all of it could be checked) or
    DIVERGED (1) with the first commit that differs. Of a game that is not over it prints RUNNING (3): all holds as far as the
    file goes; export it again after the end.
    """
    try:
        export = parse_export(sys.stdin.buffer.read()) if str(file) == "-" else open_export(file)
    except Damaged as damage:
        _tell(damaged(damage), 0, as_json=as_json)
        return
    witnessed = [] if heads is None else open_heads(heads, export.header.game)
    opened = None if against is None else open_export(against)
    if opened is not None and not opened.full:
        raise click.BadParameter("this is a role's export; the full one is wanted", param_hint="--against")
    if processes is None:
        processes = (os.cpu_count() or 1) if hasattr(os, "fork") else 1
    loud = sys.stderr.isatty() if progress is None else progress
    say = _counting(export.header.version) if loud else quietly
    verdict = audit(export, witnessed, opened, processes=processes, progress=say)
    _tell(verdict, export.header.version, as_json=as_json)


def _counting(commits: int) -> Progress:
    def say(checked: int) -> None:
        click.echo(f"{checked} of {counted(commits, 'commit')} checked", err=True)

    return say


def _tell(verdict: Verdict, commits: int, *, as_json: bool) -> None:
    """Print a verdict, and exit with its code."""
    if as_json:
        click.echo(msgspec.json.encode({"found": verdict.word, **msgspec.to_builtins(verdict)}))
    else:
        say(_sentence(verdict, commits))
        for what, found in _details(verdict):
            say(f"  {what:6} {found}")
        if verdict.differs:
            say(f"  recorded, event {verdict.differs.event}: {verdict.differs.recorded or 'nothing'}")
            say(f"  decided,  event {verdict.differs.event}: {verdict.differs.decided or 'nothing'}")
    sys.exit(EXIT[verdict.word])


def _sentence(verdict: Verdict, commits: int) -> str:
    where = f" at commit {verdict.commit}" if verdict.commit is not None else ""
    running = "the game is not over" if verdict.word == RUNNING else ""
    because = "; ".join(filter(None, (running, verdict.because)))
    return f"{verdict.word}{where}, {verdict.commits} of {counted(commits, 'commit')} hold{because and f': {because}'}"


def _details(verdict: Verdict) -> list[tuple[str, str]]:
    if verdict.outcome is Outcome.DIVERGED:
        return []
    heads = f"; {verdict.heads} witnessed heads agree" if verdict.heads else ""
    told = [("chain", f"EXACT{heads}")]
    if verdict.dice:
        every = "EXACT: every command was decided again, to the same bytes"
        told.append(("rules", every if verdict.redecided else "UNVERIFIED: an older revision decided"))
        told.append(("dice", verdict.dice))
    return told


SHOW = click.option(
    "--show",
    type=click.Choice(["picture", "markdown", "bbcode", "view", "decisions"]),
    default="picture",
    metavar="FORM",
    help="`picture`: the house as text; `markdown` or `bbcode`: a status post for a forum; `view` or `decisions`: JSON as the API answers.",
)


@click.command()
@FILE
@role_option("whose export it is; of a full export: spectator")
@AT
@SHOW
def replay(file: Path, role: str | None, at: int | None, show: str) -> None:
    """Show what a role saw of an exported game, at its end or earlier."""
    export = open_export(file)
    if at is not None and at > len(export.lines):
        raise click.BadParameter(f"the game has {counted(len(export.lines), 'commit')}", param_hint="--at")
    own = SPECTATORS if export.full else export.principal
    principal = own if role is None else principal_asked(role)
    check_seat(principal, replayed(export, export.principal, 1).seats)
    told = latest(export, principal, at)
    click.echo(shown(rules_of(export), replayed(export, principal, at), principal, show, told), nl=False)


def shown(rules: Rules, state: State, principal: Mask, show: str, passed: Sequence[Passed]) -> str:
    """What a role knew, as `--show` asks for it; ends with a line break."""
    if show == "picture":
        return house_as_text(rules, state, columns())
    if show in ("markdown", "bbcode"):
        return status_post(rules, state, "markdown" if show == "markdown" else "bbcode")
    answer = view_of(rules, state, principal) if show == "view" else decisions_of(rules, state, principal, passed)
    return msgspec.json.format(msgspec.json.encode(answer)).decode() + "\n"
