"""`kill -9` in the middle of writing: what was acknowledged is there, nothing is there twice, and a retry finds it."""

import os
import sqlite3
import subprocess
import sys
from collections import defaultdict
from contextlib import closing
from pathlib import Path

from service.store.port import AlreadyApplied, Applied
from service.store.sqlite.log import SqliteLogStore

WRITER = Path(__file__).with_name("crash_writer.py")

KILLED_AFTER = (1, 60, 400, 1200, 5000)
"""Acknowledgements of each run, after which it is killed. The last runs are long enough to meet checkpoints."""


async def test_every_acknowledged_commit_survives_kill_9_and_none_is_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    acknowledged: dict[str, dict[int, str]] = defaultdict(dict)
    for run, enough in enumerate(KILLED_AFTER):
        for line in write_until_killed(path, run, enough):
            game, number, key = line.split()
            assert int(number) not in acknowledged[game], "two commits were acknowledged under one number"
            acknowledged[game][int(number)] = key

        store = await SqliteLogStore.open(path)
        for game, answers in acknowledged.items():
            keys = [commit.rstrip(b".").decode() for commit in await store.read(game, 0, 1_000_000)]
            assert len(set(keys)) == len(keys) == await store.version(game)
            assert {number: keys[number - 1] for number in answers} == answers
            await retry_what_was_under_way(store, game, keys, run)
            acknowledged[game] |= dict(enumerate(keys, start=1))
        await store.close()
    assert integrity(path) == ["ok"]


async def retry_what_was_under_way(store: SqliteLogStore, game: str, keys: list[str], run: int) -> None:
    """Sends again the first and the last commit of this run, and one more, as clients do that got no answer."""
    mine = [number for number, key in enumerate(keys, start=1) if key.startswith(f"{run}.")]
    for number in (*mine[:1], *mine[-1:]):
        key = keys[number - 1]
        assert await store.append(game, 0, b"retried", key=key) == AlreadyApplied(number, b"")
    lost = f"{run}.lost"
    assert await store.append(game, len(keys), lost.encode(), key=lost) == Applied(len(keys) + 1)
    keys.append(lost)


def write_until_killed(path: Path, run: int, enough: int) -> list[str]:
    """Lets a writer run, kills it after so many acknowledgements, and returns all that it gave."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(WRITER), str(path), str(run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(enough)]
        writer.kill()
        lines += writer.stdout
    assert all(lines), "the writer ended by itself"
    return lines


def integrity(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        findings = [finding for (finding,) in connection.execute("PRAGMA integrity_check")]
        return findings + [str(row) for row in connection.execute("PRAGMA foreign_key_check")]
