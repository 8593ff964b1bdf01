"""One command at a time, stored before it is answered, done once: whatever goes wrong in between."""

import asyncio
from pathlib import Path

import pytest

from domain.decide import decide
from domain.facts.audience import REFEREE, seat_bit
from domain.facts.commands import EndTurn, Move
from domain.facts.events import Told
from domain.facts.refusal import Refused
from domain.facts.state import State
from service.games.play.submit import Done
from service.games.tables import Tables
from service.log.chain import FIRST, verify
from service.log.commits import read_folded
from service.log.facts import encode
from service.problems import ProblemError
from service.store.port import LogStore, StoreUnavailable
from tests.support.running import awaited, listed, open_game, play, referee, seat, service_on, step
from tests.support.shared_stores import latest_snapshot


async def folded(store: LogStore, game: str) -> tuple[State, list[list[Told]]]:
    """The state that the log says, and the events."""
    state = State()
    commits = [read_folded(body).events for body in await store.read(game, 0, 10_000)]
    for told in commits:
        for one in told:
            one.event.apply(state)
        state.commit += 1
    return state, commits


async def test_the_live_state_is_the_fold_of_the_log_and_so_is_each_roles(tmp_path: Path) -> None:
    service = await service_on(f"sqlite:///{tmp_path}/log.db", snapshot_every=20)
    game = await open_game(service)
    for _ in range(10):
        await play(service, game, 9)
        live = await service.tables.live(game)
        state, commits = await folded(service.store, game)
        assert encode(live.state) == encode(state)
        for bit in (seat_bit(0), seat_bit(2), REFEREE):
            own = State()
            for told in commits:
                for one in told:
                    if one.to & bit:
                        one.event.apply(own)
                own.commit += 1
            assert encode(await service.tables.fold_for(game, live, bit, live.version)) == encode(own)
    await service.close()


async def test_a_game_loaded_from_a_snapshot_is_the_game_loaded_from_the_log(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/log.db"
    service = await service_on(path, snapshot_every=16)
    game = await open_game(service)
    await play(service, game, 53)
    await service.tables.close()
    snapshot = await latest_snapshot(service.store, game)
    assert snapshot is not None
    assert snapshot.number == 48
    live = await service.tables.live(game)
    service.tables.table(game).live = None
    loaded = await service.tables.live(game)
    assert (encode(loaded.state), loaded.hash, loaded.version) == (encode(live.state), live.hash, live.version)
    await play(service, game, 10)
    await service.close()


async def test_the_chain_of_a_played_game_holds(tmp_path: Path) -> None:
    service = await service_on(f"sqlite:///{tmp_path}/log.db")
    game = await open_game(service)
    await play(service, game, 40)
    salts = (await service.tables.live(game)).salts
    head = FIRST
    for body in await service.store.read(game, 0, 1000):
        head = verify(body, head, salts).hash
    assert head == (await service.tables.live(game)).hash
    await service.close()


async def test_two_processes_that_race_for_a_game_lose_nothing(tmp_path: Path) -> None:
    """Whoever finds its state outdated loads the game again and decides anew."""
    path = f"sqlite:///{tmp_path}/log.db"
    racers = [await service_on(path), await service_on(path, salt="other")]
    onlooker = await service_on(path, salt="onlooker")
    game = await open_game(racers[0])
    for number in range(30):
        onlooker.tables.table(game).live = None
        caller, commands = await listed(onlooker, game)
        done = await racers[number % 2].play.submit_command(caller, commands[number % len(commands)])
        assert done.number == 6 + number
    state, _ = await folded(onlooker.store, game)
    assert encode((await racers[1].tables.live(game)).state) == encode(state)
    for service in (*racers, onlooker):
        await service.close()


async def test_a_command_that_lost_its_race_is_judged_anew(tmp_path: Path) -> None:
    path = f"sqlite:///{tmp_path}/log.db"
    one, other = await service_on(path), await service_on(path, salt="other")
    game = await open_game(one)
    caller = await awaited(one, game)
    await other.tables.live(game)
    command = EndTurn(decision="turn-1")
    await one.play.submit_command(caller, command)
    with pytest.raises(Refused):
        await other.play.submit_command(caller, command)
    current = (await other.tables.live(game)).version
    with pytest.raises(ProblemError) as stale:
        await other.play.submit_command(
            seat(game, (caller.seat + 1) % 3), EndTurn(decision="turn-2"), expected=[current - 1]
        )
    assert stale.value.code == "stale-version"
    await one.close()
    await other.close()


async def test_commands_of_one_game_posted_at_once_are_done_one_after_another() -> None:
    service = await service_on()
    game = await open_game(service)
    caller, commands = await listed(service, game)
    before = (await service.tables.live(game)).version
    answers = await asyncio.gather(
        *[service.play.submit_command(caller, command, expected=[before]) for command in commands for _ in range(3)],
        return_exceptions=True,
    )
    done = [one for one in answers if isinstance(one, Done)]
    assert len(done) == 1
    assert all(isinstance(one, ProblemError) and one.code == "stale-version" for one in answers if one is not done[0])
    await service.close()


async def test_a_fault_of_the_engine_changes_nothing_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = await service_on()
    game = await open_game(service)
    before = encode((await service.tables.live(game)).state)

    def half_done(*given: object) -> list[Told]:
        decide(*given)  # type: ignore[arg-type]  # the same arguments
        raise ZeroDivisionError

    caller, commands = await listed(service, game)
    monkeypatch.setattr("service.games.play.submit.decide", half_done)
    with pytest.raises(ProblemError) as failed:
        await service.play.submit_command(caller, commands[0])
    monkeypatch.undo()
    assert failed.value.code == "internal"
    assert "ZeroDivisionError" in caplog.text
    assert encode((await service.tables.live(game)).state) == before
    await service.play.submit_command(caller, commands[0])
    await service.close()


async def test_a_store_that_fails_changes_nothing_and_the_retry_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    service = await service_on()
    game = await open_game(service)
    caller, commands = await listed(service, game)
    stored = service.store.append

    async def unavailable(*_: object, **__: object) -> None:
        raise StoreUnavailable("gone")

    async def lost(*given: object, **named: object) -> None:
        await stored(*given, **named)  # type: ignore[arg-type]  # the same arguments
        raise StoreUnavailable("gone after it had stored")

    for failing, versions in ((unavailable, 0), (lost, 1)):
        before = (await service.tables.live(game)).version
        monkeypatch.setattr(service.store, "append", failing)
        with pytest.raises(StoreUnavailable):
            await service.play.submit_command(caller, commands[0], key="once")
        monkeypatch.undo()
        assert (await service.tables.live(game)).version == before + versions
    done = await service.play.submit_command(caller, commands[0], key="once")
    assert (done.number, done.replayed) == (6, True)
    await service.close()


async def test_a_caller_who_goes_away_leaves_the_game_as_the_log_has_it(tmp_path: Path) -> None:
    service = await service_on(f"sqlite:///{tmp_path}/log.db")
    game = await open_game(service)
    for number in range(8):
        caller, commands = await listed(service, game)
        task = asyncio.create_task(service.play.submit_command(caller, commands[0], key=f"k{number}"))
        for _ in range(number):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        state, _ = await folded(service.store, game)
        while state.commit != (await service.tables.live(game)).version:
            # The write of a canceled task is done in full or not at all, a moment later perhaps.
            service.tables.table(game).live = None
            state, _ = await folded(service.store, game)
        assert encode((await service.tables.live(game)).state) == encode(state)
    await service.close()


async def test_a_key_is_found_after_a_restart_even_if_the_command_would_be_legal_again(tmp_path: Path) -> None:
    """To and fro: the first step is possible again, yet it must not be done twice."""
    path = f"sqlite:///{tmp_path}/log.db"
    service = await service_on(path)
    game = await open_game(service)
    caller = await awaited(service, game)
    there, back = Move(decision="turn-1", to="foyer"), Move(decision="turn-1", to="entrance-hall")
    first = await service.play.submit_command(caller, there, key="there")
    await service.play.submit_command(caller, back, key="back")
    await service.close()
    service = await service_on(path, salt="again")
    again = await service.play.submit_command(caller, there, key="there")
    assert (again.number, again.replayed, again.parts) == (first.number, True, first.parts)
    assert (await service.tables.live(game)).version == first.number + 1
    with pytest.raises(ProblemError) as reused:
        await service.play.submit_command(caller, back, key="there")
    assert reused.value.code == "key-reused"
    third = await service.play.submit_command(caller, there, key="third")
    assert (third.number, third.replayed) == (first.number + 2, False)
    await service.close()


async def test_games_beyond_the_limit_are_forgotten_and_come_back() -> None:
    service = await service_on(games_in_memory=3)
    games = [await open_game(service) for _ in range(6)]
    assert sum(1 for game in games if game in service.tables._tables) <= 3  # noqa: SLF001 -- what is held can be seen nowhere else
    for game in games:
        await step(service, game)
    await service.close()


async def test_a_game_that_comes_back_shows_each_role_what_it_would_have_seen() -> None:
    service = await service_on(games_in_memory=1)
    games = [await open_game(service) for _ in range(2)]
    for steps in (80, 7, 0, 130):
        for game in games:  # each time another one is forgotten
            await play(service, game, steps)
            await service.reading.seen(referee(game))
            await service.reading.seen(seat(game, steps % 3))
    fresh = Tables(service.store, service.library, most=2, snapshot_every=1_000)
    for game in games:
        for caller in (referee(game), *(seat(game, number) for number in range(3))):
            seen = await service.reading.seen(caller)
            live = await fresh.live(game)
            assert encode(seen.state) == encode(await fresh.fold_for(game, live, caller.principal, seen.version))
    await service.close()


async def test_a_role_that_looks_late_reads_the_log_and_one_that_looks_back_too() -> None:
    service = await service_on()
    game = await open_game(service)
    await play(service, game, 200)
    early = encode((await service.reading.seen(referee(game), at=7)).state)
    late = await service.reading.seen(referee(game))
    assert late.state.commit == late.version == 205
    again = await service.reading.seen(referee(game), at=7)
    assert again.state.commit == 7
    assert encode(again.state) == early
    await service.close()
