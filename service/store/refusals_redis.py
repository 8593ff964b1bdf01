"""The store of refusals in the Redis of the games, one server or a cluster.

A game's lie in one list, in the slot of the game: `<prefix>:{g:<game>}:refused`, each entry the seat, the commit and the body, a
blank between them. A script appends and lets the oldest go, in one step.
"""

from typing import Any, Self

from service.ports.log import StoreDamaged
from service.ports.refusals import RefusalRecord
from service.store.redis_address import Client, connect, parse
from service.store.redis_keys import Keys
from service.store.redis_lanes import Command
from service.store.redis_scripts import script
from service.store.redis_way import Way

AT_ONCE = 8
"""Requests under way at once, below the connections that a client may have; more wait."""

ADD = script("""
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
ERASE = script("""
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
        self._way = Way(client, where, AT_ONCE)

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
        await self._do(ADD((key,), record.seat, per_game, per_seat, record.number, record.body))

    async def between(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        """See `RefusalStore.between`."""
        (entries,) = await self._way.ask(("LRANGE", self._keys.of(game).refused, 0, -1))
        found = [self._record(game, entry) for entry in entries]
        return [one for one in found if first <= one.number <= last]

    async def erase(self, game: str, seat: int | None = None) -> int:
        """See `RefusalStore.erase`."""
        return int(await self._do(ERASE((self._keys.of(game).refused,), "" if seat is None else seat)))

    async def close(self) -> None:
        """See `RefusalStore.close`."""
        if not self._way.closed:
            self._way.closed = True
            await self._way.settle()
            await self._client.aclose()

    def _record(self, game: str, entry: bytes) -> RefusalRecord:
        try:
            seat, number, body = entry.split(b" ", 2)
            return RefusalRecord(game=game, number=int(number), seat=int(seat), body=body)
        except ValueError:
            raise StoreDamaged(f"{self._where}: a refusal of game {game} can't be read") from None

    async def _do(self, command: Command) -> Any:  # noqa: ANN401 -- whatever Redis answers
        """Sends a command that changes something, once; it is done in full even if nobody waits for it any more."""
        (answer,) = await self._way.whole(self._way.send(command))
        return answer
