"""Contestants: commands of 50 games at once over WebSockets, each sent by the seat whose turn it is; its answer brings the next one.

Each answer is held against what the domain alone had told, as over HTTP (`serving`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import uvloop

from tests.bench.folder import FOLDER
from tests.bench.load import LoadFailed, WebSocket, frame, upgrade
from tests.bench.matches import GAMES, MOVES, PATIENCE, told
from tests.bench.plans import Plan, encode, plans
from tests.bench.sample import Round, Sample, share
from tests.bench.serving import answering, server
from tests.bench.streaming import open_game

ANSWER = b'{"type":"answer",'
EVENT = b'{"type":"event",'
HELLO = b'{"type":"hello",'


class Seat(WebSocket):
    """A seat's connection."""

    def __init__(self, asked: bytes, match: Match) -> None:
        super().__init__(asked)
        self._match = match
        self.events = 0

    def hear(self, text: bytes) -> None:
        """Take a frame."""
        if text.startswith(EVENT):
            self.events += 1
            self._match.told()
        elif text.startswith(ANSWER):
            self._match.answered(text)
        elif text.startswith(HELLO):
            self._match.joined()

    def failed(self, why: Exception) -> None:
        """Nothing more will come."""
        self._match.fail(why)


class Match:
    """One game: its seats, and its commands one after another."""

    def __init__(self, game: Plan, path: str, tokens: Sequence[str], query: str, readers: int) -> None:
        """So many `readers` are told of each commit."""
        loop = asyncio.get_running_loop()
        self.here: asyncio.Future[None] = loop.create_future()
        self.over: asyncio.Future[None] = loop.create_future()
        self.asked = [upgrade(f"{path}/socket{query}", token) for token in tokens]
        self.seats: list[Seat] = []
        self.latencies: list[float] = []
        self._game = game
        self._frames = [
            frame(b'{"type":"command","id":"%d","key":"step-%d","command":%b}' % (number, number, encode(step.command)))
            for number, step in enumerate(game.steps)
        ]
        self._bodies: list[bytes] = []
        self._missing = len(game.steps) * (1 + readers)
        self._sent_at = 0.0
        self._joined = 0

    def joined(self) -> None:
        """A seat is at the table."""
        self._joined += 1
        if self._joined == len(self.asked):
            self.here.set_result(None)

    def command(self) -> None:
        """Send the next command, by whose turn it is."""
        number = len(self.latencies)
        self._sent_at = time.perf_counter()
        self.seats[self._game.steps[number].seat].transport.write(self._frames[number])

    def answered(self, body: bytes) -> None:
        """The command was done, or refused."""
        self.latencies.append(time.perf_counter() - self._sent_at)
        self._bodies.append(body)
        if b',"status":201,' not in body:
            self.fail(LoadFailed(body.decode()))
        elif len(self._bodies) < len(self._frames):
            self.command()
        self.told()

    def told(self) -> None:
        """An answer or an event came."""
        self._missing -= 1
        if not self._missing and not self.over.done():
            self.over.set_result(None)

    def fail(self, why: Exception) -> None:
        """Nothing more will come."""
        for future in (self.here, self.over):
            if not future.done():
                future.set_exception(why)

    def check(self) -> None:
        """Raise `AssertionError` unless the domain told the same."""
        for step, body in zip(self._game.steps, self._bodies, strict=True):
            if b'"events":[%b]' % step.told not in body:
                raise AssertionError(f"answered {body!r}, but the domain told {step.told!r}")


@contextmanager
def _omenlog(scale: int, *, workers: int, follow: bool) -> Iterator[Round]:
    games = plans(GAMES, least=share(MOVES, scale))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(dir=FOLDER) as folder,
        server("omenlog", str(Path(folder) / "socketed.db"), str(workers)) as address,
        httpx.Client(base_url=address) as client,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):

        def play_round() -> Sample:
            opened = [open_game(client, game) for game in games]
            versions = [client.get(path).json()["version"] for path, _, _ in opened]
            played = runner.run(_play(address, games, opened, versions, follow=follow))
            played.notes["processes"] = answering(address, "/socket")
            return played

        yield play_round


async def _play(
    address: str,
    games: Sequence[Plan],
    opened: Sequence[tuple[str, list[str], str]],
    versions: Sequence[int],
    *,
    follow: bool,
) -> Sample:
    host, _, port = address.removeprefix("http://").partition(":")
    connect = asyncio.get_running_loop().create_connection
    matches = []
    for game, (path, tokens, _), version in zip(games, opened, versions, strict=True):
        query = f"?after={version}" if follow else f"?after={version}&events=false"
        match = Match(game, path, tokens, query, len(tokens) if follow else 0)
        for asked in match.asked:
            match.seats.append((await connect(partial(Seat, asked, match), host, int(port)))[1])
        matches.append(match)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*[match.here for match in matches])
        begun = time.perf_counter()
        for match in matches:
            match.command()
        await asyncio.gather(*[match.over for match in matches])
        seconds = time.perf_counter() - begun
    for match in matches:
        match.check()
        if {seat.events for seat in match.seats} != {len(match.latencies) if follow else 0}:
            raise AssertionError("a seat was told too little, or too much")
        for seat in match.seats:
            seat.transport.close()
    latencies = [latency for match in matches for latency in match.latencies]
    return told(len(latencies), seconds, latencies)


def alone(scale: int) -> AbstractContextManager[Round]:
    """Nobody is told of anything but the answers."""
    return _omenlog(scale, workers=1, follow=False)


def followed(scale: int) -> AbstractContextManager[Round]:
    """Each of four seats is told of every commit, by two processes."""
    return _omenlog(scale, workers=2, follow=True)
