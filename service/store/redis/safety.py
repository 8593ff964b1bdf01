"""What is made sure of before a Redis is trusted with games, and again whenever somebody asks whether the service is ready."""

import asyncio
import itertools
from typing import Any

from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.crc import key_slot

from service.store.port import StoreDamaged, StoreTooNew, StoreUnavailable
from service.store.redis.connection import FAULTS, Client, store_error
from service.store.redis.keys import Keys

SCHEMA_VERSION = 1
"""Kept under the key `<prefix>:schema`; a Redis with a higher one is left alone."""

NEEDED = {
    "appendonly": ("yes", "else a restart forgets games"),
    "appendfsync": ("always", "else what was acknowledged can be lost in a crash"),
    "no-appendfsync-on-rewrite": (
        "no",
        "else what was acknowledged while the file is rewritten can be lost in a crash",
    ),
    "maxmemory-policy": ("noeviction", "else games are thrown away when memory runs short"),
}
"""What every master must be set to, and why. No setting of Omenlog lowers it."""

REWRITING, LOOK = 120.0, 0.05
"""Seconds that a master may take to write its file anew, and between two looks whether it has."""

_ASKED = ("append*", "no-appendfsync-on-rewrite", "maxmemory-policy")


async def make_sure(client: Client, where: str) -> None:
    """Checks that every master keeps what it acknowledges.

    Raises:
        StoreUnavailable: one doesn't, or can't be asked. The message says what to set.
    """
    for node in await _masters(client, where):
        found: dict[str, str] = {}
        try:
            for pattern in _ASKED:
                found |= await _config(client, node, pattern)
            persistence = await _info(client, node)
        except FAULTS as error:
            raise store_error(error, _name(where, node)) from error
        wrong = [
            (name, found.get(name, "unknown"), *needed)
            for name, needed in NEEDED.items()
            if found.get(name) != needed[0]
        ]
        if wrong:
            told = "; ".join(f"{name} is {now}, and must be {needed}, {why}" for name, now, needed, why in wrong)
            repair = " ".join(f"--{name} {needed}" for name, _, needed, _ in wrong)
            raise StoreUnavailable(
                f"{_name(where, node)}: {told}. Set it in redis.conf, or start redis-server with {repair}, then start again."
            )
        if persistence.get("aof_last_write_status") != "ok":
            raise StoreUnavailable(
                f"{_name(where, node)}: Redis couldn't write its append-only file. Look into its log, make room on its disk."
            )


async def recognize(client: Client, keys: Keys, where: str) -> None:
    """Marks a Redis that is new as ours, and refuses one of a later Omenlog.

    Raises:
        StoreTooNew: a newer Omenlog has written it.
        StoreDamaged: the mark is none.
    """
    try:
        await client.set(keys.schema, str(SCHEMA_VERSION), nx=True)
        found = await client.get(keys.schema)
    except FAULTS as error:
        raise store_error(error, where) from error
    version = _text(found or b"")
    if not version.isdecimal():
        raise StoreDamaged(
            f"{where}: the key {keys.schema} is not Omenlog's. Give it a database or a ?prefix= of its own."
        )
    if int(version) > SCHEMA_VERSION:
        raise StoreTooNew(
            f"{where}: the games have schema {version}, this Omenlog knows {SCHEMA_VERSION} at most. "
            "Run the newer Omenlog that wrote them, or restore a backup from before the upgrade"
        )


async def probes(client: Client, keys: Keys) -> list[str]:
    """A key in the slots of each master."""
    if not isinstance(client, RedisCluster):
        return [keys.probe("0")]
    await client.initialize()
    found: dict[str, str] = {}
    masters = {node.name for node in client.get_primaries()}
    for number in itertools.count():
        if len(found) == len(masters):
            break
        key = keys.probe(str(number))
        owner = client.nodes_manager.get_node_from_slot(key_slot(key.encode()))
        found.setdefault(owner.name, key)
    return list(found.values())


async def rewrite(client: Client, where: str) -> None:
    """Have every master write its append-only file anew, from what it holds by now: what was erased lies in the old one still.

    Raises:
        StoreUnavailable: one doesn't, or may not be asked.
    """
    for node in await _masters(client, where):
        try:
            await _rewrite(client, node)
        except FAULTS as error:
            raise StoreUnavailable(
                f"{_name(where, node)}: what was erased is gone from the store, but lies in the append-only file still "
                f"({str(error) or 'it takes long'}). Let Redis run BGREWRITEAOF"
            ) from error


async def _rewrite(client: Client, node: ClusterNode | None) -> None:
    async with asyncio.timeout(REWRITING):
        await _unoccupied(client, node)  # a rewriting that goes on may have begun before something was erased
        await _on(client, node, "BGREWRITEAOF")
        said = await _unoccupied(client, node)
    if said.get("aof_last_bgrewrite_status") != "ok":
        raise OSError("Redis couldn't write it: look into its log")


async def _unoccupied(client: Client, node: ClusterNode | None) -> dict[str, Any]:
    """What a master says of its files, as soon as none is being written anew."""
    while True:
        said = await _info(client, node)
        if not (int(said["aof_rewrite_in_progress"]) or int(said["aof_rewrite_scheduled"])):
            return said
        await asyncio.sleep(LOOK)


async def _masters(client: Client, where: str) -> list[ClusterNode | None]:
    if not isinstance(client, RedisCluster):
        return [None]
    try:
        await client.initialize()
    except FAULTS as error:
        raise store_error(error, where) from error
    return list(client.get_primaries())


async def _config(client: Client, node: ClusterNode | None, pattern: str) -> dict[str, str]:
    answer = await _on(client, node, "CONFIG GET", pattern)
    return {_text(name): _text(value) for name, value in answer.items()}


async def _info(client: Client, node: ClusterNode | None) -> dict[str, Any]:
    answer: dict[str, Any] = await _on(client, node, "INFO", "persistence")
    return answer


async def _on(client: Client, node: ClusterNode | None, *command: str) -> Any:  # noqa: ANN401 -- whatever the command answers
    if isinstance(client, RedisCluster) and node is not None:
        return await node.execute_command(*command)
    return await client.execute_command(*command)


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _name(where: str, node: ClusterNode | None) -> str:
    return where if node is None else f"{where}, node {node.name}"
