"""The way to Redis: commands sent together, a bounded number at once, whose answers belong to whoever asked."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from redis.exceptions import ConnectionError as LostConnection

from service.ports.log import StoreUnavailable
from service.store.redis_address import Client
from service.store.redis_errors import store_error
from service.store.redis_lanes import Command, pipeline

T = TypeVar("T")


class Way:
    """The way of one store, until it is closed."""

    def __init__(self, client: Client, where: str, at_once: int) -> None:
        """Send by this client.

        Args:
            client: has a connection for each that is under way.
            where: the address, for messages.
            at_once: pipelines under way; more wait.
        """
        self._client = client
        self._where = where
        self._room = asyncio.Semaphore(at_once)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.closed = False

    async def send(self, *commands: Command) -> list[Any]:
        """Sends commands together, once.

        Raises:
            StoreError: one of them failed, or it isn't known whether it did.
        """
        if not commands:
            return []
        async with self._room:
            answers = await pipeline(self._client, commands)
        for answer in answers:
            if isinstance(answer, Exception):
                raise store_error(answer, self._where) from answer
        return answers

    async def ask(self, *commands: Command) -> list[Any]:
        """Sends commands that change nothing, twice if a connection turns out to be dead. Raises as `send` does."""
        self.require_open()
        return await self.whole(self._asking(commands))

    async def _asking(self, commands: Sequence[Command]) -> list[Any]:
        try:
            return await self.send(*commands)
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, LostConnection):
                raise
            return await self.send(*commands)

    async def whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Lets work come to its end even if whoever waits for it is canceled.

        A canceled command would leave its answer on the connection, for somebody else to take for theirs.
        """
        if self.closed:
            work.close()
        self.require_open()
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    def require_open(self) -> None:
        """Make sure that it is not closed.

        Raises:
            StoreUnavailable: it is.
        """
        if self.closed:
            raise StoreUnavailable(f"{self._where}: the store is closed")

    async def settle(self) -> None:
        """Wait for all work that was begun."""
        while self._tasks:
            await asyncio.wait(self._tasks)
