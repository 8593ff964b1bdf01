"""Where no rule answers: a ruling of the table and a coin, over HTTP."""

import json
from typing import Any

import httpx

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.driving import Table, problem

TEXT = "A dropped candle goes out."
PROPOSE = {"type": "propose-ruling", "decision": "table", "text": TEXT}
FLIP = {"type": "flip-coin", "decision": "table", "options": ["It burns.", "It goes out."]}


def consents(table: Table, token: str) -> list[dict[str, Any]]:
    return [one for one in table.listed(token) if one["decision"].startswith("ruling-")]


def told(table: Table, token: str) -> list[dict[str, Any]]:
    lines = table.get("events", token, Accept="application/x-ndjson").text.splitlines()
    return [event for line in lines for event in json.loads(line)["data"]["events"]]


def test_a_table_agrees_on_a_ruling_while_play_goes_on(table: Table) -> None:
    assert table.command(table.seats[2], PROPOSE).status_code == 201
    table.play(3)
    for token in table.seats[:2]:
        agree = next(one for one in consents(table, token) if one["option"] == "agree")
        assert table.command(token, agree).status_code == 201
    for token in (*table.seats, table.referee, table.spectator):
        assert table.get("view", token).json()["rulings"] == {
            "agreed": [{"number": 1, "text": TEXT, "by": 2}],
            "proposed": None,
        }
    (agreed,) = [one for one in told(table, table.spectator) if one["type"] == "RulingAgreed"]
    assert agreed["rule"] == "2E-NORULE-001"


def test_the_referee_proposes_and_everybody_is_asked(table: Table) -> None:
    assert table.command(table.referee, PROPOSE).status_code == 201
    assert [len(consents(table, token)) for token in table.seats] == [2, 2, 2]
    (withdraw,) = consents(table, table.referee)
    assert table.command(table.referee, withdraw).status_code == 201
    assert table.get("view", table.host).json()["rulings"]["proposed"] is None


def test_a_second_ruling_waits_for_the_first(table: Table) -> None:
    table.command(table.seats[0], PROPOSE)
    problem(table.command(table.seats[1], PROPOSE), 409, "ruling-open")
    problem(table.command(table.seats[1], {**PROPOSE, "text": "x" * 501}), 400, "invalid-body")
    problem(table.command(table.seats[1], {**PROPOSE, "text": "two\nlines"}), 400, "invalid-body")
    problem(table.command(table.spectator, PROPOSE), 403, "forbidden")


def test_a_coin_falls_and_everybody_is_told(table: Table) -> None:
    assert table.command(table.seats[1], FLIP).status_code == 201
    for token in (*table.seats, table.spectator, table.host):
        called, fell = [one for one in told(table, token) if one["type"].startswith("Coin")]
        assert (called["heads"], called["tails"]) == tuple(FLIP["options"])
        assert fell["chosen"] == called[fell["face"]]
    problem(table.command(table.seats[1], {**FLIP, "options": ["one"]}), 400, "invalid-body")


def test_talking_has_its_limit_and_the_next_turn_has_more(table: Table) -> None:
    for _ in range(12):
        assert table.command(table.seats[1], FLIP).status_code == 201
    problem(table.command(table.seats[0], FLIP), 409, "table-limit")


def test_a_moderator_says_how_the_real_coin_fell(client: httpx.Client) -> None:
    table = Table.open(client, randomness={"source": "moderator"})
    while waiting := table.listed(table.referee):
        problem(table.command(table.seats[0], FLIP), 409, "chance-open")
        table.command(table.referee, waiting[0])
    table.command(table.seats[0], FLIP)
    problem(table.command(table.seats[1], FLIP), 409, "chance-open")
    answers = table.listed(table.referee)
    assert [one["pick"] for one in answers] == ["heads", "tails"]
    assert table.command(table.referee, answers[1]).status_code == 201
    assert told(table, table.seats[2])[-1] == {
        "type": "CoinFlipped",
        "rule": "2E-NORULE-002",
        "face": "tails",
        "chosen": "It goes out.",
    }


def test_a_game_with_rulings_and_coins_is_audited(table: Table) -> None:
    table.command(table.seats[0], PROPOSE)
    for token in table.seats[1:]:
        table.command(token, consents(table, token)[0])
    table.command(table.referee, FLIP)
    table.play(5)
    table.post("close", table.host)
    verdict = audit(read_export(table.get("export", table.referee).content.splitlines()))
    assert verdict.outcome is Outcome.EXACT
