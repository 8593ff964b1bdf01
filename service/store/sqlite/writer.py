"""The one connection that writes: it groups whatever is waiting into one transaction and one fsync.

A task hands in a *job* and awaits its future. Jobs gather on the event loop while the writer's thread is at work; it gets
all of them as one batch, runs them between BEGIN IMMEDIATE and COMMIT, and only then answers, so an answer means durable.
The busier the service, the more commits share an fsync. Jobs of one kind that can be done together are one statement: SQLite
gives Python's lock back once for all of them, not once for each, and a thread that asks for the lock anew waits for it.

Waking another thread and being woken by it costs as much as an append to a quick disk. So where nothing else waits, the
thread is idle and the disk has been quick of late, the loop writes a lone commit by itself (`_write_here`). It neither waits for
another process's lock nor copies the write-ahead log into the file: whatever could take long is the thread's.

Jobs in a batch don't know of each other. A job that fails is undone alone. When SQLite gives up the transaction itself
(a full disk, say), every job runs again in a transaction of its own, so that each gets the answer it deserves.

What was written here and what others wrote can be told apart, so that heads need not be asked for again (`Heads`). The write-ahead log has an
index in memory that all connections share, of whatever process and program. Its header (https://sqlite.org/walformat.html) counts the
transactions, and counts each before whoever wrote it can say so. The memory is read where SQLite has it in this process, as the system tells: a
file of one's own on it, once closed, would take SQLite's locks with it. Where the system doesn't tell, or the layout is another one, every head
is asked for.
"""

import asyncio
import contextlib
import ctypes
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, TypeVarTuple

import msgspec

from service.store.port import Head, StoreUnavailable
from service.store.sqlite.schema import CHECKPOINT_PAGES, store_error

MAX_BATCH = 256  # jobs in one transaction, which bounds how long the first one waits for the last
QUICK = 0.002  # seconds that a transaction may be expected to take if the loop writes it, while everybody else waits
EASING = 0.2  # how much each transaction counts in what is expected of the next one
CALM = 4  # jobs that came alone, one after the other, before the loop writes the next one by itself

LOOKING = 4
"""One in this many of those that the loop writes waits for the end of its turn, to see whether others come in it. All
would be safest; but the turn costs a third of what an append does beside SQLite's own work."""

IN_A_ROW = 100
"""Jobs that the loop writes by itself before the thread gets one, which puts the write-ahead log away if it is full. It is
used again from its beginning then; to write where it has grown costs a quick disk half as much again for each sync."""

TURN = 3
"""Milliseconds for which SQLite waits by itself while another process writes: it looks after 1 and after 3, then ever more seldom, up to a
tenth of a second, in which the other one writes several times. So the thread begins anew, until its patience is over."""

MAPS = Path("/proc/self/maps")
LAYOUT = 3_007_000
"""The version of the index's layout, its first number; all processes that have a file open at once must agree on it."""
COUNT = 8
"""Where the count of transactions lies: an unsigned number of 32 bits, as the machine orders its bytes."""
MOST_HEADS = 50_000
"""Heads remembered at once."""

OWN_FAULT = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
"""Errors of SQLite that one statement brought upon itself; after any other the whole transaction is in doubt."""

Together = Callable[[sqlite3.Connection, Sequence[tuple[Any, ...]]], Sequence[Any]]
"""Does several jobs of a kind in one statement: their arguments in, their results out. It does all of them, or raises an
error of SQLite and has done none; then each is done by its own `work`."""

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Job(msgspec.Struct):
    """Work for the writer, and who waits for it."""

    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    future: asyncio.Future[Any]
    atomic: bool
    together: Together | None


class Failure(msgspec.Struct):
    """In the place of a result: what the job's future is to raise."""

    error: Exception


class Writer:
    """Runs jobs of one event loop's tasks, mostly on a thread of its own.

    Nobody else uses its connection: the thread does while it has a batch, else the loop; it is closed in the end.
    """

    def __init__(self, connection: sqlite3.Connection, path: str, loop: asyncio.AbstractEventLoop) -> None:
        self._connection = connection
        self._path = path
        self._loop = loop
        self._gathered: list[Job] = []
        self.at_work = False
        """Whether the thread has a batch, or is about to get one; only the loop's thread asks."""
        self._batches: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._closed = False
        self._expected = 2 * QUICK  # seconds: a disk has to show first that it is quick; whoever is at work writes it
        self._calm = 0  # batches of one job in a row after which nobody waited
        self._brief = False
        (self._patience,) = connection.execute("PRAGMA busy_timeout").fetchone()
        connection.execute(f"PRAGMA busy_timeout = {TURN}").fetchall()
        # A daemon, so that a process that forgets to close ends anyway: what was answered is on the disk.
        self._thread = threading.Thread(target=self._run, name="omenlog-writer", daemon=True)
        self._thread.start()

    def submit(
        self,
        work: Callable[[sqlite3.Connection, *Ts], T],
        *arguments: *Ts,
        atomic: bool = False,
        together: Together | None = None,
    ) -> asyncio.Future[T]:
        """Hands in a job; from here on it is done in full or not at all, even if nobody awaits the future any more.

        The future has what `work` returns when that is durable, or what it raised. Raises `StoreUnavailable` when closed.

        Args:
            work: called on the writer's thread with the connection, inside a transaction. It may be called again
                after its transaction was rolled back, so it must have no effect but on the database.
            arguments: passed on to `work`.
            atomic: promises that a `work` that raises has changed nothing, which saves its savepoint.
            together: does this and the other jobs that name it at once, where none of them fails. What names one is
                quick, and may be done on the loop's thread.
        """
        if self._closed:
            raise StoreUnavailable(f"{self._path}: the store is closed")
        future: asyncio.Future[T] = self._loop.create_future()
        self._gathered.append(Job(work, arguments, future, atomic, together))
        if not self.at_work:
            # Only when the loop has finished its current work: what else comes until then shares the batch.
            self.at_work = True
            self._loop.call_soon(self._begin)
        return future

    def at_once(self, together: Callable[..., Sequence[T]], *arguments: Any) -> Sequence[T]:  # noqa: ANN401 - as `together` likes
        """Does an atomic job here and now, on the loop's thread, while the writer is calm; its result is durable.

        No result: nothing is changed, and the job is to be submitted.
        """
        if self._calm % LOOKING and not self.at_work and not self._closed and self._may_write_here():
            return self._write_here(together, arguments)
        return ()

    async def close(self) -> None:
        """Does the jobs that were handed in, then ends the thread and closes its connection."""
        if not self._closed:
            last = self.submit(_nothing)
            self._closed = True
            await asyncio.wait([last])
            self._batches.put(None)
        await asyncio.to_thread(self._thread.join)

    # ---- on the loop's thread ----

    def _begin(self) -> None:
        """The thread is idle and something has gathered: hands it over, or does it here."""
        alone, job = len(self._gathered) == 1, self._gathered[0]
        if alone and job.together is not None and self._may_write_here():
            results = self._write_here(job.together, job.arguments)
            if results:
                self._gathered.clear()
                self._done([job], results)
                return
        self._calm = self._calm + 1 if alone else 0
        self._hand_over()

    def _may_write_here(self) -> bool:
        """Whether a lone job will be quick by all that is known, and nobody else is likely to come meanwhile."""
        return self._calm >= CALM and self._expected <= QUICK

    def _write_here(self, together: Callable[..., Sequence[T]], arguments: tuple[Any, ...]) -> Sequence[T]:
        """Does a lone job while the thread is idle; no result if it failed and changed nothing: the thread finds out why."""
        begun = time.perf_counter()
        try:
            self._be_brief(brief=True)
            results = together(self._connection, (arguments,))
        except Exception:  # noqa: BLE001 - whatever it is, the thread meets it again
            self._calm = 0
            return ()
        self._took(time.perf_counter() - begun)
        self._calm = self._calm + 1 if self._calm < CALM + IN_A_ROW else CALM - 1
        return results

    def _be_brief(self, *, brief: bool) -> None:
        """Has the connection wait for nobody and put nothing away, or the contrary. Whoever calls it has the connection."""
        if brief is not self._brief:
            self._brief = brief
            self._connection.execute(f"PRAGMA busy_timeout = {0 if brief else TURN}").fetchall()
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {0 if brief else CHECKPOINT_PAGES}").fetchall()

    def _hand_over(self) -> None:
        """Gives the thread what has gathered, if anything has."""
        batch, self._gathered = self._gathered[:MAX_BATCH], self._gathered[MAX_BATCH:]
        self.at_work = bool(batch)
        if batch:
            self._batches.put(batch)

    def _done(self, batch: list[Job], results: Sequence[Any]) -> None:
        """Hands over the next batch, so that the disk isn't idle, then wakes everybody who waits for this one."""
        if self._gathered:
            self._calm = 0
        self._hand_over()
        for job, result in zip(batch, results, strict=True):
            if job.future.done():  # whoever waited was canceled
                continue
            if isinstance(result, Failure):
                job.future.set_exception(result.error)
            else:
                job.future.set_result(result)

    # ---- on the writer's thread ----

    def _run(self) -> None:
        while (batch := self._batches.get()) is not None:
            self._be_brief(brief=False)
            begun = time.perf_counter()
            results = self._write(batch)
            self._took(time.perf_counter() - begun)
            # RuntimeError: the loop is closed, so nobody waits any more.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._done, batch, results)
        self._connection.close()

    def _took(self, seconds: float) -> None:
        """Learns from a transaction how long the next one may take."""
        self._expected += EASING * (seconds - self._expected)

    def _write(self, batch: list[Job]) -> Sequence[Any]:
        """One transaction for the batch; what it returns is durable, a `Failure` where nothing was changed."""
        together = batch[0].together
        if together is not None and all(job.together is together for job in batch):
            # A statement by itself is a transaction. Whatever is wrong with it, the long way finds out with whom.
            with contextlib.suppress(Exception):
                arguments = [job.arguments for job in batch]
                return self._in_turn(lambda: together(self._connection, arguments))
        execute = self._connection.execute
        try:
            self._in_turn(lambda: execute("BEGIN IMMEDIATE"))
        except sqlite3.Error as error:
            return [Failure(store_error(error, self._path)) for _ in batch]
        try:
            results = [self._attempt(job) for job in batch]
            execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            if len(batch) == 1:
                return [Failure(store_error(error, self._path))]
            return [result for job in batch for result in self._write([job])]
        return results

    def _in_turn(self, begin: Callable[[], T]) -> T:
        """Does what begins a transaction, as soon as no other process has one. Raises what SQLite does when patience is over."""
        end = time.monotonic() + self._patience / 1000
        while True:
            try:
                return begin()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise

    def _attempt(self, job: Job) -> Any:  # noqa: ANN401 - jobs return what they like
        """Runs one job; a failure of its own is undone and becomes its result. Raises what puts the whole transaction in doubt."""
        execute = self._connection.execute
        if not job.atomic:
            execute("SAVEPOINT job")
        try:
            result = job.work(self._connection, *job.arguments)
        except OWN_FAULT as error:
            result = Failure(store_error(error, self._path))
        except sqlite3.Error:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to whoever awaits this job
            result = Failure(error)
        if not job.atomic:
            if isinstance(result, Failure):
                execute("ROLLBACK TO job")
            execute("RELEASE job")
        return result


def _nothing(_: sqlite3.Connection) -> None:
    """The last job: when it is done, all before it are."""


class Heads:
    """Heads of a file's games as of some count of transactions; used by the loop's thread and the writer's.

    While the count has grown by nothing but appends that were made here, what was known of a game still holds, and looking takes no lock of
    the file, no system call and no turn of the interpreter's other threads.
    """

    def __init__(self, path: str) -> None:
        """Begin without any; a connection of this process has the file open until the last call."""
        self._count = _transactions(path)
        self._as_of = -1
        self._heads: dict[str, Head] = {}
        self._begun = 0
        self._lock = threading.Lock()

    def find(self, game: str, ask: Callable[[str], Head | None], *, writing: bool) -> Head | None:
        """A game's head, asked for where it isn't known; `writing`: this process may have written what isn't noted yet."""
        count = self._count
        if count is None:
            return ask(game)
        with self._lock:
            now = count.value
            if now != self._as_of and not writing:
                self._begin_anew(now)
            if now == self._as_of and game in self._heads:
                return self._heads[game]
        head = ask(game)
        with self._lock:
            if head is not None and now == self._as_of == count.value:  # as of this count, and of no later one
                if len(self._heads) >= MOST_HEADS:
                    self._heads.clear()
                self._heads[game] = head
        return head

    def appended(self, appends: Iterable[tuple[str, int, bytes, str | None, bytes]]) -> None:
        """This process has appended commits of several games, in one transaction that changed nothing else."""
        if self._count is None:
            return
        with self._lock:
            now = self._count.value
            if now == self._as_of + 1:
                self._as_of = now
                for game, expected, *_ in appends:
                    known = self._heads.get(game)
                    if known is not None:
                        self._heads[game] = Head(expected + 1, known.revision)
            elif now == self._as_of:  # it isn't the count after all
                self._count = None
            else:
                self._begin_anew(now)

    def others(self, *, writing: bool) -> int | None:
        """A number that is another one as soon as anything but such appends was written; None: it can't be told now."""
        if self._count is None:
            return None
        with self._lock:
            now = self._count.value
            if now != self._as_of:
                if writing:
                    return None
                self._begin_anew(now)
            return self._begun

    def _begin_anew(self, count: int) -> None:
        self._begun += 1
        self._heads.clear()
        self._as_of = count


def _transactions(path: str) -> ctypes.c_uint32 | None:
    """How many transactions a file has seen, as SQLite counts them now and from now on."""
    name = f"{os.path.realpath(path)}-shm"
    try:
        maps = MAPS.read_text(errors="surrogateescape")
    except OSError:
        return None
    for line in maps.splitlines():
        where, _, begin, *_, mapped = line.split(maxsplit=5)
        if mapped == name and not int(begin, 16):
            address = int(where.partition("-")[0], 16)
            known = ctypes.c_uint32.from_address(address).value == LAYOUT
            return ctypes.c_uint32.from_address(address + COUNT) if known else None
    return None
