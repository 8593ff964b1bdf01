"""The log store on Redis: one server or a cluster, any number of processes, every acknowledged commit on a disk.

A game is a stream, `<prefix>:{g:<id>}:log`, whose entries have the commits' numbers as ids. With it go a few hashes (record,
idempotency keys, tokens, texts, secret, snapshots), all with one hash tag and so in one slot, where a script appends at an expected
version, checks key, invites and tokens, and changes what is to be changed, all or nothing (`scripts`). What no game's slot can
hold (which game a key or a token belongs to, the list of games) is in slots of its own, written beforehand and believed only as far
as the game's slot agrees: `opening` says how a crash in between is healed.

Redis acknowledges what it has written *and* synced (`appendonly yes`, `appendfsync always`), which is checked when the store opens
and again with every `check` (`connection`). That holds for a crash of the process and of the machine. It does not hold for a
fail-over to a replica, which Redis fills behind the answer: restart a master on its files instead.

Writes go in *lanes* (`lanes`), pipelines in which those that wait go together; a game always has the same lane, so its writes keep
their order. At most `READS` + 5 connections are open to each server: reads, lanes for writes and heads, and one for the news (`HeadListener`).
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Self

from redis.asyncio import RedisCluster

from service.store.port import (
    STRIPPED,
    Appended,
    Creation,
    GameRecord,
    Head,
    Health,
    Heard,
    Loaded,
    NewGame,
    Opened,
    RecordChanges,
    StoreDamaged,
    StoredCommit,
    StoreError,
    TokenRecord,
)
from service.store.redis.connection import Address, Client, connect, make_sure, parse, probes, recognize, rewrite
from service.store.redis.keys import (
    RECORD,
    Argument,
    GameKeys,
    Keys,
    appended,
    bounded,
    changes_arguments,
    checked,
    counted,
    done,
    read_entries,
    read_record,
    read_snapshot,
    read_texts,
    read_token,
)
from service.store.redis.lanes import Command, HeadListener, Lane, Way
from service.store.redis.opening import Opener
from service.store.redis.records import RedisAccounts
from service.store.redis.scripts import APPEND, APPEND_WITH, FIND, LATEST, SNAPSHOT, STRIP, UPDATE

READS = 8  # under way at once; more wait
LANES, CLUSTER_LANES = 2, 3
"""Lanes for writes, each for a range of slots. With two, Redis is at the one while the other's commands are being encoded."""
SLOTS = 1 << 14


class RedisLogStore:
    """`LogStore` on Redis. Made by `open`, and bound to the event loop that ran it."""

    def __init__(self, client: Client, address: Address) -> None:
        self._client = client
        self._where = address.shown
        self._keys = Keys(address.prefix)
        lanes = CLUSTER_LANES if isinstance(client, RedisCluster) else LANES
        self._lanes = [Lane(client, address.shown) for _ in range(lanes)]
        self._heads = Lane(client, address.shown)
        # Heads that are about to be asked for, by game: whoever asks until then gets the same answer.
        self._asked: dict[str, asyncio.Future[list[bytes | None]]] = {}
        self._way = Way(client, address.shown, READS)
        self._opener = Opener(self._way, self._keys)
        accounts = RedisAccounts(address.prefix, self._way)
        self.create_account, self.enter_account = accounts.create_account, accounts.enter_account
        self.find_account, self.list_accounts = accounts.find_account, accounts.list_accounts
        self.account_places = accounts.account_places
        self.find_creation = self._opener.find_creation
        self._news: HeadListener | None = None

    @classmethod
    async def open(cls, store: str) -> Self:
        """Opens a store at an address, on a Redis that has said that it syncs whatever it acknowledges. Raises `BadSetting` or `StoreError`."""
        address = parse(store)
        client = connect(address)
        try:
            await make_sure(client, address.shown)
            await recognize(client, Keys(address.prefix), address.shown)
        except BaseException:
            await client.aclose()
            raise
        return cls(client, address)

    # ---- writes ----

    async def create(
        self, game: NewGame, *, creator: str = "", key: str | None = None, fingerprint: bytes = b""
    ) -> Opened:
        creation = None if key is None else Creation(creator, key, fingerprint)
        return await self._way.whole(self._opener.create(game, creation))

    async def append(
        self,
        game: str,
        expected: int,
        commit: bytes,
        *,
        key: str | None = None,
        fingerprint: bytes = b"",
        spend: Sequence[bytes] = (),
        changes: RecordChanges | None = None,
        revision: int | None = None,
    ) -> Appended:
        keys = self._keys.of(game)
        told_apart = "" if key is None else f":{key}"
        arguments: list[Argument] = [game, bounded(expected), commit, told_apart, fingerprint]
        if not spend and changes is None and revision is None:
            return appended(game, self._where, await self._write(keys, APPEND(keys.appending, *arguments)))
        arguments += ["" if revision is None else revision, *counted(spend), int(changes is not None)]
        arguments += [] if changes is None else changes_arguments(changes)
        return appended(
            game, self._where, await self._with_pointers(game, changes, APPEND_WITH(keys.scripted, *arguments))
        )

    async def update_game(self, game: str, changes: RecordChanges, *, revision: int | None = None) -> bool:
        given = ("" if revision is None else revision, *changes_arguments(changes))
        answer = await self._with_pointers(game, changes, UPDATE(self._keys.of(game).scripted, game, *given))
        return done(game, self._where, answer) == b"done"

    async def strip(self, game: str, upto: int) -> None:
        keys = self._keys.of(game)
        done(game, self._where, await self._write(keys, STRIP(keys.appending, game, bounded(upto), STRIPPED)))

    async def remove(self, game: str) -> None:
        tokens, creation = await self.list_tokens(game), await self.creation(game)
        await self._way.whole(self._opener.remove(game, tokens, creation))

    async def scrub(self) -> None:
        self._way.require_open()
        await self._way.whole(rewrite(self._client, self._where))

    async def put_snapshot(self, game: str, number: int, body: bytes) -> None:
        keys = self._keys.of(game)
        (answer,) = await self._way.send(SNAPSHOT((keys.game, keys.snapshots), game, number, body))
        done(game, self._where, answer)

    async def put_pack(self, digest: str, body: bytes) -> None:
        await self._way.send(("HSETNX", self._keys.packs, digest, body))

    # ---- reads ----

    async def head(self, game: str) -> Head | None:
        self._way.require_open()
        asked = self._asked.get(game)
        if asked is None:
            asked = self._asked[game] = self._heads.send(("HMGET", self._keys.of(game).game, "version", "revision"))
            # An answer is good for whoever asked before the question was sent, which is when the loop comes round again.
            asyncio.get_running_loop().call_soon(self._asked.pop, game, None)
        version, revision = await asyncio.shield(asked)
        return None if version is None else Head(int(version), int(revision or 0))

    async def load(self, game: str, texts: Sequence[str]) -> Loaded | None:
        keys = self._keys.of(game)
        (version, revision, facts), secret, newest, found = await self._way.ask(
            ("HMGET", keys.game, "version", "revision", "facts"),
            ("GET", keys.secret),
            LATEST((keys.snapshots,), game),
            ("HMGET", keys.texts, *texts),
        )
        if version is None or facts is None or secret is None:
            return None
        return Loaded(
            head=Head(int(version), int(revision or 0)),
            facts=facts,
            secret=secret,
            snapshot=read_snapshot(newest, game),
            texts=read_texts(texts, found),
        )

    async def version(self, game: str) -> int | None:
        (version,) = await self._way.ask(("HGET", self._keys.of(game).game, "version"))
        return None if version is None else int(version)

    async def read(self, game: str, after: int, limit: int) -> list[bytes]:
        return [fields[b"c"] for fields in await self._entries(game, after, limit)]

    async def read_stored(self, game: str, after: int, limit: int) -> list[StoredCommit]:
        return [
            StoredCommit(fields[b"c"], fields[b"k"][1:].decode() if b"k" in fields else None, fields.get(b"f", b""))
            for fields in await self._entries(game, after, limit)
        ]

    async def creation(self, game: str) -> Creation | None:
        fields = ("creator", "key", "fingerprint")
        ((creator, key, fingerprint),) = await self._way.ask(("HMGET", self._keys.of(game).game, *fields))
        return None if key is None else Creation(creator.decode(), key.decode(), fingerprint)

    async def get_game(self, game: str) -> GameRecord | None:
        (values,) = await self._way.ask(("HMGET", self._keys.of(game).game, *RECORD))
        return read_record(game, values)

    async def list_games(self, after: str | None, limit: int) -> list[GameRecord]:
        return await self._way.whole(self._opener.list_games(after, limit))

    async def secret(self, game: str) -> bytes | None:
        (secret,) = await self._way.ask(("GET", self._keys.of(game).secret))
        return None if secret is None else bytes(secret)

    async def find_token(self, digest: bytes) -> TokenRecord | None:
        (owner,) = await self._way.ask(("GET", self._keys.token(digest)))
        if owner is None:
            return None
        keys = self._keys.of(owner.decode())
        (found,) = await self._way.ask(FIND((keys.tokens, keys.hashes), owner, digest))
        checked(found, owner.decode())
        return read_token(found[2]) if len(found) > 1 else None

    async def list_tokens(self, game: str) -> list[TokenRecord]:
        (found,) = await self._way.ask(("HVALS", self._keys.of(game).tokens))
        return sorted(map(read_token, found), key=lambda token: token.id)

    async def get_texts(self, game: str, prefix: str = "") -> dict[str, str]:
        (found,) = await self._way.ask(("HGETALL", self._keys.of(game).texts))
        texts = {key.decode(): text.decode() for key, text in found.items()}
        return {key: texts[key] for key in sorted(texts) if key.startswith(prefix)}

    async def find_texts(self, game: str, keys: Sequence[str]) -> dict[str, str]:
        if not keys:
            self._way.require_open()
            return {}
        (found,) = await self._way.ask(("HMGET", self._keys.of(game).texts, *keys))
        return read_texts(keys, found)

    async def get_pack(self, digest: str) -> bytes | None:
        (body,) = await self._way.ask(("HGET", self._keys.packs, digest))
        return None if body is None else bytes(body)

    async def list_packs(self) -> list[str]:
        (digests,) = await self._way.ask(("HKEYS", self._keys.packs))
        return sorted(digest.decode() for digest in digests)

    # ---- news ----

    def listen(self, heard: Heard) -> None:
        self._news = HeadListener(self._client, self._keys, heard, self._where)

    def watch(self, game: str) -> None:
        if self._news is not None:
            self._news.watch(game)

    def unwatch(self, game: str) -> None:
        if self._news is not None:
            self._news.unwatch(game)

    # ---- life ----

    async def check(self) -> Health:
        self._way.require_open()
        await make_sure(self._client, self._where)
        for key in await probes(self._client, self._keys):
            written, found = await self._way.send(("INCR", key), ("GET", key))
            if int(found) < written:
                raise StoreDamaged(f"{self._where}: a probe was written, yet an older one was read back")
        kind = "redis-cluster" if isinstance(self._client, RedisCluster) else "redis"
        return Health(adapter=kind, durable=True, journal_mode="appendonly", synchronous="always")

    async def close(self) -> None:
        if self._way.closed:
            return
        self._way.closed = True
        if self._news is not None:
            await self._news.close()
        await self._way.settle()
        for lane in (*self._lanes, self._heads):
            await lane.drain()
        await self._client.aclose()

    # ---- the way to Redis ----

    def _write(self, keys: GameKeys, command: Command) -> asyncio.Future[Any]:
        """Runs a script that writes, in the lane of its game. What is answered goes through `appended` or `done`."""
        self._way.require_open()
        return self._lanes[keys.slot * len(self._lanes) // SLOTS].send(command)

    async def _with_pointers(self, game: str, changes: RecordChanges | None, command: Command) -> Any:  # noqa: ANN401 -- as above
        """Runs a script that writes, when the hashes of new tokens lead to their game."""
        if changes is None or not changes.tokens:
            return await self._write(self._keys.of(game), command)
        for token in changes.tokens:
            if token.game != game:
                raise StoreError(f"{self._where}: token {token.id} is for another game than {game}")

        async def point_and_write() -> Any:  # noqa: ANN401 -- as above
            await self._opener.point_to(game, changes.tokens)
            (answer,) = await self._way.send(command)  # not `_write`: what was begun is finished while the store closes
            return answer

        return await self._way.whole(point_and_write())

    async def _entries(self, game: str, after: int, limit: int) -> list[dict[bytes, bytes]]:
        first = bounded(max(after, 0)) + 1
        if limit <= 0:
            self._way.require_open()
            return []
        (entries,) = await self._way.ask(("XRANGE", self._keys.of(game).log, first, "+", "COUNT", bounded(limit)))
        return read_entries(game, first, entries)
