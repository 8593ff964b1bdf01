"""Chance as a player: seeded, answered by a moderator, or from a tape."""

import hashlib
import json
import random
from typing import Any

import httpx

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.driving import Table, problem


def header(table: Table, token: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(table.get("export", token).text.splitlines()[0])
    return found


def answers(table: Table) -> list[dict[str, Any]]:
    """What chance answered, in order, as the referee was told."""
    lines = table.get("events", table.referee, Accept="application/x-ndjson").text.splitlines()
    events = [event for line in lines for event in json.loads(line)["data"]["events"]]
    told = [event for event in events if event["type"] == "ChanceAnswered"]
    return [{"faces": one["faces"]} if "faces" in one else {"pick": one["pick"]} for one in told]


def until_chance(table: Table, seed: int = 1) -> dict[str, Any]:
    """Play until the moderator is awaited; returns what for."""
    chooser = random.Random(seed)
    for _ in range(200):
        (waiting, *_) = table.get("decisions", table.referee).json()["waiting"]
        if waiting["seat"] is None:
            found: dict[str, Any] = waiting
            return found
        token = table.seats[waiting["seat"]]
        assert table.command(token, chooser.choice(table.listed(token))).status_code == 201
    raise AssertionError("no chance was asked")


def test_a_seed_is_promised_at_the_start_and_revealed_at_the_end(table: Table) -> None:
    table.play(10)
    for token in (table.referee, table.seats[0], table.host):
        assert "disclosed" not in header(table, token), "nobody sees the seed before, the referee included"
    table.post("close", table.host)
    for token in (table.referee, table.seats[0], table.host):
        revealed = header(table, token)["disclosed"]
        promised = table.client.get(table.path).json()["commitment"]
        secret = bytes.fromhex(revealed["salt"]) + bytes.fromhex(revealed["seed"])
        assert hashlib.sha256(secret).hexdigest() == promised


def test_a_game_may_never_be_disclosed(client: httpx.Client) -> None:
    table = Table.open(client, options={"disclosure": "never"})
    table.post("close", table.host)
    assert client.get(table.path).json()["disclosed"] is False
    assert header(table, table.seats[0])["omenlog"] == "role"
    assert "disclosed" not in header(table, table.referee)


def test_the_moderator_answers_chance_and_only_with_what_fits(client: httpx.Client) -> None:
    table = Table.open(client, randomness={"source": "moderator"})
    waiting = until_chance(table)
    assert waiting["kind"] == "chance"
    listed = table.listed(table.referee)
    assert {one["type"] for one in listed} == {"answer-chance"}
    for token in table.seats:
        assert table.get("decisions", token).json()["yours"] == []
        problem(table.command(token, listed[0]), 409, "not-your-decision")
    misfit = {"type": "answer-chance", "decision": waiting["decision"], "pick": "the-moon"}
    problem(table.command(table.referee, misfit), 409, "chance-misfit")
    answer = table.command(table.referee, listed[0])
    assert answer.status_code == 201
    assert answer.json()["commit"]["data"]["actor"] == "moderator"
    assert answers(table)


def test_a_moderator_who_gives_the_same_answers_makes_the_same_game(client: httpx.Client) -> None:
    """Up to commit borders: the events of a seat are the same as in the seeded game that is copied."""
    first = Table.open(client)
    first.play(25)
    given = answers(first)
    second = Table.open(client, randomness={"source": "tape", "answers": given})
    lines = first.get("events", first.referee, Accept="application/x-ndjson").text.splitlines()
    for line in lines:
        data = json.loads(line)["data"]
        if data["actor"].startswith("seat:"):
            token = second.seats[int(data["actor"][5:])]
            assert second.command(token, data["command"]).status_code == 201
    told = [[one["data"]["events"] for one in _events(table)][4:] for table in (first, second)]
    assert told[0] == told[1]


def _events(table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.get("events?limit=1000", table.seats[0]).json()["events"]
    return found


def test_a_tape_that_ends_or_does_not_fit_leaves_the_request_to_the_referee(client: httpx.Client) -> None:
    for tape, code in (([], "tape-ended"), ([{"faces": [0] * 60}] * 50, "tape-misfit")):
        table = Table.open(client, randomness={"source": "tape", "answers": tape})
        assert client.get(table.path).json()["arranged"] is True
        waiting = until_chance(table)
        told = table.get("decisions", table.referee).json()
        assert (told["tape"]["code"], told["tape"]["decision"]) == (code, waiting["decision"])
        assert "tape" not in table.get("decisions", table.seats[0]).json(), "what a tape holds is the referee's"
        assert "tape" not in table.get("decisions?as=seat:0", table.referee).json()
        assert table.command(table.referee, table.listed(table.referee)[0]).status_code == 201


def test_a_setup_prepares_the_start_and_only_the_referee_knows_how(client: httpx.Client) -> None:
    pack = client.get("/v1/packs/second-edition").json()
    tiles = [
        tile["id"]
        for tile in pack["tiles"]
        if "ground" in tile["floors"] and not tile["id"].startswith(("entrance", "foyer", "grand"))
    ][:3]
    table = Table.open(client, setup={"first_seat": 2, "tiles": tiles})
    assert client.get(table.path).json()["arranged"] is True
    view = table.get("view", table.seats[0])
    assert view.json()["turn"]["seat"] == 2
    told = table.get("events", table.seats[0]).text
    assert tiles[0] not in told.split('"GameStarted"')[0]
    assert '"GameArranged"' not in told
    assert '"GameArranged"' in table.get("events", table.referee).text


def test_players_with_real_dice_say_what_shows_and_the_audit_takes_their_word_for_that_alone(
    client: httpx.Client,
) -> None:
    table = Table.open(client, randomness={"source": "table"}, options={"turn_limit": 8})
    asked = table.get("decisions", table.referee).json()["waiting"][0]
    assert (asked["kind"], asked["seat"] is None) == ("chance", False), "a seat is asked, not the moderator"
    table.play(3000, seed=5)
    assert client.get(table.path).json()["status"] == "finished"
    verdict = audit(read_export(table.get("export", table.seats[0]).content.splitlines()))
    assert verdict.outcome is Outcome.UNVERIFIED, verdict
    assert "the dice and cards were the players' own" in verdict.because
