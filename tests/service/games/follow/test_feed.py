"""Many follow one game at once: each is told what its role is told, whole and once, and the store is asked as for one."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest

from openapi.writer.outside import Fixed
from service.bootstrap import open_service
from service.games.follow.channel import Channel
from service.games.horizon import Horizon, Page
from service.games.tables import LiveGame
from service.identity import Caller
from service.settings import Settings
from service.store.port import Head, RecordChanges, StoreUnavailable
from tests.support.packs import pack
from tests.support.running import play
from tests.support.streams import Stream
from tests.support.worlds import World, world

Accepts = Callable[[], bool]


@pytest.fixture
async def one(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A world in which a token may hold as many streams as it likes."""
    monkeypatch.setattr("service.log.packs.load_pack", lambda folder, **_: pack(folder.name))
    settings = Settings(store="memory:", packs="second-edition", anonymous_rate=0, streams_per_token=100)
    async with world(await open_service(settings, Fixed())) as made:
        yield made


def always() -> bool:
    return True


def follow(one: World, role: str, accepts: Accepts | None = always, after: int = 0) -> Stream:
    token = one.referee if role == "referee" else one.tokens[role]
    headers = {"Authorization": f"Bearer {token}"}
    return Stream(one.app, f"{one.path}/events?after={after}", headers, accepts=accepts)


def frames(stream: Stream) -> list[tuple[str, Any]]:
    """Name and data of each event, in order."""
    found = []
    for frame in b"".join(stream.chunks).decode().split("\n\n"):
        lines = dict(line.partition(": ")[::2] for line in frame.splitlines() if not line.startswith(":"))
        if "data" in lines and lines["event"] != "presence":
            found.append((lines["event"], json.loads(lines["data"])))
    return found


async def moves(one: World, steps: int) -> int:
    """Do some commands; the version afterwards."""
    await play(one.service, one.path.rpartition("/")[2], steps)
    return await one.version()


async def test_spectators_crowd_out_each_other_and_no_player(one: World) -> None:
    one.service.streams.settings = msgspec.structs.replace(one.service.settings, spectator_streams_per_game=2)
    await one.open()
    watching = [follow(one, "spectator") for _ in range(2)]
    for stream in watching:
        await stream.until(1)
    refused = (await one.ask("spectator", "GET", "events", headers={"Accept": "text/event-stream"}, status=429)).json()
    assert (refused["code"], refused["retry_after"]) == ("too-many-streams", 5)
    assert "The spectators of a game may hold 2 streams together" in refused["detail"]
    others = [follow(one, role) for role in ("seat:0", "host", "referee")]
    for stream in others:
        await stream.until(1)
    await watching[0].leave()
    again = follow(one, "spectator")
    await again.until(1)
    for stream in (watching[1], again, *others):
        await stream.leave()
    assert len(one.service.streams) == 0


@pytest.mark.parametrize("seed", range(3))
async def test_each_is_told_what_the_pages_of_its_role_say_whole_and_once(one: World, seed: int) -> None:
    """Some accept at once, some now and then, some only when they are waited for; they come and go at any time."""
    chance = random.Random(seed)
    await one.open(options={"spectator_delay": seed % 3})
    roles = (*one.tokens, "referee")
    manners: list[Accepts | None] = [always, lambda: chance.random() < 0.5, None]
    following: list[tuple[str, int, Stream]] = []
    for _ in range(8):
        for role in roles:
            after = chance.randrange(await version_for(one, role) + 1)
            following.append((role, after, follow(one, role, chance.choice(manners), after)))
        await moves(one, chance.randrange(3))
        if chance.random() < 0.5:
            await following.pop(chance.randrange(len(following)))[2].leave()
    await one.ask("host", "POST", "close", status=201)
    now = await one.version()
    pages: dict[str, list[Any]] = {}
    for role in roles:
        headers = {"Authorization": f"Bearer {one.referee if role == 'referee' else one.tokens[role]}"}
        answer = await one.client.get(f"{one.path}/events?limit=1000", headers=headers)
        pages[role] = answer.json()["events"]
    assert len({json.dumps(page) for page in pages.values()}) > 2, "else a mix-up would not show"
    for role, after, stream in following:
        await stream.ended()
        *told, end = frames(stream)
        assert [data for _, data in told] == pages[role][after:], role
        assert end == ("end", {"reason": "game-over", "cursor": now})


async def version_for(one: World, role: str) -> int:
    headers = {"Authorization": f"Bearer {one.referee if role == 'referee' else one.tokens[role]}"}
    return int((await one.client.get(f"{one.path}/events?limit=1", headers=headers)).json()["version"])


async def asked(one: World, monkeypatch: pytest.MonkeyPatch, readers: int) -> Counter[str]:
    """What the store is asked, commit by commit, while so many follow in two roles."""
    await one.open()
    following = [follow(one, role) for role in ("spectator", "seat:1") for _ in range(readers)]
    for stream in following:
        await stream.until(5)
    count: Counter[str] = Counter()
    with monkeypatch.context() as patch:
        for name in ("head", "read", "find_token", "list_tokens", "get_game"):
            patch.setattr(one.service.store, name, _counted(getattr(one.service.store, name), name, count))
        for number in range(6, 12):
            await play(one.service, one.path.rpartition("/")[2], 1)
            for stream in following:
                await stream.until(number)
    for stream in following:
        await stream.leave()
    return count


def _counted(method: Any, name: str, count: Counter[str]) -> Any:  # noqa: ANN401 -- any coroutine of the store
    async def ask(*arguments: Any) -> Any:  # noqa: ANN401 -- as above
        count[name] += 1
        return await method(*arguments)

    return ask


async def test_the_store_is_asked_as_often_for_many_as_for_one(one: World, monkeypatch: pytest.MonkeyPatch) -> None:
    few = await asked(one, monkeypatch, 1)
    many = await asked(one, monkeypatch, 20)
    assert few["head"] > 0
    assert many == few


async def test_a_token_that_ends_ends_its_own_streams_and_no_others_of_its_role(one: World) -> None:
    await one.open()
    ending = [follow(one, "spectator"), follow(one, "spectator", None)]
    going_on = follow(one, "host")
    for stream in (*ending, going_on):
        await stream.until(5)
    await one.ask("spectator", "POST", "tokens/spectator-1/rotate", status=201)
    now = await moves(one, 3)
    for stream in ending:
        await stream.ended()
        assert frames(stream)[-1] == ("end", {"reason": "token-ended", "cursor": 5}), "nothing that happened since"
    await going_on.until(now)
    assert [data["id"] for _, data in frames(going_on)] == [str(number) for number in range(1, now + 1)]
    await going_on.leave()


async def test_a_token_that_ends_while_a_feed_reads_is_not_told_what_came_after(
    one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await one.open()
    game = one.path.rpartition("/")[2]
    stream = follow(one, "seat:1")
    await stream.until(5)
    read, ended = Horizon.page, False

    async def end_first(self: Horizon, live: LiveGame, caller: Caller, after: int, limit: int) -> Page:
        """The token ends, and then something happens, before what the role may see is read."""
        nonlocal ended
        if caller.name == "seat:1" and not ended:
            ended = True
            await one.ask("seat:1", "POST", "tokens/seat-1/rotate", status=201)
            await play(one.service, game, 1)
        return await read(self, live, caller, after, limit)

    await play(one.service, game, 2)  # a commit that comes alone is not read
    monkeypatch.setattr(Horizon, "page", end_first)
    one.service.tables.table(game).announce()
    await stream.ended()
    assert ended
    assert frames(stream)[-1][1]["reason"] == "token-ended"
    assert "8" not in [data.get("id") for _, data in frames(stream)]


async def test_a_stream_that_wakes_while_a_feed_reads_is_not_told_before_its_token_is_known_to_hold(
    one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await one.open()
    game = one.path.rpartition("/")[2]
    stream = follow(one, "seat:1", None)
    await stream.until(5)
    look, ended = Channel.look, False

    async def end_first(self: Channel, live: LiveGame, horizon: Horizon) -> float | None:
        """The token ends, then something happens and is read; before the feed asks again whether the token holds, the stream wakes."""
        nonlocal ended
        if not ended:
            ended = True
            await one.ask("seat:1", "POST", "tokens/seat-1/rotate", status=201)
            await play(one.service, game, 1)
        due = await look(self, live, horizon)
        one.service.streams.wake((game, "seat-1"))
        await asyncio.sleep(0.01)
        return due

    monkeypatch.setattr(Channel, "look", end_first)
    one.service.tables.table(game).announce()
    await stream.ended()
    assert ended
    assert frames(stream)[-1] == ("end", {"reason": "token-ended", "cursor": 5}), "nothing that happened since"


async def test_a_token_that_another_process_has_ended_is_not_told_the_next_commit(one: World) -> None:
    """Of the end there is no word before the commit comes, which the feed takes in as it was made."""
    await one.open()
    game = one.path.rpartition("/")[2]
    ends, goes_on = follow(one, "seat:1"), follow(one, "seat:2")
    for stream in (ends, goes_on):
        await stream.until(5)
    await moves(one, 1)
    for stream in (ends, goes_on):
        await stream.until(6)
    await one.service.store.update_game(game, RecordChanges(revoke=["seat-1"]))
    await moves(one, 1)
    await ends.ended()
    await goes_on.until(7)
    assert frames(ends)[-1] == ("end", {"reason": "token-ended", "cursor": 6})
    await goes_on.leave()


async def test_where_the_store_fails_each_is_told_so_and_can_come_again(
    one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await one.open()
    following = [follow(one, role, accepts) for role in ("seat:0", "host") for accepts in (always, None)]
    for stream in following:
        await stream.until(5)
    game = one.path.rpartition("/")[2]

    async def fail(_game: str) -> Head:
        raise StoreUnavailable("planted")

    with monkeypatch.context() as patch:
        patch.setattr(one.service.store, "head", fail)
        one.service.tables.table(game).announce()
        for stream in following:
            await stream.ended()
    assert {json.dumps(frames(stream)[-1]) for stream in following} == {
        json.dumps(("end", {"reason": "unavailable", "cursor": 5}))
    }
    again = follow(one, "seat:0", after=5)
    now = await moves(one, 2)
    await again.until(now)
    await again.leave()
    assert len(one.service.streams) == 0
