"""A worker: a process that takes jobs from the queue and does them, one at a time, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from service.audit.jobs import AUDITING
from service.audit.verdict import Progress, Verdict, audit
from service.bootstrap import Service, open_service
from service.log.exported import parse_export
from service.settings import Settings
from service.webhooks.jobs import LOOKING, Jobs

log = logging.getLogger(__name__)


class Worker(SimpleWorker):
    """RQ's worker without a fork for each job: a look holds a store and an event loop, which no fork survives."""

    looker: Looker

    def handle_warm_shutdown_request(self) -> None:
        """Told to stop: the look under way ends with the request under way."""
        self.looker.stop()

    def _install_signal_handlers(self) -> None:
        """Ctrl-C reaches all processes of a terminal; who stops workers is their parent."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, self.request_stop)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """Told to stop once more: what was begun is ended nevertheless. Who can't wait sends SIGKILL, and nothing is lost."""


class Looker:
    """A service on an event loop of its own thread, for jobs, which know of neither."""

    def __init__(self, settings: Settings) -> None:
        """Open the service. Raises what `open_service` does."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="omenlog-looks", daemon=True)
        self._thread.start()
        self._service: Service = self._do(open_service(settings))
        self._delivery = self._service.delivering.delivery

    def look(self, name: str) -> bool:
        """See `Delivery.look`."""
        return bool(self._do(self._delivery.look(name)))

    def export(self, game: str) -> bytes:
        """A game's full export."""
        return bytes(self._do(self._service.exporting.whole(game)))

    def stop(self) -> None:
        """Let a look end soon."""
        self._delivery.stop()

    def close(self) -> None:
        """Let go of everything."""
        self._do(self._service.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Any) -> Any:  # noqa: ANN401 -- any coroutine, and what it returns
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def run(settings: Settings, parent: Connection) -> None:
    """Work until SIGTERM, or until the parent is gone.

    Args:
        settings: what the operator chose.
        parent: a pipe on which nothing comes but its end.
    """
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
        [jobs.queue, jobs.audits], connection=jobs.connection, serializer=JSONSerializer, log_job_description=False
    )
    worker.looker = looker
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
