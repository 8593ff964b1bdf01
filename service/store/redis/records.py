"""What is kept beside the log in Redis, one server or a cluster: subscriptions, refusals, accounts.

All records have one hash tag and so share one slot, where a script writes a record and what leads to it together:
`<prefix>:{webhooks}:r:<id>` a hash (game, which is the owner, body, ready, revision), `…:ready` the ids by when they are ready,
`…:of:<owner>` the ids of an owner. What is acknowledged is as durable as a commit: `RedisLogStore.open`, which comes first, makes sure of that.

A game's refusals are in one list, in the slot of the game: `<prefix>:{g:<game>}:refused`, each entry the seat, the commit and the body, a
blank between them. A script appends and drops the oldest, in one step.

All accounts are in one slot, `<prefix>:{accounts}:…`, so that a place is given, and kept, in one step.
"""

from collections.abc import Sequence
from typing import Any, Self

import msgspec

from service.store.port import AccountRecord, NoSuchAccount, Place, Record, RefusalRecord, StoreDamaged, StoreError
from service.store.redis.connection import Client, connect, parse
from service.store.redis.keys import Keys, checked
from service.store.redis.lanes import Way
from service.store.redis.scripts import ENTER_ACCOUNT, NEW_ACCOUNT, script

_encode = msgspec.json.Encoder().encode
_accounts = msgspec.json.Decoder(AccountRecord)
_places = msgspec.json.Decoder(Place)


class RedisAccounts:
    """The accounts of a store, for `LogStore`."""

    def __init__(self, prefix: str, way: Way) -> None:
        self._tag = f"{prefix}:{{accounts}}"
        self._where = way.where
        self._way = way
        self._ids, self._hashes = f"{self._tag}:ids", f"{self._tag}:hashes"

    async def create_account(self, account: AccountRecord) -> None:
        keys = (self._ids, self._hashes)
        answer = await self._way.change(NEW_ACCOUNT(keys, account.id, account.hash, _encode(account)))
        if checked(answer, account.id) != b"done":
            raise StoreError(f"{self._where}: account {account.id}, or its hash, is taken")

    async def enter_account(self, account: str, place: Place) -> int:
        keys = (self._ids, self._listed(account), f"{self._tag}:numbers:{account}")
        answer = await self._way.change(ENTER_ACCOUNT(keys, account, _encode(place)))
        if checked(answer, account) != b"done":
            raise NoSuchAccount(account)
        return int(answer[2])

    async def find_account(self, digest: bytes) -> AccountRecord | None:
        (name,) = await self._way.ask(("HGET", self._hashes, digest))
        if name is None:
            return None
        (found,) = await self._way.ask(("HGET", self._ids, name))
        return None if found is None else self._read(_accounts, found)

    async def list_accounts(self) -> list[AccountRecord]:
        (found,) = await self._way.ask(("HVALS", self._ids))
        return sorted((self._read(_accounts, one) for one in found), key=lambda account: account.id)

    async def account_places(self, account: str) -> list[Place]:
        (found,) = await self._way.ask(("LRANGE", self._listed(account), 0, -1))
        return [self._read(_places, one) for one in found]

    def _listed(self, account: str) -> str:
        return f"{self._tag}:places:{account}"

    def _read(self, decoder: msgspec.json.Decoder[Any], found: bytes) -> Any:  # noqa: ANN401 -- what the decoder reads
        try:
            return decoder.decode(found)
        except msgspec.DecodeError as error:
            raise StoreDamaged(f"{self._where}: an account can't be read: {error}") from error


AT_ONCE = 8  # requests under way, below the connections that a client may have; more wait

ADD_REFUSAL = script("""
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
ERASE_REFUSALS = script("""
local kept, gone = {}, 0
for _, entry in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if ARGV[1] == '' or string.match(entry, '^(%S+) ') == ARGV[1] then gone = gone + 1 else kept[#kept + 1] = entry end
end
redis.call('DEL', KEYS[1])
for _, entry in ipairs(kept) do redis.call('RPUSH', KEYS[1], entry) end
return gone
""")

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


class RedisRecordStore:
    """`RecordStore` on Redis. Made by `open`."""

    def __init__(self, client: Client, where: str, prefix: str) -> None:
        self._client = client
        self._where = where
        self._prefix = f"{prefix}:{{webhooks}}"
        self._games = Keys(prefix)
        self._way = Way(client, where, AT_ONCE)
        self._do = self._way.change

    @classmethod
    async def open(cls, store: str) -> Self:
        """Opens the store at the address of the games' store; it is connected to when it is first needed. Raises `BadSetting`."""
        address = parse(store)
        return cls(connect(address), address.shown, address.prefix)

    async def add(self, record: Record) -> bool:
        return bool(await self._do(ADD(self._keys(record), record.id, _ready(record), record.body, record.owner)))

    async def get(self, name: str) -> Record | None:
        return next(iter(await self._records([name])), None)

    async def of_owners(self, *owners: str) -> list[Record]:
        found = await self._way.ask(*[("SMEMBERS", f"{self._prefix}:of:{owner}") for owner in owners])
        return await self._records(sorted(name.decode() for names in found for name in names))

    async def ready(self, now: float) -> list[Record]:
        (names,) = await self._way.ask(("ZRANGEBYSCORE", f"{self._prefix}:ready", "-inf", repr(now)))
        found = await self._records([name.decode() for name in names])
        # Each was read later than the list of them.
        return [one for one in found if one.ready is not None and one.ready <= now]

    async def put(self, record: Record) -> bool:
        return bool(await self._do(PUT(self._keys(record), record.id, _ready(record), record.body, record.revision)))

    async def remove(self, name: str) -> bool:
        found = await self.get(name)
        return found is not None and bool(await self._do(REMOVE(self._keys(found), name)))

    async def add_refusal(self, refusal: RefusalRecord, *, per_game: int, per_seat: int) -> None:
        key = self._games.of(refusal.game).refused
        await self._do(ADD_REFUSAL((key,), refusal.seat, per_game, per_seat, refusal.number, refusal.body))

    async def refusals(self, game: str, first: int, last: int) -> list[RefusalRecord]:
        (entries,) = await self._way.ask(("LRANGE", self._games.of(game).refused, 0, -1))
        found = [_refusal(game, entry, self._where) for entry in entries]
        return [one for one in found if first <= one.number <= last]

    async def erase_refusals(self, game: str, seat: int | None = None) -> int:
        return int(await self._do(ERASE_REFUSALS((self._games.of(game).refused,), "" if seat is None else seat)))

    async def close(self) -> None:
        if not self._way.closed:
            self._way.closed = True
            await self._way.settle()
            await self._client.aclose()

    def _keys(self, record: Record) -> tuple[str, str, str]:
        return f"{self._prefix}:r:{record.id}", f"{self._prefix}:ready", f"{self._prefix}:of:{record.owner}"

    async def _records(self, names: Sequence[str]) -> list[Record]:
        answers = await self._way.ask(*[("HMGET", f"{self._prefix}:r:{name}", *FIELDS) for name in names])
        return [
            _record(name, values, self._where)
            for name, values in zip(names, answers, strict=True)
            if values[-1] is not None
        ]


def _ready(record: Record) -> str:
    return "" if record.ready is None else repr(record.ready)


def _record(name: str, values: Sequence[bytes | None], where: str) -> Record:
    owner, body, ready, revision = values
    if owner is None or body is None or ready is None or revision is None:
        raise StoreDamaged(f"{where}: the record of subscription {name} lacks parts")
    return Record(
        id=name, owner=owner.decode(), body=body, ready=float(ready) if ready else None, revision=int(revision)
    )


def _refusal(game: str, entry: bytes, where: str) -> RefusalRecord:
    try:
        seat, number, body = entry.split(b" ", 2)
        return RefusalRecord(game=game, number=int(number), seat=int(seat), body=body)
    except ValueError:
        raise StoreDamaged(f"{where}: a refusal of game {game} can't be read") from None
