"""`omenlog audit` and `omenlog erase`: the games of a store, audited where they are, and the names and free texts of one."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import msgspec
import rich_click as click
from rich.text import Text

from projections.naming.names import counted
from service.admin.audits import AuditsByWorkers, AuditsInProcesses, audit_all
from service.admin.erase import Erased
from service.admin.erase import erase as erase_texts
from service.audit.jobs import AuditJob
from service.audit.verdict import RUNNING, Outcome
from service.bootstrap import Service, open_service, queue_of_jobs
from service.cli.read.exports import EXIT
from service.cli.screen import as_typed, say
from service.cli.stores import DATA, settings_of_store
from service.settings import Settings
from service.store.open import open_records, open_store

EVERY = 5.0
"""Seconds between two signs of life."""
FAILED = "FAILED"
WORST = (FAILED, Outcome.DIVERGED.value, Outcome.UNVERIFIED.value, RUNNING, Outcome.EXACT.value)
CODES = {**EXIT, FAILED: 1, RUNNING: 0}
"""Exit codes of `audit`: the store itself says that a game is still played, which a file that was cut off could only pretend."""
COLORS = {
    FAILED: "red",
    Outcome.DIVERGED.value: "red",
    Outcome.UNVERIFIED.value: "yellow",
    Outcome.EXACT.value: "green",
}


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
@DATA
def audit(games: tuple[str, ...], processes: int, *, data: Path | None, workers: bool, as_json: bool) -> None:
    """Audit GAMES of the store that OMENLOG_STORE names, or all of them: after an upgrade, or out of doubt.

    Each game's hash chain is checked, every command decided again, every die of a disclosed game rolled again. The service may run.

    A game that an older revision of the rules has decided, and that this one decides otherwise, is UNVERIFIED; the first event that differs is
    shown beside the recorded one. It can be played on, read and exported as before.

    A game that is still played is RUNNING, if all that can be checked until its dice are disclosed holds.

    Exit code: 0 if all are EXACT or RUNNING, 3 if some are UNVERIFIED, 1 if one DIVERGED or could not be read.
    """
    settings = settings_of_store(data)
    if workers and not settings.jobs:
        raise click.UsageError(as_typed("--queue needs OMENLOG_JOBS, the Redis from which `omenlog work` takes jobs"))
    found = asyncio.run(_audit(settings, games, processes if not workers else None, as_json=as_json))
    if not as_json:
        told = [
            Text.assemble(f"{found[name]} ", (name, COLORS.get(name, ""))) for name in reversed(WORST) if found[name]
        ]
        summary = Text(", ").join(told) if told else Text("nothing to audit")
        say(Text.assemble(f"{counted(found.total(), 'game')}: ", summary))
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
                name = FAILED if job.verdict is None else job.verdict.word
                found[name] += 1
                if as_json:
                    click.echo(msgspec.json.encode({"game": game, "found": name, **msgspec.to_builtins(job)}))
                elif name not in (Outcome.EXACT.value, RUNNING):
                    _tell(game, name, job)
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
    from service.audit.jobs import QueuedAudits  # noqa: PLC0415 -- RQ takes a third of a second

    jobs = queue_of_jobs(settings)
    if jobs is None:
        raise click.UsageError("--queue needs OMENLOG_JOBS")
    jobs.check()
    return AuditsByWorkers(service, QueuedAudits(jobs))


def _tell(game: str, name: str, job: AuditJob) -> None:
    """Tell of a game that is not as it should be, and the first events that differ."""
    verdict = job.verdict
    where = f" at commit {verdict.commit}" if verdict is not None and verdict.commit is not None else ""
    because = job.because if verdict is None else verdict.because
    say(Text.assemble(f"{game}: ", (name, COLORS.get(name, "")), f"{where}: {because}"))
    if verdict is not None and verdict.differs:
        say(f"  recorded: {verdict.differs.recorded or 'nothing'}")
        say(f"  decided:  {verdict.differs.decided or 'nothing'}")


@click.command()
@click.argument("game")
@click.option(
    "--seat",
    type=click.IntRange(0, 5),
    help="Only what is of this seat: its name, messages sent from it, its orders, what it was refused.  [default: the whole game]",
)
@DATA
def erase(game: str, seat: int | None, data: Path | None) -> None:
    """Erase the names and free texts of a GAME from the store that OMENLOG_STORE names, while the service runs.

    Players' names, the texts of messages, claims and notes of disputes, standing orders and refused attempts go, from the store and from
    its files, and can't be had back. Salted digests of names, messages and claims stay, their salts go: every chain still verifies, and
    nobody can find a name by trying. Done again, it changes nothing.

    What is in the log stays, because whoever replays or audits the game needs it: texts of rulings (those of the opening too), what
    coins were flipped for, and notes and titles entered of a haunt. Copies made before (backups, a store that was migrated
    from, what clients have read) keep what they have.
    """
    settings = settings_of_store(data)
    erased = asyncio.run(_erase(settings, game, seat))
    say(
        f"{game}: erased {counted(erased.names, 'name')}, the texts of {counted(erased.messages, 'message')}, "
        f"the standing orders of {counted(erased.orders, 'seat')}, "
        f"{counted(erased.claims, 'claim or note', 'claims and notes')} of disputes, "
        f"{counted(erased.refusals, 'refused attempt')}."
    )


async def _erase(settings: Settings, game: str, seat: int | None) -> Erased:
    store = await open_store(settings)
    records = await open_records(settings)
    try:
        erased = await erase_texts(store, records, game, seat)
        await store.scrub()
    finally:
        await records.close()
        await store.close()
    return erased
