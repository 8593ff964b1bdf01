"""`omenlog work`: some workers, kept alive, and the sweep that finds what is behind."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.context import SpawnProcess

from service.settings import BadSetting, Settings
from service.store.open import MEMORY, open_store, open_webhook_store
from service.webhooks import worker
from service.webhooks.delivering import pace
from service.webhooks.finding import Finding
from service.webhooks.jobs import Jobs

LOOK = 0.25
"""Seconds between two looks whether all workers live."""
PAUSE = 0.5
"""Seconds before a worker that has ended is started anew."""
MARGIN = 3.0
"""Seconds that a worker is given to stop, on top of what a request may take."""

log = logging.getLogger(__name__)


def work(settings: Settings, workers: int, ready: Callable[[str], None]) -> None:
    """Work until SIGTERM or SIGINT.

    Args:
        settings: what the operator chose.
        workers: processes, 1 or more; each sends to one endpoint at a time.
        ready: called with the queue's address once they are started.

    Raises:
        BadSetting: there is no queue to work on, or no store that several processes can open.
        JobsUnavailable: the queue's Redis can't be used.
        StoreError: the store can't be used.
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
        store = await open_webhook_store(settings)
        finding = Finding(store, games, jobs.hand_over, every=settings.webhook_sweep)
        crew = Crew(settings, workers)
        try:
            crew.start()
            finding.start()
            ready(jobs.shown)
            await crew.watch(stopping)
        finally:
            await finding.close()
            await crew.stop(settings.webhook_timeout + MARGIN)
            await store.close()
    finally:
        await games.close()


class Crew:
    """Workers, each a process of its own."""

    def __init__(self, settings: Settings, size: int) -> None:
        """Of so many."""
        self._settings = settings
        self._size = size
        self._spawning = multiprocessing.get_context("spawn")
        self._theirs, self._ours = self._spawning.Pipe(duplex=False)
        """Ours is never written to: it ends with this process, and so do they."""
        self._workers: list[SpawnProcess] = []

    def start(self) -> None:
        """Start all."""
        self._workers = [self._one() for _ in range(self._size)]

    def _one(self) -> SpawnProcess:
        made = self._spawning.Process(target=worker.run, args=(self._settings, self._theirs), name="omenlog-worker")
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
        """Let all end what they are at; after so many seconds, end them."""
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
