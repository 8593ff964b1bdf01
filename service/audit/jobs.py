"""Audits as jobs: in a process beside the service, or by the workers of `omenlog work`.

No fact is lost with a job. The verdict follows from the log; a caller who finds none asks again.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec
from redis import RedisError
from rq import get_current_job
from rq.exceptions import NoSuchJobError
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from domain.engine.rules import REVISION
from service.audit.verdict import Progress, Verdict, quietly
from service.jobs import Jobs, JobsUnavailable
from service.store.port import StoreError

# -- in a process of its own, so that no game waits for one and none can do harm here ----------

COMMAND = (sys.executable, "-m", "service.audit")
"""What anybody can run as `omenlog verify`; it reads the export from its standard input."""

VERDICTS = 16
"""Verdicts that are remembered."""

_verdict = msgspec.json.Decoder(Verdict)


class NoVerdict(Exception):
    """The audit came to no end. The message says why."""


class Auditor:
    """Runs audits, one at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turn = asyncio.Semaphore(1)
        self._latest: OrderedDict[bytes, Verdict] = OrderedDict()
        """By the digest of what was audited: a retry needs no second audit."""

    async def audit(self, body: bytes, progress: Progress = quietly) -> Verdict:
        """Audit an export. Raises `NoVerdict` if it takes too long or its process fails."""
        digest = hashlib.sha256(body).digest()
        async with self._turn:
            if digest not in self._latest:
                self._latest[digest] = await self._run(body, progress)
                while len(self._latest) > VERDICTS:
                    self._latest.popitem(last=False)
            return self._latest[digest]

    async def _run(self, body: bytes, progress: Progress) -> Verdict:
        try:
            return _verdict.decode(await run_beside(COMMAND, body, self._seconds, progress))
        except TimeoutError:
            raise NoVerdict(f"auditing it took longer than {self._seconds:g} s") from None
        except msgspec.DecodeError:
            raise NoVerdict("its audit failed") from None


async def run_beside(command: Sequence[str], body: bytes, seconds: float, progress: Progress = quietly) -> bytes:
    """Have a program of ours read a body in a process of its own; returns what it writes. Raises `TimeoutError`."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        async with asyncio.timeout(seconds):
            out, _, _ = await asyncio.gather(
                _read(process.stdout), _follow(process.stderr, progress), _feed(process, body)
            )
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return out


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()


async def _follow(stream: asyncio.StreamReader | None, progress: Progress) -> None:
    """Pass on how far it is."""
    while stream is not None and (line := await stream.readline()):
        number = line.partition(b" ")[0]
        if number.isdigit():
            progress(int(number))


async def _feed(process: asyncio.subprocess.Process, body: bytes) -> None:
    """Hand over the export; a reader who stops has said why."""
    if process.stdin is None:
        return
    try:
        process.stdin.write(body)
        await process.stdin.drain()
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):
        return


# -- as jobs ----------------------------------------------------------------------------------------------------

Status = Literal["queued", "running", "done", "failed"]


class AuditJob(msgspec.Struct, frozen=True, kw_only=True):
    """How far an audit is."""

    status: Status
    checked: int = 0
    """Commits checked so far."""
    verdict: Verdict | None = None
    """Once it is done."""
    because: str = ""
    """Why it came to no verdict, if it failed."""


class Audits(Protocol):
    """Does audits. A job is named by its game and the version at which it was asked for: asked for twice, it is one."""

    async def begin(self, game: str, asked: int) -> AuditJob:
        """Begin an audit of a game, unless the same is waiting, under way or done. Raises `JobsUnavailable` if nobody takes jobs now."""

    async def look(self, game: str, asked: int) -> AuditJob | None:
        """How far it is; None if nobody asked for it, or it is too long ago. Raises `JobsUnavailable` if nobody can say now."""

    async def close(self) -> None:
        """Break off what is under way here."""


MAY_WAIT = 50
"""Audits that may wait."""
OF_A_GAME = 3
"""Of them of one game, which is another to audit with each commit: so nobody takes all the places."""
KEPT = 500
"""Audits that are remembered; the oldest go first, but never one that is waited for."""


def check_room(game: str, waiting: Sequence[str], most: int = MAY_WAIT) -> None:
    """Raise `JobsUnavailable` if no further audit of this game may wait; `waiting` lists the games of those that do."""
    if len(waiting) >= most:
        raise JobsUnavailable(f"{most} audits wait already")
    if waiting.count(game) >= OF_A_GAME:
        raise JobsUnavailable(f"{OF_A_GAME} audits of game {game} wait already")


class AuditsHere:
    """Does audits beside this service."""

    def __init__(self, auditor: Auditor, export: Callable[[str], Awaitable[bytes]], folder: Path | None = None) -> None:
        """In the folder, if there is one, other workers of the service find the jobs."""
        self._auditor = auditor
        self._folder = folder
        self._export = export
        self._turn = asyncio.Lock()
        """One export is in memory at a time."""
        self._jobs: OrderedDict[tuple[str, int], AuditJob] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, game: str, asked: int) -> AuditJob:
        job = await self.look(game, asked)
        if job is None or job.status == "failed":
            waiting = [whose for (whose, _), one in self._jobs.items() if one.status == "queued"]
            check_room(game, waiting if self._folder is None else self._waiting_around(self._folder))
            job = AuditJob(status="queued")
            self._note(game, asked, job)
            task = asyncio.create_task(self._run(game, asked), name=f"audit of {game}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            self._forget()
        return job

    async def look(self, game: str, asked: int) -> AuditJob | None:
        job = self._jobs.get((game, asked))
        return job if job is not None or self._folder is None else _noted(self._folder / _name(game, asked))

    def _waiting_around(self, folder: Path) -> list[str]:
        """The games whose audits wait at any worker. What is too old is forgotten here, as its worker may have ended long ago."""
        found = []
        for file in folder.glob(f"{AUDIT}-*-{REVISION}"):
            if (job := _noted(file)) is not None and job.status == "queued":
                found.append(file.name.split("-")[1])
            with contextlib.suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > KEPT_FOR:
                    file.unlink()
        return found

    def _note(self, game: str, asked: int, job: AuditJob) -> None:
        self._jobs[game, asked] = job
        if self._folder is not None:
            file = self._folder / _name(game, asked)
            part = file.with_suffix(f".{os.getpid()}")
            part.write_bytes(msgspec.json.encode(_Left(os.getpid(), job)))
            part.replace(file)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, game: str, asked: int) -> None:
        def checked(number: int) -> None:
            self._note(game, asked, AuditJob(status="running", checked=number))

        try:
            async with self._turn:
                verdict = await self._auditor.audit(await self._export(game), checked)
            job = AuditJob(status="done", checked=verdict.commits, verdict=verdict)
        except (NoVerdict, StoreError) as fault:
            job = AuditJob(status="failed", because=str(fault))
        self._note(game, asked, job)

    def _forget(self) -> None:
        over = [key for key, job in self._jobs.items() if job.status in ("done", "failed")]
        for key in over[: max(0, len(self._jobs) - KEPT)]:
            del self._jobs[key]
            if self._folder is not None:
                (self._folder / _name(*key)).unlink(missing_ok=True)


class _Left(msgspec.Struct, frozen=True):
    """A job, as its worker leaves it for the others."""

    pid: int
    job: AuditJob


_left = msgspec.json.Decoder(_Left)


def _noted(file: Path) -> AuditJob | None:
    """What a worker has left, if it has; one that was killed has come to no verdict."""
    try:
        left = _left.decode(file.read_bytes())
    except FileNotFoundError:
        return None
    if left.job.status in ("queued", "running") and not _is_alive(left.pid):
        return AuditJob(status="failed", checked=left.job.checked, because=LOST)
    return left.job


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


LONGEST = 1_800
"""Seconds after which RQ breaks an audit off: a game of 10,000 commits takes a tenth of it."""
KEPT_FOR = 86_400
"""Seconds for which a verdict is known."""
MAY_QUEUE = 1_000
"""Audits that may wait."""
LOST = "the worker was lost; ask again"
SILENT = 60.0
"""Seconds without a word after which an auditing process counts as killed."""

T = TypeVar("T")

CHECKED, SEEN = "checked", "seen"

AUDITING: ContextVar[Callable[[str, Progress], Verdict]] = ContextVar("AUDITING")
"""Set in the process of a worker: audits a game of the store."""


def audit_game(game: str) -> dict[str, Any]:
    """The job: audit a game and report progress. Returns `{"verdict": …}`, or `{"failed": …}` if the log can't be read."""
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
        self._jobs = jobs

    async def begin(self, game: str, asked: int) -> AuditJob:
        return await self._asked(self._begin, game, asked)

    async def look(self, game: str, asked: int) -> AuditJob | None:
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
        check_room(game, waiting, MAY_QUEUE)
        self._jobs.audits.enqueue_call(
            f"{__name__}.{audit_game.__name__}",
            (game,),
            job_id=_name(game, asked),
            timeout=LONGEST,
            result_ttl=KEPT_FOR,
            failure_ttl=KEPT_FOR,
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
            return AuditJob(status="failed", checked=checked, because=LOST)
        return AuditJob(status="queued" if status is JobStatus.QUEUED else "running", checked=checked)


def _lost(job: Job, meta: dict[str, float]) -> bool:
    """Whether the process that took the job has been silent for too long. A job waiting in the queue has been taken by none."""
    last = meta.get(SEEN) or (job.started_at or job.enqueued_at or datetime.now(UTC)).timestamp()
    return time.time() - last > SILENT and job.get_position() is None


def _name(game: str, asked: int) -> str:
    """A job's id: another revision of the rules is another audit."""
    return f"{AUDIT}-{game}-{asked}-{REVISION}"


AUDIT = "audit"
