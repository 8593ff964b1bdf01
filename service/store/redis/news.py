"""Hints across processes: one connection for each process, on which Redis publishes the heads of the games that it watches.

Publish and subscribe loses messages whenever a connection breaks, and that is all right: whoever hears nothing looks by itself
after a while, and when the connection is there again every watched game is said to have news.
"""

import asyncio
import contextlib
import logging
from typing import Any

from redis.asyncio import RedisCluster
from redis.asyncio.client import PubSub

from service.store.port import Head, Heard
from service.store.redis.connection import FAULTS, Client
from service.store.redis.keys import Keys

QUIET = 5.0
"""Seconds without a message, after which the server is asked whether it is still there."""
PAUSES = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each further try to connect."""

log = logging.getLogger(__name__)


class HeadListener:
    """Listens until it is closed."""

    def __init__(self, client: Client, keys: Keys, heard: Heard, where: str) -> None:
        self._client = client
        self._keys = keys
        self._heard = heard
        self._where = where
        self._games: dict[str, str] = {}
        """By channel."""
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def watch(self, game: str) -> None:
        """Listen to this game."""
        self._games[self._keys.news(game)] = game
        self._changed.set()

    def unwatch(self, game: str) -> None:
        """Listen to it no longer."""
        self._games.pop(self._keys.news(game), None)
        self._changed.set()

    async def close(self) -> None:
        """Listen no longer to anything."""
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
        subscribed = set(self._games)
        reading = asyncio.create_task(self._read(link))
        changing = None
        try:
            while not reading.done():
                changing = asyncio.create_task(self._changed.wait())
                await asyncio.wait({reading, changing}, return_when=asyncio.FIRST_COMPLETED)
                changing.cancel()
                self._changed.clear()
                wanted = set(self._games)
                if wanted - subscribed:
                    await link.subscribe(*(wanted - subscribed))
                if subscribed - wanted:
                    await link.unsubscribe(*(subscribed - wanted))
                subscribed = wanted
            reading.result()
        finally:
            for task in (reading, changing):
                if task is not None:
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, *FAULTS):
                        await task

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
