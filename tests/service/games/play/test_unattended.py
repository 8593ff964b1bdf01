"""What is done for those who are not there: standing orders and deadlines, each a commit that an audit decides again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.commands import Act, AnswerChance, Choose, EndTurn, Explore, Move, TakeBack
from domain.facts.events import ActionTaken, DecisionOpened, DiceRolled, Moved
from domain.facts.state import MODERATOR, UNNAMED, Decision
from domain.rulebook.turn.options import answers
from domain.rulebook.turn.standing_orders import Orders, Step, When, after, proceed
from openapi.writer.outside import Fixed
from projections.text.post import status_post
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service, open_service
from service.games.desk.disputes import AskDispute, AskRuling
from service.games.orders import LeaveOrders
from service.games.read.reading import decisions, view
from service.identity import Caller
from service.log.commits import cut
from service.log.exported import open_export
from service.log.requests import Deadline, ModeratorChance, OpenGame, Options, SeatWish, SeededChance, Setup
from service.problems import ProblemError
from service.settings import Settings
from service.store.port import RecordChanges, StoreDamaged
from tests.support.packs import by_post as by_post_rules
from tests.support.running import awaited, listed, play, referee, seat, spectator
from tests.support.table import Table

CHARACTERS = ("ox-bellows", "zoe-ingstrom", "jenny-leclerc")


class Watch(Fixed):
    """An outside whose clock stands until it is set."""

    time = "2026-02-03T00:00:00.000Z"

    def now(self) -> str:
        return self.time


async def open_on(path: str, watch: Watch, *, snapshot_every: int = 100) -> Service:
    service = await open_service(Settings(store=path, packs="second-edition", snapshot_every=snapshot_every), watch)
    service.attendant.start()
    return service


async def by_post(service: Service, *, moderated: bool = False, setup: Setup | None = None, **options: object) -> str:
    """A started game by post; seat 0 begins."""
    asked = OpenGame(
        edition="play-by-post",
        randomness=ModeratorChance() if moderated else SeededChance(),
        seats=[SeatWish(character=name) for name in CHARACTERS],
        hotseat=True,
        setup=setup or Setup(first_seat=0),
        options=Options(**options),  # type: ignore[arg-type]  # as given
    )
    made = await service.opening.open(asked, "", b"")
    await service.life.start(Caller(made.answer.game.id, "host", "host"), "", b"")
    return made.answer.game.id


async def actors(service: Service, game: str) -> list[str]:
    return [cut(body)[0].actor for body in await service.store.read(game, 0, 1000)]


async def settled(service: Service, game: str) -> None:
    """Everything that is due has been done."""
    await asyncio.sleep(0)
    await service.attendant.look(game)


def steps(*commands: Act | Move | Explore | EndTurn | Choose, when: When | None = None) -> LeaveOrders:
    return LeaveOrders(steps=[Step(command=command, when=when) for command in commands])


async def orders_of(service: Service, game: str, number: int) -> Orders:
    return await service.side.orders(seat(game, number), number)


TURN = "turn"


# -- standing orders ----------------------------------------------------------------------------------------------------------


async def test_orders_are_carried_out_when_the_turn_comes() -> None:
    service = await open_on("memory:", Watch())
    game = await by_post(service)
    await service.side.leave(seat(game, 1), steps(Move(decision=TURN, to="foyer"), EndTurn(decision=TURN)))
    await settled(service, game)
    assert (await orders_of(service, game, 1)).state == "waiting"

    await service.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    await settled(service, game)

    live = await service.tables.live(game)
    assert (live.state.explorers[1].room, live.state.turn.seat) == ("foyer", 2)
    assert (await actors(service, game))[-3:] == ["seat:0", "auto", "auto"]
    assert (await orders_of(service, game, 1)).state == "done"
    await service.close()


@pytest.mark.rule("PBP-TURN-001", case=1, asserts=True)
def test_one_post_uses_an_item_moves_rolls_and_moves_again() -> None:
    table = Table(game=by_post_rules())
    table.hold(0, "healing-salve", "puzzle-box")
    table.clips(0, might=1)
    table.turn(0)
    post = steps(
        Act(decision=TURN, source="card:healing-salve", word="HEAL", target=0),
        Move(decision=TURN, to="foyer"),
        Act(decision=TURN, source="card:puzzle-box", word="OPEN"),
        Move(decision=TURN, to="grand-staircase"),
    )
    table.rolls([0] * table.value(0, "knowledge"))
    orders, command = proceed(Orders(steps=post.steps), table.state, 0)
    told = []
    while command is not None:
        told += table.play(0, command)
        orders, command = proceed(after(orders, command), table.state, 0)

    assert (orders.state, orders.next) == ("done", 4)
    done = [type(one.event) for one in told if isinstance(one.event, ActionTaken | Moved | DiceRolled)]
    assert done == [ActionTaken, Moved, ActionTaken, DiceRolled, Moved]
    assert table.explorer(0).room == "grand-staircase"


def test_orders_never_answer_for_monsters_that_a_hidden_traitor_runs_unseen() -> None:
    """In the own turn that would show who does; they wait until somebody has answered."""
    table = Table()
    table.haunt("the-hollow-guest", traitor=0)
    asked = Decision(id="d1", seat=UNNAMED, kind="choice", about="shift:bat-1", options=["foyer", "stay"])
    table.happen(DecisionOpened(decision=asked))
    left = Orders(steps=[Step(command=Choose(decision=TURN, option="stay"))])

    orders, command = proceed(left, table.state, 0)

    assert (orders, command) == (left, None)
    assert table.offers(0, Choose) == [Choose(decision="d1", option=option) for option in asked.options]


async def test_the_first_step_that_cannot_be_done_ends_them_and_says_by_which_rule() -> None:
    service = await open_on("memory:", Watch())
    game = await by_post(service)
    far = [Move(decision=TURN, to=room) for room in ("foyer", "grand-staircase", "foyer", "entrance-hall", "foyer")]
    await service.side.leave(seat(game, 0), steps(*far, EndTurn(decision=TURN)))
    await settled(service, game)

    orders = await orders_of(service, game, 0)
    assert (orders.state, orders.next) == ("stopped", 4)
    assert orders.because.startswith("step 5: ")
    assert "PBP-MOVE-001" in orders.because
    live = await service.tables.live(game)
    assert (live.state.turn.seat, live.state.explorers[0].room) == (0, "entrance-hall")
    await service.close()


async def test_steps_whose_condition_does_not_hold_are_passed_over() -> None:
    service = await open_on("memory:", Watch())
    game = await by_post(service)
    asked = LeaveOrders(
        steps=[
            Step(command=Move(decision=TURN, to="foyer"), when=When(room=["attic"])),
            Step(command=Move(decision=TURN, to="foyer"), when=When(holds="axe")),
            Step(command=Move(decision=TURN, to="foyer"), when=When(haunt=True)),
            Step(command=Move(decision=TURN, to="foyer"), when=When(at_least={"might": 8})),
            Step(command=Move(decision=TURN, to="foyer"), when=When(not_room=["entrance-hall"])),
            Step(command=Choose(decision=TURN, option="pass")),
            Step(command=EndTurn(decision=TURN), when=When(beside=1, at_least={"might": 5})),
        ]
    )
    await service.side.leave(seat(game, 0), asked)
    await settled(service, game)

    live = await service.tables.live(game)
    assert (live.state.explorers[0].room, live.state.turn.seat) == ("entrance-hall", 1)
    await service.close()


async def haunted_since(service: Service, orders: LeaveOrders) -> tuple[str, Orders]:
    """Seat 1 left orders in the first turn, which has ended with the beginning of the haunt.

    Returns:
        The game, in the first turn of seat 1 in the haunt or behind it, and the orders as they stood when the haunt began.
    """
    setup = Setup(first_seat=0, tiles=["charred-room"], omen=["ring"])
    game = await by_post(service, setup=setup, moderated=True, haunt="the-bell-below")
    await service.side.leave(seat(game, 1), orders)
    await settled(service, game)
    assert (await orders_of(service, game, 1)).state == "waiting"
    await service.play.submit_command(seat(game, 0), Explore(decision="turn-1", door="east"))
    await service.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    (roll,) = (await service.tables.live(game)).state.open
    await service.play.submit_command(referee(game), AnswerChance(decision=roll, rolled=[1] * 6, total=0))
    await settled(service, game)
    left = await orders_of(service, game, 1)
    for _ in range(60):
        live = await service.tables.live(game)
        assert live.state.haunt is not None
        if live.state.haunt.started and live.state.turn.seat == 1 and not live.state.turn.monsters:
            break
        caller, commands = await listed(service, game)
        asked = next(iter(live.state.open.values()), None)
        caller = referee(game) if asked is not None and asked.seat == MODERATOR else caller
        commands = list(answers(live.rules, asked)) if asked is not None else commands
        await service.play.submit_command(caller, commands[-1])
    await settled(service, game)
    return game, left


async def test_orders_from_before_the_haunt_end_when_it_begins() -> None:
    service = await open_on("memory:", Watch())

    game, left = await haunted_since(service, steps(Move(decision=TURN, to="foyer"), EndTurn(decision=TURN)))

    assert (left.state, left.next, left.because) == ("stopped", 0, "the haunt has begun")
    live = await service.tables.live(game)
    assert (live.state.turn.seat, live.state.explorers[1].room) == (1, "entrance-hall")
    await service.side.leave(seat(game, 1), steps(Move(decision=TURN, to="foyer"), EndTurn(decision=TURN)))
    await settled(service, game)
    assert (await orders_of(service, game, 1)).state == "done", "those left in the haunt are carried out"
    await service.close()


@pytest.mark.parametrize("goes_on", [{"in_haunt": True}, {"when": When(haunt=True)}])
async def test_steps_that_say_so_are_done_in_the_haunt_too_and_the_others_passed_over(goes_on: dict[str, Any]) -> None:
    service = await open_on("memory:", Watch())
    left = [
        Step(command=Move(decision=TURN, to="foyer")),
        Step(command=EndTurn(decision=TURN), **goes_on),
    ]

    game, _ = await haunted_since(service, LeaveOrders(steps=left))

    live = await service.tables.live(game)
    assert (live.state.turn.seat != 1, live.state.explorers[1].room) == (True, "entrance-hall")
    assert (await orders_of(service, game, 1)).state == "done"
    await service.close()


async def test_orders_are_nobody_elses_business() -> None:
    service = await open_on("memory:", Watch())
    game = await by_post(service)
    version = (await service.tables.live(game)).version
    await service.side.leave(seat(game, 1), steps(EndTurn(decision=TURN)))
    await settled(service, game)

    assert (await service.tables.live(game)).version == version
    assert (await service.side.orders(referee(game), 1)).state == "waiting"
    with pytest.raises(ProblemError) as caught:
        await service.side.leave(referee(game), steps(EndTurn(decision=TURN)))
    assert caught.value.code == "forbidden"
    await service.side.withdraw(seat(game, 1))
    with pytest.raises(ProblemError) as caught:
        await service.side.orders(seat(game, 1), 1)
    assert caught.value.code == "not-found"
    await service.close()


async def test_orders_outlive_a_crash_between_two_steps(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/log.db"
    service = await open_service(Settings(store=path, packs="second-edition"), Watch())  # nobody attends
    game = await by_post(service)
    await service.side.leave(seat(game, 0), steps(Move(decision=TURN, to="foyer"), EndTurn(decision=TURN)))
    await service.close()

    service = await open_on(path, Watch("later"))
    for _ in range(200):
        if (await service.tables.live(game)).orders[0].state == "done":
            break
        await asyncio.sleep(0.01)
    live = await service.tables.live(game)
    assert (live.state.explorers[0].room, live.state.turn.seat) == ("foyer", 1)
    await service.close()


# -- deadlines ----------------------------------------------------------------------------------------------------------------


async def test_a_turn_that_lasts_too_long_is_ended_by_the_clock() -> None:
    watch = Watch()
    service = await open_on("memory:", watch)
    game = await by_post(service, deadline=Deadline(seconds=86_400))
    watch.time = "2026-02-03T23:59:59.000Z"
    before = (await service.tables.live(game)).version
    await service.play.submit_command(seat(game, 0), Move(decision="turn-1", to="foyer"))
    await service.play.submit_command(seat(game, 0), TakeBack(decision="take-back", to=before))
    await settled(service, game)
    assert (await service.tables.live(game)).state.turn.seat == 0, (
        "neither a move nor taking it back gives the turn a new deadline"
    )

    watch.time = "2026-02-04T00:00:00.000Z"
    await settled(service, game)

    assert (await service.tables.live(game)).state.turn.seat == 1
    commit = cut((await service.store.read(game, 0, 1000))[-1])[0]
    told = msgspec.json.decode(commit.command)
    assert (commit.actor, told["type"], told["due"]) == ("clock", "expire", "2026-02-04T00:00:00.000Z")
    await settled(service, game)
    assert (await service.tables.live(game)).state.turn.seat == 1, "the next seat has a day of its own"
    await service.close()


async def dues(service: Service, game: str, caller: Caller | None = None, at: int | None = None) -> list[str | None]:
    """When what the game waits for runs out, as view and decisions tell it alike."""
    seen = await service.reading.seen(caller or seat(game, 2), at=at)
    told = [one.due for one in decisions(seen).waiting]
    assert [one.due for one in view(seen).waiting] == told
    return told


async def post_of(service: Service, game: str) -> str:
    seen = await service.reading.seen(referee(game))
    return status_post(seen.rules, seen.state, "markdown", [], seen.times, seen.passed_over)


async def test_whoever_is_awaited_is_told_until_when() -> None:
    watch = Watch()
    service = await open_on("memory:", watch)
    game = await by_post(service, deadline=Deadline(seconds=86_400), spectator_delay=3)
    watch.time = "2026-02-03T08:00:00.000Z"
    before = (await service.tables.live(game)).version
    await service.play.submit_command(seat(game, 0), Move(decision="turn-1", to="foyer"))

    for caller in (seat(game, 0), seat(game, 1), referee(game)):
        assert await dues(service, game, caller) == ["2026-02-04T00:00:00.000Z"]
    assert await dues(service, game, spectator(game)) == [None], (
        "who lags behind is not told when the others have to answer"
    )
    assert await dues(service, game, at=before) == [None], "of what was awaited once nobody is told until when"
    assert "- Ox Bellows: The turn of Ox Bellows (until 2026-02-04 00:00 UTC)\n" in await post_of(service, game)

    await service.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    assert await dues(service, game) == ["2026-02-04T08:00:00.000Z"]
    await service.close()


async def test_everybody_is_told_since_when_somebody_is_awaited_the_moderator_too() -> None:
    watch = Watch()
    service = await open_on("memory:", watch, snapshot_every=1)
    game = await by_post(service, moderated=True)
    begun = (await service.tables.live(game)).version

    async def since(at: int | None = None) -> list[str | None]:
        seen = await service.reading.seen(seat(game, 1), at=at)
        assert all(one.since is msgspec.UNSET for one in (*view(seen).waiting, *decisions(seen).waiting)), (
            "only if asked"
        )
        return [one.since or None for one in decisions(seen, since=True).waiting]

    opened = await since()
    watch.time = "2026-02-03T08:00:00.000Z"
    await service.play.submit_command(seat(game, 0), Move(decision="turn-1", to="foyer"))
    assert await since() == opened, "it is still the same turn"
    watch.time = "2026-02-03T09:00:00.000Z"
    await service.play.submit_command(seat(game, 0), Explore(decision="turn-1", door="east"))
    assert await since() == ["2026-02-03T09:00:00.000Z"]
    assert await since(at=begun) == [None]
    service.tables.drop(game)
    assert await since() == ["2026-02-03T09:00:00.000Z"], "from the snapshot"
    await service.close()


async def test_without_a_deadline_and_of_the_moderators_dice_nobody_is_told_until_when() -> None:
    service = await open_on("memory:", Watch())
    assert await dues(service, await by_post(service)) == [None]
    game = await by_post(service, moderated=True, deadline=Deadline(seconds=60))
    await service.play.submit_command(seat(game, 0), Explore(decision="turn-1", door="east"))
    live = await service.tables.live(game)
    assert [one.seat for one in live.state.open.values()] == [MODERATOR]
    assert await dues(service, game) == [None]
    await service.close()


async def test_the_post_says_who_was_passed_over_in_the_last_round(tmp_path: Path) -> None:
    watch, path = Watch(), f"sqlite:///{tmp_path}/log.db"
    service = await open_on(path, watch, snapshot_every=2)
    game = await by_post(service, deadline=Deadline(seconds=3600))
    assert "Passed over" not in await post_of(service, game)
    watch.time = "2026-02-03T01:00:00.000Z"
    await settled(service, game)
    await service.play.submit_command(seat(game, 1), EndTurn(decision="turn-2"))
    told = "**Passed over**\n\n- Ox Bellows: turn 1, at 2026-02-03 01:00 UTC\n"
    assert told in await post_of(service, game)
    await service.close()

    watch = Watch("later")
    watch.time = "2026-02-03T01:00:00.000Z"
    service = await open_on(path, watch, snapshot_every=2)
    assert told in await post_of(service, game), "the log remembers it"
    await service.play.submit_command(seat(game, 2), EndTurn(decision="turn-3"))
    assert told in await post_of(service, game)
    await service.play.submit_command(seat(game, 0), EndTurn(decision="turn-4"))
    assert "Passed over" not in await post_of(service, game), "a round later nobody needs to hear it"
    await service.close()


async def test_who_was_passed_over_is_not_told_of_what_was_rewound() -> None:
    watch = Watch()
    service = await open_on("memory:", watch)
    game = await by_post(service, deadline=Deadline(seconds=3600))
    before = (await service.tables.live(game)).version
    watch.time = "2026-02-03T01:00:00.000Z"
    await settled(service, game)
    assert "Passed over" in await post_of(service, game)
    claim = AskDispute(first=before + 1, last=before + 1, claim="I was there.")
    await service.disputing.open(seat(game, 0), claim, "")
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="rewind", to=before, reasons="So it was."), "")

    assert "Passed over" not in await post_of(service, game)
    await service.close()


async def test_without_a_deadline_nothing_is_done_for_anybody() -> None:
    watch = Watch()
    service = await open_on("memory:", watch)
    game = await by_post(service)
    watch.time = "2036-02-03T00:00:00.000Z"
    await settled(service, game)
    assert (await service.tables.live(game)).state.turn.seat == 0
    await service.close()


async def test_a_game_whose_record_is_damaged_keeps_no_deadline_of_others_waiting(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, watch = f"sqlite:///{tmp_path}/log.db", Watch()
    service = await open_on(path, watch)
    damaged, game = [await by_post(service, deadline=Deadline(seconds=3600)) for _ in range(2)]
    await service.store.update_game(damaged, RecordChanges(facts=b"damaged"))
    await service.close()

    watch = Watch("later")
    watch.time = "2026-02-03T01:00:00.000Z"
    service = await open_on(path, watch)
    for _ in range(200):
        if (await actors(service, game))[-1] == "clock":  # in the log: in memory it may be on its way there
            break
        await asyncio.sleep(0.01)

    assert (await actors(service, game))[-1] == "clock"
    assert f"game {damaged}: nothing is done in it" in caplog.text
    with pytest.raises(StoreDamaged):
        await service.tables.live(damaged)
    await service.close()


async def test_deadlines_follow_from_the_log_after_a_restart(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/log.db"
    service = await open_on(path, Watch())
    game = await by_post(service, deadline=Deadline(seconds=3600))
    since = dict((await service.tables.live(game)).clocks.since)
    await service.close()

    watch = Watch("later")
    watch.time = "2026-02-03T01:00:00.000Z"
    service = await open_on(path, watch)
    for _ in range(200):
        if "turn-2" in (await service.tables.live(game)).clocks.since:
            break
        await asyncio.sleep(0.01)

    live = await service.tables.live(game)
    assert since == {"turn-1": "2026-02-03T00:00:00.000Z"}
    assert (live.state.turn.seat, live.clocks.since) == (1, {"turn-2": "2026-02-03T01:00:00.000Z"})
    await service.close()


@pytest.mark.parametrize("number", range(3))
async def test_a_whole_game_that_only_the_clock_plays_ends_and_is_audited(number: int, tmp_path: Path) -> None:
    """No dead ends: whatever is asked has a default, and every one of them is decided again."""
    watch = Watch(f"game {number}")
    service = await open_on("memory:", watch)
    game = await by_post(service, deadline=Deadline(seconds=1), turn_limit=40, haunt="the-hollow-guest")
    for step in range(600):
        live = await service.tables.live(game)
        if live.facts.over():
            break
        if step < 60:  # somebody begins, and then nobody comes any more
            caller, commands = await listed(service, game)
            await service.play.submit_command(caller, commands[(step * 7 + number) % len(commands)])
        else:
            watch.time = f"2026-02-{4 + step // 60:02d}T00:{step % 60:02d}:00.000Z"
            await settled(service, game)
    assert (await service.tables.live(game)).facts.over()
    assert "clock" in await actors(service, game)

    lines = [line async for line in service.exporting.lines(referee(game))]
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"".join(lines))
    assert audit(open_export(file)).outcome is Outcome.EXACT
    await service.close()


async def test_orders_and_defaults_are_told_to_those_who_may_know_the_command() -> None:
    watch = Watch()
    service = await open_on("memory:", watch)
    game = await by_post(service, deadline=Deadline(seconds=5))
    watch.time = "2026-02-03T00:00:05.000Z"
    await settled(service, game)

    commit, _ = cut((await service.store.read(game, 0, 1000))[-1])
    assert commit.command_to == 1 | REFEREE
    assert commit.actor_to & SPECTATORS
    await play(service, game, 3)
    assert (await awaited(service, game)).role == "seat"
    await service.close()
