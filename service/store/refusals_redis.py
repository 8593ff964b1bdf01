"""The store of refusals in the Redis of the games, one server or a cluster.

A game's lie in one list, in the slot of the game: `<prefix>:{g:<game>}:refused`, each entry the seat, the commit and the body, a
blank between them. A script appends and lets the oldest go, in one step.
"""

import asyncio
import hashlib
from typing import Any, Self

from service.ports.log import StoreDamaged, StoreUnavailable
from service.ports.refusals import RefusalRecord
from service.store.redis_address import Client, connect, parse
from service.store.redis_errors import store_error
from service.store.redis_keys import Keys
from service.store.redis_lanes import Command, pipeline
from service.store.redis_scripts import TEXTS, Script


def _script(text: str) -> Script:
    sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
    TEXTS[sha] = text
    return Script(sha)


ADD = _script("""
redis.call('RPUSH', KEYS[1], ARGV[1] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
local mine = {}
for place, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.match(entry, '^(%S+) ') == ARGV[1] then mine[#mine + 1] = place - 1 end
end
for over = 1, #mine - tonumber(ARGV[3]) do
  redis.call('LSET', KEYS[1], mine[over], 'gone')
end
redis.call('LREM', KEYS[1], 0, 'gone')
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[2]), -1)
return 1
""")
ERASE = _script("""
local kept, gone = {}, 0
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if ARGV[1] == '' or string.match(entry, '^(%S+) ') == ARGV[1] then gone = gone + 1 else kept[#kept + 1] = entry end
end
redis.call('DEL', KEYS[1])
for _, entry in ipairs(kept) do redis.call('RPUSH', KEYS[1], entry) end
return gone
""")


class RedisRefusalStore:
    """`RefusalStore` on Redis. Made by `open`."""

    def __init__(self, client: Client, where: str, prefix: str) -> None:
        self._client = client
        self._where = where
        self._keys = Keys(prefix)
        self._tasks: set[asyncio.Task[list[Any]]] = set()
        self._closed = False

    @classmethod
    async def open(cls, store: str) -> Self:
        """Opens the store; it is connected to when it is first needed.

        Args:
            store: the address of the games' store.

        Raises:
            BadSetting: the address makes no sense.
        """
        address = parse(store)
        return cls(connect(address), address.shown, address.prefix)

    async def add(self, record: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        """See `RefusalStore.add`."""
        key = self._keys.of(record.game).refused
        await self._send(ADD((key,), record.seat, per_game, per_seat, record.number, record.body))

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """See `RefusalStore.between`."""
        entries = await self._send(("LRANGE", self._keys.of(game).refused, 0, -1))
        found = [self._record(game, entry) for entry in entries]
        return [one for one in found if first <= one.number <= last]

    async def erase(self, game: str, seat: int | None = None) -> int:
        """See `RefusalStore.erase`."""
        return int(await self._send(ERASE((self._keys.of(game).refused,), "" if seat is None else seat)))

    async def close(self) -> None:
        """See `RefusalStore.close`."""
        if not self._closed:
            self._closed = True
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._client.aclose()

    def _record(self, game: str, entry: bytes) -> RefusalRecord:
        try:
            seat, number, body = entry.split(b" ", 2)
            return RefusalRecord(game=game, number=int(number), seat=int(seat), body=body)
        except ValueError:
            raise StoreDamaged(f"{self._where}: a refusal of game {game} can't be read") from None

    async def _send(self, command: Command) -> Any:  # noqa: ANN401 -- whatever Redis answers
        """Sends a command, once. Whoever waits may be canceled; what is sent is answered nevertheless.

        Raises:
            StoreError: it failed, or it isn't known whether it did.
        """
        if self._closed:
            raise StoreUnavailable(f"{self._where}: the store is closed")
        task = asyncio.create_task(pipeline(self._client, [command]))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        (answer,) = await asyncio.shield(task)
        if isinstance(answer, Exception):
            raise store_error(answer, self._where) from answer
        return answer
