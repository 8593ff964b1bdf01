"""`omenlog fork` and `omenlog odds`: sandboxes over the API, and exact odds, of plain dice without any service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import rich_click as click
from rich.text import Text

from domain.facts.spread import chance_of, spread
from domain.facts.state import Figure
from projections.choices.odds import ChanceOfTotal, Odds, Ratio, RollOdds, ratio
from projections.choices.odds_asked import MOST_DICE, AnyAsked, AttackAsked, TraitAsked, Use
from projections.naming.names import counted
from service.bots.client import Api
from service.cli.screen import console, say
from service.games.fork.forking import GameForked
from service.log.exported import UNREADABLE
from service.log.requests import Dice, ForkGame, SeededChance, TapeChance

BAR = 24
"""Columns of the bar that a terminal shows for the likeliest total."""
PATIENCE = 5.0
"""Seconds to go on trying while the service does not answer."""

Command = TypeVar("Command", bound=Callable[..., Any])


def caller(command: Command) -> Command:
    """The options that say with which token, and where."""
    command = click.option("--url", default="http://127.0.0.1:8000", help="The service.")(command)
    text = "The token with which to ask: what its role knows is what the answer goes by."
    return click.option("--token", required=True, envvar="OMENLOG_TOKEN", show_envvar=True, help=text)(command)


# -- forks ----------------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("game")
@caller
@click.option("--at", default=0, type=click.IntRange(0), help="The commit as of which it begins; 0: the latest.")
@click.option(
    "--tape",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=None,
    show_default="fresh dice",
    help='A JSON file with prepared answers, [{"faces": [2, 0]}, {"pick": "attic"}].',
)
def fork(*, game: str, token: str, url: str, at: int, tape: Path | None) -> None:
    """Make a sandbox of GAME as it stood at a commit, and print its id and tokens.

    The referee's begins with what is true; everybody else's with a world that agrees with all that the token's role knew.
    """
    randomness = SeededChance() if tape is None else TapeChance(answers=_answers(tape))
    with Api(url, patience=PATIENCE) as api:
        body = ForkGame(at=at or None, randomness=randomness)
        made = msgspec.json.decode(api.post(f"/v1/games/{game}/forks", token, body), type=GameForked)
    begun = made.game.fork
    if begun is not None:
        what = "a world that agrees with what your role knew" if begun.sampled else "what is true"
        say(f"sandbox {made.game.id} of game {begun.of} at commit {begun.at}, with {what}; until {begun.expires}")
    tokens = made.tokens
    for one in (tokens.host, tokens.referee, *tokens.seats, *tokens.spectators):
        if one is not None:
            say(f"  {one.id:12} {one.secret}")


def _answers(file: Path) -> list[Dice]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Dice])
    except UNREADABLE as fault:
        raise click.BadParameter(f"{file}: {fault}", param_hint="--tape") from None


# -- odds -----------------------------------------------------------------------------------------------------------------


@click.group()
def odds() -> None:
    """Tell exact odds: of plain dice, of a trait roll, of an attack. Nothing is sampled and no die is spent."""


@odds.command("dice")
@click.argument("number", type=click.IntRange(0, MOST_DICE))
@click.option("--bonus", default=0, type=click.IntRange(-MOST_DICE, MOST_DICE), help="Points added to the sum.")
@click.option(
    "--at-least", default=0, type=click.IntRange(0, 99), help="Tell the chance of so much; 0: of nothing special."
)
def dice(number: int, bonus: int, at_least: int) -> None:
    """Tell the odds of so many dice, which show 0, 1 or 2 each."""
    found = spread(number, bonus)
    _table([ChanceOfTotal(total, ratio(likely)) for total, likely in found.items()])
    if at_least:
        say(f"{at_least} or more: {_shown(ratio(chance_of(found, lambda total: total >= at_least)))}")


@odds.command("roll")
@click.argument("game")
@click.argument("who")
@click.argument("trait", type=click.Choice(["might", "speed", "sanity", "knowledge"]))
@caller
@click.option(
    "--at-least", default=0, type=click.IntRange(0, 99), help="Tell the chance of so much; 0: of nothing special."
)
@click.option(
    "--use",
    multiple=True,
    help="A card that answers the roll, `card:rabbits-foot#REROLL`; may come again.",
    show_default="none",
)
def roll(*, game: str, who: str, trait: str, token: str, url: str, at_least: int, use: tuple[str, ...]) -> None:
    """Tell the odds of a trait roll in GAME by WHO, a seat's number or a monster, as it is now."""
    uses = [Use(reaction=one) for one in use]
    asked = TraitAsked(who=_figure(who), trait=trait, at_least=at_least or None, use=uses)  # type: ignore[arg-type]  # one of the choices
    found = _asked(game, asked, token, url)
    if found.roll is not None:
        _roll(found.roll, "total")
        if found.roll.at_least is not None:
            say(f"{at_least} or more: {_shown(found.roll.at_least)}")
    _besides(found)


@odds.command("attack")
@click.argument("game")
@click.argument("attacker")
@click.argument("target")
@caller
@click.option("--weapon", default="", help="A card to attack with; empty: none.", show_default="none")
@click.option(
    "--use", multiple=True, help="A card by which the attacker answers the roll; may come again.", show_default="none"
)
def attack(*, game: str, attacker: str, target: str, token: str, url: str, weapon: str, use: tuple[str, ...]) -> None:
    """Tell the odds of an attack in GAME; ATTACKER and TARGET are seats' numbers or monsters."""
    uses = [Use(reaction=one) for one in use]
    asked = AttackAsked(attacker=_figure(attacker), target=_figure(target), weapon=weapon or None, use=uses)
    found = _asked(game, asked, token, url)
    fight = found.fight
    if fight is not None:
        say(f"attack  {_written(fight.attack)}")
        say(f"defense {_written(fight.defense)}")
        for name, chance in (("wins", fight.attacker_wins), ("ties", fight.tie), ("loses", fight.defender_wins)):
            say(f"the attacker {name:5} {_shown(chance)}")
        if fight.target_takes is not None:
            say("damage to the target:")
            _table(fight.target_takes)
    _besides(found)


def _asked(game: str, asked: AnyAsked, token: str, url: str) -> Odds:
    with Api(url, patience=PATIENCE) as api:
        return msgspec.json.decode(api.post(f"/v1/games/{game}/odds", token, asked), type=Odds)


def _figure(name: str) -> Figure:
    return int(name) if name.isdecimal() else name


def _roll(found: RollOdds, title: str) -> None:
    say(f"{title}: {_written(found)}")
    _table(found.totals)


def _written(found: RollOdds) -> str:
    if found.named is not None:
        return f"{found.named}, as named"
    bonus = f" {found.bonus:+d}" if found.bonus else ""
    again = f", rolled again: {', '.join(found.rolled_again)}" if found.rolled_again else ""
    return f"{counted(found.dice, 'die', 'dice')}{bonus}{again}; {found.expected.decimal:.2f} on average"


def _table(found: list[ChanceOfTotal]) -> None:
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


def _besides(found: Odds) -> None:
    if found.not_counted:
        say(f"not counted: what else comes of {', '.join(found.not_counted)}")
