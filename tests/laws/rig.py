"""What the law of crashes kills: the service with workers and one without, the workers that deliver webhooks, who keeps them, and two Redis.

One Redis has the games and syncs what it acknowledges, the other has the jobs and keeps nothing: what it forgets must do no harm.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

from tests.support.processes import Api, Work
from tests.support.redis import Server

Part = Literal["redis", "api-0", "api-1", "serving", "parent", "worker", "work", "jobs"]
"""What can be killed: `worker` is one of two workers, `work` all of them with the sweeper that keeps them alive; `serving` is one of the
two that serve in `api-0`, `parent` who keeps them, and they end by themselves."""

KILLS: tuple[tuple[Part, ...], ...] = (
    ("redis", "api-0", "worker"),
    ("api-1",),
    ("worker",),
    ("redis",),
    ("work",),
    ("api-0",),
    ("redis", "work"),
    ("worker", "api-1"),
    ("jobs", "worker"),
    ("serving",),
    ("redis", "serving"),
    ("parent",),
    ("api-0", "api-1"),
)
"""What is killed together. All of these come in each thirteen rounds, in an order that is drawn for each thirteen; the first comes first."""
WORKERS = 2
DELIVERING = {
    "webhook_private": "1",
    "webhook_timeout": "2",
    "webhook_sweep": "0.2",
    # No message is given up: a dead letter would be a message that did not arrive.
    "webhook_retries": ",".join(["0.05"] * 200),
    "webhooks_per_token": "50",
    "tokens_per_account": "100000",
}
FORGETFUL = ("--appendonly", "no", "--save", "")


def kills(seed: int) -> Iterator[tuple[Part, ...]]:
    """What is killed, round by round and without end: the same for the same seed, whatever else happens."""
    lot = random.Random(f"{seed} kills")
    yield KILLS[0]
    rest = list(KILLS[1:])
    while True:
        lot.shuffle(rest)
        yield from rest
        rest = list(KILLS)


class Rig:
    """All of them."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Started by `running`; the seed draws which worker is killed."""
        self.redis = Server(folder / "redis")
        self.jobs = Server(folder / "jobs", *FORGETFUL)
        chosen = {**DELIVERING, "jobs": self.jobs.url}
        self.apis = [
            Api(self.redis.url, folder / "api-0.log", workers=str(WORKERS), **chosen),
            Api(self.redis.url, folder / "api-1.log", **chosen),
        ]
        self.work = Work(self.redis.url, folder / "work.log", workers=WORKERS, **chosen)
        self.killed: Counter[Part] = Counter()
        self._lot = random.Random(f"{seed} workers")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """All of them run inside the block, but for those that are just being killed."""
        try:
            await asyncio.gather(asyncio.to_thread(self.redis.start), asyncio.to_thread(self.jobs.start))
            await asyncio.gather(*(one.start() for one in (*self.apis, self.work)))
            yield
        finally:
            for one in (*self.apis, self.work):
                await one.kill()
            self.redis.kill()
            self.jobs.kill()

    async def crash(self, victims: Sequence[Part]) -> None:
        """Kill these, all before any comes back, and start them again: but for a worker, who is missed by its parent."""
        for victim in victims:
            if await self._kill(victim):
                self.killed[victim] += 1
        servers = {"redis": self.redis, "jobs": self.jobs}
        await asyncio.gather(
            *(asyncio.to_thread(one.start) for name, one in servers.items() if name in victims),
        )
        programs = {"api-0": self.apis[0], "parent": self.apis[0], "api-1": self.apis[1], "work": self.work}
        await asyncio.gather(*(one.start() for name, one in programs.items() if name in victims))

    async def _kill(self, victim: Part) -> bool:
        """Kill one; whether it was alive."""
        match victim:
            case "redis":
                self.redis.kill()
            case "jobs":
                self.jobs.kill()
            case "work":
                await self.work.kill()
            case "worker":
                return self._kill_one_of(self.work.workers())
            case "serving":
                return self._kill_one_of(self.apis[0].children())
            case "parent":
                await self.apis[0].kill_alone()
            case _:
                await self.apis[int(victim[-1])].kill()
        return True

    def _kill_one_of(self, pids: list[int]) -> bool:
        if not pids:
            return False  # they have all just been killed, and nobody has come back yet
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._lot.choice(pids), signal.SIGKILL)
        return True
