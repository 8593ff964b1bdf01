"""Any moment, any eyes: whatever a role was shown while it played, the referee is shown again, from every store."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from projections.board import board_of
from projections.diff.compare import GameDiff
from projections.view.game import GameView
from service.bootstrap import Service
from service.games import live_folds
from service.games.live_folds import Waymarks
from service.games.tables import Tables
from service.log.recorded import NotRecorded, from_store
from tests.support.packs import pack
from tests.support.running import open_game, play, service_on
from tests.support.worlds import World, world

ROLES = ("seat:0", "seat:1", "seat:2", "spectator")
STEPS = 12


@pytest.fixture
async def table(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    async with world(await service_on(anonymous_rate=0)) as one:
        await one.open()
        yield one


async def as_referee(one: World, what: str, status: int = 200) -> bytes:
    answer = await one.client.get(f"{one.path}/{what}", headers={"Authorization": f"Bearer {one.referee}"})
    assert answer.status_code == status, answer.text
    return answer.content


async def as_role(one: World, role: str, what: str, status: int = 200) -> bytes:
    return (await one.ask(role, "GET", what, status=status)).content


async def played(one: World, steps: int) -> dict[tuple[str, str, int], bytes]:
    """Play on, and keep what every role was shown at each commit when it was the latest."""
    kept = {}
    for step in range(steps):
        now = await one.version()
        for role in ROLES:
            for what in ("view", "decisions", "board.svg"):
                kept[role, what, now] = await as_role(one, role, what)
        waiting = (await one.arbiter("decisions"))["waiting"][0]
        yours = msgspec.json.decode(await as_role(one, f"seat:{waiting['seat']}", "decisions"))["yours"]
        commands = [listed["command"] for decision in yours for listed in decision["commands"]]
        await one.command(waiting["seat"], commands[step % len(commands)])
    return kept


async def test_what_a_role_was_shown_then_it_is_shown_again_and_so_is_the_referee(table: World) -> None:
    kept = await played(table, STEPS)
    assert await table.version() > max(number for *_, number in kept)
    lot = random.Random(2)
    for (role, what, number), shown in lot.sample(sorted(kept.items()), 30):
        assert await as_role(table, role, f"{what}?at={number}") == shown
        assert await as_referee(table, f"{what}?at={number}&as={role}") == shown
        assert await as_role(table, role, f"{what}?at={number}&as={role}") == shown


async def test_the_picture_is_that_of_the_view(table: World) -> None:
    await played(table, 6)
    for query in ("", "?at=5", "?as=seat:1", "?at=1"):
        shown = msgspec.json.decode(await as_referee(table, f"view{query}"), type=GameView)
        assert (await as_referee(table, f"board.svg{query}")).decode() == board_of(shown)
    answer = await table.client.get(f"{table.path}/board.svg", headers={"Authorization": f"Bearer {table.referee}"})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    again = {"Authorization": f"Bearer {table.referee}", "If-None-Match": answer.headers["etag"]}
    assert (await table.client.get(f"{table.path}/board.svg", headers=again)).status_code == 304


async def test_a_difference_is_between_what_the_role_saw_at_both_commits(table: World) -> None:
    await played(table, 10)
    now = await table.version()
    for role in ROLES:
        body = await as_role(table, role, "diff?from=5")
        assert body == await as_referee(table, f"diff?from=5&to={now}&as={role}")
        found = msgspec.json.decode(body, type=GameDiff)
        assert (found.from_, found.to) == (5, now)
        before, after = [
            msgspec.json.decode(await as_role(table, role, f"view?at={number}"), type=GameView) for number in (5, now)
        ]
        moved = [
            one.seat for one, other in zip(before.explorers, after.explorers, strict=True) if one.room != other.room
        ]
        told = [change.id for change in found.changes if change.topic == "explorer" and "room" in (change.after or {})]
        assert told == [f"seat:{seat}" for seat in moved]
        words = (await as_role(table, role, "diff?from=5&format=markdown")).decode()
        assert words.startswith(f"## Commits 5 to {now}, as ")
    assert msgspec.json.decode(await as_role(table, "seat:0", "diff?from=6&to=6"))["changes"] == []


BAD = [
    ("{what}?at=0", 400, "invalid-parameter"),
    ("{what}?at=-1", 400, "invalid-parameter"),
    ("{what}?at=first", 400, "invalid-parameter"),
    ("{what}?at=7000", 409, "ahead-of-log"),
    ("{what}?as=seat:1", 403, "forbidden"),
    ("{what}?as=referee", 403, "forbidden"),
    ("{what}?as=nobody", 400, "invalid-parameter"),
    ("diff", 400, "invalid-parameter"),
    ("diff?from=0", 400, "invalid-parameter"),
    ("diff?from=5&to=4", 422, "unfit-span"),
    ("diff?from=5&to=7000", 409, "ahead-of-log"),
    ("diff?from=7000", 409, "ahead-of-log"),
    ("diff?from=5&as=seat:1", 403, "forbidden"),
    ("diff?from=5&format=pdf", 400, "invalid-parameter"),
]


async def test_moments_that_are_not_there_and_eyes_of_others_are_refused(table: World) -> None:
    for what, status, code in BAD:
        for shown in ("view", "decisions", "board.svg") if "{what}" in what else ("",):
            problem = msgspec.json.decode(await as_role(table, "seat:0", what.format(what=shown), status))
            assert problem["code"] == code, what
    backward = msgspec.json.decode(await as_role(table, "seat:0", "diff?from=5&to=4", 422))
    assert backward["detail"] == "`from` (5) comes after `to` (4): name the earlier commit first."
    for what in ("view", "board.svg", "diff?from=5"):
        join = "&" if "?" in what else "?"
        assert await as_referee(table, f"{what}{join}as=seat:5", 403), "three play"


# -- waymarks ---------------------------------------------------------------------------------------------------------


def encoded(state: object) -> bytes:
    return msgspec.json.encode(state, order="deterministic")


@pytest.fixture
async def services(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Callable[[str], Any]]:
    """Opens services, and closes them."""
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    made: list[Service] = []

    async def on(store: str) -> Service:
        made.append(await service_on(store))
        return made[-1]

    yield on
    for one in made:
        await one.close()


async def test_from_a_waymark_a_role_knows_what_it_knows_from_the_beginning(
    services: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(live_folds, "SPACING", 8)
    service: Service = await services(f"sqlite:///{tmp_path / 'log.db'}")
    game = await open_game(service)
    await play(service, game, 150)
    principals: tuple[Mask, ...] = (seat_bit(0), seat_bit(1), seat_bit(2), SPECTATORS, REFEREE)
    tables = Tables(service.store, service.library, most=4, snapshot_every=1000)
    recorded = await from_store(service.store, game)
    lot = random.Random(4)
    for _ in range(60):
        live = await tables.live(game)
        principal, number = lot.choice(principals), lot.randint(1, live.version)
        known = await tables.fold_for(game, live, principal, number)
        assert encoded(known) == encoded(recorded.known(principal, number)), (principal, number)
        if lot.random() < 0.1:
            tables.table(game).drop()


async def test_waymarks_spare_the_fold_from_the_beginning_and_are_bounded(
    services: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_folds, "SPACING", 16)
    monkeypatch.setattr(live_folds, "KEPT", 2)
    service: Service = await services("memory:")
    game = await open_game(service)
    await play(service, game, 140)
    live = await service.tables.live(game)
    await service.tables.fold_for(game, live, SPECTATORS, live.version)
    await service.tables.fold_for(game, live, SPECTATORS, 60)
    marks: Waymarks = service.tables._waymarks  # noqa: SLF001 -- nothing that a caller sees tells of them, but the time
    assert marks.before(live.serial, SPECTATORS, 60).number == 48
    assert marks.before(live.serial, SPECTATORS, 47).number == 32
    assert marks.before(live.serial, seat_bit(0), 60).number == 0, "what one role knows is no other's"
    assert marks.before(live.serial, SPECTATORS, 16).number == 0, "only the latest two are kept"
    service.tables.drop(game)
    anew = (await service.tables.live(game)).serial
    assert marks.before(anew, SPECTATORS, 60).number == 0, "nor that of a log that was loaded anew"


async def test_a_game_without_a_good_snapshot_is_folded_whole_once_alone(services: Callable[[str], Any]) -> None:
    service: Service = await services("memory:")
    game = await open_game(service)
    await play(service, game, 30)
    tables = Tables(service.store, service.library, most=4, snapshot_every=20)
    first = await tables.live(game)
    await tables.close()
    snapshot = await service.store.latest_snapshot(game)
    assert snapshot is not None
    assert snapshot.number == first.version
    again = await Tables(service.store, service.library, most=4, snapshot_every=20).live(game)
    assert not again.tail, "nothing is left to be folded"
    assert (again.moments, again.fact_fold.found) == (first.moments, first.fact_fold.found)
    assert first.fact_fold.found

    old = msgspec.json.decode(snapshot.body)
    del old["found"]  # as an older Omenlog wrote it
    await service.store.put_snapshot(game, snapshot.number, msgspec.json.encode(old))
    later = await Tables(service.store, service.library, most=4, snapshot_every=20).live(game)
    assert later.fact_fold.found == first.fact_fold.found


async def test_a_recorded_game_says_what_it_has_not(services: Callable[[str], Any]) -> None:
    service: Service = await services("memory:")
    game = await open_game(service)
    recorded = await from_store(service.store, game)
    with pytest.raises(NotRecorded, match="there is no commit"):
        recorded.known(SPECTATORS, recorded.version + 1)
    with pytest.raises(NotRecorded, match="there is no seat:3: the game has 3 seats, counted from 0"):
        recorded.known(seat_bit(3))
    with pytest.raises(NotRecorded, match="the store has no game"):
        await from_store(service.store, "a" * 20)
