"""Spectators, the host and the public who lag behind: nothing that they can fetch tells of later commits."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from openapi.writer.outside import Fixed
from service.bootstrap import open_service
from service.settings import Settings
from tests.support.streams import Stream
from tests.support.worlds import PUBLIC, World, tell_apart, world

LATE = ("spectator", "host", PUBLIC)
"""All who lag behind."""
HOUR = 3600

Worlds = tuple[tuple[World, Fixed], tuple[World, Fixed]]


@pytest.fixture
async def twins() -> AsyncIterator[Worlds]:
    """Two worlds with the same seeds, and the clock of each."""
    async with AsyncExitStack() as stack:
        made = []
        for _ in range(2):
            clock = Fixed()
            service = await open_service(Settings(store="memory:", packs="second-edition", anonymous_rate=0), clock)
            made.append((await stack.enter_async_context(world(service)), clock))
        yield made[0], made[1]


async def play(one: World, picks: str) -> None:
    """Do listed commands: of each the first one, or the last."""
    for pick in picks:
        seat = (await one.arbiter("decisions"))["waiting"][0]["seat"]
        role = f"seat:{seat}"
        yours = (await one.ask(role, "GET", "decisions")).json()["yours"]
        commands = [listed["command"] for decision in yours for listed in decision["commands"]]
        await one.command(seat, commands[0 if pick == "f" else -1])


async def look(one: World, head: int) -> None:
    """Everything that somebody who lags behind can fetch, and what is refused."""
    for role in LATE:
        for share, ahead in enumerate((1, 2, 50)):
            await one.read(role, max(1, head - 2), head + ahead, share)
        for what in (f"view?at={head}", f"post?at={head + 1}", f"diff?from={head + 1}", f"disputes/2?as={role}"):
            await one.ask(role, "GET", what)
        for accept in ("application/x-ndjson", "text/event-stream"):
            for after in (0, head + 1) if accept.endswith("ndjson") else (head + 1,):
                await one.ask(role, "GET", f"events?after={after}", headers={"Accept": accept})
        for what in ("view", ""):
            tag = (await one.ask(role, "GET", what)).headers.get("etag", '"none"')
            rest = tag.partition(".")[2]
            for number in range(head, head + 9):
                await one.ask(role, "GET", what, headers={"If-None-Match": f'"{number}.{rest}'})
        if role != PUBLIC:
            path = f"{one.path}/events?sentences=true"
            stream = Stream(one.app, path, {"Authorization": f"Bearer {one.tokens[role]}"})
            await stream.until(head)
            await stream.leave()
            one.answers[role]["stream"] = b"".join(stream.chunks)


def apart(twins: Worlds) -> dict[str, list[str]]:
    found = {role: tell_apart(twins[0][0], twins[1][0], role) for role in LATE}
    return {role: labels for role, labels in found.items() if labels}


async def version_for(one: World, role: str) -> int:
    return int((await one.ask(role, "GET", "")).json()["version"])


async def test_by_commits_nothing_tells_what_the_latest_ones_are(twins: Worlds) -> None:
    for (one, _), latest in zip(twins, ("fff", "lfl"), strict=True):
        await one.open(options={"spectator_delay": 3}, setup={"first_seat": 0})
        await play(one, "ffl" + latest)
        await look(one, await version_for(one, "spectator"))
    assert apart(twins) == {}
    assert await twins[0][0].arbiter("events") != await twins[1][0].arbiter("events"), "the games differ"
    assert len(twins[0][0].answers["spectator"]) >= 40


async def test_by_time_nothing_tells_that_there_are_later_ones_at_all(twins: Worlds) -> None:
    for (one, clock), latest in zip(twins, ("", "flffl"), strict=True):
        await one.open(
            options={"spectator_delay_seconds": HOUR, "deadline": {"seconds": 9 * HOUR}}, setup={"first_seat": 0}
        )
        await play(one, "ffl")
        clock.leap(HOUR)
        await play(one, latest)
        if latest:
            await one.ask(
                "seat:0", "POST", "disputes", {"claim": "No.", "from": 1, "to": 9, "addressed": "table"}, status=201
            )
        await look(one, 8)
        assert {await version_for(one, role) for role in LATE} == {8}
    assert await twins[1][0].version() == 14
    assert apart(twins) == {}


async def test_of_two_delays_the_longer_one_holds(twins: Worlds) -> None:
    (one, clock), _ = twins
    await one.open(options={"spectator_delay_seconds": HOUR, "spectator_delay": 2}, setup={"first_seat": 0})
    await play(one, "fffff")
    assert await version_for(one, "spectator") == 5, "the start is shown at once"
    clock.leap(HOUR)
    assert await version_for(one, "spectator") == 8


async def test_what_lags_behind_by_time_comes_without_anything_happening_and_after_a_restart(twins: Worlds) -> None:
    """The commits of an hour ago are read from the log by whoever did not see them happen."""
    (one, clock), _ = twins
    await one.open(options={"spectator_delay_seconds": HOUR}, setup={"first_seat": 0})
    seen = []
    for _ in range(3):
        await play(one, "f")
        clock.leap(HOUR // 2)
        one.service.tables.table(one.path[-20:]).live = None
        seen.append(await version_for(one, "spectator"))
    clock.leap(HOUR)
    assert [*seen, await version_for(one, "spectator")] == [5, 6, 7, 8]


async def test_who_takes_a_seat_over_is_not_named_before_it_is_their_time(twins: Worlds) -> None:
    (one, clock), _ = twins
    await one.open(options={"spectator_delay_seconds": HOUR}, seats=[{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}])

    async def names(role: str) -> list[str]:
        return [seat["name"] for seat in (await one.ask(role, "GET", "")).json()["seats"]]

    replaced = (await one.ask("host", "POST", "seats/1/replace", status=201)).json()
    claim: dict[str, Any] = {"invite": replaced["invite"]["secret"], "name": "Dee"}
    await one.ask(PUBLIC, "POST", "seats/1/claim", claim, status=201)
    assert await names("spectator") == ["Ann", "", "Cy"], "erased at once, which can't wait"
    assert "Dee" not in (await one.ask("spectator", "GET", "post")).text
    clock.leap(HOUR)
    assert await names("spectator") == ["Ann", "Dee", "Cy"]
    assert await names(PUBLIC) == ["", "", ""]


async def test_nor_by_any_tag_or_page(twins: Worlds) -> None:
    for (one, _), name in zip(twins, ("Dee", "Eve"), strict=True):
        await one.open(
            options={"spectator_delay_seconds": HOUR}, seats=[{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}]
        )
        replaced = (await one.ask("host", "POST", "seats/1/replace", status=201)).json()
        claim: dict[str, Any] = {"invite": replaced["invite"]["secret"], "name": name}
        claimed = await one.client.post(f"{one.path}/seats/1/claim", json=claim)
        assert claimed.status_code == 201
        await look(one, 5)
    assert apart(twins) == {}


async def test_a_host_who_replaces_a_player_is_not_told_how_far_the_game_has_come(twins: Worlds) -> None:
    (one, _), _ = twins
    await one.open(options={"spectator_delay": 20}, setup={"first_seat": 0})
    before = (await one.ask(PUBLIC, "GET", "")).json()["version"]
    await play(one, "ff")
    answer = await one.ask("host", "POST", "seats/1/replace", status=201)
    assert (answer.json()["version"], answer.headers["etag"]) == (before, f'"{before}"')


async def test_the_stream_of_one_who_lags_brings_commits_when_they_are_old_enough(twins: Worlds) -> None:
    """The clock of the service and that of the event loop are two: here a second of the one is none of the other."""
    (one, clock), _ = twins
    await one.open(options={"spectator_delay_seconds": HOUR}, setup={"first_seat": 0})
    stream = Stream(one.app, f"{one.path}/events", {"Authorization": f"Bearer {one.tokens['spectator']}"})
    await stream.until(5)
    await play(one, "ff")
    assert b"id: 6" not in b"".join(stream.chunks)
    clock.leap(HOUR)
    await play(one, "f")
    await stream.until(7)
    await stream.leave()
    text = b"".join(stream.chunks).decode()
    assert "id: 8\n" not in text
    told = [line[4:] for line in text.splitlines() if line.startswith("id: ")]
    assert told == [str(number) for number in range(1, 8)]
