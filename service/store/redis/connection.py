"""Connections to a Redis: its address as OMENLOG_STORE says it, what makes it safe to keep games in, and its errors in the words of the port."""

import asyncio
import itertools
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlencode, urlsplit, urlunsplit

import msgspec
from redis import exceptions as redis
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.crc import key_slot

from service.settings import BadSetting
from service.store.port import StoreDamaged, StoreError, StoreFull, StoreTooNew, StoreUnavailable
from service.store.redis.keys import Keys

SINGLE = ("redis", "rediss", "unix")
CLUSTER = ("redis+cluster", "rediss+cluster")
SCHEMES = (*SINGLE, *CLUSTER)

PREFIX = "omenlog"  # what all keys begin with, unless the address says `?prefix=…`
PORT = 6379
PATIENCE = 5.0  # seconds to wait for an answer
CONNECT = 2.0  # seconds to wait for a connection
CONNECTIONS = 16  # to one server at the most; the store itself uses fewer (see `redis`)

Client = Redis | RedisCluster


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """A parsed address."""

    url: str
    """As redis-py reads it; for a cluster the first of its nodes."""
    shown: str
    """Without password and options: for messages."""
    prefix: str
    nodes: tuple[tuple[str, int], ...] = ()
    """For a cluster: those that are asked for all others."""


def is_redis(store: str) -> bool:
    """Whether a setting names a Redis."""
    return store.partition("://")[0] in SCHEMES


def parse(store: str) -> Address:
    """Parse an address: `redis://`, `rediss://`, `unix://`, `redis+cluster://host:port,host:port`, `rediss+cluster://`.

    If it is invalid, the message of `BadSetting` doesn't repeat it, as there may be a password in it.
    """
    try:
        parts = _split(store)
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
        prefix = options.pop("prefix", [PREFIX])[-1]
        login, _, hosts = parts.netloc.rpartition("@")
        query = urlencode(options, doseq=True)
        if parts.scheme not in CLUSTER:
            if parts.scheme != "unix" and (base := parts.path.strip("/")) and not base.isdecimal():
                raise ValueError("a database is a number")  # noqa: TRY301 -- as below; redis-py would take 0
            return Address(
                url=urlunsplit(parts._replace(query=query)),
                shown=f"{parts.scheme}://{hosts}{parts.path}",
                prefix=prefix,
            )
        if parts.path.strip("/") not in ("", "0"):
            raise ValueError("a cluster has no database but 0")  # noqa: TRY301 -- answered below, as all that is invalid
        nodes = tuple(_node(host) for host in hosts.split(","))
        first = f"{login}@" if login else ""
        url = f"{parts.scheme.removesuffix('+cluster')}://{first}{hosts.split(',')[0]}/?{query}"
    except ValueError as error:
        raise BadSetting(
            f"OMENLOG_STORE: invalid Redis address ({error}); write redis://host:port/0, unix:///path/to/socket or "
            "redis+cluster://host:port,host:port"
        ) from None
    return Address(url=url, shown=f"{parts.scheme}://{hosts}", prefix=prefix, nodes=nodes)


def _split(store: str) -> SplitResult:
    """As `urlsplit` does, which refuses brackets around one host of several (since CVE-2025-0938)."""
    scheme, _, rest = store.partition("://")
    if scheme not in CLUSTER:
        return urlsplit(store)
    place, _, query = rest.partition("?")
    netloc, slash, path = place.partition("/")
    return SplitResult(scheme, netloc, slash + path, query, "")


def connect(address: Address, **options: Any) -> Client:  # noqa: ANN401 -- redis-py's own options
    """A client, which connects when it is first used. Raises `BadSetting` for options that redis-py doesn't know.

    It sends nothing twice: an append whose answer was lost and that is sent again would look like a lost race.
    """
    given: dict[str, Any] = {
        "protocol": 2,
        "socket_timeout": PATIENCE,
        "socket_connect_timeout": CONNECT,
        "max_connections": CONNECTIONS,
        "client_name": "omenlog",
        "retry": Retry(NoBackoff(), 0),
        **options,
    }
    try:
        if address.nodes:
            nodes = [ClusterNode(host, port) for host, port in address.nodes]
            return RedisCluster.from_url(address.url, startup_nodes=nodes, **given)
        client: Redis = Redis.from_url(address.url, **given)
        client.connection_pool.make_connection()  # type: ignore[no-untyped-call]  # redis-py's
    except (ValueError, TypeError) as error:
        raise BadSetting(f"OMENLOG_STORE: {address.shown} has invalid options: {error}") from None
    return client


def without_password(store: str) -> str:
    """A setting that names a store, fit to be shown."""
    scheme, found, rest = store.partition("://")
    login, at, place = rest.partition("?")[0].rpartition("@")
    user = unquote(login.partition(":")[0])
    return f"{scheme}{found}{user}:***@{place}" if at and ":" in login else store


def _node(host: str) -> tuple[str, int]:
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, port = port, ""
    if not name:
        raise ValueError("a node without a host")
    return name.strip("[]"), int(port or PORT)


# ---- safety: checked when the store opens, and whenever somebody asks whether the service is ready ----

SCHEMA_VERSION = 1  # kept under the key `<prefix>:schema`; a Redis with a higher one is left alone

NEEDED = {
    "appendonly": ("yes", "else a restart forgets games"),
    "appendfsync": ("always", "else what was acknowledged can be lost in a crash"),
    "no-appendfsync-on-rewrite": (
        "no",
        "else what was acknowledged while the file is rewritten can be lost in a crash",
    ),
    "maxmemory-policy": ("noeviction", "else games are thrown away when memory runs short"),
}
"""What every master must be set to, and why."""

REWRITING, LOOK = 120.0, 0.05
"""Seconds that a master may take to rewrite its file, and between two checks whether it has."""

_ASKED = ("append*", "no-appendfsync-on-rewrite", "maxmemory-policy")


async def make_sure(client: Client, where: str) -> None:
    """Checks that every master keeps what it acknowledges. Raises `StoreUnavailable`, whose message says what to set."""
    for node in await _masters(client, where):
        found: dict[str, str] = {}
        try:
            for pattern in _ASKED:
                answer = await _on(client, node, "CONFIG GET", pattern)
                found |= {_text(name): _text(value) for name, value in answer.items()}
            persistence = await _on(client, node, "INFO", "persistence")
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
    """Marks a new Redis as ours, and refuses one of a newer Omenlog (`StoreTooNew`) or with another's mark (`StoreDamaged`)."""
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
    """Have every master rewrite its append-only file, which still holds what was erased. Raises `StoreUnavailable`."""
    for node in await _masters(client, where):
        try:
            await _rewrite(client, node)
        except FAULTS as error:
            raise StoreUnavailable(
                f"{_name(where, node)}: what was erased is gone from the store, but is still in the append-only file "
                f"({str(error) or 'it takes long'}). Let Redis run BGREWRITEAOF"
            ) from error


async def _rewrite(client: Client, node: ClusterNode | None) -> None:
    async with asyncio.timeout(REWRITING):
        await _unoccupied(client, node)  # a rewrite under way may have begun before something was erased
        await _on(client, node, "BGREWRITEAOF")
        said = await _unoccupied(client, node)
    if said.get("aof_last_bgrewrite_status") != "ok":
        raise OSError("Redis couldn't write it: look into its log")


async def _unoccupied(client: Client, node: ClusterNode | None) -> dict[str, Any]:
    """What a master says of its files, once none is being rewritten."""
    while True:
        said: dict[str, Any] = await _on(client, node, "INFO", "persistence")
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


async def _on(client: Client, node: ClusterNode | None, *command: str) -> Any:  # noqa: ANN401 -- whatever the command answers
    if isinstance(client, RedisCluster) and node is not None:
        return await node.execute_command(*command)
    return await client.execute_command(*command)


def _text(value: bytes | str) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def _name(where: str, node: ClusterNode | None) -> str:
    return where if node is None else f"{where}, node {node.name}"


# ---- errors ----

FAULTS = (redis.RedisError, redis.RedisClusterException, OSError)
"""Whatever redis-py raises when something is wrong with Redis or with the way to it."""


_RESTART = "Start it, or try again: a request with its Idempotency-Key gets the answer that it missed"

_KINDS: tuple[tuple[str | type[Exception] | tuple[type[Exception], ...], type[StoreError], str, str], ...] = (
    (
        redis.OutOfMemoryError,
        StoreFull,
        "Redis has used up its maxmemory, and nothing was written",
        "Raise maxmemory, or export finished games and take them out, then try again",
    ),
    (redis.BusyLoadingError, StoreUnavailable, "Redis is still loading its data", "Try again in a moment"),
    (
        redis.ReadOnlyError,
        StoreUnavailable,
        "this Redis is a replica, which can't be written",
        "Name the master, or the whole cluster",
    ),
    (
        redis.NoPermissionError,
        StoreUnavailable,
        "the Redis user may not do this",
        "Grant it the keys and channels of the prefix, and the commands CONFIG|GET, INFO and EVALSHA",
    ),
    (redis.AuthenticationError, StoreUnavailable, "Redis refuses user or password", "Correct them in OMENLOG_STORE"),
    (redis.ClusterDownError, StoreUnavailable, "the cluster is down: a master is missing", "Start it, then try again"),
    (redis.TryAgainError, StoreUnavailable, "slots of the cluster are being moved", "Try again"),
    ((redis.TimeoutError, TimeoutError), StoreUnavailable, "Redis does not answer in time", _RESTART),
    ((redis.ConnectionError, OSError), StoreUnavailable, "Redis can't be reached", _RESTART),
    (redis.RedisClusterException, StoreUnavailable, "the cluster can't be reached", _RESTART),
    (
        "MISCONF",
        StoreUnavailable,
        "Redis can't write its append-only file, and nothing was written",
        "Look into its log, make room on its disk, then try again",
    ),
    ("DB index", StoreUnavailable, "Redis has no database of this number", "Name another one in OMENLOG_STORE"),
    ("NOREPLICAS", StoreUnavailable, "Redis lacks the replicas that it is told to have", "Start them, then try again"),
    ("MASTERDOWN", StoreUnavailable, "Redis has lost its master", "Start it, then try again"),
    (
        "WRONGTYPE",
        StoreDamaged,
        "a key holds what Omenlog has not written there",
        "Give Omenlog a database or a prefix of its own; if it has one, restore a backup",
    ),
    (
        "equal or smaller",
        StoreDamaged,
        "the log of a game is longer than its record says",
        "Stop the service and restore a backup",
    ),
    (Exception, StoreError, "Redis refused a command", "This is a fault in Omenlog: please report it"),
)
"""By the error's class or, where that tells nothing, a word of its message. The first row that fits counts."""


def store_error(error: Exception, where: str) -> StoreError:
    """The port's exception for what the client raised, or answered in a pipeline; a plain `StoreError` if no better kind fits."""
    if isinstance(error, StoreError):
        return error
    said = " ".join(str(error).split())
    _, kind, what, advice = next(
        row for row in _KINDS if (row[0] in said if isinstance(row[0], str) else isinstance(error, row[0]))
    )
    return kind(f"{where}: {what} (Redis: {said or type(error).__name__}). {advice}.")
