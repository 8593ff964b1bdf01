"""For language models: a brief of the situation, options by number, waiting, sentences."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from projections.choices.brief import BUDGET, tokens_at_most
from tests.acceptance.driving import Table, problem, version_of


def test_a_game_is_played_by_numbers_alone_and_its_log_holds_the_commands(table: Table) -> None:
    chooser = random.Random(4)
    for _ in range(20):
        token = table.awaited()
        brief = table.get("brief", token).json()
        assert tokens_at_most(brief["text"]) < BUDGET
        option = chooser.choice(
            [one for one in brief["options"] if "fields" not in one and one["command"]["type"] != "take-back"]
        )
        answer = table.command(token, {"type": "option", "number": option["number"]}, If_Match=f'"{brief["version"]}"')
        assert answer.status_code == 201, answer.text
        assert answer.json()["commit"]["data"]["command"] == option["command"]
        stored = table.get(f"events?after={brief['version']}", table.referee).json()["events"][0]["data"]
        assert stored["command"] == option["command"]


def test_the_brief_comes_as_text_or_json_and_is_the_roles_own(table: Table) -> None:
    token = table.awaited()
    brief = table.get("brief", token).json()
    for kind in ("text/plain", "text/markdown"):
        answer = table.get("brief", token, Accept=kind)
        assert answer.headers["content-type"].startswith(kind)
        assert answer.text == brief["text"]
        assert version_of(answer) == brief["version"] == 5
    problem(table.get("brief", token, Accept="image/png"), 406, "not-acceptable")
    seat = table.seats.index(token)
    assert f"seat {seat} (you)" in brief["text"]
    assert table.get(f"brief?as=seat:{seat}", table.referee).json() == brief
    problem(table.get(f"brief?as=seat:{seat}", table.spectator), 403, "forbidden")
    watching = table.get("brief", table.spectator).json()
    assert (watching["role"], watching["options"]) == ("spectators", [])
    assert "You have nothing to decide now." in watching["text"]
    assert "There is no page 9" in table.get("brief?page=9", token).json()["text"]


def test_a_number_needs_its_version_and_must_be_listed(table: Table) -> None:
    token = table.awaited()
    brief = table.get("brief", token).json()
    first = {"type": "option", "number": 1}
    for missing in ({}, {"If_Match": "*"}):
        problem(table.command(token, first, **missing), 428, "version-required")
    stale = problem(table.command(token, first, If_Match='"4"'), 412, "stale-version")
    assert stale["current_version"] == 5
    assert (
        stale["detail"] == "The game is at version 5, and its options are numbered anew: read them again, then choose."
    )
    last = len(brief["options"])
    missing_one = problem(
        table.command(token, {"type": "option", "number": last + 1}, If_Match='"5"'), 422, "no-such-option"
    )
    assert missing_one["detail"] == f"There is no option {last + 1} at version 5: yours are 1 to {last}."
    problem(table.command(token, {**first, "with": {"to": "attic"}}, If_Match='"5"'), 422, "no-such-option")
    idle = next(one for one in table.seats if one != token)
    none = problem(table.command(idle, first, If_Match='"5"'), 422, "no-such-option")
    assert none["detail"] == "There is no option 1 at version 5: you have nothing to decide now."
    problem(table.command(table.spectator, first, If_Match='"5"'), 403, "forbidden")
    for body in ({"type": "option"}, {"type": "option", "number": 0}, {**first, "decision": "turn-1"}):
        problem(table.command(token, body, If_Match='"5"'), 400, "invalid-body")
    assert table.version() == 5, "nothing has changed"
    table.post("close", table.host, {})
    problem(table.command(token, first, If_Match='"6"'), 409, "game-over")
    unstarted = Table.open(table.client, start=False)
    at = f'"{unstarted.version()}"'
    problem(unstarted.command(unstarted.seats[0], first, If_Match=at), 409, "not-started")


def test_an_option_retried_with_its_key_is_done_once(table: Table) -> None:
    token = table.awaited()
    first = {"type": "option", "number": 1}
    done = table.command(token, first, If_Match='"5"', Idempotency_Key="option-1")
    again = table.command(token, first, If_Match='"5"', Idempotency_Key="option-1")
    assert (again.status_code, again.content) == (201, done.content)
    assert again.headers["idempotent-replayed"] == "true"
    other = {"type": "option", "number": 2}
    problem(table.command(token, other, If_Match='"5"', Idempotency_Key="option-1"), 422, "key-reused")
    assert table.version() == 6


@pytest.mark.parametrize("what", ["brief", "decisions"])
def test_a_wait_ends_once_the_game_moves_on_and_at_once_for_whoever_is_asked(table: Table, what: str) -> None:
    began = time.monotonic()
    assert version_of(table.get(f"{what}?wait=60", table.awaited())) == 5
    assert version_of(table.get(f"{what}?wait=60&at=4", table.spectator)) == 4
    with ThreadPoolExecutor() as waiting:
        asked = [waiting.submit(table.get, f"{what}?wait=60", one) for one in (table.spectator, table.host)]
        while not all(one.done() for one in asked):
            assert table.play(1) == 1
    assert all(version_of(one.result()) > 5 for one in asked)
    table.post("close", table.host, {})
    over = table.version()
    assert version_of(table.get(f"{what}?wait=60", table.spectator)) == over
    assert time.monotonic() - began < 30, "nobody has waited for the time to pass"
    for wrong in ("61", "-1", "soon"):
        problem(table.get(f"{what}?wait={wrong}", table.spectator), 400, "invalid-parameter")


def test_the_answer_to_a_command_tells_its_sentences_as_the_callers_own_page_does(table: Table) -> None:
    for _ in range(8):
        token, version = table.awaited(), table.version()
        command = table.listed(token)[0]
        told = table.post("commands?sentences=true", token, command, Idempotency_Key=f"told-{version}").json()["commit"]
        page = table.get(f"events?after={version}&limit=1&sentences=true", token).json()
        assert page["events"] == [told]
        assert len(told["data"]["sentences"]) == len(told["data"]["events"]) > 0
        again = table.post("commands?sentences=true", token, command, Idempotency_Key=f"told-{version}")
        assert again.json()["commit"] == told, "a retry is told the same"
    wrong = table.post("commands?sentences=perhaps", table.awaited(), table.listed(table.awaited())[0])
    problem(wrong, 400, "invalid-parameter")
