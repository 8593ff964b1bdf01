"""The store of webhooks in the Redis of the games, one server or a cluster.

All of it has one hash tag and so lies in one slot, where a script writes a record and what leads to it together:
`<prefix>:{webhooks}:r:<id>` a hash (game, body, ready, revision), `…:ready` the ids by when they are ready, `…:of:<game>` the ids of a game.
What is acknowledged is as durable as a commit: `RedisLogStore.open`, which comes first, makes sure of that.
"""

from collections.abc import Sequence
from typing import Any, Self

from service.ports.log import StoreDamaged
from service.ports.webhooks import WebhookRecord
from service.store.redis_address import Client, connect, parse
from service.store.redis_lanes import Command
from service.store.redis_scripts import script
from service.store.redis_way import Way

AT_ONCE = 8
"""Requests under way at once, below the connections that a client may have; more wait."""
FIELDS = ("game", "body", "ready", "revision")

_WRITE = """
local function write(revision, id, ready, body)
  redis.call('HSET', KEYS[1], 'revision', revision, 'ready', ready, 'body', body)
  if ready == '' then redis.call('ZREM', KEYS[2], id) else redis.call('ZADD', KEYS[2], ready, id) end
end
"""
ADD = script(
    _WRITE,
    """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
write(1, ARGV[1], ARGV[2], ARGV[3])
redis.call('HSET', KEYS[1], 'game', ARGV[4])
redis.call('SADD', KEYS[3], ARGV[1])
return 1
""",
)
PUT = script(
    _WRITE,
    """
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[4] then return 0 end
write(ARGV[4] + 1, ARGV[1], ARGV[2], ARGV[3])
return 1
""",
)
REMOVE = script("""
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('SREM', KEYS[3], ARGV[1])
return redis.call('DEL', KEYS[1])
""")


class RedisWebhookStore:
    """`WebhookStore` on Redis. Made by `open`."""

    def __init__(self, client: Client, where: str, prefix: str) -> None:
        self._client = client
        self._where = where
        self._prefix = f"{prefix}:{{webhooks}}"
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

    async def add(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.add`."""
        arguments = (record.id, _ready(record), record.body, record.game)
        (done,) = await self._send(ADD(self._keys(record), *arguments))
        return bool(done)

    async def get(self, name: str) -> WebhookRecord | None:
        """See `WebhookStore.get`."""
        return next(iter(await self._records([name])), None)

    async def of_games(self, *games: str) -> list[WebhookRecord]:
        """See `WebhookStore.of_games`."""
        found = await self._send(*[("SMEMBERS", f"{self._prefix}:of:{game}") for game in games])
        return await self._records(sorted(name.decode() for names in found for name in names))

    async def ready(self, now: float) -> list[WebhookRecord]:
        """See `WebhookStore.ready`."""
        (names,) = await self._send(("ZRANGEBYSCORE", f"{self._prefix}:ready", "-inf", repr(now)))
        found = await self._records([name.decode() for name in names])
        # Each was read later than the list of them.
        return [one for one in found if one.ready is not None and one.ready <= now]

    async def put(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.put`."""
        arguments = (record.id, _ready(record), record.body, record.revision)
        (done,) = await self._send(PUT(self._keys(record), *arguments))
        return bool(done)

    async def remove(self, name: str) -> bool:
        """See `WebhookStore.remove`."""
        found = await self.get(name)
        if found is None:
            return False
        (done,) = await self._send(REMOVE(self._keys(found), name))
        return bool(done)

    async def close(self) -> None:
        """See `WebhookStore.close`."""
        if not self._way.closed:
            self._way.closed = True
            await self._way.settle()
            await self._client.aclose()

    # ---- the way to Redis ----

    def _keys(self, record: WebhookRecord) -> tuple[str, str, str]:
        return f"{self._prefix}:r:{record.id}", f"{self._prefix}:ready", f"{self._prefix}:of:{record.game}"

    async def _records(self, names: Sequence[str]) -> list[WebhookRecord]:
        """The records with these ids, as far as there are any."""
        answers = await self._send(*[("HMGET", f"{self._prefix}:r:{name}", *FIELDS) for name in names])
        return [
            _record(name, values, self._where)
            for name, values in zip(names, answers, strict=True)
            if values[-1] is not None
        ]

    async def _send(self, *commands: Command) -> list[Any]:
        """Sends commands together, once. Whoever waits may be canceled; what is sent is answered nevertheless. Raises as `Way.send` does."""
        return await self._way.whole(self._way.send(*commands))


def _ready(record: WebhookRecord) -> str:
    return "" if record.ready is None else repr(record.ready)


def _record(name: str, values: Sequence[bytes | None], where: str) -> WebhookRecord:
    game, body, ready, revision = values
    if game is None or body is None or ready is None or revision is None:
        raise StoreDamaged(f"{where}: the record of webhook {name} lacks parts")
    return WebhookRecord(
        id=name, game=game.decode(), body=body, ready=float(ready) if ready else None, revision=int(revision)
    )
