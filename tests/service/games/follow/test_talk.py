"""News of messages on live streams: to exactly those who may read them, as soon as they may, without a place in the log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from openapi.writer.outside import Fixed
from service.admin.erase import erase_texts
from service.bootstrap import Service
from service.games.follow.channel import KEPT
from service.games.follow.streams import End, MessageNews, Notice
from service.games.talk import LATEST
from service.identity import Caller
from service.log.requests import Options
from tests.service.games.desk.test_side import post, until_haunt
from tests.support.running import open_game, referee, seat, service_on, spectator, step

PATIENCE = 20.0
FENCE = "."
"""What is said to the table last: whoever hears it has heard all that was told before."""

_news = msgspec.json.Decoder(MessageNews).decode


class Ear:
    """Somebody who follows, and what was heard."""

    def __init__(self, service: Service, caller: Caller) -> None:
        self._service = service
        self.caller = caller
        self.ids: list[str] = []
        self.end = ""

    async def open(self, eyes: Caller | None = None) -> Ear:
        live = await self._service.tables.live(self.caller.game)
        shown = await self._service.gate.digest_of(self.caller.game, self.caller.token)
        assert shown is not None
        head = await self._service.feeds.page(eyes or self.caller, 0, 0)
        self._stream = await self._service.feeds.open(
            self.caller, shown, min(live.version, head.version), eyes, notices=True
        )
        self._items = self._stream.items()
        return self

    async def until(self, last: str = FENCE) -> list[str | None]:
        """The texts that are told, up to this one; all until the end if there is none like it."""
        found: list[str | None] = []
        async with asyncio.timeout(PATIENCE):
            async for item in self._items:
                if isinstance(item, End):
                    self.end = item.reason
                if not isinstance(item, Notice) or item.kind != "message":
                    continue
                message = _news(item.body).message
                if message is not None and message.text == last:
                    return found
                self.ids.append("" if message is None else message.id)
                found.append("more" if message is None else message.text)
        return found

    async def close(self) -> None:
        await self._items.aclose()
        self._stream.close()


@asynccontextmanager
async def ears(service: Service, *callers: Caller) -> AsyncIterator[list[Ear]]:
    found = [await Ear(service, caller).open() for caller in callers]
    yield found
    for one in found:
        await one.close()


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    opened = await service_on()
    yield opened
    await opened.close()


async def test_each_hears_what_it_may_read_and_nothing_of_what_it_may_not(service: Service) -> None:
    """Not even that there was something: the traitor and whoever watches hear what is said to the table alone."""
    game = await until_haunt(service, "the-gnawing-tide")
    state = (await service.tables.live(game)).state
    traitor = next(one.seat for one in state.explorers if one.side == "traitor")
    one, other = (one.seat for one in state.explorers if one.side == "heroes")
    callers = [seat(game, one), seat(game, other), seat(game, traitor), referee(game), spectator(game)]
    async with ears(service, *callers) as following:
        sent = await post(service, callers[0], "heroes", "To the attic!")
        await post(service, callers[2], "referee", "May I fly?")
        await post(service, callers[3], f"seat:{other}", "You are sane.")
        await service.side.erase(callers[0], sent.id)
        await post(service, callers[3], "table", FENCE)
        heard = [await ear.until() for ear in following]
        ids = [len(set(ear.ids)) for ear in following]
    # An erased text is never told again, and may be gone before it is.
    heard = [[text for text in texts if text is not None] for texts in heard]
    assert [[text for text in texts if text != "To the attic!"] for texts in heard] == [
        [], ["You are sane."], ["May I fly?"], ["May I fly?", "You are sane."], [],
    ]  # fmt: skip
    assert ids == [1, 2, 1, 3, 0]


async def test_an_erased_message_is_told_again_without_its_text(service: Service) -> None:
    game = await open_game(service)
    async with ears(service, seat(game, 1), spectator(game)) as following:
        sent = await post(service, seat(game, 0), "table", "Forget this.")
        for ear in following:
            assert await ear.until("Forget this.") == []
        await service.side.erase(referee(game), sent.id)
        await service.side.erase(referee(game), sent.id)  # there is nothing left to erase, and to tell
        await post(service, seat(game, 0), "table", FENCE)
        for ear in following:
            assert (await ear.until(), ear.ids) == ([None], [sent.id])


async def test_what_an_operator_erases_is_told_too(service: Service) -> None:
    game = await open_game(service)
    await post(service, seat(game, 0), "table", "Forget this.")
    async with ears(service, seat(game, 1)) as (ear,):
        await erase_texts(service.store, service.records, game, 0)
        await post(service, seat(game, 2), "table", FENCE)
        assert await ear.until() == [None]


async def test_a_stream_tells_of_what_comes_and_not_of_what_was(service: Service) -> None:
    game = await open_game(service)
    await post(service, seat(game, 0), "table", "Before.")
    async with ears(service, seat(game, 1)) as (ear,):
        await post(service, seat(game, 0), "table", "Since.")
        await post(service, seat(game, 0), "table", FENCE)
        assert await ear.until() == ["Since."]


async def test_a_token_that_has_ended_hears_nothing_more(service: Service) -> None:
    game = await open_game(service)
    async with ears(service, seat(game, 1), referee(game)) as (ended, going_on):
        await service.life.replace(Caller(game, "host", "host"), 1, "", b"")
        await post(service, seat(game, 0), "table", "Good riddance.")
        assert (await ended.until(), ended.end) == ([], "token-ended")
        assert await going_on.until("Good riddance.") == []


async def test_the_referee_who_looks_as_a_seat_hears_what_that_seat_hears(service: Service) -> None:
    game = await open_game(service)
    ear = await Ear(service, referee(game)).open(seat(game, 1))
    await post(service, seat(game, 0), "referee", "Between us.")
    await post(service, seat(game, 1), "referee", "Mine.")
    await post(service, seat(game, 0), "table", FENCE)
    assert await ear.until() == ["Mine."]
    await ear.close()


async def test_whoever_lags_behind_hears_of_it_with_the_commits_and_all_of_it_at_the_end() -> None:
    service = await service_on()
    game = await open_game(service, options=Options(spectator_delay=2))
    await post(service, seat(game, 0), "table", "Seen by all.")
    await step(service, game)
    await post(service, seat(game, 0), "table", "Before you came.")
    async with ears(service, spectator(game), seat(game, 1)) as (late, player):
        await post(service, seat(game, 0), "table", "I have the Skull!")
        assert await player.until("I have the Skull!") == []
        await step(service, game)
        await post(service, seat(game, 0), "table", "Next.")
        await step(service, game)
        assert await late.until("I have the Skull!") == ["Before you came."]
        assert await player.until("Next.") == []
        again = await Ear(service, spectator(game)).open()
        await service.life.close(Caller(game, "host", "host"), "", b"")
        for ear in (late, again):
            assert (await ear.until(), ear.end) == (["Next."], "game-over")
        await again.close()
    await service.close()


async def test_whoever_lags_behind_by_time_hears_of_it_when_it_is_old_enough() -> None:
    clock = Fixed()
    service = await service_on(outside=clock, heartbeat=0.05)
    game = await open_game(service, options=Options(spectator_delay_seconds=600))
    clock.leap(700)
    async with ears(service, spectator(game)) as (late,):
        sent = await post(service, seat(game, 0), "table", "I have the Skull!")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await late.until(FENCE)
        assert late.ids == []
    async with ears(service, spectator(game)) as (late,):
        clock.leap(700)
        assert await late.until("I have the Skull!") == []
    assert sent.commit == 5
    await service.close()


async def test_more_than_is_kept_is_said_to_be_more(service: Service) -> None:
    """A process that hears late, and spectators who lag far behind, are told to read them all."""
    game = await open_game(service)
    table = service.tables.table(game)
    async with ears(service, seat(game, 1), spectator(game)) as following:
        for ear in following:
            await post(service, seat(game, 0), "table", FENCE)
            assert await ear.until() == []
        waiting, table.waiting = table.waiting, set()
        await post(service, seat(game, 0), "referee", "Unheard of.")
        for number in range(LATEST + 5):
            await post(service, seat(game, 0), "table", str(number))
        table.waiting = waiting
        await post(service, seat(game, 0), "table", FENCE)
        for ear in following:
            told = await ear.until()
            assert told[0] == "more"
            assert told[-1] == str(LATEST + 4)
            assert len(told) <= KEPT + 1


async def test_of_a_flood_of_private_messages_others_do_not_even_hear_that_there_is_more(service: Service) -> None:
    game = await open_game(service)
    async with ears(service, spectator(game)) as (ear,):
        for number in range(3 * LATEST):
            await post(service, seat(game, 0), "referee", str(number))
        await post(service, seat(game, 0), "table", FENCE)
        assert (await ear.until(), ear.ids) == ([], [])
