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
from openapi.writer.outside import Fixed
from service.bootstrap import Service
from service.games.desk.side import PostMessage
from service.games.talk import NEWS, Message
from service.identity import Caller
from service.log.requests import Options
from service.problems import ProblemError
from service.store.port import RecordChanges
from tests.rulecoverage import cite
from tests.support.running import listed, open_game, referee, seat, service_on, spectator, step


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


async def test_what_is_said_to_the_table_everybody_reads_in_every_phase_and_only_those_at_it_say_it() -> None:
    service = await service_on()
    game = await open_game(service)
    co_referee = Caller(game, "co-referee", "referee")
    host = Caller(game, "host", "host")
    for caller in (spectator(game), host):
        assert "read those to the table" in await refusal(service, caller, "table")

    sent = [await post(service, seat(game, 2), "table", "Hello."), await post(service, co_referee, "table", "Welcome.")]
    await service.life.close(host, "", b"")
    sent.append(await post(service, referee(game), "table", "Well played."))

    assert sent[0].told == ["seat:0", "seat:1", "seat:2", "spectators", "referee"]
    assert [one.sender for one in sent] == ["seat:2", "co-referee", "referee"]
    assert [one.commit for one in sent] == [5, 5, 6]
    for caller in (*(seat(game, number) for number in range(3)), referee(game), co_referee, spectator(game), host):
        assert await told(service, caller) == ["Hello.", "Welcome.", "Well played."]
    await service.close()


async def test_where_a_hidden_traitor_makes_talk_public_the_table_is_where_to_talk() -> None:
    service = await service_on()
    game = await until_haunt(service, "the-hollow-guest")
    assert "table" in (await post(service, seat(game, 0), "table", "It is Zoe.")).to
    assert await told(service, seat(game, 2)) == ["It is Zoe."]
    await service.close()


async def test_a_stream_from_before_its_changes_were_kept_goes_on_where_it_was() -> None:
    """As an older Omenlog has written it: nothing but entries and texts."""
    service = await service_on()
    game = await open_game(service)
    old = [await post(service, seat(game, 0), "referee", text) for text in ("One.", "Two.", "Three.")]
    await service.store.update_game(game, RecordChanges(texts={NEWS: None}))

    await service.side.erase(seat(game, 0), old[0].id)
    after = await post(service, seat(game, 0), "referee", "Four.")

    assert after.id.endswith("-4")
    assert await told(service, referee(game)) == [None, "Two.", "Three.", "Four."]
    await service.close()


async def test_whoever_lags_behind_hears_the_table_as_late_as_it_sees_the_game() -> None:
    clock = Fixed()
    service = await service_on(outside=clock)
    game = await open_game(service, options=Options(spectator_delay_seconds=600))
    late = spectator(game)
    await post(service, seat(game, 0), "table", "I have the Skull!")
    assert await told(service, late) == []
    assert await told(service, seat(game, 1)) == ["I have the Skull!"]
    clock.leap(700)
    assert await told(service, late) == ["I have the Skull!"]

    game = await open_game(service, options=Options(spectator_delay=2))
    late = spectator(game)
    await step(service, game)
    await post(service, seat(game, 0), "table", "To the attic.")
    for shown in ([], [], ["To the attic."]):
        assert await told(service, late) == shown
        await step(service, game)
    await post(service, seat(game, 0), "table", "Over.")
    assert await told(service, late) == ["To the attic."]
    await service.life.close(Caller(game, "host", "host"), "", b"")
    assert await told(service, late) == ["To the attic.", "Over."]
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
            assert "You may write to `table` or `referee`." in caught.value.detail
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
        "There are no sides before the haunt. You may write to `table` or `referee`."
    )
    assert await refusal(service, referee(early), "seat:4") == (
        "The game has no such seat. You may write to `table`, `referee`, `seat:0`, `seat:1` or `seat:2`."
    )
    assert await refusal(service, spectator(early), "referee") == (
        "Messages are for seats and the referee; spectators and the host read those to the table."
    )

    game = await until_haunt(service, "the-gnawing-tide")
    state = (await service.tables.live(game)).state
    side = {one.side: one.seat for one in state.explorers}
    mine = "You may write to `table`, `referee` or `{}`."
    for own, to in (("heroes", "traitor"), ("traitor", "heroes"), ("heroes", f"seat:{side['traitor']}")):
        assert (await refusal(service, seat(game, side[own]), to)).endswith(mine.format(own))

    hidden = await until_haunt(service, "the-hollow-guest")
    assert (await refusal(service, seat(hidden, 0), "heroes")).endswith("You may write to `table` or `referee`.")
    await service.close()


async def test_to_whom_one_may_write_is_listed_with_the_messages_and_is_what_is_accepted() -> None:
    service = await service_on()
    games = [
        await open_game(service),
        await until_haunt(service, "the-gnawing-tide"),
        await until_haunt(service, "the-hollow-guest"),
    ]
    open_to = []
    for game in games:
        seats = [seat(game, number) for number in range(3)]
        for caller in (*seats, referee(game), spectator(game), Caller(game, "host", "host")):
            listed = (await service.side.messages(caller)).to
            for to in ("table", "referee", "heroes", "traitor", *(f"seat:{number}" for number in range(6))):
                if to in listed:
                    await post(service, caller, to, "Hello!")
                else:
                    await refusal(service, caller, to)
            open_to.append(listed)
    early, split, hidden = open_to[:6], open_to[6:12], open_to[12:]
    assert early == hidden
    assert early[:3] == [["table", "referee"]] * 3
    assert early[3:] == [["table", "referee", "seat:0", "seat:1", "seat:2"], [], []]
    explorers = (await service.tables.live(games[1])).state.explorers
    assert split[:3] == [["table", "referee", one.side] for one in explorers]
    assert split[3:] == [[*early[3], "heroes", "traitor"], [], []]
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
