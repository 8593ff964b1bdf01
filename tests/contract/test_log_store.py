"""What every log store promises about games and their commits."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.store.port import (
    AlreadyApplied,
    AlreadyCreated,
    Applied,
    Conflict,
    Created,
    GameExists,
    LogStore,
    NewGame,
    NoSuchGame,
    RecordChanges,
    StoreError,
    StoreUnavailable,
    TokenRecord,
)


def game(name: str, *commits: bytes) -> NewGame:
    return NewGame(id=name, created="2026-01-02T03:04:05Z", status="open", facts=b"facts", commits=commits)


def token(name: str, digest: bytes, *, of: str = "g") -> TokenRecord:
    return TokenRecord(id=name, hash=digest, game=of, role="seat", seat=1)


# ---- one commit after another ----


async def test_commits_are_read_back_as_they_were_written_in_order(store: LogStore) -> None:
    await store.create(game("g", b"one", b"two"))
    assert await store.append("g", 2, b"\x00\xff three") == Applied(3)
    assert await store.append("g", 3, b"") == Applied(4)
    assert await store.version("g") == 4
    assert await store.read("g", 0, 100) == [b"one", b"two", b"\x00\xff three", b""]


async def test_pages_of_commits(store: LogStore) -> None:
    await store.create(game("g", *(bytes([n]) for n in range(1, 10))))
    assert await store.read("g", 3, 2) == [b"\x04", b"\x05"]
    assert await store.read("g", 9, 5) == []
    assert await store.read("g", -5, 1) == [b"\x01"]
    assert await store.read("g", 2**80, 2**80) == []
    assert await store.read("g", 0, -1) == []
    assert await store.read("g", 7, 2**80) == [b"\x08", b"\x09"]


async def test_a_game_may_begin_without_commits(store: LogStore) -> None:
    assert await store.create(game("g")) == Created(0)
    assert await store.version("g") == 0
    assert await store.append("g", 0, b"one") == Applied(1)


@pytest.mark.parametrize("expected", [-1, 0, 1, 3, 2**63 - 1, 2**80])
async def test_any_other_version_than_the_current_one_conflicts(store: LogStore, expected: int) -> None:
    await store.create(game("g", b"one", b"two"))
    assert await store.append("g", expected, b"x", key="k") == Conflict(2)
    assert await store.read("g", 0, 10) == [b"one", b"two"]
    assert await store.append("g", 2, b"x", key="k") == Applied(3), "a refused append has used up its key"


async def test_games_do_not_see_each_other(store: LogStore) -> None:
    await store.create(game("g", b"one"))
    await store.create(game("h", b"uno"))
    assert await store.append("g", 1, b"two", key="k") == Applied(2)
    assert await store.append("h", 1, b"due", key="k") == Applied(2), "a key belongs to its game"
    assert await store.read("h", 0, 10) == [b"uno", b"due"]


async def test_an_unknown_game_is_not_written_to_and_reads_as_nothing(store: LogStore) -> None:
    with pytest.raises(NoSuchGame, match="nowhere"):
        await store.append("nowhere", 0, b"x")
    with pytest.raises(NoSuchGame):
        await store.append("nowhere", 3, b"x", key="k", changes=RecordChanges(status="closed"))
    assert await store.version("nowhere") is None
    assert await store.read("nowhere", 0, 10) == []
    assert await store.get_game("nowhere") is None


# ---- idempotency keys ----


async def test_a_retry_answers_the_first_number_whatever_it_expects(store: LogStore) -> None:
    await store.create(game("g", b"one"))
    assert await store.append("g", 1, b"two", key="k", fingerprint=b"f") == Applied(2)
    await store.append("g", 2, b"three")
    for expected in (0, 1, 2, 3, 99):
        assert await store.append("g", expected, b"two", key="k", fingerprint=b"f") == AlreadyApplied(2, b"f")
    assert await store.version("g") == 3


async def test_a_key_reused_for_another_request_shows_the_first_fingerprint(store: LogStore) -> None:
    await store.create(game("g"))
    await store.append("g", 0, b"one", key="k", fingerprint=b"first")
    assert await store.append("g", 1, b"other", key="k", fingerprint=b"second") == AlreadyApplied(1, b"first")
    assert await store.read("g", 0, 10) == [b"one"]


async def test_commits_without_a_key_never_count_as_retries(store: LogStore) -> None:
    await store.create(game("g"))
    assert await store.append("g", 0, b"same") == Applied(1)
    assert await store.append("g", 1, b"same") == Applied(2)


async def test_a_game_is_created_once_for_a_key_of_its_creator(store: LogStore) -> None:
    assert await store.create(game("g", b"one"), creator="ann", key="k", fingerprint=b"f") == Created(1)
    again = await store.create(game("h", b"one"), creator="ann", key="k", fingerprint=b"other")
    assert again == AlreadyCreated("g", b"f")
    assert await store.get_game("h") is None
    assert await store.create(game("i"), creator="bob", key="k") == Created(0), "a key belongs to its creator"


# ---- all or nothing ----


async def test_a_game_opens_with_all_its_parts_or_not_at_all(store: LogStore) -> None:
    await store.create(
        NewGame(
            id="g",
            created="2026-01-02T03:04:05Z",
            status="open",
            facts=b"facts",
            secret=b"seed",
            commits=(b"one",),
            tokens=(token("t", b"T"),),
            texts={"seat:0": "Ann"},
        )
    )
    clash = NewGame(
        id="h",
        created="2026-01-02T03:04:06Z",
        status="open",
        facts=b"",
        commits=(b"one",),
        tokens=(token("u", b"U", of="h"), token("v", b"T", of="h")),
        texts={"seat:0": "Bob"},
    )
    with pytest.raises(StoreError):
        await store.create(clash, creator="ann", key="k")
    assert await store.get_game("h") is None
    assert await store.version("h") is None
    assert await store.secret("h") is None
    assert await store.find_token(b"U") is None
    assert await store.get_texts("h") == {}
    assert await store.create(game("i"), creator="ann", key="k") == Created(0), "the failed creation used up its key"


async def test_a_taken_id_is_refused_and_the_game_stays_as_it_was(store: LogStore) -> None:
    await store.create(game("g", b"one"))
    with pytest.raises(GameExists, match="g"):
        await store.create(NewGame(id="g", created="", status="other", facts=b"other", tokens=(token("t", b"T"),)))
    record = await store.get_game("g")
    assert record is not None
    assert (record.status, record.version) == ("open", 1)
    assert await store.find_token(b"T") is None


async def test_changes_beside_the_log_come_with_their_commit_or_not_at_all(store: LogStore) -> None:
    await store.create(game("g", b"one"))
    changes = RecordChanges(facts=b"new", status="started", tokens=(token("t", b"T"),), texts={"seat:1": "Bob"})
    assert await store.append("g", 0, b"late", changes=changes) == Conflict(1)
    record = await store.get_game("g")
    assert record is not None
    assert (record.facts, record.status, record.version) == (b"facts", "open", 1)
    assert await store.find_token(b"T") is None
    assert await store.append("g", 1, b"two", changes=changes) == Applied(2)
    record = await store.get_game("g")
    assert record is not None
    assert (record.facts, record.status, record.version) == (b"new", "started", 2)
    assert await store.find_token(b"T") == token("t", b"T")
    assert await store.get_texts("g") == {"seat:1": "Bob"}


async def test_a_commit_whose_changes_fail_is_not_stored(store: LogStore) -> None:
    await store.create(game("g", b"one"))
    await store.update_game("g", RecordChanges(tokens=(token("t", b"T"),)))
    stolen = RecordChanges(status="started", tokens=(token("other", b"T"),))
    with pytest.raises(StoreError):
        await store.append("g", 1, b"two", key="k", changes=stolen)
    assert await store.version("g") == 1
    assert await store.append("g", 1, b"two", key="k") == Applied(2)


# ---- many at once ----


async def test_appends_that_are_waiting_together_are_checked_in_their_order(store: LogStore) -> None:
    await store.create(game("g"))
    answers = await asyncio.gather(*(store.append("g", n, b"%d" % n) for n in (0, 1, 1, 2, 5, 3)))
    assert answers == [Applied(1), Applied(2), Conflict(2), Applied(3), Conflict(3), Applied(4)]
    assert await store.read("g", 0, 10) == [b"0", b"1", b"2", b"3"]


async def test_one_key_sent_many_times_at_once_is_applied_once(store: LogStore) -> None:
    await store.create(game("g"))
    answers = await asyncio.gather(*(store.append("g", 0, b"one", key="k", fingerprint=b"f") for _ in range(50)))
    assert answers.count(Applied(1)) == 1
    assert answers.count(AlreadyApplied(1, b"f")) == 49


async def test_of_many_tasks_on_one_game_exactly_one_wins_each_version(store: LogStore) -> None:
    tasks, each = 64, 5
    await store.create(game("g"))
    won: dict[int, bytes] = {}

    async def player(name: int) -> None:
        version = 0
        for turn in range(each):
            commit = b"%d.%d" % (name, turn)
            while isinstance(answer := await store.append("g", version, commit, key=commit.decode()), Conflict):
                assert answer.current > version
                version = answer.current
            assert isinstance(answer, Applied)
            version = answer.version
            assert version not in won
            won[version] = commit

    await asyncio.gather(*(player(name) for name in range(tasks)))
    log = await store.read("g", 0, 1000)
    assert len(set(log)) == len(log) == tasks * each
    assert log == [won[number] for number in range(1, len(log) + 1)]


async def test_many_games_are_written_side_by_side(store: LogStore) -> None:
    games, each = 50, 20

    async def table(name: str) -> list[bytes]:
        await store.create(game(name))
        for number in range(each):
            assert await store.append(name, number, f"{name}/{number}".encode(), key=str(number)) == Applied(number + 1)
        return await store.read(name, 0, 1000)

    logs = await asyncio.gather(*(table(f"g{n}") for n in range(games)))
    assert logs == [[f"g{n}/{number}".encode() for number in range(each)] for n in range(games)]


async def test_reads_while_writing_see_whole_commits_up_to_the_last_answer(store: LogStore) -> None:
    await store.create(game("g"))
    acknowledged = 0
    done = False

    async def write() -> None:
        nonlocal acknowledged, done
        for number in range(150):
            await store.append("g", number, b"%d" % number * 50)
            acknowledged = number + 1
        done = True

    async def follow() -> None:
        seen = 0
        while not done:
            least = acknowledged
            log = await store.read("g", 0, 1000)
            assert log == [b"%d" % number * 50 for number in range(len(log))]
            assert len(log) >= max(least, seen)
            seen = len(log)
            assert (await store.version("g") or 0) >= seen
            await asyncio.sleep(0)

    await asyncio.gather(write(), follow(), follow(), follow())


async def test_a_canceled_append_is_whole_or_absent_and_its_retry_tells(store: LogStore) -> None:
    names = [f"g{n}" for n in range(20)]
    for name in names:
        await store.create(game(name))
    waiting = [asyncio.create_task(store.append(name, 0, b"one", key="k", fingerprint=b"f")) for name in names]
    await asyncio.sleep(0)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    for name in names:
        retried = await store.append(name, 0, b"one", key="k", fingerprint=b"f")
        assert retried in (Applied(1), AlreadyApplied(1, b"f"))
        assert await store.read(name, 0, 10) == [b"one"]


# ---- closing and opening again ----


async def test_a_closed_store_says_so(store: LogStore) -> None:
    await store.create(game("g"))
    await store.close()
    await store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.append("g", 0, b"one")
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.read("g", 0, 1)
    with pytest.raises(StoreUnavailable, match="closed"):
        await store.check()


async def test_everything_is_there_after_reopening(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    store = await open_durable()
    await store.create(game("g", b"one"), creator="ann", key="k", fingerprint=b"f")
    await store.append(
        "g", 1, b"two", key="k2", fingerprint=b"f2", changes=RecordChanges(status="started", tokens=(token("t", b"T"),))
    )
    await store.put_snapshot("g", 2, b"state")
    await store.put_pack("digest", b"pack")
    before = await store.get_game("g")
    await store.close()

    store = await open_durable()
    assert await store.get_game("g") == before
    assert await store.read("g", 0, 10) == [b"one", b"two"]
    assert await store.find_token(b"T") == token("t", b"T")
    assert await store.get_pack("digest") == b"pack"
    assert await store.append("g", 0, b"two", key="k2") == AlreadyApplied(2, b"f2")
    assert await store.create(game("h"), creator="ann", key="k") == AlreadyCreated("g", b"f")
    assert await store.append("g", 2, b"three") == Applied(3)
    await store.close()


async def test_closing_finishes_what_was_asked_for(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    store = await open_durable()
    await store.create(game("g"))
    waiting = [asyncio.create_task(store.append("g", number, b"x")) for number in range(30)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*waiting) == [Applied(number + 1) for number in range(30)]
    store = await open_durable()
    assert await store.version("g") == 30
    await store.close()
