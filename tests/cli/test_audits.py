"""`omenlog audit`: all games of a store, and which of them are not what they should be."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from domain.facts.commands import Move
from service.bootstrap import Service
from service.identity import Caller
from tests.cli.invoking import omenlog
from tests.support.altering import decided_by_an_older_revision, put, walked_for_nothing
from tests.support.running import HOST, awaited, listed, open_game, play, service_on


async def played(service: Service) -> str:
    """A game that is over, in which somebody has walked."""
    game = await open_game(service)
    _, commands = await listed(service, game)
    walk = next(one for one in commands if isinstance(one, Move))
    await service.play.submit_command(await awaited(service, game), walk)
    await play(service, game, 8)
    await service.life.close(Caller(game, HOST, "host"), "", b"")
    return game


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{tmp_path / 'log.db'}")
    monkeypatch.setenv("OMENLOG_PACKS", "second-edition")
    return tmp_path / "log.db"


async def games_in(store: Path, count: int) -> tuple[list[str], list[list[bytes]]]:
    """Games that are over, and their exports."""
    service = await service_on(f"sqlite:///{store}", snapshot_every=1_000)
    games = [await played(service) for _ in range(count)]
    exports = [(await service.exporting.whole(game)).splitlines() for game in games]
    await service.close()
    return games, exports


def test_every_game_is_audited_and_the_worst_is_the_exit_code(store: Path) -> None:
    (fine, older, altered, cut), exports = asyncio.run(games_in(store, 4))
    result = omenlog("audit", "--processes", "2")
    assert (result.exit_code, result.stdout.strip()) == (0, "4 games: 4 EXACT")

    put(store, older, decided_by_an_older_revision(exports[1]))
    result = omenlog("audit", "--processes", "1")
    assert result.exit_code == 3
    assert "4 games: 3 EXACT, 1 UNVERIFIED" in result.output
    assert f"{older}: UNVERIFIED: the game was opened by revision" in result.output
    assert '  recorded: [255,{"type":"Moved"' in result.output
    assert '  decided:  [255,{"type":"Moved"' in result.output

    put(store, altered, walked_for_nothing(exports[2]))
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM commits WHERE game = ? AND number > 10", (cut,))
    result = omenlog("audit", "--processes", "1", "--json")
    assert result.exit_code == 1
    found = {one["game"]: one for one in map(msgspec.json.decode, result.stdout.splitlines())}
    assert found[fine]["verdict"]["outcome"] == "EXACT"
    assert (found[altered]["verdict"]["outcome"], found[altered]["verdict"]["commit"]) == ("DIVERGED", 6)
    assert found[cut]["verdict"]["outcome"] == "DIVERGED"

    result = omenlog("audit", fine)
    assert (result.exit_code, result.stdout.strip()) == (0, "1 game: 1 EXACT")


def test_a_game_that_is_still_played_is_running(store: Path) -> None:
    async def play_on() -> None:
        service = await service_on(f"sqlite:///{store}", snapshot_every=1_000)
        game = await open_game(service)
        await play(service, game, 12)
        export = (await service.exporting.whole(game)).splitlines()
        await service.close()
        put(store, game, export)

    asyncio.run(play_on())
    result = omenlog("audit", "--processes", "1")
    assert (result.exit_code, result.stdout.strip()) == (0, "1 game: 1 RUNNING")
    found = msgspec.json.decode(omenlog("audit", "--processes", "1", "--json").stdout)
    assert (found["found"], found["verdict"]["outcome"]) == ("RUNNING", "UNVERIFIED")

    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE commits SET body = CAST(replace(body, 'turn-1', 'turn-2') AS BLOB)")
    result = omenlog("audit", "--processes", "1")
    assert (result.exit_code, "1 game: 1 DIVERGED" in result.output) == (1, True)


def test_what_makes_no_sense_is_told_in_a_sentence(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(games_in(store, 1))
    result = omenlog("audit", "nothere")
    assert (result.exit_code, "the store has no game nothere" in result.output) == (2, True)
    result = omenlog("audit", "--queue")
    assert (result.exit_code, "--queue needs OMENLOG_JOBS" in result.output) == (2, True)
    monkeypatch.setenv("OMENLOG_STORE", "memory:")
    assert omenlog("audit").exit_code == 2
