"""Audits by the workers of `omenlog work`: RQ carries the job, how far it is, and for a day the verdict.

Nothing of it is a fact that could be lost: the verdict follows from the log, and who finds none asks again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from redis import RedisError
from rq import get_current_job
from rq.exceptions import NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from domain.rules import REVISION
from service.audit import Progress, Verdict
from service.ports.jobs import JobsUnavailable
from service.store.port import StoreError
from service.verifying.here import check_room
from service.verifying.job import AuditJob
from service.webhooks.jobs import Jobs

LONGEST = 1_800
"""Seconds after which RQ breaks an audit off: a game of 10,000 commits takes a tenth of it."""
KEPT = 86_400
"""Seconds for which a verdict is known."""
WAITING = 1_000
"""Audits that may wait."""
SILENT = 60.0
"""Seconds without a word after which whoever does an audit is thought to have been killed."""

T = TypeVar("T")

CHECKED, SEEN = "checked", "seen"

AUDITING: ContextVar[Callable[[str, Progress], Verdict]] = ContextVar("AUDITING")
"""Set in the process of a worker: audits a game of the store."""


def audit_game(game: str) -> dict[str, Any]:
    """The job: audit a game, and say now and then how far it is.

    Returns:
        `{"verdict": …}`, or `{"failed": …}` where the log can't be read.
    """
    job = get_current_job()

    def progress(checked: int) -> None:
        if job is not None:
            job.meta = {CHECKED: checked, SEEN: time.time()}
            job.save_meta()  # type: ignore[no-untyped-call]  # RQ has not typed it

    progress(0)
    try:
        return {"verdict": msgspec.to_builtins(AUDITING.get()(game, progress))}
    except StoreError as fault:
        return {"failed": str(fault)}


class QueuedAudits:
    """Has audits done by workers."""

    def __init__(self, jobs: Jobs) -> None:
        """By those who take jobs from the audits' queue on this Redis."""
        self._jobs = jobs

    async def begin(self, game: str, asked: int) -> AuditJob:
        """See `Audits`."""
        return await self._asked(self._begin, game, asked)

    async def look(self, game: str, asked: int) -> AuditJob | None:
        """See `Audits`."""
        return await self._asked(self._look, game, asked)

    async def close(self) -> None:
        """See `Audits`; what workers do goes on."""

    async def _asked(self, ask: Callable[[str, int], T], game: str, asked: int) -> T:
        try:
            return await asyncio.to_thread(ask, game, asked)
        except RedisError as error:
            raise JobsUnavailable(f"{self._jobs.shown} (OMENLOG_JOBS) does not answer: {error}") from error

    def _begin(self, game: str, asked: int) -> AuditJob:
        found = self._look(game, asked)
        if found is not None and found.status != "failed":
            return found
        waiting = [name.split("-")[1] for name in self._jobs.audits.get_job_ids()]
        check_room(game, waiting, WAITING)
        self._jobs.audits.enqueue_call(
            f"{__name__}.{audit_game.__name__}",
            (game,),
            job_id=_name(game, asked),
            timeout=LONGEST,
            result_ttl=KEPT,
            failure_ttl=KEPT,
        )
        return AuditJob(status="queued")

    def _look(self, game: str, asked: int) -> AuditJob | None:
        try:
            job = Job.fetch(_name(game, asked), connection=self._jobs.connection, serializer=JSONSerializer)
        except NoSuchJobError:
            return None
        status, meta = job.get_status(), job.get_meta()
        checked = meta.get(CHECKED, 0)
        if status is JobStatus.FINISHED:
            found = job.return_value() or {"failed": "its verdict was lost; ask again"}
            if "failed" in found:
                return AuditJob(status="failed", checked=checked, because=found["failed"])
            verdict = msgspec.convert(found["verdict"], Verdict)
            return AuditJob(status="done", checked=verdict.commits, verdict=verdict)
        if status not in (JobStatus.QUEUED, JobStatus.STARTED):
            return AuditJob(status="failed", checked=checked, because="the worker failed; its log says more")
        if _lost(job, meta):
            return AuditJob(status="failed", checked=checked, because="the worker was lost; ask again")
        return AuditJob(status="queued" if status is JobStatus.QUEUED else "running", checked=checked)


def _lost(job: Job, meta: dict[str, float]) -> bool:
    """Whether whoever took the job has been silent for too long. One that waits in the queue has been taken by nobody."""
    last = meta.get(SEEN) or (job.started_at or job.enqueued_at or datetime.now(UTC)).timestamp()
    return time.time() - last > SILENT and job.get_position() is None


def _name(game: str, asked: int) -> str:
    """A job's id: another revision of the rules is another audit."""
    return f"audit-{game}-{asked}-{REVISION}"
