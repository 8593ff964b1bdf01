"""Who is there, as several processes on one store know it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from service.bootstrap import Service
from service.games.follow.presence import NOBODY, OWNER, Presence, Present
from service.identity import Caller
from service.store.port import StoreUnavailable
from tests.support.running import open_game, referee, seat, service_on, spectator

BEAT = 0.3
"""Heartbeat: a lease is 0.6 s, a pulse 0.02 s, and whoever leaves is gone after 0.1 s."""


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    opened = await service_on(heartbeat=BEAT)
    yield opened
    await opened.close()


def processes(service: Service, *names: str) -> list[Presence]:
    """As many processes, as far as presence goes."""
    return [Presence(service.tables, service.records, name, BEAT) for name in names]


async def until(found: Callable[[], object]) -> None:
    for _ in range(1000):
        if found():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came to be")


async def test_each_process_knows_who_follows_in_the_others(service: Service) -> None:
    game = await open_game(service)
    one, other = processes(service, "one", "other")
    one.come(seat(game, 1))
    one.come(Caller(game, "spectator-1", "spectator"))
    other.come(Caller(game, "spectator-1", "spectator"))
    other.come(Caller(game, "spectator-2", "spectator"))
    both = Present(["seat:1"], 2)
    await until(lambda: one.of(game) == both == other.of(game))
    other.go(Caller(game, "spectator-2", "spectator"))
    other.go(Caller(game, "spectator-1", "spectator"))
    await until(lambda: one.of(game) == Present(["seat:1"], 1))
    assert await other.read(game) == Present(["seat:1"], 1), "where nobody follows any more"
    await one.close()
    assert await other.read(game) == NOBODY
    assert await service.records.of_owners(OWNER) == []
    await other.close()


async def test_who_was_in_a_process_that_was_killed_is_gone_when_its_word_has_lapsed(service: Service) -> None:
    game = await open_game(service)
    killed, other = processes(service, "killed", "other")
    killed.come(seat(game, 1))
    other.come(referee(game))
    await until(lambda: other.of(game) == Present(["seat:1", "referee"], 0))
    assert killed._task is not None  # noqa: SLF001 -- as where the machine is gone
    killed._task.cancel()  # noqa: SLF001
    await until(lambda: other.of(game) == Present(["referee"], 0))
    await until(lambda: len(service.records._records) == 1)  # type: ignore[attr-defined]  # noqa: SLF001 -- the memory's
    await other.close()


async def test_where_the_store_is_away_the_own_streams_are_still_known(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await open_game(service)
    one, other = processes(service, "one", "other")

    async def fail(*_: object) -> None:
        raise StoreUnavailable("planted")

    with monkeypatch.context() as patch:
        patch.setattr(service.records, "of_owners", fail)
        one.come(spectator(game))
        await asyncio.sleep(0.05)
        assert one.of(game) == Present([], 1)
    other.come(seat(game, 0))
    await until(lambda: one.of(game) == Present(["seat:0"], 1))
    for each in (one, other):
        await each.close()


async def test_a_reload_is_neither_a_going_nor_a_coming(service: Service) -> None:
    game = await open_game(service)
    (one,) = processes(service, "one")
    one.come(seat(game, 0))
    there = one.of(game)
    for _ in range(3):
        one.go(seat(game, 0))
        one.come(seat(game, 0))
        assert one.of(game) is there
    one.go(seat(game, 0))
    assert one.of(game) is there
    await until(lambda: one.of(game) == NOBODY)
    await one.close()
