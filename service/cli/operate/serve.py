"""`omenlog serve`, `work`, `settings` and `bot`: processes, and what can be set for them."""

import ast
import contextlib
import inspect
import logging
import socket
from itertools import pairwise
from pathlib import Path

import msgspec
import rich_click as click
from rich.console import Console
from rich.text import Text

from projections.naming.names import counted
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api
from service.bots.runner import Player, Runner
from service.cli.screen import say
from service.cli.stores import DATA, settings_of
from service.cli.watching import Watcher
from service.observability import log_to_stderr
from service.server import serve as run
from service.settings import Settings, from_environment
from service.store.redis.connection import without_password
from service.work import run_workers


@click.command()
@click.option("--host", metavar="ADDRESS", show_default="OMENLOG_HOST, or 127.0.0.1", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    show_default=f"OMENLOG_PORT, or {Settings().port}",
    help="Port to listen on; 0 takes a free one.",
)
@DATA
def serve(host: str | None, port: int | None, data: Path | None) -> None:
    """Start the service and leave it running, until Ctrl-C or SIGTERM stops it.

    All settings are environment variables (`omenlog settings` lists them); the options here go before them. A data folder is made if missing.
    """
    settings = chosen(host, port, data)
    try_to_listen(settings)
    log_to_stderr(settings.log_level, settings.log_format)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how it is meant to end
        run(
            settings,
            ready=lambda url: click.echo(
                f"Omenlog listens on {url} (store {without_password(settings.store)}). Ctrl-C stops it."
            ),
        )


def try_to_listen(settings: Settings) -> None:
    """Listen for a moment: uvicorn would log a port in use and exit, where this raises what can be explained.

    Raises:
        OSError: the address can't be listened on.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        socket.create_server((settings.host, settings.port), family=family).close()
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, f"{settings.host}:{settings.port}") from None


def chosen(host: str | None, port: int | None, data: Path | None) -> Settings:
    """The settings of the environment, with what the options say put in their place.

    Raises:
        OSError: the data folder can't be made or written.
    """
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
    settings = settings_of(data)
    given: dict[str, object] = {}
    if host is not None:
        given["host"] = host
    if port is not None:
        given["port"] = port
    return msgspec.structs.replace(settings, **given)


@click.command()
@click.option(
    "--workers", default=2, type=click.IntRange(1, 64), help="Processes; each sends to one endpoint at a time."
)
@DATA
def work(workers: int, data: Path | None) -> None:
    """Deliver webhooks from a queue in Redis, until Ctrl-C or SIGTERM stops it.

    Needs OMENLOG_JOBS, the same for the service and for all who work; then the service only queues, and any number of these may run.
    Besides its workers it looks for what is behind: neither a lost queue nor a worker that is killed loses a message. Told to stop,
    it ends what it has begun to send.
    """
    settings = settings_of(data)
    logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    run_workers(
        settings,
        workers,
        lambda queue: click.echo(f"{counted(workers, 'worker')} to take jobs from {queue}. Ctrl-C stops."),
    )


@click.command()
def settings() -> None:
    """List the settings of the service: environment variables with their present value, meaning and default."""
    now, defaults = from_environment(), Settings()
    for name, meaning in meanings().items():
        value, default = getattr(now, name), getattr(defaults, name)
        value = without_password(value) if name in ("store", "jobs") else value
        value = "(a key that is not shown)" if name == "opening_key" and value else value
        usual = "the default" if getattr(now, name) == default else f"default: {default}"
        say(
            Text.assemble(
                (f"OMENLOG_{name.upper()}", "bold"), "=", (str(value), "" if usual == "the default" else "green")
            )
        )
        say(f"{' '.join(meaning.split())} ({usual})", indent=4)


def meanings() -> dict[str, str]:
    """The text that follows each setting in the source, by its name."""
    tree = ast.parse(inspect.getsource(Settings)).body[0]
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        field.target.id: text.value.value
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


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
