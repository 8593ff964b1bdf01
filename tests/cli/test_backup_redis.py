"""A Redis is copied to a file while games go on, checked to the last commit, and put back into another one."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from service.admin.audits import check_chains
from service.admin.migrate import copy_game
from service.settings import Settings
from service.store.open import open_records, open_store
from service.store.port import LogStore, Record, StoreUnavailable
from service.webhooks.subscription import account_owner
from tests.cli.invoking import omenlog
from tests.support.redis import server
from tests.support.running import open_game, play, referee, seat, service_on
from tests.support.shared_stores import empty_store


async def filled(store: str) -> list[str]:
    """Two games, one of which somebody has subscribed to, and an account that has subscribed to all of its own."""
    service = await service_on(store)
    games = [await open_game(service) for _ in range(2)]
    for game in games:
        await play(service, game, 12)
    account = await service.accounts.open()
    await service.close()
    hooks = await open_records(Settings(store=store))
    await hooks.add(Record(id="hook", owner=games[0], body=b"\x00cursor", ready=1.5))
    await hooks.add(Record(id="whole", owner=account_owner(account.id), body=b"\x00keys", ready=0.0))
    await hooks.close()
    return games


async def everything(store: str, games: list[str]) -> list[object]:
    """All that is kept of some games, but for how often a store has changed it."""
    opened, hooks = await open_store(Settings(store=store)), await open_records(Settings(store=store))
    records = [msgspec.structs.replace(record, revision=0) for record in await opened.list_games(None, 100)]
    found: list[object] = [await opened.list_packs(), records, await hooks.get("hook")]
    found += [await opened.list_accounts(), await hooks.get("whole")]
    for game in games:
        found += [await opened.read_stored(game, 0, 1000), await opened.secret(game), await opened.list_tokens(game)]
        found += [await opened.get_texts(game), await opened.creation(game)]
    await hooks.close()
    await opened.close()
    return found


@pytest.mark.parametrize("kind", ["redis", "cluster"])
def test_a_redis_is_lost_and_put_back_on_another(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, copied = empty_store(kind, request, tmp_path), tmp_path / "copy.db"
    games = asyncio.run(filled(store))
    monkeypatch.setenv("OMENLOG_STORE", store)
    result = omenlog("backup", str(copied))
    assert result.exit_code == 0, result.output
    assert f"{copied}: 2 games with" in result.output
    assert "every chain holds" in result.output
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.db"], "one file, nothing beside it"
    before, content = asyncio.run(everything(store, games)), copied.read_bytes()

    with server(tmp_path / "another") as another:
        monkeypatch.setenv("OMENLOG_STORE", another.url)
        result = omenlog("restore", str(copied))

        assert result.exit_code == 0, result.output
        assert f"{another.url}: 2 games with" in result.output
        assert copied.read_bytes() == content
        assert asyncio.run(everything(another.url, games)) == before
        asyncio.run(went_on(another.url, games[0]))
        again = omenlog("restore", str(copied))
        assert again.exit_code == 1
        assert "has games or accounts already" in again.output
        assert "`omenlog migrate" in again.output


async def went_on(store: str, game: str) -> None:
    service = await service_on(store)
    version = (await service.reading.seen(seat(game, 0))).version
    await play(service, game, 5)
    assert (await service.reading.seen(referee(game))).version > version
    await service.close()


def test_what_redis_has_can_be_put_into_a_file(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, restored = empty_store("redis", request, tmp_path), f"sqlite:///{tmp_path}/elsewhere/log.db"
    games = asyncio.run(filled(store))
    monkeypatch.setenv("OMENLOG_STORE", store)
    assert omenlog("backup", str(tmp_path / "copy.db")).exit_code == 0
    monkeypatch.setenv("OMENLOG_STORE", restored)
    assert omenlog("restore", str(tmp_path / "copy.db")).exit_code == 0
    assert asyncio.run(everything(restored, games)) == asyncio.run(everything(store, games))


async def test_every_game_is_copied_whole_while_it_is_played(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = empty_store("redis", request, tmp_path)
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store)
    games = [await open_game(service) for _ in range(3)]

    async def go_on() -> None:
        while True:
            for game in games:
                await play(service, game, 1)
            await asyncio.sleep(0.01)

    playing = asyncio.create_task(go_on())
    result = await asyncio.to_thread(omenlog, "backup", str(tmp_path / "copy.db"))
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing
    await service.close()
    assert result.exit_code == 0, result.output
    copied = await open_store(Settings(store=f"sqlite:///{tmp_path}/copy.db"))
    assert (await check_chains(copied))[0] == 3
    await copied.close()


async def test_a_game_that_never_rests_is_told(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    source, target = [await open_store(Settings(store=one)) for one in (f"sqlite:///{tmp_path}/a.db", "memory:")]
    service = await service_on()
    game = await open_game(service)
    (record,) = await service.store.list_games(None, 1)
    await copy_game(service.store, source, record)
    with pytest.raises(StoreUnavailable, match=f"game {game} changes all the time"):
        await copy_game(Restless(source), target, record)  # type: ignore[arg-type]  # what is not here is the store's
    assert await target.get_game(game) is None
    await source.close()


class Restless:
    """A store in which somebody writes between any two questions."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def head(self, game: str) -> object:
        head = await self._store.head(game)
        number = await self._store.version(game) or 0
        await self._store.append(game, number, b"more")
        return head


def test_a_damaged_copy_is_told_and_nothing_is_put_back(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, copied = empty_store("redis", request, tmp_path), tmp_path / "copy.db"
    games = asyncio.run(filled(store))
    monkeypatch.setenv("OMENLOG_STORE", store)
    assert omenlog("backup", str(copied)).exit_code == 0
    with closing(sqlite3.connect(copied)) as connection:
        connection.execute("UPDATE commits SET body = CAST(replace(body, '2026', '2025') AS BLOB) WHERE number = 9")
        connection.commit()
    empty = empty_store("redis", request, tmp_path)
    monkeypatch.setenv("OMENLOG_STORE", empty)
    result = omenlog("restore", str(copied))
    assert result.exit_code == 1
    assert f"game {games[0]}, commit 9" in result.output
    assert asyncio.run(everything(empty, []))[1] == []
