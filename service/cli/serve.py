"""`omenlog serve`, `work` and `settings`: the processes of the service, and their settings."""

import ast
import contextlib
import inspect
import logging
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import rich_click as click
from rich.text import Text

from projections.naming.names import counted
from service.cli.common import DATA, EXIT_CODE, own_address, say, settings_of
from service.observability import log_to_stderr
from service.server import serve as run
from service.settings import Settings, from_environment
from service.store.redis.connection import without_password
from service.work import run_workers
from service.workers import serve_with_workers


@click.command()
@click.option("--host", metavar="ADDRESS", show_default="OMENLOG_HOST, or 127.0.0.1", help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    show_default=f"OMENLOG_PORT, or {Settings().port}",
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--workers",
    metavar="NUMBER|auto",
    show_default="OMENLOG_WORKERS, or 1",
    help="Processes that serve together; `auto` is one for each core.",
)
@click.option("--reload-packs", is_flag=True, help="Take edits of packs into games that are opened afterwards.")
@DATA
@click.pass_context
def serve(
    ctx: click.Context,
    host: str | None,
    port: int | None,
    workers: str | None,
    reload_packs: bool,  # noqa: FBT001 -- click passes it by name
    data: Path | None,
) -> None:
    """Run the service until Ctrl-C or SIGTERM stops it.

    All settings are environment variables (`omenlog settings` lists them); the options here override them. A missing data folder is created.

    With several workers a parent starts, watches and stops them. A worker that ends is replaced; SIGHUP to the parent replaces all, one by one,
    and reads changed packs. They need a store that several processes can open: SQLite or Redis.
    """
    ctx.meta[EXIT_CODE] = 2
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
    options = {"host": host, "port": port, "workers": workers, "reload_packs": reload_packs or None}
    given = {name: value for name, value in options.items() if value is not None}
    settings = msgspec.structs.replace(settings_of(data), **given)
    log_to_stderr(settings.log_level, settings.log_format)
    number = settings.processes()
    where = without_password(settings.store) + (f", {counted(number, 'worker')}" if number > 1 else "")
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is the usual way to stop it
        (serve_with_workers if number > 1 else run)(settings, ready=lambda url: click.echo(_listens(url, where)))


def _listens(url: str, store: str) -> str:
    told = f"Omenlog listens on {url} (store {store}). Ctrl-C stops it."
    asked = urlsplit(url)
    if asked.hostname not in ("0.0.0.0", "::"):  # noqa: S104 -- it is told, not listened on
        return told
    return f"{told}\nIn your network: http://{own_address() or 'THIS-MACHINE'}:{asked.port}/"


@click.command()
@click.option(
    "--workers", default=2, type=click.IntRange(1, 64), help="Processes; each sends to one endpoint at a time."
)
@DATA
def work(workers: int, data: Path | None) -> None:
    """Deliver webhooks from a queue in Redis until Ctrl-C or SIGTERM stops it.

    Needs OMENLOG_JOBS, the same for the service and all workers. The service then only queues, and any number of these commands may
    run. They also look for overdue messages, so neither a lost queue nor a killed worker loses any. When stopped, a worker finishes
    the message that it is sending.
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
    """List the settings of the service: environment variables with value, meaning and default."""
    now, defaults = from_environment(), Settings()
    for name, meaning in _meanings().items():
        value, default = getattr(now, name), getattr(defaults, name)
        changed = value != default
        value = without_password(value) if name in ("store", "jobs") else value
        value = "(a key that is not shown)" if name == "opening_key" and value else value
        say(Text.assemble((f"OMENLOG_{name.upper()}", "bold"), "=", (str(value), "green" if changed else "")))
        say(f"{' '.join(meaning.split())} ({f'default: {default}' if changed else 'the default'})", indent=4)


def _meanings() -> dict[str, str]:
    """The docstring of each setting, which only the source has."""
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
