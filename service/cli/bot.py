"""`omenlog bot`: a built-in bot takes a seat of a running game."""

import rich_click as click
from rich.console import Console

from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api
from service.bots.runner import Player, Runner
from service.cli.screen import say
from service.cli.watching import Watcher


@click.command()
@click.argument("game")
@click.option("--url", default="http://127.0.0.1:8000", help="The service.")
@click.option("--seat", required=True, type=click.IntRange(0, 5), help="The seat to play.")
@click.option("--token", required=True, envvar="OMENLOG_TOKEN", show_envvar=True, help="The seat's token.")
@click.option("--brain", default="steady", type=click.Choice(list(BRAINS)), help="Which bot.")
@click.option("--seed", default="bot", help="What tells this bot from others of its kind.")
@click.option(
    "--patience", default=60.0, type=click.FloatRange(0), help="Seconds to go on trying while nobody answers."
)
def bot(*, game: str, url: str, seat: int, token: str, brain: str, seed: str, patience: float) -> None:
    """Play a seat of GAME until the game is over.

    It may be stopped and started again at any time, and the service too: a bot keeps nothing that matters.
    """
    console = Console()
    player = Player(seat, token, BRAINS[brain], Memory(seed=seed))
    with Api(url, patience=patience) as api, Watcher(console) as watcher:
        ended = Runner(api, game, [player], watch=watcher.step).play()
    won = f"{ended.winner} won" if ended.winner else "nobody won"
    say(f"{ended.status}: {won}. {ended.because}", screen=console)
