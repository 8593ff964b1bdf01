"""Bots over HTTP, against the real service in a process of its own: to the end of the game, whatever gets in the way."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import msgspec
import pytest

from domain.facts.commands import AnyCommand, Move
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import AcceptedCommand, Api, ApiError, Ended, Player, Runner
from service.cli.play.demo import ServiceProcess
from service.games.lobby.answers import GameOpenedAnswer
from tests.support import forked

TURNS = 8


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service."""
    with forked.serving(tmp_path_factory.mktemp("service"), store="memory:") as (address, _):
        yield address


@pytest.fixture
def api(service: str) -> Iterator[Api]:
    with Api(service) as client:
        yield client


def opened(api: Api, turns: int = TURNS) -> GameOpenedAnswer:
    """A game of three seats that ends after so many turns."""
    wish = {"edition": "second", "seats": [{}, {}, {}], "hotseat": True, "options": {"turn_limit": turns}}
    game = msgspec.json.decode(api.post("/v1/games", body=wish), type=GameOpenedAnswer)
    api.post(f"/v1/games/{game.game.id}/start", game.tokens.host.secret)
    return game


def players(game: GameOpenedAnswer, *seats: int, brain: str = "steady") -> list[Player]:
    return [Player(seat, game.tokens.seats[seat].secret, BRAINS[brain], Memory(seed=f"seat-{seat}")) for seat in seats]


def commits(api: Api, game: GameOpenedAnswer) -> list[dict[str, object]]:
    """What the referee saw happen after the start."""
    assert game.tokens.referee is not None
    page = api.get(f"/v1/games/{game.game.id}/events", game.tokens.referee.secret, after=5, limit=1000)
    events: list[dict[str, object]] = [one["data"] for one in msgspec.json.decode(page)["events"]]
    return events


@pytest.mark.parametrize("brain", ["steady", "random"])
def test_bots_play_all_seats_to_the_end(api: Api, brain: str) -> None:
    game = opened(api)
    steps: list[AcceptedCommand] = []

    ended = Runner(api, game.game.id, players(game, 0, 1, 2, brain=brain), watch=steps.append).play()

    assert (ended.status, ended.winner) == ("finished", "")
    assert ended.because == f"The turn limit of {TURNS} is reached."
    assert len(steps) == len(commits(api, game))
    assert {step.seat for step in steps} == {0, 1, 2}
    assert all(step.label for step in steps)


def test_a_bot_is_given_its_hints_at_every_look(api: Api) -> None:
    game = opened(api, turns=3)
    given: list[object] = []

    def curious(view: GameView, decisions: Decisions, memory: Memory) -> AnyCommand | None:
        given.append(decisions.hints)
        return BRAINS["steady"](view, decisions, memory)

    seats = [Player(seat, token.secret, curious, Memory()) for seat, token in enumerate(game.tokens.seats)]
    Runner(api, game.game.id, seats).play()

    assert len(given) > 3
    assert all(hints == [] for hints in given), "asked for, and none before a haunt"


def test_two_who_drive_different_seats_wait_for_each_other(service: str, api: Api) -> None:
    game = opened(api)
    ends: list[Ended] = []

    def drive(*seats: int) -> None:
        with Api(service) as own:
            ends.append(Runner(own, game.game.id, players(game, *seats), poll=0.05).play())

    threads = [threading.Thread(target=drive, args=seats) for seats in ((0, 1), (2,))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert [ended.status for ended in ends] == ["finished", "finished"]


class Flaky(httpx.BaseTransport):
    """The network on a bad day: every fourth request meets a fault, and some of these have been done all the same."""

    def __init__(self) -> None:
        self._wire = httpx.HTTPTransport()
        self._requests = 0
        self.faults = 0

    def close(self) -> None:
        self._wire.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self._requests += 1
        if self._requests % 4:
            return self._wire.handle_request(request)
        self.faults += 1
        kind = self.faults % 4
        if kind == 0:
            raise httpx.ConnectError("nobody is there", request=request)
        if kind == 1:
            return httpx.Response(429, headers={"Retry-After": "0"}, json={"code": "too-many-requests"})
        if kind == 2:
            return httpx.Response(503, text="not JSON")
        self._wire.handle_request(request).read()
        raise httpx.ReadError("the answer was lost", request=request)


def test_faults_of_the_network_neither_stop_a_game_nor_do_anything_twice(service: str, api: Api) -> None:
    flaky = Flaky()
    steps: list[AcceptedCommand] = []
    with Api(service, transport=flaky) as unlucky:
        game = opened(unlucky)
        ended = Runner(unlucky, game.game.id, players(game, 0, 1, 2), watch=steps.append).play()

    assert ended.status == "finished"
    assert flaky.faults > 20
    done = [commit["command"] for commit in commits(api, game)]
    assert done == [msgspec.to_builtins(step.command) for step in steps]


def test_a_game_goes_on_after_the_service_was_killed_and_started_again(tmp_path: Path) -> None:
    steps: list[AcceptedCommand] = []
    with ExitStack() as stack:
        first = stack.enter_context(ServiceProcess(tmp_path, packs="second-edition"))
        api = stack.enter_context(Api(first.url))
        game = opened(api)

        def crash(step: AcceptedCommand) -> None:
            steps.append(step)
            if len(steps) == 5:
                first.kill()
                port = httpx.URL(first.url).port or 0
                stack.enter_context(ServiceProcess(tmp_path, port, packs="second-edition"))

        ended = Runner(api, game.game.id, players(game, 0, 1, 2), watch=crash).play()
        done = [commit["command"] for commit in commits(api, game)]

    assert ended.status == "finished"
    assert done == [msgspec.to_builtins(step.command) for step in steps]


def test_a_token_that_does_not_hold_is_told_at_once(api: Api) -> None:
    game = opened(api)
    stranger = Player(0, "omen_" + "x" * 43, BRAINS["steady"], Memory())

    with pytest.raises(ApiError, match="401 unauthorized"):
        Runner(api, game.game.id, [stranger]).play()


def test_a_bot_that_asks_for_nonsense_is_stopped(api: Api) -> None:
    game = opened(api)
    asked: list[int] = []

    def stubborn(view: GameView, _decisions: Decisions, memory: Memory) -> AnyCommand:
        asked.append(len(memory.barred(view)))
        return Move(decision="turn-1", to="attic")

    seats = [Player(seat, token.secret, stubborn, Memory()) for seat, token in enumerate(game.tokens.seats)]
    with pytest.raises(ApiError, match="409"):
        Runner(api, game.game.id, seats).play()
    assert asked == list(range(len(asked)))
    assert 1 < len(asked) < 20


def test_a_service_that_is_not_there_is_given_up_when_patience_ends() -> None:
    with Api("http://127.0.0.1:9", patience=0.2) as api, pytest.raises(httpx.ConnectError):
        api.get("/health/live")
