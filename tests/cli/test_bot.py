"""`omenlog bot`: a built-in bot in a seat of a running game."""

import threading
from pathlib import Path

import msgspec

from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api, Player, Runner
from service.games.lobby.answers import GameOpenedAnswer
from tests.cli.invoking import omenlog
from tests.support.forked import ForkedService


def test_it_plays_its_seat_while_others_play_theirs(tmp_path: Path) -> None:
    wish = {"edition": "second", "seats": [{}, {}, {}], "hotseat": True, "options": {"turn_limit": 4}}
    with ForkedService(tmp_path) as service, Api(service.url) as api:
        game = msgspec.json.decode(api.post("/v1/games", body=wish), type=GameOpenedAnswer)
        api.post(f"/v1/games/{game.game.id}/start", game.tokens.host.secret)
        tokens = [token.secret for token in game.tokens.seats]
        others = [Player(seat, tokens[seat], BRAINS["random"], Memory()) for seat in (0, 2)]
        thread = threading.Thread(target=Runner(api, game.game.id, others, poll=0.01).play)
        thread.start()
        result = omenlog("bot", game.game.id, "--seat", "1", "--token", tokens[1], "--url", service.url)
        thread.join(20)

    assert result.exit_code == 0, result.output
    assert result.output.endswith("finished: nobody won. The turn limit of 4 is reached.\n")


def test_it_says_that_nobody_answers() -> None:
    nowhere = "http://127.0.0.1:9"
    result = omenlog("bot", "no-game", "--seat", "0", "--token", "omen_x", "--url", nowhere, "--patience", "0")

    assert result.exit_code == 1
    assert "does not answer" in result.output
