"""`omenlog view`, `replay`, `board`, `diff`, `trace` and `disputes`: any commit or stretch of a game, as any role saw it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import rich_click as click

from domain.facts.audience import REFEREE, Mask, principal_name
from domain.past import Past
from domain.rulebook.desk.disputing import disputes as disputes_of
from projections.board import board_of
from projections.choices.decisions import decisions_of
from projections.diff.compare import difference
from projections.diff.markdown import diff_as_markdown
from projections.naming.names import counted, enumerated
from projections.naming.questions import amendments, in_words
from projections.text.picture import house_as_text
from projections.text.post import status_post
from projections.trace.markdown import Markdown
from projections.trace.steps import Tracer
from projections.view.desk import DisputeView, EvidenceView, RuledView
from projections.view.game import view_of
from service.cli.common import DATA, JSON, check_seat, columns, principal_asked, role_option, say, settings_of_store
from service.games.desk.disputes import CLAIM, DisputeShown, known, shown
from service.games.horizon import Horizon
from service.games.read.tracing import Tracing
from service.games.refusals import Refusals
from service.games.tables import Tables
from service.identity import Caller
from service.log.exported import Export, NotAnExport, open_export
from service.log.exported import replay as fold_export
from service.log.facts import read_facts
from service.log.packs import open_library
from service.log.reader import past_of
from service.log.recorded import NotRecorded, Recorded, commit_of, from_file, from_store, names_a_game, rules_of
from service.outside import Machine
from service.problems import ProblemError
from service.settings import Settings
from service.store.open import opened
from service.store.port import NoSuchGame

GAME = click.argument("game")
ROLE = role_option("the export's own role; for a full export or a store, spectator")
AT = click.option("--at", type=click.IntRange(1), show_default="the last", help="Show the game as of this commit.")
SHOW = click.option(
    "--show",
    type=click.Choice(["picture", "markdown", "bbcode", "view", "decisions"]),
    default="picture",
    metavar="FORM",
    help="`picture`: the house as text; `markdown` or `bbcode`: a status post for a forum; `view` or `decisions`: JSON as in the API.",
)


@contextmanager
def _usage_errors() -> Iterator[None]:
    try:
        yield
    except NotRecorded as fault:
        raise click.UsageError(str(fault)) from fault


def _recorded(game: str, data: Path | None) -> Recorded:
    async def stored(settings: Settings) -> Recorded:
        async with opened(settings) as stores:
            return await from_store(stores.games, game)

    return asyncio.run(stored(settings_of_store(data))) if names_a_game(game) else from_file(Path(game))


def _shown(game: Recorded, role: str | None, at: int | None, show: str) -> str:
    """What a role saw, in the form that `--show` asks for; ends with a line break."""
    principal = _principal(game, role)
    state = game.known(principal, at)
    if show == "picture":
        return house_as_text(game.rules, state, columns())
    if show in ("markdown", "bbcode"):
        public = game.known(game.principal, at)  # the spectators', unless it is one role's export
        return status_post(game.rules, public, "markdown" if show == "markdown" else "bbcode")
    if show == "view":
        answer: Any = view_of(game.rules, state, principal)
    else:
        answer = decisions_of(game.rules, state, principal, game.passed(principal, at))
    return _json(answer)


def _principal(game: Recorded, role: str | None) -> Mask:
    return game.principal if role is None else principal_asked(role)


def _json(answer: object) -> str:
    return msgspec.json.format(msgspec.json.encode(answer)).decode() + "\n"


@click.command()
@GAME
@ROLE
@AT
@SHOW
@DATA
def view(*, game: str, role: str | None, at: int | None, show: str, data: Path | None) -> None:
    """Show what a role saw of a GAME at any commit: the house, its decisions, or the view as JSON.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names. The service may run.
    """
    with _usage_errors():
        click.echo(_shown(_recorded(game, data), role, at, show), nl=False)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@role_option("the export's own role; for a full export, spectator")
@AT
@SHOW
def replay(file: Path, role: str | None, at: int | None, show: str) -> None:
    """Show what a role saw of an exported game, at its end or earlier."""
    game = from_file(file)
    with _usage_errors():
        click.echo(_shown(game, role, at, show), nl=False)


@click.command()
@GAME
@ROLE
@AT
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    show_default="standard output",
    help="The file to write.",
)
@DATA
def board(*, game: str, role: str | None, at: int | None, output: Path | None, data: Path | None) -> None:
    """Draw the house as a role saw it at any commit: an SVG for screen or print, readable without color.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names. The service may run.
    """
    with _usage_errors():
        found = _recorded(game, data)
        principal = _principal(found, role)
        picture = board_of(view_of(found.rules, found.known(principal, at), principal))
    if output is None:
        click.echo(picture, nl=False)
    else:
        output.write_text(picture, encoding="utf-8")


@click.command()
@GAME
@ROLE
@click.option("--from", "first", type=click.IntRange(1), required=True, help="The earlier commit.")
@click.option("--to", "last", type=click.IntRange(1), show_default="the last", help="The later commit.")
@JSON
@DATA
def diff(*, game: str, role: str | None, first: int, last: int | None, as_json: bool, data: Path | None) -> None:
    """Show what changed for a role between two commits, in its view and its options, as Markdown.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names. The service may run.
    """
    if last is not None and first > last:
        raise click.UsageError(f"--from {first} is after --to {last}: name the earlier commit first")
    with _usage_errors():
        found = _recorded(game, data)
        principal = _principal(found, role)
        changes = difference(found.moment(principal, first), found.moment(principal, last))
    click.echo(_json(changes) if as_json else diff_as_markdown(changes), nl=False)


@click.command()
@GAME
@click.option("--from", "first", type=click.IntRange(1), default=1, help="The first commit.")
@click.option("--to", "last", type=click.IntRange(1), show_default="the latest", help="The last commit.")
@role_option("the export's own role; otherwise the referee")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "ndjson"]),
    default="markdown",
    help="Text to read and paste, or one line of JSON per commit.",
)
@DATA
def trace(*, game: str, first: int, last: int | None, role: str | None, form: str, data: Path | None) -> None:
    """Explain commits of a GAME step by step: who did what, what happened, and by which rule.

    GAME is the id of a game in the store that OMENLOG_STORE names, or an exported file. For each commit the trace shows what was
    rolled or drawn, what changed, which card, tile or haunt text applied, what was legal then, which rulings of the game mattered,
    and (from the store) what was refused after it. A role is shown only what it could know at the time.
    """
    if last is not None and first > last:
        raise click.BadParameter(f"--to {last} is before --from {first}", param_hint="--to")
    if Path(game).is_file():
        for text in _trace_of_file(open_export(Path(game)), first, last, role, form):
            click.echo(text, nl=False)
        return
    if "." in game or "/" in game:
        raise click.UsageError(f"no such file: {game}")
    settings = settings_of_store(data)
    try:
        asyncio.run(_trace_of_store(settings, game, first, last, principal_asked(role or "referee"), form))
    except NoSuchGame:
        raise click.UsageError(f"no game {game} in the store, and no file of that name") from None
    except ProblemError as problem:
        raise click.UsageError(str(problem)) from None


def _trace_of_file(export: Export, first: int, last: int | None, role: str | None, form: str) -> Iterator[str]:
    end = len(export.lines) if last is None else last
    if end > len(export.lines) or first > len(export.lines):
        raise click.UsageError(f"the game has {counted(len(export.lines), 'commit')}")
    principal = principal_asked(role) if role is not None else export.principal
    try:
        check_seat(principal, fold_export(export, export.principal, 1).seats)
        fold_export(export, principal, end)  # report any altered commit before printing anything
        known = fold_export(export, principal, first - 1)
    except NotAnExport as error:
        raise click.UsageError(str(error)) from None
    tracer = Tracer(rules_of(export), known, principal)
    page = Markdown()
    if form == "markdown":
        yield page.head(export.header.game, principal_name(principal), first, end, tracer.in_force())
    for line in export.lines[first - 1 : end]:
        step = tracer.step(commit_of(export, line, principal))
        yield page.step(step) if form == "markdown" else f"{msgspec.json.encode(step).decode()}\n"
    if form == "markdown":
        yield page.foot()


async def _trace_of_store(settings: Settings, game: str, first: int, last: int | None, role: Mask, form: str) -> None:
    """Print a trace from the store, which a service may be using."""
    from service.bootstrap import pack_sources  # noqa: PLC0415 -- it takes a third of a second, which others here do without

    async with opened(settings) as stores:
        library = await open_library(stores.games, pack_sources(settings))
        tables = Tables(stores.games, library, most=1, snapshot_every=1_000_000)
        outside = Machine()
        tracing = Tracing(tables, Horizon(tables, outside), Refusals(stores.records, outside, per_game=0, per_seat=0))
        check_seat(role, len((await tables.live(game)).facts.seats))
        span = await tracing.span(Caller(game, "referee", "referee"), first, last, role)
        async for piece in tracing.markdown(span) if form == "markdown" else tracing.lines(span, 0):
            click.echo(piece, nl=False)


@click.command()
@GAME
@DATA
def disputes(game: str, data: Path | None) -> None:
    """List the disputes of a GAME in the store that OMENLOG_STORE names, as its referee sees them.

    Shows for each who disputes which commits, the claim, the evidence and the ruling, without erased texts. Changes nothing.
    """
    found = asyncio.run(_disputes(settings_of_store(data), game))
    for one in found:
        for line in _lines(one):
            say(line)
    if not found:
        say(f"{game}: no disputes")


async def _disputes(settings: Settings, game: str) -> list[DisputeShown]:
    async with opened(settings) as stores:
        record = await stores.games.get_game(game)
        if record is None:
            raise click.UsageError(f"no game {game} in the store")
        seats = len(read_facts(record.facts).seats)
        past: Past = await past_of(stores.games, game, record.version, seats, record.version)
        texts = await stores.games.get_texts(game, CLAIM)
    state = past.known[REFEREE]
    return [shown(*known(state, one), texts) for one in disputes_of(state)]


def _lines(one: DisputeShown) -> Iterator[str]:
    dispute, texts = one.dispute, {note.digest: note.text for note in one.texts}
    first, last = (dispute.span.first, dispute.span.last) if dispute.span else (0, 0)
    span = f"commit {first}" if first == last else f"commits {first} to {last}"
    yield f"dispute {dispute.number}: seat {dispute.by} to the {dispute.addressed}, {span}; {_state(dispute)}"
    if dispute.claim in texts:
        yield f'  "{texts[dispute.claim]}"'
    for given in dispute.evidence:
        yield f"  evidence by {_who(given.by)}: {_cited(given, texts)}"
    for earlier in dispute.earlier:
        yield f"  before that {_ruled(earlier)}"
        yield from _reasons(earlier)
    if dispute.reopened is not None:
        yield f'  reopened in commit {dispute.reopened.commit}: "{dispute.reopened.reasons}"'
    yield from _reasons(dispute)
    if dispute.would_undo:
        yield f"  a rewind to before that would undo {amendments(dispute.would_undo)}"
    seen: dict[int, list[str]] = {}
    for sight in dispute.seen:
        seen.setdefault(sight.seat, []).append(str(sight.commit))
    for seat, commits in seen.items():
        yield f"  seat {seat} knows what it saw in {'commit' if len(commits) == 1 else 'commits'} {enumerated(commits)}"


def _reasons(ruling: RuledView | DisputeView) -> Iterator[str]:
    if ruling.reasons:
        rules = f" ({', '.join(ruling.rules)})" if ruling.rules else ""
        yield f'  reasons: "{ruling.reasons}"{rules}'
    if ruling.undone_by is not None:
        by = ruling.undone_by
        what = "a take-back" if by.dispute is None else f"the ruling on dispute {by.dispute}"
        yield f"  undone by {what}, in commit {by.commit}"


def _state(dispute: DisputeView) -> str:
    if not dispute.outcome:
        left = dispute.turns_left
        until = f"within {dispute.seconds} s" if left is None else f"within {counted(left, 'new turn')}"
        return f"open, to be decided {until}" + (", play is paused" if dispute.pauses else "")
    stands = "what was ruled stands" if dispute.earlier else "what happened stands"
    ended = {"withdrawn": "withdrawn", "lapsed": f"lapsed, so {stands}", "over": "open when the game ended"}
    if dispute.outcome in ended:
        return ended[dispute.outcome]
    return _ruled(dispute)


def _ruled(ruling: RuledView | DisputeView) -> str:
    precedent = ", a precedent" if ruling.precedent else ""
    return f"{_who(ruling.judge)} ruled in commit {ruling.closed}: {in_words(ruling.outcome, ruling.to, ruling.reapplied)}{precedent}"


def _cited(given: EvidenceView, texts: dict[str, str]) -> str:
    cited = [f"commit {number}" for number in given.commits] + list(given.rules)
    cited += [f'"{texts[given.note]}"'] if given.note in texts else []
    return enumerated(cited) or "a note that was erased"


def _who(seat: int | None) -> str:
    return "the referee" if seat is None else f"seat {seat}"
