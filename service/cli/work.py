"""`omenlog work`: deliver webhooks beside the service."""

import logging
from pathlib import Path

import rich_click as click

from projections.names import counted
from service.cli.lasting import DATA, settings_of
from service.work import run_workers


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
