"""Contestant: commands of 50 games at once over HTTP, while each game's four seats follow it live.

A round ends when every command was answered after its fsync and every seat was told of each. Each answer is held against what
the domain alone had told, as where nobody follows (`serving`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import uvloop

from tests.bench.folder import FOLDER
from tests.bench.load import Connection, request
from tests.bench.matches import GAMES, MOVES, PATIENCE, told
from tests.bench.plans import Plan, encode, plans
from tests.bench.sample import Round, Sample, share
from tests.bench.serving import server
from tests.bench.streaming import Reader, open_game, subscription


class Seats:
    """All who follow, in all games."""

    def __init__(self, size: int, commits: int) -> None:
        """So many are to come, and to be told of so many commits each."""
        self.here = asyncio.Event()
        self.told_all = asyncio.Event()
        self._coming = size
        self._missing = size * commits

    def joined(self) -> None:
        """One follows from now on."""
        self._coming -= 1
        if not self._coming:
            self.here.set()

    def told(self, frames: int) -> None:
        """One was told."""
        self._missing -= frames
        if not self._missing:
            self.told_all.set()


@contextmanager
def omenlog(scale: int) -> Iterator[Round]:
    """Each round opens 50 new games, lets their seats follow and posts their commands."""
    games = plans(GAMES, least=share(MOVES, scale))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=FOLDER) as folder,
        server("omenlog", str(Path(folder) / "followed.db")) as address,
        httpx.Client(base_url=address) as client,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        yield lambda: runner.run(_play(address, games, *_opened(client, games)))


def _opened(client: httpx.Client, games: Sequence[Plan]) -> tuple[list[bytes], list[list[bytes]]]:
    """Open the games: the requests of all who will follow, and of those who command by game."""
    asked: list[bytes] = []
    posts: list[list[bytes]] = []
    for game in games:
        path, seats, _ = open_game(client, game)
        version = client.get(path).json()["version"]
        asked += [subscription(f"{path}/events?after={version}", seat) for seat in seats]
        commands = enumerate(game.steps)
        posts.append(
            [
                request(f"{path}/commands", seats[one.seat], f"step-{number}", encode(one.command))
                for number, one in commands
            ]
        )
    return asked, posts


async def _play(
    address: str, games: Sequence[Plan], asked: Sequence[bytes], posts: Sequence[Sequence[bytes]]
) -> Sample:
    host, _, port = address.removeprefix("http://").partition(":")
    connect = asyncio.get_running_loop().create_connection
    commits = len(games[0].steps)
    crowd = Seats(len(asked), commits)
    readers = [(await connect(partial(Reader, one, crowd), host, int(port)))[1] for one in asked]
    posters = [(await connect(partial(Connection, row), host, int(port)))[1] for row in posts]
    async with asyncio.timeout(PATIENCE):
        await crowd.here.wait()
        begun = time.perf_counter()
        for poster in posters:
            poster.send()
        await asyncio.gather(*[poster.done for poster in posters])
        await crowd.told_all.wait()
        seconds = time.perf_counter() - begun
    if {reader.came for reader in readers} != {commits}:
        raise AssertionError("a seat was told too little, or too much")
    for game, poster in zip(games, posters, strict=True):
        for step, body in zip(game.steps, poster.bodies, strict=True):
            if b'"events":[%b]' % step.told not in body:
                raise AssertionError(f"answered {body!r}, but the domain told {step.told!r}")
    for reader in readers:
        reader.transport.close()
    for poster in posters:
        poster.transport.close()
    return told(commits * len(games), seconds, [one for poster in posters for one in poster.latencies])
