"""The service as it is run: `python -m tests.bench.servers.omenlog /path/to/games.db 2 512`.

On the SQLite file, or the store by its address, with so many workers, each with so many games in memory.
"""

import sys

from service.server import serve
from service.settings import Settings
from service.workers import serve_with_workers


def main() -> None:
    """Serve until the process is ended."""
    # A thousand games are opened from one address, and one token follows a thousand times: that is the load, no attack.
    store, workers, games_in_memory, *_ = [*sys.argv[1:], *["1", "512"][len(sys.argv) - 2 :]]
    where = "memory:" if store == ":memory:" else store if "://" in store else f"sqlite:///{store}"
    settings = Settings(
        store=where,
        workers=workers,
        games_in_memory=int(games_in_memory),
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
