"""Clocks of those who are awaited: nobody wins time by pausing play or by taking back, and nobody loses any."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.facts.commands import Choose, EndTurn, Move, TakeBack, Trade
from domain.facts.refusal import Refused
from openapi.writer.outside import Fixed
from service.bootstrap import Service, open_service
from service.games.desk.disputes import AskDispute, AskReopening, AskRuling
from service.log.requests import Deadline, Disputes, Options, SeatWish, Setup
from service.settings import Settings
from tests.support.running import open_game, referee, seat

CHARACTERS = ("ox-bellows", "zoe-ingstrom", "jenny-leclerc")
ASKED = AskDispute(first=1, last=1, claim="Why?")


class Watch(Fixed):
    """An outside whose clock stands until it is set."""

    time = "2026-02-03T00:00:00.000Z"

    def now(self) -> str:
        return self.time

    def at(self, minutes: int) -> None:
        """Set the clock, in minutes since the game began."""
        self.time = f"2026-02-03T{minutes // 60:02}:{minutes % 60:02}:00.000Z"


async def on(store: str, watch: Watch) -> Service:
    settings = Settings(store=store, packs="second-edition", snapshot_every=1)
    return await open_service(settings, watch)


async def begun(service: Service, **disputes: object) -> str:
    """A game in which seat 0 begins, and has an hour."""
    options = Options(deadline=Deadline(seconds=3600), disputes=Disputes(**disputes))  # type: ignore[arg-type]  # as given
    return await open_game(
        service, seats=[SeatWish(character=name) for name in CHARACTERS], setup=Setup(first_seat=0), options=options
    )


async def acting(service: Service, game: str) -> int:
    """Whose turn it is, once all that is due was done."""
    await service.attendant.look(game)
    return (await service.tables.live(game)).state.turn.seat


async def end_turn(service: Service, game: str, number: int) -> None:
    turn = (await service.tables.live(game)).state.turn.number
    await service.play.submit_command(seat(game, number), EndTurn(decision=f"turn-{turn}"))


async def take_back(service: Service, game: str, number: int) -> None:
    version = (await service.tables.live(game)).version
    await service.play.submit_command(seat(game, number), TakeBack(decision="take-back", to=version - 1))


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_clock_stands_in_a_pause_and_goes_on_after_it(tmp_path: Path, *, restarts: bool) -> None:
    watch = Watch()
    store = f"sqlite:///{tmp_path}/log.db"
    service = await on(store, watch)
    game = await begun(service, pause=True)
    watch.at(40)
    await service.disputing.open(seat(game, 0), ASKED, "")
    if restarts:
        await service.close()
        service = await on(store, watch)
    watch.at(300)
    assert await acting(service, game) == 0, "time in a pause is not counted"
    await service.disputing.withdraw(seat(game, 0), 1, "")

    watch.at(319)
    assert await acting(service, game) == 0
    watch.at(320)
    assert await acting(service, game) == 1, "and nobody wins any"
    await service.close()


async def test_a_seat_does_not_hold_up_play_by_withdrawing_and_disputing_again() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, pause=True)
    for number in range(1, 40):
        await service.disputing.open(seat(game, 0), ASKED, "")
        watch.at(10 * number)
        await service.disputing.withdraw(seat(game, 0), number, "")
        if await acting(service, game) != 0:
            break
    assert number == 9, "three pauses of ten minutes, and an hour that is counted"
    await service.close()


async def test_two_disputes_that_overlap_are_one_pause() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, pause=True)
    watch.at(50)
    await service.disputing.open(seat(game, 1), ASKED, "")
    watch.at(60)
    await service.disputing.open(seat(game, 2), ASKED, "")
    watch.at(90)
    await service.disputing.withdraw(seat(game, 1), 1, "")
    watch.at(200)
    assert await acting(service, game) == 0
    await service.disputing.rule(referee(game), 2, AskRuling(outcome="stands", reasons="So."), "")
    watch.at(209)
    assert await acting(service, game) == 0
    watch.at(210)
    assert await acting(service, game) == 1
    await service.close()


async def test_a_deadline_that_had_run_out_when_play_paused_is_due_when_it_goes_on() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, pause=True)
    watch.at(61)
    await service.disputing.open(seat(game, 0), ASKED, "")
    assert await acting(service, game) == 0, "nothing is done while play is paused"
    await service.disputing.withdraw(seat(game, 0), 1, "")
    assert await acting(service, game) == 1
    await service.close()


@pytest.mark.parametrize("restarts", [False, True])
async def test_nobody_wins_time_by_taking_back_the_end_of_a_turn(tmp_path: Path, *, restarts: bool) -> None:
    watch = Watch()
    store = f"sqlite:///{tmp_path}/log.db"
    service = await on(store, watch)
    game = await begun(service)
    watch.at(40)
    await end_turn(service, game, 0)
    watch.at(50)
    if restarts:
        await service.close()
        service = await on(store, watch)
    await take_back(service, game, 0)

    watch.at(69)
    assert await acting(service, game) == 0
    watch.at(70)
    assert await acting(service, game) == 1, "forty minutes before, and twenty after"
    watch.at(129)
    assert await acting(service, game) == 1, "the next one has an hour"
    watch.at(130)
    assert await acting(service, game) == 2
    await service.close()


async def test_nor_by_doing_so_again_and_again() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service)
    for number in range(1, 12):
        watch.at(10 * number)
        if await acting(service, game) != 0:
            break
        await end_turn(service, game, 0)
        await take_back(service, game, 0)
    assert number == 6
    await service.close()


async def test_nor_by_taking_back_an_offer() -> None:
    """While the other is asked, the turn is not awaited; then it goes on from where it stood."""
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service)
    live = await service.tables.live(game)
    live.state.explorers[0].cards.append("axe")  # a card to offer, which takes no chance
    live.roles.clear()
    watch.at(40)
    await service.play.submit_command(seat(game, 0), Trade(decision="turn-1", partner=1, gives=["axe"]))
    watch.at(50)
    await take_back(service, game, 0)
    assert dict((await service.tables.live(game)).clocks.since) == {"turn-1": "2026-02-03T00:10:00.000Z"}
    await service.close()


async def test_a_step_that_is_taken_back_leaves_the_clock_as_it_runs() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service)
    watch.at(30)
    await service.play.submit_command(seat(game, 0), Move(decision="turn-1", to="foyer"))
    watch.at(40)
    await take_back(service, game, 0)
    watch.at(60)
    assert await acting(service, game) == 1
    await service.close()


async def test_after_a_ruling_that_rewinds_all_have_the_whole_of_their_time() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, pause=True)
    watch.at(40)
    await end_turn(service, game, 0)
    await service.disputing.open(seat(game, 1), ASKED, "")
    watch.at(50)
    to = (await service.tables.live(game)).version - 2
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="rewind", to=to, reasons="So."), "")
    watch.at(109)
    assert await acting(service, game) == 0
    watch.at(110)
    assert await acting(service, game) == 1
    await service.close()


async def test_the_clock_lets_a_dispute_lapse_that_nobody_withdraws_and_the_referee_may_rule_before() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, pause=True, seconds=7200)
    await service.disputing.open(seat(game, 2), ASKED, "")
    await service.disputing.open(seat(game, 1), ASKED, "")
    await service.disputing.rule(referee(game), 2, AskRuling(outcome="stands", reasons="So."), "")
    watch.at(119)
    assert await acting(service, game) == 0
    watch.at(120)
    await service.attendant.look(game)
    with pytest.raises(Refused, match="dispute 1 has lapsed"):
        await service.disputing.withdraw(seat(game, 2), 1, "")
    watch.at(180)
    assert await acting(service, game) == 1
    await service.close()


async def test_a_dispute_that_is_reopened_has_its_whole_time_again() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, pause=True, seconds=3600)
    await service.disputing.open(seat(game, 1), ASKED, "")
    watch.at(50)
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="stands", reasons="So it was."), "")
    await service.disputing.reopen(referee(game), 1, AskReopening(reasons="Or was it?"), "")

    watch.at(100)
    await acting(service, game)
    assert not (await service.disputing.one(referee(game), 1))[0].dispute.outcome
    watch.at(111)
    await acting(service, game)

    shown, _ = await service.disputing.one(referee(game), 1)
    assert (shown.dispute.outcome, [one.outcome for one in shown.dispute.earlier]) == ("lapsed", ["stands"])
    await service.close()


async def test_a_consent_after_play_has_moved_on_goes_back_all_the_same() -> None:
    watch = Watch()
    service = await on("memory:", watch)
    game = await begun(service, consent=True)
    to = (await service.tables.live(game)).version
    await end_turn(service, game, 0)
    await service.disputing.open(seat(game, 1), ASKED, "")
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="rewind", to=to, reasons="So."), "")
    agree = Choose(decision="dispute-1-1", option="agree")
    for number in (0, 1):
        await service.play.submit_command(seat(game, number), agree)
    await end_turn(service, game, 1)
    await service.play.submit_command(seat(game, 2), agree)
    assert await acting(service, game) == 0
    with pytest.raises(Refused) as late:
        await service.play.submit_command(seat(game, 1), agree)
    assert late.value.problem == "decision-closed"
    await service.close()
