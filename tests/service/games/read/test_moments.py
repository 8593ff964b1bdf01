"""Any moment, any eyes: whatever a role was shown while it played, the referee is shown again, from every store."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS, Mask, seat_bit
from projections.board import board_of, phone_board_of
from projections.diff.compare import GameDiff
from projections.view.game import GameView
from service.bootstrap import Service
from service.games import live_folds
from service.games.live_folds import Waymarks
from service.games.tables import Tables
from service.log.recorded import NotRecorded, from_store
from tests.support.packs import pack
from tests.support.running import open_game, play, service_on
from tests.support.shared_stores import latest_snapshot
from tests.support.streams import Stream
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
        phone = f"board.svg{query}{'&' if query else '?'}layout=phone"
        assert (await as_referee(table, phone)).decode() == phone_board_of(shown)
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


# -- after the disclosure ---------------------------------------------------------------------------------------------

REPLAY = (
    "view?at=7",
    "view?at=2",
    "decisions?at=7",
    "brief?at=7",
    "board.svg?at=7",
    "reminders?at=7",
    "post?at=7",
    "diff?from=6&to=9",
    "diff?from=6&format=markdown",
    "events?after=2&limit=9",
    "events?sentences=true&limit=1000",
    "trace",
    "trace?told=true&from=3",
    "trace?legal=false&names=true",
)
"""What the referee reads of a game with the eyes of any role, and who replays it."""
EYES = ("seat:0", "seat:1", "spectator", "referee")


async def close(one: World) -> dict[str, Any]:
    """The host closes the game; its public facts."""
    await one.ask("host", "POST", "close", status=201)
    facts: dict[str, Any] = (await one.ask("host", "GET", "")).json()
    return facts


@pytest.mark.parametrize("disclosure", ["end", "campaign-end", "never"])
async def test_a_view_lists_as_whom_its_role_may_look_and_nobody_else_is_accepted(
    table: World, disclosure: str
) -> None:
    await table.open(options={"disclosure": disclosure})
    everybody = ["referee", *(f"seat:{seat}" for seat in range(3)), "spectator"]
    for is_over in (False, True):
        if is_over:
            await close(table)
        opened = everybody if is_over and disclosure == "end" else []
        for role in ROLES:
            own = "spectator" if role == "host" else role
            listed = msgspec.json.decode(await as_role(table, role, "view"))["looks_as"]
            assert listed == [one for one in opened if one != own]
            for eyes in everybody:
                await as_role(table, role, f"view?as={eyes}", 200 if eyes in (*listed, own) else 403)
        assert msgspec.json.decode(await as_referee(table, "view"))["looks_as"] == everybody[1:]


async def test_once_a_game_is_disclosed_every_token_sees_what_the_referee_sees_as_any_role(table: World) -> None:
    await play(table.service, table.path.rpartition("/")[2], 5)
    await table.ask("seat:1", "POST", "commands", {"type": "explore", "decision": "turn-1", "door": "up"}, status=400)
    assert (await table.ask("host", "GET", "")).json()["disclosed_at"] is None
    facts = await close(table)
    now = await table.version()
    assert (facts["disclosed"], facts["disclosed_at"]) == (True, now)
    for number, what in enumerate(REPLAY):
        role = ("seat:0", "spectator", "host")[number % 3]
        for eyes in (EYES[number % 4], EYES[(number + 1) % 4]):
            asked = f"{what}{'&' if '?' in what else '?'}as={eyes}"
            assert await as_role(table, role, asked) == await as_referee(table, asked), f"{role}: {asked}"
    for eyes in EYES[1:]:
        streams = []
        for token in (table.referee, table.tokens["spectator"]):
            stream = Stream(table.app, f"{table.path}/events?as={eyes}", {"Authorization": f"Bearer {token}"})
            await stream.until(now)
            await stream.leave()
            streams.append(b"".join(stream.chunks))
        assert streams[0] == streams[1], "live, too"
        assert b"game-over" in streams[0]
    assert await as_role(table, "seat:0", "events?as=seat:1&limit=1000") == await as_role(
        table, "seat:1", "events?limit=1000"
    ), "and to the byte what that seat was told"
    unknown = msgspec.json.decode(await as_role(table, "seat:0", "view?as=seat:5", 403))
    assert unknown["detail"] == "This game has no seat:5."
    await as_role(table, "seat:0", "forks?as=referee", 400)
    for seat in range(3):  # whatever may still be tried, nothing goes back
        await table.ask(f"seat:{seat}", "POST", "commands", {"type": "take-back", "decision": ""}, status=400)
    assert await table.version() == now


async def test_until_a_game_is_disclosed_and_where_it_never_is_only_the_referee_looks_as_others(table: World) -> None:
    await table.open(options={"disclosure": "never"})
    detail = "Only the referee may look as another role, until the game is over and disclosed."
    for _ in range(2):
        for number, what in enumerate((*REPLAY, "book")):
            asked = f"{what}{'&' if '?' in what else '?'}as=seat:1"
            refused = msgspec.json.decode(await as_role(table, ("seat:0", "spectator", "host")[number % 3], asked, 403))
            assert (refused["code"], refused["detail"]) == ("forbidden", detail), asked
        await as_role(table, "seat:0", "trace?told=true", 403)
        if (await table.ask("host", "GET", "")).json()["status"] == "started":
            await close(table)
    facts = (await table.ask("host", "GET", "")).json()
    assert (facts["status"], facts["disclosed"], facts["disclosed_at"]) == ("abandoned", False, None)
    await table.open(options={"disclosure": "campaign-end"})
    assert (await close(table))["disclosed"] is False
    await as_role(table, "seat:0", "view?as=seat:1", 403)


async def test_what_was_written_to_the_referee_no_disclosure_opens(table: World) -> None:
    await play(table.service, table.path.rpartition("/")[2], 3)
    claim = {"claim": "Between us: Bo peeks.", "from": 5, "to": 5, "addressed": "referee"}
    await table.ask("seat:0", "POST", "disputes", claim, status=201)
    await table.ask("seat:0", "POST", "messages", {"to": "referee", "text": "He does."}, status=201)
    await close(table)
    for role in ("seat:1", "spectator", "host"):
        refused = msgspec.json.decode(await as_role(table, role, "disputes/1?as=referee", 403))
        assert refused["detail"] == "Only the referee reads this as another role."
        await as_role(table, role, "disputes/1?as=seat:0", 403)
        for what in ("disputes/1", "messages", "trace?as=referee", "events?as=referee&limit=1000", "view?as=referee"):
            answer = (await table.ask(role, "GET", what)).content
            assert not any(text in answer for text in (b"Between us", b"He does")), what


async def test_an_account_reads_a_disclosed_game_as_any_role_by_whichever_token_it_has(table: World) -> None:
    key = (await table.client.post("/v1/accounts")).json()["key"]
    await table.ask("seat:0", "PUT", "tokens/seat-0/account", {"key": key}, status=200)
    await play(table.service, table.path.rpartition("/")[2], 3)
    table.tokens["account"] = key
    await as_role(table, "account", "view?as=seat:1", 403)
    await close(table)
    for what in ("view?as=seat:1", "trace?as=referee", "board.svg?as=spectator"):
        assert await as_role(table, "account", what) == await as_referee(table, what)
    table.tokens.pop("account")


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
    snapshot = await latest_snapshot(service.store, game)
    assert snapshot is not None
    assert snapshot.number == first.version
    again = await Tables(service.store, service.library, most=4, snapshot_every=20).live(game)
    assert not again.tail, "nothing is left to be folded"
    assert (again.moments, again.fact_fold.found) == (first.moments, first.fact_fold.found)
    assert first.fact_fold.found

    old = msgspec.json.decode(snapshot.body)
    old["found"] = old.pop("commit_facts")  # as an older Omenlog wrote it, which found less
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
