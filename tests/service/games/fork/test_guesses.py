"""What is guessed for a sampled world: all that could be, each alike; also where play went back, or was decided by older rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from domain.engine.rules import REVISION
from domain.facts.audience import EVERYBODY, SPECTATORS, Mask, seat_bit
from domain.facts.chance import Answer, Request, Seeded
from domain.facts.commands import Choose, ProposeRuling, Reveal
from domain.facts.desk_commands import GiveEvidence, OpenDispute, RuleDispute
from domain.facts.events import RuleApplied, SecretChosen, Told
from domain.rulebook.turn.options import legal
from service.bootstrap import Service
from service.bots.playtest import local_game, play_out
from service.games.fork.worlds import sampled_world
from service.identity import Caller
from service.log.requests import ForkGame
from service.problems import ProblemError
from tests.laws.forking import Soon, rewind
from tests.laws.going_back import act
from tests.laws.playout import Game, awaited, open_table, pick
from tests.support.keeping import keep
from tests.support.packs import rules
from tests.support.running import HOST, referee, seat, service_on, spectator

GUEST = "the-hollow-guest"


class Dealing:
    """Chance that deals the token of the hidden traitor as it is told to."""

    def __init__(self, *traitors: int) -> None:
        self._traitors = list(traitors)
        self._rest = Soon(Seeded(b"dealing", "game"))

    def ask(self, request: Request) -> Answer | None:
        if request.what == "roles":
            return Answer(pick=f"seat:{self._traitors.pop(0)}")
        return self._rest.ask(request)


def table(*traitors: int, seats: int = 4) -> Game:
    return open_table(rules("second-edition"), 1, seats=seats, haunt=GUEST, chance=Dealing(*traitors))


def play(game: Game, *, turns: int = 0) -> int:
    """Nobody shows itself, until the haunt has begun and so many turns of it are over; returns the commit."""
    lot, last = random.Random(7), 0
    while True:
        state = game.state
        if state.haunt is not None and state.haunt.started and not state.open and state.turn.number != last:
            if not turns:
                return state.commit
            turns, last = turns - 1, state.turn.number
        actor = awaited(state)
        shy = [one for one in legal(game.rules, state, actor) if not isinstance(one, Reveal)]
        game.do(actor, pick(lot, [one for one in shy if getattr(one, "option", "") != "reveal"]))


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    opened = await service_on()
    yield opened
    await opened.close()


async def traitors(service: Service, game: Game, principal: Mask, samples: int = 12) -> Counter[int]:
    """Who is the traitor in worlds of a role at the end of a log."""
    live = await service.tables.live(game.name)
    found: Counter[int] = Counter()
    for number in range(samples):
        chance = Seeded(b"world %d" % number, "world")
        world = await sampled_world(service.tables, game.name, live, live.version, principal, chance)
        found.update(one.seat for one in world.engine.explorers if one.side == "traitor")
    return found


async def test_who_was_dealt_the_token_before_play_went_back_is_no_guess_for_the_next_deal(service: Service) -> None:
    """The first traitor has shown itself; then the haunt is taken back, and the token is dealt to somebody else."""
    game = table(1, 2)
    play(game)
    game.do(1, Reveal(decision="reveal"))
    rewind(game, 0, 0)
    play(game)
    await keep(service, game)
    assert set(await traitors(service, game, seat_bit(0))) == {1, 2, 3}
    assert set(await traitors(service, game, seat_bit(1))) == {0, 2, 3}, "whoever was the traitor once is none now"
    assert set(await traitors(service, game, SPECTATORS, 24)) == {0, 1, 2, 3}
    assert set(await traitors(service, game, seat_bit(2))) == {2}


async def test_what_was_shown_in_a_span_that_was_taken_back_is_not_known_any_more(service: Service) -> None:
    """The same deal: a world agrees with the role's view as it is now, in which nobody has shown itself."""
    game = table(1)
    before = play(game)
    game.do(1, Reveal(decision="reveal"))
    rewind(game, 0, before)
    await keep(service, game)
    assert set(await traitors(service, game, seat_bit(0))) == {1, 2, 3}


async def test_what_is_said_and_proposed_since_rules_nobody_out(service: Service) -> None:
    """Who proposes that play goes back is handed the past for it, which no guess has."""
    game = table(1)
    before = play(game)
    claim = "ab" * 32
    act(game, 2, OpenDispute(first=before, last=before, claim=claim, table=True))
    act(game, 3, GiveEvidence(number=1, commits=[before], note=claim))
    act(game, 0, RuleDispute(number=1, outcome="rewind", to=before - 1, text="So be it."))
    act(game, 3, Choose(decision="dispute-1-1", option="agree"))
    act(game, 1, ProposeRuling(decision="table", text="Nobody whispers."))
    await keep(service, game)
    assert set(await traitors(service, game, seat_bit(0))) == {1, 2, 3}


async def test_the_true_traitor_is_a_guess_like_any_other(service: Service) -> None:
    for number, truth in enumerate((1, 3)):
        game = table(truth)
        game.name += f"-{number}"
        play(game)
        await keep(service, game)
        found = await traitors(service, game, seat_bit(0), 120)
        assert found.keys() == {1, 2, 3}
        assert all(20 <= count <= 60 for count in found.values()), f"40 each, but {found}"


@pytest.mark.parametrize("over", ["won", "closed"])
async def test_a_game_that_is_over_is_not_forked_whatever_it_hides(service: Service, over: str) -> None:
    """Nor is it a mistake of the service that no world agrees with it; before its end it is forked as ever."""
    game = table(1)
    before = play(game)
    if over == "won":
        lot = random.Random(5)
        while game.state.status == "started":
            game.do(awaited(game.state), pick(lot, legal(game.rules, game.state, awaited(game.state))))
    await keep(service, game)
    if over == "closed":
        await service.life.close(Caller(game.name, HOST, "host"), "", b"")
    for caller in (seat(game.name, 0), spectator(game.name), referee(game.name)):
        for at, code in ((None, "game-over"), (1, "not-started")):
            with pytest.raises(ProblemError) as refused:
                await service.fork_maker.fork(caller, ForkGame(at=at), "", b"")
            assert refused.value.code == code
        await service.fork_maker.fork(caller, ForkGame(at=before), "", b"")


# -- older rules --------------------------------------------------------------------------------------------------------------------


def decided_otherwise(game: Game, number: int) -> None:
    """A commit has an event more than today's rules decide, for everybody to see."""
    game.commits[number - 1].append(Told(EVERYBODY, RuleApplied(rule="2E-MOVE-001", source="house")))


async def test_what_older_rules_decided_otherwise_rules_nobody_out(service: Service) -> None:
    game = table(1)
    decided_otherwise(game, play(game, turns=1) - 3)
    await keep(service, game, revision=REVISION - 1)
    assert set(await traitors(service, game, seat_bit(0))) == {1, 2, 3}


async def test_what_these_rules_decided_otherwise_is_a_mistake_and_said_so(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    game = table(1)
    number = play(game, turns=2) - 3
    decided_otherwise(game, number)
    await keep(service, game)
    with pytest.raises(ProblemError) as failed:
        await traitors(service, game, seat_bit(0))
    assert failed.value.code == "no-world"
    (record,) = [one for one in caplog.records if "no-world" in one.getMessage()]
    assert record.exc_info is not None
    assert f"commit {number}" in str(record.exc_info[1]), "the log says where to look"


@pytest.mark.parametrize("haunt, seats, secret", [("the-ripple", 3, "ripple"), ("the-honest-child", 4, "hiding")])
def test_a_secret_that_is_chosen_anew_is_guessed_as_it_was_chosen_last(haunt: str, seats: int, secret: str) -> None:
    """The heroes have found out where it was; the traitor, or chance, has chosen again."""
    game = local_game(rules("second-edition"), Seeded(b"tune-x0", "g"), seats, {"haunt": haunt}, "g")
    chosen, found = 0, set[str]()
    for _ in play_out(game, ["steady"] * seats, "tune-x0"):
        latest = [one.event for one in game.log[-1].told if isinstance(one.event, SecretChosen)]
        chosen += any(one.name == secret and not one.value for one in latest)
        hero = next((one.seat for one in game.state.living() if one.side == "heroes"), 0)
        known = game.known(seat_bit(hero))
        if chosen > 1 and known.haunt is not None and not known.haunt.secrets[secret] and not game.state.open:
            for number in range(8):
                world = game.sampled(hero, b"world %d" % number).state.haunt
                found.add(world.secrets[secret] if world is not None else "")
            break
    assert len(found) > 1, "any of several could be true"
