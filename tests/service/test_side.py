"""Messages of a side: who is told is settled when they are posted, and nobody else learns that there were any."""

from __future__ import annotations

import hashlib
import random

import pytest

from domain.events import SideTold
from domain.refusal import Refused
from service.bootstrap import Service
from service.games.requests import Options
from service.games.side import PostMessage
from service.identity import Caller
from service.problems import ProblemError
from tests.rulecoverage import cite
from tests.service.games import listed, open_game, referee, seat, service_on, spectator


async def until_haunt(service: Service, haunt: str) -> str:
    """A game by post in which the haunt has begun."""
    for _ in range(10):
        game = await open_game(service, edition="play-by-post", options=Options(haunt=haunt))
        lot = random.Random(5)
        for _ in range(400):
            live = await service.tables.live(game)
            if live.state.haunt is not None and live.state.haunt.started:
                return game
            if live.facts.over():
                break
            caller, commands = await listed(service, game)
            await service.play.command(caller, lot.choice(commands))
    raise AssertionError("no haunt began")


async def told(service: Service, caller: Caller) -> list[str | None]:
    return [one.text for one in (await service.side.messages(caller)).messages]


async def test_a_side_talks_among_itself_and_the_moderator_listens() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-gnawing-tide")
    state = (await service.tables.live(game)).state
    traitor = next(one.seat for one in state.explorers if one.side == "traitor")
    heroes = [one.seat for one in state.explorers if one.side == "heroes"]
    version = (await service.tables.live(game)).version

    first = await service.side.post(seat(game, heroes[0]), PostMessage(to="heroes", text="To the attic!"))
    second = await service.side.post(referee(game), PostMessage(to="heroes", text="Noted."))

    assert first.told == [*[f"seat:{one}" for one in heroes], "referee"]
    assert await told(service, seat(game, heroes[1])) == ["To the attic!", "Noted."]
    assert await told(service, seat(game, traitor)) == []
    assert await told(service, referee(game)) == ["To the attic!", "Noted."]
    assert (await service.tables.live(game)).version == version
    for caller, to in (
        (seat(game, traitor), "heroes"),
        (seat(game, heroes[0]), "traitor"),
        (spectator(game), "heroes"),
    ):
        with pytest.raises(ProblemError) as caught:
            await service.side.post(caller, PostMessage(to=to, text="Hello?"))
        assert caught.value.code == "forbidden"
    assert first.digest == hashlib.sha256(f"{first.salt}To the attic!".encode()).hexdigest()
    assert (first.prev, bool(second.prev)) == ("", True)
    await service.close()


async def test_whoever_changes_sides_learns_nothing_older() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-gnawing-tide")
    live = await service.tables.live(game)
    heroes = [one.seat for one in live.state.explorers if one.side == "heroes"]
    traitor = next(one.seat for one in live.state.explorers if one.side == "traitor")
    await service.side.post(seat(game, heroes[0]), PostMessage(to="heroes", text="We know."))

    SideTold(seat=traitor, side="heroes", revealed=True).apply(live.state)
    await service.side.post(seat(game, heroes[0]), PostMessage(to="heroes", text="Welcome."))

    assert await told(service, seat(game, traitor)) == ["Welcome."]
    await service.close()


@pytest.mark.rule("2E-HID-010")
async def test_with_a_hidden_traitor_nobody_talks_in_private() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-hollow-guest")

    with pytest.raises(Refused) as caught:
        await service.side.post(seat(game, 0), PostMessage(to="heroes", text="It is Zoe."))

    assert caught.value.rule == "2E-HID-010"
    cite([caught.value.rule])
    await service.close()


async def test_an_erased_text_leaves_its_digest_in_the_chain() -> None:
    service = await service_on()
    game = await open_game(service, edition="play-by-post")
    one = await service.side.post(seat(game, 0), PostMessage(to="referee", text="Forget this."))
    two = await service.side.post(seat(game, 0), PostMessage(to="referee", text="And then?"))

    await service.side.erase(seat(game, 0), one.id)

    left = (await service.side.messages(referee(game))).messages
    assert [(message.text, message.digest) for message in left] == [(None, one.digest), ("And then?", two.digest)]
    assert left[1].prev == two.prev
    await service.close()
