"""The store of webhooks on the Redis of the games, by a client of its own.

All of them share one slot, `<prefix>:{webhooks}:…`, so that a record, when it is ready and which game it is of are written in one
step: a hash of the records, each behind its revision, a sorted set of times, and a set of ids for each game.
"""

from typing import Any, Self

import msgspec

from service.ports.log import StoreDamaged, StoreUnavailable
from service.ports.webhooks import WebhookRecord
from service.store.redis_address import Address, Client, connect, parse
from service.store.redis_lanes import Command, Lane
from service.store.redis_scripts import FORGET_WEBHOOK, WEBHOOK

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(WebhookRecord).decode


class RedisWebhookStore:
    """`WebhookStore` on a Redis, which `RedisLogStore.open` has found to be safe before. Made by `open`."""

    def __init__(self, client: Client, address: Address) -> None:
        self._client = client
        self._where = address.shown
        self._lane = Lane(client, address.shown)
        tag = f"{address.prefix}:{{webhooks}}"
        self._records, self._ready, self._games = f"{tag}:records", f"{tag}:ready", f"{tag}:game:"
        self._closed = False

    @classmethod
    def open(cls, store: str) -> Self:
        """Opens the store; it connects when it is first used.

        Args:
            store: the address of the games, as `redis_address.parse` reads it.

        Raises:
            BadSetting: the address makes no sense.
        """
        address = parse(store)
        return cls(connect(address), address)

    async def add(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.add`."""
        return await self._write(record)

    async def get(self, name: str) -> WebhookRecord | None:
        """See `WebhookStore.get`."""
        return self._read(await self._send(("HGET", self._records, name)))

    async def of_game(self, game: str) -> list[WebhookRecord]:
        """See `WebhookStore.of_game`."""
        return await self._all(sorted(await self._send(("SMEMBERS", self._games + game))))

    async def ready(self, now: float) -> list[WebhookRecord]:
        """See `WebhookStore.ready`."""
        # Redis orders those of one time by their ids.
        return await self._all(await self._send(("ZRANGE", self._ready, "-inf", repr(now), "BYSCORE")))

    async def put(self, record: WebhookRecord) -> bool:
        """See `WebhookStore.put`."""
        return record.revision > 0 and await self._write(record)

    async def remove(self, name: str) -> bool:
        """See `WebhookStore.remove`."""
        found = await self.get(name)
        return found is not None and await self._done(FORGET_WEBHOOK(self._keys(found.game), name), name)

    async def close(self) -> None:
        """See `WebhookStore.close`."""
        if not self._closed:
            self._closed = True
            await self._lane.drain()
            await self._client.aclose()

    def _keys(self, game: str) -> list[str]:
        return [self._records, self._ready, self._games + game]

    async def _write(self, record: WebhookRecord) -> bool:
        """Write a record that still is at its revision, as the next one."""
        kept = msgspec.structs.replace(record, revision=record.revision + 1)
        body = b"%d:%b" % (kept.revision, _encode(kept))
        ready = "" if record.ready is None else repr(record.ready)
        return await self._done(WEBHOOK(self._keys(record.game), record.id, record.revision, body, ready), record.id)

    async def _done(self, command: Command, name: str) -> bool:
        answered, done = await self._send(command)
        if answered != name.encode():
            raise StoreUnavailable(f"{self._where}: Redis answered what was not asked. Try again.")
        return bool(done)

    async def _all(self, names: list[bytes]) -> list[WebhookRecord]:
        found = await self._send(("HMGET", self._records, *names)) if names else []
        return [record for record in map(self._read, found) if record is not None]

    def _read(self, kept: bytes | None) -> WebhookRecord | None:
        if kept is None:
            return None
        try:
            return _decode(kept.partition(b":")[2])
        except msgspec.DecodeError as error:
            raise StoreDamaged(f"{self._where}: a webhook can't be read: {error}. Restore a backup.") from error

    async def _send(self, command: Command) -> Any:  # noqa: ANN401 -- what Redis answers
        if self._closed:
            raise StoreUnavailable(f"{self._where}: the store is closed")
        return await self._lane.send(command)
