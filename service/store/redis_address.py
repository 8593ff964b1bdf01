"""Where a Redis is, as OMENLOG_STORE says it, and clients for it that never try a write twice by themselves."""

from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit, urlunsplit

import msgspec
from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from service.settings import BadSetting

SINGLE = ("redis", "rediss", "unix")
CLUSTER = ("redis+cluster", "rediss+cluster")
SCHEMES = (*SINGLE, *CLUSTER)

PREFIX = "omenlog"
"""What all keys begin with, unless the address says `?prefix=…`."""
PORT = 6379
PATIENCE = 5.0
"""Seconds to wait for an answer."""
CONNECT = 2.0
"""Seconds to wait for a connection."""
CONNECTIONS = 16
"""Connections to one server at the most; the store itself uses fewer (see `redis`)."""

Client = Redis | RedisCluster


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """An address that was understood."""

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
    """Understand an address: `redis://`, `rediss://`, `unix://`, `redis+cluster://host:port,host:port`, `rediss+cluster://`.

    Raises:
        BadSetting: it makes no sense. The message doesn't repeat it, for there may be a password in it.
    """
    try:
        parts = urlsplit(store)
        options = parse_qs(parts.query, strict_parsing=bool(parts.query))
        prefix = options.pop("prefix", [PREFIX])[-1]
        login, _, hosts = parts.netloc.rpartition("@")
        query = urlencode(options, doseq=True)
        if parts.scheme not in CLUSTER:
            return Address(
                url=urlunsplit(parts._replace(query=query)),
                shown=f"{parts.scheme}://{hosts}{parts.path}",
                prefix=prefix,
            )
        nodes = _nodes(hosts, parts.path)
        first = f"{login}@" if login else ""
        url = f"{parts.scheme.removesuffix('+cluster')}://{first}{hosts.split(',')[0]}/?{query}"
    except ValueError as error:
        raise BadSetting(
            f"OMENLOG_STORE: no address of a Redis ({error}); write redis://host:port/0, unix:///path/to/socket or "
            "redis+cluster://host:port,host:port"
        ) from None
    return Address(url=url, shown=f"{parts.scheme}://{hosts}", prefix=prefix, nodes=nodes)


def connect(address: Address, **options: Any) -> Client:  # noqa: ANN401 -- redis-py's own options
    """A client, which connects when it is first used.

    It sends nothing twice: an append whose answer was lost and that is sent again would look like a lost race.

    Raises:
        BadSetting: the address has options that redis-py doesn't know.
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
        raise BadSetting(f"OMENLOG_STORE: {address.shown} with options that make no sense: {error}") from None
    return client


def without_password(store: str) -> str:
    """A setting that names a store, fit to be shown."""
    scheme, found, rest = store.partition("://")
    login, at, place = rest.partition("?")[0].rpartition("@")
    user = unquote(login.partition(":")[0])
    return f"{scheme}{found}{user}:***@{place}" if at and ":" in login else store


def _nodes(hosts: str, path: str) -> tuple[tuple[str, int], ...]:
    if path.strip("/") not in ("", "0"):
        raise ValueError("a cluster has no database but 0")
    return tuple(_node(host) for host in hosts.split(","))


def _node(host: str) -> tuple[str, int]:
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, port = port, ""
    if not name:
        raise ValueError("a node without a host")
    return name.strip("[]"), int(port or PORT)
