"""What every log store promises about a game that is removed."""

import pytest

from service.store.port import Applied, Created, Head, LogStore, NewGame, NoSuchGame, RecordChanges, TokenRecord
from tests.support.shared_stores import latest_snapshot


def sandbox(name: str = "fork") -> NewGame:
    """A game with something of everything."""
    return NewGame(
        id=name,
        created="2026",
        status="started",
        facts=b"facts",
        secret=b"secret",
        commits=(b"one",),
        tokens=(TokenRecord(id="host", hash=name.encode().ljust(32), game=name, role="host"),),
        texts={"seats": "0,1"},
    )


async def test_of_a_game_that_is_removed_nothing_is_left_and_others_stay(store: LogStore) -> None:
    for name in ("first", "fork", "last"):
        await store.create(sandbox(name), creator="fork", key=name, fingerprint=b"f")
        await store.append(name, 1, b"two", key="k")
        await store.put_snapshot(name, 2, b"snapshot")
    await store.remove("fork")
    await store.remove("fork")
    await store.remove("never-was")
    assert [record.id for record in await store.list_games(None, 9)] == ["first", "last"]
    assert await store.head("fork") is None
    assert await store.get_game("fork") is None
    assert await store.secret("fork") is None
    assert await store.creation("fork") is None
    assert await store.load("fork", ("a",)) is None
    assert await store.read("fork", 0, 9) == []
    assert await store.list_tokens("fork") == []
    assert await store.get_texts("fork") == {}
    assert await store.find_token(b"fork".ljust(32)) is None
    assert await store.find_token(b"last".ljust(32)) is not None
    assert await store.head("last") == Head(2, 0)
    with pytest.raises(NoSuchGame):
        await store.append("fork", 2, b"three")
    with pytest.raises(NoSuchGame):
        await store.update_game("fork", RecordChanges(status="finished"))


async def test_what_was_removed_can_be_made_anew_under_the_same_id_and_key(store: LogStore) -> None:
    assert await store.create(sandbox(), creator="fork", key="k", fingerprint=b"f") == Created(1)
    await store.put_snapshot("fork", 1, b"snapshot")
    await store.remove("fork")
    assert await store.create(sandbox(), creator="fork", key="k", fingerprint=b"other") == Created(1)
    assert await latest_snapshot(store, "fork") is None
    assert await store.append("fork", 1, b"two") == Applied(2)
    assert [record.id for record in await store.list_games(None, 9)] == ["fork"]
