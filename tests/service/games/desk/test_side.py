"""Messages of a side: who is told is settled when they are posted, and nobody else learns that there were any."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import msgspec
import pytest

from domain.facts.commands import ProposeRuling
from domain.facts.events import SideTold
from domain.facts.refusal import Refused
from service.bootstrap import Service
from service.games.desk.side import Message, PostMessage
from service.identity import Caller
from service.log.requests import Options
from service.problems import ProblemError
from tests.rulecoverage import cite
from tests.support.running import listed, open_game, referee, seat, service_on, spectator


async def until_haunt(service: Service, haunt: str, *, edition: str = "play-by-post", ready: bool = True) -> str:
    """A game, by post unless told otherwise, in which the haunt has begun, or in which it is still being set up."""
    for _ in range(10):
        scenario = "cursed" if edition == "third" else None
        game = await open_game(service, edition=edition, options=Options(haunt=haunt, scenario=scenario))
        lot = random.Random(5)
        for _ in range(400):
            live = await service.tables.live(game)
            if live.state.haunt is not None and (live.state.haunt.started or not ready):
                return game
            if live.facts.over():
                break
            caller, commands = await listed(service, game)
            await service.play.submit_command(caller, lot.choice(commands))
    raise AssertionError("no haunt began")


async def post(service: Service, caller: Caller, to: str, text: str) -> Message:
    return (await service.side.post(caller, PostMessage(to=to, text=text))).message


async def told(service: Service, caller: Caller) -> list[str | None]:
    return [one.text for one in (await service.side.messages(caller)).messages]


async def test_a_side_talks_among_itself_and_the_moderator_listens() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-gnawing-tide")
    state = (await service.tables.live(game)).state
    traitor = next(one.seat for one in state.explorers if one.side == "traitor")
    heroes = [one.seat for one in state.explorers if one.side == "heroes"]
    version = (await service.tables.live(game)).version

    first = await post(service, seat(game, heroes[0]), "heroes", "To the attic!")
    second = await post(service, referee(game), "heroes", "Noted.")

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
    await post(service, seat(game, heroes[0]), "heroes", "We know.")

    SideTold(seat=traitor, side="heroes", revealed=True).apply(live.state)
    await post(service, seat(game, heroes[0]), "heroes", "Welcome.")

    assert await told(service, seat(game, traitor)) == ["Welcome."]
    await service.close()


@pytest.mark.rule("2E-HID-010", case=1)
async def test_with_a_hidden_traitor_nobody_talks_in_private() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-hollow-guest")

    with pytest.raises(Refused) as caught:
        await post(service, seat(game, 0), "heroes", "It is Zoe.")

    assert caught.value.rule == "2E-HID-010"
    cite([caught.value.rule])
    await service.close()


@pytest.mark.rule("3E-HTYPE-004")
@pytest.mark.parametrize("ready", [True, False], ids=["in play", "as it is set up"])
async def test_nor_with_one_of_the_third_edition(ready: bool) -> None:  # noqa: FBT001 -- a case of pytest's
    service = await service_on(packs="third-edition")
    game = await until_haunt(service, "the-last-act", edition="third", ready=ready)
    for number in range(3):
        for side in ("heroes", "traitor"):
            with pytest.raises(Refused) as caught:
                await post(service, seat(game, number), side, "It is Zoe.")
            assert caught.value.rule == "3E-HTYPE-004"
            assert "You may write to `referee`." in caught.value.detail
            cite([caught.value.rule])
    assert (await post(service, seat(game, 0), "referee", "It is Zoe.")).told == ["seat:0", "referee"]
    await service.close()


async def test_where_all_play_against_each_other_nobody_has_a_side_to_talk_to() -> None:
    service = await service_on(packs="third-edition")
    game = await until_haunt(service, "keep-it-fed", edition="third")
    for caller in (seat(game, 0), referee(game)):
        for side in ("heroes", "traitor"):
            with pytest.raises(ProblemError) as caught:
                await post(service, caller, side, "Together?")
            assert caught.value.code == "no-side"
    with pytest.raises(ProblemError) as caught:
        await post(service, seat(game, 0), "seat:1", "Together?")
    assert caught.value.code == "forbidden"
    assert (await post(service, seat(game, 0), "referee", "Alone, then.")).told == ["seat:0", "referee"]
    await service.close()


@pytest.mark.rule("2E-HID-010")
async def test_talk_stays_public_when_the_hidden_traitor_is_revealed() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-hollow-guest")
    live = await service.tables.live(game)
    SideTold(seat=0, side="traitor", revealed=True).apply(live.state)
    assert live.state.haunt is not None
    assert not live.state.haunt.hidden

    with pytest.raises(Refused) as caught:
        await post(service, seat(game, 1), "heroes", "Get him.")

    assert caught.value.rule == "2E-HID-010"
    cite([caught.value.rule])
    await service.close()


@pytest.mark.rule("2E-HID-008", case=2, asserts=True)
async def test_whoever_says_to_be_innocent_is_heard_and_nothing_comes_of_it() -> None:
    """To the referee by a message, to everybody by a ruling that somebody proposes."""
    service = await service_on()
    game = await until_haunt(service, "the-hollow-guest")
    live = await service.tables.live(game)
    traitor = next(one.seat for one in live.state.explorers if one.side == "traitor")
    before = msgspec.json.encode(live.state)

    claimed = await post(service, seat(game, traitor), "referee", "I am innocent.")

    assert claimed.text == "I am innocent."
    live = await service.tables.live(game)
    assert msgspec.json.encode(live.state) == before
    explorers, haunt = msgspec.json.encode(live.state.explorers), msgspec.json.encode(live.state.haunt)
    proposal = ProposeRuling(decision="table", text="I hold the token 2, believe me.")
    await service.play.submit_command(seat(game, traitor), proposal)
    live = await service.tables.live(game)
    assert msgspec.json.encode(live.state.explorers) == explorers
    assert msgspec.json.encode(live.state.haunt) == haunt
    await service.close()


async def refusal(service: Service, caller: Caller, to: str) -> str:
    """Why a message is refused, and to whom one may write."""
    with pytest.raises((ProblemError, Refused)) as caught:
        await post(service, caller, to, "Hello?")
    return str(caught.value)


async def test_a_message_that_is_refused_says_to_whom_one_may_write() -> None:
    service = await service_on()
    early = await open_game(service, edition="play-by-post")
    assert await refusal(service, seat(early, 0), "heroes") == (
        "There are no sides before the haunt. You may write to `referee`."
    )
    assert await refusal(service, referee(early), "seat:4") == (
        "The game has no such seat. You may write to `referee`, `seat:0`, `seat:1` or `seat:2`."
    )
    assert await refusal(service, spectator(early), "referee") == "Messages are for seats and the referee."

    game = await until_haunt(service, "the-gnawing-tide")
    state = (await service.tables.live(game)).state
    side = {one.side: one.seat for one in state.explorers}
    mine = "You may write to `referee` or `{}`."
    for own, to in (("heroes", "traitor"), ("traitor", "heroes"), ("heroes", f"seat:{side['traitor']}")):
        assert (await refusal(service, seat(game, side[own]), to)).endswith(mine.format(own))

    hidden = await until_haunt(service, "the-hollow-guest")
    assert (await refusal(service, seat(hidden, 0), "heroes")).endswith("You may write to `referee`.")
    await service.close()


async def test_an_erased_text_leaves_its_digest_in_the_chain() -> None:
    service = await service_on()
    game = await open_game(service, edition="play-by-post")
    one = await post(service, seat(game, 0), "referee", "Forget this.")
    two = await post(service, seat(game, 0), "referee", "And then?")

    await service.side.erase(seat(game, 0), one.id)

    left = (await service.side.messages(referee(game))).messages
    assert [(message.text, message.digest) for message in left] == [(None, one.digest), ("And then?", two.digest)]
    assert left[1].prev == two.prev
    await service.close()


@pytest.mark.rule("2E-HSET-004", case=1)
@pytest.mark.parametrize("edition", ["second", "play-by-post"])
async def test_while_the_haunt_is_set_up_the_heroes_confer_and_the_traitor_reads_nothing_of_it(edition: str) -> None:
    service = await service_on()
    game = await until_haunt(service, "the-gnawing-tide", edition=edition, ready=False)
    state = (await service.tables.live(game)).state
    assert {one.about for one in state.open.values()} == {"haunt"}, "everybody reads, nobody is ready"
    heroes = [one.seat for one in state.explorers if one.side == "heroes"]
    traitor = next(one.seat for one in state.explorers if one.side == "traitor")

    sent = await post(service, seat(game, heroes[0]), "heroes", "You hold the stairs, I look for the axe.")

    assert sent.told == [*[f"seat:{one}" for one in heroes], "referee"]
    assert await told(service, seat(game, heroes[1])) == ["You hold the stairs, I look for the axe."]
    assert await told(service, seat(game, traitor)) == []
    assert (await service.side.messages(seat(game, heroes[1]))).messages[0].rule == sent.rule
    cite([sent.rule])
    await service.close()


async def test_a_message_sent_again_with_its_key_is_there_once() -> None:
    service = await service_on()
    game = await open_game(service)
    asked = PostMessage(to="referee", text="May I?")
    first = await service.side.post(seat(game, 0), asked, key="k1")

    again = await service.side.post(seat(game, 0), asked, key="k1")
    assert (again.message, first.replayed, again.replayed) == (first.message, False, True)
    assert await told(service, referee(game)) == ["May I?"]
    with pytest.raises(ProblemError) as caught:
        await service.side.post(seat(game, 0), PostMessage(to="referee", text="May I not?"), key="k1")
    assert caught.value.code == "key-reused"

    other = await service.side.post(seat(game, 1), asked, key="k1")
    assert not other.replayed, "the keys of others are their own"
    await service.side.post(seat(game, 0), asked, key="k2")
    assert await told(service, referee(game)) == ["May I?"] * 3
    await service.close()


async def test_a_message_erased_since_is_answered_without_its_text_and_not_sent_again() -> None:
    service = await service_on()
    game = await open_game(service)
    asked = PostMessage(to="referee", text="Forget this.")
    first = await service.side.post(seat(game, 0), asked, key="k1")
    await service.side.erase(seat(game, 0), first.message.id)

    again = await service.side.post(seat(game, 0), asked, key="k1")

    assert (again.message.id, again.message.text, again.replayed) == (first.message.id, None, True)
    assert await told(service, referee(game)) == [None]
    await service.close()


async def test_a_key_is_known_after_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/log.db"
    service = await service_on(store)
    game = await open_game(service)
    asked = PostMessage(to="referee", text="May I?")
    first = await service.side.post(seat(game, 0), asked, key="k1")
    await service.close()

    service = await service_on(store)
    again = await service.side.post(seat(game, 0), asked, key="k1")

    assert (again.message, again.replayed) == (first.message, True)
    await service.close()


@pytest.mark.rule("3E-START-008", case=1)
async def test_in_the_third_edition_the_sides_plan_apart_until_all_are_ready() -> None:
    service = await service_on(packs="third-edition")
    game = await until_haunt(service, "the-night-shift", edition="third", ready=False)
    lot = random.Random(5)
    while {one.kind for one in (await service.tables.live(game)).state.open.values()} != {"ready"}:
        caller, commands = await listed(service, game)
        await service.play.submit_command(caller, lot.choice(commands))
    state = (await service.tables.live(game)).state
    assert state.haunt is not None
    assert not state.haunt.started
    traitor = next(one.seat for one in state.explorers if one.side == "traitor")
    heroes = [one.seat for one in state.explorers if one.side == "heroes"]

    await post(service, seat(game, heroes[0]), "heroes", "Pay them all.")
    await post(service, seat(game, traitor), "traitor", "Dig on.")

    assert await told(service, seat(game, heroes[1])) == ["Pay them all."]
    assert await told(service, seat(game, traitor)) == ["Dig on."]
    await service.close()
