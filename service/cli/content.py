"""`omenlog content …`, for authors of packs: check, playtest, and coverage by bots."""

import io
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from content.authoring.commands import FORMS, Form, check_command, docs_command
from content.authoring.first import KINDS, Kind, write_first_haunt
from content.authoring.playtests import record_playtest
from content.authoring.schema import bundled
from content.errors import did_you_mean
from content.load.layout import LAYOUT
from content.load.packs import BASE, builtin_packs, haunt_in, load_pack, pack_of
from content.patterns import displayable
from domain.editions import EDITIONS
from domain.engine.rules import Rules
from domain.game import rules_for
from domain.pack.reach import Reached, things
from projections.books.pages import all_sections, as_html, as_markdown
from projections.naming.names import counted
from projections.text.coverage import add_verbs, coverage_report, never_reached
from projections.text.doubts import doubts_told
from projections.text.playtests import Played, Report, curves, findings, reasons_told, unused_told
from projections.wording.manual import manual as manual_text
from service.bots.playtest import IN_PROCESS, GamePlan, builtin_of, play_all
from service.cli.common import CORES, JSON, Command, SeatSpan, as_typed, bots_option, check_edition, check_known
from service.cli.common import say as say_on

REASONS = Path(__file__).parents[2] / "content" / "reach"
"""For each built-in pack: a file that says what no game of its report reaches and why, and the report."""
TABLES = (("steady",), ("steady",), ("steady", "curious"), ("curious", "random", "steady"))
"""The bots at every four tables: half of the tables play sensibly, the others try what nobody would think of."""
FEW = 3
"""The most haunts for which a playtest draws curves."""
ALTERNATIVES_EVERY = 3
"""One in this many pairs of games is played with alternatives to the rulings."""


def _pack_options(command: Command) -> Command:
    path = click.Path(path_type=Path, exists=True)
    command = click.option("--jobs", default=CORES, type=click.IntRange(1, 256), help="Number of processes.")(command)
    command = click.option("--pack", default="second-edition", help="The built-in pack to play if no PATH is given.")(
        command
    )
    return click.argument("path", type=path, required=False)(command)


def _paths(_context: click.Context, _parameter: click.Parameter, value: tuple[str, ...]) -> tuple[Path, ...]:
    if "" in value:  # a variable of the shell that is not set; as a path it would be the current folder
        raise click.BadParameter("a path is empty; for the current folder write .")
    return tuple(Path(one) for one in value)


BELONGING = click.option(
    "--edition",
    type=click.Choice(list(EDITIONS)),
    show_default="told by the file",
    help="The edition to which the file of a haunt alone belongs.",
)


def belonging(edition: str | None) -> str:
    """The built-in pack to which the file of a haunt alone belongs; empty: the file tells."""
    return builtin_of(edition) if edition else ""


@click.group()
def content() -> None:
    """Check packs, play them with bots, and read the manual of their vocabulary."""


@content.command()
@click.argument("paths", nargs=-1, type=click.Path(), callback=_paths)
@click.option(
    "--format", "form", default="text", type=click.Choice(FORMS), help="For people and editors, or for programs."
)
@click.option("--strict", is_flag=True, help="Fail for warnings, too.")
@BELONGING
def check(paths: tuple[Path, ...], form: Form, *, strict: bool, edition: str | None) -> None:
    r"""Check the packs in these folders, or the packs to which these files belong; the file of a haunt alone is one itself.

    Such a file belongs to the edition in which it has fewer mistakes, unless `--edition` names one.

    Prints each mistake as a line `file:line:column: what is wrong: suggestion`, which editors understand
    (Vim: `errorformat=%f:%l:%c:\ %m`); with `--format json`, as an object per line with `file`, `line`, `column`,
    `message`, `suggestion` and `severity`. Lines and columns count from 1. What is allowed but hardly ever meant is a warning.

    Checks each file by itself first; once all files can be read, checks that every name exists; and once nothing else is
    wrong, looks for parts of haunts that can never be reached.

    Without PATHS, checks the built-in packs, the rule ledger and the generated files.

    Exit code: 0 if there are no errors, 1 if there are some, 2 if the command itself is wrong.
    """
    out = io.StringIO()
    code = check_command(paths, out, form=form, strict=strict, manual=manual_text, base=belonging(edition))
    click.echo(displayable(as_typed(out.getvalue())), nl=False)
    sys.exit(code)


@content.command("new-haunt")
@click.argument("name")
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), show_default="NAME.yaml", help="The file to write."
)
@click.option("--kind", metavar="KIND", default=KINDS[0], type=click.Choice(KINDS), help=f"One of {', '.join(KINDS)}.")
def new_haunt(name: str, output: Path | None, kind: Kind) -> None:
    """Write a first haunt, to be changed step by step: NAME is its id (`my-haunt`) or its title ("My Haunt").

    It has comments, is valid, and can be played as it is. Beside it lies the JSON Schema for editors, which its first line names.
    """
    try:
        file, schema = write_first_haunt(name, output, kind)
    except FileExistsError as error:
        raise click.ClickException(f"{error.filename} is there already; name another file by `--output`") from None
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    click.echo(as_typed(f"wrote {file}, and {schema} for editors; next: `omenlog content check {file}`"))


@content.command("schema")
@click.argument("kind", default="haunt", type=click.Choice([kind.schema for kind in LAYOUT]))
def print_schema(kind: str) -> None:
    """Print the JSON Schema for files of this KIND, for editors."""
    click.echo(bundled(kind), nl=False)


@content.command()
def manual() -> None:
    """Print the manual of the vocabulary: every verb, condition and value with an example."""
    click.echo(manual_text())


@content.command()
@click.argument("haunt")
@click.option(
    "--pack", show_default=BASE, help="The built-in pack that has the haunt or that its file extends, or a folder."
)
@BELONGING
@click.option(
    "--players", type=click.IntRange(3, 6), show_default="any number", help="Tell numbers for so many players."
)
@click.option("--html", is_flag=True, help="Write a page for a browser or a printer, instead of Markdown.")
def book(haunt: str, pack: str | None, edition: str | None, players: int | None, html: bool) -> None:  # noqa: FBT001 -- as click calls it
    """Print both books of HAUNT, an id or a file (`my-haunt.yaml`): story, goal, and all rules in words.

    Whoever wants to play the haunt should not read this.
    """
    if haunt.endswith((".yaml", ".yml")):
        file = Path(haunt)
        whole = load_pack(pack_of(file), base=pack or belonging(edition))
        haunt = haunt_in(file) or whole.head.id
    else:
        named = pack or belonging(edition) or BASE
        whole = load_pack(Path(named) if Path(named).is_dir() else builtin(named))
    haunts = {one.id: one for one in whole.haunts}
    check_known([haunt], haunts, "haunt", "HAUNT")
    if edition:
        check_edition(edition, whole)
    parts = all_sections(whole, haunts[haunt], players or 0, EDITIONS[edition] if edition else None)
    click.echo(as_html(haunts[haunt].title, parts) if html else as_markdown(parts), nl=False)


@content.command()
@_pack_options
@click.option(
    "--edition", type=click.Choice(list(EDITIONS)), show_default="the pack's own", help="Play by this edition's rules."
)
@click.option("--games", default=20, type=click.IntRange(1, 100_000), help="Games per haunt and number of seats.")
@bots_option(IN_PROCESS)
@click.option("--seats", default="3..6", type=SeatSpan(), help="Numbers of seats.")
@click.option(
    "--haunt",
    "haunts",
    multiple=True,
    show_default="by the chart",
    help="Play this haunt, or `all` of them, for the same number of games each; repeatable.",
)
@click.option("--seed", default="playtest", help="The same seed gives the same games.")
@click.option("--record", is_flag=True, help="Write the figures of each haunt into its file.")
@click.option("--never", is_flag=True, help="List what no game has reached.")
@JSON
def playtest(  # noqa: PLR0913 -- one parameter for each option
    *,
    path: Path | None,
    pack: str,
    edition: str | None,
    games: int,
    bots: str,
    seats: range,
    haunts: tuple[str, ...],
    seed: str,
    jobs: int,
    record: bool,
    never: bool,
    as_json: bool,
) -> None:
    """Let bots play the pack in the folder or haunt file PATH, or a built-in one, and report the balance.

    For each haunt and number of seats: who wins and why, the turn in which the haunt begins, its rounds. Then how often each
    thing was reached, and what never was. For haunts that are named, and for that of a file: the rounds in which each side wins, and
    what of the haunt was never used.
    """
    folder = path or builtin(pack)
    loaded = load_pack(folder, base=belonging(edition))
    if edition:
        check_edition(edition, loaded)
    rules = rules_for(loaded, edition or "")
    if folder.is_file() and not haunts:
        haunts = (rules.pack.head.id,)  # the one haunt's
    names = bots.split(",")
    check_known(names, IN_PROCESS, "bot", "--bots")
    if "all" not in haunts:
        check_known(haunts, rules.pack.haunts, "haunt", "--haunt")
    wanted = list(rules.pack.haunts) if "all" in haunts else list(haunts)
    spans = [count for count in seats if count in rules.pack.head.players]
    if not spans:
        players = rules.pack.head.players
        raise click.BadParameter(f"this pack seats {players[0]} to {players[-1]}", param_hint="--seats")
    if record and (not wanted or spans != rules.pack.head.players):
        raise click.UsageError("--record needs a --haunt (or several), played with every number of seats")
    plans = [
        GamePlan(f"{seed}-{number}", count, tuple(names), haunt)
        for number in range(games)
        for count in spans
        for haunt in wanted or [""]
    ]
    report = Report(rules)
    for game in with_bar(
        play_all(plans, folder, edition or "", jobs=min(jobs, len(plans)), watched=bool(wanted)), len(plans)
    ):
        report.add(game)
    if as_json:
        click.echo(msgspec.json.encode(findings(report, wanted)))
    else:
        _print(report, Console(), wanted, never=never)
    for haunt in wanted if record else ():
        click.echo(f"recorded in {record_playtest(folder, haunt, report.figures(haunt))}", err=as_json)


def builtin(pack: str) -> Path:
    packs = builtin_packs()
    check_known([pack], packs, "pack", "--pack")
    return packs[pack]


def with_bar(played: Iterator[Played], total: int) -> Iterator[Played]:
    """The games, with a progress bar on the terminal."""
    return iter(track(played, "playing", total, console=Console(stderr=True), transient=True))


def _print(report: Report, console: Console, asked: list[str], *, never: bool) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("haunt", no_wrap=True)
    against = sorted({report.against_heroes(haunt) for haunt in report.haunts()} or {"traitor"}, reverse=True)
    for title in ("seats", "games", "heroes", "/".join(against), "begins", "rounds", "commands"):
        table.add_column(title, justify="right")
    for (haunt, seats), tally in sorted(report.tallies.items()):
        games = tally.games
        shares = (f"{100 * tally.heroes / games:.0f} %", f"{100 * tally.traitor / games:.0f} %")
        if tally.places:
            shares = ("each", " ".join(f"{100 * tally.places[place] / games:.0f}" for place in range(seats)) + " %")
        means = (tally.turn_of_haunt / games, tally.rounds / games, tally.commands / games)
        table.add_row(haunt or "(none)", str(seats), str(games), *shares, *(f"{mean:.1f}" for mean in means))
    console.print(table)
    say = partial(say_on, screen=console)
    say("begins: the turn in which the haunt begins; rounds: of the haunt; commands: of the whole game (means)")
    for haunt, reasons in sorted(report.reasons().items()):
        say(f"\n{haunt or '(none)'}: " + "; ".join(f"{count} {because}" for because, count in reasons.most_common()))
    for haunt in asked:
        parts = (
            reasons_told(report, haunt),
            curves(report, haunt) if len(asked) <= FEW else [],
            unused_told(report, haunt),
            doubts_told(report, haunt),
        )
        for lines in filter(None, parts):
            say("\n" + "\n".join(lines))
    actions = [thing for thing in report.reached if thing.startswith("action ")]
    of_haunts = [thing for thing in actions if thing.startswith("action haunt:")]
    others = [thing for thing in actions if thing not in of_haunts]
    for title, group in (("the haunts' actions", of_haunts), ("other actions", others)):
        counts = sorted(((report.reached[thing], thing) for thing in group), reverse=True)
        say(f"\n{title}: " + (", ".join(f"{thing.partition(' ')[2]} {count}" for count, thing in counts) or "none"))
    missing = report.never()
    say(f"\nnever reached: {', '.join(missing) if never and missing else len(missing)}")
    for game in report.unfinished:
        say(
            f"given up after {counted(game.turns, 'turn')}: seed {game.seed}, {counted(game.seats, 'seat')}, {game.haunt or 'no haunt'}"
        )


@content.command()
@_pack_options
@click.option("--games", default=2_000, type=click.IntRange(1, 100_000), help="Games in all.")
@click.option("--seed", default="reach", help="The same seed gives the same games.")
@click.option(
    "--reasons",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    show_default="those of a built-in pack",
    help="A YAML file that lists, below each reason, the things not reached because of it.",
)
@click.option("--output", type=click.Path(path_type=Path), show_default="standard output", help="The report's file.")
def reach(
    *, path: Path | None, pack: str, games: int, seed: str, jobs: int, reasons: Path | None, output: Path | None
) -> None:
    """Let bots play the pack in the folder or haunt file PATH, or a built-in one, and report what no game has reached.

    Half of the games take the haunt from the chart, the others each haunt in turn, with every number of players. At two of four
    tables all bots are `steady`; at the others some are `curious` or `random`. One in three pairs of games is played with alternatives
    to the cards' rulings. The exit code is 1 if something was never reached and no reason explains it.
    """
    folder = path or builtin(pack)
    rules = rules_for(load_pack(folder))
    if reasons is None and path is None:
        reasons = REASONS / f"{pack}.yaml"
    explained = {} if reasons is None or not reasons.exists() else explanations(reasons, rules)
    reached: Reached = Counter()
    for game in with_bar(play_all(plan_games(rules, games, seed), folder, jobs=jobs, watched=True), games):
        reached.update(game.reached)
    add_verbs(rules, reached)
    text = coverage_report(rules, reached, explained, title=f"{games:,} games, seed `{seed}`")
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
    unexplained = [name for name in never_reached(rules, reached) if name not in explained]
    if unexplained:
        where = reasons or "a file (`--reasons`)"
        raise click.ClickException(
            f"{len(unexplained)} never reached and not explained in {where}: {', '.join(unexplained[:3])} …"
        )


def plan_games(rules: Rules, games: int, seed: str) -> list[GamePlan]:
    """The games of a report, as `reach` describes them."""
    haunts, seats = list(rules.pack.haunts), rules.pack.head.players
    plans = []
    for number in range(games):
        rank = number // 2
        haunt = haunts[rank % len(haunts)] if number % 2 and haunts else ""
        bots = TABLES[rank // len(seats) % len(TABLES)]
        rulings = {
            piece: list(ids)[rank // ALTERNATIVES_EVERY % len(ids)]
            for piece, ids in rules.pack.alternatives.items()
            if rank % ALTERNATIVES_EVERY == 0
        }
        plans.append(GamePlan(f"{seed}-{number}", seats[rank % len(seats)], bots, haunt, rulings))
    return plans


def explanations(file: Path, rules: Rules) -> Mapping[str, str]:
    """Why no game reaches a thing, by its name, from a YAML file: reasons, and below each a list of things."""
    try:
        written = msgspec.yaml.decode(file.read_bytes(), type=dict[str, list[str]])
    except msgspec.MsgspecError as error:
        raise click.ClickException(f"{file}: {error}; expected reasons, and below each a list of things") from None
    known = {name for names in things(rules).values() for name in names}
    found = {name: reason for reason, names in written.items() for name in names}
    for name in found:
        if name not in known:
            raise click.ClickException(f"{file}: the pack has no `{name}`: {did_you_mean(name, known)}".rstrip(": "))
    return found


@click.command()
def docs() -> None:
    """Write the manual and the schemas of content/ anew, from the vocabulary."""
    sys.exit(docs_command(manual_text))
