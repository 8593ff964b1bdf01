"""`omenlog fork` and `omenlog odds`: sandboxes and exact odds over the API, and the odds of plain dice without a service."""

from __future__ import annotations

from pathlib import Path

import msgspec
import rich_click as click
from rich.text import Text

from domain.facts.state import Figure, MonsterId
from domain.queries.spread import chance_of, spread
from projections.choices.odds import ChanceOfTotal, Odds, Ratio, RollOdds, ratio
from projections.choices.odds_asked import MOST_DICE, AttackAsked, TraitAsked, Use
from projections.naming.names import counted
from service.bots.client import Api
from service.cli.common import calling, console, say
from service.games.fork.maker import GameForked
from service.log.exported import UNREADABLE
from service.log.requests import Dice, ForkGame, SeededChance, TapeChance

BAR = 24
"""Columns of the bar for the likeliest total, on a terminal."""

with_api = calling("The token to ask with; the answer uses what its role knows.")
AT_LEAST = click.option(
    "--at-least",
    default=0,
    type=click.IntRange(0, 99),
    show_default="none",
    help="Also tell the chance of this total or more.",
)


@click.command()
@click.argument("game")
@with_api
@click.option("--at", default=0, type=click.IntRange(0), help="The commit to start from; 0: the latest.")
@click.option(
    "--tape",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=None,
    show_default="new dice",
    help='A JSON file with prepared results, [{"faces": [2, 0]}, {"pick": "attic"}].',
)
def fork(*, game: str, api: Api, at: int, tape: Path | None) -> None:
    """Make a sandbox of GAME as of a commit, and print its id and tokens.

    The referee's sandbox starts with the true state, everybody else's with a possible state that agrees with everything that the token's role knew.
    """
    randomness = SeededChance() if tape is None else TapeChance(answers=_answers(tape))
    made = api.send(GameForked, f"/v1/games/{game}/forks", body=ForkGame(at=at or None, randomness=randomness))
    begun = made.game.fork
    if begun is not None:
        what = "a world that agrees with what your role knew" if begun.sampled else "the true state"
        say(f"sandbox {made.game.id} of game {begun.of} at commit {begun.at}, with {what}; until {begun.expires}")
    for one in (made.tokens.host, made.tokens.referee, *made.tokens.seats, *made.tokens.spectators):
        if one is not None:
            say(f"  {one.id:12} {one.secret}")


def _answers(file: Path) -> list[Dice]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Dice])
    except UNREADABLE as fault:
        raise click.BadParameter(f"{file}: {fault}", param_hint="--tape") from None


@click.group()
def odds() -> None:
    """Tell exact odds: of plain dice, a trait roll or an attack. Nothing is sampled, and no die of the game is rolled."""


@odds.command("dice")
@click.argument("number", type=click.IntRange(0, MOST_DICE))
@click.option("--bonus", default=0, type=click.IntRange(-MOST_DICE, MOST_DICE), help="Points added to the sum.")
@AT_LEAST
def dice(number: int, bonus: int, at_least: int) -> None:
    """Tell the odds of NUMBER dice, which show 0, 1 or 2 each."""
    found = spread(number, bonus)
    _print_totals([ChanceOfTotal(total, ratio(likely)) for total, likely in found.items()])
    if at_least:
        say(f"{at_least} or more: {_shown(ratio(chance_of(found, lambda total: total >= at_least)))}")


@odds.command("roll")
@click.argument("game")
@click.argument("who")
@click.argument("trait", type=click.Choice(["might", "speed", "sanity", "knowledge"]))
@with_api
@AT_LEAST
@click.option(
    "--use", multiple=True, help="A card used on the roll, `card:rabbits-foot#REROLL`; repeatable.", show_default="none"
)
def roll(*, game: str, who: str, trait: str, api: Api, at_least: int, use: tuple[str, ...]) -> None:
    """Tell the odds of a trait roll in GAME now, by WHO: a seat's number or a monster."""
    uses = [Use(reaction=one) for one in use]
    asked = TraitAsked(who=_figure(who), trait=trait, at_least=at_least or None, use=uses)  # type: ignore[arg-type]  # one of the choices
    found = api.send(Odds, f"/v1/games/{game}/odds", body=asked)
    if found.roll is not None:
        say(f"total: {_written(found.roll)}")
        _print_totals(found.roll.totals)
        if found.roll.at_least is not None:
            say(f"{at_least} or more: {_shown(found.roll.at_least)}")
    _print_not_counted(found)


@odds.command("attack")
@click.argument("game")
@click.argument("attacker")
@click.argument("target")
@with_api
@click.option("--weapon", default="", help="A card to attack with.", show_default="none")
@click.option(
    "--use", multiple=True, help="A card that the attacker uses on the roll; repeatable.", show_default="none"
)
def attack(*, game: str, attacker: str, target: str, api: Api, weapon: str, use: tuple[str, ...]) -> None:
    """Tell the odds of an attack in GAME; ATTACKER and TARGET are seats' numbers or monsters."""
    uses = [Use(reaction=one) for one in use]
    asked = AttackAsked(attacker=_figure(attacker), target=_figure(target), weapon=weapon or None, use=uses)
    found = api.send(Odds, f"/v1/games/{game}/odds", body=asked)
    fight = found.fight
    if fight is not None:
        say(f"attack  {_written(fight.attack)}")
        say(f"defense {_written(fight.defense)}")
        for name, chance in (("wins", fight.attacker_wins), ("ties", fight.tie), ("loses", fight.defender_wins)):
            say(f"the attacker {name:5} {_shown(chance)}")
        if fight.target_takes is not None:
            say("damage to the target:")
            _print_totals(fight.target_takes)
    _print_not_counted(found)


def _figure(name: str) -> Figure:
    return int(name) if name.isdecimal() else MonsterId(name)


def _written(found: RollOdds) -> str:
    if found.named is not None:
        return f"{found.named}, as named"
    bonus = f" {found.bonus:+d}" if found.bonus else ""
    again = f", rolled again: {', '.join(found.rolled_again)}" if found.rolled_again else ""
    return f"{counted(found.dice, 'die', 'dice')}{bonus}{again}; {found.expected.decimal:.2f} on average"


def _print_totals(found: list[ChanceOfTotal]) -> None:
    screen = console()
    likeliest = max((one.chance.decimal for one in found), default=1.0)
    for one in found:
        line = Text(f"  {one.total:3}  {_shown(one.chance)}")
        if screen.is_terminal:
            line.pad_right(max(1, screen.width - line.cell_len - BAR - 1))
            line.append("━" * round(BAR * one.chance.decimal / likeliest), "green")
        say(line, screen=screen)


def _shown(chance: Ratio) -> str:
    return f"{chance.decimal:8.4%}  {chance.numerator}/{chance.denominator}"


def _print_not_counted(found: Odds) -> None:
    if found.not_counted:
        say(f"not counted: other effects of {', '.join(found.not_counted)}")
