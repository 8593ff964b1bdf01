"""What every log store promises about accounts."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from service.store.port import (
    AccountRecord,
    LogStore,
    NewGame,
    NoSuchAccount,
    Place,
    RecordChanges,
    StoreError,
    TokenRecord,
)


def account(name: str) -> AccountRecord:
    return AccountRecord(id=name, hash=name.encode() * 4, created="2026-01-02T03:04:05Z")


async def test_an_account_is_found_by_its_hash(store: LogStore) -> None:
    await store.create_account(account("ann"))
    await store.create_account(account("bob"))
    assert await store.find_account(account("ann").hash) == account("ann")
    assert await store.find_account(b"?") is None
    assert await store.list_accounts() == [account("ann"), account("bob")]


async def test_an_id_or_a_hash_that_is_taken_is_refused(store: LogStore) -> None:
    await store.create_account(account("ann"))
    with pytest.raises(StoreError):
        await store.create_account(msgspec.structs.replace(account("bob"), hash=account("ann").hash))
    with pytest.raises(StoreError):
        await store.create_account(msgspec.structs.replace(account("bob"), id="ann"))
    assert await store.find_account(account("bob").hash) is None


async def test_places_are_numbered_in_the_order_in_which_they_were_given_and_kept(store: LogStore) -> None:
    await store.create_account(account("ann"))
    await store.create_account(account("bob"))
    places = [Place("g", "seat-1"), Place("a", "host"), Place("g", "seat-0")]
    assert [await store.enter_account("ann", place) for place in places] == [1, 2, 3]
    assert await store.enter_account("ann", places[1]) == 2
    assert await store.enter_account("bob", places[1]) == 1
    assert await store.account_places("ann") == places
    assert await store.account_places("nobody") == []
    with pytest.raises(NoSuchAccount, match="nobody"):
        await store.enter_account("nobody", places[0])


async def test_many_at_once_get_places_without_a_gap(store: LogStore) -> None:
    await store.create_account(account("ann"))
    places = [Place(f"g{number % 20}", "host") for number in range(60)]
    numbers = await asyncio.gather(*(store.enter_account("ann", place) for place in places))
    assert sorted(set(numbers)) == list(range(1, 21))
    listed = await store.account_places("ann")
    assert [listed[number - 1] for number in numbers] == places


async def test_a_token_tells_to_which_account_it_is_bound(store: LogStore) -> None:
    token = TokenRecord(id="seat-0", hash=b"T", game="g", role="seat", seat=0)
    await store.create(NewGame(id="g", created="", status="open", facts=b"", tokens=[token]))
    assert (await store.find_token(b"T") or token).account == ""
    bound = msgspec.structs.replace(token, account="ann")
    await store.update_game("g", RecordChanges(tokens=[bound]))
    assert await store.find_token(b"T") == bound
    assert await store.list_tokens("g") == [bound]


async def test_accounts_are_there_after_reopening(open_durable: Callable[[], Awaitable[LogStore]]) -> None:
    store = await open_durable()
    await store.create_account(account("ann"))
    await store.enter_account("ann", Place("g", "host"))
    await store.close()
    store = await open_durable()
    assert await store.find_account(account("ann").hash) == account("ann")
    assert await store.enter_account("ann", Place("h", "host")) == 2
    await store.close()
