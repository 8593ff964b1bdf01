"""Contestants: one game and all who follow it live, against a bare stream of the same bytes.

A command is posted, and the next one when every reader has the commit of the last. A delay runs from the posting of a command to
the commit's last byte at a reader; ours includes the decision and the fsync, the peer's neither. A reader who misses one fails.
"""

from __future__ import annotations

import asyncio
import resource
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, cast

import httpx
import uvloop

from service.games.follow.streams import News
from service.http.live import sse
from service.identity import Caller
from tests.bench.folder import FOLDER
from tests.bench.load import Connection, percentile, request
from tests.bench.plans import Plan, enact, encode, plans, serve
from tests.bench.sample import Round, Sample, share
from tests.bench.serving import post_json, running

PATIENCE = 60.0
COMMANDS = {200: 60, 1000: 20}
"""In a full round, by readers."""
GAMES = 100
"""Live games, of whose memory the mean is said."""
LAST = b"}}\n\n"
"""How a commit's frame ends, and nothing else."""


class Memory:
    """What a process holds more than before its first readers came: later ones sit where those had been."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before = 0

    def begin(self) -> None:
        """Readers come."""
        self._before = self._before or resident(self._pid)

    def grown(self) -> int:
        """Bytes."""
        return resident(self._pid) - self._before


class Listening(Protocol):
    """Who hears of what readers are told."""

    def joined(self) -> None:
        """One follows from now on."""

    def told(self, frames: int) -> None:
        """One was told so many commits."""


class Reader(asyncio.Protocol):
    """One who follows: counts what came, and when."""

    def __init__(self, asked: bytes, crowd: Listening) -> None:
        self._asked = asked
        self._crowd = crowd
        self._tail = b""
        self.came = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._asked)

    def data_received(self, data: bytes) -> None:
        """Count the frames that end here."""
        data = self._tail + data
        if b"retry: 2000\n\n" in data:
            self._crowd.joined()
        self._tail = data[-(len(LAST) - 1) :]
        if found := data.count(LAST):
            self.came += found
            self._crowd.told(found)


class Poster(Connection):
    """Sends the next request when it is told to, not when the last one is answered."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        super().__init__(requests)
        self._hushed = True
        self._news = asyncio.Event()

    def send(self) -> None:
        """Called when the last answer came: now is not the time."""
        if not self._hushed:
            super().send()
        self._hushed = True

    def post(self) -> None:
        """Send the next request."""
        self._hushed = False
        self.send()

    def data_received(self, data: bytes) -> None:
        """Take an answer."""
        super().data_received(data)
        self._news.set()

    async def answered(self, count: int) -> None:
        """Wait until so many were answered."""
        while len(self.bodies) < count:
            self._news.clear()
            await self._news.wait()


class Crowd:
    """All readers of a round."""

    def __init__(self, size: int) -> None:
        self.delays: list[float] = []
        self.all_here = asyncio.Event()
        self.all_told = asyncio.Event()
        self._size = size
        self._here = 0
        self._missing = 0
        self._posted = 0.0

    def post(self) -> None:
        """A command is posted now: each is to be told once."""
        self.all_told.clear()
        self._missing = self._size
        self._posted = time.perf_counter()

    def joined(self) -> None:
        """One follows from now on."""
        self._here += 1
        if self._here == self._size:
            self.all_here.set()

    def told(self, frames: int) -> None:
        """One was told."""
        self.delays.append(time.perf_counter() - self._posted)
        self._missing -= frames
        if not self._missing:
            self.all_told.set()


def deliver(address: str, asked: bytes, size: int, posts: Sequence[bytes], server: Memory) -> Sample:
    """Let so many follow, post one request after another, and time what they are told."""
    _more_files(size)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_deliver(address, asked, size, posts, server))


async def _deliver(address: str, asked: bytes, size: int, posts: Sequence[bytes], server: Memory) -> Sample:
    host, _, port = address.removeprefix("http://").partition(":")
    loop = asyncio.get_running_loop()
    crowd = Crowd(size)
    server.begin()
    readers = []
    for _ in range(size):
        _, reader = await loop.create_connection(partial(Reader, asked, crowd), host, int(port))
        readers.append(reader)
    await asyncio.wait_for(crowd.all_here.wait(), PATIENCE)
    held = server.grown()
    _, poster = await loop.create_connection(partial(Poster, posts), host, int(port))
    begun = time.perf_counter()
    for number in range(1, len(posts) + 1):
        crowd.post()
        poster.post()
        await asyncio.wait_for(crowd.all_told.wait(), PATIENCE)
        await poster.answered(number)
    seconds = time.perf_counter() - begun
    await poster.done
    if {reader.came for reader in readers} != {len(posts)}:
        raise AssertionError("a reader was told too little, or too much")
    for reader in readers:
        reader.transport.close()
    await asyncio.sleep(0.5)
    notes = {"p50 ms": 1000 * percentile(crowd.delays, 0.5), "p99 ms": 1000 * percentile(crowd.delays, 0.99)}
    return Sample(count=len(crowd.delays), seconds=seconds, notes={**notes, "KiB a reader": held / 1024 / size})


@contextmanager
def _omenlog(size: int, scale: int) -> Iterator[Round]:
    (game,) = plans(1, least=share(COMMANDS[size], scale))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=FOLDER) as folder,
        running("omenlog", str(Path(folder) / "streams.db")) as (address, pid),
        httpx.Client(base_url=address) as client,
    ):
        server = Memory(pid)

        def play_round() -> Sample:
            path, seats, spectator = open_game(client, game)
            version = client.get(path).json()["version"]
            asked = subscription(f"{path}/events?after={version}", spectator)
            posts = [
                request(f"{path}/commands", seats[step.seat], f"step-{number}", encode(step.command))
                for number, step in enumerate(game.steps)
            ]
            return deliver(address, asked, size, posts, server)

        yield play_round


@contextmanager
def _peer(size: int, scale: int) -> Iterator[Round]:
    (game,) = plans(1, least=share(COMMANDS[size], scale))
    posts = [request("/frames", "none", "none", frame) for frame in asyncio.run(_frames(game))]
    with running("streaming") as (address, pid):
        server = Memory(pid)
        yield lambda: deliver(address, subscription("/frames", "none"), size, posts, server)


async def _frames(game: Plan) -> list[bytes]:
    """What a spectator is told of the game's commands, as the service would send it."""
    service = await serve("memory:")
    try:
        name = await enact(service, game)
        page = await service.reading.page(Caller(name, "spectator-1", "spectator"), 0, 10_000)
        return [sse(News(number, event)) for number, event in enumerate(page.events, 1)][-len(game.steps) :]
    finally:
        await service.close()


def few(scale: int) -> AbstractContextManager[Round]:
    """One game, 200 readers."""
    return _omenlog(200, scale)


def many(scale: int) -> AbstractContextManager[Round]:
    """One game, 1,000 readers."""
    return _omenlog(1000, scale)


def few_plain(scale: int) -> AbstractContextManager[Round]:
    """200 readers of a Litestar `Stream`."""
    return _peer(200, scale)


def many_plain(scale: int) -> AbstractContextManager[Round]:
    """1,000 readers of a Litestar `Stream`."""
    return _peer(1000, scale)


@contextmanager
def live_games(scale: int) -> Iterator[Round]:
    """What the process holds more for each game that is opened and played for 60 commands; 100 games in a round."""
    number = share(GAMES, scale)
    games = plans(number, least=60)
    with running("omenlog", ":memory:") as (address, pid), httpx.Client(base_url=address) as client:

        def play_round() -> Sample:
            before, begun = resident(pid), time.perf_counter()
            for game in games:
                path, seats, _ = open_game(client, game)
                for step in game.steps:
                    post_json(client, f"{path}/commands", encode(step.command), seats[step.seat])
            held = resident(pid) - before
            seconds = time.perf_counter() - begun
            return Sample(count=number, seconds=seconds, notes={"KiB a game": held / 1024 / number})

        yield play_round


def open_game(client: httpx.Client, game: Plan) -> tuple[str, list[str], str]:
    """Open a planned game and start it: its path, the tokens of its seats, and a spectator's."""
    opened = post_json(client, "/v1/games", encode(game.asked), "")
    path, tokens = f"/v1/games/{opened['game']['id']}", opened["tokens"]
    post_json(client, f"{path}/start", b"", tokens["host"]["secret"])
    return path, [seat["secret"] for seat in tokens["seats"]], tokens["spectators"][0]["secret"]


def subscription(path: str, token: str) -> bytes:
    """A request for a live stream, as a plain HTTP client would send it."""
    head = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n"
    )
    return head.encode()


def resident(pid: int) -> int:
    """Bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def _more_files(readers: int) -> None:
    """Each reader is an open file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = readers + 200
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard >= 0 else wanted, hard))
