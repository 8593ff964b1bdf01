"""A load of bots that think: in many games they list what they may do, think, act, idle, and come back.

When each request is to be sent is settled before the first one is answered, and a latency counts from that moment: if the service falls behind,
the wait shows. A bot does what was decided beforehand (`plans`), so that it costs little beside the service, and has a connection of its own.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Callable, Iterable, Sequence
from typing import cast

import msgspec

from tests.bench.load import LoadFailed, request
from tests.bench.plans import Plan, encode

BURST = 8
"""Commands of a game between two rests."""
THINK = 0.5
"""Seconds, on average, that a bot thinks over a list, and that pass from a command to the next list."""
STAY = BURST * 2 * THINK
OPENERS = 32
"""Games that are opened at once."""


class Line(asyncio.Protocol):
    """A connection, on which one request at a time waits for its answer."""

    def __init__(self) -> None:
        self._received = b""
        self._answer: asyncio.Future[bytes] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to send."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The server hung up."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("the connection was closed"))

    def ask(self, sent: bytes) -> asyncio.Future[bytes]:
        """Send a request; gives the body of its answer, or raises `LoadFailed` for one that is not good."""
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(sent)
        return self._answer

    def data_received(self, data: bytes) -> None:
        """Take an answer, whole or in pieces."""
        received = self._received = self._received + data
        head, found, body = received.partition(b"\r\n\r\n")
        if not found or self._answer is None or self._answer.done():
            return
        at = head.lower().index(b"content-length:") + len(b"content-length:")
        if len(body) < int(head[at:].partition(b"\r\n")[0]):
            return
        self._received = b""
        if head.startswith(b"HTTP/1.1 20"):
            self._answer.set_result(body)
        else:
            self._answer.set_exception(LoadFailed(received.decode(errors="replace")))


class Address:
    """Where the service is."""

    def __init__(self, address: str) -> None:
        self._host, _, self._port = address.removeprefix("http://").partition(":")

    async def connect(self) -> Line:
        """Open a connection."""
        _, line = await asyncio.get_running_loop().create_connection(Line, self._host, int(self._port))
        return line


class Game:
    """A game that is played as planned."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.at = 0
        """Commands done."""
        self._path = ""
        self._seats: list[str] = []

    @property
    def left(self) -> int:
        """Commands that are planned and not done."""
        return len(self.plan.steps) - self.at

    @property
    def seat(self) -> int:
        """Who acts next."""
        return self.plan.steps[self.at].seat

    async def open(self, line: Line) -> None:
        """Open and start it."""
        opened = msgspec.json.decode(await line.ask(request("/v1/games", "", "", encode(self.plan.asked))))
        self._path, tokens = f"/v1/games/{opened['game']['id']}", opened["tokens"]
        await line.ask(request(f"{self._path}/start", tokens["host"]["secret"], "start", b""))
        self._seats = [seat["secret"] for seat in tokens["seats"]]

    def listings(self) -> list[bytes]:
        """The requests of all seats for what they may do."""
        return [self._listing(token) for token in self._seats]

    def listing(self) -> bytes:
        """The request for what the next one may do."""
        return self._listing(self._seats[self.seat])

    def _listing(self, token: str) -> bytes:
        head = (
            f"GET {self._path}/decisions HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nUser-Agent: omenlog-bench\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        )
        return head.encode()

    def command(self) -> bytes:
        """The request that does what comes next."""
        body = encode(self.plan.steps[self.at].command)
        return request(f"{self._path}/commands", self._seats[self.seat], f"step-{self.at}", body)

    def answered(self, body: bytes) -> None:
        """The command was answered. Raises `AssertionError` if its seat was told something else than was planned."""
        told = b'"events":[%b]' % self.plan.steps[self.at].told
        if told not in body:
            raise AssertionError(f"answered {body!r}, but the domain told {told!r}")
        self.at += 1

    async def play(self, line: Line, commands: int) -> None:
        """Do so many, one right after the other."""
        for _ in range(commands):
            self.answered(await line.ask(self.command()))


async def open_all(address: Address, games: Sequence[tuple[Game, int]], tell: Callable[[int], None]) -> None:
    """Open games and play so many commands in each; `tell` is told after each how many are open."""
    left, opened = iter(games), itertools.count(1)

    async def open_some() -> None:
        line = await address.connect()
        for game, commands in left:
            await game.open(line)
            await game.play(line, commands)
            tell(next(opened))
        line.transport.close()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(OPENERS):
            tasks.create_task(open_some())


class Latencies:
    """Of the requests that were to be sent between two moments, in seconds."""

    def __init__(self, since: float, end: float) -> None:
        self.lists: list[float] = []
        self.commands: list[float] = []
        self.in_time = 0
        """Commands that were answered before the end."""
        self.refused: list[str] = []
        """Answers that were not good, or connections that were lost twice: such a bot gives up, and sends the request again when its game wakes."""
        self.end = end
        self._since = since

    def listed(self, planned: float) -> None:
        """A list that was planned for a moment has come now."""
        if self._since <= planned < self.end:
            self.lists.append(time.perf_counter() - planned)

    def commanded(self, planned: float) -> None:
        """A command that was planned for a moment was answered now."""
        if self._since <= planned < self.end:
            now = time.perf_counter()
            self.commands.append(now - planned)
            self.in_time += now < self.end


class Visit:
    """The bots of a game, while they are awake."""

    def __init__(self, address: Address, game: Game) -> None:
        self._address = address
        self.game = game
        self._lines: dict[int, Line] = {}

    async def play(self, times: Iterable[tuple[float, float]], latencies: Latencies) -> None:
        """List and act at these times, as far as they come before the end."""
        for listed, posted in times:
            if listed > latencies.end or not self.game.left:
                break
            try:
                await _until(listed)
                await self._ask(self.game.listing())
                latencies.listed(listed)
                await _until(posted)
                self.game.answered(await self._ask(self.game.command()))
                latencies.commanded(posted)
            except (LoadFailed, OSError) as fault:
                latencies.refused.append(str(fault))
                break
        for line in self._lines.values():
            line.transport.close()

    async def _ask(self, sent: bytes) -> bytes:
        """Ask as who acts next; once more, under the same key, if the connection was closed meanwhile."""
        line = self._lines.get(self.game.seat)
        if line is not None and not line.transport.is_closing():
            try:
                return await line.ask(sent)
            except OSError:
                pass
        line = self._lines[self.game.seat] = await self._address.connect()
        return await line.ask(sent)


async def _until(moment: float) -> None:
    wait = moment - time.perf_counter()
    if wait > 0:
        await asyncio.sleep(wait)


async def play(
    address: Address, games: Iterable[Game], *, rate: float, warm_up: float, seconds: float, lot: random.Random
) -> Latencies:
    """So many commands a second, each after a list, for so many seconds, and some before that don't count.

    Games wake at random moments, as if some had been awake already, and rest once they have had `BURST` commands.
    """
    begun = time.perf_counter()
    latencies = Latencies(begun + warm_up, begun + warm_up + seconds)
    resting = [game for game in games if game.left > BURST]
    lot.shuffle(resting)
    async with asyncio.TaskGroup() as tasks:
        woken = begun - STAY
        while (woken := woken + lot.expovariate(rate / BURST)) < latencies.end:
            times = [one for one in _times(woken, lot) if one[0] >= begun]
            if not times:
                continue
            await _until(woken)
            if not resting:
                raise LoadFailed(f"all games are awake at {rate:g} commands a second: open more")
            tasks.create_task(_visit(Visit(address, resting.pop()), times, latencies, resting, lot))
    return latencies


async def _visit(
    visit: Visit, times: Iterable[tuple[float, float]], latencies: Latencies, resting: list[Game], lot: random.Random
) -> None:
    await visit.play(times, latencies)
    resting.insert(lot.randrange(len(resting) + 1), visit.game)


def _times(woken: float, lot: random.Random) -> list[tuple[float, float]]:
    """When a game that wakes then is listed and acted in."""
    times, moment = [], woken
    for _ in range(BURST):
        posted = moment + lot.expovariate(1 / THINK)
        times.append((moment, posted))
        moment = posted + lot.expovariate(1 / THINK)
    return times
