"""`omenlog verify`, `witness` and `import`: exported games audited, hash chains watched, games brought to another service."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import rich_click as click

from projections.naming.names import counted
from service.audit.role_chain import WitnessedHead, open_heads
from service.audit.verdict import RUNNING, Outcome, Verdict, audit, damaged, quietly
from service.bots.client import Api
from service.cli.common import JSON, URL, Command, say
from service.games.lobby.importing import GameImported
from service.games.read.proof import HeadPage
from service.log.exported import Damaged, open_export, parse_export
from service.settings import opening_key

EXIT = {Outcome.EXACT.value: 0, Outcome.DIVERGED.value: 1, Outcome.UNVERIFIED.value: 3, RUNNING: 3}
"""Exit codes of `verify`; 2 is click's own for wrong usage."""
PAGE = 1000
NDJSON = "application/x-ndjson"


def _file_option(name: str, meaning: str) -> Callable[[Command], Command]:
    return click.option(name, type=click.Path(path_type=Path), show_default="none", help=meaning)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@_file_option("--heads", "Chain heads that `omenlog witness` kept during the game; the file must match them.")
@_file_option("--against", "The full export of the same game; a role's export in FILE must match it.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    default=None,
    show_default="one per processor",
    help="Processes for a long game: one decides the commands again, the others check the chain.",
)
@JSON
@click.option(
    "--progress/--no-progress",
    default=None,
    show_default="on a terminal",
    help="Report on stderr how many commits are checked.",
)
def verify(
    *, file: Path, heads: Path | None, against: Path | None, processes: int | None, as_json: bool, progress: bool | None
) -> None:
    """Audit an exported game from its FILE alone (- reads standard input).

    Checks every link of the hash chain, decides every command again, and rolls every die again from the disclosed seed. In a role's own
    export, it checks the chain: that it contains what the role was told.

    Prints EXACT (exit code 0), UNVERIFIED (3: nothing contradicts the record, but not everything could be checked) or DIVERGED (1) with
    the first commit that differs. For a game that is not over, prints RUNNING (3): everything holds so far; export it again after the end.
    """
    try:
        export = parse_export(sys.stdin.buffer.read()) if str(file) == "-" else open_export(file)
    except Damaged as damage:
        _tell(damaged(damage), 0, as_json=as_json)
        return
    witnessed = [] if heads is None else open_heads(heads, export.header.game)
    opened = None if against is None else open_export(against)
    if opened is not None and not opened.full:
        raise click.BadParameter("this is a role's export; pass the full one", param_hint="--against")
    total = counted(export.header.version, "commit")
    loud = sys.stderr.isatty() if progress is None else progress

    def report(checked: int) -> None:
        click.echo(f"{checked} of {total} checked", err=True)

    verdict = audit(export, witnessed, opened, processes=processes, progress=report if loud else quietly)
    _tell(verdict, export.header.version, as_json=as_json)


def _tell(verdict: Verdict, commits: int, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode({"found": verdict.word, **msgspec.to_builtins(verdict)}))
        sys.exit(EXIT[verdict.word])
    where = f" at commit {verdict.commit}" if verdict.commit is not None else ""
    running = "the game is not over" if verdict.word == RUNNING else ""
    because = "; ".join(filter(None, (running, verdict.because)))
    say(f"{verdict.word}{where}, {verdict.commits} of {counted(commits, 'commit')} hold{because and f': {because}'}")
    if verdict.outcome is not Outcome.DIVERGED:
        say(f"  chain  EXACT{f'; {verdict.heads} witnessed heads agree' if verdict.heads else ''}")
        if verdict.dice:
            every = "EXACT: every command was decided again, to the same bytes"
            older = "UNVERIFIED: an older revision of the rules decided them"
            say(f"  rules  {every if verdict.redecided else older}")
            say(f"  dice   {verdict.dice}")
    if verdict.differs:
        say(f"  recorded, event {verdict.differs.event}: {verdict.differs.recorded or 'nothing'}")
        say(f"  decided,  event {verdict.differs.event}: {verdict.differs.decided or 'nothing'}")
    sys.exit(EXIT[verdict.word])


@click.command()
@click.argument("game")
@URL
@click.option(
    "--heads",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file that keeps the heads; created if missing.",
)
@click.option("--every", default=0.0, type=click.FloatRange(0), help="Seconds between two looks; 0 looks once.")
def witness(*, game: str, url: str, heads: Path, every: float) -> None:
    """Keep the heads of GAME's hash chain in a file of your own, and check that the service still agrees with them.

    Needs no token. Exits with 1 if the service reports another hash for a commit than before: then it has replaced the log.
    `omenlog verify --heads` checks an exported game against the file.
    """
    with Api(url) as api:
        while True:
            status = _look(api, game, heads)
            if not every or status in ("finished", "abandoned"):
                return
            time.sleep(every)


class _GameStatus(msgspec.Struct):
    status: str


def _look(api: Api, game: str, file: Path) -> str:
    """Fetch all heads, compare the known ones, keep the others; returns the game's status."""
    known = {one.number: one.hash for one in open_heads(file, game)} if file.exists() else {}
    # The status first: a game that is over by then gets no later heads.
    status = api.read(_GameStatus, f"/v1/games/{game}").status
    told = _fetched(api, game)
    for number, hash_ in known.items():
        if told.get(number) != hash_:
            now = told.get(number, "no hash")
            say(f"DIVERGED at commit {number}: its hash was {hash_}, now the service reports {now}")
            sys.exit(1)
    news = [WitnessedHead(game=game, number=number, hash=one) for number, one in told.items() if number not in known]
    with file.open("ab") as out:
        out.writelines(msgspec.json.encode(head) + b"\n" for head in news)
    last = max(told, default=0)
    agree = "head agrees" if len(known) == 1 else "heads agree"
    say(f"{len(known)} {agree}, {len(news)} new, up to commit {last} ({status}): {told.get(last, '')}")
    return status


def _fetched(api: Api, game: str) -> dict[int, str]:
    found: dict[int, str] = {}
    after, version = 0, 1
    while after < version:
        page = api.read(HeadPage, f"/v1/games/{game}/heads", after=after, limit=PAGE)
        found |= {head.number: head.hash for head in page.heads}
        after, version = page.next, page.version
        if not page.heads:
            break
    return found


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@URL
def import_game(file: Path, url: str) -> None:
    """Import the game in FILE, a full export, into a service, which can show it but not continue it.

    The service audits it first. It refuses a game that does not verify, that it already has, or that a newer revision of the rules
    decided. Prints tokens for every role once. If the service has an opening key, set OMENLOG_OPENING_KEY to it.
    """
    open_export(file)  # reject a wrong file before sending anything
    with Api(url) as api:
        sent = api.upload("/v1/games/import", file.read_bytes(), NDJSON, opening_key())
        answer = msgspec.json.decode(sent, type=GameImported)
    because = f" ({answer.because})" if answer.because else ""
    say(f"imported game {answer.game.id}, {counted(answer.game.version, 'commit')}: {answer.outcome}{because}")
    for one in (answer.tokens.referee, *answer.tokens.seats, *answer.tokens.spectators):
        if one is not None:
            say(f"  {one.id:12} {one.secret}")
