"""Audits of all games of a store: after an upgrade of rules or content, or out of doubt."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from service.admin.migrate import all_games
from service.audit.jobs import AuditJob, Audits
from service.audit.verdict import Verdict, audit
from service.bootstrap import Service
from service.log.exported import parse_export
from service.store.port import StoreError

PAUSE = 0.25
"""Seconds between two looks at what workers do."""
AHEAD = 4
"""Games whose exports wait for a process, for each process: they are held in memory."""


class AuditsInProcesses:
    """Does audits in processes of its own."""

    def __init__(self, service: Service, processes: int = 0) -> None:
        """Start them.

        Args:
            service: over the store.
            processes: so many; 0 for as many as there are processors.
        """
        size = processes or os.cpu_count() or 1
        self.most = size * AHEAD
        self._service = service
        self._pool = ProcessPoolExecutor(size, mp_context=get_context("spawn"))

    async def of(self, game: str) -> AuditJob:
        """Audit one game."""
        try:
            body = await self._service.exporting.whole(game)
        except StoreError as fault:
            return AuditJob(status="failed", because=str(fault))
        verdict = await asyncio.get_running_loop().run_in_executor(self._pool, _audit, body)
        return AuditJob(status="done", checked=verdict.commits, verdict=verdict)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)


class AuditsByWorkers:
    """Has audits done by `omenlog work`."""

    most = 200

    def __init__(self, service: Service, audits: Audits) -> None:
        self._service = service
        self._audits = audits

    async def of(self, game: str) -> AuditJob:
        """Audit one game."""
        version = await self._service.store.version(game) or 0
        job: AuditJob | None = await self._audits.begin(game, version)
        while job is not None and job.status in ("queued", "running"):
            await asyncio.sleep(PAUSE)
            job = await self._audits.look(game, version)
        return job or AuditJob(status="failed", because="the job was lost; ask again")

    async def close(self) -> None:
        """Nothing is ours."""


async def audit_all(
    service: Service, audits: AuditsInProcesses | AuditsByWorkers, games: Iterable[str] = ()
) -> AsyncGenerator[tuple[str, AuditJob]]:
    """Audit games, several at once.

    Args:
        service: over the store.
        audits: who does it.
        games: their ids; none for all.

    Returns:
        Each with its verdict, as they come.
    """
    wanted = list(games) or [record.id async for record in all_games(service.store)]
    waiting: set[asyncio.Task[tuple[str, AuditJob]]] = set()

    async def one(game: str) -> tuple[str, AuditJob]:
        return game, await audits.of(game)

    try:
        for game in wanted:
            waiting.add(asyncio.create_task(one(game)))
            if len(waiting) >= audits.most:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    yield task.result()
        for finished in asyncio.as_completed(waiting):
            yield await finished
    finally:
        for task in waiting:
            task.cancel()


def _audit(body: bytes) -> Verdict:
    return audit(parse_export(body))
