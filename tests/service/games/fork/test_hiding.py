"""A monster that hides: whatever the heroes read, try or fork is the same wherever it is."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest

from content.vocabulary.pack import Pack
from tests.support.courses import END, Course, waiting
from tests.support.lurking import SILENT
from tests.support.packs import pack, rules_with
from tests.support.running import service_on
from tests.support.worlds import world

ROOMS = ("foyer", "grand-staircase")
"""Where the traitor sends the eel, by world."""


def with_eels(name: str) -> Pack:
    """A built-in pack and the haunt of the eels."""
    (lurking,) = [one for one in rules_with(haunt=SILENT).pack.haunts.values() if one.id == "lurking"]
    base = pack(name)
    return msgspec.structs.replace(base, haunts=[*base.haunts, lurking])


async def test_nothing_that_the_service_says_tells_the_heroes_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: with_eels(folder.name))
    async with AsyncExitStack() as stack:
        worlds = []
        for number in range(2):
            where = f"sqlite:///{tmp_path / str(number)}.db" if number else "memory:"
            service = await service_on(where, anonymous_rate=0, token_rate=0)
            worlds.append(await stack.enter_async_context(world(service)))
        course = Course(worlds, (0, 0))
        await course.begin("lurking")
        view = await worlds[0].arbiter("view")
        (traitor,) = [one["seat"] for one in view["explorers"] if one["side"] == "traitor"]
        (hero, *_others) = [one["seat"] for one in view["explorers"] if one["side"] == "heroes"]
        while (await worlds[0].arbiter("view"))["turn"]["seat"] != traitor:
            await course.turn((await worlds[0].arbiter("view"))["turn"]["seat"], END)
        for one, room in zip(worlds, ROOMS, strict=True):
            turn = (await one.arbiter("view"))["turn"]["decision"]
            send = {"type": "act", "decision": turn, "source": "haunt:traitor", "word": "SEND", "target": "eel-1"}
            await one.command(traitor, send)
            (asked,) = await waiting(one)
            await one.command(traitor, {"type": "choose", "decision": asked["decision"], "option": room})
            odds = {"of": "attack", "attacker": hero, "target": "eel-1"}
            for role in (f"seat:{hero}", "spectator"):
                await one.ask(role, "POST", "odds", odds, status=200)
                refused = (await one.ask(role, "POST", "forks", {}, status=409)).json()
                assert refused["code"] == "half-done"
                assert "hides" in refused["detail"]
            await one.ask(f"seat:{traitor}", "POST", "forks", {}, status=201)
        await course.turn(traitor, END)
        await course.look()
        heroes = [f"seat:{one['seat']}" for one in view["explorers"] if one["side"] == "heroes"]

        assert course.apart(0, 1, *heroes, "spectator") == {}
        assert course.apart(0, 1, f"seat:{traitor}"), "its own side is told"
        seen = [one for one in (await worlds[0].arbiter("view"))["monsters"] if one["id"] == "eel-1"]
        assert [(one["hides"], one["room"]) for one in seen] == [(True, ROOMS[0])]
