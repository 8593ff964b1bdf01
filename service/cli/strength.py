"""`omenlog strength`: how strong the bots are, by matches of many games."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console
from rich.progress import track

from domain.editions import EDITIONS
from projections.text.strength import Result, page
from service.bots.playtest import IN_PROCESS
from service.bots.strength import plan_matches, play_matches, rules_of
from service.cli.common import CORES, SeatSpan, check_known

DEFAULT = ("random", "steady", "searching")


@click.command()
@click.option(
    "--edition",
    "editions",
    multiple=True,
    type=click.Choice(list(EDITIONS)),
    default=("second", "third"),
    help="Repeatable.",
)
@click.option("--haunt", "haunts", multiple=True, show_default="all", help="Play this haunt alone; repeatable.")
@click.option("--seats", default="4", type=SeatSpan(), help="Numbers of seats.")
@click.option(
    "--games",
    default=10,
    type=click.IntRange(0, 100_000),
    help="Games per haunt, number of seats, side and bot; 0: none but those kept.",
)
@click.option("--bots", default=",".join(DEFAULT), help=f"What is measured, of {', '.join(IN_PROCESS)}.")
@click.option("--seed", default="strength", help="The same seed gives the same games.")
@click.option("--jobs", default=CORES, type=click.IntRange(1, 256), help="Number of processes.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    show_default="none",
    help="Keep each game in this file as it ends. Those that stand in it are not played again, and the page is of them, too.",
)
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), show_default="standard output", help="The page's file."
)
def strength(  # noqa: PLR0913 -- one parameter for each option
    *,
    editions: tuple[str, ...],
    haunts: tuple[str, ...],
    seats: range,
    games: int,
    bots: str,
    seed: str,
    jobs: int,
    results: Path | None,
    output: Path | None,
) -> None:
    """Measure bots: each plays either side of each haunt, and everybody else is `steady`.

    Prints a page of tables in Markdown: how many games each bot has won, by side, by number of seats and by haunt, with the limits between which
    the true share lies in 95 of 100 cases. All bots play the same games, so `steady` shows what a side is worth. Where everybody plays against
    everybody, one seat is measured. A game with `searching` takes some 5 to 60 seconds, so keep the `--results`.
    """
    names = bots.split(",")
    check_known(names, IN_PROCESS, "bot", "--bots")
    known = [haunt for edition in editions for haunt in rules_of(edition).pack.haunts]
    check_known(haunts, known, "haunt", "--haunt")
    players = {count for edition in editions for count in rules_of(edition).pack.head.players}
    spans = [count for count in seats if count in players]
    if not spans:
        raise click.BadParameter(f"these packs seat {min(players)} to {max(players)}", param_hint="--seats")
    kept = {one.match: one for one in read_results(results)} if results is not None else {}
    wanted = [one for one in plan_matches(editions, names, spans, haunts, games, seed) if one not in kept]
    played = play_matches(wanted, min(jobs, len(wanted) or 1))
    for one in track(played, "playing", len(wanted), console=Console(stderr=True), transient=True):
        kept[one.match] = one
        if results is not None:
            keep(results, one)
    text = page([one for one in kept.values() if one.match.bot in names], names, seed)
    if output is None:
        click.echo(text, nl=False)
    else:
        output.write_text(text, encoding="utf-8")


def read_results(file: Path) -> Iterator[Result]:
    """The games that a file of results holds, one in each line; none if there is no such file yet."""
    try:
        lines = file.read_bytes().splitlines() if file.exists() else []
        yield from (msgspec.json.decode(line, type=Result) for line in lines)
    except (OSError, msgspec.MsgspecError) as error:
        raise click.BadParameter(f"{file} holds no results of matches: {error}", param_hint="--results") from None


def keep(file: Path, result: Result) -> None:
    try:
        with file.open("ab") as out:
            out.write(msgspec.json.encode(result) + b"\n")
    except OSError as error:
        raise click.BadParameter(f"{file} can't be written: {error.strerror}", param_hint="--results") from None
