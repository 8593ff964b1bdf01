"""`omenlog completion`: what a shell needs to complete commands and options."""

import rich_click as click
from click.shell_completion import get_completion_class

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
