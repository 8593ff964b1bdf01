"""The service as it is run, on the SQLite file named: `python -m tests.bench.servers.omenlog /path/to/games.db`."""

import sys

from service.server import serve
from service.settings import Settings


def main() -> None:
    """Serve until the process is ended."""
    # A thousand games are opened from one address, and one token follows a thousand times: that is the load, no attack.
    where = "memory:" if sys.argv[1] == ":memory:" else f"sqlite:///{sys.argv[1]}"
    settings = Settings(
        store=where,
        packs="second-edition",
        port=0,
        log_level="warning",
        anonymous_rate=0,
        token_rate=0,
        streams_per_token=2000,
        spectator_streams_per_game=2000,
    )
    serve(settings, ready=lambda address: print(address, flush=True))


if __name__ == "__main__":
    main()
