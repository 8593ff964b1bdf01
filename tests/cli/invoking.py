"""The command line in process: arguments in, exit code and output out."""

from click.testing import CliRunner, Result

from service.cli import main


def omenlog(*arguments: str) -> Result:
    """Run `omenlog` with these arguments, in a terminal wide enough not to break sentences."""
    return CliRunner().invoke(main, list(arguments), prog_name="omenlog", env={"COLUMNS": "200", "TERM": "dumb"})
