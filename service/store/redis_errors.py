"""Redis's errors in the words of the port: what was wrong, where, and what to do about it."""

from redis import exceptions as redis

from service.ports.log import StoreDamaged, StoreError, StoreFull, StoreUnavailable

FAULTS = (redis.RedisError, redis.RedisClusterException, OSError)
"""Whatever redis-py raises when something is wrong with Redis or with the way to it."""

Kind = tuple[type[StoreError], str, str]

_RESTART = "Start it, or try again: a request with its Idempotency-Key gets the answer that it missed"

_BY_CLASS: tuple[tuple[type[Exception], Kind], ...] = (
    (
        redis.OutOfMemoryError,
        (
            StoreFull,
            "Redis has used up its maxmemory, and nothing was written",
            "Raise maxmemory, or export finished games and take them out, then try again",
        ),
    ),
    (redis.BusyLoadingError, (StoreUnavailable, "Redis is still loading its data", "Try again in a moment")),
    (
        redis.ReadOnlyError,
        (StoreUnavailable, "this Redis is a replica, which can't be written", "Name the master, or the whole cluster"),
    ),
    (
        redis.NoPermissionError,
        (
            StoreUnavailable,
            "the Redis user may not do this",
            "Grant it the keys and channels of the prefix, and the commands CONFIG|GET, INFO and EVALSHA",
        ),
    ),
    (
        redis.AuthenticationError,
        (StoreUnavailable, "Redis refuses user or password", "Correct them in OMENLOG_STORE"),
    ),
    (
        redis.ClusterDownError,
        (StoreUnavailable, "the cluster is down: a master is missing", "Start it, then try again"),
    ),
    (redis.TryAgainError, (StoreUnavailable, "slots of the cluster are being moved", "Try again")),
    (redis.TimeoutError, (StoreUnavailable, "Redis does not answer in time", _RESTART)),
    (TimeoutError, (StoreUnavailable, "Redis does not answer in time", _RESTART)),
    (redis.ConnectionError, (StoreUnavailable, "Redis can't be reached", _RESTART)),
    (redis.RedisClusterException, (StoreUnavailable, "the cluster can't be reached", _RESTART)),
    (OSError, (StoreUnavailable, "Redis can't be reached", _RESTART)),
)
"""The first class that fits counts."""

_BY_WORD: tuple[tuple[str, Kind], ...] = (
    (
        "MISCONF",
        (
            StoreUnavailable,
            "Redis can't write its append-only file, and nothing was written",
            "Look into its log, make room on its disk, then try again",
        ),
    ),
    (
        "NOREPLICAS",
        (StoreUnavailable, "Redis lacks the replicas that it is told to have", "Start them, then try again"),
    ),
    ("MASTERDOWN", (StoreUnavailable, "Redis has lost its master", "Start it, then try again")),
    (
        "WRONGTYPE",
        (
            StoreDamaged,
            "a key holds what Omenlog has not written there",
            "Give Omenlog a database or a prefix of its own; if it has one, restore a backup",
        ),
    ),
    (
        "equal or smaller",
        (StoreDamaged, "the log of a game is longer than its record says", "Stop the service and restore a backup"),
    ),
)
"""By what the message contains, where the class tells nothing."""

_OWN_FAULT: Kind = (StoreError, "Redis refused a command", "This is a fault in Omenlog: please report it")


def store_error(error: Exception, where: str) -> StoreError:
    """The port's exception for an error of Redis or of the way to it.

    Args:
        error: what the client raised, or answered in a pipeline.
        where: the store's address without its password.

    Returns:
        An exception to raise or to hand to whoever waits; a plain `StoreError` if no better kind fits.
    """
    if isinstance(error, StoreError):
        return error
    said = " ".join(str(error).split())
    found = next((kind for each, kind in _BY_CLASS if isinstance(error, each)), None)
    kind, what, advice = found or next((kind for word, kind in _BY_WORD if word in said), _OWN_FAULT)
    return kind(f"{where}: {what} (Redis: {said or type(error).__name__}). {advice}.")
