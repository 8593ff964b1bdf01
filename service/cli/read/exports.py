"""`omenlog verify`, `replay`, `witness` and `import`: exported games, and a GAME in a file or a store seen through any eyes."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import rich_click as click

from domain.engine.rules import Rules
from domain.facts.audience import SPECTATORS, Mask
from domain.facts.state import State
from domain.past import Passed
from projections.choices.decisions import decisions_of
from projections.naming.names import counted
from projections.text.picture import house_as_text
from projections.text.post import status_post
from projections.view.game import view_of
from service.audit.role_chain import WitnessedHead, open_heads
from service.audit.verdict import RUNNING, Outcome, Progress, Verdict, audit, damaged, quietly
from service.bots.client import Api
from service.cli.screen import columns, say
from service.cli.stores import settings_of_store
from service.games.lobby.importing import GameImported
from service.games.read.proving import HeadPage
from service.log.exported import Damaged, latest, open_export, parse_export
from service.log.exported import replay as replayed
from service.log.recorded import NotRecorded, Recorded, from_file, from_store, names_a_game, principal_of, rules_of
from service.settings import Settings, opening_key
from service.store.open import open_store

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., object])

GAME = click.argument("game")


def role_option(default: str) -> Callable[[Command], Command]:
    """The option that says through whose eyes to look, and whose it is unless told."""
    return click.option(
        "--as",
        "role",
        metavar="ROLE",
        show_default=default,
        help="Whose eyes to look through: seat:0 to seat:5, spectator or referee.",
    )


ROLE = role_option("whose export it is; of a full export or a store: spectator")
AT = click.option("--at", type=click.IntRange(1), show_default="the last", help="Look as of this commit.")


def opened(game: str, role: str | None, data: Path | None) -> tuple[Recorded, Mask]:
    """The game, and the principal that was asked for.

    Raises:
        click.UsageError: there is no such game or role.
    """
    found = tried(lambda: _opened(game, data))
    return found, found.principal if role is None else principal_asked(role)


def principal_asked(role: str) -> Mask:
    """The principal that `--as` names.

    Raises:
        click.BadParameter: it is no role.
    """
    try:
        return principal_of(role)
    except NotRecorded as fault:
        raise click.BadParameter(str(fault), param_hint="--as") from None


def check_seat(principal: Mask, seats: int) -> None:
    """Check that a game has the seat through whose eyes is to be looked.

    Raises:
        click.BadParameter: it has fewer.
    """
    if principal < SPECTATORS and principal >> seats:
        raise click.BadParameter(f"the game has the seats 0 to {seats - 1}", param_hint="--as")


def tried(look: Callable[[], T]) -> T:
    """What is looked for, or wrong usage if it isn't there.

    Raises:
        click.UsageError: with the sentence that says what would be right.
    """
    try:
        return look()
    except NotRecorded as fault:
        raise click.UsageError(str(fault)) from fault


def _opened(game: str, data: Path | None) -> Recorded:
    if not names_a_game(game):
        return from_file(Path(game))
    return asyncio.run(_stored(settings_of_store(data), game))


async def _stored(settings: Settings, game: str) -> Recorded:
    store = await open_store(settings)
    try:
        return await from_store(store, game)
    finally:
        await store.close()


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


URL = click.option("--url", default="http://127.0.0.1:8000", help="The service.")
PAGE = 1000
NDJSON = "application/x-ndjson"

_encode = msgspec.json.Encoder().encode


@click.command()
@click.argument("game")
@URL
@click.option(
    "--heads",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file in which heads are kept; it is made if missing.",
)
@click.option("--every", default=0.0, type=click.FloatRange(0), help="Seconds between two looks; 0: look once.")
def witness(*, game: str, url: str, heads: Path, every: float) -> None:
    """Keep the heads of GAME's hash chain in a file of your own, and check that those kept before still hold.

    No token is needed. Exits with 1 when the service tells another hash of a commit than it told before: then it has
    replaced the log. `omenlog verify --heads` holds an exported game against the file.
    """
    with Api(url) as api:
        while True:
            status = _look(api, game, heads)
            if not every or status in ("finished", "abandoned"):
                return
            time.sleep(every)


def _look(api: Api, game: str, file: Path) -> str:
    """Fetch all heads, hold those that are known against them, keep the others; returns the game's status."""
    known = {one.number: one.hash for one in open_heads(file, game)} if file.exists() else {}
    # The status first: what it says to be over has no later heads.
    status = msgspec.json.decode(api.get(f"/v1/games/{game}"), type=_Game).status
    told = _fetched(api, game)
    for number, hash_ in known.items():
        if told.get(number) != hash_:
            now = told.get(number, "none any more")
            say(f"DIVERGED at commit {number}: its hash was {hash_}, now the service tells {now}")
            sys.exit(1)
    news = [WitnessedHead(game=game, number=number, hash=one) for number, one in told.items() if number not in known]
    with file.open("ab") as out:
        out.writelines(_encode(head) + b"\n" for head in news)
    last = max(told, default=0)
    agree = "head agrees" if len(known) == 1 else "heads agree"
    say(f"{len(known)} {agree}, {len(news)} new, up to commit {last} ({status}): {told.get(last, '')}")
    return status


class _Game(msgspec.Struct):
    """What is read of a game."""

    status: str


def _fetched(api: Api, game: str) -> dict[int, str]:
    """All heads that the service shows, by number."""
    found: dict[int, str] = {}
    after, version = 0, 1
    while after < version:
        page = msgspec.json.decode(api.get(f"/v1/games/{game}/heads", after=after, limit=PAGE), type=HeadPage)
        found |= {head.number: head.hash for head in page.heads}
        after, version = page.next, page.version
        if not page.heads:
            break
    return found


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@URL
def import_game(file: Path, url: str) -> None:
    """Bring the game in FILE, a full export, to a service, where it can be read and doesn't go on.

    The service audits it first and refuses what doesn't verify, what it has already, and what a newer revision of the
    rules decided. Tokens for every role are printed once. Where the service has an opening key, OMENLOG_OPENING_KEY holds it.
    """
    open_export(file)  # so that a wrong file is told before anything is sent
    with Api(url) as api:
        sent = api.upload("/v1/games/import", file.read_bytes(), NDJSON, opening_key())
        answer = msgspec.json.decode(sent, type=GameImported)
    because = f" ({answer.because})" if answer.because else ""
    say(f"imported game {answer.game.id}, {counted(answer.game.version, 'commit')}: {answer.outcome}{because}")
    tokens = answer.tokens
    for one in (tokens.referee, *tokens.seats, *tokens.spectators):
        if one is not None:
            say(f"  {one.id:12} {one.secret}")
