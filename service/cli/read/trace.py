"""`omenlog trace` and `omenlog disputes`: a stretch of a game step by step in words, and its disputes as the referee sees them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import rich_click as click

from domain.facts.audience import REFEREE, Mask, principal_name
from domain.past import Past
from domain.rulebook.desk.disputing import disputes as disputes_of
from projections.naming.names import counted, enumerated
from projections.naming.questions import VERDICTS
from projections.trace.markdown import Markdown
from projections.trace.steps import Tracer
from projections.view.desk import DisputeView, EvidenceView
from service.bootstrap import pack_folders
from service.cli.read.exports import check_seat, principal_asked, role_option
from service.cli.screen import say
from service.cli.stores import DATA, settings_of_store
from service.games.desk.disputes import CLAIM, DisputeShown, known, shown
from service.games.horizon import Horizon
from service.games.read.tracing import Span, Tracing
from service.games.refusals import Refusals
from service.games.tables import Tables
from service.identity import Caller
from service.log.exported import Export, NotAnExport, open_export, replay
from service.log.facts import read_facts
from service.log.packs import open_library
from service.log.reader import past_of
from service.log.recorded import rules_of
from service.log.traced import commit_of
from service.outside import Machine
from service.problems import ProblemError
from service.settings import Settings
from service.store.open import open_records, open_store
from service.store.port import LogStore, NoSuchGame

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
    records = await open_records(settings)
    try:
        tables = Tables(store, await open_library(store, pack_folders(settings)), most=1, snapshot_every=1_000_000)
        outside = Machine()
        refusals = Refusals(records, outside, per_game=0, per_seat=0)
        tracing = Tracing(tables, Horizon(tables, outside), refusals)
        check_seat(role, len((await tables.live(game)).facts.seats))
        span = await tracing.span(Caller(game, "referee", "referee"), first, last, role)
        async for piece in _pieces(tracing, span, form):
            click.echo(piece, nl=False)
    finally:
        await records.close()
        await store.close()


def _pieces(tracing: Tracing, span: Span, form: str) -> AsyncIterator[bytes]:
    return tracing.markdown(span) if form == "markdown" else tracing.lines(span, 0)


@click.command()
@click.argument("game")
@DATA
def disputes(game: str, data: Path | None) -> None:
    """List the disputes of a GAME in the store that OMENLOG_STORE names, as its referee sees them.

    For each: who disputes which commits, the claim, the evidence, and how it was ruled. Texts that were erased are left out. It changes nothing.
    """
    settings = settings_of_store(data)

    async def read() -> list[DisputeShown]:
        store = await open_store(settings)
        try:
            return await _read(store, game)
        finally:
            await store.close()

    found = asyncio.run(read())
    for one in found:
        for line in _lines(one):
            say(line)
    if not found:
        say(f"{game}: nobody has disputed anything.")


async def _read(store: LogStore, game: str) -> list[DisputeShown]:
    record = await store.get_game(game)
    if record is None:
        raise click.UsageError(f"there is no game {game} in the store")
    seats = len(read_facts(record.facts).seats)
    past: Past = await past_of(store, game, record.version, seats, record.version)
    texts = await store.get_texts(game, CLAIM)
    return [shown(*known(one), texts) for one in disputes_of(past.known[REFEREE])]


def _lines(one: DisputeShown) -> Iterator[str]:
    dispute, texts = one.dispute, {note.digest: note.text for note in one.texts}
    first, last = (dispute.span.first, dispute.span.last) if dispute.span else (0, 0)
    span = f"commit {first}" if first == last else f"commits {first} to {last}"
    yield f"dispute {dispute.number}: seat {dispute.by} to the {dispute.addressed}, {span}; {_state(dispute)}"
    if dispute.claim in texts:
        yield f'  "{texts[dispute.claim]}"'
    for given in dispute.evidence:
        yield f"  evidence by {_who(given.by)}: {_cited(given, texts)}"
    if dispute.reasons:
        rules = f" ({', '.join(dispute.rules)})" if dispute.rules else ""
        yield f'  reasons: "{dispute.reasons}"{rules}'
    seen: dict[int, list[str]] = {}
    for look in dispute.seen:
        seen.setdefault(look.seat, []).append(str(look.commit))
    for seat, commits in seen.items():
        yield f"  seat {seat} knows what it saw in {'commit' if len(commits) == 1 else 'commits'} {enumerated(commits)}"


def _state(dispute: DisputeView) -> str:
    if not dispute.outcome:
        left = dispute.turns_left
        until = f"within {dispute.seconds} s" if left is None else f"within {counted(left, 'new turn')}"
        return f"open, to be decided {until}" + (", play waits" if dispute.pauses else "")
    ended = {"withdrawn": "withdrawn", "lapsed": "lapsed, what happened stands", "over": "open when the game ended"}
    if dispute.outcome in ended:
        return ended[dispute.outcome]
    precedent = ", a precedent" if dispute.precedent else ""
    return f"{_who(dispute.judge)} ruled in commit {dispute.closed}: {VERDICTS[dispute.outcome].format(to=dispute.to)}{precedent}"


def _cited(given: EvidenceView, texts: dict[str, str]) -> str:
    cited = [f"commit {number}" for number in given.commits] + list(given.rules)
    cited += [f'"{texts[given.note]}"'] if given.note in texts else []
    return enumerated(cited) or "a note that was erased"


def _who(seat: int | None) -> str:
    return "the referee" if seat is None else f"seat {seat}"
