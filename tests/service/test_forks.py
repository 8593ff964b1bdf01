"""Sandboxes over time: how many there may be, when they go, and what happens where no world agrees."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.audience import REFEREE, seat_bit
from domain.commands import EndTurn
from domain.refusal import Refused
from service.bootstrap import Service
from service.games.forking import GameForked
from service.games.news import End, News
from service.games.requests import ForkGame
from service.identity import Caller, digest
from service.openapi.fixed import Fixed
from service.problems import ProblemError
from tests.service.games import open_game, play, referee, seat, service_on


@pytest.fixture(params=["memory:", "sqlite"])
async def service(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Service]:
    where = request.param if request.param == "memory:" else f"sqlite:///{tmp_path / 'log.db'}"
    opened = await service_on(where, forks_per_token=2, fork_lifetime=600)
    yield opened
    await opened.close()


async def fork(service: Service, caller: Caller, **asked: object) -> GameForked:
    """Make a fork."""
    return (await service.forking.fork(caller, ForkGame(**asked), "", b"")).answer  # type: ignore[arg-type]  # as given


def later(service: Service, seconds: int) -> None:
    """Let time pass."""
    clock = service.forks._outside  # noqa: SLF001 -- the one that the test has put in
    assert isinstance(clock, Fixed)
    clock.leap(seconds)


async def test_a_token_has_so_many_at_a_time_and_what_expires_makes_room(service: Service) -> None:
    game = await open_game(service)
    first = await fork(service, seat(game, 0))
    await fork(service, seat(game, 0))
    with pytest.raises(ProblemError, match="2 forks at a time") as refused:
        await fork(service, seat(game, 0))
    assert refused.value.code == "too-many-forks"
    assert first.game.fork is not None
    assert first.game.fork.expires in str(refused.value), "it says when there is room again"
    await fork(service, seat(game, 1))
    later(service, 700)
    await fork(service, seat(game, 0))
    assert len((await service.forks.of(referee(game))).forks) == 1


async def test_what_has_expired_is_removed_with_all_that_was_kept_of_it(service: Service) -> None:
    game = await open_game(service)
    made = await fork(service, referee(game))
    token = made.tokens.seats[0].secret
    await play(service, made.game.id, 5)
    assert await service.forks.sweep() == 0
    assert await service.gate.caller(token) is not None
    later(service, 700)
    assert await service.gate.caller(token) is None, "tokens end by themselves"
    kept = await fork(service, referee(game))
    assert await service.forks.sweep() == 1
    assert await service.store.get_game(made.game.id) is None
    assert await service.store.list_tokens(made.game.id) == []
    assert [one.game for one in (await service.forks.of(referee(game))).forks] == [kept.game.id]
    assert await service.store.get_texts(game, "fork:") != {}
    await play(service, game, 3)
    with pytest.raises(LookupError):
        await service.tables.fresh(made.game.id)


async def test_where_no_world_agrees_it_is_said_loudly_and_nothing_is_told(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A mistake is planted: what a seat was told leaves a place in a stack without a face."""
    game = await open_game(service)
    await play(service, game, 10)
    live = await service.tables.live(game)
    state = await service.tables.known(game, live, seat_bit(0), live.version)
    gone = state.decks["item"].pool.pop()
    with caplog.at_level(logging.ERROR), pytest.raises(ProblemError) as failed:
        await fork(service, seat(game, 0))
    assert (failed.value.code, failed.value.status) == ("no-world", 500)
    (record,) = [one for one in caplog.records if "no-world" in one.getMessage()]
    assert f"game {game}, commit {live.version}" in record.getMessage()
    assert "seat:0" in record.getMessage()
    assert record.exc_info is not None
    for told in (str(failed.value), record.getMessage(), str(record.exc_info[1])):
        assert gone not in told
    await fork(service, seat(game, 1))
    assert (await service.forks.of(seat(game, 0))).forks == [], "nothing was made"


async def test_a_listed_command_that_the_world_would_not_list_is_such_a_mistake(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await open_game(service)
    calls: list[int] = []

    def differently(*_: object) -> list[int]:
        calls.append(1)
        return calls.copy()

    monkeypatch.setattr("domain.worlds.legal", differently)
    with pytest.raises(ProblemError) as failed:
        await fork(service, seat(game, 0))
    assert failed.value.code == "no-world"


async def test_a_key_that_comes_again_makes_the_same_fork_until_it_expires_and_then_another(service: Service) -> None:
    """Never one with the id of the old one, which somebody may still have in memory."""
    game = await open_game(service)

    async def made(caller: Caller) -> tuple[str, bool]:
        found = await service.forking.fork(caller, ForkGame(), "a-key", b"the same")
        return found.answer.game.id, found.replayed

    first, replayed = await made(seat(game, 0))
    assert not replayed
    for _ in range(3):
        later(service, 140)
        assert await made(seat(game, 0)) == (first, True)
    assert (await made(seat(game, 1)))[0] != first
    later(service, 700)
    await service.forks.sweep()
    second, replayed = await made(seat(game, 0))
    assert not replayed
    assert second != first


async def test_what_was_refused_in_a_fork_and_who_follows_it_go_with_it(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    game = await open_game(service)
    made = await fork(service, referee(game))
    sandbox = made.game.id
    caller = Caller(sandbox, "seat-0", "seat", 0)
    with pytest.raises(Refused):
        await service.play.command(caller, EndTurn(decision="turn-99"))
    assert await service.refusals.between(sandbox, REFEREE, 0, 99) != {}
    token = await service.gate.caller(made.tokens.seats[0].secret)
    assert token is not None
    stream = service.following.open(token, digest(made.tokens.seats[0].secret), 0)
    items = stream.items()
    assert isinstance(await anext(items), News)
    later(service, 700)
    assert await service.forks.sweep() == 1
    assert await anext(items) == End(1, "token-ended")
    stream.close()
    assert await service.refusals.between(sandbox, REFEREE, 0, 99) == {}
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []
