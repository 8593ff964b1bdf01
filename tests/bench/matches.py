"""Contestant: matches on boardgame.io's server, each with four players who are connected and told of every move.

As much of its transport (socket.io 4 on a WebSocket) as it takes, so that the client costs little beside the server; its frames
are made before the clock starts. A player moves when the one before has been told that their move counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import msgspec
import uvloop

from tests.bench.load import WebSocket, frame, percentile, upgrade
from tests.bench.node import boardgame
from tests.bench.sample import Round, Sample, share

GAMES = 50
PLAYERS = 4
MOVES = 120
"""Moves of each match in a full round."""
CELLS = 9
PATIENCE = 120.0
"""Seconds for a round, its preparation included."""

UPGRADE = upgrade("/socket.io/?EIO=4&transport=websocket")
SPACE = b"/marks,"
"""The namespace of the game."""
UPDATE = b'42/marks,["update",'
SYNC = b'42/marks,["sync",'


def _event(*arguments: object) -> bytes:
    return frame(b"42" + SPACE + msgspec.json.encode(arguments))


class Player(WebSocket):
    """One player's connection."""

    def __init__(self, match: Match, seat: int) -> None:
        super().__init__(UPGRADE)
        self._match = match
        self._seat = seat
        self.updates = 0

    def failed(self, why: Exception) -> None:
        """Nothing more will come."""
        self._match.fail(why)

    def hear(self, text: bytes) -> None:
        """Take a message of socket.io's."""
        if text.startswith(UPDATE):
            self.updates += 1
            self._match.updated(self._seat, self.updates)
        elif text.startswith(SYNC):
            self._match.joined()
        elif text.startswith(b"40" + SPACE):
            self.transport.write(_event("sync", self._match.name, str(self._seat), None, PLAYERS))
        elif text.startswith(b"0"):
            self.transport.write(frame(b"40" + SPACE))
        elif text == b"2":
            self.transport.write(frame(b"3"))


class Match:
    """One match: its players, and its moves one after another."""

    def __init__(self, name: str, moves: int) -> None:
        loop = asyncio.get_running_loop()
        self.name = name
        self.here: asyncio.Future[None] = loop.create_future()
        self.over: asyncio.Future[None] = loop.create_future()
        self.latencies: list[float] = []
        self.players: list[Player] = []
        self._joined = 0
        self._missing = moves * PLAYERS
        self._moves = [
            _event("update", {"type": "MAKE_MOVE", "payload": _mark(number)}, number, name, str(number % PLAYERS))
            for number in range(moves)
        ]
        self._sent_at = 0.0

    def joined(self) -> None:
        """A player is at the table."""
        self._joined += 1
        if self._joined == PLAYERS:
            self.here.set_result(None)

    def move(self) -> None:
        """Send the next move, by whose turn it is."""
        number = len(self.latencies)
        self._sent_at = time.perf_counter()
        self.players[number % PLAYERS].transport.write(self._moves[number])

    def updated(self, seat: int, number: int) -> None:
        """A player was told of a move; if it was their own, the next one is sent."""
        self._missing -= 1
        if number == len(self.latencies) + 1 and seat == (number - 1) % PLAYERS:
            self.latencies.append(time.perf_counter() - self._sent_at)
            if number < len(self._moves):
                self.move()
        if not self._missing:
            self.over.set_result(None)

    def fail(self, why: Exception) -> None:
        """Nothing more will come."""
        for future in (self.here, self.over):
            if not future.done():
                future.set_exception(why)


def _mark(number: int) -> dict[str, object]:
    return {"type": "mark", "args": [number % CELLS], "playerID": str(number % PLAYERS)}


@contextmanager
def boardgame_io(scale: int) -> Iterator[Round]:
    """Each round opens 50 new matches and plays them at once."""
    played = 0
    with boardgame() as address, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:

        def play_round() -> Sample:
            nonlocal played
            played += 1
            return runner.run(_play(address, f"{played}", share(MOVES, scale)))

        yield play_round


async def _play(address: str, salt: str, moves: int) -> Sample:
    host, _, port = address.removeprefix("http://").partition(":")
    loop = asyncio.get_running_loop()
    matches = [Match(f"match-{salt}-{number}", moves) for number in range(GAMES)]
    for match in matches:
        for seat in range(PLAYERS):
            _, player = await loop.create_connection(partial(Player, match, seat), host, int(port))
            match.players.append(player)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*[match.here for match in matches])
        begun = time.perf_counter()
        for match in matches:
            match.move()
        await asyncio.gather(*[match.over for match in matches])
        seconds = time.perf_counter() - begun
    for match in matches:
        for player in match.players:
            player.transport.close()
    return told(moves * GAMES, seconds, [latency for match in matches for latency in match.latencies])


def told(count: int, seconds: float, latencies: list[float]) -> Sample:
    """A round in which so many commands were answered, and told to all who follow."""
    notes = {"p50 ms": 1000 * percentile(latencies, 0.50), "p99 ms": 1000 * percentile(latencies, 0.99)}
    return Sample(count=count, seconds=seconds, notes=notes)
