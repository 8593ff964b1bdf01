"""`omenlog audit`: the games of a store, audited where they are."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing

import msgspec
import rich_click as click

from projections.names import counted
from service.audit import Outcome
from service.bootstrap import MEMORY, Service, open_service, queue_of_jobs
from service.cli.exports import EXIT
from service.cli.lasting import check_there
from service.settings import Settings, from_environment
from service.verifying.job import AuditJob
from service.verifying.store import AuditsByWorkers, AuditsInProcesses, audit_all

EVERY = 5.0
"""Seconds between two signs of life."""
FAILED = "FAILED"
WORST = (FAILED, *(one.value for one in (Outcome.DIVERGED, Outcome.UNVERIFIED, Outcome.EXACT)))
CODES = {FAILED: 1, **{one.value: code for one, code in EXIT.items()}}


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--processes",
    default=0,
    type=click.IntRange(0, 64),
    show_default="one for each processor",
    help="Processes that audit.",
)
@click.option(
    "--queue",
    "workers",
    is_flag=True,
    help="Have it done by the workers of `omenlog work`, which take jobs from OMENLOG_JOBS.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a line of JSON for each game.")
def audit(games: tuple[str, ...], processes: int, *, workers: bool, as_json: bool) -> None:
    """Audit GAMES of the store that OMENLOG_STORE names, or all of them: after an upgrade, or out of doubt.

    Each game's hash chain is checked, every command decided again, every die of a disclosed game rolled again. The service may run.

    A game that an older revision of the rules has decided, and that this one decides otherwise, is UNVERIFIED; the first event that differs is
    shown beside the recorded one. It can be played on, read and exported as before.

    Exit code: 0 if all are EXACT, 3 if some are UNVERIFIED, 1 if one DIVERGED or could not be read.
    """
    settings = from_environment()
    if settings.store == MEMORY:
        raise click.UsageError("a store in memory has nobody else's games: name one that lasts (OMENLOG_STORE)")
    check_there(settings.store)
    if workers and not settings.jobs:
        raise click.UsageError("--queue needs OMENLOG_JOBS, the Redis from which `omenlog work` takes jobs")
    found = asyncio.run(_audit(settings, games, processes if not workers else None, as_json=as_json))
    if not as_json:
        told = ", ".join(f"{found[name]} {name}" for name in reversed(WORST) if found[name])
        click.echo(f"{counted(found.total(), 'game')}: {told or 'nothing to audit'}")
    sys.exit(next((CODES[name] for name in WORST if found[name]), 0))


async def _audit(settings: Settings, games: Sequence[str], processes: int | None, *, as_json: bool) -> Counter[str]:
    service = await open_service(msgspec.structs.replace(settings, jobs=""))
    try:
        for game in games:
            if await service.store.get_game(game) is None:
                raise click.UsageError(f"the store has no game {game}")
        return await _told(service, settings, games, processes, as_json=as_json)
    finally:
        await service.close()


async def _told(
    service: Service, settings: Settings, games: Sequence[str], processes: int | None, *, as_json: bool
) -> Counter[str]:
    """Have it done, and tell of each game that is not EXACT, or as JSON of each."""
    audits = _who(service, settings, processes)
    found: Counter[str] = Counter()
    last = time.monotonic()
    try:
        async with aclosing(audit_all(service, audits, games)) as verdicts:
            async for game, job in verdicts:
                found[_name(job)] += 1
                if as_json:
                    click.echo(msgspec.json.encode({"game": game, **msgspec.to_builtins(job)}))
                elif _name(job) != Outcome.EXACT.value:
                    click.echo(_sentence(game, job))
                if time.monotonic() - last > EVERY:
                    last = time.monotonic()
                    click.echo(f"{counted(found.total(), 'game')} so far", err=True)
    finally:
        await audits.close()
    return found


def _who(service: Service, settings: Settings, processes: int | None) -> AuditsInProcesses | AuditsByWorkers:
    """Who audits: processes, or None for workers."""
    if processes is not None:
        return AuditsInProcesses(service, processes)
    from service.verifying.queued import QueuedAudits  # noqa: PLC0415 -- RQ takes a third of a second

    jobs = queue_of_jobs(settings)
    if jobs is None:
        raise click.UsageError("--queue needs OMENLOG_JOBS")
    jobs.check()
    return AuditsByWorkers(service, QueuedAudits(jobs))


def _name(job: AuditJob) -> str:
    return FAILED if job.verdict is None else job.verdict.outcome.value


def _sentence(game: str, job: AuditJob) -> str:
    """A game that is not EXACT, and the first events that differ."""
    verdict = job.verdict
    if verdict is None:
        return f"{game}: {FAILED}: {job.because}"
    where = f" at commit {verdict.commit}" if verdict.commit is not None else ""
    lines = [f"{game}: {verdict.outcome.value}{where}: {verdict.because}"]
    if verdict.differs:
        lines += [
            f"  recorded: {verdict.differs.recorded or 'nothing'}",
            f"  decided:  {verdict.differs.decided or 'nothing'}",
        ]
    return "\n".join(lines)
