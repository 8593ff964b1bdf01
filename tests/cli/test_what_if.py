"""`omenlog odds` and `omenlog fork`: what is typed, and what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from service.bots.client import Api
from service.games.lobby.answers import GameOpenedAnswer
from tests.cli.invoking import omenlog
from tests.support.forked import ForkedService


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with ForkedService(tmp_path_factory.mktemp("what-if")) as service, Api(service.url) as client:
        yield client


@pytest.fixture(scope="module")
def game(api: Api) -> GameOpenedAnswer:
    wish = {"edition": "second", "seats": [{"character": "zoe-ingstrom"}, {}, {}], "hotseat": True}
    made = msgspec.json.decode(api.post("/v1/games", body=wish), type=GameOpenedAnswer)
    api.post(f"/v1/games/{made.game.id}/start", made.tokens.host.secret)
    return made


def test_the_odds_of_dice_are_printed_as_the_referee_s_page_shows() -> None:
    page = (Path(__file__).parents[2] / "docs" / "referee.md").read_text()
    shown = re.findall(r"```text\n\$ ./dev omenlog (odds dice .*?)\n(.*?)```", page, re.DOTALL)
    assert len(shown) == 1
    for typed, printed in shown:
        assert omenlog(*typed.split()).output == printed


def test_the_odds_of_a_roll_and_of_an_attack_in_a_game(api: Api, game: GameOpenedAnswer) -> None:
    token = ["--url", api.url, "--token", game.tokens.seats[0].secret]
    roll = omenlog("odds", "roll", game.game.id, "0", "speed", *token, "--at-least", "1")
    assert roll.output.startswith("total: 4 dice; 4.00 on average\n")
    assert roll.output.endswith("1 or more: 98.7654%  80/81\n")
    attack = omenlog("odds", "attack", game.game.id, "0", "1", *token)
    assert attack.exit_code == 0
    assert attack.output.startswith("attack  3 dice; 3.00 on average\ndefense ")
    assert "the attacker wins" in attack.output


def test_a_sandbox_is_made_and_its_tokens_work(api: Api, game: GameOpenedAnswer, tmp_path: Path) -> None:
    tape = tmp_path / "tape.json"
    tape.write_text('[{"faces": [2, 2]}]')
    made = omenlog("fork", game.game.id, "--url", api.url, "--token", game.tokens.seats[0].secret, "--tape", str(tape))
    assert made.exit_code == 0, made.output
    first, *tokens = made.output.splitlines()
    fork = re.fullmatch(rf"sandbox (\w+) of game {game.game.id} at commit 5, with a world that .*; until \S+", first)
    assert fork is not None
    assert [line.split()[0] for line in tokens] == ["host", "seat-0", "seat-1", "seat-2", "spectator-1"]
    assert b'"sandbox":{"of"' in api.get(f"/v1/games/{fork[1]}/view", tokens[1].split()[1])


@pytest.mark.parametrize(
    "typed, told",
    [
        (("odds", "dice", "25"), "25 is not in the range"),
        (("odds", "roll", "GAME", "0", "luck", "--token", "t"), "'luck' is not one of"),
        (("fork", "GAME", "--token", "t", "--tape", __file__), "--tape"),
    ],
)
def test_bad_input_is_told_and_ends_with_2(typed: tuple[str, ...], told: str) -> None:
    result = omenlog(*typed)
    assert result.exit_code == 2
    assert told in result.output


def test_a_refusal_of_the_service_is_told_in_a_line(api: Api, game: GameOpenedAnswer) -> None:
    token = ["--url", api.url, "--token", game.tokens.seats[0].secret]
    result = omenlog("odds", "attack", game.game.id, "0", "rat-1", *token)
    assert result.exit_code != 0
    assert "422 unfit-odds: There is no rat-1 in this game now." in result.output
