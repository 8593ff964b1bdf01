"""The table, for the terminal and for BENCHMARKS.md."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from tests.bench.contest import Rounds
from tests.bench.rows import Result

INTRODUCTION = """\
# Benchmarks

Written by `./dev bench`; do not edit. Contestants take turns (peer, ours, peer, ours, …), each in a process of its own, and a first
round of each warms up and does not count. Figures are medians over the rounds; a ratio is the median of the ratios within each round,
with the least and the greatest behind it. Only decisions with two options or more count as decisions, for both sides.
"""

CONTESTANTS = {
    "catanatron": "`RandomPlayer` four times, complete games, seeds 1 to 10",
    "random play": "legal list, uniform choice, decide, evolve; complete games, seeds 0 to 19, on one core",
    "random play, compiled": "the same games to the same states, by the modules that mypyc has compiled into a wheel",
    "random play, third edition": "the same, a scenario for each seed in turn",
    "random play, told to four seats": "and each seat's own state folds what it was told, and the bytes that it is sent are made",
    "self-play": "`omenlog.Table`: `awaited`, `legal`, uniform choice, `do`; complete games, seeds 0 to 19",
    "self-play, seen": "the same, and `view` of the seat before every command",
    "clones": "`clone` after every 20 commands of such games, timed alone",
    "PettingZoo's chess": "`raw_env` of `pettingzoo.classic.chess_v6`: `last`, uniform choice from the mask, `step`; complete games, seeds 0 to 4",
    "environment": 'the same with `omenlog.env("second", seats=4)`; complete games, seeds 0 to 19',
    "eventsourcing": "`repository.get` of an aggregate with four of our event types, 10 games, in-memory recorder",
    "eventsourcing on SQLite": "the same on its SQLite recorder, from a file",
    "cold read": "`SqliteLogStore.read` in pages, decoded, and every event applied to a fresh state",
    "decode alone": "msgspec decodes the stored commits of 20 games into events and drops them",
    "replay": "the same bytes, and every event applied to a fresh state",
    "client alone": "our client against a server that answers without reading: the most that the client can do",
    "Litestar echo": "a `post` handler that decodes the body and returns it, under the same uvicorn, uvloop and httptools",
    "commands over HTTP": "`omenlog` on SQLite, WAL, synchronous=FULL; each answer was what the domain alone had told that seat",
    "commands over HTTP, two workers": "the same with `--workers 2`; `processes`: how many have answered, as `/metrics` counts them",
    "commands over WebSockets": "`omenlog` as over HTTP; each of a game's four seats has a WebSocket with `?events=false`, and sends what it decides",
    "boardgame.io": "its own server on Node.js, store in memory: 50 matches, in each four players at its WebSockets, who mark nine cells in turn",
    "50 games, four seats follow each": "`omenlog` on SQLite as above; in each game a connection posts, and each of four seats has a live stream",
    "50 games, four seats at WebSockets": "`omenlog` with `--workers 2`; each of a game's four seats has a WebSocket, sends what it "
    "decides, and is told of every commit",
    "Litestar Stream, 200 readers": "a generator for each reader yields what was posted: the frames of ours, nothing decided or stored",
    "one game, 200 readers": "`omenlog` on SQLite: each command decided, its commit synced to the disk and told to 200 server-sent event streams",
    "Litestar Stream, 1,000 readers": "as with 200",
    "one game, 1,000 readers": "as with 200",
    "live games": "100 games over HTTP, store in memory; growth of the process, so it holds logs and roles too",
    "load from the log": "`Tables.live`: SQLite read, decode and fold of 506 commits",
    "load from a snapshot": "the same, from the snapshot of commit 500 and the 6 commits behind it",
    "trace from SQLite": "`Tracing`: 100 commits from the middle of a game of 2,000 commands, told step by step and encoded, for the referee",
    "trace from Redis": "the same game in a Redis that syncs each write",
    "a referee's questions": "`omenlog` on the terminal, in one process: traces by filters, disputes by a rule, two moments side by side",
    "a moment, SQLite": "the view of one of six roles at a commit drawn by lot, encoded: first with nothing in memory, then again with waymarks",
    "a moment, Redis": "the same game and moments in a Redis that syncs each write",
    "bare XADD": "`XADD` of the same bytes by the same tasks through the same two pipelines, without condition, key or news",
    "append to Redis": "`RedisLogStore.append` from 50 tasks, each of which awaits its answer before it appends again",
    "long games": "decide, seal and store in memory, in games whose haunt never begins; each command timed alone",
    "bare INSERT, 1 event": "`sqlite3` in a loop: the same rows into the same tables and indexes under the same pragmas, a transaction each",
    "append, 1 event": "`SqliteLogStore.append` with key and fingerprint, awaited one by one",
    "bare INSERT, 10 events": "as above, commits of 10 events",
    "append, 10 events": "as above, commits of 10 events",
    "bare INSERT, groups of 50": "`executemany` of 50 rows in a transaction",
    "append, groups of 50": "50 appends to 50 games, awaited together",
    "export and verify": "`Exporting.lines`, then `audit`: every die rolled and every command decided again, while a second process checks the chain",
    "forks on SQLite": "`ForkMaker.fork` at the head of a game of 2,000 commands, by turns for the referee and a seat",
    "forks on Redis": "the same on one Redis, fsync always",
    "forks with a hidden traitor": "`ForkMaker.fork` by turns for three heroes: a traitor is guessed, and tried on all commits since the haunt began",
    "both books": "random play as above, one game of each haunt; after each command the referee's book, from the state to HTML",
    "four screens at a table": "Chromium at `omenlog serve` on SQLite, a page for each of four seats: buttons of planned commands clicked, "
    "painted where the frame after the commit's has begun",
    "a replay on screen": "a page at a game of 500 commits: steps by arrow keys, jumps by typed numbers to commits drawn by lot",
    "a screen that stays": "a page that is told 1,000 commits, and one that comes then, by snapshots of their heaps; then the "
    "service is killed, and axe-core looks at lobby, table, replay, desk and moderator's panel",
    "every haunt": "random play as above, 4 complete games of each haunt, each command timed alone",
}
"""What each contestant does, for the reader of the report."""


def line(result: Result) -> str:
    """A row for the terminal."""
    row = result.row
    judged = result.judged()
    peer = f", {row.peer.contestant} {_number(result.peers)}" if row.peer is not None else ""
    ratio = f", ratio {_spread(judged)}" if result.peers else f" ({_spread(judged)})"
    return f"{row.key:14} {_number(result.ours)} {row.unit}{peer}{ratio}, aim {_aim(result)}: {_verdict(result)}"


def markdown(
    results: Sequence[Result],
    samples: Rounds,
    proofs: Mapping[str, str],
    machine: Mapping[str, str],
    *,
    command: str,
    date: str,
    left_out: str = "",
) -> str:
    """The whole of BENCHMARKS.md; `left_out` says which rows are not in it, and why."""
    rounds = len(next(iter(samples.values())))
    parts = [
        INTRODUCTION,
        table(
            ["", ""],
            [["command", f"`{command}`"], ["date", date], ["rounds", str(rounds)], *map(list, machine.items())],
        ),
        "## Figures\n",
        table(["figure", "unit", "ours", "against", "theirs", "ratio", "aim", "met"], [_row(one) for one in results]),
        *([f"Left out: {left_out}.\n"] if left_out else []),
        "## What was run\n",
        table(["contestant", "what it does", "in a round"], [_contestant(name, samples) for name in samples]),
        "## What was computed\n",
        "First 16 hex digits of SHA-256, the same in every round; the same here and in another run means that the same work was done.\n",
        table(["checksum", "over"], [[f"`{digest}`", what] for what, digest in proofs.items()]),
    ]
    return "\n".join(parts)


def _row(result: Result) -> list[str]:
    row = result.row
    return [
        row.title,
        row.unit,
        _number(result.ours),
        row.peer.contestant if row.peer is not None else "",
        _number(result.peers) if result.peers else "",
        _spread(result.judged()) if result.peers else "",
        _aim(result),
        _verdict(result),
    ]


def _contestant(name: str, samples: Rounds) -> list[str]:
    rounds = samples[name]
    said = [
        f"{_plain(statistics.median(one.count for one in rounds))} in {statistics.median(one.seconds for one in rounds):.2f} s"
    ]
    said += [f"{note}: {_plain(statistics.median(one.notes[note] for one in rounds))}" for note in rounds[0].notes]
    return [name, CONTESTANTS[name], "; ".join(said)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _aim(result: Result) -> str:
    row = result.row
    return f"{'at most' if row.at_most else 'at least'} {row.aim:g}{'x' if result.peers else ' ' + row.unit}"


def _verdict(result: Result) -> str:
    return "yes" if result.met() else "no"


def _number(figures: Sequence[float]) -> str:
    return _plain(statistics.median(figures))


def _plain(figure: float) -> str:
    """Three digits, or all of a whole number."""
    if figure >= 100 or figure == int(figure):
        return f"{figure:,.0f}"
    return f"{figure:.3g}"


def _spread(figures: Sequence[float]) -> str:
    return f"{statistics.median(figures):.2f} ({min(figures):.2f} to {max(figures):.2f})"
