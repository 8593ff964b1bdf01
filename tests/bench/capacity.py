"""What `./dev bench --scale` has found: the report, and what follows from it for those who operate, which `docs/scale.md` shows.

The report holds the figures as data too, so that the page can be written anew from it, and a test can hold that both say the same.
"""

from __future__ import annotations

import math

import msgspec

from tests.bench.folder import ROOT
from tests.bench.report import table

REPORT = ROOT / "BENCHMARKS-SCALE.md"
PAGE = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- written by ./dev bench --scale -->\n", "<!-- written so far -->\n"
"""Between which the page shows what follows from the report."""

SQLITE, REDIS, CLUSTER = "SQLite", "Redis", "Redis Cluster"
MASTERS = 3
"""Of the cluster that is measured."""
PROMPT = 50.0
"""Milliseconds that the 99th percentile of commands may take for a load to count as carried."""
BUSY = 0.7
"""Of a core that may be busy on average: beyond it queues grow quickly."""
FULL = 0.7
"""Of a master's memory that games may take: Redis needs some of it while it writes its log anew."""
HALFWAY = 70
"""Commands of an open game for which the page reckons: half of those that the bots of the demo need for a game."""
LOOKING = 0.1
"""Of each worker's core that may go into looking for what is due in all games of a service."""
GAMES = 1_000_000
"""Open games for which the page reckons."""
REDIS_GIB = 64
"""Memory of a master for which the page reckons."""
AIMS = {"p99 ms": 15.0, "MiB": 1024.0}
AIMED_AT = (SQLITE, 2, 500)
"""Store, workers and commands a second of which the aims speak."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """One load of one number of workers on one store."""

    store: str
    workers: int
    offered: int
    """Commands a second, each after a list."""
    done: float
    """Commands a second that were answered in time."""
    refused: int
    """Requests that got no good answer."""
    list_p50: float
    list_p99: float
    command_p50: float
    command_p99: float
    """Milliseconds, from when the request was to be sent."""
    service_us: float
    store_us: float
    client_us: float
    """Microseconds of a processor for a command and its list: the service's, its parent included; that of Redis servers; the load's own."""
    mib: float
    """Of the service's processes, at the end."""

    def line(self) -> str:
        """For the terminal."""
        return (
            f"{self.offered}/s: {self.done:.0f}/s done, p50 and p99 of lists {self.list_p50:.1f} and {self.list_p99:.1f} ms, of commands "
            f"{self.command_p50:.1f} and {self.command_p99:.1f} ms; {self.service_us:.0f} us, {self.mib:.0f} MiB"
        )


class Stored(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a store with all games costs."""

    store: str
    games: int
    commands: float
    """Of a game, on average, when the loads begin."""
    opening_seconds: float
    empty_start: float
    starts: dict[str, float]
    """Seconds, by number of workers: from the start of the process until it is ready."""
    kib: float
    """Of a game, on the disk or in Redis."""
    empty_us: float
    """Microseconds of a processor that each worker uses in a second while nobody plays, with nothing in the store."""
    quiet_us: float
    """The same with all games in it."""
    empty_store_us: float = 0.0
    quiet_store_us: float = 0.0
    """What each worker costs the Redis servers meanwhile."""
    share: float
    """Of the busiest Redis server in what all have done; 0 where there is none."""


class Late(msgspec.Struct, frozen=True):
    """What a list and a command cost around a commit: microseconds of a processor, and the median milliseconds of a list."""

    commit: int
    us: float
    list_ms: float
    cold_us: float
    """Where the game had to be brought into memory first."""
    cold_list_ms: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """All of it."""

    command: str
    date: str
    machine: dict[str, str]
    loads: list[Load]
    stores: list[Stored]
    late: list[Late]


INTRODUCTION = """\
# Benchmarks of scale

Written by `./dev bench --scale`; do not edit. [Scale](docs/scale.md) says what follows from it.

Bots play {games:,} games of four seats in bursts of 8 commands, each of which follows on a list of what the seat may do
(`GET /decisions`), and rest in between. A bot thinks half a second over a list, and as long passes until the next list, on
average. Each has a connection of its own. When requests are sent is settled beforehand, and latencies count from then, so that
queues show. Every answer to a command was what the domain alone had told that seat. Every commit was on the disk before it was
answered. The load runs on the same cores as the service and the store. With a p99 of commands above a second no greater load was tried.
"""

BY_LOAD = """\
## By load

Latencies in ms; processors' time in us for a command and its list; memory of the service in MiB, PSS of the parent and all workers.
"""

DATA = "## As data\n\n```json\n"


def markdown(figures: Figures) -> str:
    """The whole report."""
    loads = [
        [
            one.store,
            str(one.workers),
            f"{one.offered:,}",
            f"{one.done:,.0f}",
            f"{one.refused:,}",
            f"{one.list_p50:.1f}",
            f"{one.list_p99:.1f}",
            f"{one.command_p50:.1f}",
            f"{one.command_p99:.1f}",
            f"{one.service_us:.0f}",
            f"{one.store_us:.0f}" if one.store_us else "",
            f"{one.client_us:.0f}",
            f"{one.mib:.0f}",
        ]
        for one in figures.loads
    ]
    stores = [
        [
            one.store,
            f"{one.commands:.0f}",
            f"{one.opening_seconds:.0f}",
            f"{one.empty_start:.2f}",
            ", ".join(f"{seconds:.2f} ({workers})" for workers, seconds in one.starts.items()),
            f"{one.kib:.0f}",
            f"{one.empty_us / 1e4:.2f}",
            f"{one.quiet_us / 1e4:.2f}",
            f"{one.empty_store_us / 1e4:.2f}, {one.quiet_store_us / 1e4:.2f}" if one.quiet_store_us else "",
            f"{one.share:.0%}" if one.share else "",
        ]
        for one in figures.stores
    ]
    first = figures.late[0]
    late = [
        [
            f"{one.commit:,}",
            f"{one.us:.0f}",
            f"{one.us / first.us:.2f}x",
            f"{one.list_ms:.2f}",
            f"{one.cold_us:.0f}",
            f"{one.cold_us / first.cold_us:.2f}x",
            f"{one.cold_list_ms:.2f}",
        ]
        for one in figures.late
    ]
    parts = [
        INTRODUCTION.format(games=figures.stores[0].games),
        table(
            ["", ""], [["command", f"`{figures.command}`"], ["date", figures.date], *map(list, figures.machine.items())]
        ),
        BY_LOAD,
        table(
            [
                "store",
                "workers",
                "commands/s",
                "done in time",
                "refused",
                "list p50",
                "list p99",
                "command p50",
                "command p99",
                "service",
                "Redis",
                "load",
                "memory",
            ],
            loads,
        ),
        "## By store\n",
        table(
            [
                "store",
                "commands of a game before the loads",
                "s to open all and play these",
                "s to start, nothing in the store",
                "s to start with all games (workers)",
                "KiB of a game in the store",
                "% of a core for each worker while nobody plays, nothing in the store",
                "with all games",
                "of a core of Redis for each worker, both",
                "share of the busiest master",
            ],
            stores,
        ),
        "## By commit\n\nA list and a command, one worker, SQLite; then the same where the game has to be brought into memory first.\n",
        table(
            ["commit", "us", "of the first", "list p50, ms", "brought in, us", "of the first", "list p50, ms"],
            late,
        ),
        f"## Aims\n\n{_aims(figures)}",
        f"{DATA}{msgspec.json.format(msgspec.json.encode(figures), indent=1).decode()}\n```\n",
    ]
    return "\n".join(parts)


def read(report: str) -> Figures:
    """The figures of a report."""
    return msgspec.json.decode(report.partition(DATA)[2].partition("\n```")[0], type=Figures)


def _aims(figures: Figures) -> str:
    found = _load(figures, *AIMED_AT)
    if found is None:
        return "The load that the aims speak of was not reached.\n"
    first = figures.late[0]
    rows = [
        ("p99 of commands", "ms", found.command_p99, AIMS["p99 ms"]),
        ("memory after play", "MiB", found.mib, AIMS["MiB"]),
    ]
    store, workers, offered = AIMED_AT
    said = f"{store}, {workers} workers, {offered} commands/s:"
    told = [
        [f"{said} {name}", f"{value:.0f} {unit}", f"at most {aim:g} {unit}", _met(value, aim)]
        for name, unit, value, aim in rows
    ]
    told += [
        [
            f"a list and a command at commit {one.commit:,}",
            f"{one.us / first.us:.2f}x",
            "at most 1.2x",
            _met(one.us / first.us, 1.2),
        ]
        for one in figures.late[1:]
    ]
    return table(["figure", "measured", "aim", "met"], told)


def _met(value: float, aim: float) -> str:
    return "yes" if value <= aim else "no"


def _load(figures: Figures, store: str, workers: int, offered: int) -> Load | None:
    wanted = (store, workers, offered)
    return next((one for one in figures.loads if (one.store, one.workers, one.offered) == wanted), None)


def with_capacity(page: str, figures: Figures) -> str:
    """The page, with what follows from these figures."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{capacity(figures)}{END}{rest.partition(END)[2]}"


def capacity(figures: Figures) -> str:
    """What follows from the figures: what a core, a machine and a Redis carry, and what a million open games need."""
    reckoned = Reckoned(figures)
    core, far, one, many = reckoned.core, reckoned.far, reckoned.one, reckoned.many
    redis, spread = reckoned.stored(REDIS), reckoned.stored(CLUSTER)
    held = f"{reckoned.halfway_kib:.0f} KiB for a game of {HALFWAY} commands, as one of {redis.commands:.0f} has {redis.kib:.0f}"
    small = [
        *(
            [
                f"a core that serves, {where}",
                f"{share.carries:,.0f} commands/s",
                f"{BUSY:.0%} of its time, {share.us:.0f} us a command ({workers}, {share.offered:,}/s)",
            ]
            for where, workers, share in (("on SQLite", "1 worker", core), ("on a Redis Cluster", "2 workers", far))
        ),
        [
            "this machine, the bots on it",
            f"{reckoned.kept(SQLITE):,} commands/s on SQLite, {reckoned.kept(REDIS):,} on Redis",
            f"the greatest load tried with a p99 of at most {PROMPT:.0f} ms",
        ],
        [
            "one Redis",
            f"{one.carries:,.0f} commands/s; {reckoned.games_held:,.0f} games in {REDIS_GIB} GiB",
            f"{BUSY:.0%} of its core, {one.us:.0f} us a command; {FULL:.0%} of its memory, {held}",
        ],
        [
            "a Redis Cluster of N masters",
            f"N x {many.carries:,.0f} commands/s, N x as many games",
            f"{many.us:.0f} us a command on {MASTERS} masters, of which the busiest had {spread.share:.0%}",
        ],
    ]
    looking = max(0.0, spread.quiet_us - spread.empty_us) / spread.games * GAMES / 1e6
    services = max(1, _up(looking / LOOKING))
    asked = max(0.0, spread.quiet_store_us - spread.empty_store_us) / spread.games * GAMES / services / 1e6
    paces = [("a command in each every 20 s", 1 / 20), ("one an hour, as by post", 1 / 3600)]
    needed = [max(services, _up(GAMES * pace / far.carries)) for _, pace in paces]
    needs = [
        ["commands/s", *(f"{GAMES * pace:,.0f}" for _, pace in paces)],
        ["cores for workers", *(f"{number:,}" for number in needed)],
        ["masters for the commands", *(f"{_up(GAMES * pace / many.carries):,}" for _, pace in paces)],
        [f"masters of {REDIS_GIB} GiB for the games", *(f"{_up(GAMES / reckoned.games_held):,}" for _ in paces)],
        ["of each worker's core to look for what is due, if it is one service", *(f"{looking:.0%}" for _ in paces)],
        [f"services, so that this is at most {LOOKING:.0%}", *(f"{services:,}" for _ in paces)],
    ]
    if asked:
        needs.append(["cores of masters that this takes then", *(f"{number * asked:.1f}" for number in needed)])
    first, last = figures.late[0], figures.late[-1]
    return (
        f"\nMeasured on {figures.date[:10]}, {figures.machine['processor']}. A command includes the list that a bot asks for before it, "
        "and what it costs that the game\nhas mostly left the memory since its last burst.\n\n"
        f"{table(['what', 'carries', 'reckoned from'], small)}\n"
        "What a million open games need, on a Redis Cluster, in proportion to what was measured with "
        f"{redis.games:,} games and at most\n{max(load.done for load in figures.loads):,.0f} commands/s:\n\n"
        f"{table(['', *(said for said, _ in paces)], needs)}\n"
        f"At commit {last.commit:,} a command costs {last.us / first.us:.1f} times as much as at commit {first.commit}; where the game\n"
        f"has to be brought into memory first, {last.cold_us / first.cold_us:.1f} times: {last.cold_us / 1000:.1f} ms "
        f"instead of {first.cold_us / 1000:.1f}.\n\n"
    )


class Share(msgspec.Struct, frozen=True):
    """What a core costs for a command with its list, at a load, and how many it carries a second."""

    us: float
    offered: int
    carries: float


class Reckoned:
    """What the page reckons with."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        served = self._prompt(SQLITE, 1)
        self.core = Share(served.service_us, served.offered, BUSY * 1e6 / served.service_us)
        held = self._prompt(REDIS, 2)
        self.one = Share(held.store_us, held.offered, BUSY * 1e6 / held.store_us)
        spread = self._prompt(CLUSTER, 2)
        busiest = self.stored(CLUSTER).share * spread.store_us
        self.far = Share(spread.service_us, spread.offered, BUSY * 1e6 / spread.service_us)
        self.many = Share(spread.store_us, spread.offered, BUSY * 1e6 / busiest / MASTERS)
        filled = self.stored(REDIS)
        self.halfway_kib = filled.kib / filled.commands * HALFWAY
        self.games_held = FULL * REDIS_GIB * 1024 * 1024 / self.halfway_kib

    def stored(self, store: str) -> Stored:
        """The figures of a store."""
        return next(one for one in self._figures.stores if one.store == store)

    def kept(self, store: str) -> int:
        """The greatest load that was answered promptly, whatever the number of workers; 0 if none was."""
        return max((one.offered for one in self._loads(store) if one.command_p99 <= PROMPT), default=0)

    def _prompt(self, store: str, workers: int) -> Load:
        """The greatest such load with so many workers, or else the least that was tried."""
        found = [one for one in self._loads(store) if one.workers == workers]
        return max((one for one in found if one.command_p99 <= PROMPT), key=lambda one: one.offered, default=found[0])

    def _loads(self, store: str) -> list[Load]:
        return [one for one in self._figures.loads if one.store == store]


def _up(number: float) -> int:
    return math.ceil(number)
