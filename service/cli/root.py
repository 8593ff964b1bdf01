"""The command `omenlog`: its subcommands, each loaded when it is called, how faults are told, and completion for shells."""

import importlib
import os
from collections.abc import Mapping
from copy import copy
from importlib import metadata
from typing import Any

import rich_click as click
from click.exceptions import NoSuchCommand
from click.shell_completion import get_completion_class

from service.bots.client import NotAToken
from service.cli.faults import KNOWN, NO_ADDRESS, explained
from service.cli.screen import COMMAND, as_typed, in_checkout, typed

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_OMENLOG_COMPLETE"
"""In which a shell asks for completions."""


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print a script with which a SHELL completes commands and options of an installed omenlog.

    Bash: put `eval "$(omenlog completion bash)"` into ~/.bashrc. Zsh: the same for zsh, into ~/.zshrc. Fish: write the script to
    ~/.config/fish/completions/omenlog.fish.
    """
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 -- the choices are shells that click knows
    click.echo(kind(ctx.find_root().command, {}, "omenlog", VARIABLE).source())


COMMANDS: Mapping[str, str] = {
    "new": "service.cli.table.host:new",
    "invite": "service.cli.table.host:invite",
    "join": "service.cli.table.play:join",
    "play": "service.cli.table.play:play",
    "demo": "service.cli.demo:demo",
    "serve": "service.cli.operate.serve:serve",
    "work": "service.cli.operate.serve:work",
    "webhooks": "service.cli.webhooks:webhooks",
    "bot": "service.cli.operate.serve:bot",
    "content": "service.cli.authors:content",
    "verify": "service.cli.read.exports:verify",
    "audit": "service.cli.operate.audits:audit",
    "replay": "service.cli.read.exports:replay",
    "trace": "service.cli.read.trace:trace",
    "view": "service.cli.read.moments:view",
    "board": "service.cli.read.moments:board",
    "diff": "service.cli.read.moments:diff",
    "fork": "service.cli.read.what_if:fork",
    "odds": "service.cli.read.what_if:odds",
    "migrate": "service.cli.operate.copies:migrate",
    "witness": "service.cli.read.exports:witness",
    "import": "service.cli.read.exports:import_game",
    "openapi": "openapi.writer.write:openapi",
    "docs": "service.cli.authors:docs",
    "backup": "service.cli.operate.copies:backup",
    "restore": "service.cli.operate.copies:restore",
    "archive": "service.cli.operate.copies:archive",
    "disputes": "service.cli.read.trace:disputes",
    "erase": "service.cli.operate.audits:erase",
    "settings": "service.cli.operate.serve:settings",
    "completion": "service.cli.root:completion",
}
"""By name: where each command is. What one command needs is not loaded for another."""

DEVELOPERS = frozenset({"openapi", "docs"})
"""Commands that write files of a checkout anew: elsewhere there are none."""

HELP = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}


class Omenlog(click.RichGroup):
    """A group that loads its commands late and tells known faults in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the base class gives it
        """All names, in the order of the table."""
        return [name for name in COMMANDS if name not in DEVELOPERS or in_checkout()]

    def main(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 -- as click has it
        """Run, under the name that the user has typed."""
        if COMMAND in os.environ:
            options["prog_name"] = typed()
        options.setdefault("complete_var", VARIABLE)
        return super().main(*args, **options)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, or say nothing where there is none of that name (then click suggests another)."""
        place = COMMANDS.get(cmd_name)
        if place is None or cmd_name not in self.list_commands(ctx):
            return super().get_command(ctx, cmd_name)
        module, _, name = place.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return named_as_typed(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; for a mistyped one, say which was probably meant, though none is loaded."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as fault:
            raise NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx) from fault

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; what can go wrong in the world is told without a traceback."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # who read our output has seen enough (`| head`): click ends quietly
        except NO_ADDRESS as fault:
            raise click.UsageError(f"--url: {explained(fault)}") from fault
        except NotAToken as fault:
            raise click.UsageError(f"--token: {fault}") from fault
        except KNOWN as fault:
            raise click.ClickException(as_typed(explained(fault))) from fault


def named_as_typed(command: click.Command) -> click.Command:
    """A command whose help names other commands as the user types them."""
    found = copy(command)
    found.help = as_typed(found.help or "")
    found.params = [copy(parameter) for parameter in found.params]
    for parameter in found.params:
        if isinstance(parameter, click.Option):
            parameter.help = as_typed(parameter.help or "")
    if isinstance(found, click.Group):
        found.commands = {name: named_as_typed(one) for name, one in found.commands.items()}
    return found


def installed() -> str:
    """The version that is installed."""
    try:
        return metadata.version("omenlog")
    except metadata.PackageNotFoundError:
        return "(a checkout that is not installed)"


@click.group(cls=Omenlog, context_settings=HELP)
@click.version_option(version=installed(), message="%(prog)s %(version)s")
def main() -> None:
    """Omenlog: referee, scorekeeper and memory of Betrayal at House on the Hill."""
