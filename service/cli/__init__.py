"""The command line: `omenlog`, its subcommands (each loaded when called), error messages, and shell completion.

Each module holds a group of commands: options, words for people and exit codes, never a rule, a store's internals or a
decision of the service. Functions raise click's exceptions for mistakes of the user.
"""

import errno
import importlib
import os
import socket
from collections.abc import Mapping
from copy import copy
from importlib import metadata
from pathlib import Path
from typing import Any

import httpx
import rich_click as click
from click.exceptions import NoSuchCommand
from click.shell_completion import get_completion_class

from content.errors import ContentErrors
from content.patterns import displayable
from service.audit.role_chain import NoHeads
from service.bots.client import ApiError, NotAToken
from service.cli.common import COMMAND, EXIT_CODE, as_typed, in_checkout, typed
from service.jobs import JobsUnavailable
from service.log.exported import NotAnExport
from service.log.recorded import NotRecorded
from service.settings import BadSetting
from service.shared import WorkerFailed
from service.store.port import StoreError

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_OMENLOG_COMPLETE"
"""The variable in which a shell asks for completions."""

COMMANDS: Mapping[str, str] = {
    "new": "service.cli.play.host:new",
    "invite": "service.cli.play.host:invite",
    "join": "service.cli.play.join:join",
    "play": "service.cli.play.join:play",
    "demo": "service.cli.play.demo:demo",
    "serve": "service.cli.serve:serve",
    "work": "service.cli.serve:work",
    "webhooks": "service.cli.webhooks:webhooks",
    "bot": "service.cli.play.demo:bot",
    "mcp": "service.cli.mcp:mcp",
    "content": "service.cli.content:content",
    "strength": "service.cli.strength:strength",
    "verify": "service.cli.proof:verify",
    "audit": "service.cli.audits:audit",
    "replay": "service.cli.history:replay",
    "trace": "service.cli.history:trace",
    "view": "service.cli.history:view",
    "board": "service.cli.history:board",
    "diff": "service.cli.history:diff",
    "fork": "service.cli.play.what_if:fork",
    "odds": "service.cli.play.what_if:odds",
    "migrate": "service.cli.stores:migrate",
    "witness": "service.cli.proof:witness",
    "import": "service.cli.proof:import_game",
    "openapi": "openapi.writer.write:openapi",
    "docs": "service.cli.content:docs",
    "backup": "service.cli.stores:backup",
    "restore": "service.cli.stores:restore",
    "archive": "service.cli.stores:archive",
    "disputes": "service.cli.disputes:disputes",
    "erase": "service.cli.stores:erase",
    "settings": "service.cli.serve:settings",
    "completion": "service.cli:completion",
}
"""Where each command is, so that no command pays for loading another."""

DEVELOPERS = frozenset({"openapi", "docs"})
"""Commands that rewrite files of a checkout, and are hidden elsewhere."""

HELP = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}

KNOWN_FAULTS = (
    OSError,
    ContentErrors,
    StoreError,
    BadSetting,
    NotAnExport,
    NotRecorded,
    NoHeads,
    ApiError,
    JobsUnavailable,
    WorkerFailed,
    httpx.HTTPError,
)
"""Faults of the outside world: explained in a sentence, with exit code 1, or 2 where nothing has begun."""

INVALID_ADDRESS = (httpx.InvalidURL, httpx.UnsupportedProtocol)

REASONS = {
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EISDIR: "this is a folder, not a file",
    errno.ENOTDIR: "part of the path is a file, not a folder",
    errno.ENOSPC: "no space left on the disk",
    errno.EROFS: "the disk is read-only",
    errno.EADDRINUSE: "already in use; choose another --port",
    errno.EADDRNOTAVAIL: "this machine has no such address; choose another --host",
    socket.EAI_NONAME: "there is no such host; choose another --host",
    socket.EAI_AGAIN: "there is no such host; choose another --host",
}


def explained(fault: BaseException) -> str:
    """The sentence for a known fault."""
    if isinstance(fault, INVALID_ADDRESS):
        return f"invalid service address (expected one like http://127.0.0.1:8000): {fault}"
    if isinstance(fault, httpx.HTTPError):
        return f"{_address(fault)} does not answer: {fault}"
    if isinstance(fault, OSError) and fault.errno in REASONS:
        where = f"{Path(str(fault.filename))}: " if fault.filename is not None else ""
        return f"{where}{REASONS[fault.errno]}"
    if isinstance(fault, ApiError):
        return f"the service refused: {fault}"
    return str(fault)


def _address(fault: httpx.HTTPError) -> str:
    try:
        return str(fault.request.url)
    except RuntimeError:  # httpx raises it if there is no request yet
        return "the service"


class Explained(click.ClickException):
    """A known fault, in a sentence."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        vars(self)["exit_code"] = code


class Omenlog(click.RichGroup):
    """A group that loads its commands lazily and explains known faults without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the base class gives it
        return [name for name in COMMANDS if name not in DEVELOPERS or in_checkout()]

    def main(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 -- as click has it
        if COMMAND in os.environ:
            options["prog_name"] = typed()
        options.setdefault("complete_var", VARIABLE)
        return super().main(*args, **options)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None or cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        module, _, name = place.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return _named_as_typed(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or suggest one for a mistyped name without loading any."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as fault:
            raise NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx) from fault

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader of our output has seen enough (`| head`): click exits quietly
        except INVALID_ADDRESS as fault:
            raise click.UsageError(f"--url: {explained(fault)}") from fault
        except NotAToken as fault:
            raise click.UsageError(f"--token: {fault}") from fault
        except KNOWN_FAULTS as fault:
            raise Explained(displayable(as_typed(explained(fault))), ctx.meta.get(EXIT_CODE, 1)) from fault


def _named_as_typed(command: click.Command) -> click.Command:
    """A command whose help names other commands as the user types them."""
    found = copy(command)
    found.help = as_typed(found.help or "")
    found.params = [copy(parameter) for parameter in found.params]
    for parameter in found.params:
        if isinstance(parameter, click.Option):
            parameter.help = as_typed(parameter.help or "")
    if isinstance(found, click.Group):
        found.commands = {name: _named_as_typed(one) for name, one in found.commands.items()}
    return found


def _installed_version() -> str:
    try:
        return metadata.version("omenlog")
    except metadata.PackageNotFoundError:
        return "(a checkout that is not installed)"


@click.group(cls=Omenlog, context_settings=HELP)
@click.version_option(version=_installed_version(), message="%(prog)s %(version)s")
def main() -> None:
    """Omenlog: referee, scorekeeper and memory of Betrayal at House on the Hill."""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script that lets a SHELL complete commands and options of an installed omenlog.

    Bash: put `eval "$(omenlog completion bash)"` into ~/.bashrc. Zsh: do the same with zsh in ~/.zshrc. Fish: write the script to
    ~/.config/fish/completions/omenlog.fish.
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 -- the choices are shells that click knows
    click.echo(kind(ctx.find_root().command, {}, "omenlog", VARIABLE).source())
