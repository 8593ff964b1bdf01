"""The command `omenlog`: its subcommands, each loaded when it is called for, and how faults are told."""

import importlib
from collections.abc import Mapping
from importlib import metadata

import rich_click as click

from service.bots.client import NotAToken
from service.cli.faults import KNOWN, NO_ADDRESS, explained

COMMANDS: Mapping[str, str] = {
    "demo": "service.cli.demo:demo",
    "serve": "service.cli.serve:serve",
    "work": "service.cli.work:work",
    "webhooks": "service.cli.webhooks:webhooks",
    "bot": "service.cli.bot:bot",
    "content": "service.cli.content:content",
    "verify": "service.cli.exports:verify",
    "audit": "service.cli.audits:audit",
    "replay": "service.cli.exports:replay",
    "trace": "service.cli.trace:trace",
    "view": "service.cli.moments:view",
    "board": "service.cli.moments:board",
    "diff": "service.cli.moments:diff",
    "fork": "service.cli.what_if:fork",
    "odds": "service.cli.what_if:odds",
    "migrate": "service.cli.migrate:migrate",
    "witness": "service.cli.proofs:witness",
    "import": "service.cli.proofs:import_game",
    "openapi": "service.cli.generated:openapi",
    "docs": "service.cli.generated:docs",
    "backup": "service.cli.backup:backup",
    "restore": "service.cli.backup:restore",
    "archive": "service.cli.archive:archive",
    "disputes": "service.cli.disputes:disputes",
    "erase": "service.cli.erase:erase",
    "settings": "service.cli.settings:settings",
}
"""By name: where each command is. What one command needs is not loaded for another."""

HELP = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}


class Omenlog(click.RichGroup):
    """A group that loads its commands late and tells known faults in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the base class gives it
        """All names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command, or say nothing where there is none of that name (then click suggests another)."""
        place = COMMANDS.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _, name = place.partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

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
            raise click.ClickException(explained(fault)) from fault


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
