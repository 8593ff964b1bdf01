"""Two services on one store, as in two processes: what one does holds in the other at once, and nothing is done twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest
import pytest_asyncio

from domain.facts.commands import EndTurn, Move
from domain.facts.refusal import Refused
from service.bootstrap import Service, open_service
from service.games.desk.disputes import AskDispute, AskRuling
from service.games.desk.side import PostMessage
from service.games.follow.streams import Cursor, News
from service.identity import Caller, digest
from service.log.commits import cut
from service.log.requests import ClaimSeat, Deadline, Disputes, Join, OpenGame, Options, SeatWish
from service.problems import ProblemError
from service.settings import Settings
from service.store.port import RecordChanges
from tests.service.games.play.test_unattended import Watch, by_post, steps
from tests.support.running import awaited, listed, open_game, play, referee, seat, step
from tests.support.shared_stores import empty_store

SOON = 20.0
"""Seconds within which what is due must have been done."""


# One pair of services for all tests of a store, as loading the packs takes longer than the tests.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["sqlite", "redis"])
async def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[list[Service]]:
    store = empty_store(request.param, request, tmp_path_factory.mktemp("shared"))
    settings = Settings(store=store, packs="second-edition", heartbeat=0.2)
    opened = [await open_service(settings, Watch(salt)) for salt in ("one", "other")]
    yield opened
    for service in opened:
        await service.close()


@pytest_asyncio.fixture(loop_scope="module")
async def services(both: list[Service]) -> AsyncIterator[list[Service]]:
    """Both, with clocks that stand where they began and attendants who sleep."""
    at(both, Watch.time)
    yield both
    for service in both:
        await service.attendant.close()


def at(services: list[Service], time: str) -> None:
    """Set both clocks."""
    for service in services:
        outside = service.side._outside  # noqa: SLF001 -- the clock that was given
        assert isinstance(outside, Watch)
        outside.time = time


async def actors(service: Service, game: str) -> list[str]:
    return [cut(body)[0].actor for body in await service.store.read(game, 0, 1000)]


# -- reading --------------------------------------------------------------------------------------------------------------


async def test_whoever_was_answered_by_one_is_shown_no_less_by_the_other(services: list[Service]) -> None:
    made = await services[0].opening.open(OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True), "", b"")
    game, token = made.answer.game.id, made.answer.tokens.referee
    assert token is not None
    await services[0].life.start(Caller(game, "host", "host"), "", b"")
    for number in range(30):
        acting, looking = services[number % 2], services[1 - number % 2]
        caller, commands = await listed(acting, game)
        done = await acting.play.submit_command(caller, commands[number % len(commands)])
        shown = await looking.gate.caller(token.secret)
        assert shown is not None
        assert (await looking.reading.seen(shown)).version == done.number
        assert (await looking.reading.page(shown, 0, 1000)).version == done.number
    kept = [(await service.tables.live(game)) for service in services]
    assert msgspec.json.encode(kept[0].state) == msgspec.json.encode(kept[1].state)
    assert kept[0].hash == kept[1].hash


async def test_a_game_that_others_have_played_on_is_caught_up_with_not_loaded_anew(services: list[Service]) -> None:
    game = await open_game(services[0])
    live = await services[1].tables.fresh(game)
    before = live.version
    await play(services[0], game, 20)
    assert await services[1].tables.fresh(game) is live
    assert live.version == before + 20
    assert (live.facts.status, live.chance.__class__) == (
        "started",
        (await services[0].tables.live(game)).chance.__class__,
    )


async def test_a_log_that_was_set_back_is_noticed(services: list[Service], monkeypatch: pytest.MonkeyPatch) -> None:
    game = await open_game(services[0])
    await services[1].tables.fresh(game)
    await play(services[0], game, 3)
    table = services[0].tables.table(game)
    assert table.live is not None
    table.live.version += 1  # as if a commit that was acknowledged had got lost
    assert (await services[0].tables.fresh(game)).version == (await services[1].tables.fresh(game)).version


async def test_a_game_started_by_one_is_played_by_the_other(services: list[Service]) -> None:
    """Entropy and characters are facts beside the log: whoever has the game in memory must hear of them."""
    one, other = services
    asked = OpenGame(edition="second", seats=[SeatWish()] * 3)
    made = await one.opening.open(asked, "", b"")
    game = made.answer.game.id
    await other.tables.fresh(game)
    for number, invite in enumerate(made.answer.invites.seats):
        claim = ClaimSeat(invite=invite.secret, entropy=f"salt{number}", name=f"player {number}")
        await services[number % 2].life.claim(game, number, claim, "", b"")
    await one.life.start(Caller(game, "host", "host"), "", b"")
    caller = await awaited(one, game)
    await other.play.submit_command(caller, EndTurn(decision="turn-1"))
    facts = [(await service.tables.fresh(game)).facts for service in services]
    assert facts[0] == facts[1]
    assert [each.entropy for each in facts[1].seats] == ["salt0", "salt1", "salt2"]


# -- tokens ---------------------------------------------------------------------------------------------------------------


async def test_a_token_that_one_has_ended_holds_nowhere(services: list[Service]) -> None:
    made = await services[0].opening.open(OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True), "", b"")
    game, tokens = made.answer.game.id, made.answer.tokens
    for service in services:
        for token in (tokens.host, *tokens.seats):
            assert await service.gate.caller(token.secret) is not None
    await services[0].life.replace(Caller(game, "host", "host"), 1, "", b"")
    rotated = await services[0].life.rotate(game, "seat-0", tokens.seats[0].secret, "")
    for service in reversed(services):
        assert await service.gate.caller(tokens.seats[1].secret) is None
        assert await service.gate.caller(tokens.seats[0].secret) is None
        assert await service.gate.caller(rotated.token.secret) == seat(game, 0)
        assert await service.gate.caller(tokens.seats[2].secret) == seat(game, 2)


async def test_an_invite_serves_one_whoever_is_asked(services: list[Service]) -> None:
    asked = OpenGame(edition="second", seats=[SeatWish()] * 3, spectators=1)
    made = await services[0].opening.open(asked, "", b"")
    game, (invite, *_) = made.answer.game.id, made.answer.invites.spectators
    joining = [
        service.life.join(game, "spectator", Join(invite=invite.secret), f"key-{number}-{which}")
        for number in range(3)
        for which, service in enumerate(services)
    ]
    answers = await asyncio.gather(*joining, return_exceptions=True)
    refused = [one for one in answers if isinstance(one, ProblemError)]
    assert [one.code for one in refused] == ["invite-refused"] * 5


async def test_an_invite_for_many_serves_no_more_whoever_is_asked(services: list[Service]) -> None:
    asked = OpenGame(edition="second", seats=[SeatWish()] * 3, spectators_per_invite=4)
    made = await services[0].opening.open(asked, "", b"")
    game, (invite, *_) = made.answer.game.id, made.answer.invites.spectators

    async def join(service: Service, friend: int) -> str:
        joined = await service.life.join(game, "spectator", Join(invite=invite.secret), f"key-{friend}")
        caller = await service.gate.caller(joined.token.secret)
        assert caller is not None
        assert caller.token == joined.token.id
        return joined.token.secret

    # Each asks both at once, as somebody does whose first answer is slow.
    joining = [join(service, friend) for friend in range(6) for service in services]
    answers = await asyncio.gather(*joining, return_exceptions=True)
    served = [one for one in answers if isinstance(one, str)]
    refused = [one.code for one in answers if isinstance(one, ProblemError)]
    assert (len(served), len(set(served)), refused) == (8, 4, ["invite-used-up"] * 4)
    kept = [one for one in (await services[1].life.invites(game)).invites if one.place == "spectator"]
    assert [(one.good_for, one.left) for one in kept] == [(4, 0)]


async def test_an_invite_is_exchanged_or_claimed_whoever_is_asked(services: list[Service]) -> None:
    """Both at once: the old invite takes the place, or the new one does, and never both."""
    for which in range(6):
        asked = OpenGame(edition="second", seats=[SeatWish()] * 3)
        made = await services[0].opening.open(asked, "", b"")
        game, old = made.answer.game.id, made.answer.invites.seats[1].secret
        claimed, rotated = await asyncio.gather(
            services[which % 2].life.claim(game, 1, ClaimSeat(invite=old), "", b""),
            services[(which + 1) % 2].life.rotate_invite(game, "invite-seat-1"),
            return_exceptions=True,
        )
        codes = [one.code if isinstance(one, ProblemError) else "" for one in (claimed, rotated)]
        assert codes in (["", "invite-used-up"], ["invite-refused", ""])
        if not isinstance(rotated, BaseException):
            with pytest.raises(ProblemError, match="invite"):
                await services[which % 2].life.claim(game, 1, ClaimSeat(invite=old), "", b"")
            await services[which % 2].life.claim(game, 1, ClaimSeat(invite=rotated.invite.secret), "", b"")


# -- beside the log -------------------------------------------------------------------------------------------------------


async def test_messages_posted_to_both_at_once_all_stand_in_one_order(services: list[Service]) -> None:
    game = await open_game(services[0])
    posting = [
        services[number % 2].side.post(seat(game, number % 3), PostMessage(to="referee", text=f"{number}"))
        for number in range(12)
    ]
    posted = await asyncio.gather(*posting)
    shown = (await services[0].side.messages(referee(game))).messages
    assert sorted(one.text or "" for one in shown) == sorted(str(number) for number in range(12))
    assert {one.id for one in shown} == {one.message.id for one in posted}


async def test_a_message_sent_to_both_with_one_key_is_posted_once(services: list[Service]) -> None:
    game = await open_game(services[0])
    asked = PostMessage(to="referee", text="once")
    posting = [services[number % 2].side.post(seat(game, 0), asked, key="k") for number in range(6)]
    posted = await asyncio.gather(*posting)
    assert [one.replayed for one in posted].count(False) == 1
    shown = (await services[1].side.messages(referee(game))).messages
    assert [one.id for one in shown] == [posted[0].message.id]
    assert all(one.message == shown[0] for one in posted)


async def test_orders_left_with_one_are_carried_out_once_when_the_other_brings_the_turn(
    services: list[Service],
) -> None:
    one, other = services
    for service in services:
        service.attendant.start()
    game = await by_post(one)
    await other.tables.fresh(game)
    await one.side.leave(seat(game, 1), steps(Move(decision="turn", to="foyer"), EndTurn(decision="turn")))
    await other.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    async with asyncio.timeout(SOON):
        while (await actors(one, game)).count("auto") < 2:  # noqa: ASYNC110 -- whoever does it does so by itself
            await asyncio.sleep(0.02)
    await asyncio.gather(*(service.attendant.look(game) for service in services for _ in range(2)))
    assert (await actors(one, game))[-3:] == ["seat:0", "auto", "auto"]
    assert (await one.side.orders(seat(game, 1), 1)).state == "done"


async def test_orders_withdrawn_from_one_are_not_carried_out_by_the_other(services: list[Service]) -> None:
    one, other = services
    game = await by_post(one)
    await one.side.leave(seat(game, 1), steps(EndTurn(decision="turn")))
    await other.tables.fresh(game)
    await one.side.withdraw(seat(game, 1))
    await other.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    await other.attendant.look(game)
    assert "auto" not in await actors(one, game)


async def test_a_deadline_runs_out_once(services: list[Service]) -> None:
    game = await by_post(services[0], deadline=Deadline(seconds=3600))
    await services[1].tables.fresh(game)
    at(services, "2026-02-03T01:00:01.000Z")
    await asyncio.gather(*(service.attendant.look(game) for service in services))
    assert (await actors(services[0], game)).count("clock") == 1


async def test_who_acts_as_time_runs_out_was_in_time_or_too_late_and_the_attendant_goes_on(
    services: list[Service],
) -> None:
    """What a command does is in memory before it is in the store, so the attendant must not take it for done."""
    for number in range(3):
        at(services, Watch.time)
        game = await by_post(services[0], deadline=Deadline(seconds=3600))
        await services[1].tables.fresh(game)
        at(services, "2026-02-03T01:00:01.000Z")
        acting = services[0].play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
        looking = [services[number % 2].attendant.look(game) for _ in range(2)]
        answer, *looked = await asyncio.gather(acting, *looking, return_exceptions=True)
        assert looked == [None, None]
        assert (await actors(services[0], game))[-1] == ("clock" if isinstance(answer, Refused) else "seat:0")


async def test_a_dispute_that_nobody_rules_on_lapses_once(services: list[Service]) -> None:
    one, other = services
    game = await open_game(one, options=Options(disputes=Disputes(pause=True, seconds=3600)))
    await other.tables.fresh(game)
    await one.disputing.open(seat(game, 1), AskDispute(first=1, last=1, claim="No."), "")
    await other.tables.fresh(game)
    caller = await awaited(other, game)
    with pytest.raises(Refused, match="dispute"):
        await other.play.submit_command(caller, EndTurn(decision="turn-1"))
    at(services, "2026-02-03T01:00:01.000Z")
    await asyncio.gather(*(service.attendant.look(game) for service in services for _ in range(2)))
    assert (await actors(one, game)).count("clock") == 1
    for service in services:
        await service.tables.fresh(game)
        (shown,) = (await service.disputing.list(referee(game)))[0].disputes
        assert shown.dispute.outcome == "lapsed"
    await other.play.submit_command(caller, EndTurn(decision="turn-1"))


@pytest.mark.parametrize("outcome", ["rewind", "stands"])
async def test_since_when_somebody_is_awaited_is_the_same_at_both_after_a_ruling(
    services: list[Service], outcome: str
) -> None:
    """Whether they heard of each commit, or load the game anew: deadlines follow from the times of the commits."""
    one, other = services
    game = await by_post(one, deadline=Deadline(seconds=3600))
    live = await other.tables.fresh(game)
    for minute in range(1, 7):
        at(services, f"2026-02-03T00:0{minute}:00.000Z")
        await step(services[minute % 2], game, pick=minute)
        await services[1 - minute % 2].tables.fresh(game)
    await one.disputing.open(seat(game, 1), AskDispute(first=5, last=6, claim="No."), "")
    at(services, "2026-02-03T00:08:00.000Z")
    to = live.version - 3 if outcome == "rewind" else None
    ruling = AskRuling(outcome=outcome, to=to, reasons="So.")  # type: ignore[arg-type]  # as given
    await other.tables.fresh(game)
    await other.disputing.rule(referee(game), 1, ruling, "")
    kept = [(await service.tables.fresh(game)).clocks.since for service in services]
    one.tables.table(game).drop()
    kept.append((await one.tables.fresh(game)).clocks.since)
    assert kept[0] == kept[1] == kept[2] != {}
    latest = "2026-02-03T00:08:00.000Z"
    assert (latest in kept[0].values()) == (outcome == "rewind"), "after a rewind everybody has their time again"


async def test_what_a_process_that_is_gone_attended_to_is_done_by_the_other(
    services: list[Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.play.attendant.SWEEP", 0.1)
    services[1].attendant.start()
    game = await by_post(services[0], deadline=Deadline(seconds=3600))
    at(services, "2026-02-03T01:00:01.000Z")
    async with asyncio.timeout(SOON):
        while "clock" not in await actors(services[0], game):  # noqa: ASYNC110 -- as above
            await asyncio.sleep(0.05)


async def test_orders_of_a_game_that_had_none_when_it_was_swept_are_found_and_those_that_are_left_are_found_again(
    services: list[Service],
) -> None:
    gone, left = services
    game = await by_post(gone)
    await left.attendant.sweep()
    await gone.side.leave(seat(game, 1), steps(Move(decision="turn", to="foyer"), EndTurn(decision="turn")))
    await left.attendant.sweep()
    assert "auto" not in await actors(left, game), "it isn't their turn"
    await gone.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    await left.attendant.sweep()
    assert (await actors(left, game))[-3:] == ["seat:0", "auto", "auto"]


async def test_records_that_changed_without_a_commit_are_noticed(services: list[Service]) -> None:
    game = await open_game(services[0])
    live = await services[1].tables.fresh(game)
    await services[0].store.update_game(game, RecordChanges(texts={"any": "thing"}))
    assert live.revision < (await services[1].tables.fresh(game)).revision or live.revision == 1


# -- news -----------------------------------------------------------------------------------------------------------------


async def test_who_follows_one_is_told_what_the_other_does_each_commit_once(services: list[Service]) -> None:
    made = await services[0].opening.open(OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True), "", b"")
    game, token = made.answer.game.id, made.answer.tokens.referee
    assert token is not None
    await services[0].life.start(Caller(game, "host", "host"), "", b"")
    found: list[list[Cursor]] = [[], []]

    async def follow(which: int) -> None:
        caller = await services[which].gate.caller(token.secret)
        assert caller is not None
        stream = await services[which].feeds.open(caller, digest(token.secret), 0)
        found[which] += [item.cursor async for item in stream.items() if isinstance(item, News)]
        stream.close()

    followers = [asyncio.create_task(follow(which)) for which in range(2)]
    for number in range(20):
        await services[number % 2].tables.fresh(game)
        caller, commands = await listed(services[number % 2], game)
        await services[number % 2].play.submit_command(caller, commands[number % len(commands)])
    await services[1].life.close(Caller(game, "host", "host"), "", b"")
    async with asyncio.timeout(SOON):
        await asyncio.gather(*followers)
    assert found[0] == found[1] == list(range(1, len(found[0]) + 1))
    assert len(found[0]) == await services[0].store.version(game)
