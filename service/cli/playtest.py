"""`omenlog content playtest`: bots play a pack, and a table says how it went."""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import rich_click as click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from content import figures
from content.load import builtin_packs, load_pack
from domain.editions import EDITIONS
from domain.game import rules_for
from projections.names import counted
from service.bots.brains import BRAINS
from service.bots.playtest import Order, Played, Report, play_all
from service.cli.faults import check_known
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
        click.echo(f"recorded in {figures.record(folder, haunt, report.figures(haunt))}")


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
