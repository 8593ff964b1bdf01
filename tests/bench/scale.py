"""`./dev bench --scale`: 10,000 live games on one machine, by stores, workers and loads, and what a command costs late in a game."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import resource
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import httpx
import msgspec
import uvloop

from service.server import settle_garbage
from service.settings import Settings
from tests.bench import bots
from tests.bench.bots import Address, Game
from tests.bench.capacity import CLUSTER, REDIS, SQLITE, Late, Load, Stored
from tests.bench.folder import FOLDER, ROOT
from tests.bench.load import LoadFailed, percentile
from tests.bench.plans import Plan, plans
from tests.support.redis import Server, cluster, server

OVERLOADED = 1_000.0
"""Milliseconds of the 99th percentile beyond which no greater load is tried."""
OPENING_WORKERS = 2
HELD = Settings().games_in_memory
"""Games that a worker holds in memory, as the service is set by default."""
LONGEST = 140
"""Commands of a planned game, as many as the bots of the demo need for one."""
PLANS = 50
PROGRESS = 5.0
"""Seconds between two lines about games that are opened."""
LATE_GAMES, LATE_PAIRS = 10, 20
"""Games at each commit, and lists with commands in each: one half with the game in memory, the other where it is brought in each time."""
FILES = 16_384

T = TypeVar("T")


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How much is done."""

    games: int
    played: int
    """Commands at the most that a game has when the loads begin; it is random how many."""
    workers: dict[str, tuple[int, ...]]
    """By store."""
    loads: tuple[int, ...]
    """Commands a second."""
    warm_up: float
    seconds: float
    quiet: float
    """Seconds without a command, in which the service is watched."""
    late: tuple[int, ...]
    """Commits at which a command's cost is found; the first is what the others are compared with."""


FULL = Size(
    games=10_000,
    played=60,
    workers={SQLITE: (1, 2, 4), REDIS: (1, 2, 4), CLUSTER: (2,)},
    loads=(100, 250, 500, 1_000),
    warm_up=3.0,
    seconds=15.0,
    quiet=61.0,
    late=(20, 200, 2_000),
)
QUICK = Size(
    games=200,
    played=10,
    workers={SQLITE: (2,), REDIS: (2,), CLUSTER: (2,)},
    loads=(20,),
    warm_up=0.5,
    seconds=2.0,
    quiet=0.5,
    late=(20, 60),
)


def measure(size: Size) -> tuple[list[Load], list[Stored], list[Late]]:
    """Everything, with a line now and then of what is done."""
    _more_files()
    planned = plans(PLANS, least=LONGEST)
    settle_garbage()
    loads: list[Load] = []
    stores: list[Stored] = []
    for kind, workers in size.workers.items():
        with _store(kind) as (address, servers):
            bench = Bench(kind, address, servers, size, planned)
            bench.fill()
            for number in workers:
                loads += bench.load(number)
            stores.append(bench.stored())
    return loads, stores, _late(size)


class Bench:
    """One store with its games."""

    def __init__(self, kind: str, store: str, servers: Sequence[Server], size: Size, planned: Sequence[Plan]) -> None:
        self._kind = kind
        self._store = store
        self._servers = [one.pid for one in servers]
        self._redis = servers
        self._size = size
        self._lot = random.Random(7)
        self._games = [Game(plan) for plan in itertools.islice(itertools.cycle(planned), size.games)]
        self._starts: dict[str, float] = {}
        self._quiet_us = self._quiet_store_us = 0.0

    def fill(self) -> None:
        """Open all games and play some of each."""
        before = self._bytes()
        with _serving(self._store, OPENING_WORKERS) as (address, service, empty):
            fresh = _memory(service)
            _say(f"{self._kind}: started with nothing in the store in {empty:.2f} s, {fresh / 2**20:.0f} MiB")
            empty_us, empty_store_us = self._watch(service, self._size.quiet / 6)
            told, begun = time.perf_counter(), time.perf_counter()

            def tell(opened: int) -> None:
                nonlocal told
                if time.perf_counter() - told > PROGRESS:
                    told = time.perf_counter()
                    _say(f"  {opened} games are open")

            wanted = [(game, self._lot.randrange(self._size.played)) for game in self._games]
            _run(bots.open_all(Address(address), wanted, tell))
            seconds = time.perf_counter() - begun
            commands = sum(game.at for game in self._games)
            _say(f"  opened {len(self._games)} games and played {commands} commands in {seconds:.1f} s")
        kept = self._bytes() - before
        self._filled = Stored(
            store=self._kind,
            games=len(self._games),
            commands=commands / len(self._games),
            opening_seconds=seconds,
            empty_start=empty,
            starts={},
            kib=kept / 1024 / len(self._games),
            empty_us=empty_us,
            quiet_us=0.0,
            empty_store_us=empty_store_us,
            share=0.0,
        )

    def load(self, workers: int) -> Iterator[Load]:
        """All loads, one after the other, until one is too much; with `OPENING_WORKERS` a time without any, too."""
        with _serving(self._store, workers) as (address, service, started):
            self._starts[str(workers)] = started
            _say(f"{self._kind}, {workers} workers: started with all games in {started:.2f} s")
            for offered in self._size.loads:
                found = self._step(Address(address), service, workers, offered)
                _say(f"  {found.line()}")
                yield found
                if found.command_p99 > OVERLOADED:
                    break
            if workers == OPENING_WORKERS:
                self._quiet_us, self._quiet_store_us = self._watch(service, self._size.quiet)

    def _watch(self, service: int, seconds: float) -> tuple[float, float]:
        """Microseconds of a processor in a second while nobody plays, for each worker: its own, and those of the store's servers."""
        before = self._used(service)
        time.sleep(seconds)
        own, servers, _ = (
            1e6 * (now - then) / seconds / OPENING_WORKERS
            for now, then in zip(self._used(service), before, strict=True)
        )
        _say(f"  each worker uses {own / 1e6:.2%} of a core while nobody plays, and {servers / 1e6:.2%} of Redis's")
        return own, servers

    def stored(self) -> Stored:
        """What was found of the store."""
        busy = [_busy([pid]) for pid in self._servers]
        return msgspec.structs.replace(
            self._filled,
            starts=self._starts,
            quiet_us=self._quiet_us,
            quiet_store_us=self._quiet_store_us,
            share=max(busy) / sum(busy) if busy else 0.0,
        )

    def _step(self, address: Address, service: int, workers: int, offered: int) -> Load:
        size = self._size
        before, played = self._used(service), sum(game.at for game in self._games)
        found = _run(
            bots.play(address, self._games, rate=offered, warm_up=size.warm_up, seconds=size.seconds, lot=self._lot)
        )
        if found.refused and offered == size.loads[0]:
            raise LoadFailed(found.refused[0])
        used = [now - then for now, then in zip(self._used(service), before, strict=True)]
        done = sum(game.at for game in self._games) - played
        return Load(
            store=self._kind,
            workers=workers,
            offered=offered,
            done=found.in_time / size.seconds,
            refused=len(found.refused),
            list_p50=1000 * percentile(found.lists, 0.5),
            list_p99=1000 * percentile(found.lists, 0.99),
            command_p50=1000 * percentile(found.commands, 0.5),
            command_p99=1000 * percentile(found.commands, 0.99),
            service_us=1e6 * used[0] / done,
            store_us=1e6 * used[1] / done,
            client_us=1e6 * used[2] / done,
            mib=_memory(service) / 2**20,
        )

    def _used(self, service: int) -> tuple[float, float, float]:
        """Seconds of processors: of the service, of the store's own servers, of this process."""
        return _busy([service, *_children(service)]), _busy(self._servers), time.process_time()

    def _bytes(self) -> int:
        """What the store takes: on the disk, or of a Redis's memory."""
        if not self._redis:
            path = Path(self._store.removeprefix("sqlite:///"))
            return sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*"))
        total = 0
        for one in self._redis:
            with contextlib.closing(one.client()) as client:
                total += client.info("memory")["used_memory"]
        return total


def _late(size: Size) -> list[Late]:
    """What a list and a command cost at a commit, in a game that is in memory, and in one that has to be brought there first."""
    (plan, *_) = plans(1, least=size.late[-1] + 2 * LATE_PAIRS + 2, haunted=False)
    groups = {commit: [Game(plan) for _ in range(LATE_GAMES)] for commit in size.late}
    costs: dict[tuple[int, int], tuple[float, float]] = {}
    with _store(SQLITE) as (store, _):
        for held in (HELD, 1):
            with _serving(store, 1, held) as (address, service, _):
                if held == HELD:
                    # So that the cost is that around the commit; the first commits are of the opening.
                    wanted = [
                        (game, commit - LATE_PAIRS // 2 - 5) for commit, games in groups.items() for game in games
                    ]
                    _run(bots.open_all(Address(address), wanted, lambda _: None))
                for commit, games in groups.items():
                    costs[held, commit] = _run(_pairs(Address(address), service, games))
    found = [Late(commit, *costs[HELD, commit], *costs[1, commit]) for commit in size.late]
    for one in found:
        _say(f"  at commit {one.commit}: {one.us:.0f} us of the processor, {one.cold_us:.0f} if it was not in memory")
    return found


async def _pairs(address: Address, service: int, games: Sequence[Game]) -> tuple[float, float]:
    """Microseconds of the service's processor for a list and a command, and the median milliseconds of a list."""
    line = await address.connect()
    for game in games:  # brings each into memory, with what its seats know
        for listing in game.listings():
            await line.ask(listing)
    before, waits = _busy([service]), []
    rounds = LATE_PAIRS // 2
    for _ in range(rounds):
        waits += [await _pair(line, game) for game in games]
    used = _busy([service]) - before
    line.transport.close()
    return 1e6 * used / rounds / len(games), 1000 * percentile(waits, 0.5)


async def _pair(line: bots.Line, game: Game) -> float:
    """List and command; gives the seconds of the list."""
    begun = time.perf_counter()
    await line.ask(game.listing())
    took = time.perf_counter() - begun
    game.answered(await line.ask(game.command()))
    return took


@contextmanager
def _store(kind: str) -> Iterator[tuple[str, Sequence[Server]]]:
    """An empty store: its address, and the servers that hold it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=FOLDER) as folder:
        if kind == SQLITE:
            yield f"sqlite:///{folder}/scale.db", ()
        elif kind == REDIS:
            with server(Path(folder)) as one:
                yield one.url, (one,)
        else:
            with cluster(Path(folder)) as masters:
                yield "redis+cluster://" + ",".join(f"127.0.0.1:{one.port}" for one in masters), masters


@contextmanager
def _serving(store: str, workers: int, held: int = HELD) -> Iterator[tuple[str, int, float]]:
    """The service on a store: its address, its process, and the seconds until it was ready."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "tests.bench.servers.omenlog", store, str(workers), str(held)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                raise RuntimeError("the service did not start")
            health = httpx.get(f"{address}/health/ready", timeout=60).raise_for_status().json()
            if not health["durable"]:
                raise RuntimeError(f"the store is not durable: {health}")
            yield address, process.pid, time.perf_counter() - begun
        finally:
            process.terminate()


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def _memory(pid: int) -> int:
    """Bytes that a process and its children hold; of what several share each is charged its part (PSS)."""
    total = 0
    for one in (pid, *_children(pid)):
        lines = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii").splitlines()
        total += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total * 1024


def _busy(pids: Sequence[int]) -> float:
    """Seconds that the threads of processes have run."""
    total = 0
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):  # a thread that has just ended
                total += int((task / "schedstat").read_text(encoding="ascii").split(" ", 1)[0])
    return total / 1e9


def _run(playing: Coroutine[None, None, T]) -> T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(playing)


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def _more_files() -> None:
    """Each bot that is awake is an open file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard < 0 else min(FILES, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
