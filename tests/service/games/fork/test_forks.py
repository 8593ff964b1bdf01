"""Sandboxes over time: how many there may be, when they go, and what happens where no world agrees."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from domain.facts.audience import REFEREE, seat_bit
from domain.facts.commands import EndTurn
from domain.facts.refusal import Refused
from openapi.writer.outside import Fixed
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service
from service.games.desk.disputes import AskDispute, AskRuling
from service.games.follow.streams import End, News
from service.games.fork.maker import GameForked
from service.games.read.reading import decisions, view
from service.identity import Caller, digest
from service.log.exported import parse_export, read_export
from service.log.requests import Deadline, Disputes, ForkGame, Options
from service.problems import ProblemError
from service.store.port import GameRecord, RecordChanges
from tests.support.running import listed, open_game, play, referee, seat, service_on, spectator
from tests.support.shared_stores import empty_store


@pytest.fixture(params=["memory", "sqlite"])
async def service(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Service]:
    where = empty_store(request.param, request, tmp_path)
    opened = await service_on(where, forks_per_token=2, fork_lifetime=600)
    yield opened
    await opened.close()


async def fork(service: Service, caller: Caller, **asked: object) -> GameForked:
    """Make a fork."""
    return (await service.fork_maker.fork(caller, ForkGame(**asked), "", b"")).answer  # type: ignore[arg-type]  # as given


def later(service: Service, seconds: int) -> None:
    """Let time pass."""
    clock = service.forks._outside  # noqa: SLF001 -- the one that the test has put in
    assert isinstance(clock, Fixed)
    clock.leap(seconds)


async def refused(service: Service, game: str) -> bool:
    """Whether something that was refused in a game is kept."""
    return bool(await service.refusals.between(game, REFEREE, 0, 10_000))


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


@pytest.mark.parametrize("service", ["memory", "sqlite", "redis"], indirect=True)
async def test_what_has_expired_is_removed_with_all_that_was_kept_of_it(service: Service) -> None:
    game = await open_game(service)
    made = await fork(service, referee(game))
    token = made.tokens.seats[0].secret
    await play(service, made.game.id, 5)
    for where in (made.game.id, game):
        with pytest.raises(Refused):
            await service.play.submit_command(seat(where, 0), EndTurn(decision="turn-99"))
        assert await refused(service, where)
    assert await service.forks.sweep() == 0
    assert await service.gate.caller(token) is not None
    later(service, 700)
    assert await service.gate.caller(token) is None, "tokens end by themselves"
    kept = await fork(service, referee(game))
    await service.store.update_game(await open_game(service), RecordChanges(facts=b"damaged"))
    assert await service.forks.sweep() == 1, "whatever else lies in the store"
    assert await service.store.get_game(made.game.id) is None
    assert await service.store.list_tokens(made.game.id) == []
    assert not await refused(service, made.game.id), "what was refused in it is gone too"
    assert await refused(service, game), "what was refused in its parent is not"
    assert [one.game for one in (await service.forks.of(referee(game))).forks] == [kept.game.id]
    assert await service.store.get_texts(game, "fork:") != {}
    await play(service, game, 3)
    with pytest.raises(LookupError):
        await service.tables.fresh(made.game.id)


async def test_a_sweep_goes_on_another_time_where_the_last_of_a_page_was_removed_by_another_process(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await open_game(service)
    made = await fork(service, referee(game))
    monkeypatch.setattr("service.games.fork.forks.PAGE", 2)
    listed = service.store.list_games

    async def raced(after: str | None, limit: int) -> list[GameRecord]:
        page = await listed(after, limit)
        await service.store.remove(made.game.id)
        return page

    with monkeypatch.context() as racing:
        racing.setattr(service.store, "list_games", raced)
        assert await service.forks.sweep() == 0

    await fork(service, referee(game))
    later(service, 700)
    assert await service.forks.sweep() == 1


async def test_games_are_listed_where_a_sandbox_among_them_was_removed_meanwhile(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await open_game(service, options=Options(listed=True))
    made = await fork(service, referee(game))
    monkeypatch.setattr("service.games.lobby.catalogue.PAGE", 1)
    listed = service.store.list_games

    async def raced(after: str | None, limit: int) -> list[GameRecord]:
        page = await listed(after, limit)
        if any(one.id == made.game.id for one in page):
            await service.store.remove(made.game.id)
        return page

    monkeypatch.setattr(service.store, "list_games", raced)
    for _ in range(2):
        found = await service.reading.games(limit=1)
        assert ([one.id for one in found.games], found.next) == ([game], None)
    with pytest.raises(LookupError):
        await service.reading.games(after=made.game.id, limit=1)


async def test_the_attendant_makes_no_fuss_of_a_sandbox_that_is_gone(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = await open_game(service)
    made = await fork(service, referee(game), deadline=Deadline(seconds=3600))
    await service.attendant.look(made.game.id)
    looked, look = asyncio.Event(), service.attendant.look

    async def watched(game: str) -> None:
        try:
            await look(game)
        finally:
            looked.set()

    monkeypatch.setattr(service.attendant, "look", watched)
    later(service, 7200)
    assert await service.forks.sweep() == 1
    service.attendant.start()
    await asyncio.wait_for(looked.wait(), 20)
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING] == []


async def test_the_key_of_a_sandbox_that_has_expired_brings_no_dead_tokens(service: Service) -> None:
    """Whether it was swept away already or not, nobody is handed tokens that hold no more."""
    game, key = await open_game(service), "k" * 40
    first = await service.fork_maker.fork(seat(game, 0), ForkGame(), key, b"f")
    again = await service.fork_maker.fork(seat(game, 0), ForkGame(), key, b"f")
    assert (again.replayed, again.answer.tokens) == (True, first.answer.tokens)
    later(service, 700)
    with pytest.raises(ProblemError, match="another one needs another key") as refused:
        await service.fork_maker.fork(seat(game, 0), ForkGame(), key, b"f")
    assert refused.value.code == "key-reused"
    assert await service.forks.sweep() == 1
    anew = await service.fork_maker.fork(seat(game, 0), ForkGame(), key, b"f")
    assert not anew.replayed
    token = anew.answer.tokens.seats[0].secret
    assert await service.gate.caller(token) is not None


@pytest.mark.parametrize("service", ["memory"], indirect=True)
async def test_a_sandbox_goes_on_where_a_dispute_pauses_its_parent(service: Service) -> None:
    game = await open_game(service, options=Options(disputes=Disputes(pause=True)))
    await play(service, game, 5)
    await service.disputing.open(seat(game, 1), AskDispute(first=5, last=6, claim="That was no step."), "")
    assert (await listed(service, game))[1] == [], "nobody can do anything"
    for caller in (seat(game, 0), referee(game)):
        made = await fork(service, caller)
        await play(service, made.game.id, 3)
        assert (await service.tables.live(made.game.id)).version > 3


@pytest.mark.parametrize("service", ["memory"], indirect=True)
async def test_where_there_is_no_referee_seats_consent(service: Service) -> None:
    """Else what a side enters of its book would wait for nobody, for ever."""
    game = await open_game(service, options=Options(haunt="external", consent="referee"))
    for caller, who in ((referee(game), "referee"), (seat(game, 0), "seats"), (spectator(game), "seats")):
        made = await fork(service, caller)
        shown = view(await service.reading.seen(seat(made.game.id, 0))).options
        assert shown["consent"] == made.game.options.consent == who


@pytest.mark.parametrize("service", ["memory"], indirect=True)
async def test_a_sandbox_goes_back_to_its_own_beginning_and_no_further(service: Service) -> None:
    game = await open_game(service)
    await play(service, game, 8)
    made = (await fork(service, referee(game))).game.id
    callers = [seat(made, 0), seat(made, 1), spectator(made), referee(made)]
    shown = [await houses(service, caller) for caller in callers]
    await play(service, made, 6)
    await service.disputing.open(seat(made, 1), AskDispute(first=2, last=3, claim="No."), "")
    await service.disputing.rule(referee(made), 1, AskRuling(outcome="rewind", to=1, reasons="Back."), "")
    assert [await houses(service, caller) for caller in callers] == shown
    for caller in callers[:2]:
        assert decisions(await service.reading.seen(caller)).take_back is None
    await play(service, made, 6)
    whole = await service.exporting.whole(made)
    assert audit(read_export(whole.splitlines())).outcome is Outcome.UNVERIFIED, (
        "as told where it begins; all else is decided again"
    )


@pytest.mark.parametrize("service", ["memory"], indirect=True)
async def test_what_a_role_was_told_of_a_sandbox_stands_in_its_chain(service: Service) -> None:
    game = await open_game(service)
    await play(service, game, 8)
    made = (await fork(service, referee(game))).game.id
    await play(service, made, 6)
    for caller in (seat(made, 1), spectator(made)):
        body = b"".join([line async for line in service.exporting.lines(caller)])
        assert audit(parse_export(body)).outcome is Outcome.UNVERIFIED
        for old, new in ((b'"sampled":false', b'"sampled":true'), (game.encode(), b"a" * 20)):
            header, rest = body.split(b"\n", 1)
            verdict = audit(parse_export(header.replace(old, new) + b"\n" + rest))
            assert (verdict.outcome, verdict.commit) == (Outcome.DIVERGED, 1), (old, verdict)


async def houses(service: Service, caller: Caller) -> bytes:
    """What somebody sees of house and explorers."""
    seen = view(await service.reading.seen(caller))
    return msgspec.json.encode((seen.rooms, seen.explorers, seen.monsters, seen.turn))


@pytest.mark.parametrize("service", ["memory"], indirect=True)
async def test_making_a_fork_changes_nothing_of_what_is_shown_of_the_game(service: Service) -> None:
    """What the roles know is read for it from the log, and is then what they are shown."""
    game = await open_game(service)
    await play(service, game, 6)
    await service.disputing.open(seat(game, 1), AskDispute(first=5, last=6, claim="That was no step."), "")
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="stands", reasons="It was."), "")
    shown = [await service.disputing.list(caller) for caller in (seat(game, 0), seat(game, 1), referee(game))]
    (await service.tables.live(game)).roles.clear()
    await fork(service, referee(game))
    assert [await service.disputing.list(caller) for caller in (seat(game, 0), seat(game, 1), referee(game))] == shown


async def test_where_no_world_agrees_it_is_said_loudly_and_nothing_is_told(
    service: Service, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A mistake is planted: what a seat was told leaves a place in a stack without a face."""
    game = await open_game(service)
    await play(service, game, 10)
    live = await service.tables.live(game)
    state = await service.tables.fold_for(game, live, seat_bit(0), live.version)
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
        found = await service.fork_maker.fork(caller, ForkGame(), "a-key", b"the same")
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
        await service.play.submit_command(caller, EndTurn(decision="turn-99"))
    assert await service.refusals.between(sandbox, REFEREE, 0, 99) != {}
    token = await service.gate.caller(made.tokens.seats[0].secret)
    assert token is not None
    stream = await service.feeds.open(token, digest(made.tokens.seats[0].secret), 0)
    items = stream.items()
    assert isinstance(await anext(items), News)
    later(service, 700)
    assert await service.forks.sweep() == 1
    assert await anext(items) == End(1, "token-ended")
    stream.close()
    assert await service.refusals.between(sandbox, REFEREE, 0, 99) == {}
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []
