"""The way to Redis and back: lanes of pipelines for commands, and news of what other processes did.

Commands that wait together are sent as one pipeline, in their order. A limited number is under way at once, and each answer goes to its asker.

News come over one connection for each process, on which Redis publishes the heads of watched games. Publish and subscribe loses messages whenever a
connection breaks, which does no harm: whoever hears nothing looks by itself after a while, and once connected again all watched games are hinted at.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import msgspec
from redis import exceptions
from redis.asyncio import RedisCluster
from redis.asyncio.client import PubSub
from redis.exceptions import ConnectionError as LostConnection

from service.store.port import Head, Heard, StoreUnavailable
from service.store.redis.connection import FAULTS, Client, store_error
from service.store.redis.keys import Keys

MOST = 256  # commands in one pipeline, which bounds how long the first one waits for the last
LOST = (exceptions.ConnectionError, exceptions.TimeoutError)  # after these nobody knows whether a command was done

Command = tuple[Any, ...]


class Waiting(msgspec.Struct):
    """A command, and who waits for its answer."""

    command: Command
    future: asyncio.Future[Any]


class Lane:
    """Sends commands in their order, one pipeline after the other."""

    def __init__(self, client: Client, where: str) -> None:
        self._client = client
        self._where = where
        self._gathered: list[Waiting] = []
        self._task: asyncio.Task[None] | None = None

    def send(self, command: Command) -> asyncio.Future[Any]:
        """Hands in a command, which is sent even if nobody awaits the future (for the answer, or a `StoreError`) any more."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._gathered.append(Waiting(command, future))
        if self._task is None:
            # It begins when the loop has finished its current work: what else comes until then shares the pipeline.
            self._task = asyncio.create_task(self._run())
        return future

    async def drain(self) -> None:
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while self._gathered:
            batch, self._gathered = self._gathered[:MOST], self._gathered[MOST:]
            answers = await pipeline(self._client, [job.command for job in batch])
            for job, answer in zip(batch, answers, strict=True):
                if job.future.done():  # whoever waited was canceled
                    continue
                if isinstance(answer, Exception):
                    job.future.set_exception(store_error(answer, self._where))
                    job.future.exception()  # asyncio complains of one that nobody looks at
                else:
                    job.future.set_result(answer)
        self._task = None


async def pipeline(client: Client, commands: Sequence[Command]) -> list[Any]:
    """The answers to several commands, each an exception where it went wrong."""
    try:
        answers = await _send(client, commands)
    except Exception as error:  # noqa: BLE001 -- whatever it is, it belongs to those who wait
        answers = [error for _ in commands]
    lost = next((at for at, answer in enumerate(answers) if isinstance(answer, LOST)), None)
    if lost is not None and isinstance(client, RedisCluster):
        await _look_around(client, commands[lost])
    unknown = [at for at, answer in enumerate(answers) if isinstance(answer, exceptions.NoScriptError)]
    if unknown:
        again = await pipeline(client, [("EVAL", commands[at][1].text, *commands[at][2:]) for at in unknown])
        for at, answer in zip(unknown, again, strict=True):
            answers[at] = answer
    return answers


async def _look_around(client: RedisCluster, command: Command) -> None:
    """Lets redis-py find out where the slot of a command is now, which it does for single commands alone."""
    for node in client.get_primaries():
        await node.disconnect_free_connections()
    key = command[3] if command[0] == "EVALSHA" else command[1]
    with contextlib.suppress(*FAULTS):
        await client.execute_command("EXISTS", key)


async def _send(client: Client, commands: Sequence[Command]) -> list[Any]:
    pipe: Any = client.pipeline(transaction=False)
    for command in commands:
        pipe.execute_command(*command)
    answers: list[Any] = await pipe.execute(raise_on_error=False)
    return answers


T = TypeVar("T")


class Way:
    """The way of one store, until it is closed."""

    def __init__(self, client: Client, where: str, at_once: int) -> None:
        """At most `at_once` pipelines are under way, for each of which the client has a connection; more wait."""
        self._client = client
        self.where = where
        self._room = asyncio.Semaphore(at_once)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.closed = False

    async def send(self, *commands: Command) -> list[Any]:
        """Sends commands together, once. Raises `StoreError` if one failed, or if it isn't known whether it did."""
        if not commands:
            return []
        async with self._room:
            answers = await pipeline(self._client, commands)
        for answer in answers:
            if isinstance(answer, Exception):
                raise store_error(answer, self.where) from answer
        return answers

    async def ask(self, *commands: Command) -> list[Any]:
        """Sends commands that change nothing, twice if a connection turns out to be dead. Raises as `send` does."""
        self.require_open()

        async def asking() -> list[Any]:
            try:
                return await self.send(*commands)
            except StoreUnavailable as error:
                if not isinstance(error.__cause__, LostConnection):
                    raise
                return await self.send(*commands)

        return await self.whole(asking())

    async def change(self, command: Command) -> Any:  # noqa: ANN401 -- whatever Redis answers
        """Sends a command that changes something, once; it is done in full even if nobody waits for it any more."""
        (answer,) = await self.whole(self.send(command))
        return answer

    async def whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Lets work finish even if the task waiting for it is canceled.

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
        if self.closed:
            raise StoreUnavailable(f"{self.where}: the store is closed")

    async def settle(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)


# ---- news ----

QUIET = 5.0  # seconds without a message, after which the server is asked whether it is still there
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)  # seconds before each further try to connect

log = logging.getLogger(__name__)


class HeadListener:
    """Listens until it is closed."""

    def __init__(self, client: Client, keys: Keys, heard: Heard, where: str) -> None:
        self._client = client
        self._keys = keys
        self._heard = heard
        self._where = where
        self._games: dict[str, str] = {}  # by channel
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def watch(self, game: str) -> None:
        self._games[self._keys.news(game)] = game
        self._changed.set()

    def unwatch(self, game: str) -> None:
        self._games.pop(self._keys.news(game), None)
        self._changed.set()

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                async with await self._connect() as link:
                    failures = 0
                    for game in list(self._games.values()):
                        self._heard(game, None)
                    await self._listen(link)
            except FAULTS as error:
                if not failures:
                    log.warning("%s: no news of other processes: %s", self._where, error)
            await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
            failures += 1

    async def _connect(self) -> PubSub:
        """A connection that is subscribed to everything that is watched, and to a channel that nobody writes to."""
        if isinstance(self._client, RedisCluster):
            await self._client.initialize()
            # Any node will do: a cluster hands messages on to all.
            link: PubSub = self._client.pubsub(node=self._client.get_random_primary_node())
        else:
            link = self._client.pubsub()
        self._changed.clear()
        try:
            await link.subscribe(self._keys.schema, *self._games)
        except BaseException:
            await link.aclose()  # type: ignore[no-untyped-call]  # redis-py's
            raise
        return link

    async def _listen(self, link: PubSub) -> None:
        """Reads, and in between says what is watched: redis-py connects again by itself, and two that do so at once get in each other's way."""
        subscribed = set(self._games)
        while True:
            await self._read_until_changed(link)
            self._changed.clear()
            wanted = set(self._games)
            if wanted - subscribed:
                await link.subscribe(*(wanted - subscribed))
            if subscribed - wanted:
                await link.unsubscribe(*(subscribed - wanted))
            subscribed = wanted

    async def _read_until_changed(self, link: PubSub) -> None:
        reading, changing = asyncio.create_task(self._read(link)), asyncio.create_task(self._changed.wait())
        try:
            await asyncio.wait({reading, changing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reading.cancel()
            changing.cancel()
            await asyncio.wait({reading, changing})
            # Asked for in any case: asyncio complains of an exception that nobody has looked at.
            fault = None if reading.cancelled() else reading.exception()
        if fault is not None:
            raise fault

    async def _read(self, link: PubSub) -> None:
        asked = False
        while True:
            message: dict[str, Any] | None = await link.get_message(timeout=QUIET)
            if message is None:
                if asked:
                    raise ConnectionError("silence")
                asked = True
                await link.ping()
                continue
            asked = False
            if message["type"] != "message":
                continue
            game = self._games.get(message["channel"].decode())
            if game is not None:
                version, revision = message["data"].split()
                self._heard(game, Head(int(version), int(revision)))
