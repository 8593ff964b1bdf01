"""`omenlog work`: worker processes that take jobs from the queue, kept alive, and the sweep that finds what is behind."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.audit.jobs import AUDITING
from service.audit.verdict import Progress, Verdict, audit
from service.bootstrap import Service, open_service
from service.jobs import LOOKING, Jobs
from service.log.exported import parse_export
from service.settings import BadSetting, Settings
from service.store.open import MEMORY, open_records, open_store
from service.webhooks.delivery import pace
from service.webhooks.finder import Finder

log = logging.getLogger(__name__)


class Worker(SimpleWorker):
    """RQ's worker without a fork for each job: a look holds a store and an event loop, which no fork survives."""

    def __init__(self, looker: Looker, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 -- RQ's own
        super().__init__(*arguments, **options)
        self._looker = looker

    def handle_warm_shutdown_request(self) -> None:
        """Told to stop: the look under way ends with the request under way."""
        self._looker.stop()

    def _install_signal_handlers(self) -> None:
        """Ctrl-C reaches all processes of a terminal; who stops workers is their parent."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self.request_stop)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """Told to stop once more: what was begun is ended nevertheless. Who can't wait sends SIGKILL, and nothing is lost."""


class Looker:
    """A service on an event loop of its own thread, for jobs, which know of neither."""

    def __init__(self, settings: Settings) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="omenlog-looks", daemon=True)
        self._thread.start()
        self._service: Service = self._do(open_service(settings, opening=False))
        self._delivery = self._service.dispatcher.delivery

    def look(self, name: str) -> bool:
        return bool(self._do(self._delivery.look(name)))

    def export(self, game: str) -> bytes:
        return bytes(self._do(self._service.exporting.whole(game)))

    def stop(self) -> None:
        self._delivery.stop()

    def close(self) -> None:
        self._do(self._service.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Any) -> Any:  # noqa: ANN401 -- any coroutine, and what it returns
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def run(settings: Settings, parent: Connection) -> None:
    """Work until SIGTERM, or until the parent is gone, which ends the pipe."""
    logging.basicConfig(level=settings.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    jobs = Jobs(settings.jobs)
    looker = Looker(settings)

    def look(name: str) -> bool:
        more = looker.look(name)
        if more:
            jobs.put([name])
        return more

    def audit_of(game: str, progress: Progress) -> Verdict:
        return audit(parse_export(looker.export(game)), progress=progress)

    LOOKING.set(look)
    AUDITING.set(audit_of)
    worker = Worker(
        looker,
        [jobs.queue, jobs.audits],
        connection=jobs.connection,
        serializer=JSONSerializer,
        log_job_description=False,
    )
    try:
        worker.work(logging_level="DEBUG" if settings.log_level == "debug" else "WARNING")
    finally:
        looker.close()


def _end_with(parent: Connection) -> None:
    """Stop when the process at the other end of the pipe has ended, however it did."""
    try:
        parent.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)


LOOK = 0.25
"""Seconds between two looks whether all workers live."""
PAUSE = 0.5
"""Seconds before a worker that has ended is started anew."""
MARGIN = 3.0
"""Seconds that a worker is given to stop, on top of what a request may take."""


def run_workers(settings: Settings, workers: int, ready: Callable[[str], None]) -> None:
    """Work until SIGTERM or SIGINT in a number of processes. Raises `BadSetting`, `JobsUnavailable` or `StoreError`.

    Each process sends to one endpoint at a time. `ready` is called with the address of the queue.
    """
    if not settings.jobs:
        raise BadSetting(
            "OMENLOG_JOBS is not set, so there are no jobs: the service delivers webhooks by itself. To have workers do it, give them "
            "and the service the same Redis, as OMENLOG_JOBS=redis://127.0.0.1:6379/0"
        )
    if settings.store == MEMORY:
        raise BadSetting(f"OMENLOG_STORE={MEMORY} can't be opened by workers: it is in the memory of another process")
    pace(settings)
    jobs = Jobs(settings.jobs)
    try:
        jobs.check()
        asyncio.run(_work(settings, workers, jobs, ready))
    finally:
        jobs.close()


async def _work(settings: Settings, workers: int, jobs: Jobs, ready: Callable[[str], None]) -> None:
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    games = await open_store(settings)
    try:
        records = await open_records(settings)
        finder = Finder(records, games, jobs.hand_over, every=settings.webhook_sweep)
        crew = Crew(settings, workers)
        try:
            crew.start()
            finder.start()
            ready(jobs.shown)
            await crew.watch(stopping)
        finally:
            await finder.close()
            await crew.stop(settings.webhook_timeout + MARGIN)
            await records.close()
    finally:
        await games.close()


class Crew:
    """Workers, each a process of its own."""

    def __init__(self, settings: Settings, size: int) -> None:
        self._settings = settings
        self._size = size
        self._spawning = multiprocessing.get_context("spawn")
        self._theirs, self._ours = self._spawning.Pipe(duplex=False)
        """Ours is never written to: it ends with this process, and so do they."""
        self._workers: list[SpawnProcess] = []

    def start(self) -> None:
        self._workers = [self._one() for _ in range(self._size)]

    def _one(self) -> SpawnProcess:
        made = self._spawning.Process(target=run, args=(self._settings, self._theirs), name="omenlog-worker")
        made.start()
        return made

    async def watch(self, stopping: asyncio.Event) -> None:
        """Start anew whoever has ended, until told to stop."""
        while not stopping.is_set():
            for index, one in enumerate(self._workers):
                if not one.is_alive():
                    log.warning("a worker has ended (%s), another is started", one.exitcode)
                    await _pause(stopping, PAUSE)
                    if stopping.is_set():
                        return
                    self._workers[index] = self._one()
            await _pause(stopping, LOOK)

    async def stop(self, patience: float) -> None:
        """Let all finish their work; after this many seconds, end them."""
        for one in self._workers:
            one.terminate()
        for one in self._workers:
            await asyncio.to_thread(one.join, patience)
            if one.is_alive():
                one.kill()
                await asyncio.to_thread(one.join)
        self._ours.close()
        self._theirs.close()


async def _pause(stopping: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stopping.wait()
    except TimeoutError:
        return
