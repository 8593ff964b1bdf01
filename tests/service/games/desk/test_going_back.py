"""Going back in games that the service keeps: snapshots, restarts, other processes, deadlines, orders, chance; and what others can tell."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from domain.facts.chance import Answer
from domain.facts.commands import AnswerChance, EndTurn, Explore, Move, TakeBack
from domain.facts.events import ChanceAnswered
from domain.facts.refusal import Refused
from domain.rulebook.turn.standing_orders import Step
from openapi.writer.outside import Fixed
from projections.view.game import view_of
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service, open_service
from service.games.desk.disputes import AskDispute, AskRuling
from service.games.horizon import Horizon
from service.games.orders import LeaveOrders
from service.games.read.reading import decisions
from service.identity import Caller
from service.log.commits import read_folded
from service.log.exported import read_export
from service.log.requests import Deadline, Dice, Disputes, ModeratorChance, Options, SeatWish, Setup, TapeChance
from service.outside import Machine
from service.settings import Settings
from tests.support.running import HOST, open_game, play, referee, seat, service_on, spectator
from tests.support.shared_stores import latest_snapshot

CHARACTERS = ("ox-bellows", "zoe-ingstrom", "jenny-leclerc")


class Watch(Fixed):
    """An outside whose clock stands until it is set."""

    time = "2026-02-03T00:00:00.000Z"

    def now(self) -> str:
        return self.time


async def arranged(service: Service, **options: object) -> str:
    """A started game in which seat 0 begins."""
    return await open_game(
        service,
        seats=[SeatWish(character=name) for name in CHARACTERS],
        setup=Setup(first_seat=0),
        options=Options(**options),  # type: ignore[arg-type]  # as given
    )


async def move(service: Service, game: str, number: int, *rooms: str) -> None:
    for room in rooms:
        turn = (await service.tables.live(game)).state.turn.number
        await service.play.submit_command(seat(game, number), Move(decision=f"turn-{turn}", to=room))


async def rewind(service: Service, game: str, to: int, by: int = 1) -> None:
    """Seat `by` disputes, and the referee takes play back."""
    asked = AskDispute(first=to + 1, last=to + 1, claim="It was otherwise.")
    await service.disputing.open(seat(game, by), asked, "")
    number = len((await service.disputing.list(referee(game)))[0].disputes)
    await service.disputing.rule(referee(game), number, AskRuling(outcome="rewind", to=to, reasons="So be it."), "")


async def version(service: Service, game: str) -> int:
    return (await service.tables.fresh(game)).version


async def view(service: Service, caller: Caller) -> bytes:
    seen = await service.reading.seen(caller)
    return msgspec.json.encode(view_of(seen.rules, seen.state, seen.principal))


async def audited(service: Service, game: str) -> Outcome:
    """The verdict on the game once it is over."""
    await service.life.close(Caller(game, HOST, "host"), "", b"")
    whole = await service.exporting.whole(game)
    return audit(read_export(whole.splitlines())).outcome


async def test_a_restart_and_a_second_process_go_on_from_where_play_went_back(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    one = await service_on(path, snapshot_every=3)
    game = await arranged(one)
    other = await service_on(path, salt="other", snapshot_every=3)
    await other.tables.fresh(game)
    before = await version(one, game)
    await move(one, game, 0, "foyer", "grand-staircase")
    await rewind(one, game, before)
    callers = [seat(game, 0), seat(game, 1), spectator(game), referee(game)]
    shown = [await view(one, caller) for caller in callers]
    await one.tables.close()
    again = await service_on(path, salt="again", snapshot_every=3)

    for service in (other, again):
        await service.tables.fresh(game)
        assert [await view(service, caller) for caller in callers] == shown
    await move(again, game, 0, "foyer")
    for service in (one, other, again):
        await service.close()


async def moments(service: Service, caller: Caller) -> list[tuple[int, int]]:
    """Turn and round of every commit, as the role's stream says."""
    live = await service.tables.fresh(caller.game)
    told = (await Horizon(service.tables, Machine()).page(live, caller, 0, 1000)).events
    return [(one["data"]["turn"], one["data"]["round"]) for one in map(msgspec.json.decode, told)]


async def test_every_commit_says_in_which_turn_and_round_it_began(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    one = await service_on(path, snapshot_every=3)
    game = await arranged(one)
    other = await service_on(path, salt="other", snapshot_every=3)
    opened, callers = await version(one, game), [seat(game, 1), spectator(game), referee(game)]
    await move(one, game, 0, "foyer")
    await one.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"), key="end")
    await move(one, game, 1, "foyer")
    await rewind(one, game, opened)  # a dispute, and the ruling
    await move(one, game, 0, "foyer")
    retried = await other.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"), key="end")
    expected = [(0, 0)] * opened + [(turn, 0) for turn in (1, 1, 2, 2, 2, 1)]
    assert (retried.replayed, retried.moment.turn) == (True, 1)
    await one.tables.close()

    kept = await latest_snapshot(one.store, game)
    assert kept is not None
    again = await service_on(path, salt="again")
    for service in (one, other, again):
        assert [await moments(service, caller) for caller in callers] == [expected] * 3
    old = {**msgspec.json.decode(kept.body), "moments": []}
    await again.store.put_snapshot(game, kept.number, msgspec.json.encode(old))
    again.tables.drop(game)
    assert await moments(again, callers[0]) == expected
    for service in (one, other, again):
        await service.close()


async def test_what_can_be_taken_back_is_known_after_a_restart(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/omenlog.db"
    one = await service_on(path, snapshot_every=1)
    game = await arranged(one)
    before = await version(one, game)
    await move(one, game, 0, "foyer")
    await one.close()

    again = await service_on(path, salt="again", snapshot_every=1)
    offered = decisions(await again.reading.seen(seat(game, 0))).take_back
    assert offered is not None
    assert offered.command == TakeBack(decision="take-back", to=before)
    assert decisions(await again.reading.seen(seat(game, 1))).take_back is None
    assert decisions(await again.reading.seen(seat(game, 0), at=before)).take_back is None
    await again.play.submit_command(seat(game, 0), offered.command)
    assert (await again.tables.live(game)).state.explorers[0].room == "entrance-hall"
    assert await audited(again, game) is Outcome.EXACT
    await again.close()


async def test_whoever_is_awaited_again_has_the_whole_time_again() -> None:
    watch = Watch()
    service = await open_service(Settings(store="memory:", packs="second-edition"), watch)
    game = await arranged(service, deadline=Deadline(seconds=3600))
    before = await version(service, game)
    await move(service, game, 0, "foyer")
    watch.time = "2026-02-03T00:50:00.000Z"
    await rewind(service, game, before)

    watch.time = "2026-02-03T01:10:00.000Z"
    await service.attendant.look(game)
    assert (await service.tables.live(game)).state.turn.seat == 0
    watch.time = "2026-02-03T01:50:00.000Z"
    await service.attendant.look(game)

    assert (await service.tables.live(game)).state.turn.seat == 1
    assert await audited(service, game) is Outcome.EXACT
    await service.close()


async def test_a_pause_stops_the_clock_and_has_one_of_its_own() -> None:
    watch = Watch()
    service = await open_service(Settings(store="memory:", packs="second-edition"), watch)
    chosen = Disputes(pause=True, seconds=7200)
    game = await arranged(service, deadline=Deadline(seconds=3600), disputes=chosen)
    await service.disputing.open(seat(game, 1), AskDispute(first=1, last=1, claim="Why?"), "")

    watch.time = "2026-02-03T01:30:00.000Z"
    await service.attendant.look(game)
    assert (await service.tables.live(game)).state.turn.seat == 0
    watch.time = "2026-02-03T02:00:00.000Z"
    await service.attendant.look(game)

    listed = (await service.disputing.list(referee(game)))[0].disputes
    assert [one.dispute.outcome for one in listed] == ["lapsed"]
    watch.time = "2026-02-03T03:00:00.000Z"
    await service.attendant.look(game)
    assert (await service.tables.live(game)).state.turn.seat == 1
    assert await audited(service, game) is Outcome.EXACT
    await service.close()


async def test_orders_that_were_being_carried_out_end_and_others_wait_on() -> None:
    service = await service_on()
    game = await arranged(service)
    before = await version(service, game)
    explore = Step(command=Explore(decision="turn", door="west"))
    await service.side.leave(seat(game, 0), LeaveOrders(steps=[Step(command=Move(decision="turn", to="foyer"))]))
    await service.side.leave(seat(game, 1), LeaveOrders(steps=[explore]))
    live = await service.tables.live(game)
    orders = live.orders[0]
    await service.attendant._order(game)  # noqa: SLF001 -- one step, where `look` would do all that can be done
    assert live.orders[0] != orders

    await rewind(service, game, before)
    await service.attendant.look(game)

    first, second = [await service.side.orders(seat(game, number), number) for number in (0, 1)]
    assert (first.state, first.because) == ("stopped", "play went back")
    assert second.state == "waiting"
    await service.close()


async def test_a_question_of_chance_that_was_open_is_open_again_with_its_number_and_no_other_has_it() -> None:
    service = await service_on()
    game = await open_game(service, randomness=ModeratorChance(), setup=Setup(first_seat=0))
    asked = (await service.tables.live(game)).state.open
    assert asked, "the back of the first tile is asked for"
    before = await version(service, game)
    (name,) = asked
    pick = next(iter(asked[name].options))
    await service.play.submit_command(referee(game), AnswerChance(decision=name, pick=pick))
    await rewind(service, game, before)
    assert list((await service.tables.live(game)).state.open) == [name]

    await service.play.submit_command(referee(game), AnswerChance(decision=name, pick=pick))

    bodies = await service.store.read(game, 0, 100)
    answers = [
        one.event.index for body in bodies for one in read_folded(body).events if isinstance(one.event, ChanceAnswered)
    ]
    assert answers == sorted(set(answers))
    assert len(answers) == 2
    assert await audited(service, game) is not Outcome.DIVERGED
    await service.close()


async def test_a_tape_is_not_rewound() -> None:
    service = await service_on()
    answers = [Dice(pick="upper"), Dice(pick="ground")]
    game = await open_game(service, randomness=TapeChance(answers=answers), setup=Setup(first_seat=0))
    live = await service.tables.live(game)
    spent = live.state.chances
    started = await version(service, game)
    await service.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    await rewind(service, game, started)

    assert (await service.tables.live(game)).state.chances >= spent
    assert isinstance(live.secret.tape[0], Answer)
    assert await audited(service, game) is not Outcome.DIVERGED
    await service.close()


async def test_who_is_not_told_of_a_claim_can_not_tell_two_claims_apart() -> None:
    worlds = []
    for claim, last in (("He knew the tile.", 5), ("She has the Bell; and much more of it than that, for ever.", 6)):
        service = await service_on()
        game = await arranged(service)
        await move(service, game, 0, "foyer")
        await service.disputing.open(seat(game, 1), AskDispute(first=5, last=last, claim=claim), "")
        ruling = AskRuling(outcome="stands", reasons=f"Because: {claim}", rules=["2E-MOVE-001"] * (last - 4))
        await service.disputing.rule(referee(game), 1, ruling, "")
        seen = []
        for caller in (seat(game, 0), seat(game, 2), spectator(game)):
            page = await service.reading.page(caller, 0, 100)
            listed = msgspec.json.encode((await service.disputing.list(caller))[0])
            seen += [*page.events, listed, await view(service, caller)]
        worlds.append(seen)
        await service.close()
    assert worlds[0] == worlds[1]


async def test_a_take_back_that_can_not_be_is_refused_without_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody makes the service fold whole logs by asking for what isn't offered."""
    service = await service_on()
    game = await open_game(service)
    await play(service, game, 12)
    calls: list[object] = []
    monkeypatch.setattr("service.games.play.submit.past_of", calls.append)

    with pytest.raises(Refused) as caught:
        await service.play.submit_command(seat(game, 0), TakeBack(decision="take-back", to=5))

    assert (caught.value.problem, calls) == ("take-back-closed", [])
    await service.close()


async def test_nor_is_it_when_it_is_only_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    service = await service_on()
    game = await arranged(service)
    before = await version(service, game)
    await move(service, game, 0, "foyer")
    offered = await service.what_if.dry_run(seat(game, 0), TakeBack(decision="take-back", to=before))
    assert (offered.legal, offered.consults) == (True, [])
    calls: list[object] = []
    monkeypatch.setattr("service.games.read.what_if.past_of", calls.append)

    found = await service.what_if.dry_run(seat(game, 0), TakeBack(decision="take-back", to=1))

    assert found.refusal is not None
    assert (found.refusal.code, calls) == ("take-back-closed", [])
    await service.close()


async def test_a_referee_that_takes_back_is_told_what_it_can_do_instead() -> None:
    service = await service_on()
    game = await arranged(service)
    before = await version(service, game)
    await move(service, game, 0, "foyer")
    command = TakeBack(decision="take-back", to=before)
    with pytest.raises(Refused, match="rules on disputes") as caught:
        await service.play.submit_command(referee(game), command)
    assert caught.value.problem == "take-back-closed"
    tried = await service.what_if.dry_run(referee(game), command)
    assert tried.refusal is not None
    assert tried.refusal.code == "take-back-closed"
    await service.close()
