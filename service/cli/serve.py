"""`omenlog serve`: the service itself."""

import contextlib
import socket
from pathlib import Path

import msgspec
import rich_click as click

from service.cli.lasting import DATA, settings_of
from service.observability import log_to_stderr
from service.server import serve as run
from service.settings import Settings
from service.store.redis.connection import without_password


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
