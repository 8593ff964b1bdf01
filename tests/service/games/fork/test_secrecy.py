"""What somebody tries tells nothing of what they don't know: forks, dry runs and odds, the same bytes whatever the truth is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from domain.engine.rules import REVISION
from domain.facts.chance import Seeded
from service.games.fork.worlds import sampled_world
from tests.support.courses import END, Course, act, explore, move, settle, waiting
from tests.support.packs import pack
from tests.support.running import service_on
from tests.support.worlds import REVEAL, World, world

GUEST = "the-hollow-guest"
LISTENS = "the-room-that-listens"
BY = {"spectator": "spectator-1"}
"""Names of tokens that are not those of their roles."""
Begin = Callable[..., Awaitable[Course]]


@pytest.fixture
async def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Begin]:
    """Worlds that differ in who the traitor is, or in what a moderator says; in all that is random besides they are alike."""
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    async with AsyncExitStack() as stack:

        async def begin(*traitors: int, **how: object) -> Course:
            worlds = []
            for number in range(len(traitors)):
                where = f"sqlite:///{tmp_path / str(number)}.db" if number else "memory:"
                service = await service_on(where, anonymous_rate=0, token_rate=0)
                worlds.append(await stack.enter_async_context(world(service)))
            course = Course(worlds, traitors)
            await course.begin(GUEST, **how)  # type: ignore[arg-type]  # as given
            return course

        yield begin


async def fork(one: World, role: str, **asked: object) -> dict[str, Any]:
    """A role makes a fork; its tokens are kept as those of further roles, all of which belong to the one that made it."""
    made: dict[str, Any] = (await one.ask(role, "POST", "forks", dict(asked), status=201)).json()
    for token in made["tokens"].get("seats", ()):
        one.tokens[f"by {role}: {token['id']}"] = token["secret"]
    one.tokens[f"by {role}: spectator"] = made["tokens"]["spectators"][0]["secret"]
    return made


def of(role: str, made: dict[str, Any]) -> list[str]:
    """The roles that somebody has in a fork."""
    return [f"by {role}: {token['id']}" for token in made["tokens"]["seats"]]


async def play(one: World, role: str, made: dict[str, Any], steps: int) -> None:
    """Play on in a fork, whatever is listed, not always the first; everything is looked at."""
    path = f"/v1/games/{made['game']['id']}"
    for number in range(steps):
        for seat in of(role, made):
            found = await one.ask(seat, "GET", f"{path}/decisions", status=200)
            listed = [command for mine in found.json()["yours"] for command in mine["commands"]]
            if listed:
                command = listed[number * 5 % len(listed)]["command"]
                await one.ask(seat, "POST", f"{path}/dry-runs", command, status=200)
                await one.ask(seat, "POST", f"{path}/commands", command, status=201)
                break
    for seat in (*of(role, made), f"by {role}: spectator"):
        await one.ask(seat, "GET", f"{path}/view", status=200)
        await one.ask(seat, "GET", f"{path}/events?limit=1000", status=200)
        await one.ask(seat, "GET", f"{path}/export", status=200)


def mine(course: Course, role: str) -> list[str]:
    """The role itself and all that it is in forks."""
    return [name for name in course.worlds[0].answers if name == role or name.startswith(f"by {role}:")]


async def test_an_innocents_fork_is_the_same_whoever_the_traitor_is(begin: Begin) -> None:
    """Two games with another traitor; an innocent and a spectator make a fork of each and play on in it, then a traitor does."""
    course = await begin(1, 2)
    await course.turn(0, move("foyer"), END)
    for one in course.worlds:
        for role in (
            "seat:0",
            "spectator",
            "seat:1",
        ):  # the clock ticks for each request: those who know more come last
            await play(one, role, await fork(one, role), 5)
            listed = (await one.ask(role, "GET", "forks")).json()["forks"]
            assert [(fork["by"], fork["sampled"]) for fork in listed] == [(BY.get(role, role.replace(":", "-")), True)]
    assert course.apart(0, 1, *mine(course, "seat:0"), *mine(course, "spectator")) == {}
    assert len(mine(course, "seat:0")) == 5
    told = course.apart(0, 1, *mine(course, "seat:1"))
    assert told.keys() >= {"by seat:1: seat-1"}, "the traitor knows itself, in its fork too"


@pytest.mark.prove
async def test_a_fork_from_an_earlier_commit_knows_nothing_of_what_was_told_since(begin: Begin) -> None:
    """Before the deal nobody is the traitor; a fork from there deals anew, the same in all games."""
    course = await begin(1, 2)
    at = next(
        commit["data"]["number"]
        for commit in (await course.worlds[0].arbiter("events?limit=1000"))["events"]
        if any(event["type"] == "TurnStarted" for event in commit["data"]["events"])
    )
    for one in course.worlds:
        for role in ("seat:1", "spectator"):
            await play(one, role, await fork(one, role, at=at), 4)
    assert course.apart(0, 1, *[name for name in mine(course, "spectator") if name.startswith("by ")]) == {}
    assert course.apart(0, 1, *[name for name in mine(course, "seat:1") if name.startswith("by ")]) == {}


async def test_dry_runs_and_odds_tell_no_innocent_who_the_traitor_is(begin: Begin) -> None:
    course = await begin(1, 2)
    asked = {"of": "attack", "attacker": 0, "target": 1}
    for one in course.worlds:
        turn = (await one.arbiter("view"))["turn"]["decision"]
        for body in (explore("west"), explore("east"), move("foyer"), END, act("haunt:heroes", "LIGHT")):
            await one.ask("seat:0", "POST", "dry-runs", {**body, "decision": turn}, status=200)
        for body in ({**REVEAL}, {"type": "attack", "decision": turn, "target": 1}):
            await one.ask("seat:0", "POST", "dry-runs", body, status=200)
        await one.ask("seat:0", "POST", "odds", asked, status=200)
        await one.ask("spectator", "POST", "odds", asked, status=200)
        await one.ask("spectator", "POST", "dry-runs", REVEAL, status=403)
    await course.turn(0, explore("west"), until="0 before-harm")
    for one in course.worlds:
        (asked_now,) = (await one.arbiter("decisions"))["waiting"]
        answer = {"type": "choose", "decision": asked_now["decision"], "option": "pass"}
        found = (await one.ask("seat:0", "POST", "dry-runs", answer, status=200)).json()
        assert found["consults"] == [{"kind": "hidden"}], "what is half-done may hang on who the traitor is"
        await one.ask("seat:0", "POST", "forks", {}, status=409)
    assert course.apart(0, 1, "seat:0", "spectator") == {}


@pytest.mark.prove
async def test_what_somebody_saw_in_a_stack_is_not_in_others_forks(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spirit board shows its holder the next tile, another one in each game; in others' forks it is drawn anew."""
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    async with AsyncExitStack() as stack:
        worlds = [await stack.enter_async_context(world(await service_on(anonymous_rate=0))) for _ in range(2)]
        course = Course(worlds)
        for one, hidden in zip(worlds, ("gardens", "ballroom"), strict=True):
            setup = {"tiles": ["charred-room", hidden], "omen": ["spirit-board"], "first_seat": 2}
            await one.open(randomness={"source": "moderator"}, setup=setup)
        await course.turn(2, explore("east"), END)
        await course.turn(0, END)
        await course.turn(1, END)
        await course.turn(2, act("card:spirit-board", "ASK"))
        for one in worlds:
            for role in ("seat:0", "spectator", "seat:2"):
                made = await fork(one, role)
                path = f"/v1/games/{made['game']['id']}"
                turn = (await one.ask(f"by {role}: seat-2", "GET", f"{path}/view")).json()["turn"]["decision"]
                explored = {**explore("east"), "decision": turn}
                await one.ask(f"by {role}: seat-2", "POST", f"{path}/commands", explored, status=201)
                await play(one, role, made, 6)
        for role in ("seat:0", "spectator"):
            assert course.apart(0, 1, *mine(course, role)) == {}
        assert course.apart(0, 1, *mine(course, "seat:2")), "who has looked takes it along"


async def begin_listening(one: World, room: str) -> None:
    """Three rooms in which events happened, and the haunt, whose traitor (seat 1) chooses one of them; a hero knocks in vain at another."""
    setup = {
        "first_seat": 0,
        "tiles": ["patio", "ballroom", "statuary-corridor", "abandoned-room"],
        "event": ["angry-being", "creepy-crawlies", "hideous-shriek"],
        "omen": ["skull"],
    }
    await one.open(randomness={"source": "moderator"}, setup=setup, options={"haunt": LISTENS})
    course = Course([one], [1])
    await settle(one, 1)
    await course.turn(0, explore("west"), END)
    await course.turn(1, explore("east"), END)
    await course.turn(2, move("foyer"), explore("west"), END)
    await course.turn(0, END)
    await course.turn(1, explore("north"), END, until="1 secret:listening-room")
    (asked,) = await waiting(one)
    await one.ask("seat:1", "GET", "decisions", status=200)
    await one.command(1, {"type": "choose", "decision": asked["decision"], "option": room})
    await settle(one, 1)
    await course.turn(2, END)
    await course.turn(0, act("haunt:heroes", "KNOCK"))


async def test_a_secret_room_is_invented_anew_among_those_not_searched_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The traitor chose another room in each game; heroes' forks are the same, and in none it is the room that was knocked at."""
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    async with AsyncExitStack() as stack:
        worlds = [await stack.enter_async_context(world(await service_on(anonymous_rate=0))) for _ in range(2)]
        course, invented = Course(worlds), set()
        for one, room in zip(worlds, ("ballroom", "statuary-corridor"), strict=True):
            await begin_listening(one, room)
            forks = [await fork(one, "seat:0") for _ in range(6)]
            for made in forks:
                live = await one.service.tables.live(made["game"]["id"])
                assert live.state.haunt is not None
                invented.add(live.state.haunt.secrets["listening-room"])
                assert [token["id"] for token in made["tokens"]["seats"]] == ["seat-0", "seat-2"], (
                    "not the traitor's book"
                )
            for token in ("seat-0", "seat-2"):
                path = f"/v1/games/{forks[-1]['game']['id']}/view"
                seen = await one.ask(f"by seat:0: {token}", "GET", path, status=200)
                assert seen.json()["role"] == token.replace("-", ":"), "a token plays the seat that it is named after"
            live = await one.service.tables.live(one.path.rpartition("/")[2])
            with monkeypatch.context() as revised:  # in a game of older rules too, as far as these decide as those did
                revised.setattr(live.rules, "revision", REVISION + 1)
                for number in range(6):
                    chance = Seeded(b"%d" % number, "world")
                    found = await sampled_world(one.service.tables, live.facts.id, live, live.version, 1, chance)
                    assert found.engine.haunt is not None
                    invented.add(found.engine.haunt.secrets["listening-room"])
            await play(one, "seat:0", forks[-1], 3)
            assert "seats" not in (await fork(one, "spectator"))["tokens"], "spectators have read neither book"
        assert invented == {"ballroom", "statuary-corridor"}
        assert course.apart(0, 1, *mine(course, "seat:0"), *mine(course, "spectator")) == {}
        (sheet,) = [haunt for haunt in pack("second-edition").haunts if haunt.id == LISTENS]
        theirs = sheet.traitor_book
        assert theirs is not None
        for text in (theirs.story, theirs.goal, theirs.because, theirs.ending):
            assert not [role for role in mine(course, "seat:0") if text.encode() in worlds[0].told(role)]
