"""What the Redis store makes sure of when it is opened, and what a crash between two slots leaves: nothing half-done."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import redis.asyncio

from service.settings import BadSetting
from service.store.port import (
    AlreadyCreated,
    Applied,
    Created,
    Creation,
    Health,
    NewGame,
    Opened,
    StoreDamaged,
    StoreFull,
    StoreTooNew,
    StoreUnavailable,
    TokenRecord,
)
from service.store.redis import opening
from service.store.redis.connection import parse, without_password
from service.store.redis.log import RedisLogStore
from service.store.redis.scripts import CREATE
from tests.support.redis import DURABLE, free_port, server


@pytest.fixture
async def client(redis_url: str) -> AsyncIterator[Any]:
    found = redis.asyncio.Redis.from_url(redis_url, protocol=2)
    yield found
    await found.aclose()


def game(name: str, *tokens: TokenRecord) -> NewGame:
    return NewGame(id=name, created="2026-01-02T03:04:05Z", status="open", facts=b"", commits=(b"one",), tokens=tokens)


def token(name: str, digest: bytes, of: str) -> TokenRecord:
    return TokenRecord(id=name, hash=digest, game=of, role="seat", seat=1)


# ---- durable or not at all ----


@pytest.mark.parametrize(
    "change, told",
    [
        (("--appendonly", "no"), "appendonly is no, and must be yes"),
        (("--appendfsync", "everysec"), "appendfsync is everysec, and must be always"),
        (("--no-appendfsync-on-rewrite", "yes"), "no-appendfsync-on-rewrite is yes, and must be no"),
        (("--maxmemory-policy", "allkeys-lru"), "maxmemory-policy is allkeys-lru, and must be noeviction"),
    ],
)
async def test_a_redis_that_may_lose_what_it_acknowledges_is_refused(
    tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    refused = pytest.raises(StoreUnavailable, match=f"{told}.*redis-server with {change[0]}")
    with server(tmp_path / "redis", *DURABLE, *change) as running, refused:
        await RedisLogStore.open(running.url)


async def test_a_redis_that_is_loosened_while_it_runs_is_no_longer_ready(tmp_path: Path) -> None:
    with server(tmp_path / "redis") as running:
        store = await RedisLogStore.open(f"unix://{running.folder}/s")
        assert await store.check() == Health(
            adapter="redis", durable=True, journal_mode="appendonly", synchronous="always"
        )
        with contextlib.closing(running.client()) as client:
            client.config_set("appendfsync", "everysec")
        with pytest.raises(StoreUnavailable, match="appendfsync is everysec"):
            await store.check()
        await store.close()


async def test_a_redis_that_is_not_there_is_told_without_its_password() -> None:
    with pytest.raises(StoreUnavailable, match="can't be reached") as failed:
        await RedisLogStore.open(f"redis://user:hunter2@127.0.0.1:{free_port()}/0")
    assert "hunter2" not in str(failed.value)
    with pytest.raises(StoreUnavailable, match="can't be reached") as failed:
        await RedisLogStore.open(f"redis+cluster://user:hunter2@127.0.0.1:{free_port()}")
    assert "hunter2" not in str(failed.value)


async def test_a_wrong_password_is_told_as_such(tmp_path: Path) -> None:
    with server(tmp_path / "redis") as locked:
        with contextlib.closing(locked.client()) as client:
            client.config_set("requirepass", "right")
        with pytest.raises(StoreUnavailable, match="refuses user or password"):
            await RedisLogStore.open(f"redis://:wrong@127.0.0.1:{locked.port}/0")
        store = await RedisLogStore.open(f"redis://:right@127.0.0.1:{locked.port}/0")
        await store.close()


async def test_games_of_a_newer_omenlog_and_of_somebody_else_are_left_alone(
    redis_url: str, client: redis.asyncio.Redis
) -> None:
    await client.set("newer:schema", "2")
    with pytest.raises(StoreTooNew, match=r"schema 2, this Omenlog knows 1"):
        await RedisLogStore.open(f"{redis_url}?prefix=newer")
    await client.set("other:schema", "mine")
    with pytest.raises(StoreDamaged, match="not Omenlog's"):
        await RedisLogStore.open(f"{redis_url}?prefix=other")


async def test_two_prefixes_are_two_stores(redis_url: str) -> None:
    one, other = [await RedisLogStore.open(f"{redis_url}?prefix={name}") for name in ("one", "two")]
    await one.create(game("g", token("t", b"T", "g")), creator="ann", key="k")
    assert await other.get_game("g") is None
    assert await other.find_token(b"T") is None
    assert await other.create(game("g"), creator="ann", key="k") == Created(1)
    for store in (one, other):
        await store.close()


@pytest.mark.parametrize(
    "store", ["redis://host:port/0", "redis+cluster://", "redis+cluster://a:1/3", "redis://host/0?socket_timeut=3"]
)
async def test_an_address_that_makes_no_sense_is_refused(store: str) -> None:
    with pytest.raises(BadSetting, match="OMENLOG_STORE"):
        await RedisLogStore.open(store)


def test_addresses_are_shown_without_passwords() -> None:
    assert without_password("redis://ann:secret@host:1/0?prefix=x") == "redis://ann:***@host:1/0"
    assert without_password("redis+cluster://:secret@a:1,b:2") == "redis+cluster://:***@a:1,b:2"
    assert without_password("sqlite:///data/omenlog.db") == "sqlite:///data/omenlog.db"
    found = parse("rediss+cluster://ann:secret@a:1,[::1]:2?prefix=x")
    assert found.nodes == (("a", 1), ("::1", 2))
    assert (found.prefix, found.shown) == ("x", "rediss+cluster://a:1,[::1]:2")


# ---- full, damaged ----


async def test_a_full_redis_refuses_writes_and_still_reads(tmp_path: Path) -> None:
    with server(tmp_path / "redis") as running, contextlib.closing(running.client()) as client:
        store = await RedisLogStore.open(running.url)
        await store.create(game("g", token("t", b"T", "g")), creator="ann", key="k")
        client.config_set("maxmemory", "1")
        for number in range(3):
            with pytest.raises(StoreFull, match="maxmemory"):
                await store.append("g", 1, b"two", key=str(number))
            with pytest.raises(StoreFull):
                await store.create(game(f"h{number}"), creator="ann", key="other")
        assert await store.read("g", 0, 10) == [b"one"]
        assert await store.create(game("i"), creator="ann", key="k") == AlreadyCreated("g", b"")
        client.config_set("maxmemory", "0")
        assert await store.append("g", 1, b"two", key="0") == Applied(2)
        assert await store.create(game("j"), creator="ann", key="other") == Created(1)
        assert [one.id for one in await store.list_games(None, 10)] == ["g", "j"]
        await store.close()


async def test_a_log_that_lacks_a_commit_is_damaged(redis_url: str, client: redis.asyncio.Redis) -> None:
    store = await RedisLogStore.open(f"{redis_url}?prefix=damaged")
    await store.create(game("g"))
    for number in range(1, 4):
        await store.append("g", number, b"x")
    await client.xdel("damaged:{g:g}:log", "2-0")
    with pytest.raises(StoreDamaged, match="commit 2 of game g is missing"):
        await store.read("g", 0, 10)
    await client.delete("damaged:{g:g}:log")
    with pytest.raises(StoreDamaged, match="game g is missing"):
        await store.append("g", 4, b"x")
    assert await store.version("g") == 4
    await client.set("damaged:{g:g}:texts", "nonsense")
    with pytest.raises(StoreDamaged, match="holds what Omenlog has not written"):
        await store.get_texts("g")
    await store.close()


# ---- a crash between two slots ----


class Died(BaseException):
    """The process is gone: nothing that would have tidied up runs."""


async def test_an_opening_that_dies_at_any_step_leaves_a_whole_game_or_none(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "WAITS", (0.001, 0.002))
    step = 0
    while True:
        store = await RedisLogStore.open(f"{redis_url}?prefix=dies{step}")
        died = await dies_at(store, step)
        listed = [one.id for one in await store.list_games(None, 10)]
        before = await store.head("g")
        assert listed == ([] if before is None else ["g"]), "what is there is listed"
        assert (await store.find_token(b"T") is None) == (before is None)
        retry = await store.create(game("h", token("t", b"T2", "h")), creator="ann", key="k", fingerprint=b"f")
        assert retry == (Created(1) if before is None else AlreadyCreated("g", b"f"))
        (first,) = [one.id for one in await store.list_games(None, 10)]
        found = await store.find_token(b"T2" if before is None else b"T")
        assert found is not None
        assert found.game == first == ("h" if before is None else "g")
        assert await store.creation(first) == Creation("ann", "k", b"f")
        if before is None:
            # Whoever was about to open it and only slept must not open a second game under the key.
            late = await store.create(game("g", token("t", b"T", "g")), creator="ann", key="k", fingerprint=b"f")
            assert late == AlreadyCreated("h", b"f")
        await store.close()
        if not died:
            assert step > 4, "there are steps at which it can die"
            return
        step += 1


async def dies_at(store: RedisLogStore, step: int) -> bool:
    """Opens game g as a process would that dies before a step; whether it did."""
    send, left = store._opener._send, step  # noqa: SLF001 -- between two steps nobody else gets in

    async def dying(*commands: tuple[Any, ...]) -> list[Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise Died
        return await send(*commands)

    store._opener._send = dying  # noqa: SLF001 -- as above
    try:
        await store._opener.create(game("g", token("t", b"T", "g")), Creation("ann", "k", b"f"))  # noqa: SLF001 -- as above
    except Died:
        return True
    finally:
        store._opener._send = send  # noqa: SLF001 -- as above
    return False


async def test_an_opening_that_only_slept_while_its_key_was_taken_over_gives_up(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "WAITS", (0.001,))
    store = await RedisLogStore.open(f"{redis_url}?prefix=sleeper")
    other = await RedisLogStore.open(f"{redis_url}?prefix=sleeper")
    send = store._opener._send  # noqa: SLF001 -- between two steps nobody else gets in
    taken: list[Opened] = []

    async def overtaken(*commands: tuple[Any, ...]) -> list[Any]:
        if commands and commands[0][1] == CREATE.sha and not taken:
            taken.append(await other.create(game("h"), creator="ann", key="k"))
        return await send(*commands)

    store._opener._send = overtaken  # noqa: SLF001 -- as above
    assert await store.create(game("g"), creator="ann", key="k") == AlreadyCreated("h", b"")
    assert taken == [Created(1)]
    assert [one.id for one in await other.list_games(None, 10)] == ["h"]
    for one in (store, other):
        await one.close()


async def test_what_will_never_be_is_struck_out(
    redis_url: str, client: redis.asyncio.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await RedisLogStore.open(f"{redis_url}?prefix=struck")
    await client.hset("struck:{games}:pending", "g", "1000")
    assert await store.list_games(None, 10) == []
    assert await client.hlen("struck:{games}:pending") == 0
    assert await store.create(game("g")) == Created(1)
    await store.close()
