"""The service as it is run, on the SQLite file named, with so many workers: `python -m tests.bench.servers.omenlog /path/to/games.db 2`."""

import sys

from service.server import serve
from service.settings import Settings
from service.workers import serve_with_workers


def main() -> None:
    """Serve until the process is ended."""
    # A thousand games are opened from one address, and one token follows a thousand times: that is the load, no attack.
    where = "memory:" if sys.argv[1] == ":memory:" else f"sqlite:///{sys.argv[1]}"
    workers = sys.argv[2] if len(sys.argv) > 2 else "1"
    settings = Settings(
        store=where,
        workers=workers,
        packs="second-edition",
        port=0,
        log_level="warning",
        anonymous_rate=0,
        token_rate=0,
        streams_per_token=2000,
        spectator_streams_per_game=2000,
    )
    start = serve if workers == "1" else serve_with_workers
    start(settings, ready=lambda address: print(address, flush=True))


if __name__ == "__main__":
    main()
