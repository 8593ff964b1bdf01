"""What is said at the desk counts for nothing: for no delay, for no take-back, and whoever is refused there costs nobody the reading of a log."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from domain.facts.commands import AnswerChance, Choose, EndTurn, FlipCoin, Move, ProposeRuling, TakeBack
from domain.facts.events import DisputeClosed
from domain.facts.refusal import Refused
from domain.rulebook.desk.disputing import MOST_RULINGS
from projections.trace.shapes import TraceStep
from service.bootstrap import Service
from service.games.desk.disputes import AskDispute, AskEvidence, AskRuling
from service.games.horizon import Horizon
from service.games.play.submit import Done
from service.games.read.reading import decisions
from service.identity import Caller
from service.log.exported import latest, read_export
from service.log.requests import ModeratorChance, Options, Randomness, SeatWish, SeededChance, Setup, TableChance
from service.outside import Machine
from service.problems import ProblemError
from tests.support.running import open_game, play, referee, seat, service_on, spectator

CHARACTERS = ("ox-bellows", "zoe-ingstrom", "jenny-leclerc")
ASKED = AskDispute(first=1, last=1, claim="Why?")
STARTED = 5
"""The commit that starts such a game."""
DELAY = 3


async def begun(service: Service, *, randomness: Randomness | None = None, **options: object) -> str:
    """A game in which seat 0 begins, in the entrance hall."""
    return await open_game(
        service,
        randomness=randomness or SeededChance(),
        seats=[SeatWish(character=name) for name in CHARACTERS],
        setup=Setup(first_seat=0),
        options=Options(listed=True, **options),  # type: ignore[arg-type]  # as given
    )


async def version(service: Service, game: str) -> int:
    return (await service.tables.live(game)).version


async def step(service: Service, game: str, room: str) -> None:
    await service.play.submit_command(seat(game, 0), Move(decision="turn-1", to=room))


async def argue(service: Service, game: str, pieces: int) -> None:
    """Seat 1 disputes, and gives evidence for the referee alone."""
    await service.disputing.open(seat(game, 1), ASKED, "")
    number = len((await service.disputing.list(referee(game)))[0].disputes)
    for _ in range(pieces):
        await service.disputing.give(seat(game, 1), number, AskEvidence(commits=[1]), "")
    await service.disputing.withdraw(seat(game, 1), number, "")


async def take_back(service: Service, game: str, to: int) -> None:
    await service.play.submit_command(seat(game, 0), TakeBack(decision="take-back", to=to))


# -- the spectators' delay --------------------------------------------------------------------------------------------------------------


async def shown(service: Service, game: str) -> int:
    """How far spectators see; everything that they are answered agrees."""
    caller = spectator(game)
    found = {
        await service.reading.version(caller),
        (await service.reading.seen(caller)).version,
        (await service.reading.page(caller, 0, 500)).version,
        (await service.reading.game(game)).version,
        next(one.version for one in (await service.reading.games(limit=10)).games if one.id == game),
    }
    (number,) = found
    return number


@pytest.mark.parametrize("restarts", [False, True])
async def test_nobody_shortens_the_delay_by_talking(tmp_path: Path, *, restarts: bool) -> None:
    store = f"sqlite:///{tmp_path}/log.db"
    service = await service_on(store, snapshot_every=7)
    game = await begun(service, spectator_delay=DELAY)
    for room in ("foyer", "grand-staircase", "foyer", "entrance-hall"):
        await step(service, game, room)
    assert await shown(service, game) == STARTED + 1

    await argue(service, game, 20)
    if restarts:
        await service.close()
        service = await service_on(store, salt="again", snapshot_every=7)
    assert await shown(service, game) == STARTED + 1

    await service.play.submit_command(seat(game, 0), EndTurn(decision="turn-1"))
    assert await shown(service, game) == STARTED + 2
    await service.close()


async def test_nor_by_playing_and_taking_back() -> None:
    service = await service_on()
    game = await begun(service, spectator_delay=DELAY)
    for room in ("foyer", "grand-staircase", "foyer"):
        await step(service, game, room)
    assert await shown(service, game) == STARTED
    for _ in range(5):
        before = await version(service, game)
        await step(service, game, "grand-staircase")
        assert await shown(service, game) <= STARTED + 1
        await take_back(service, game, before)
    assert await shown(service, game) == STARTED + 1
    await service.close()


async def test_nor_by_coins_nor_by_handing_a_seat_over() -> None:
    service = await service_on()
    game = await begun(service, spectator_delay=DELAY)
    await step(service, game, "foyer")
    for _ in range(6):
        await service.play.submit_command(seat(game, 2), FlipCoin(decision="table", options=["left", "right"]))
        await service.life.replace(Caller(game, "host", "host"), 2, "", b"")
    assert await shown(service, game) == STARTED
    await service.close()


async def asked_of_dice(service: Service, **chance: Randomness) -> str:
    """A game that waits for what the dice or cards show, from its start on."""
    game = await begun(service, **chance, spectator_delay=DELAY)
    assert (await service.tables.live(game)).state.frames
    return game


async def test_nor_by_proposing_rulings_while_something_is_half_done() -> None:
    service = await service_on()
    game = await asked_of_dice(service, randomness=ModeratorChance())
    before = await shown(service, game)
    for number in range(1, 7):
        await service.play.submit_command(seat(game, 2), ProposeRuling(decision="table", text="So be it."))
        await service.play.submit_command(seat(game, 1), Choose(decision=f"ruling-{number}", option="refuse"))
    assert await shown(service, game) == before
    await service.close()


async def test_nor_by_telling_and_denying_what_is_drawn() -> None:
    service = await service_on()
    game = await asked_of_dice(service, randomness=TableChance())
    (asked,) = (await service.tables.live(game)).state.open.values()
    before = await shown(service, game)
    for _ in range(6):
        await service.play.submit_command(seat(game, 0), AnswerChance(decision=asked.id, pick=asked.options[0]))
        await service.play.submit_command(seat(game, 1), Choose(decision=f"w{asked.id[1:]}", option="no"))
    assert await shown(service, game) == before
    await service.close()


async def test_a_rewind_takes_nothing_from_spectators_and_shows_when_enough_was_played_behind_it() -> None:
    service = await service_on()
    game = await begun(service, spectator_delay=DELAY)
    before = await version(service, game)
    for room in ("foyer", "grand-staircase", "foyer", "entrance-hall"):
        await step(service, game, room)
    seen = await shown(service, game)
    await service.disputing.open(seat(game, 1), ASKED, "")
    await service.disputing.rule(referee(game), 1, AskRuling(outcome="rewind", to=before, reasons="So."), "")
    rewound = await version(service, game)

    course = [await shown(service, game)]
    for room in ("foyer", "grand-staircase", "foyer"):
        await step(service, game, room)
        course.append(await shown(service, game))

    assert course == [seen, seen, seen, rewound]
    await service.close()


async def test_what_another_process_has_played_is_shown_by_nobody_who_does_not_know_it_yet(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/log.db"
    service = await service_on(store, snapshot_every=7)
    game = await begun(service, spectator_delay=1)
    await play(service, game, 6)
    await service.close()
    service, other = [await service_on(store, salt=salt, snapshot_every=7) for salt in ("again", "other")]
    known = await other.tables.live(game)
    assert known.tail[0].number > 1, "it was loaded from a snapshot"
    await play(service, game, 4)

    assert await Horizon(other.tables, Machine()).head(known, spectator(game)) == known.version - 1

    await other.tables.fresh(game)
    assert await shown(other, game) == await shown(service, game)
    await service.close()
    await other.close()


# -- take-backs -------------------------------------------------------------------------------------------------------------------------


async def offered(service: Service, game: str, at: int | None = None) -> int | None:
    found = decisions(await service.reading.seen(seat(game, 0), at=at)).take_back
    return None if found is None else found.command.to


@pytest.mark.parametrize("snapshot_every", [1, 1000])
async def test_what_can_be_taken_back_is_known_after_any_argument_and_a_restart(
    tmp_path: Path, snapshot_every: int
) -> None:
    store = f"sqlite:///{tmp_path}/log.db"
    service = await service_on(store, snapshot_every=snapshot_every)
    game = await begun(service)
    before = await version(service, game)
    await step(service, game, "foyer")
    for _ in range(8):
        await argue(service, game, 16)
    assert await offered(service, game) == before
    await service.close()

    service = await service_on(store, salt="again", snapshot_every=snapshot_every)
    assert await offered(service, game) == before
    assert await offered(service, game, at=await version(service, game) - 1) == before
    assert await offered(service, game, at=before) is None
    await service.life.close(Caller(game, "host", "host"), "", b"")
    export = read_export((await service.exporting.whole(game)).splitlines())
    last = latest(export, 1, len(export.lines) - 1)
    assert [one.number for one in last][-1] == before + 1
    await service.close()


# -- refused before anything is read ----------------------------------------------------------------------------------------------------

Attempt = Callable[[Service, str], Awaitable[object]]


def ruling(to: int) -> AskRuling:
    return AskRuling(outcome="rewind", to=to, reasons="So.")


async def too_far_back(service: Service, game: str) -> object:
    return await service.disputing.rule(referee(game), 1, ruling(1), "")


async def to_a_commit_that_is_none(service: Service, game: str) -> object:
    return await service.disputing.rule(referee(game), 1, ruling(900_000), "")


async def on_a_closed_dispute(service: Service, game: str) -> object:
    return await service.disputing.rule(referee(game), 2, ruling(6), "")


async def while_another_ruling_waits(service: Service, game: str) -> object:
    return await service.disputing.rule(seat(game, 2), 3, ruling(6), "")


async def a_consent_that_is_not_the_last(service: Service, game: str) -> object:
    return await service.play.submit_command(seat(game, 1), Choose(decision="dispute-3-1", option="agree"))


async def a_consent_of_who_is_not_asked(service: Service, game: str) -> object:
    return await service.play.submit_command(referee(game), Choose(decision="dispute-3-1", option="agree"))


async def what_others_did(service: Service, game: str) -> object:
    return await service.play.submit_command(seat(game, 2), TakeBack(decision="take-back", to=6))


async def a_take_back_by_another_name(service: Service, game: str) -> object:
    return await service.play.submit_command(seat(game, 0), TakeBack(decision="turn-1", to=6))


async def a_dry_run_of_what_others_did(service: Service, game: str) -> object:
    return await service.what_if.dry_run(seat(game, 2), TakeBack(decision="take-back", to=6))


async def a_dry_run_of_no_last_consent(service: Service, game: str) -> object:
    return await service.what_if.dry_run(seat(game, 1), Choose(decision="dispute-3-1", option="agree"))


@pytest.mark.parametrize(
    "attempt",
    [
        too_far_back,
        to_a_commit_that_is_none,
        on_a_closed_dispute,
        while_another_ruling_waits,
        a_consent_that_is_not_the_last,
        a_consent_of_who_is_not_asked,
        what_others_did,
        a_take_back_by_another_name,
        a_dry_run_of_what_others_did,
        a_dry_run_of_no_last_consent,
    ],
)
async def test_what_comes_to_nothing_is_answered_without_the_log(
    attempt: Attempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await service_on()
    game = await begun(service)
    await step(service, game, "foyer")
    await service.disputing.open(seat(game, 2), ASKED, "")
    await service.disputing.open(seat(game, 1), ASKED, "")
    await service.disputing.withdraw(seat(game, 1), 2, "")
    table = AskDispute(first=1, last=1, claim="Why?", addressed="table")
    await service.disputing.open(seat(game, 1), table, "")
    await service.disputing.rule(seat(game, 0), 3, ruling(STARTED), "")

    async def nobody(*_: object) -> None:
        pytest.fail("the whole log was read")

    monkeypatch.setattr("service.games.play.submit.past_of", nobody)
    monkeypatch.setattr("service.games.read.what_if.past_of", nobody)
    try:
        found = await attempt(service, game)
    except Refused as refusal:
        found = refusal.problem

    assert isinstance(found, Done) == (attempt is a_consent_that_is_not_the_last), found
    await service.close()


# -- refusals are kept --------------------------------------------------------------------------------------------------------------------


async def traced(service: Service, caller: Caller, as_: int | None = None) -> list[TraceStep]:
    span = await service.tracing.span(caller, None, None, as_)
    return (await service.tracing.page(span, 0, 500)).steps


async def test_what_is_refused_at_the_desk_is_kept_like_what_is_refused_in_play() -> None:
    service = await service_on(refusals_per_seat=2)
    game = await begun(service)
    await service.disputing.open(seat(game, 1), ASKED, "")
    for last in (50, 60, 70):
        with pytest.raises(Refused):
            await service.disputing.open(seat(game, 2), AskDispute(first=1, last=last, claim="A secret."), "")
    with pytest.raises(Refused):
        await service.disputing.rule(referee(game), 1, ruling(1), "")

    tried = [one for step in await traced(service, referee(game)) for one in step.refused]
    assert [(one.by, one.did, one.problem) for one in tried] == [
        ("seat:2", "Dispute commits 1 to 60", "unfit-span"),
        ("seat:2", "Dispute commits 1 to 70", "unfit-span"),
        ("referee", "Rule on dispute 1, play goes back to commit 1: So.", "unfit-span"),
    ]
    assert "A secret." not in str(tried)
    own = [one.did for step in await traced(service, seat(game, 2)) for one in step.refused]
    assert own == ["Dispute commits 1 to 60", "Dispute commits 1 to 70"]
    for caller in (seat(game, 1), spectator(game)):
        assert not [one for step in await traced(service, caller) for one in step.refused]
    await service.close()


async def test_what_is_refused_for_its_form_or_its_role_is_not_kept() -> None:
    service = await service_on()
    game = await begun(service)
    await service.disputing.open(seat(game, 1), ASKED, "")
    for caller in (seat(game, 2), seat(game, 1)):
        with pytest.raises(ProblemError):
            await service.disputing.rule(caller, 1, ruling(STARTED), "")
    assert not [one for step in await traced(service, referee(game)) for one in step.refused]
    await service.close()


# -- traces -------------------------------------------------------------------------------------------------------------------------------


async def test_a_trace_names_the_card_that_an_amendment_made_somebody_draw() -> None:
    service = await service_on()
    game = await begun(service)
    await service.disputing.open(seat(game, 0), ASKED, "")
    steps: list[dict[str, object]] = [{"draw": {"deck": "omen"}}]
    amended = AskRuling(outcome="amend", reasons="It was owed.", do=steps)
    await service.disputing.rule(referee(game), 1, amended, "")

    last = (await traced(service, referee(game)))[-1]

    assert last.did == "Rule on dispute 1, it is corrected: It was owed."
    assert [one.box.partition("/")[0] for one in last.spoke] == ["card"]
    assert any(one.type == DisputeClosed.__struct_config__.tag for one in last.happened)
    await play(service, game, 3)
    assert await traced(service, referee(game))
    await service.close()


async def test_proposals_to_go_back_take_no_boxes_from_what_is_traced_behind_them() -> None:
    """They want a past, which no trace reads; so they are not taken for an older revision's, of which a trace gives up the boxes."""
    service = await service_on()
    game = await begun(service)
    await step(service, game, "foyer")
    await service.disputing.open(seat(game, 1), AskDispute(first=1, last=1, claim="Why?", addressed="table"), "")
    for number in range(1, MOST_RULINGS):
        await service.disputing.rule(seat(game, 0), 1, ruling(STARTED), "")
        withdraw = Choose(decision=f"dispute-1-{number}", option="withdraw")
        await service.play.submit_command(seat(game, 0), withdraw)
    await service.disputing.open(seat(game, 0), ASKED, "")
    owed = AskRuling(outcome="amend", reasons="It was owed.", do=[{"draw": {"deck": "omen"}}])
    await service.disputing.rule(referee(game), 2, owed, "")

    last = (await traced(service, referee(game)))[-1]

    assert [one.box.partition("/")[0] for one in last.spoke] == ["card"]
    await service.close()
