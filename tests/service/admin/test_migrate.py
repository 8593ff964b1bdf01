"""All games from one store into another: whatever was kept arrives, an interruption is made good, a difference is refused."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import msgspec
import pytest

from domain.facts.commands import EndTurn
from service.admin.migrate import Copied, CopyDiffers, Migrated, migrate_games
from service.games.desk.side import PostMessage
from service.settings import Settings
from service.store.open import open_store
from service.store.port import AlreadyApplied, Applied, LogStore, NewGame, RecordChanges, StoreDamaged, StoreUnavailable
from tests.support.running import awaited, open_game, play, seat, service_on
from tests.support.shared_stores import empty_store


async def filled(path: str) -> list[str]:
    """Two games with keys, messages, claims, snapshots; one is over."""
    service = await service_on(path, snapshot_every=10)
    games = [await open_game(service) for _ in range(2)]
    caller = await awaited(service, games[0])
    await service.play.submit_command(caller, EndTurn(decision="turn-1"), key="the-key")
    for game in games:
        await play(service, game, 25)
    await service.side.post(seat(games[0], 1), PostMessage(to="referee", text="hello"))
    await service.life.close(seat(games[1], 0), "", b"")
    await service.close()
    return games


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The file of a store that nobody has open, and its games."""
    path = tmp_path_factory.mktemp("played") / "log.db"
    return path, asyncio.run(filled(f"sqlite:///{path}"))


@pytest.fixture
def first(played: tuple[Path, list[str]], tmp_path: Path) -> str:
    """The address of a copy of it."""
    return f"sqlite:///{shutil.copy(played[0], tmp_path / 'first.db')}"


@pytest.fixture
def games(played: tuple[Path, list[str]]) -> list[str]:
    return played[1]


async def everything(store: LogStore, games: list[str]) -> list[object]:
    """All that is kept of some games, but for how often a store has changed it."""
    records = [msgspec.structs.replace(record, revision=0) for record in await store.list_games(None, 100)]
    found: list[object] = [await store.list_packs(), records]
    for game in games:
        found += [await store.read_stored(game, 0, 1000), await store.secret(game), await store.list_tokens(game)]
        found += [await store.get_texts(game), await store.creation(game)]
    return found


async def copy(source: LogStore, destination: LogStore) -> tuple[Migrated, list[Copied]]:
    told: list[Copied] = []
    return await migrate_games(source, destination, told.append), told


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis", "cluster"])
async def test_everything_arrives_and_comes_back(
    kind: str, first: str, games: list[str], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    source = await open_store(Settings(store=first))
    middle = await open_store(Settings(store=empty_store(kind, request, tmp_path)))
    back = await open_store(Settings(store=f"sqlite:///{tmp_path}/back.db"))
    there, told = await copy(source, middle)
    assert (there.games, there.added, there.packs) == (2, there.commits, 1)
    assert [one.game for one in told] == games
    again, _ = await copy(middle, back)
    assert (again.proof, again.size, again.commits) == (there.proof, there.size, there.commits)
    assert await everything(back, games) == await everything(middle, games) == await everything(source, games)
    once_more, _ = await copy(source, middle)
    assert (once_more.added, once_more.proof) == (0, there.proof)
    keys = [(n, one) for n, one in enumerate(await source.read_stored(games[0], 0, 1000), 1) if one.key is not None]
    ((number, stored),) = keys
    answer = await middle.append(games[0], 0, b"again", key=stored.key)
    assert answer == AlreadyApplied(number, stored.fingerprint)
    for store in (source, middle, back):
        await store.close()


async def test_an_interrupted_copy_goes_on_where_it_was(
    first: str, games: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = await open_store(Settings(store=first))
    whole, left = await open_store(Settings(store="memory:")), 0
    proof = (await copy(source, whole))[0].proof
    destination = await open_store(Settings(store="memory:"))
    append, create = destination.append, destination.create

    async def dying(*given: object, **named: object) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise StoreUnavailable("gone")
        return await (create if len(given) == 1 else append)(*given, **named)  # type: ignore[arg-type]  # as given

    monkeypatch.setattr(destination, "append", dying)
    monkeypatch.setattr(destination, "create", dying)
    for left in (0, 1, 7, 30):  # noqa: B007 -- it counts down in `dying`
        with pytest.raises(StoreUnavailable):
            await copy(source, destination)
    monkeypatch.undo()
    done, _ = await copy(source, destination)
    assert done.proof == proof
    assert 0 < done.added < done.commits
    assert await everything(destination, games) == await everything(source, games)
    await source.close()


@pytest.mark.parametrize(
    "change, told",
    [
        ("played on", "has 35 commits, the source 34"),
        ("message", "texts differ"),
        ("revoked", "tokens differ"),
        ("status", "status differ"),
    ],
)
async def test_a_game_that_differs_is_refused_and_left_alone(
    first: str, games: list[str], change: str, told: str
) -> None:
    source = await open_store(Settings(store=first))
    destination = await open_store(Settings(store="memory:"))
    await copy(source, destination)
    version = await destination.version(games[1])
    assert version is not None
    changes = {
        "message": RecordChanges(texts={"side:001:000001": "{}"}),
        "revoked": RecordChanges(revoke=("host",)),
        "status": RecordChanges(status="finished"),
    }
    if change == "played on":
        assert await destination.append(games[1], version, b"more") == Applied(version + 1)
        told = told.replace("35", str(version + 1)).replace("34", str(version))
    else:
        await destination.update_game(games[1], changes[change])
    before = await everything(destination, games)
    with pytest.raises(CopyDiffers, match=f"{games[1]}.*{told}"):
        await copy(source, destination)
    assert await everything(destination, games) == before
    await source.close()


async def test_a_commit_that_differs_is_named(first: str, games: list[str]) -> None:
    source = await open_store(Settings(store=first))
    stored = await source.read_stored(games[0], 0, 1000)
    destination = await open_store(Settings(store="memory:"))
    await copy(source, destination)
    destination._games[games[0]].commits[4] = stored[5].body  # type: ignore[attr-defined]  # noqa: SLF001 -- as a forger would
    with pytest.raises(CopyDiffers, match=f"{games[0]}: commit 5 differs"):
        await copy(source, destination)
    forged = await open_store(Settings(store="memory:"))
    with pytest.raises(StoreDamaged, match=f"{games[0]}, commit 5: commit 6 follows on another"):
        await copy(destination, forged)
    await source.close()


async def test_a_key_that_opened_another_game_there_is_refused(first: str) -> None:
    source, destination = [await open_store(Settings(store="memory:")) for _ in range(2)]
    real = await open_store(Settings(store=first))
    (record,) = await real.list_games(None, 1)
    secret = await real.secret(record.id)
    await real.close()
    assert secret is not None
    new = NewGame(id=record.id, created="", status="open", facts=b"", secret=secret)
    await source.create(new, creator="ann", key="k")
    await destination.create(msgspec.structs.replace(new, id="another"), creator="ann", key="k")
    with pytest.raises(CopyDiffers, match="opened game another under its key"):
        await copy(source, destination)
