"""`kill -9` of the Redis server in the middle of writing: what was acknowledged is there, nothing twice, and a retry finds it."""

import asyncio
import contextlib
import itertools
from pathlib import Path

import pytest

from service.store.port import (
    AlreadyApplied,
    AlreadyCreated,
    Applied,
    Conflict,
    Created,
    Head,
    NewGame,
    StoreUnavailable,
)
from service.store.redis.log import RedisLogStore
from tests.support.redis import Server, cluster, server

GAMES = 4
WORKERS_PER_GAME = 4
"""They race for each version of their game."""
KILLED_AFTER = (1, 40, 400)
"""Acknowledgements of each round, after which the server is killed."""


class Round:
    """One life of the server: workers that append until it is gone."""

    def __init__(self, store: RedisLogStore, number: int) -> None:
        self.store = store
        self.number = number
        self.acknowledged: dict[tuple[str, int], str] = {}
        self.unanswered: list[tuple[str, str]] = []
        """What was sent when the server died."""
        self.enough = asyncio.Event()

    async def work(self, game: str, worker: int) -> None:
        version, turn = 0, 0
        while True:
            key = f"{self.number}.{worker}.{turn}"
            try:
                answer = await self.store.append(game, version, body(key), key=key)
            except StoreUnavailable:
                self.unanswered.append((game, key))
                return
            if isinstance(answer, Conflict):
                version = answer.current
                continue
            assert isinstance(answer, Applied), f"{key} is new"
            version = answer.version
            assert (game, version) not in self.acknowledged, "two commits were acknowledged under one number"
            self.acknowledged[game, version] = key
            turn += 1
            if len(self.acknowledged) >= KILLED_AFTER[self.number]:
                self.enough.set()


def body(key: str) -> bytes:
    """A commit that tells its key, about as long as a real one."""
    return key.encode().ljust(1500, b".")


async def test_every_acknowledged_commit_survives_kill_9_and_none_is_there_twice(tmp_path: Path) -> None:
    games = [f"g{number}" for number in range(GAMES)]
    acknowledged: dict[tuple[str, int], str] = {}
    with server(tmp_path / "redis") as redis:
        store = await RedisLogStore.open(redis.url)
        for game in games:
            new = NewGame(id=game, created="2026-01-02T03:04:05Z", status="open", facts=b"")
            assert await store.create(new, creator="crash", key=game) == Created(0)
        for number in range(len(KILLED_AFTER)):
            life = Round(store, number)
            workers = [
                asyncio.create_task(life.work(game, worker)) for game in games for worker in range(WORKERS_PER_GAME)
            ]
            async with asyncio.timeout(60):
                await life.enough.wait()
                redis.kill()
                await asyncio.gather(*workers)
            acknowledged |= life.acknowledged
            redis.start()
            # The same store goes on: nobody has to restart the service because Redis was.
            for game in games:
                keys = [commit.rstrip(b".").decode() for commit in await store.read(game, 0, 1_000_000)]
                assert len(set(keys)) == len(keys) == await store.version(game)
                assert {n: key for (of, n), key in acknowledged.items() if of == game}.items() <= dict(
                    enumerate(keys, start=1)
                ).items(), "something acknowledged is lost"
                for key in [key for of, key in life.unanswered if of == game]:
                    await retry(store, game, key, keys)
                again = NewGame(id="other", created="", status="", facts=b"")
                assert await store.create(again, creator="crash", key=game) == AlreadyCreated(game, b"")
        await store.close()


async def test_a_cluster_that_loses_a_master_goes_on_when_it_is_back(tmp_path: Path) -> None:
    games = [f"g{number}" for number in range(12)]
    with cluster(tmp_path / "cluster") as masters:
        store = await RedisLogStore.open(f"redis+cluster://127.0.0.1:{masters[0].port},127.0.0.1:{masters[1].port}")
        assert (await store.check()).adapter == "redis-cluster"
        for game in games:
            new = NewGame(id=game, created="2026-01-02T03:04:05Z", status="open", facts=b"")
            assert await store.create(new, creator="crash", key=game) == Created(0)
        assert min(len(keys_of(one)) for one in masters) > 1, "each master has games"
        versions = dict.fromkeys(games, 0)
        lost = masters[1]
        lost.kill()
        unanswered = []
        for game in games:
            answer = await attempt(store, game, versions[game])
            versions[game] += answer == Applied(versions[game] + 1)
            unanswered += [game] if answer is None else []
        assert unanswered, "those of the lost master can't be written"
        with pytest.raises(StoreUnavailable):
            await store.check()
        lost.start()
        async with asyncio.timeout(30):
            while not await ready(store):  # noqa: ASYNC110 -- the cluster tells nobody
                await asyncio.sleep(0.05)
        for game in games:
            if game in unanswered:
                found = await store.append(game, versions[game], b"x", key=f"k{versions[game]}")
                assert found in (Applied(versions[game] + 1), AlreadyApplied(versions[game] + 1, b""))
                versions[game] += 1
            assert await store.read(game, 0, 100) == [b"x"] * versions[game]
        assert [one.id for one in await store.list_games(None, 100)] == games
        await store.close()


async def attempt(store: RedisLogStore, game: str, version: int) -> Applied | None:
    """Append, or get no answer."""
    try:
        answer = await store.append(game, version, b"x", key=f"k{version}")
    except StoreUnavailable:
        return None
    assert isinstance(answer, Applied)
    return answer


async def ready(store: RedisLogStore) -> bool:
    try:
        await store.check()
    except StoreUnavailable:
        return False
    return True


def keys_of(master: Server) -> list[bytes]:
    with contextlib.closing(master.client()) as client:
        found: list[bytes] = client.keys("*:game")
        return found


async def test_news_come_again_when_the_server_is_back(tmp_path: Path) -> None:
    heard: asyncio.Queue[tuple[str, Head | None]] = asyncio.Queue()
    with server(tmp_path / "redis") as redis:
        one, other = [await RedisLogStore.open(redis.url) for _ in range(2)]
        one.listen(lambda game, head: heard.put_nowait((game, head)))
        await other.create(NewGame(id="g", created="2026-01-02T03:04:05Z", status="open", facts=b""))
        one.watch("g")
        version = await told_of(other, heard, 0)
        coming = asyncio.create_task(come_and_go(one))
        for _ in range(10):
            await asyncio.sleep(0.3)  # it has connected again
            redis.kill()
            await asyncio.to_thread(redis.start)
        coming.cancel()
        assert await told_of(other, heard, version) > version
        redis.kill()
        async with asyncio.timeout(30):
            await one.close()
        await other.close()


async def come_and_go(store: RedisLogStore) -> None:
    """Watch games for a moment, as people do who open and close the page."""
    for number in itertools.count():
        store.watch(f"g{number}")
        store.unwatch(f"g{number - 3}")
        await asyncio.sleep(0.001 * (number % 3))


async def told_of(store: RedisLogStore, heard: asyncio.Queue[tuple[str, Head | None]], version: int) -> int:
    """Append until a commit of these is heard of."""
    first = version
    async with asyncio.timeout(30):
        while True:
            with contextlib.suppress(StoreUnavailable):
                version = (await store.append("g", version, b"x")).version  # type: ignore[union-attr]  # nobody else appends
            try:
                _, head = await asyncio.wait_for(heard.get(), 0.2)
            except TimeoutError:
                continue
            if head is not None and head.version > first:
                return version


async def retry(store: RedisLogStore, game: str, key: str, keys: list[str]) -> None:
    """Send again what got no answer, as clients do: it is found, or done now."""
    version = await store.version(game)
    assert version is not None
    answer = await store.append(game, version, body(key), key=key)
    expected = AlreadyApplied(keys.index(key) + 1, b"") if key in keys else Applied(version + 1)
    assert answer == expected
