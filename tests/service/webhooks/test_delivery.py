"""Delivery by several at once, and by a log that was set back: with real stores and a real receiver, called by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from service.bootstrap import Service, open_service
from service.outside import Machine
from service.webhooks.subscription import Hold, read
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.support.receiving import Receiver, Reply, receiving

NOWHERE = "redis://127.0.0.1:9/0"
"""With such a queue the service itself delivers nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    chosen = settings(tmp_path / "log.db", jobs=NOWHERE, webhook_private=True, token_rate=0)
    with serving(chosen, Machine()) as address, httpx.Client(base_url=address) as client:
        yield Table.open(client)


@pytest.fixture
async def workers(table: Table, tmp_path: Path) -> AsyncIterator[list[Service]]:
    """Two services on the same file that do nothing by themselves, as workers have them."""
    chosen = settings(tmp_path / "log.db", webhook_private=True, webhook_timeout=0.5, webhook_retries="0")
    found = [await open_service(chosen) for _ in range(2)]
    yield found
    for one in found:
        await one.close()


def subscribe(table: Table, url: str) -> str:
    answer = table.client.post("/v1/subscriptions", json={"url": url, "after": 0}, headers=bearer(table.seats[0]))
    name: str = answer.json()["subscription"]["id"]
    return name


async def test_of_many_who_look_at_once_one_sends(table: Table, workers: list[Service], receiver: Receiver) -> None:
    name = subscribe(table, receiver.url)
    table.play(6)
    receiver.answering = lambda _: Reply(wait=0.01)
    while any(await asyncio.gather(*[one.dispatcher.delivery.look(name) for one in workers * 8])):
        pass
    assert [got.number for got in receiver.got] == list(range(1, table.version() + 1))


async def test_a_lease_that_nobody_gives_back_runs_out(
    table: Table, workers: list[Service], receiver: Receiver
) -> None:
    name = subscribe(table, receiver.url)
    now = 1_000.0
    held = await Hold.take(workers[0].records, name, 20.0, lambda: now)
    assert held is not None
    assert await Hold.take(workers[0].records, name, 20.0, lambda: now + 19) is None
    late = await Hold.take(workers[0].records, name, 20.0, lambda: now + 21)
    assert late is not None
    await held.release()
    kept = await workers[0].records.get(name)
    assert kept is not None
    assert read(kept).lease == late.it.lease, "who was too late takes nothing away from who came after"


async def test_a_log_that_was_set_back_ends_it_by_name(
    table: Table, workers: list[Service], receiver: Receiver
) -> None:
    """As after a restore from an older copy: better to be told than to be sent other commits under numbers that one has."""
    name = subscribe(table, receiver.url)
    dispatcher = workers[0].dispatcher
    hold = await Hold.take(workers[0].records, name, 20.0, lambda: 0.0)
    assert hold is not None
    await hold.change(lambda it: type(it)(**{**{f: getattr(it, f) for f in it.__struct_fields__}, "cursor": 99}))
    await hold.release()
    await dispatcher.delivery.look(name)
    shown = table.client.get(f"/v1/subscriptions/{name}", headers=bearer(table.seats[0])).json()
    assert shown["state"] == "disabled"
    assert "set back" in shown["reason"]
    assert receiver.got == []


async def test_what_is_idle_is_left_alone_without_a_write(
    table: Table, workers: list[Service], receiver: Receiver
) -> None:
    name = subscribe(table, receiver.url)
    dispatcher = workers[0].dispatcher
    while await dispatcher.delivery.look(name):
        pass
    before = await workers[0].records.get(name)
    assert not await dispatcher.delivery.look(name)
    assert await workers[0].records.get(name) == before
    assert len(receiver.got) == table.version()


async def test_a_seat_that_is_replaced_just_before_a_commit_is_read_sends_it_to_nobody(
    table: Table, workers: list[Service], receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = subscribe(table, receiver.url)
    worker, version, reads = workers[0], table.version(), 0
    while await worker.dispatcher.delivery.look(name):
        pass
    fresh = worker.tables.fresh

    async def replaced_first(game: str) -> None:
        nonlocal reads
        reads += 1
        if reads == 2:
            invite = table.post("seats/0/replace", table.host).json()["invite"]["secret"]
            table.client.post(f"{table.path}/seats/0/claim", json={"invite": invite})
        await fresh(game)

    table.play(1)
    monkeypatch.setattr(worker.tables, "fresh", replaced_first)
    while await worker.dispatcher.delivery.look(name):
        pass
    assert table.version() > version + 1
    assert [got.number for got in receiver.got] == list(range(1, version + 1))
