"""What every log store promises about the things beside the log: records, tokens, texts, snapshots, packs, health."""

import asyncio

import msgspec
import pytest

from service.store.port import (
    AlreadyApplied,
    Applied,
    Conflict,
    GameRecord,
    Head,
    InviteSpent,
    Loaded,
    LogStore,
    NewGame,
    NoSuchGame,
    RecordChanges,
    Snapshot,
    StoreError,
    TokenRecord,
)
from tests.support.shared_stores import latest_snapshot


def game(name: str, *tokens: TokenRecord) -> NewGame:
    return NewGame(
        id=name, created="2026-01-02T03:04:05Z", status="open", facts=b"facts", secret=b"the seed", tokens=tokens
    )


def token(name: str, digest: bytes, *, of: str = "g", role: str = "invite") -> TokenRecord:
    return TokenRecord(
        id=name, hash=digest, game=of, role=role, seat=2, expires="2027-01-01T00:00:00Z", good_for=9, claims=2
    )


# ---- records ----


async def test_records_are_listed_in_the_order_of_creation_page_by_page(store: LogStore) -> None:
    names = ["m", "a", "z", "b", "y"]
    for name in names:
        await store.create(game(name))
    await store.append("m", 0, b"one", changes=RecordChanges(status="started"))
    listed: list[GameRecord] = []
    while page := await store.list_games(listed[-1].id if listed else None, 2):
        listed += page
    assert [record.id for record in listed] == names
    assert [record.version for record in listed] == [1, 0, 0, 0, 0]
    assert listed[0] == await store.get_game("m")
    assert await store.list_games("y", 10) == []
    assert await store.list_games(None, -1) == []


async def test_a_cursor_that_is_no_game_is_refused(store: LogStore) -> None:
    with pytest.raises(NoSuchGame, match="nowhere"):
        await store.list_games("nowhere", 10)


async def test_a_record_changes_without_a_commit(store: LogStore) -> None:
    await store.create(game("g"))
    await store.update_game("g", RecordChanges(facts=b"other"))
    await store.update_game("g", RecordChanges(status="closed"))
    expected = GameRecord(
        id="g", created="2026-01-02T03:04:05Z", status="closed", facts=b"other", version=0, revision=2
    )
    assert await store.get_game("g") == expected
    assert await store.list_games(None, 1) == [expected]
    with pytest.raises(NoSuchGame):
        await store.update_game("nowhere", RecordChanges(status="closed"))


async def test_what_brings_a_game_into_memory_is_one_question(store: LogStore) -> None:
    assert await store.load("g", ["seat:0"]) is None
    await store.create(msgspec.structs.replace(game("g"), commits=[b"1"]))
    await store.create(game("h"))
    assert await store.load("g", ["seat:9"]) == Loaded(
        head=Head(1, 0), facts=b"facts", secret=b"the seed", snapshot=None, texts={}
    )
    await store.append("g", 1, b"2")
    await store.update_game("g", RecordChanges(facts=b"other", texts={"seat:1": "Rob", "seat:2": "Eve"}))
    await store.put_snapshot("g", 1, b"one")
    await store.put_snapshot("g", 2, b"two")
    assert await store.load("g", ["seat:2", "seat:9", "seat:1"]) == Loaded(
        head=Head(2, 1),
        facts=b"other",
        secret=b"the seed",
        snapshot=Snapshot(2, b"two"),
        texts={"seat:1": "Rob", "seat:2": "Eve"},
    )
    assert await store.load("h", ["seat:1"]) == Loaded(
        head=Head(0, 0), facts=b"facts", secret=b"the seed", snapshot=None, texts={}
    )


async def test_the_secret_is_in_no_other_read(store: LogStore) -> None:
    await store.create(game("g", token("t", b"T")))
    assert await store.secret("g") == b"the seed"
    assert await store.secret("nowhere") is None
    everything = [
        await store.get_game("g"),
        await store.list_games(None, 10),
        await store.list_tokens("g"),
        await store.get_texts("g"),
        await store.read("g", 0, 10),
        await store.check(),
    ]
    assert b"seed" not in msgspec.msgpack.encode(everything)


# ---- tokens ----


async def test_a_token_is_found_by_its_hash_with_all_that_was_said_of_it(store: LogStore) -> None:
    host = TokenRecord(id="host", hash=b"H", game="g", role="host")
    await store.create(game("g", token("t", b"T"), host))
    assert await store.find_token(b"T") == token("t", b"T")
    assert await store.find_token(b"H") == host
    assert await store.find_token(b"?") is None
    assert await store.list_tokens("g") == [host, token("t", b"T")]
    assert await store.list_tokens("nowhere") == []


async def test_a_revoked_token_is_still_found_and_says_so(store: LogStore) -> None:
    await store.create(game("g", token("t", b"T"), token("u", b"U")))
    await store.update_game("g", RecordChanges(revoke=("t", "no such token")))
    assert await store.find_token(b"T") == msgspec.structs.replace(token("t", b"T"), revoked=True)
    assert await store.find_token(b"U") == token("u", b"U")


async def test_revoking_reaches_no_other_game(store: LogStore) -> None:
    await store.create(game("g", token("t", b"T")))
    await store.create(game("h", token("t", b"U", of="h")))
    await store.update_game("h", RecordChanges(revoke=("t",)))
    assert await store.find_token(b"T") == token("t", b"T")


async def test_a_rotated_token_takes_the_place_of_the_old_one(store: LogStore) -> None:
    await store.create(game("g", token("t", b"old")))
    await store.update_game("g", RecordChanges(tokens=(token("t", b"new"),)))
    assert await store.find_token(b"old") is None
    assert await store.find_token(b"new") == token("t", b"new")
    assert await store.list_tokens("g") == [token("t", b"new")]


async def test_no_hash_is_taken_over_by_another_token(store: LogStore) -> None:
    await store.create(game("g", token("t", b"T")))
    with pytest.raises(StoreError):
        await store.update_game("g", RecordChanges(status="closed", tokens=(token("u", b"T"),)))
    assert await store.list_tokens("g") == [token("t", b"T")]
    record = await store.get_game("g")
    assert record is not None
    assert record.status == "open"


# ---- invites ----


async def test_an_invite_is_claimed_once_however_many_try_at_once(store: LogStore) -> None:
    await store.create(game("g", token("invite", b"I")))

    async def claim(name: int) -> str:
        version = 0
        seat = RecordChanges(tokens=(token(f"seat-{name}", b"S%d" % name, role="seat"),))
        while True:
            answer = await store.append("g", version, b"claimed", spend=(b"I",), changes=seat)
            match answer:
                case Conflict(current):
                    version = current
                case InviteSpent(digest):
                    assert digest == b"I"
                    return "too late"
                case Applied():
                    return "claimed"
                case AlreadyApplied():
                    pytest.fail("nobody used a key")

    answers = await asyncio.gather(*(claim(name) for name in range(30)))
    assert answers.count("claimed") == 1
    winner = answers.index("claimed")
    assert await store.version("g") == 1
    held = await store.list_tokens("g")
    assert [each.id for each in held] == ["invite", f"seat-{winner}"]
    assert held[0].spent


async def test_a_refused_append_leaves_the_invite_unspent(store: LogStore) -> None:
    await store.create(game("g", token("invite", b"I")))
    assert await store.append("g", 7, b"claimed", spend=(b"I",)) == Conflict(0)
    assert await store.append("g", 0, b"claimed", spend=(b"I", b"unknown")) == InviteSpent(b"unknown")
    assert await store.find_token(b"I") == token("invite", b"I")
    assert await store.append("g", 0, b"claimed", spend=(b"I",)) == Applied(1)


async def test_a_claim_that_is_retried_is_a_retry_not_a_second_claim(store: LogStore) -> None:
    await store.create(game("g", token("invite", b"I")))
    assert await store.append("g", 0, b"claimed", key="k", fingerprint=b"f", spend=(b"I",)) == Applied(1)
    for expected in (0, 1):
        answer = await store.append("g", expected, b"claimed", key="k", fingerprint=b"f", spend=(b"I",))
        assert answer == AlreadyApplied(1, b"f")


@pytest.mark.parametrize("why", ["revoked", "of another game", "unknown"])
async def test_an_invite_that_does_not_hold_claims_nothing(store: LogStore, why: str) -> None:
    await store.create(game("g", token("invite", b"I")))
    await store.create(game("h"))
    if why == "revoked":
        await store.update_game("g", RecordChanges(revoke=("invite",)))
    where = "h" if why == "of another game" else "g"
    digest = b"?" if why == "unknown" else b"I"
    assert await store.append(where, 0, b"claimed", spend=(digest,)) == InviteSpent(digest)
    assert await store.version(where) == 0


# ---- texts ----


async def test_texts_are_set_replaced_and_erased(store: LogStore) -> None:
    await store.create(game("g"))
    await store.update_game("g", RecordChanges(texts={"seat:1": "Bob", "seat:0": "Ann"}))
    await store.update_game("g", RecordChanges(texts={"seat:1": "Rob", "seat:2": "Eve"}))
    assert list((await store.get_texts("g")).items()) == [("seat:0", "Ann"), ("seat:1", "Rob"), ("seat:2", "Eve")]
    await store.update_game("g", RecordChanges(texts={"seat:1": None, "seat:9": None}))
    assert await store.get_texts("g") == {"seat:0": "Ann", "seat:2": "Eve"}
    assert await store.get_texts("g", "seat:2") == {"seat:2": "Eve"}
    assert await store.get_texts("g", "sea_") == {}
    assert await store.get_texts("nowhere") == {}
    assert await store.find_texts("g", ["seat:2", "seat:1", "seat"]) == {"seat:2": "Eve"}
    assert await store.find_texts("g", []) == await store.find_texts("nowhere", ["seat:2"]) == {}


# ---- snapshots ----


async def test_the_newest_snapshot_is_kept(store: LogStore) -> None:
    await store.create(game("g"))
    assert await latest_snapshot(store, "g") is None
    for number, newest in ((90, 90), (50, 90), (200, 200), (1000, 1000), (300, 1000)):
        await store.put_snapshot("g", number, b"%d" % number)
        assert await latest_snapshot(store, "g") == Snapshot(newest, b"%d" % newest)


async def test_a_snapshot_may_be_put_again(store: LogStore) -> None:
    await store.create(game("g"))
    await store.create(game("h"))
    await store.put_snapshot("g", 5, b"old")
    await store.put_snapshot("g", 5, b"new")
    assert await latest_snapshot(store, "g") == Snapshot(5, b"new")
    assert await latest_snapshot(store, "h") is None
    with pytest.raises(NoSuchGame):
        await store.put_snapshot("nowhere", 1, b"")


# ---- packs and health ----


async def test_a_pack_stays_as_it_was_first_put(store: LogStore) -> None:
    assert await store.get_pack("digest") is None
    await store.put_pack("digest", b"pack")
    await store.put_pack("digest", b"something else")
    assert await store.get_pack("digest") == b"pack"


async def test_a_store_that_works_says_what_it_can_promise(store: LogStore) -> None:
    first, second = await store.check(), await store.check()
    assert first == second
    assert first.durable == (first.adapter != "memory")
