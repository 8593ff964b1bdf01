"""The command line in process: arguments in, exit code and output out."""

from collections.abc import Mapping
from types import MappingProxyType

from click.testing import CliRunner, Result

from service.cli import main

NOTHING: Mapping[str, str] = MappingProxyType({})


def omenlog(*arguments: str, env: Mapping[str, str] = NOTHING, typed: str | None = None) -> Result:
    """Run `omenlog` with these arguments, in a terminal wide enough not to break sentences.

    Args:
        arguments: as a shell would give them.
        env: variables set for this run.
        typed: what comes from the standard input.
    """
    env = {"COLUMNS": "200", "TERM": "dumb", **env}
    return CliRunner().invoke(main, list(arguments), prog_name="omenlog", env=env, input=typed)
