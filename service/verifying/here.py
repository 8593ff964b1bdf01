"""Audits for a service without a queue: one after the other, each in a process beside it; known until the service stops."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from service.auditing import Auditor, NoVerdict
from service.ports.jobs import JobsUnavailable
from service.store.port import StoreError
from service.verifying.job import AuditJob

WAITING = 50
"""Audits that may wait."""
OF_A_GAME = 3
"""Of them of one game, which is another to audit with each commit: so nobody takes all the places."""
KEPT = 500
"""Audits that are remembered; the oldest go first, but never one that is waited for."""


def check_room(game: str, waiting: Sequence[str], most: int = WAITING) -> None:
    """Check that one more audit may wait.

    Args:
        game: to be audited.
        waiting: the games of those that wait.
        most: that may wait.

    Raises:
        JobsUnavailable: there is no room.
    """
    if len(waiting) >= most:
        raise JobsUnavailable(f"{most} audits wait already")
    if waiting.count(game) >= OF_A_GAME:
        raise JobsUnavailable(f"{OF_A_GAME} audits of game {game} wait already")


class AuditsHere:
    """Does audits beside this service."""

    def __init__(self, auditor: Auditor, export: Callable[[str], Awaitable[bytes]]) -> None:
        """Do them by this auditor.

        Args:
            auditor: one process at a time.
            export: gives a game's full export.
        """
        self._auditor = auditor
        self._export = export
        self._turn = asyncio.Lock()
        """One export is in memory at a time."""
        self._jobs: OrderedDict[tuple[str, int], AuditJob] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, game: str, asked: int) -> AuditJob:
        """See `Audits`."""
        job = self._jobs.get((game, asked))
        if job is None or job.status == "failed":
            waiting = [whose for (whose, _), one in self._jobs.items() if one.status == "queued"]
            check_room(game, waiting)
            job = self._jobs[game, asked] = AuditJob(status="queued")
            task = asyncio.create_task(self._run(game, asked), name=f"audit of {game}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            self._forget()
        return job

    async def look(self, game: str, asked: int) -> AuditJob | None:
        """See `Audits`."""
        return self._jobs.get((game, asked))

    async def close(self) -> None:
        """See `Audits`."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, game: str, asked: int) -> None:
        def checked(number: int) -> None:
            self._jobs[game, asked] = AuditJob(status="running", checked=number)

        try:
            async with self._turn:
                verdict = await self._auditor.audit(await self._export(game), checked)
            job = AuditJob(status="done", checked=verdict.commits, verdict=verdict)
        except (NoVerdict, StoreError) as fault:
            job = AuditJob(status="failed", because=str(fault))
        self._jobs[game, asked] = job

    def _forget(self) -> None:
        over = [key for key, job in self._jobs.items() if job.status in ("done", "failed")]
        for key in over[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[key]
