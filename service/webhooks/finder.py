"""Find subscriptions that are behind: by hints of commits as they come, and by a sweep that needs no hint.

What was found is handed to tasks of this process (`DeliveryTasks`) or to the queue of jobs. Both may lose it, for it will be found again: the log
and the cursors say what is behind. Where there is a queue, a process of the API only says what there is to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from service.settings import Settings
from service.store.port import LogStore, Record, RecordStore, StoreError
from service.webhooks.delivery import Delivery
from service.webhooks.owners import make_parts
from service.webhooks.sender import Sender
from service.webhooks.subscription import Clock, is_account, read, read_account

GATHERING = 0.02  # seconds for which hints are gathered, so that a busy game costs one query, not one for each commit
FAULT = 1.0  # seconds of rest after something went wrong

HandOver = Callable[[list[str]], Awaitable[None]]
"""Takes ids of subscriptions that somebody should look after."""


class Queue(Protocol):
    """A queue from which workers of other processes take what they are to look after."""

    async def hand_over(self, names: list[str]) -> None: ...

    def close(self) -> None: ...


log = logging.getLogger(__name__)


class Finder:
    """Finds subscriptions that are behind, while it runs."""

    def __init__(
        self, store: RecordStore, games: LogStore, hand_over: HandOver, *, every: float, clock: Clock = time.time
    ) -> None:
        """Sweep every `every` seconds; 0 for never, if another process sweeps."""
        self._store = store
        self._games = games
        self._hand_over = hand_over
        self._every = every
        self._clock = clock
        self._hints: set[str] = set()
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self.run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def hint(self, game: str) -> None:
        self._hints.add(game)
        self._news.set()

    async def run(self) -> None:
        pause = self._every or None
        while True:
            try:
                if await self._hinted(pause):
                    await asyncio.sleep(GATHERING)
                    games, self._hints = self._hints, set()
                    await self._tell(await self._store.of_owners(*games))
                else:
                    began = time.monotonic()
                    await self.sweep()
                    # Where that is much work it is done less often.
                    pause = max(self._every, 5 * (time.monotonic() - began))
            except StoreError as error:
                log.warning("could not look for subscriptions that are behind: %s", error)
                await asyncio.sleep(FAULT)
            except Exception:
                log.exception("could not look for subscriptions that are behind")
                await asyncio.sleep(FAULT)

    async def _hinted(self, pause: float | None) -> bool:
        """Wait for a hint. False: it is time for a sweep."""
        try:
            async with asyncio.timeout(pause):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    async def sweep(self) -> None:
        """Hand over every subscription that is behind and due, and see that those of accounts have all their parts."""
        heads: dict[str, int] = {}
        behind = []
        for found in await self._store.ready(self._clock()):
            if is_account(found):
                await make_parts(self._store, self._games, read_account(found))
                continue
            if found.owner not in heads:
                heads[found.owner] = await self._games.version(found.owner) or 0
            it = read(found)
            if it.cursor < heads[found.owner] or it.again(self._clock()) is not None:
                behind.append(found)
        await self._tell(behind)

    async def _tell(self, found: Iterable[Record]) -> None:
        now = self._clock()
        names = [one.id for one in found if one.ready is not None and one.ready <= now]
        if names:
            await self._hand_over(names)


class DeliveryTasks:
    """Looks after subscriptions in tasks of this process: each by one at a time, and a bounded number at once."""

    def __init__(self, look: Callable[[str], Awaitable[bool]], *, at_once: int) -> None:
        """`look` sends what is due of one subscription, and says whether more is; at most `at_once` are under way."""
        self._look = look
        self._room = asyncio.Semaphore(at_once)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    async def take(self, names: list[str]) -> None:
        for name in names:
            if name in self._tasks:
                self._again.add(name)
            else:
                self._tasks[name] = asyncio.create_task(self._run(name))

    async def _run(self, name: str) -> None:
        try:
            more = True
            while more:
                async with self._room:
                    self._again.discard(name)
                    more = await self._look(name)
                more = more or name in self._again
        except StoreError as error:
            log.warning("could not deliver subscription %s: %s", name, error)
        except Exception:
            log.exception("could not deliver subscription %s", name)
        finally:
            del self._tasks[name]
            self._again.discard(name)

    async def close(self, patience: float) -> None:
        """Give looks under way some seconds to end, then cancel them: what they were about to send is sent later."""
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks.values(), timeout=patience)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


AT_ONCE = 32  # endpoints that one process sends to


class Dispatcher:
    """Delivery in a process that serves the API: by tasks of its own, or through the queue if there is one."""

    def __init__(
        self,
        store: RecordStore,
        games: LogStore,
        sender: Sender,
        delivery: Delivery,
        jobs: Queue | None,
        settings: Settings,
    ) -> None:
        self.delivery = delivery
        self._sender = sender
        self._patience = settings.shutdown
        self._jobs = jobs
        self._looks: DeliveryTasks | None = None
        if jobs is not None:
            self.finder = Finder(store, games, jobs.hand_over, every=0)
        else:
            self._looks = DeliveryTasks(delivery.look, at_once=AT_ONCE)
            self.finder = Finder(store, games, self._looks.take, every=settings.webhook_sweep)

    def start(self) -> None:
        self.finder.start()

    async def close(self) -> None:
        await self.finder.close()
        self.delivery.stop()
        if self._looks is not None:
            await self._looks.close(self._patience)
        if self._jobs is not None:
            self._jobs.close()
        await self._sender.close()
