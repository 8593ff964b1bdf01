"""`omenlog content …`, for authors of packs: check, playtest, and what bots never reached."""

import io
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from content.authoring.commands import FORMS, Form, check_command, docs_command
from content.authoring.manual import manual as manual_text
from content.authoring.playtests import record_playtest
from content.errors import did_you_mean
from content.load.packs import builtin_packs, load_pack
from domain.editions import EDITIONS
from domain.engine.rules import Rules
from domain.game import rules_for
from projections.naming.names import counted
from service.bots.brains import BRAINS
from service.bots.playtest import Order, Played, Report, play_all
from service.bots.reach import TOPICS, Reached, things, verbs
from service.cli.faults import check_known
from service.cli.screen import as_typed
from service.cli.screen import say as say_on

CORES = os.cpu_count() or 1


class SeatSpan(click.ParamType[range]):
    """How many seats: `4`, or from fewest to most: `3..6`."""

    name = "N[..M]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """Read a span."""
        if isinstance(value, range):
            return value
        low, _, high = str(value).partition("..")
        if not low.isdecimal() or not (high or low).isdecimal() or int(low) > int(high or low):
            self.fail(f"{value!r} is neither a number of seats nor a span such as 3..6", param, ctx)
        return range(int(low), int(high or low) + 1)


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@click.option("--pack", default="second-edition", help="The built-in pack to play, where no PATH is given.")
@click.option(
    "--edition", type=click.Choice(list(EDITIONS)), show_default="the pack's own", help="Play by this edition's rules."
)
@click.option("--games", default=20, type=click.IntRange(1, 100_000), help="Games for each number of seats and haunt.")
@click.option("--bots", default="steady", help=f"Bots dealt to the seats in turn, with commas: {', '.join(BRAINS)}.")
@click.option("--seats", default="3..6", type=SeatSpan(), help="Numbers of seats.")
@click.option(
    "--haunt",
    "haunts",
    multiple=True,
    show_default="as the chart says",
    help="Play this haunt, or `all` of them, so many games each; may be given again.",
)
@click.option("--seed", default="playtest", help="Of dice and bots: the same seed gives the same games.")
@click.option("--jobs", default=CORES, type=click.IntRange(1, 256), help="Processes that play; the games are the same.")
@click.option("--record", is_flag=True, help="Write the figures of each haunt played into its file.")
@click.option("--never", is_flag=True, help="List also what no game has reached.")
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
) -> None:
    """Let bots play the pack in the folder PATH (or a built-in one), in process, and report the balance.

    For each haunt and number of seats: who wins and why, the turn in which the haunt begins, its rounds. Then what was
    reached how often, and what never.
    """
    folder = path if path is not None else builtin(pack)
    rules = rules_for(load_pack(folder), edition or "")
    names = _known(bots.split(","), list(BRAINS), "bot")
    wanted = list(rules.pack.haunts) if "all" in haunts else _known(haunts, list(rules.pack.haunts), "haunt")
    spans = [count for count in seats if count in rules.pack.head.players]
    if not spans:
        raise click.BadParameter(f"this pack seats {rules.pack.head.players}", param_hint="--seats")
    if record and (not wanted or spans != rules.pack.head.players):
        raise click.UsageError("figures are recorded for each --haunt, played with every number of seats")
    report = Report(rules)
    orders = _orders(names, wanted, spans, games, seed)
    for game in watched(play_all(orders, folder, edition or "", jobs=min(jobs, len(orders))), len(orders)):
        report.add(game)
    _print(report, Console(), never=never)
    if record:
        _record(report, folder, wanted)


def builtin(pack: str) -> Path:
    """The folder of a built-in pack.

    Raises:
        click.BadParameter: there is none of that name.
    """
    packs = builtin_packs()
    return packs[_known([pack], list(packs), "pack")[0]]


def _known(names: Sequence[str], known: list[str], what: str) -> list[str]:
    for name in names:
        check_known(name, known, what, f"--{what}{'s' if what == 'bot' else ''}")
    return list(names)


def _orders(bots: list[str], haunts: list[str], spans: list[int], games: int, seed: str) -> list[Order]:
    return [
        Order(f"{seed}-{number}", count, tuple(bots), haunt)
        for number in range(games)
        for count in spans
        for haunt in haunts or [""]
    ]


def watched(played: Iterator[Played], total: int) -> Iterator[Played]:
    """The same games, with a bar on the terminal."""
    with Progress(console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(played, total=total, description="playing")


def _record(report: Report, folder: Path, haunts: list[str]) -> None:
    for haunt in haunts:
        click.echo(f"recorded in {record_playtest(folder, haunt, report.figures(haunt))}")


def _print(report: Report, console: Console, *, never: bool) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("haunt", no_wrap=True)
    for title in ("seats", "games", "heroes", "traitor", "begins", "rounds", "commands"):
        table.add_column(title, justify="right")
    for (haunt, seats), tally in sorted(report.tallies.items()):
        games = tally.games
        shares = (f"{100 * tally.heroes / games:.0f} %", f"{100 * tally.traitor / games:.0f} %")
        means = (tally.turn_of_haunt / games, tally.rounds / games, tally.commands / games)
        table.add_row(haunt or "(none)", str(seats), str(games), *shares, *(f"{mean:.1f}" for mean in means))
    console.print(table)
    say = partial(say_on, screen=console)
    say("begins: the turn in which the haunt begins; rounds: of the haunt; commands: of the whole game (means)")
    for haunt, reasons in sorted(report.reasons().items()):
        say(f"\n{haunt or '(none)'}: " + "; ".join(f"{count} {because}" for because, count in reasons.most_common()))
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


REASONS = Path(__file__).parents[2] / "content" / "reach"
"""For each built-in pack: a file that says what no game of its report reaches, and why; and the report."""

TABLES = (("steady",), ("steady",), ("steady", "curious"), ("curious", "random", "steady"))
"""Who sits at every fourth table: `steady` bots, and among them those who do what nobody would think of."""

EVERY = 3
"""One of so many pairs of games is played with alternatives to the rulings."""


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True, file_okay=False), required=False)
@click.option("--pack", default="second-edition", help="The built-in pack to play, where no PATH is given.")
@click.option("--games", default=2_000, type=click.IntRange(1, 100_000), help="Games in all.")
@click.option("--seed", default="reach", help="Of dice and bots: the same seed gives the same games.")
@click.option("--jobs", default=CORES, type=click.IntRange(1, 256), help="Processes that play; the games are the same.")
@click.option(
    "--reasons",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    show_default="those of a built-in pack",
    help="A YAML file: a reason, and below it the list of what is not reached for it.",
)
@click.option(
    "--output", type=click.Path(path_type=Path), show_default="standard output", help="Write the report here."
)
def reach(
    *, path: Path | None, pack: str, games: int, seed: str, jobs: int, reasons: Path | None, output: Path | None
) -> None:
    """Let bots play the pack in the folder PATH (or a built-in one), and report what of it no game has reached.

    Half of the games take the haunt that the chart says, the others each haunt in turn, with every number of players;
    at two tables of four sit `steady` bots only, at the others `curious` and `random` ones among them; at one of three
    alternatives to the cards' rulings are played, each in turn. The exit code is 1 if there is something that no game has
    reached and that no reason explains.
    """
    folder = path if path is not None else builtin(pack)
    rules = rules_for(load_pack(folder))
    if reasons is None and path is None:
        reasons = REASONS / f"{pack}.yaml"
    explained = {} if reasons is None or not reasons.exists() else explanations(reasons, rules)
    reached: Reached = Counter()
    for game in watched(play_all(orders(rules, games, seed), folder, jobs=jobs, watched=True), games):
        reached.update(game.reached)
    add_verbs(rules, reached)
    text = report(rules, reached, explained, title=f"{games:,} games, seed `{seed}`")
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")
    silent = [name for name in never(rules, reached) if name not in explained]
    if silent:
        where = reasons or "a file (`--reasons`)"
        raise click.ClickException(
            f"{len(silent)} never reached and not explained in {where}: {', '.join(silent[:3])} …"
        )


def orders(rules: Rules, games: int, seed: str) -> list[Order]:
    """The games of a report: see `reach`."""
    haunts, seats = list(rules.pack.haunts), rules.pack.head.players
    alternatives = rules.pack.alternatives
    found = []
    for number in range(games):
        rank = number // 2
        haunt = haunts[rank % len(haunts)] if number % 2 and haunts else ""
        bots = TABLES[rank // len(seats) % len(TABLES)]
        chosen = {piece: list(ids)[rank // EVERY % len(ids)] for piece, ids in alternatives.items()}
        found.append(
            Order(f"{seed}-{number}", seats[rank % len(seats)], bots, haunt, chosen if rank % EVERY == 0 else {})
        )
    return found


def add_verbs(rules: Rules, reached: Reached) -> None:
    """Count verbs by the steps that did them."""
    for step, verb in verbs(rules).items():
        reached[verb] += reached[step]


def never(rules: Rules, reached: Reached) -> Iterator[str]:
    """What no game has reached."""
    return (name for names in things(rules).values() for name in names if not reached[name])


def explanations(file: Path, rules: Rules) -> Mapping[str, str]:
    """By thing: why no game reaches it.

    Args:
        file: YAML: reasons, and below each a list of things as the report names them.
        rules: of the pack that it is about.

    Raises:
        click.ClickException: the file says something else, or names what the pack doesn't have.
    """
    try:
        written = msgspec.yaml.decode(file.read_bytes(), type=dict[str, list[str]])
    except msgspec.MsgspecError as error:
        raise click.ClickException(
            f"{file}: {error}; expected a reason, and below it the things that it holds for"
        ) from None
    known = {name for names in things(rules).values() for name in names}
    found = {name: reason for reason, names in written.items() for name in names}
    for name in found:
        if name not in known:
            raise click.ClickException(f"{file}: the pack has no `{name}`: {did_you_mean(name, known)}".rstrip(": "))
    return found


def report(rules: Rules, reached: Reached, explained: Mapping[str, str], *, title: str) -> str:
    """The report as Markdown."""
    found = things(rules)
    lines = [
        f"# What bots reach in {rules.pack.head.title}",
        "",
        f"Written by `omenlog content reach`; do not edit. {title}.",
        "",
        "| what | there are | reached | never |",
        "| --- | --- | --- | --- |",
    ]
    for topic, names in found.items():
        got = sum(reached[name] > 0 for name in names)
        lines.append(f"| {TOPICS[topic]} | {len(names):,} | {got:,} | {len(names) - got:,} |")
    lines += ["", "## Never reached", ""]
    missing = [name for names in found.values() for name in names if not reached[name]]
    reasons = dict.fromkeys(explained.get(name, "Not explained.") for name in missing)
    for reason in reasons:
        lines += [
            f"{reason.rstrip('.')}.",
            "",
            *(f"- {name}" for name in missing if explained.get(name, "Not explained.") == reason),
            "",
        ]
    if not missing:
        lines += ["Nothing.", ""]
    lines += ["## How often", ""]
    for topic, names in found.items():
        if topic == "step":
            continue
        counts = sorted(((reached[name], name.partition(" ")[2]) for name in names), key=lambda one: (-one[0], one[1]))
        told = ", ".join(f"{name} {count:,}" for count, name in counts)
        lines += [f"**{TOPICS[topic][0].upper()}{TOPICS[topic][1:]}**: {told}.", ""]
    return "\n".join(lines)


@click.group()
def content() -> None:
    """Check packs, play them with bots, read the manual of their vocabulary."""


@content.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format", "form", default="text", type=click.Choice(FORMS), help="For people and editors, or for programs."
)
def check(paths: tuple[Path, ...], form: Form) -> None:
    r"""Check the packs in these folders, or the packs that these files belong to.

    Every mistake is a line `file:line:column: what is wrong: what is probably meant`, which editors read
    (Vim: `errorformat=%f:%l:%c:\ %m`); with `--format json` it is an object a line with `file`, `line`, `column`,
    `message` and `suggestion`. Lines and columns count from 1.

    First comes what is wrong in a file by itself, then, once every file can be read, what names something that is not
    there, and once nothing else is wrong, what of a haunt nobody can ever reach.

    Without PATHS the built-in packs are checked, with the rule ledger and the generated files.

    The exit code is 0 if all is well, 1 if there are mistakes, 2 if the command itself is wrong.
    """
    out = io.StringIO()
    code = check_command(paths, out, form=form)
    click.echo(as_typed(out.getvalue()), nl=False)
    sys.exit(code)


@content.command()
def manual() -> None:
    """Print the manual of the vocabulary: every verb, condition and value with an example."""
    click.echo(manual_text())


content.add_command(playtest)
content.add_command(reach)


@click.command()
def docs() -> None:
    """Write the manual and the schemas of content/ anew, from the vocabulary."""
    sys.exit(docs_command())
