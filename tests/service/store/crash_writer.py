"""A process that appends as fast as it can and tells what was acknowledged, until somebody kills it.

Arguments: the database file, and the number of this run. Each line on standard output is one acknowledgement,
`game number key`, written after the store has answered.
"""

import asyncio
import os
import sys

from service.store.port import Applied, Conflict, NewGame
from service.store.sqlite import writer
from service.store.sqlite.log import SqliteLogStore

GAMES = 4
WORKERS_PER_GAME = 6
"""They race for each version of their game; but in every second run a single one plays alone, which the event loop writes by itself."""


def body(key: str) -> bytes:
    """A commit that tells its key, about as long as a real one."""
    return key.encode().ljust(1500, b".")


async def work(store: SqliteLogStore, game: str, worker: int, run: int) -> None:
    """Appends for ever, each commit under a key of its own."""
    version = await store.version(game) or 0
    turn = 0
    while True:
        key = f"{run}.{worker}.{turn}"
        answer = await store.append(game, version, body(key), key=key)
        if isinstance(answer, Conflict):
            version = answer.current
            continue
        if not isinstance(answer, Applied):
            sys.exit(f"{key} is new, but the store says {answer}")
        version = answer.version
        os.write(1, f"{game} {version} {key}\n".encode())
        turn += 1


async def main(path: str, run: int) -> None:
    """Opens the store, with its games, and lets the workers loose."""
    store = await SqliteLogStore.open(path)
    games = [f"g{number}" for number in range(GAMES)]
    for game in games:
        new = NewGame(id=game, created="2026-01-02T03:04:05Z", status="open", facts=b"")
        await store.create(new, creator="crash test", key=game)
    if run % 2:
        writer.QUICK = 60.0  # however slow the disk
        await work(store, games[0], 0, run)
    await asyncio.gather(*(work(store, game, worker, run) for game in games for worker in range(WORKERS_PER_GAME)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
