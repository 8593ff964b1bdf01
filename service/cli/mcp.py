"""`omenlog mcp`: a seat served to language models, over stdio or HTTP."""

import importlib
import os
import socket
from importlib.util import find_spec
from pathlib import Path

import msgspec
import rich_click as click

from service.bots.client import Api, NotAToken
from service.cli.common import PATIENCE, URL

VARIABLE = "OMENLOG_TOKEN"
LOCAL = "127.0.0.1"
STOP = 2
"""Seconds that clients have to leave when the server stops."""


class _Seen(msgspec.Struct):
    role: str


@click.command()
@click.argument("game")
@URL
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    show_default=f"from the variable {VARIABLE}",
    help="File with the seat's token. It is no option itself, for everybody on a machine can see those.",
)
@click.option("--transport", default="stdio", type=click.Choice(["stdio", "http"]), help="How MCP clients connect.")
@click.option("--port", default=8080, type=click.IntRange(0, 65535), help="Of http; 0 takes a free one.")
def mcp(*, game: str, url: str, token_file: Path | None, transport: str, port: int) -> None:
    """Serve a seat of GAME to language models by the Model Context Protocol, as tools to read, to act and to ask for rules.

    Over stdio an MCP client starts this command. Over HTTP clients connect to http://127.0.0.1:PORT/mcp, from this machine alone; whoever
    can connect plays the seat. No other token than the seat's is used. It needs the extra `mcp`: pip install 'omenlog[mcp]'.
    """
    if find_spec("mcp") is None:
        raise click.UsageError("this needs the SDK of the Model Context Protocol: pip install 'omenlog[mcp]'")
    token = (os.environ.get(VARIABLE, "") if token_file is None else token_file.read_text(errors="replace")).strip()
    if not token:
        raise click.UsageError(f"no token: set {VARIABLE}, or name a file by --token-file")
    with Api(url, token, patience=PATIENCE) as api:
        try:
            role = api.read(_Seen, f"/v1/games/{game}/brief").role
        except NotAToken as fault:
            raise click.UsageError(str(fault)) from None
        except msgspec.MsgspecError:
            raise click.UsageError(f"{url} is not the address of a service of Omenlog") from None
        if not role.startswith("seat:"):
            raise click.UsageError(f"this is the token of {role}: a seat's is needed")
        tools = importlib.import_module("service.bots.seat_tools")  # it needs the extra
        server = tools.server_of(api, game)
        if transport == "stdio":
            server.run("stdio")
            return
        with socket.create_server((LOCAL, port)) as listening:
            click.echo(f"{role} of {game} is served at http://{LOCAL}:{listening.getsockname()[1]}/mcp", err=True)
            app = server.streamable_http_app(host=LOCAL, stateless_http=True)
            uvicorn = importlib.import_module("uvicorn")
            config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=STOP)
            uvicorn.Server(config).run(sockets=[listening])
