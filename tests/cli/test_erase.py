"""Names and free texts go, from the store and from its files; what the log says of them stays, and every chain verifies."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from domain.facts.commands import EndTurn
from domain.facts.refusal import Refused
from domain.rulebook.turn.standing_orders import Step
from service.admin.audits import check_chains
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service
from service.games.desk.disputes import AskDispute
from service.games.desk.side import PostMessage
from service.games.lobby.answers import GameShown
from service.games.orders import LeaveOrders
from service.games.read.reading import view
from service.identity import Caller
from service.log.exported import parse_export
from service.log.facts import encode
from service.log.requests import OpenGame, SeatWish
from service.problems import ProblemError
from service.settings import Settings
from service.store.open import open_store
from tests.cli.invoking import omenlog
from tests.support.redis import Server, server
from tests.support.running import HOST, play, referee, seat, service_on
from tests.support.shared_stores import empty_store

NAMES = ("Ottilie-Quastenflosser", "Bartholomew-Nightjar", "Wilhelmina-Zeppelin")
WORDS = "The-lamp-is-under-the-third-stair " * 100
"""Long enough to fill pages of its own."""


async def peopled(service: Service) -> str:
    """A game that goes on, whose players have names, talk with the referee and leave orders."""
    seats = [SeatWish(name=name) for name in NAMES]
    opened = await service.opening.open(OpenGame(edition="second", seats=seats, hotseat=True), "the key", b"request")
    game = opened.answer.game.id
    await service.life.start(Caller(game, HOST, "host"), "", b"")
    for number in range(3):
        for text in (WORDS, f"{NAMES[number]} was here"):
            await service.side.post(seat(game, number), PostMessage(to="referee", text=text), key=text[:9])
    await service.disputing.open(
        seat(game, 1), AskDispute(first=1, last=1, claim=f"{NAMES[0]} cheats. {WORDS[:300]}"), ""
    )
    live = await service.tables.live(game)
    waiting = next(number for number in range(3) if number != live.state.turn.seat)
    await service.side.leave(seat(game, waiting), LeaveOrders(steps=[Step(command=EndTurn(decision="turn"))]))
    for number in range(3):
        with pytest.raises(Refused):
            await service.play.submit_command(seat(game, number), EndTurn(decision="turn-99"))
    return game


async def refused(service: Service, game: str) -> list[str]:
    """By whom something was tried in vain, as the referee's trace tells."""
    span = await service.tracing.span(referee(game), None, None, None)
    page = await service.tracing.page(span, 0, 1000)
    return [one.by for step in page.steps for one in step.refused]


def names(shown: GameShown) -> list[str]:
    return [one.name for one in shown.seats]


async def written(service: Service, game: str) -> list[str | None]:
    return [one.text for one in (await service.side.messages(referee(game))).messages]


@pytest.mark.parametrize("kind", ["sqlite", "redis", "cluster"])
async def test_what_people_wrote_goes_while_they_play_and_every_chain_holds(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = empty_store(kind, request, tmp_path)
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store, snapshot_every=5)
    game = await peopled(service)
    await play(service, game, 12)
    assert names(await service.reading.game(game, referee(game))) == list(NAMES)
    assert await refused(service, game) == ["seat:0", "seat:1", "seat:2"]
    before = (await service.side.messages(referee(game))).messages
    house = encode(view(await service.reading.seen(seat(game, 1), at=10)))

    result = await asyncio.to_thread(omenlog, "erase", game)

    assert result.exit_code == 0, result.output
    assert f"{game}: erased 3 names, the texts of 6 messages" in result.output
    assert "Its text is no longer kept." in (await service.ruling_pages.page(referee(game), 1))[0]
    assert names(await service.reading.game(game, referee(game))) == [""] * 3
    assert await service.reading.names(game) == {}
    assert await written(service, game) == [None] * 6
    assert await refused(service, game) == []
    after = (await service.side.messages(referee(game))).messages
    assert [(one.digest, one.prev) for one in after] == [(one.digest, one.prev) for one in before]
    assert all(one.salt == "" for one in after), "with the salt a text could be tried"
    await service.tables.fresh(game)  # as the gate does for every request
    for number in range(3):
        with pytest.raises(ProblemError, match="No orders"):
            await service.side.orders(seat(game, number), number)
    assert encode(view(await service.reading.seen(seat(game, 1), at=10))) == house
    retried = await service.side.post(seat(game, 0), PostMessage(to="referee", text=WORDS), key=WORDS[:9])
    assert (retried.replayed, retried.message.text) == (True, None), "a retry doesn't bring it back"
    await play(service, game, 8)
    await service.life.close(Caller(game, HOST, "host"), "", b"")
    export = [line async for line in service.exporting.lines(referee(game))]
    assert not any(name.encode() in b"".join(export) for name in NAMES)
    assert audit(parse_export(b"".join(export))).outcome is Outcome.EXACT
    again = await asyncio.to_thread(omenlog, "erase", game)
    assert (
        f"{game}: erased 0 names, the texts of 0 messages, the standing orders of 0 seats, 0 claims and notes of disputes, "
        "0 refused attempts." in again.output
    )
    await check_chains(service.store)
    await service.close()


async def test_of_one_seat_nothing_else_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store)
    game = await peopled(service)
    result = await asyncio.to_thread(omenlog, "erase", game, "--seat", "1")
    assert "erased 1 name, the texts of 2 messages" in result.output
    assert names(await service.reading.game(game, referee(game))) == [NAMES[0], "", NAMES[2]]
    assert (await written(service, game)).count(None) == 2
    assert await refused(service, game) == ["seat:0", "seat:2"]
    assert {one.sender for one in (await service.side.messages(referee(game))).messages if one.text is None} == {
        "seat:1"
    }
    await service.close()


async def test_nothing_of_it_is_left_in_the_files_of_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store, snapshot_every=2)
    game = await peopled(service)
    await play(service, game, 10)
    assert found_in(tmp_path), "the test looks in the right files"
    await asyncio.to_thread(omenlog, "erase", game)
    await play(service, game, 2)
    assert found_in(tmp_path) == []
    await service.close()
    assert found_in(tmp_path) == []


async def test_nothing_of_it_is_left_in_the_files_of_redis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with server(tmp_path) as running:
        monkeypatch.setenv("OMENLOG_STORE", running.url)
        service = await service_on(running.url)
        game = await peopled(service)
        assert found_in(tmp_path), "the test looks in the right files"
        await asyncio.to_thread(omenlog, "erase", game)
        assert found_in(tmp_path) == []
        assert await came_back(running, service, game)


async def came_back(running: Server, service: Service, game: str) -> bool:
    """Whether the file that was written anew has the game, without names, after a crash."""
    await service.close()
    running.kill()
    running.start()
    store = await open_store(Settings(store=running.url))
    _, commits = await check_chains(store)
    texts = await store.get_texts(game)
    await store.close()
    return commits > 0 and bool(texts) and not any(key.startswith(("name:", "salt:", "side-text:")) for key in texts)


def found_in(folder: Path) -> list[str]:
    """The files that hold a name or a message."""
    wanted = [*(name.encode() for name in NAMES), WORDS[:30].encode()]
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(one in path.read_bytes() for one in wanted)]


async def test_what_the_store_keeps_of_an_opening_is_no_way_to_try_names() -> None:
    service = await service_on()
    game = await peopled(service)
    kept = await service.store.creation(game)
    assert kept is not None
    assert kept.fingerprint not in (b"request", hashlib.sha256(b"request").digest()), "the key is part of it"
    again = OpenGame(edition="second", seats=[SeatWish(name=name) for name in NAMES], hotseat=True)
    assert (await service.opening.open(again, "the key", b"request")).replayed
    with pytest.raises(ProblemError, match="another request"):
        await service.opening.open(again, "the key", b"another")


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["nowhere"], "no game nowhere in the store"),
        (["GAME", "--seat", "3"], "has no seat 3: its seats are 0 to 2"),
    ],
)
async def test_what_is_not_there_is_named(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    monkeypatch.setenv("OMENLOG_STORE", store)
    service = await service_on(store)
    game = await peopled(service)
    result = await asyncio.to_thread(omenlog, "erase", *(game if one == "GAME" else one for one in arguments))
    assert result.exit_code == 1
    assert told in result.output
    assert names(await service.reading.game(game, referee(game))) == list(NAMES)
    await service.close()


def test_there_must_be_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for store, told in (("memory:", "gone with its service"), (f"sqlite:///{tmp_path}/no.db", "no such file")):
        monkeypatch.setenv("OMENLOG_STORE", store)
        result = omenlog("erase", "game")
        assert (result.exit_code, told in result.output) == (2, True), result.output
    assert list(tmp_path.iterdir()) == []
