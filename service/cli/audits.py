"""`omenlog audit`: the games of a store, audited in place."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import msgspec
import rich_click as click
from rich.text import Text

from projections.naming.names import counted
from service.admin.audits import AuditsByWorkers, AuditsInProcesses, audit_all
from service.audit.jobs import AuditJob
from service.audit.verdict import RUNNING, Outcome
from service.bootstrap import Service, open_service, queue_of_jobs
from service.cli.common import DATA, Ticker, as_typed, say, settings_of_store
from service.cli.proof import EXIT
from service.settings import Settings

EVERY = 5.0
"""Seconds between two progress lines."""
FAILED = "FAILED"
WORST = (FAILED, Outcome.DIVERGED.value, Outcome.UNVERIFIED.value, RUNNING, Outcome.EXACT.value)
CODES = {**EXIT, FAILED: 1, RUNNING: 0}
"""Exit codes. RUNNING is fine here: the store itself says that the game goes on, which a truncated file could only pretend."""
COLORS = {
    FAILED: "red",
    Outcome.DIVERGED.value: "red",
    Outcome.UNVERIFIED.value: "yellow",
    Outcome.EXACT.value: "green",
}


@click.command()
@click.argument("games", nargs=-1)
@click.option(
    "--processes", default=0, type=click.IntRange(0, 64), show_default="one per processor", help="Processes that audit."
)
@click.option(
    "--queue",
    "workers",
    is_flag=True,
    help="Let the workers of `omenlog work` audit; they take jobs from OMENLOG_JOBS.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON per game.")
@DATA
def audit(games: tuple[str, ...], processes: int, *, data: Path | None, workers: bool, as_json: bool) -> None:
    """Audit GAMES in the store that OMENLOG_STORE names, or all of them: after an upgrade, or if in doubt.

    Checks each game's hash chain, decides every command again, and rolls every die of a disclosed game again. The service may run.

    A game that an older revision of the rules decided, and that this one would decide otherwise, is UNVERIFIED; the first event that differs is
    shown beside the recorded one. It can be continued, read and exported as before.

    A game still in play is RUNNING if everything holds that can be checked before its dice are disclosed.

    Exit code: 0 if all are EXACT or RUNNING, 3 if some are UNVERIFIED, 1 if one DIVERGED or could not be read.
    """
    settings = settings_of_store(data)
    found = asyncio.run(_audit(settings, games, processes, workers=workers, as_json=as_json))
    if not as_json:
        told = [
            Text.assemble(f"{found[name]} ", (name, COLORS.get(name, ""))) for name in reversed(WORST) if found[name]
        ]
        summary = Text(", ").join(told) if told else Text("nothing to audit")
        say(Text.assemble(f"{counted(found.total(), 'game')}: ", summary))
    sys.exit(next((CODES[name] for name in WORST if found[name]), 0))


async def _audit(
    settings: Settings, games: Sequence[str], processes: int, *, workers: bool, as_json: bool
) -> Counter[str]:
    """Audit, and report each game that is not EXACT, or each as JSON; returns how many games have each verdict."""
    service = await open_service(msgspec.structs.replace(settings, jobs=""), opening=False)
    found: Counter[str] = Counter()
    try:
        for game in games:
            if await service.store.get_game(game) is None:
                raise click.UsageError(f"the store has no game {game}")
        audits = _audits_by_workers(service, settings) if workers else AuditsInProcesses(service, processes)
        ticker = Ticker(EVERY)
        async with aclosing(audits), aclosing(audit_all(service, audits, games)) as verdicts:
            async for game, job in verdicts:
                name = FAILED if job.verdict is None else job.verdict.word
                found[name] += 1
                if as_json:
                    click.echo(msgspec.json.encode({"game": game, "found": name, **msgspec.to_builtins(job)}))
                elif name not in (Outcome.EXACT.value, RUNNING):
                    _tell(game, name, job)
                ticker.tick(lambda: f"{counted(found.total(), 'game')} so far")
    finally:
        await service.close()
    return found


def _audits_by_workers(service: Service, settings: Settings) -> AuditsByWorkers:
    from service.audit.jobs import QueuedAudits  # noqa: PLC0415 -- RQ takes a third of a second

    jobs = queue_of_jobs(settings)
    if jobs is None:
        raise click.UsageError(as_typed("--queue needs OMENLOG_JOBS, the Redis from which `omenlog work` takes jobs"))
    jobs.check()
    return AuditsByWorkers(service, QueuedAudits(jobs))


def _tell(game: str, name: str, job: AuditJob) -> None:
    verdict = job.verdict
    where = f" at commit {verdict.commit}" if verdict is not None and verdict.commit is not None else ""
    because = job.because if verdict is None else verdict.because
    say(Text.assemble(f"{game}: ", (name, COLORS.get(name, "")), f"{where}: {because}"))
    if verdict is not None and verdict.differs:
        say(f"  recorded: {verdict.differs.recorded or 'nothing'}")
        say(f"  decided:  {verdict.differs.decided or 'nothing'}")
