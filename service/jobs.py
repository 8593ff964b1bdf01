"""The queue of jobs on a Redis of its own: RQ, which carries hints and no facts.

A job says: look after subscription S. One that is lost, doubled, late or run twice at once does no harm: the log and the cursor say what is
behind, a lease in the record lets one process at a time send, and the sweep finds whatever nobody was told of.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import ContextVar
from urllib.parse import urlsplit

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

from service.settings import BadSetting


class JobsUnavailable(Exception):
    """The Redis of the jobs can't be used. The message says where it should be, what is wrong and what to do."""


QUEUE = "omenlog"
AUDITS = "omenlog-audits"
"""The queue of audits: they take long, and no webhook waits for one where a worker is free."""
SCHEMES = ("redis", "rediss", "unix")
KEPT = 60
"""Seconds after which a job that nobody has taken is forgotten: by then the sweep has told of it again."""
LONGEST = 300
"""Seconds after which RQ breaks a job off; no look takes nearly as long."""
PATIENCE = 5.0
"""Seconds to wait for an answer of Redis."""

log = logging.getLogger(__name__)

LOOKING: ContextVar[Callable[[str], bool]] = ContextVar("LOOKING")
"""Set in the process of a worker: sends what is due of a subscription, and says whether more is."""


def look(name: str) -> bool:
    """The job: look after a subscription. Returns whether more is to be done at once."""
    return LOOKING.get()(name)


class Jobs:
    """The queue."""

    def __init__(self, address: str) -> None:
        """Name the Redis; it is connected to when it is first needed. Raises `BadSetting` for a bad address."""
        parts = urlsplit(address)
        if parts.scheme not in SCHEMES:
            raise BadSetting("OMENLOG_JOBS: write redis://host:port/0, rediss://host:port/0 or unix:///path/to/socket")
        self.shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        """The address without what may be a password."""
        try:
            self.connection = Redis.from_url(
                address, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0)
            )
        except (ValueError, TypeError) as error:
            raise BadSetting(f"OMENLOG_JOBS: {self.shown} makes no sense: {error}") from None
        self.queue = Queue(QUEUE, connection=self.connection, serializer=JSONSerializer)
        self.audits = Queue(AUDITS, connection=self.connection, serializer=JSONSerializer)

    def check(self) -> None:
        """Raise `JobsUnavailable` unless there is a Redis that RQ can use."""
        try:
            self.connection.ping()
            cluster = self.connection.info("cluster").get("cluster_enabled")
        except RedisError as error:
            raise JobsUnavailable(
                f"{self.shown} (OMENLOG_JOBS) does not answer: {error}. Start it (redis-server), or name another one"
            ) from error
        if cluster:
            raise JobsUnavailable(
                f"{self.shown} (OMENLOG_JOBS) is a cluster; the queue needs a single Redis of its own"
            )

    def put(self, names: list[str]) -> None:
        """Queue a look after each of these subscriptions. After a `RedisError` nobody knows whether that was done."""
        self.queue.enqueue_many(
            [
                Queue.prepare_data(
                    f"{__name__}.{look.__name__}", (name,), timeout=LONGEST, ttl=KEPT, result_ttl=0, failure_ttl=KEPT
                )
                for name in names
            ]
        )

    async def hand_over(self, names: list[str]) -> None:
        """Queue looks; where that fails the next sweep tells of them again."""
        try:
            await asyncio.to_thread(self.put, names)
        except RedisError as error:
            log.warning("%s (OMENLOG_JOBS) does not take jobs, webhooks wait: %s", self.shown, error)

    def close(self) -> None:
        self.connection.close()
