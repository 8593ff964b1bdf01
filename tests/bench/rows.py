"""What is measured and compared: the contestants, and the rows of the table with their aims."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import msgspec

from tests.bench.contest import Rounds
from tests.bench.sample import Sample

GROUPS: tuple[Mapping[str, str], ...] = (
    {
        "catanatron": "tests.bench.peers:catanatron",
        "random play": "tests.bench.playing:bare",
        "random play, compiled": "compiled tests.bench.playing:bare",
        "random play, third edition": "tests.bench.playing:bare_third",
        "random play, told to four seats": "tests.bench.playing:told",
        "self-play": "tests.bench.selfplay:legal",
        "self-play, seen": "tests.bench.selfplay:seen",
        "clones": "tests.bench.selfplay:clones",
    },
    {
        "PettingZoo's chess": "tests.bench.peers:chess",
        "environment": "tests.bench.learning:environment",
    },
    {
        "eventsourcing": "tests.bench.peers:eventsourcing",
        "decode alone": "tests.bench.replaying:decode",
        "replay": "tests.bench.replaying:fold",
    },
    {
        "client alone": "tests.bench.serving:reflex",
        "Litestar echo": "tests.bench.serving:echo",
        "commands over HTTP": "tests.bench.serving:omenlog",
        "commands over HTTP, two workers": "tests.bench.serving:by_workers",
        "commands over WebSockets": "tests.bench.socketed:alone",
    },
    {
        "boardgame.io": "tests.bench.matches:boardgame_io",
        "50 games, four seats follow each": "tests.bench.followed:omenlog",
        "50 games, four seats at WebSockets": "tests.bench.socketed:followed",
    },
    {
        "Litestar Stream, 200 readers": "tests.bench.streaming:few_plain",
        "one game, 200 readers": "tests.bench.streaming:few",
    },
    {
        "Litestar Stream, 1,000 readers": "tests.bench.streaming:many_plain",
        "one game, 1,000 readers": "tests.bench.streaming:many",
    },
    {
        "live games": "tests.bench.streaming:live_games",
    },
    {
        "load from the log": "tests.bench.loading:from_log",
        "load from a snapshot": "tests.bench.loading:from_snapshot",
    },
    {
        "trace from SQLite": "tests.bench.tracing:from_sqlite",
        "trace from Redis": "tests.bench.tracing:from_redis",
    },
    {
        "a referee's questions": "tests.bench.finding:sqlite",
    },
    {
        "a moment, SQLite": "tests.bench.looking:sqlite",
        "a moment, Redis": "tests.bench.looking:redis",
    },
    {
        "bare XADD": "tests.bench.appending_redis:bare",
        "append to Redis": "tests.bench.appending_redis:store",
    },
    {
        "long games": "tests.bench.lateness:long_games",
    },
    {
        "every haunt": "tests.bench.haunting:haunts",
        "both books": "tests.bench.haunting:books",
    },
    {
        "bare INSERT, 1 event": "tests.bench.appending:bare_one_event",
        "append, 1 event": "tests.bench.appending:one_event",
    },
    {
        "bare INSERT, 10 events": "tests.bench.appending:bare_ten_events",
        "append, 10 events": "tests.bench.appending:ten_events",
    },
    {
        "bare INSERT, groups of 50": "tests.bench.appending:bare_groups",
        "append, groups of 50": "tests.bench.appending:groups",
    },
    {
        "eventsourcing on SQLite": "tests.bench.peers:eventsourcing_sqlite",
        "cold read": "tests.bench.replaying:cold",
    },
    {
        "forks on SQLite": "tests.bench.forking:on_sqlite",
        "forks on Redis": "tests.bench.forking:on_redis",
    },
    {
        "forks with a hidden traitor": "tests.bench.forking:hidden_traitor",
    },
    {
        "export and verify": "tests.bench.verifying:export_and_verify",
    },
    {
        "four screens at a table": "tests.bench.browsing:table",
        "a replay on screen": "tests.bench.browsing:replay",
        "a screen that stays": "tests.bench.browsing:endurance",
    },
)
"""Contestants by name, in groups that take turns with each other; peers before ours."""


class Figure(msgspec.Struct, frozen=True):
    """One number of a contestant's round."""

    contestant: str
    note: str = ""
    """Which of its notes; empty: its rate."""

    def of(self, sample: Sample) -> float:
        """Read it off."""
        return sample.notes[self.note] if self.note else sample.rate


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A figure of ours, what it is held against, and the aim."""

    key: str
    """What `--only` calls it."""
    title: str
    unit: str
    ours: Figure
    peer: Figure | None = None
    """None: the aim is for our figure itself."""
    aim: float
    at_most: bool = False
    """Lower is better."""
    needs: Literal["", "Node.js", "Chromium", "mypyc"] = ""
    """What else must be there; the row is left out where it is not."""

    def contestants(self) -> set[str]:
        """Who has to run for it."""
        return {figure.contestant for figure in (self.ours, self.peer) if figure is not None}


class Result(msgspec.Struct, frozen=True):
    """A row measured: our figure and the peer's, round by round."""

    row: Row
    ours: Sequence[float]
    peers: Sequence[float]
    """Empty without a peer."""

    def judged(self) -> list[float]:
        """What the aim is for, round by round: the ratio of figures taken one after the other, or the figure itself."""
        if not self.peers:
            return list(self.ours)
        return [mine / theirs for mine, theirs in zip(self.ours, self.peers, strict=True)]

    def met(self) -> bool:
        """Whether the median reaches the aim."""
        median = statistics.median(self.judged())
        return median <= self.row.aim if self.row.at_most else median >= self.row.aim


ROWS: tuple[Row, ...] = (
    Row(
        key="play",
        title="random play of complete four-seat games, second edition, haunt included",
        unit="decisions/s",
        ours=Figure("random play"),
        peer=Figure("catanatron"),
        aim=1.7,
    ),
    Row(
        key="play-compiled",
        title="the same with the domain compiled",
        unit="decisions/s",
        ours=Figure("random play, compiled"),
        peer=Figure("catanatron"),
        aim=2.0,
        needs="mypyc",
    ),
    Row(
        key="third",
        title="a command of random play of complete four-seat games, third edition, against one of the second",
        unit="us",
        ours=Figure("random play, third edition", "us a command"),
        peer=Figure("random play", "us a command"),
        aim=1.2,
        at_most=True,
    ),
    Row(
        key="views",
        title="the same, four seats' views updated, filtered and encoded after every command",
        unit="decisions/s",
        ours=Figure("random play, told to four seats"),
        peer=Figure("random play"),
        aim=0.35,
    ),
    Row(
        key="self-play",
        title="self-play through the library on one core, four seats, with the list of legal actions before every command",
        unit="games/s",
        ours=Figure("self-play"),
        aim=20.0,
    ),
    Row(
        key="self-play-seen",
        title="the same, and with a view of the seat before every command",
        unit="games/s",
        ours=Figure("self-play, seen"),
        aim=14.0,
    ),
    Row(
        key="clone",
        title="a clone of a table",
        unit="ms",
        ours=Figure("clones", "mean ms"),
        aim=0.5,
        at_most=True,
    ),
    Row(
        key="pettingzoo",
        title="whole games in the PettingZoo environment, four seats, random actions of the mask",
        unit="games/s",
        ours=Figure("environment"),
        aim=12.0,
    ),
    Row(
        key="pettingzoo-chess",
        title="steps of these games: observe, choose, act",
        unit="steps/s",
        ours=Figure("environment", "steps/s"),
        peer=Figure("PettingZoo's chess"),
        aim=1.0,
    ),
    Row(
        key="replay",
        title="replay of stored logs into fresh states",
        unit="events/s",
        ours=Figure("replay"),
        peer=Figure("decode alone"),
        aim=0.4,
    ),
    Row(
        key="aggregate",
        title="replay of stored logs into fresh states",
        unit="events/s",
        ours=Figure("replay"),
        peer=Figure("eventsourcing"),
        aim=15.0,
    ),
    Row(
        key="http",
        title="durable commands over HTTP, 50 games at once, answered after the fsync; one process answers",
        unit="commands/s",
        ours=Figure("commands over HTTP"),
        peer=Figure("Litestar echo"),
        aim=0.5,
    ),
    Row(
        key="http-p99",
        title="the 99th percentile of their latency",
        unit="ms",
        ours=Figure("commands over HTTP", "p99 ms"),
        peer=Figure("Litestar echo", "p99 ms"),
        aim=2.0,
        at_most=True,
    ),
    Row(
        key="http-workers",
        title="the same; two processes answer, the echo is one",
        unit="commands/s",
        ours=Figure("commands over HTTP, two workers"),
        peer=Figure("Litestar echo"),
        aim=0.8,
    ),
    Row(
        key="http-workers-p99",
        title="the 99th percentile of their latency",
        unit="ms",
        ours=Figure("commands over HTTP, two workers", "p99 ms"),
        peer=Figure("Litestar echo", "p99 ms"),
        aim=1.5,
        at_most=True,
    ),
    Row(
        key="socket",
        title="the same over WebSockets, each by its seat's own, on which answers alone are told; one process answers",
        unit="commands/s",
        ours=Figure("commands over WebSockets"),
        peer=Figure("Litestar echo"),
        aim=0.65,
    ),
    Row(
        key="boardgame",
        title="commands of 50 games at once, each told to four who follow live; ours over HTTP and durable, theirs in memory; one process answers",
        unit="commands/s",
        ours=Figure("50 games, four seats follow each"),
        peer=Figure("boardgame.io"),
        aim=0.7,
        needs="Node.js",
    ),
    Row(
        key="boardgame-p99",
        title="the 99th percentile of their latency, until who acted is told that it counts",
        unit="ms",
        ours=Figure("50 games, four seats follow each", "p99 ms"),
        peer=Figure("boardgame.io", "p99 ms"),
        aim=0.3,
        at_most=True,
        needs="Node.js",
    ),
    Row(
        key="boardgame-socket",
        title="the same, ours over WebSockets, too; two processes answer, theirs is one",
        unit="commands/s",
        ours=Figure("50 games, four seats at WebSockets"),
        peer=Figure("boardgame.io"),
        aim=1.2,
        needs="Node.js",
    ),
    Row(
        key="boardgame-socket-p99",
        title="the 99th percentile of their latency",
        unit="ms",
        ours=Figure("50 games, four seats at WebSockets", "p99 ms"),
        peer=Figure("boardgame.io", "p99 ms"),
        aim=1.0,
        at_most=True,
        needs="Node.js",
    ),
    Row(
        key="streams-200",
        title="one game and 200 who follow it live: commits delivered, none missed",
        unit="deliveries/s",
        ours=Figure("one game, 200 readers"),
        peer=Figure("Litestar Stream, 200 readers"),
        aim=1.2,
    ),
    Row(
        key="streams-200-p99",
        title="the 99th percentile of their delay, from the command's posting",
        unit="ms",
        ours=Figure("one game, 200 readers", "p99 ms"),
        peer=Figure("Litestar Stream, 200 readers", "p99 ms"),
        aim=1.0,
        at_most=True,
    ),
    Row(
        key="streams-1000",
        title="one game and 1,000 who follow it live: commits delivered, none missed",
        unit="deliveries/s",
        ours=Figure("one game, 1,000 readers"),
        peer=Figure("Litestar Stream, 1,000 readers"),
        aim=1.0,
    ),
    Row(
        key="streams-1000-p99",
        title="the 99th percentile of their delay, from the command's posting",
        unit="ms",
        ours=Figure("one game, 1,000 readers", "p99 ms"),
        peer=Figure("Litestar Stream, 1,000 readers", "p99 ms"),
        aim=1.0,
        at_most=True,
    ),
    Row(
        key="reader-memory",
        title="memory for each who follows live",
        unit="KiB",
        ours=Figure("one game, 1,000 readers", "KiB a reader"),
        peer=Figure("Litestar Stream, 1,000 readers", "KiB a reader"),
        aim=2.0,
        at_most=True,
    ),
    Row(
        key="game-memory",
        title="memory for each live game of 60 commands, its log in memory included",
        unit="KiB",
        ours=Figure("live games", "KiB a game"),
        aim=1000.0,
        at_most=True,
    ),
    Row(
        key="load-log",
        title="load of a 500-command game from its log",
        unit="ms",
        ours=Figure("load from the log", "median ms"),
        aim=4.0,
        at_most=True,
    ),
    Row(
        key="load-snapshot",
        title="load of a 500-command game from a snapshot",
        unit="ms",
        ours=Figure("load from a snapshot", "median ms"),
        aim=0.8,
        at_most=True,
    ),
    Row(
        key="trace-sqlite",
        title="trace of 100 commits of a 2,000-command game in SQLite, told to the referee and encoded",
        unit="ms",
        ours=Figure("trace from SQLite", "median ms"),
        aim=100.0,
        at_most=True,
    ),
    Row(
        key="trace-redis",
        title="the same from Redis",
        unit="ms",
        ours=Figure("trace from Redis", "median ms"),
        aim=100.0,
        at_most=True,
    ),
    Row(
        key="find",
        title="`omenlog trace` of a game of 500 commits in SQLite, by the slowest of seven filters",
        unit="ms",
        ours=Figure("a referee's questions", "find slowest ms"),
        aim=1000.0,
        at_most=True,
    ),
    Row(
        key="disputes",
        title="`omenlog disputes` of the same game, and of all games of its store, by a rule",
        unit="ms",
        ours=Figure("a referee's questions", "disputes slowest ms"),
        aim=1000.0,
        at_most=True,
    ),
    Row(
        key="beside",
        title="`omenlog diff --side-by-side` of the same game, from the middle to the end, as text and as a picture",
        unit="ms",
        ours=Figure("a referee's questions", "beside slowest ms"),
        aim=1000.0,
        at_most=True,
    ),
    Row(
        key="moment",
        title="what a role saw at any commit of a 2,000-command game in SQLite, nothing of it in memory: 95th percentile",
        unit="ms",
        ours=Figure("a moment, SQLite", "first p95 ms"),
        aim=50.0,
        at_most=True,
    ),
    Row(
        key="moment-redis",
        title="what a role saw at any commit of a 2,000-command game in Redis, nothing of it in memory: 95th percentile",
        unit="ms",
        ours=Figure("a moment, Redis", "first p95 ms"),
        aim=50.0,
        at_most=True,
    ),
    Row(
        key="redis",
        title="append to Redis, fsync always: version, key and head in one script, 50 games at once",
        unit="commits/s",
        ours=Figure("append to Redis"),
        peer=Figure("bare XADD"),
        aim=0.8,
    ),
    Row(
        key="late",
        title="a command among the last 100 of a 1,000-command game",
        unit="us",
        ours=Figure("long games", "late us"),
        peer=Figure("long games", "early us"),
        aim=1.2,
        at_most=True,
    ),
    Row(
        key="haunt",
        title="a command in a haunt, on average over all haunts, against one while the house is explored",
        unit="us",
        ours=Figure("every haunt", "haunted us"),
        peer=Figure("every haunt", "exploring us"),
        aim=2.0,
        at_most=True,
    ),
    Row(
        key="dearest-haunt",
        title="a command in the dearest haunt",
        unit="us",
        ours=Figure("every haunt", "dearest haunt us"),
        peer=Figure("every haunt", "exploring us"),
        aim=2.0,
        at_most=True,
    ),
    Row(
        key="book",
        title="both books of a haunt as a page, anew after each command",
        unit="ms",
        ours=Figure("both books", "mean ms"),
        aim=2.0,
        at_most=True,
    ),
    Row(
        key="append-1",
        title="append of commits of 1 event to SQLite, one after the other, each answered after its fsync",
        unit="events/s",
        ours=Figure("append, 1 event"),
        peer=Figure("bare INSERT, 1 event"),
        aim=0.9,
    ),
    Row(
        key="append-10",
        title="the same, commits of 10 events",
        unit="events/s",
        ours=Figure("append, 10 events"),
        peer=Figure("bare INSERT, 10 events"),
        aim=0.85,
    ),
    Row(
        key="append-50",
        title="the same, 50 commits of 50 games at once",
        unit="events/s",
        ours=Figure("append, groups of 50"),
        peer=Figure("bare INSERT, groups of 50"),
        aim=0.75,
    ),
    Row(
        key="cold",
        title="cold read of games' logs from SQLite, decoded and folded",
        unit="events/s",
        ours=Figure("cold read"),
        peer=Figure("eventsourcing on SQLite"),
        aim=15.0,
    ),
    Row(
        key="fork-sqlite",
        title="a fork of a 2,000-command game that is in memory, on SQLite: the referee's, with the true state of every role",
        unit="ms",
        ours=Figure("forks on SQLite", "referee ms"),
        aim=20.0,
        at_most=True,
    ),
    Row(
        key="fork-sqlite-seat",
        title="the same, a seat's, from a sampled world",
        unit="ms",
        ours=Figure("forks on SQLite", "seat ms"),
        aim=20.0,
        at_most=True,
    ),
    Row(
        key="fork-redis",
        title="the same on Redis, the referee's",
        unit="ms",
        ours=Figure("forks on Redis", "referee ms"),
        aim=20.0,
        at_most=True,
    ),
    Row(
        key="fork-redis-seat",
        title="the same on Redis, a seat's",
        unit="ms",
        ours=Figure("forks on Redis", "seat ms"),
        aim=20.0,
        at_most=True,
    ),
    Row(
        key="fork-hidden",
        title="a seat's fork in a haunt with a hidden traitor, of a game of 370 commits that was taken back time and again, on SQLite",
        unit="ms",
        ours=Figure("forks with a hidden traitor", "seat ms"),
        aim=25.0,
        at_most=True,
    ),
    Row(
        key="verify",
        title="export and offline verification of a 2,000-command game, in two processes",
        unit="events/s",
        ours=Figure("export and verify"),
        aim=20_000.0,
    ),
    Row(
        key="page-bytes",
        title="all that the page of the browser table can load, as sent: gzipped",
        unit="KiB",
        ours=Figure("four screens at a table", "KiB of files"),
        aim=90.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-usable",
        title="from nothing to a house of 40 rooms with its commands, at a quarter of the processor",
        unit="ms",
        ours=Figure("four screens at a table", "usable ms"),
        aim=1500.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-click",
        title="from a click to what came of it, painted: 95th percentile",
        unit="ms",
        ours=Figure("four screens at a table", "own p95 ms"),
        aim=100.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-others",
        title="the same on the screens of the others",
        unit="ms",
        ours=Figure("four screens at a table", "others p95 ms"),
        aim=150.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-distant",
        title="from a click to what came of it, with 50 ms of network for each request",
        unit="ms",
        ours=Figure("four screens at a table", "distant p95 ms"),
        aim=250.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-replay",
        title="a replay of 500 commits, opened",
        unit="ms",
        ours=Figure("a replay on screen", "opened ms"),
        aim=1500.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-step",
        title="a step in it, painted: 95th percentile",
        unit="ms",
        ours=Figure("a replay on screen", "step p95 ms"),
        aim=50.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-jump",
        title="a jump in it, painted: 95th percentile",
        unit="ms",
        ours=Figure("a replay on screen", "jump p95 ms"),
        aim=150.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-heap",
        title="objects held after 1,000 commits, beyond those of a page that came for the last 200",
        unit="KiB",
        ours=Figure("a screen that stays", "KiB grown"),
        aim=32.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-back",
        title="a screen is back after its service was killed, from when the next one listens",
        unit="s",
        ours=Figure("a screen that stays", "back s"),
        aim=3.0,
        at_most=True,
        needs="Chromium",
    ),
    Row(
        key="page-axe",
        title="what axe-core finds wrong with the five parts of the page, light and dark, wide and narrow",
        unit="violations",
        ours=Figure("a screen that stays", "violations"),
        aim=0.0,
        at_most=True,
        needs="Chromium",
    ),
)


def groups(rows: Iterable[Row]) -> list[dict[str, str]]:
    """The contestants that these rows need, in their groups."""
    needed: set[str] = set().union(*(row.contestants() for row in rows))
    if "commands over HTTP" in needed:
        needed.add("client alone")  # shows that the client is not what limits the others
    found = [{name: place for name, place in group.items() if name in needed} for group in GROUPS]
    return [group for group in found if group]


def results(rows: Iterable[Row], samples: Rounds) -> list[Result]:
    """Read the rows off the samples."""
    return [Result(row, _figures(row.ours, samples), _figures(row.peer, samples)) for row in rows]


def _figures(figure: Figure | None, samples: Rounds) -> list[float]:
    return [] if figure is None else [figure.of(sample) for sample in samples[figure.contestant]]
