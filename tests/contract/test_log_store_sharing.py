"""What every log store promises to several processes that share it, and to whoever copies it into another one."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.store.port import (
    AlreadyApplied,
    AlreadyCreated,
    Applied,
    Conflict,
    Created,
    Creation,
    Head,
    LogStore,
    NewGame,
    RecordChanges,
    StoredCommit,
    StoreError,
    TokenRecord,
)

SOON = 10.0
"""Seconds within which a hint must have come."""


def game(name: str, *tokens: TokenRecord, commits: tuple[bytes, ...] = ()) -> NewGame:
    return NewGame(
        id=name, created="2026-01-02T03:04:05Z", status="open", facts=b"facts", tokens=tokens, commits=commits
    )


def token(name: str, digest: bytes, *, of: str = "g") -> TokenRecord:
    return TokenRecord(id=name, hash=digest, game=of, role="seat", seat=1)


# ---- heads ----


async def test_the_head_tells_commits_and_changes_beside_the_log_apart(store: LogStore) -> None:
    assert await store.head("g") is None
    await store.create(game("g", token("t", b"T"), commits=(b"one",)))
    assert await store.head("g") == Head(1, 0)
    await store.append("g", 1, b"two")
    assert await store.head("g") == Head(2, 0)
    await store.append("g", 2, b"three", changes=RecordChanges(status="started"))
    assert await store.head("g") == Head(3, 1)
    await store.update_game("g", RecordChanges(revoke=("t",), texts={"a": "b"}))
    assert await store.head("g") == Head(3, 2)
    await store.put_snapshot("g", 3, b"state")
    await store.append("g", 0, b"late", changes=RecordChanges(status="late"))
    assert await store.head("g") == Head(3, 2), "nothing has changed"


async def test_a_change_meant_for_another_revision_is_not_made(store: LogStore) -> None:
    await store.create(game("g"))
    assert await store.update_game("g", RecordChanges(texts={"who": "first"}), revision=0)
    assert not await store.update_game("g", RecordChanges(texts={"who": "second"}), revision=0)
    assert await store.update_game("g", RecordChanges(texts={"who": "third"}), revision=1)
    assert await store.update_game("g", RecordChanges(texts={"whoever": "fourth"}))
    assert await store.get_texts("g") == {"who": "third", "whoever": "fourth"}
    changes = RecordChanges(texts={"who": "nobody"})
    assert await store.append("g", 0, b"one", changes=changes, revision=2) == Conflict(0)
    assert await store.append("g", 0, b"one", key="k", revision=2) == Conflict(0)
    assert await store.append("g", 0, b"one", key="k", changes=changes, revision=3) == Applied(1)
    assert await store.append("g", 0, b"one", key="k", revision=0) == AlreadyApplied(1, b"")
    assert await store.head("g") == Head(1, 4)


async def test_of_many_who_change_the_same_revision_one_does(store: LogStore) -> None:
    await store.create(game("g"))

    async def count() -> None:
        while True:
            head = await store.head("g")
            assert head is not None
            number = int((await store.get_texts("g")).get("count", "0"))
            changes = RecordChanges(texts={"count": str(number + 1)})
            if await store.update_game("g", changes, revision=head.revision):
                return

    await asyncio.gather(*(count() for _ in range(12)))
    assert await store.get_texts("g") == {"count": "12"}


async def test_a_token_of_another_game_is_refused(store: LogStore) -> None:
    await store.create(game("g"))
    await store.create(game("h"))
    with pytest.raises(StoreError):
        await store.update_game("g", RecordChanges(status="closed", tokens=(token("t", b"T", of="h"),)))
    assert await store.find_token(b"T") is None
    assert await store.head("g") == Head(0, 0)


# ---- one creator, one key, many at once ----


async def test_a_key_opens_one_game_however_many_open_at_once(store: LogStore) -> None:
    opening = [store.create(game(f"g{n}"), creator="ann", key="k", fingerprint=b"f") for n in range(8)]
    answers = await asyncio.gather(*opening)
    (first,) = [f"g{n}" for n, answer in enumerate(answers) if answer == Created(0)]
    assert answers.count(AlreadyCreated(first, b"f")) == 7
    assert [record.id for record in await store.list_games(None, 10)] == [first]


async def test_the_game_that_was_opened_under_a_key_is_found(store: LogStore) -> None:
    assert await store.find_creation("ann", "k") is None
    await store.create(game("g"), creator="ann", key="k", fingerprint=b"f")
    await store.create(game("h"))
    assert await store.find_creation("ann", "k") == AlreadyCreated("g", b"f")
    assert await store.find_creation("bo", "k") is None
    await store.remove("g")
    assert await store.find_creation("ann", "k") is None


async def test_games_opened_at_once_are_all_listed_once(store: LogStore) -> None:
    names = [f"g{n}" for n in range(20)]
    await asyncio.gather(*(store.create(game(name, commits=(b"one",))) for name in names))
    listed: list[str] = []
    while page := await store.list_games(listed[-1] if listed else None, 7):
        listed += [record.id for record in page]
    assert sorted(listed) == sorted(names)


# ---- what another store needs ----


async def test_keys_and_fingerprints_can_be_read_with_the_commits(store: LogStore) -> None:
    await store.create(game("g", commits=(b"one",)), creator="ann", key="opened", fingerprint=b"o")
    await store.create(game("h"))
    await store.append("g", 1, b"two", key="", fingerprint=b"f")
    await store.append("g", 2, b"three")
    await store.append("g", 3, b"four", key="k", fingerprint=b"\x00\xff")
    everything = [
        StoredCommit(b"one", None, b""),
        StoredCommit(b"two", "", b"f"),
        StoredCommit(b"three", None, b""),
        StoredCommit(b"four", "k", b"\x00\xff"),
    ]
    assert await store.read_stored("g", 0, 100) == everything
    assert await store.read_stored("g", 1, 2) == everything[1:3]
    assert await store.read_stored("nowhere", 0, 1) == []
    assert await store.creation("g") == Creation("ann", "opened", b"o")
    assert await store.creation("h") is None
    assert await store.creation("nowhere") is None


async def test_all_packs_are_listed(store: LogStore) -> None:
    assert await store.list_packs() == []
    for digest in ("c", "a", "b"):
        await store.put_pack(digest, digest.encode())
    assert await store.list_packs() == ["a", "b", "c"]


# ---- two who have it open ----


async def test_what_one_has_acknowledged_the_other_reads(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    one, other = await open_durable(), await open_durable()
    await one.create(game("g", token("t", b"T")))
    for number in range(20):
        writer, reader = (one, other) if number % 2 else (other, one)
        assert await writer.append("g", number, b"x", changes=RecordChanges(texts={"n": str(number)})) == Applied(
            number + 1
        )
        assert await reader.head("g") == Head(number + 1, number + 1)
        assert await reader.get_texts("g") == {"n": str(number)}
    await other.update_game("g", RecordChanges(revoke=("t",)))
    found = await one.find_token(b"T")
    assert found is not None
    assert found.revoked
    await one.close()
    await other.close()


async def test_of_two_who_race_each_version_is_won_once(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    stores = [await open_durable(), await open_durable()]
    await stores[0].create(game("g"))
    won: list[int] = []

    async def race(store: LogStore, name: int) -> None:
        version = 0
        for turn in range(20):
            key = f"{name}.{turn}"
            while isinstance(answer := await store.append("g", version, key.encode(), key=key), Conflict):
                version = answer.current
            assert isinstance(answer, Applied)
            won.append(answer.version)
            version = answer.version

    await asyncio.gather(*(race(store, 2 * n + which) for n in range(2) for which, store in enumerate(stores)))
    assert sorted(won) == list(range(1, 81))
    assert len(set(await stores[1].read("g", 0, 1000))) == 80
    for store in stores:
        await store.close()


async def test_one_hears_of_what_the_other_commits(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    one, other = await open_durable(), await open_durable()
    heard: asyncio.Queue[tuple[str, Head | None]] = asyncio.Queue()
    one.listen(lambda name, head: heard.put_nowait((name, head)))
    for name in ("g", "h", "i"):
        await other.create(game(name))
    one.watch("g")
    one.watch("h")
    one.unwatch("h")
    number = 0
    async with asyncio.timeout(SOON):
        while True:  # until the one listens, which nobody promises to be at once
            number += 1
            for name in ("g", "h", "i"):
                await other.append(name, number - 1, b"x")
            try:
                found = await asyncio.wait_for(heard.get(), 0.5)
            except TimeoutError:
                continue
            if found[1] is not None:
                break
    assert found[0] == "g"
    assert 0 < found[1].version <= number
    await one.close()
    await other.close()


async def test_one_hears_of_a_token_that_the_other_has_ended(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    one, other = await open_durable(), await open_durable()
    heard: asyncio.Queue[tuple[str, Head | None]] = asyncio.Queue()
    one.listen(lambda name, head: heard.put_nowait((name, head)))
    await other.create(game("g", token("t", b"T"), commits=(b"one",)))
    await other.create(game("h"))
    one.watch("g")
    revision = 0
    async with asyncio.timeout(SOON):
        while True:  # as above
            revision += 1
            for name in ("g", "h"):
                await other.update_game(name, RecordChanges(revoke=("t",)))
            try:
                found = await asyncio.wait_for(heard.get(), 0.5)
            except TimeoutError:
                continue
            if found[1] is not None and found[1].revision:
                break
    assert found[0] == "g"
    assert (found[1].version, 0 < found[1].revision <= revision) == (1, True)
    await one.close()
    await other.close()
