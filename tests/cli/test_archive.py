"""Finished games leave the store for files, and are read as before; whatever goes wrong on the way loses nothing."""

from __future__ import annotations

import asyncio
import gzip
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from service.admin.migrate import migrate_games
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service
from service.games.read.reading import view
from service.identity import Caller
from service.log.exported import parse_export
from service.log.facts import encode
from service.settings import Settings
from service.store.archive import Archive
from service.store.memory import MemoryLogStore
from service.store.open import open_bare_store, open_store
from service.store.port import STRIPPED, ArchiveMissing, StoreUnavailable
from service.store.sqlite.log import SqliteLogStore
from tests.acceptance.driving import Table, problem, serving, settings
from tests.cli.invoking import omenlog
from tests.support.running import HOST, open_game, play, referee, seat, service_on
from tests.support.shared_stores import empty_store


async def two_games(service: Service) -> tuple[str, str]:
    """One that is over, and one that goes on."""
    over, running = await open_game(service), await open_game(service)
    for game in (over, running):
        await play(service, game, 20)
    await service.life.close(Caller(over, HOST, "host"), "the key", b"")
    return over, running


async def everything(service: Service, game: str) -> list[object]:
    """What people read of a game."""
    found: list[object] = [await service.reading.game(game)]
    for caller in (referee(game), seat(game, 1)):
        found.append([line async for line in service.exporting.lines(caller)])
        found += [await service.reading.page(caller, after, 5) for after in (0, 7, 20)]
        for at in (3, 15):
            found.append(encode(view(await service.reading.seen(caller, at=at))))
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.mark.parametrize("kind", ["sqlite", "redis", "cluster"])
async def test_an_archived_game_is_read_as_before(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = empty_store(kind, request, tmp_path)
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store, archive=str(folder), snapshot_every=10)
    over, running = await two_games(service)
    before, other = await everything(service, over), await everything(service, running)

    result = await asyncio.to_thread(omenlog, "archive", str(folder))

    assert result.exit_code == 0, result.output
    assert "moved 1 game with 2" in result.output
    assert "0 already archived, 1 still open" in result.output
    assert f"OMENLOG_ARCHIVE={folder}" in result.output.replace("\n", ""), "what to serve it with"
    (file,) = files_in(folder)
    assert (file.name, stat.S_IMODE(file.stat().st_mode)) == (f"{over}.ndjson.gz", 0o600)
    bare = await open_bare_store(Settings(store=store))
    assert set(await bare.read(over, 0, 100)) == {STRIPPED}
    assert STRIPPED not in await bare.read(running, 0, 100)
    await bare.close()
    assert await everything(service, over) == before
    assert await everything(service, running) == other
    await service.close()
    later = await service_on(store, archive=str(folder), salt="again")
    assert await everything(later, over) == before
    again = await later.life.close(Caller(over, HOST, "host"), "the key", b"")
    assert again.replayed, "the key of a request that was done is known still"
    export = [line async for line in later.exporting.lines(referee(over))]
    assert audit(parse_export(b"".join(export))).outcome is Outcome.EXACT
    await play(later, running, 3)
    result = await asyncio.to_thread(omenlog, "archive", str(folder))
    assert "moved 0 games" in result.output
    assert "1 already archived" in result.output
    whole = MemoryLogStore()
    assert (await migrate_games(later.store, whole, lambda _one: None)).games == 2
    assert STRIPPED not in await whole.read(over, 0, 100), "in another store it is whole"
    await later.close()


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.exists() else []


def lose(file: Path) -> None:
    file.unlink()


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def alter(file: Path) -> None:
    file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()).replace(b'"number":9', b'"number":8')))


def shorten(file: Path) -> None:
    """As if an older state of the file had been put back."""
    commits = gzip.decompress(file.read_bytes()).splitlines()[1:-3]
    game = file.name.removesuffix(".ndjson.gz")
    Archive(file.parent).write(game, commits)


@pytest.mark.parametrize("harm", [cut, alter])
async def test_a_file_that_was_harmed_is_never_read(harm: Callable[[Path], None], folder: Path) -> None:
    written = [b'{"number":%d}' % number for number in range(1, 12)]
    file = Archive(folder).write("g", written)
    archive = Archive(folder)
    content = file.read_bytes()
    harm(file)
    with pytest.raises(ArchiveMissing, match=r"g\.ndjson\.gz"):
        await archive.commits("g")
    file.write_bytes(content)
    assert await archive.commits("g") == written
    file.rename(file.with_name("other.ndjson.gz"))
    with pytest.raises(ArchiveMissing, match="is not what was written there"):
        await archive.commits("other")


@pytest.mark.parametrize("harm", [lose, shorten])
def test_a_file_that_is_not_what_it_was_is_a_named_problem(
    harm: Callable[[Path], None], tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "log.db"
    monkeypatch.setenv("OMENLOG_STORE", f"sqlite:///{store}")
    chosen = settings(store, archive=str(folder))
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        table.play(8)
        table.post("close", table.host)
        whole = table.get("export", table.referee).content
        assert omenlog("archive", str(folder)).exit_code == 0
    (file,) = folder.iterdir()
    content = file.read_bytes()
    harm(file)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table.client = client
        for what in ("events", "view", "export", "view?at=5"):
            problem(table.get(what, table.referee), 503, "archive-missing")
        assert client.get(table.path).status_code == 200, "its public facts are still there"
        file.write_bytes(content)
        assert table.get("export", table.referee).content == whole, "put back, it is read again"


@pytest.mark.parametrize("moment", ["writing", "reading back", "stripping"])
async def test_whoever_is_interrupted_loses_nothing(
    moment: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store, archive=str(folder))
    over, _ = await two_games(service)
    before = await everything(service, over)

    def die(*_: object) -> None:
        raise OSError(28, "No space left on device", "disk")

    async def fail(*_: object) -> None:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as harmed:
        if moment == "writing":
            harmed.setattr("service.store.archive.gzip.compress", die)
        elif moment == "reading back":
            harmed.setattr("service.store.archive.read_file", lambda *_: [b"something else"])
        else:
            harmed.setattr(SqliteLogStore, "strip", fail)
        result = await asyncio.to_thread(omenlog, "archive", str(folder))
        assert result.exit_code == 1
    assert len(files_in(folder)) == (1 if moment == "stripping" else 0), "no half of a file is left"
    bare = await open_bare_store(Settings(store=store))
    assert STRIPPED not in await bare.read(over, 0, 100)
    await bare.close()
    assert "moved 1 game" in (await asyncio.to_thread(omenlog, "archive", str(folder))).output
    assert await everything(service, over) == before
    await service.close()


DYING = """
import itertools, os, signal, sys
from service.store import archive
from service.store.sqlite import statements

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

syncs, sync, strip = itertools.count(1), os.fsync, statements.strip

def dying_sync(file):
    if next(syncs) == int(sys.argv[1]):
        die()
    sync(file)

def dying_strip(*given):
    strip(*given)
    die()

os.fsync = dying_sync
if sys.argv[1] == "0":
    statements.strip = dying_strip
from service.cli import main  # only now, so that the store takes the functions above
main(["archive", sys.argv[2]])
"""
"""Killed at the first `fsync` (the file is written and has no name), at the second (it has its name), or, by 0, before the store has committed."""


@pytest.mark.parametrize("moment", ["1", "2", "0"])
async def test_whoever_is_killed_loses_nothing(
    moment: str, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store, archive=str(folder))
    over, _ = await two_games(service)
    before = await everything(service, over)
    dying = await asyncio.create_subprocess_exec(sys.executable, "-c", DYING, moment, str(folder))
    assert await dying.wait() == -signal.SIGKILL
    assert [file.suffix for file in files_in(folder)] == [".part" if moment == "1" else ".gz"]
    assert await everything(service, over) == before
    assert "moved 1 game" in (await asyncio.to_thread(omenlog, "archive", str(folder))).output
    assert [file.suffix for file in files_in(folder)] == [".gz"]
    assert await everything(service, over) == before
    await service.close()


async def test_a_game_whose_log_does_not_hold_stays_where_it_is(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store)
    over, _ = await two_games(service)
    bodies = await service.store.read(over, 0, 100)
    await service.store.append(over, len(bodies), bodies[-1])
    await service.close()
    result = await asyncio.to_thread(omenlog, "archive", str(folder))
    assert result.exit_code == 1
    assert f"game {over}, commit {len(bodies) + 1}" in result.output
    assert files_in(folder) == []
    opened = await open_store(Settings(store=store))
    assert await opened.read(over, 0, 100) == [*bodies, bodies[-1]]
    await opened.close()


async def test_games_that_ended_lately_stay_and_a_setting_is_heeded(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store)
    await two_games(service)
    result = await asyncio.to_thread(omenlog, "archive", str(folder), "--older-than", "36500")
    assert "moved 0 games with 0 commits" in result.output
    monkeypatch.setenv("OMENLOG_ARCHIVE", str(tmp_path / "another"))
    result = await asyncio.to_thread(omenlog, "archive", str(folder))
    assert (result.exit_code, "is another folder" in result.output) == (2, True)
    assert files_in(folder) == []
    await service.close()


@pytest.mark.parametrize("days", ["nan", "inf", "1e300", "-1"])
def test_so_many_days_ago_there_was_no_game(days: str, tmp_path: Path) -> None:
    result = omenlog("archive", str(tmp_path), "--older-than", days)
    assert (result.exit_code, "--older-than" in result.output) == (2, True), result.output


async def test_a_backup_of_a_file_needs_the_archive_and_says_so(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store)
    over, _ = await two_games(service)
    await asyncio.to_thread(omenlog, "archive", str(folder))
    with pytest.raises(ArchiveMissing, match=f"game {over} is archived: set OMENLOG_ARCHIVE"):
        await service.store.read(over, 0, 5)
    await service.close()
    result = await asyncio.to_thread(omenlog, "backup", str(tmp_path / "copy.db"))
    assert (result.exit_code, "OMENLOG_ARCHIVE" in result.output) == (1, True)
    monkeypatch.setenv("OMENLOG_ARCHIVE", str(folder))
    result = await asyncio.to_thread(omenlog, "backup", str(tmp_path / "copy.db"))
    assert "2 games with" in result.output
