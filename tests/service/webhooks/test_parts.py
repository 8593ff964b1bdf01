"""The parts of an account's subscription: whoever is killed while they are made, somebody else makes them."""

from __future__ import annotations

from pathlib import Path

import httpx

from service.bootstrap import Service, open_service
from service.outside import Machine
from service.store.port import Place
from service.webhooks.finder import Finder
from service.webhooks.owners import make_parts, part_name
from service.webhooks.subscription import account_owner, read, read_account
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.acceptance.streams.test_accounts import Account
from tests.service.webhooks.test_delivery import NOWHERE
from tests.support.receiving import receiving


def subscribe(account: Account, **asked: str) -> str:
    """Subscribe by the account's key; the id."""
    made = account.client.post("/v1/subscriptions", json=asked, headers=bearer(account.key))
    found: str = made.json()["subscription"]["id"]
    return found


async def test_a_binding_of_which_nobody_was_told_is_found_by_the_sweep(tmp_path: Path) -> None:
    """The process that bound the token was killed at once: the sweep makes the part, the next one finds it behind, a look sends."""
    path = tmp_path / "log.db"
    chosen = settings(path, jobs=NOWHERE, webhook_private=True, token_rate=0)
    with receiving() as receiver, serving(chosen, Machine()) as address, httpx.Client(base_url=address) as client:
        early, late = Table.open(client), Table.open(client)
        account = Account(client)
        account.bind(early, "seat-0", early.seats[0])
        name, head = subscribe(account, url=receiver.url), early.version()

        worker = await open_service(chosen)
        found: list[str] = []

        async def hand_over(names: list[str]) -> None:
            found.extend(names)

        store, games = worker.records, worker.store
        finder = Finder(store, games, hand_over, every=0)
        try:
            await _bind_silently(worker, account, late)
            record = await store.get(name)
            assert record is not None
            stale = read_account(record)
            await finder.sweep()
            assert found == [], "nothing is behind but a part that is just being made"
            await finder.sweep()
            assert found == [part_name(stale, Place(late.id, "seat-1"))]
            for _ in range(3):  # again, also by whoever has not seen that it was done
                await make_parts(store, games, stale)
            parts = [read(one) for table in (early, late) for one in await store.of_owners(table.id)]
            assert [(part.game, part.token, part.cursor) for part in parts] == [
                (early.id, "seat-0", head),
                (late.id, "seat-1", 0),
            ]
            while await worker.dispatcher.delivery.look(found[0]):
                pass
            assert receiver.numbers() == list(range(1, late.version() + 1))
            assert [one.id for one in await store.of_owners(account_owner(account.id))] == [name]
        finally:
            await worker.close()


async def test_a_part_that_is_left_over_removes_itself(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    chosen = settings(path, jobs=NOWHERE, webhook_private=True, token_rate=0)
    with receiving() as receiver, serving(chosen, Machine()) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        account = Account(client)
        account.bind(table, "seat-0", table.seats[0])
        name = subscribe(account, url=receiver.url, cursor="")
        worker = await open_service(chosen)
        try:
            store = worker.records
            (part,) = await store.of_owners(table.id)
            await store.remove(name)  # and killed before the parts
            assert subscribe(account, url=receiver.url, cursor="") == name
            while await worker.dispatcher.delivery.look(part.id):
                pass
            assert [one.id for one in await store.of_owners(table.id)] != [part.id]
            assert receiver.got == []
        finally:
            await worker.close()


async def _bind_silently(worker: Service, account: Account, table: Table) -> None:
    """Bind, as a process does that is killed before it has told anybody."""

    async def killed(_account: str, _place: Place) -> None:
        return

    worker.accounts._bound_to = killed  # noqa: SLF001 -- what a process would do that is killed right here
    shown = await worker.gate.digest_of(table.id, "seat-1")
    assert shown is not None
    caller = await worker.gate.holding(shown)
    assert caller is not None
    await worker.accounts.bind(caller, shown, account.key)
