"""`omenlog content reach`: whether bots reach everything that a pack holds, and a report of what they never did."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
import rich_click as click

from content.errors import did_you_mean
from content.load import load_pack
from domain.game import rules_for
from domain.rules import Rules
from service.bots.playtest import Order, play_all
from service.bots.reach import TOPICS, Reached, things, verbs
from service.cli.playtest import CORES, builtin, watched

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
