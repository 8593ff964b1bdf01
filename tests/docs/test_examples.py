"""What the pages show is what happens."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from service.bots.client import Api, ApiError
from service.games.lobby.answers import GameOpenedAnswer
from service.games.orders import LeaveOrders
from tests.cli.invoking import omenlog
from tests.docs.pages import ROOT, blocks
from tests.support.forked import ForkedService

BY_HAND = "".join(blocks("docs/clients.md", "sh", "The first game") + blocks("docs/clients.md", "sh", "Act"))
"""What is typed in the first game of a client."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with ForkedService(tmp_path_factory.mktemp("readme")) as service, Api(service.url) as client:
        yield client


def opened(api: Api, wish: object) -> GameOpenedAnswer:
    game = msgspec.json.decode(api.post("/v1/games", body=wish), type=GameOpenedAnswer)
    api.post(f"/v1/games/{game.game.id}/start", game.tokens.host.secret)
    return game


def test_the_demonstration_goes_as_it_is_shown(tmp_path: Path) -> None:
    """But for port, game and seconds: whoever changes the rules, or the bots, may change what is played there."""
    shown = re.findall(
        r"^    (.*)$",
        (ROOT / "README.md").read_text().partition("    $ ./dev demo")[2].partition("\n\n")[0],
        re.MULTILINE,
    )
    env = {"OMENLOG_COMMAND": "./dev omenlog"}
    told = omenlog("demo", "--seed", "manor", "--data", str(tmp_path), env=env)
    assert told.exit_code == 0, told.output

    def alike(line: str) -> str:
        line = line.replace(str(tmp_path), "data/demo")
        return re.sub(r"(?<=127\.0\.0\.1:)\d+|[a-z2-7]{20}|[\d.]+(?= s\))", "…", line)

    lines = [alike(line) for line in told.output.splitlines()]
    assert [alike(line) for line in shown if line != "…" and alike(line) not in lines] == []
    assert shown[-1].startswith("EXACT: ")


def test_the_game_by_hand_goes_as_it_is_shown(api: Api) -> None:
    typed = BY_HAND
    wish, explore, move = (json.loads(body) for body in re.findall(r"-d '(.*?)'", typed, re.DOTALL))
    (listed,) = blocks("docs/clients.md", "json", "The first game")
    happened, refused = blocks("docs/clients.md", "json", "Act")
    game = opened(api, wish)
    path, token = f"/v1/games/{game.game.id}", game.tokens.seats[0].secret

    shown = [json.loads(line) for line in listed.splitlines()]
    decisions = json.loads(api.get(f"{path}/decisions", token))
    assert shown == [{"version": decisions["version"]}, *decisions["yours"][0]["commands"]]

    commit = json.loads(api.post(f"{path}/commands", token, explore))["commit"]
    assert without_luck(commit["data"]["events"]) == without_luck(json.loads(line) for line in happened.splitlines())

    with pytest.raises(ApiError, match="409 illegal-command: " + json.loads(refused)["detail"]):
        api.post(f"{path}/commands", token, move)


def test_a_disputed_turn_is_told_as_it_is_shown(api: Api) -> None:
    typed = BY_HAND
    wish, explore, move = (json.loads(body) for body in re.findall(r"-d '(.*?)'", typed, re.DOTALL))
    (shown,) = blocks("docs/referee.md", "markdown", "Explain a disputed turn")
    (asked,) = re.findall(r"\$game/(\S+)\"", blocks("docs/referee.md", "sh", "Explain a disputed turn")[0])
    game = opened(api, wish)
    assert game.tokens.referee is not None
    path, token, referee = f"/v1/games/{game.game.id}", game.tokens.seats[0].secret, game.tokens.referee.secret
    api.post(f"{path}/commands", token, explore)
    with pytest.raises(ApiError):
        api.post(f"{path}/commands", token, move)

    headers = {"Authorization": f"Bearer {referee}", "Accept": "text/markdown"}
    told = httpx.get(f"{api.url}{path}/{asked}", headers=headers).text

    lines = [_without_luck(line) for line in told.splitlines()]
    assert [_without_luck(line) for line in shown.splitlines()[:-1]] == lines[: len(shown.splitlines()) - 1]


def _without_luck(line: str) -> str:
    """The game's id, times, and the back of the next tile are others in each game."""
    return re.sub(r"Game \w+|\S+T\S+Z|tile shows [a-z ,]+", "…", line)


def test_looking_back_shows_what_is_shown(api: Api) -> None:
    """The first turn of the game by hand; who plays seat 0 and what lies on the room stack are luck."""
    typed = BY_HAND
    wish, explore, _ = (json.loads(body) for body in re.findall(r"-d '(.*?)'", typed, re.DOTALL))
    (shown,) = blocks("docs/referee.md", "markdown", "Look back")
    game = opened(api, wish)
    path, token = f"/v1/games/{game.game.id}", game.tokens.seats[0].secret
    api.post(f"{path}/commands", token, explore)
    query: dict[str, int | str] = {"from": 5, "format": "markdown"}
    found = api.get(f"{path}/diff", token, **query).decode()
    view = json.loads(api.get(f"{path}/view", token))

    def lines(text: str) -> list[str]:
        return [line for line in text.splitlines() if not line.startswith(("- The room stack", "- The turn: "))]

    assert lines(found) == lines(shown.replace("Brandon Jaspers", view["explorers"][0]["title"]))


def test_the_game_by_post_takes_what_is_shown(api: Api) -> None:
    wish, throw, orders, message = (
        json.loads(body) for body in re.findall(r"^  (\{.*?)(?=^[A-Z]|\Z)", *_http("docs/by-post.md", "A game"))
    )
    game = opened(api, wish)
    path, tokens = f"/v1/games/{game.game.id}", game.tokens
    assert tokens.co_referee is not None

    assert json.loads(api.get(f"{path}/decisions", tokens.co_referee.secret))["waiting"]
    with pytest.raises(ApiError, match="409 decision-closed"):
        api.post(f"{path}/commands", tokens.co_referee.secret, throw)
    assert b"[b]Explorers[/b]" in api.get(f"{path}/post", tokens.seats[0].secret, format="bbcode")
    assert msgspec.convert(orders, LeaveOrders).steps[0].when is not None
    assert json.loads(api.post(f"{path}/messages", tokens.seats[1].secret, message))["told"] == ["seat:1", "referee"]


def test_disputes_are_ruled_as_it_is_shown(api: Api) -> None:
    (claim, evidence, *rulings), (tried, reopened) = (
        [json.loads(body) for body in re.findall(r"^ +(\{.*\})$", block, re.MULTILINE)]
        for block in blocks("docs/referee.md", "http", "Take back, dispute, rule")
    )
    game = opened(api, {"edition": "second", "seats": [{}, {}, {}], "hotseat": True})
    path, seats, referee = f"/v1/games/{game.game.id}", [one.secret for one in game.tokens.seats], game.tokens.referee
    assert referee is not None
    turn = json.loads(api.get(f"{path}/decisions", referee.secret))["waiting"][0]
    for to in ("foyer", "entrance-hall"):
        api.post(f"{path}/commands", seats[turn["seat"]], {"type": "move", "decision": turn["decision"], "to": to})
    for number, ruling in enumerate(rulings, 1):
        api.post(f"{path}/disputes", seats[1], claim)
        api.post(f"{path}/disputes/{number}/evidence", seats[1], evidence)
        if ruling["outcome"] == tried["outcome"]:
            found = json.loads(api.post(f"{path}/disputes/{number}/ruling", referee.secret, tried))
            assert (found["reapplies"], found["undoes"], len(found["diffs"])) == ([2], [], 5)
        api.post(f"{path}/disputes/{number}/ruling", referee.secret, ruling)
    shown = json.loads(api.get(f"{path}/disputes", seats[0]))["disputes"]
    assert [one["dispute"]["outcome"] for one in shown] == ["stands", "amend", "rewind"]
    assert shown[1]["dispute"]["undone_by"]["dispute"] == 3
    api.post(f"{path}/disputes/2/reopening", referee.secret, reopened)
    assert json.loads(api.get(f"{path}/disputes/2", seats[0]))["dispute"]["reopened"]["reasons"] == reopened["reasons"]
    assert [one["reasons"] for one in json.loads(api.get(f"{path}/view", seats[0]))["desk"]["precedents"]] == [
        rulings[0]["reasons"]
    ]


def test_four_disputes_are_ruled_as_it_is_shown(api: Api) -> None:
    """But for the commit that play goes back to, which is an earlier one here."""
    (typed,) = blocks("docs/referee.md", "sh", "Four disputes in a minute")
    posted = re.findall(r"^(rule|reopen) (\d) '(.*?)'", typed, re.MULTILINE)
    game = opened(api, {"edition": "second", "seats": [{}, {}, {}, {}], "hotseat": True})
    path, seats, referee = f"/v1/games/{game.game.id}", [one.secret for one in game.tokens.seats], game.tokens.referee
    assert referee is not None
    turn = json.loads(api.get(f"{path}/decisions", referee.secret))["waiting"][0]
    move = {"type": "move", "decision": turn["decision"], "to": "foyer"}
    api.post(f"{path}/commands", seats[turn["seat"]], move)
    for seat in (1, 0, 3, 2):
        api.post(f"{path}/disputes", seats[seat], {"from": 7, "to": 7, "claim": "No."})

    undone: list[list[int]] = []
    for verb, number, body in posted:
        asked = {name: 6 if name == "to" else value for name, value in json.loads(body).items()}
        found = json.loads(
            api.post(f"{path}/disputes/{number}/{'ruling' if verb == 'rule' else 'reopening'}", referee.secret, asked)
        )
        assert ("diffs" in found) == ("dry_run" in asked)
        if "dry_run" in asked:
            undone.append(found["undoes"])
            assert all(any(change["text"] for change in diff["changes"]) for diff in found["diffs"])

    assert undone == [[], [2]]
    shown = [one["dispute"] for one in json.loads(api.get(f"{path}/disputes", seats[1]))["disputes"]]
    assert [one["outcome"] for one in shown] == ["stands", "amend", "rewind", "stands"]
    assert (shown[1]["undone_by"], shown[2]["reapplied"], shown[3]["reasons"] != "") == (None, [2], True)
    assert [one["number"] for one in json.loads(api.get("/v1/precedents", referee.secret))["precedents"]] == [3]


def _http(page: str, title: str) -> tuple[str, re.RegexFlag]:
    """The requests of a section without their remarks, and how they are searched."""
    return re.sub(r" +#.*", "", blocks(page, "http", title)[0]), re.DOTALL | re.MULTILINE


def test_a_haunt_from_a_book_of_your_own_goes_as_it_is_shown(api: Api) -> None:
    typed = "".join(blocks("docs/play.md", "sh", "Play a haunt from your own book"))
    shown = [
        json.loads(line)
        for line in "".join(blocks("docs/play.md", "json", "Play a haunt from your own book")).splitlines()
    ]
    game = opened(api, json.loads(re.findall(r"-d '(.*?)'", typed, re.DOTALL)[0]))
    path, seats = f"/v1/games/{game.game.id}", [token.secret for token in game.tokens.seats]
    posted = [
        (int(seat), json.loads(body))
        for seat, body in re.findall(r"^post seats\[(\d)\] '(.*?)'", typed, re.MULTILINE | re.DOTALL)
    ]

    def post(number: int) -> Any:  # noqa: ANN401 -- JSON
        seat, command = posted[number]
        return json.loads(api.post(f"{path}/commands", seats[seat], command))

    found: list[Any] = [{"version": 5}, *[{"version": post(number)["version"]} for number in (0, 1)]]
    haunt = json.loads(api.get(f"{path}/view", seats[2]))["haunt"]
    found.append({name: haunt[name] for name in ("number", "title", "traitor", "traitor_rule")})
    entered = post(2)["commit"]["data"]["events"]
    found += [{"type": one["type"], "rule": one["rule"], "parts": sorted(one["entry"])} for one in entered]
    found.append({"version": post(3)["version"]})
    asked = json.loads(api.get(f"{path}/decisions", seats[0]))["yours"][-1]
    found += [asked["id"], asked["text"], asked["entry"]["entry"]["monsters"], {"version": post(4)["version"]}]
    found.append([event["monster"] for event in post(5)["commit"]["data"]["events"] if "monster" in event])
    with pytest.raises(
        ApiError, match=f"422 {shown[-1]['code']}: {shown[-1]['errors'][0]['detail']}".replace("?", ".")
    ):
        post(6)
    assert found == shown[:-1]


def without_luck(events: Any) -> list[dict[str, object]]:  # noqa: ANN401 -- JSON
    """The back of the next tile is what the dice say."""
    return [{key: value for key, value in event.items() if key != "back"} for event in events]


def test_the_bot_plays_every_seat_to_the_end(api: Api) -> None:
    script = ROOT / "examples" / "bot.py"
    assert blocks("docs/clients.md", "python", "Write a bot")[0] in script.read_text()
    game = opened(api, {"edition": "second", "seats": [{}, {}, {}], "hotseat": True, "options": {"turn_limit": 6}})

    arguments = [sys.executable, str(script), api.url, game.game.id]
    bots = [
        subprocess.Popen([*arguments, token.secret], stdout=subprocess.PIPE, text=True) for token in game.tokens.seats
    ]

    assert [bot.communicate(timeout=30)[0] for bot in bots] == ["The turn limit of 6 is reached.\n"] * 3


def test_a_page_follows_a_game_as_it_is_shown(api: Api) -> None:
    """The script of the page on streams, in Node with an `EventSource` of a few lines, up to the first commit."""
    (script,) = blocks("docs/streams.md", "js", "Browsers")
    game = opened(api, {"edition": "second", "seats": [{}, {}, {}], "hotseat": True})
    browser = f"""
        const game = "{api.url}/v1/games/{game.game.id}", token = "{game.tokens.seats[0].secret}";
        let cursor = 0;
        const show = (event) => {{ console.log(JSON.stringify(event)); process.exit(0); }};
        class EventSource {{
          constructor(url) {{ this.listeners = {{}}; this.read(url); }}
          addEventListener(name, listener) {{ this.listeners[name] = listener; }}
          async read(url) {{
            let text = "";
            for await (const piece of (await fetch(url, {{ headers: {{ Accept: "text/event-stream" }} }})).body) {{
              text += new TextDecoder().decode(piece);
              const frame = text.match(/event: commit[^]*?data: (.*)/);
              if (frame) this.listeners.commit({{ data: frame[1], lastEventId: "1" }});
            }}
          }}
        }}
    """
    node = ["node", "--input-type=module", "--eval", browser + script]
    done = subprocess.run(node, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    (envelope,) = blocks("docs/streams.md", "json", "The event")
    assert set(json.loads(envelope)) <= set(json.loads(done.stdout))
    assert set(json.loads(envelope)["data"]) <= set(json.loads(done.stdout)["data"])
