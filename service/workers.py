"""`omenlog serve --workers N`: processes that serve one store under one address, and their parent, who starts, watches, replaces and stops them.

The parent reads modules and packs once and serves nobody; a worker is forked from it, so it is there in a fraction of a second, and what was
read lies in memory once. Each worker has a socket of its own on the common port (`SO_REUSEPORT`), over which the kernel spreads connections
evenly; of one common socket the first to wake takes all that wait. The parent keeps the sockets open: who connects while a worker is replaced
waits for the next one, but as a socket that is closed refuses all who wait, the number of workers stays. Who connects to ask for a game is handed
on to the worker at home in it (`homes`). Workers end with their parent, however it ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import logging
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from litestar import Litestar
from prometheus_client.multiprocess import mark_process_dead

from content.errors import ContentErrors
from content.load.offers import Source
from service.bootstrap import pack_sources
from service.homes import Boxes
from service.limits import POLICIES
from service.log.packs import Loaded, check_name, load
from service.server import Member, address_of, listen, new_loop, prepare, settle_garbage
from service.settings import BadSetting, Settings
from service.shared import Shared, WorkerFailed
from service.store.open import MEMORY
from service.store.port import StoreError

log = logging.getLogger(__name__)

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
SIGNALS = (*STOPPING, signal.SIGHUP)
TICK = 0.5
"""Seconds between two looks at all workers; that one has ended is noticed at once."""
PAUSE = 1.0
"""Seconds from one start to the next on the same socket; twice as many after each that failed, up to `LONGEST`."""
LONGEST = 30.0
MARGIN = 3.0
"""Seconds that a worker is given to stop, on top of the setting."""
MEMORY_FILES = Path("/dev/shm")  # noqa: S108 -- what lies there is ours alone, as `mkdtemp` makes it
PREFIX = "omenlog-workers-"
"""Of the names of folders."""
FRESH = 60.0
"""Seconds for which a folder may be about to be held."""
READY, BEAT = b"+", b"."


@dataclass(eq=False)
class Child:
    """A process, as its parent knows it."""

    number: int
    """Unlike that of any other that lives; the next one may have it again."""
    pid: int
    says: int
    """The pipe on which it tells that it is ready, and that it lives; or else why it can't start."""
    heard: float
    said: bytes = b""
    leaving: float = 0.0
    """When it is killed, if it was told to stop."""

    @property
    def ready(self) -> bool:
        return self.said.startswith(READY)


@dataclass(eq=False)
class Listener:
    """A socket, and who serves it."""

    listening: socket.socket
    worker: Child | None = None
    next: Child | None = None
    """Takes over once it is ready."""
    again: float = 0.0
    """When a worker may be started."""
    failed: int = 0
    """How many in a row could not start."""


def serve_with_workers(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve in several processes until a signal, by which this one ends too; `ready` is called with the address once all accept requests.

    Raises as `serve` does, and `WorkerFailed`, before anybody is served.
    """
    if settings.store == MEMORY:
        raise BadSetting(
            "A store in memory allows one worker: each would have games of its own. Keep games in SQLite or Redis, or use --workers 1"
        )
    with contextlib.ExitStack() as stack:
        listeners = []
        for number in range(settings.processes()):
            # The first finds the port in use, also by others that share theirs; only then is it shared.
            listening = stack.enter_context(contextlib.closing(listen(settings, beside=number > 0)))
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            settings = msgspec.structs.replace(settings, port=listening.getsockname()[1])
            listeners.append(Listener(listening))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=PREFIX, dir=_clear_memory()))
        _hold(Path(folder))
        supervisor = Supervisor(settings, listeners, Path(folder))
        last = supervisor.run(ready)
    signal.signal(last, signal.default_int_handler if last == signal.SIGINT else signal.SIG_DFL)
    signal.raise_signal(last)


def _clear_memory() -> Path:
    """Where the folder of workers is made, in memory if there is such a place, without those of services that were killed."""
    where = MEMORY_FILES if os.access(MEMORY_FILES, os.W_OK) else Path(tempfile.gettempdir())
    for left in where.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody's who lives, or another user's
            if time.time() - left.stat().st_mtime > FRESH:
                held = _hold(left)
                shutil.rmtree(left)
                os.close(held)
    return where


def _hold(folder: Path) -> int:
    """Hold a folder for as long as this process lives, or any that it forks. Raises `OSError` if others do."""
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        raise
    return held


def _put_off(listener: Listener, number: int, why: str) -> None:
    """Start no other worker for a while, the longer the more have failed."""
    listener.failed += 1
    pause = min(PAUSE * 2**listener.failed, LONGEST)
    listener.again = time.monotonic() + pause
    log.error("worker %d could not start, another tries in %g s: %s", number, pause, why)


class Supervisor:
    """Workers, as their parent knows them."""

    def __init__(self, settings: Settings, listeners: list[Listener], folder: Path) -> None:
        self._settings = settings
        self._listeners = listeners
        self._shared = Shared(len(POLICIES), numbers=2 * len(listeners), folder=folder)
        self._boxes = Boxes(len(listeners))
        self._leaving: list[Child] = []
        self._rolling: list[Listener] = []
        """Those whose workers are to be replaced, one by one."""
        self._lives, self._life = os.pipe()
        """Nothing is written; workers see its end when the parent has ended."""
        self._waker, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._signals: list[int] = []
        self._at_terminal = os.isatty(0)
        self._looked = time.monotonic()
        """When all workers were last looked at."""
        self._sound = False
        """Whether any worker was ready."""
        self._started = False
        """Whether all were."""
        self._loaded: Mapping[Source, Loaded] = {source: load(source) for source in pack_sources(settings)}
        Litestar(logging_config=None)  # reads its plugins, which takes a while
        settle_garbage()

    def run(self, ready: Callable[[str], None]) -> int:
        """Watch over all until a signal to stop, which is returned."""
        for one in (*SIGNALS, signal.SIGCHLD):
            signal.signal(one, lambda number, _: self._signals.append(number))
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        try:
            while not (last := self._told_to_stop()):
                self._reap()
                self._look()
                self._fill()
                if not self._started and all(one.worker is not None and one.worker.ready for one in self._listeners):
                    self._started = True
                    ready(address_of(self._listeners[0].listening))
                self._hear(TICK)
            return last
        finally:
            self._stop()

    def _told_to_stop(self) -> int:
        """Take signals; that which ends all, or 0."""
        signals, self._signals = self._signals, []
        if signal.SIGHUP in signals:
            if self._at_terminal and not os.isatty(0):
                return signal.SIGHUP  # nobody asks for anything: the terminal is gone
            self._read_again()
            self._rolling = list(self._listeners)
        return next((one for one in signals if one in STOPPING), 0)

    def _read_again(self) -> None:
        """Read the packs again for workers to come; those with a mistake stay as they are."""
        for source, before in self._loaded.items():
            if source.stamp() != before.stamp:
                try:
                    now = load(source)
                    others = {one.offer.name for other, one in self._loaded.items() if other != source}
                    check_name(source, now.offer, others)
                    self._loaded = {**self._loaded, source: now}
                except ContentErrors as errors:
                    log.warning("%s is offered as it was before:\n%s", source.path, errors)
                except Exception:
                    log.exception("%s is offered as it was before", source.path)

    # -- watching ----------------------------------------------------------------------------------------------------------

    def _workers(self) -> Iterator[Child]:
        yield from self._leaving
        for listener in self._listeners:
            yield from (one for one in (listener.worker, listener.next) if one is not None)

    def _hear(self, seconds: float) -> None:
        """Wait for a signal or a word of a worker."""
        pipes = {one.says: one for one in self._workers()}
        readable, _, _ = select.select([self._waker, *pipes], [], [], seconds)
        for pipe in readable:
            heard = os.read(pipe, 65_536)
            worker = pipes.get(pipe)
            if worker is None:
                continue
            if not heard:
                time.sleep(0.01)  # it is about to end
            worker.heard = time.monotonic()
            if not worker.ready:
                worker.said += heard
                self._sound = self._sound or worker.ready

    def _reap(self) -> None:
        """Take note of workers that have ended. Raises `WorkerFailed` if not all had started."""
        for worker in list(self._workers()):
            pid, status = os.waitpid(worker.pid, os.WNOHANG)
            if not pid:
                continue
            self._forget(worker)
            code = os.waitstatus_to_exitcode(status)
            said = "" if worker.ready else worker.said.decode(errors="replace")
            why = said or (f"ended by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ended with {code}")
            if worker in self._leaving:
                self._leaving.remove(worker)
            for listener in self._listeners:
                if listener.next is worker:
                    log.error("worker %d could not take over, the one before it stays: %s", worker.number, why)
                    listener.next, self._rolling = None, []
                elif listener.worker is worker:
                    listener.worker, listener.next = listener.next, None
                    if not self._started:
                        raise WorkerFailed(said or f"A worker could not start: {why}")
                    if worker.ready:
                        log.warning("worker %d is gone, another is started: %s", worker.number, why)
                    else:
                        _put_off(listener, worker.number, why)

    def _forget(self, worker: Child) -> None:
        os.close(worker.says)
        self._shared.forget(worker.number)
        mark_process_dead(worker.number, self._shared.folder)  # type: ignore[no-untyped-call]  # theirs

    def _fill(self) -> None:
        """Start who is missing; at first one alone, who makes what is missing in the store, and says what is wrong with it."""
        for listener in self._listeners if self._sound else self._listeners[:1]:
            if listener.worker is None and time.monotonic() >= listener.again:
                listener.worker = self._start(listener)

    def _look(self) -> None:
        """Go on with a rolling restart, and kill those who hang."""
        now = time.monotonic()
        if (
            away := now - self._looked - TICK
        ) > TICK:  # as after Ctrl-Z: workers may have been stopped with their parent
            for worker in self._workers():
                worker.heard += away
        self._looked = now
        for listener in self._listeners:
            if listener.worker is not None and listener.worker.ready:
                listener.failed = 0
            if listener.next is not None and listener.next.ready:
                if listener.worker is not None:
                    self._dismiss(listener.worker)
                listener.worker, listener.next = listener.next, None
            elif listener in self._rolling and not self._leaving and not any(one.next for one in self._listeners):
                self._rolling.remove(listener)
                listener.next = self._start(listener)
        for worker in self._workers():
            patience = worker.leaving or worker.heard + self._settings.worker_timeout
            if now > patience and (worker.leaving or worker.ready):
                log.warning("worker %d does not answer and is killed", worker.number)
                os.kill(worker.pid, signal.SIGKILL)
                worker.leaving = now + MARGIN

    def _dismiss(self, worker: Child) -> None:
        os.kill(worker.pid, signal.SIGTERM)
        worker.leaving = time.monotonic() + self._settings.shutdown * 2 + MARGIN
        self._leaving.append(worker)

    def _stop(self) -> None:
        """Let all finish, at once if somebody presses Ctrl-C again; kill who takes too long."""
        signal.set_wakeup_fd(-1)
        self._rolling, self._signals = [], []
        os.close(self._life)
        for listener in self._listeners:
            for worker in (listener.worker, listener.next):
                if worker is not None:
                    self._dismiss(worker)
            listener.worker = listener.next = None
            listener.listening.close()
        self._boxes.close()
        while self._leaving:
            if signal.SIGINT in self._signals:
                self._signals = []
                for worker in self._leaving:
                    os.kill(worker.pid, signal.SIGINT)
                    worker.leaving = time.monotonic() + MARGIN
            self._reap()
            self._look()
            time.sleep(0.02)

    # -- a worker ----------------------------------------------------------------------------------------------------------

    def _start(self, listener: Listener) -> Child | None:
        listener.again = time.monotonic() + PAUSE
        taken = {one.number for one in self._workers()}
        number = min(set(range(1, 2 * len(self._listeners) + 1)) - taken)
        hears, says = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            pid = os.fork()
            if not pid:
                try:
                    self._work(listener, number, says)
                finally:
                    os._exit(1)
        except OSError as error:  # memory or processes are used up; those that serve go on
            os.close(hears)
            if not self._started:
                raise WorkerFailed(f"A worker could not start: {error}") from error
            _put_off(listener, number, str(error))
            return None
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
            os.close(says)
        return Child(number, pid, hears, time.monotonic())

    def _work(self, listener: Listener, number: int, says: int) -> None:
        """Serve, in the process of a worker, and end it."""
        signal.set_wakeup_fd(-1)
        for one in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(one, signal.SIG_DFL)
        for one in (signal.SIGINT, signal.SIGHUP):  # a terminal sends them to all of its processes
            signal.signal(one, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        for worker in self._workers():
            os.close(worker.says)
        for pipe in (self._life, self._wake, self._waker):
            os.close(pipe)
        for other in self._listeners:
            if other is not listener:
                other.listening.close()
        os.set_blocking(says, False)
        self._shared.number = number
        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(self._serve(listener, says))
        except (BadSetting, ContentErrors, OSError, StoreError) as error:
            os.write(says, str(error).encode())
            os._exit(1)
        except Exception:
            log.exception("worker %d ends by a mistake of Omenlog, please report it", number)
            os._exit(1)
        os._exit(0)

    async def _serve(self, listener: Listener, says: int) -> None:
        def say(word: bytes) -> None:
            with contextlib.suppress(BlockingIOError, BrokenPipeError):
                os.write(says, word)

        homes = self._boxes.of(self._listeners.index(listener))
        member = Member(listener.listening, homes, self._shared, self._loaded, lambda: say(BEAT))
        server = await prepare(self._settings, ready=lambda _: say(READY), member=member)

        def stop() -> None:
            server.should_exit = True
            server.lingers = 0.0  # there is no other worker to go to
            asyncio.get_running_loop().remove_reader(self._lives)

        asyncio.get_running_loop().add_reader(self._lives, stop)
        settle_garbage()
        await server.serve()
