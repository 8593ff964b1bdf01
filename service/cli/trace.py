"""`omenlog trace`: a stretch of a game, step by step in words, from a store or from an exported file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import rich_click as click

from domain.audience import Mask, principal_name
from projections.names import counted
from projections.trace.markdown import Markdown
from projections.trace.steps import Tracer
from service.bootstrap import pack_folders
from service.cli.lasting import DATA, settings_of_store
from service.cli.looking import check_seat, principal_asked, role_option
from service.games.read.tracing import Span, Tracing
from service.games.refusals import Refusals
from service.games.sight import Sight
from service.games.tables import Tables
from service.identity import Caller
from service.log.exported import Export, NotAnExport, open_export, replay
from service.log.recorded import rules_of
from service.log.traced import commit_of
from service.outside import Machine
from service.packs import open_library
from service.problems import ProblemError
from service.settings import Settings
from service.store.open import open_refusal_store, open_store
from service.store.port import NoSuchGame

FORMATS = ("markdown", "ndjson")

_encode = msgspec.json.Encoder().encode


@click.command()
@click.argument("game")
@click.option("--from", "first", type=click.IntRange(1), default=1, help="The first commit.")
@click.option("--to", "last", type=click.IntRange(1), show_default="the latest", help="The last commit.")
@role_option("the referee; of a role's export: that role")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="markdown",
    help="Text to read and to paste, or a line of JSON for each commit.",
)
@DATA
def trace(*, game: str, first: int, last: int | None, role: str | None, form: str, data: Path | None) -> None:
    """Tell a stretch of a GAME step by step: who did what, what came of it, and by which rule.

    GAME is the id of a game in the store that OMENLOG_STORE names, or the file of an exported one. Of each commit it tells what was rolled or
    drawn, what changed, which card, tile or haunt box spoke, what was legal then, which rulings of the game had a part in it, and
    (from the store) what was refused after it. A role is told what it could know at that time, and nothing else.
    """
    if last is not None and first > last:
        raise click.BadParameter(
            f"a span goes forward: it can't begin with {first} and end with {last}", param_hint="--to"
        )
    if Path(game).is_file():
        for text in _of_file(open_export(Path(game)), first, last, role, form):
            click.echo(text, nl=False)
        return
    if "." in game or "/" in game:
        raise click.UsageError(f"there is no file {game}")
    settings = settings_of_store(data)
    try:
        asyncio.run(_of_store(settings, game, first, last, principal_asked(role or "referee"), form))
    except NoSuchGame:
        raise click.UsageError(f"there is no game {game} in the store, and no file of that name") from None
    except ProblemError as problem:
        raise click.UsageError(str(problem)) from None


# -- from a file ----------------------------------------------------------------------------------------------------------


def _of_file(export: Export, first: int, last: int | None, role: str | None, form: str) -> Iterator[str]:
    """The pieces of a trace, from the file alone."""
    end = len(export.lines) if last is None else last
    if end > len(export.lines) or first > len(export.lines):
        raise click.UsageError(f"the game has {counted(len(export.lines), 'commit')}")
    principal = principal_asked(role) if role is not None else export.principal
    try:
        check_seat(principal, replay(export, export.principal, 1).seats)
        replay(export, principal, end)  # whatever was altered is told before anything is printed
        known = replay(export, principal, first - 1)
    except NotAnExport as error:
        raise click.UsageError(str(error)) from None
    tracer = Tracer(rules_of(export), known, principal)
    page = Markdown()
    if form == "markdown":
        yield page.head(export.header.game, principal_name(principal), first, end, tracer.in_force())
    for line in export.lines[first - 1 : end]:
        step = tracer.step(commit_of(export, line, principal))
        yield page.step(step) if form == "markdown" else f"{_encode(step).decode()}\n"
    if form == "markdown":
        yield page.foot()


# -- from a store ---------------------------------------------------------------------------------------------------------


async def _of_store(settings: Settings, game: str, first: int, last: int | None, role: Mask, form: str) -> None:
    """Print a trace from the store; a service may be using it meanwhile."""
    store = await open_store(settings)
    refusal_store = await open_refusal_store(settings)
    try:
        tables = Tables(store, await open_library(store, pack_folders(settings)), most=1, snapshot_every=1_000_000)
        outside = Machine()
        refusals = Refusals(refusal_store, outside, per_game=0, per_seat=0)
        tracing = Tracing(tables, Sight(tables, outside), refusals)
        check_seat(role, len((await tables.live(game)).facts.seats))
        span = await tracing.span(Caller(game, "referee", "referee"), first, last, role)
        async for piece in _pieces(tracing, span, form):
            click.echo(piece, nl=False)
    finally:
        await refusal_store.close()
        await store.close()


def _pieces(tracing: Tracing, span: Span, form: str) -> AsyncIterator[bytes]:
    return tracing.markdown(span) if form == "markdown" else tracing.lines(span, 0)
