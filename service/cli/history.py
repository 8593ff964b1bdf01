"""`omenlog view`, `replay`, `board`, `diff` and `trace`: any commit or stretch of a game, as any role saw it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import rich_click as click

from domain.facts.audience import Mask, principal_name
from projections.board import board_of, boards_of, phone_board_of
from projections.choices.decisions import decisions_of
from projections.diff.compare import difference
from projections.diff.markdown import diff_as_markdown, sentences
from projections.naming.names import counted
from projections.text.picture import COLUMNS, house_as_text, houses_as_text
from projections.text.post import status_post
from projections.trace.sifting import Unfit, Wanted, names_of
from projections.trace.steps import Telling, Tracer
from projections.view.game import view_of
from service.cli.common import DATA, JSON, check_seat, columns, principal_asked, role_option, settings_of_store
from service.games.horizon import Horizon
from service.games.read.tracing import Tracing, cards_in_books, markdown_of
from service.games.refusals import Refusals
from service.games.tables import Tables
from service.identity import Caller
from service.log.exported import Export, NotAnExport, open_export
from service.log.exported import replay as fold_export
from service.log.packs import Library
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
@click.option(
    "--layout",
    type=click.Choice(["print", "phone"]),
    default="print",
    show_default=True,
    help="For a sheet of paper, or one column of 360 pixels with larger letters.",
)
@DATA
def board(*, game: str, role: str | None, at: int | None, output: Path | None, layout: str, data: Path | None) -> None:
    """Draw the house as a role saw it at any commit: an SVG for screen or print, readable without color.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names. The service may run.
    """
    with _usage_errors():
        found = _recorded(game, data)
        principal = _principal(found, role)
        drawn = phone_board_of if layout == "phone" else board_of
        picture = drawn(view_of(found.rules, found.known(principal, at), principal))
    if output is None:
        click.echo(picture, nl=False)
    else:
        output.write_text(picture, encoding="utf-8")


@click.command()
@GAME
@ROLE
@click.option("--from", "first", type=click.IntRange(1), required=True, help="The earlier commit.")
@click.option("--to", "last", type=click.IntRange(1), show_default="the last", help="The later commit.")
@click.option("--side-by-side", is_flag=True, help="Show the house at both commits, and mark what differs.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    show_default="text",
    help="Draw the boards side by side as one SVG into this file.",
)
@JSON
@DATA
def diff(
    *,
    game: str,
    role: str | None,
    first: int,
    last: int | None,
    side_by_side: bool,
    output: Path | None,
    as_json: bool,
    data: Path | None,
) -> None:
    """Show what changed for a role between two commits, in its view and its options, as Markdown.

    GAME is an exported file, or the id of a game in the store that OMENLOG_STORE names. The service may run.
    """
    if last is not None and first > last:
        raise click.UsageError(f"--from {first} is after --to {last}: name the earlier commit first")
    if side_by_side and as_json:
        raise click.UsageError("--json has all that differs: leave out --side-by-side")
    if output is not None and not side_by_side:
        raise click.UsageError("--output is for the picture that --side-by-side draws")
    with _usage_errors():
        found = _recorded(game, data)
        principal = _principal(found, role)
        if side_by_side and output is None:
            states = found.known(principal, first), found.known(principal, last)
            click.echo(houses_as_text(found.rules, *states, columns(most=2 * COLUMNS)), nl=False)
            return
        before, after = found.moment(principal, first), found.moment(principal, last)
        changes = difference(before, after)
    if output is not None:
        output.write_text(boards_of(before.view, after.view, sentences(changes)), encoding="utf-8")
        return
    click.echo(_json(changes) if as_json else diff_as_markdown(changes), nl=False)


@click.command()
@GAME
@click.option("--from", "first", type=click.IntRange(1), default=1, help="The first commit.")
@click.option("--to", "last", type=click.IntRange(1), show_default="the latest", help="The last commit.")
@click.option("--turn", type=click.IntRange(0), show_default="any", help="Only this turn, with the step that began it.")
@click.option(
    "--round",
    type=click.IntRange(0),
    show_default="any",
    help="Only this round of the haunt; 0: before its first turn.",
)
@click.option(
    "--seat", type=click.IntRange(0, 5), show_default="any", help="Only what this seat did, or tried and was refused."
)
@click.option("--rule", default="", show_default="any", metavar="ID", help="Only steps in which this rule was applied.")
@click.option(
    "--room", default="", show_default="any", help="Only what happened in this room, or to it: its id or title."
)
@click.option("--card", default="", show_default="any", help="Only what was about this card: its id or title.")
@click.option(
    "--grep",
    default="",
    show_default="any",
    metavar="TEXT",
    help="Only steps in whose words this text occurs, in any case.",
)
@click.option("--no-legal", is_flag=True, help="Leave out what was legal.")
@click.option("--names", is_flag=True, help="Show players' names, which only the store has.")
@click.option("--told", is_flag=True, help="Say who was told of each line: for the referee.")
@role_option("the export's own role; otherwise the referee")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "ndjson"]),
    default="markdown",
    help="Text to read and paste, or one line of JSON per commit.",
)
@DATA
def trace(  # noqa: PLR0913 -- each is an option
    *,
    game: str,
    first: int,
    last: int | None,
    no_legal: bool,
    names: bool,
    told: bool,
    role: str | None,
    form: str,
    data: Path | None,
    **wanted: Any,  # noqa: ANN401 -- the members of `Wanted`
) -> None:
    """Explain commits of a GAME step by step: who did what, what happened, and by which rule.

    GAME is the id of a game in the store that OMENLOG_STORE names, or an exported file. For each commit the trace shows what was
    rolled or drawn, what changed, which card, tile or haunt text applied, what was legal then, which rulings of the game mattered,
    and (from the store) what was refused after it. A role is shown only what it could know at the time. Of several filters all must hold.
    """
    if last is not None and first > last:
        raise click.BadParameter(f"--to {last} is before --from {first}", param_hint="--to")
    telling = Telling(wanted=Wanted(**wanted), legal=not no_legal, told=told)
    if Path(game).is_file():
        if names:
            raise click.UsageError("an export holds no players' names: give the id of the game in its store")
        pieces: AsyncIterator[str | bytes] = _trace_of_file(open_export(Path(game)), first, last, role, form, telling)
    elif "." in game or "/" in game:
        raise click.UsageError(f"no such file: {game}")
    else:
        principal, settings = principal_asked(role or "referee"), settings_of_store(data)
        pieces = _trace_of_store(settings, game, first, last, principal, form=form, telling=telling, names=names)
    printed = asyncio.run(_printed(pieces))
    if form == "ndjson" and not printed and telling.wanted:
        click.echo(f"No step has {telling.wanted}.", err=True)


async def _printed(pieces: AsyncIterator[str | bytes]) -> bool:
    """Print a trace as it comes. False: there was nothing to print."""
    told = False
    try:
        async for piece in pieces:
            told = told or bool(piece)
            click.echo(piece, nl=False)
    except ProblemError as problem:
        raise click.UsageError(str(problem)) from None
    return told


async def _trace_of_file(
    export: Export, first: int, last: int | None, role: str | None, form: str, telling: Telling
) -> AsyncIterator[str | bytes]:
    end = len(export.lines) if last is None else last
    if end > len(export.lines) or first > len(export.lines):
        raise click.UsageError(f"the game has {counted(len(export.lines), 'commit')}")
    if telling.told and not export.full:
        raise click.UsageError(
            "this export does not say who was told: --told needs the game's store, or its full export"
        )
    principal = principal_asked(role) if role is not None else export.principal
    rules = rules_of(export)
    try:
        seats = fold_export(export, export.principal, 1).seats
        check_seat(principal, seats)
        whole = fold_export(export, principal, end)  # report any altered commit before printing anything
        known = fold_export(export, principal, first - 1)
        told = set[str]()
        if telling.wanted.in_doubt(rules, principal):
            told = _names_told(export, principal, end) | cards_in_books(rules, whole, principal)
        telling = msgspec.structs.replace(telling, wanted=telling.wanted.settled(rules, whole, principal, seats, told))
    except (NotAnExport, Unfit) as error:
        raise click.UsageError(str(error)) from None
    tracer = Tracer(rules, known, principal, telling)
    page = markdown_of(telling)
    if form == "markdown":
        yield page.head(export.header.game, principal_name(principal), first, end, tracer.in_force())
    for line in export.lines[first - 1 : end]:
        step = tracer.wanted(commit_of(export, line, principal))
        if step is not None:
            yield page.step(step) if form == "markdown" else f"{msgspec.json.encode(step).decode()}\n"
    if form == "markdown":
        yield page.foot()


@asynccontextmanager
async def tables_of(settings: Settings) -> AsyncIterator[tuple[Tables, Horizon, Tracing]]:
    """The games of a store, and what traces them."""
    async with opened(settings) as stores:
        tables, outside = Tables(stores.games, Library(stores.games), most=1, snapshot_every=1_000_000), Machine()
        horizon, refusals = Horizon(tables, outside), Refusals(stores.records, outside, per_game=0, per_seat=0)
        yield tables, horizon, Tracing(tables, horizon, refusals)


def _names_told(export: Export, principal: Mask, end: int) -> set[str]:
    lines = (commit_of(export, line, principal) for line in export.lines[:end])
    return names_of(*([one.event for one in commit.told] for commit in lines))


async def _trace_of_store(
    settings: Settings,
    game: str,
    first: int,
    last: int | None,
    role: Mask,
    *,
    form: str,
    telling: Telling,
    names: bool,
) -> AsyncIterator[str | bytes]:
    """A trace from the store, which a service may be using."""
    async with tables_of(settings) as (tables, _, tracing):
        try:
            check_seat(role, len((await tables.live(game)).facts.seats))
        except NoSuchGame:
            raise click.UsageError(f"no game {game} in the store, and no file of that name") from None
        span = await tracing.span(Caller(game, "referee", "referee"), first, last, role)
        span = await tracing.narrowed(span, telling.wanted, legal=telling.legal, names=names, told=telling.told)
        async for piece in tracing.markdown(span) if form == "markdown" else tracing.lines(span, 0):
            yield piece
