"""The real outside: the machine's clock and its random generator for secrets."""

import base64
import secrets
import time
from functools import lru_cache

from service.ports.outside import SECRET_BYTES, Purpose


@lru_cache(maxsize=2)
def _to_the_second(second: int) -> str:
    """Kept for the second, because every command of a busy service asks."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))


class Machine:
    """`Outside` of a running service."""

    def now(self) -> str:
        """See `Outside.now`."""
        second, millisecond = divmod(time.time_ns() // 1_000_000, 1_000)
        return f"{_to_the_second(second)}.{millisecond:03d}Z"

    def game_id(self) -> str:
        """See `Outside.game_id`."""
        return base64.b32encode(secrets.token_bytes(13))[:20].decode().lower()

    def secret(self, purpose: Purpose) -> bytes:  # noqa: ARG002 -- for those who must tell secrets apart; here all are random
        """See `Outside.secret`."""
        return secrets.token_bytes(SECRET_BYTES)
