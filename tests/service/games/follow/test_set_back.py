"""A log that an operator set back while people follow: they are told so, and nobody goes on as if it were the same one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from openapi.writer.outside import Fixed
from service.bootstrap import Service, open_service
from service.games.follow.accounts import AccountStream
from service.games.follow.streams import End, Item, News
from service.identity import Caller
from service.log.requests import Options
from service.settings import Settings
from service.store.memory import MemoryLogStore
from service.store.port import StoreDamaged
from tests.support.running import open_game, play, referee, seat, service_on, spectator, step

LESS = 3
"""Commits that get lost."""


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    opened = await service_on()
    yield opened
    await opened.close()


def set_back(service: Service, game: str) -> int:
    """Put an older log in the place of a game's; returns its version."""
    assert isinstance(service.store, MemoryLogStore)
    commits = service.store._games[game].commits  # noqa: SLF001 -- as an operator does, behind everybody's back
    del commits[-LESS:]
    return len(commits)


async def shown(service: Service, caller: Caller) -> bytes:
    """The digest of a caller's token, as whoever follows shows it."""
    found = await service.gate.digest_of(caller.game, caller.token)
    assert found is not None
    return found


async def news(items: AsyncIterator[Item]) -> News:
    """The next commit."""
    found = await anext(items)
    assert isinstance(found, News)
    return found


@pytest.mark.parametrize("grown", [0, LESS, LESS + 20])
async def test_all_who_follow_are_told_however_far_the_older_log_has_grown_again(service: Service, grown: int) -> None:
    game = await open_game(service)
    await play(service, game, 6)
    told = (await service.reading.seen(referee(game))).version
    streams = []
    for caller in (referee(game), seat(game, 1), spectator(game)):
        stream = await service.feeds.open(caller, await shown(service, caller), 0)
        items = stream.items()
        assert [(await news(items)).cursor for _ in range(told)] == list(range(1, told + 1))
        streams.append((stream, items))
    set_back(service, game)
    service.tables.table(game).drop()  # as where the store was away meanwhile
    for number in range(grown):
        await step(service, game, pick=number + 1)
    service.tables.table(game).announce()
    for stream, items in streams:
        assert await anext(items) == End(told, "ahead-of-log")
        assert [item async for item in items] == []
        stream.close()
    again = await service.feeds.open(referee(game), await shown(service, referee(game)), 0)
    first = await anext(again.items())
    assert isinstance(first, News), "who begins anew is told what there is"
    again.close()


async def test_an_account_that_was_told_more_is_told_so(service: Service) -> None:
    game = await open_game(service)
    await play(service, game, 6)
    opened = await service.accounts.open()
    record = await service.accounts.holder(opened.key)
    assert record is not None
    await service.accounts.bind(referee(game), await shown(service, referee(game)), opened.key)
    stream = AccountStream(service.streams, service.tables, service.accounts, record, [0])
    items = stream.items()
    told = [await news(items) for _ in range((await service.reading.seen(referee(game))).version)]
    set_back(service, game)
    service.tables.table(game).drop()
    service.tables.table(game).announce()
    assert await anext(items) == End(told[-1].cursor, "ahead-of-log")
    stream.close()


async def test_what_is_in_memory_is_never_continued_by_another_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Two processes on one store: one plays on behind an older log that was put back, the other has the lost one in memory."""
    shared = MemoryLogStore()

    async def same(_: Settings) -> MemoryLogStore:
        return shared

    monkeypatch.setattr("service.bootstrap.open_store", same)
    one, other = await service_on(), await service_on(salt="other")
    game = await open_game(one)
    await play(one, game, 6)
    held = await other.tables.fresh(game)
    set_back(one, game)
    one.tables.table(game).drop()
    for number in range(LESS + 2):
        await step(one, game, pick=number + 1)
    now = await one.tables.fresh(game)
    assert now.version > held.version
    loaded = await other.tables.fresh(game)
    assert (loaded.version, loaded.hash) == (now.version, now.hash)
    assert loaded is not held
    assert "was set back and has grown again" in caplog.text
    await one.close()


async def test_a_log_with_a_break_in_it_is_not_played_on(service: Service) -> None:
    game = await open_game(service)
    await play(service, game, 6)
    assert isinstance(service.store, MemoryLogStore)
    commits = service.store._games[game].commits  # noqa: SLF001 -- as above
    del commits[4]
    service.tables.table(game).drop()
    with pytest.raises(StoreDamaged, match=f"game {game}, commit 6: it follows on another than commit 4"):
        await service.tables.fresh(game)


async def test_a_clock_that_goes_back_silences_late_spectators_and_nobody_else() -> None:
    """They are told nothing twice, nothing is left out, and the players' streams go on."""
    clock = Fixed()
    service = await open_service(Settings(store="memory:", packs="second-edition"), clock)
    game = await open_game(service, options=Options(spectator_delay_seconds=600))
    await play(service, game, 5)
    clock.leap(700)
    late, player = spectator(game), seat(game, 0)
    streams = [await service.feeds.open(caller, await shown(service, caller), 0) for caller in (late, player)]
    items = [stream.items() for stream in streams]
    version = (await service.reading.seen(player)).version
    for each in items:
        assert [(await news(each)).cursor for _ in range(version)] == list(range(1, version + 1))
    clock.leap(-700)
    service.tables.table(game).drop()
    await step(service, game)
    assert (await news(items[1])).cursor == version + 1
    clock.leap(1500)
    service.tables.table(game).announce()
    assert (await news(items[0])).cursor == version + 1
    for stream in streams:
        stream.close()
    await service.close()
