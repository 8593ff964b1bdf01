"""The referee's desk under attack over HTTP: who comes too late, at once, from elsewhere, or has left."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.driving import Table, problem

ASK = {"from": 1, "to": 1, "claim": "It was otherwise."}
STARTED = 5
"""The commit that starts such a game."""


def rewind(to: int) -> dict[str, Any]:
    return {"outcome": "rewind", "to": to, "reasons": "So be it."}


def verdict(table: Table) -> Outcome:
    """What an audit says of the game once it is over."""
    table.post("close", table.host)
    return audit(read_export(table.get("export", table.referee).content.splitlines())).outcome


def outcome(table: Table, number: int = 1) -> str:
    found: str = table.get(f"disputes/{number}", table.referee).json()["dispute"]["outcome"]
    return found


def test_of_two_referees_who_rule_at_once_one_is_heard(client: httpx.Client) -> None:
    table = Table.open(client, co_referee=True)
    table.play(4)
    table.post("disputes", table.seats[0], ASK)
    both = [table.referee, table.opened["tokens"]["co_referee"]["secret"]]

    def rule(place: int) -> httpx.Response:
        return table.post("disputes/1/ruling", both[place % 2], rewind(STARTED + place % 3))

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(rule, range(6)))

    late = [one for one in answers if one.status_code != 201]
    assert len(late) == 5
    for one in late:
        problem(one, 409, "dispute-closed")
    assert verdict(table) is Outcome.EXACT


def test_of_consents_given_at_once_each_counts_once(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"consent": True}})
    table.play(4)
    table.post("disputes", table.seats[0], ASK)
    table.post("disputes/1/ruling", table.referee, rewind(STARTED))
    agree = {"type": "choose", "decision": "dispute-1-1", "option": "agree"}

    with ThreadPoolExecutor(6) as threads:
        answers = list(threads.map(lambda place: table.command(table.seats[place % 3], agree), range(6)))

    assert sorted(one.status_code for one in answers) == [201, 201, 201, 409, 409, 409]
    assert outcome(table) == "rewind"
    assert verdict(table) is Outcome.EXACT


def test_nothing_is_ruled_behind_the_end(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"consent": True}, "turn_limit": 2})
    table.play(2)
    table.post("disputes", table.seats[0], ASK)
    table.post("disputes/1/ruling", table.referee, rewind(STARTED))
    table.play(200)
    assert outcome(table) == "over"
    agree = {"type": "choose", "decision": "dispute-1-1", "option": "agree"}
    for answer in (
        table.command(table.seats[0], agree),
        table.command(table.seats[0], {"type": "take-back", "decision": "take-back", "to": STARTED}),
        table.post("disputes", table.seats[1], ASK),
        table.post("disputes/1/evidence", table.seats[1], {"commits": [1]}),
        table.post("disputes/1/withdrawal", table.seats[0]),
        table.post("disputes/1/ruling", table.referee, rewind(STARTED)),
    ):
        problem(answer, 409, "game-over")


@pytest.mark.parametrize("decision", ["take-back", "turn-1"])
def test_the_referee_takes_nothing_back(table: Table, decision: str) -> None:
    table.play(2)
    asked = {"type": "take-back", "decision": decision, "to": STARTED}
    code = "take-back-closed" if decision == "take-back" else "decision-closed"
    problem(table.command(table.referee, asked), 409, code)
    tried = table.post("dry-runs", table.referee, asked)
    assert tried.json()["refusal"]["code"] == code, tried.text


def test_a_fork_goes_back_no_further_than_to_where_it_began_and_its_parent_not_at_all(table: Table) -> None:
    table.play(8)
    before = table.version()
    table.post("disputes", table.seats[0], ASK)
    made = table.post("forks", table.referee, {})
    fork = Table(table.client, made.json())
    assert fork.get("disputes", fork.seats[0]).json()["disputes"] == [], "they are the parent's"
    fork.post("disputes", fork.seats[0], ASK)
    begun = fork.get("view", fork.seats[0]).json()["explorers"]
    fork.play(4)
    problem(fork.post("disputes/1/ruling", table.referee, rewind(1)), 403, "forbidden")
    problem(fork.post("disputes/1/ruling", fork.referee, rewind(before)), 422, "unfit-span")

    assert fork.post("disputes/1/ruling", fork.referee, rewind(1)).status_code == 201

    assert fork.get("view", fork.seats[0]).json()["explorers"] == begun
    fork.play(4)
    assert verdict(fork) is Outcome.UNVERIFIED, "a fork is never exact, and nothing diverges"
    assert (table.version(), outcome(table)) == (before + 1, "")


def test_whoever_takes_over_a_seat_takes_over_its_dispute(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"pause": True}})
    table.post("disputes", table.seats[0], ASK)
    replaced = table.post("seats/0/replace", table.host).json()
    problem(table.post("disputes/1/withdrawal", table.seats[0]), 401, "unauthorized")
    assert table.get("view", table.seats[1]).json()["desk"]["paused"]
    claimed = client.post(f"{table.path}/seats/0/claim", json={"invite": replaced["invite"]["secret"]}).json()

    assert table.post("disputes/1/withdrawal", claimed["token"]["secret"]).status_code == 201

    assert not table.get("view", table.seats[1]).json()["desk"]["paused"]


def test_the_referee_rules_on_the_dispute_of_a_seat_that_is_empty(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"pause": True}})
    table.post("disputes", table.seats[0], ASK)
    table.post("seats/0/replace", table.host)
    assert table.post("disputes/1/ruling", table.referee, {"outcome": "stands", "reasons": "So."}).status_code == 201
    assert not table.get("view", table.seats[1]).json()["desk"]["paused"]


def test_pauses_are_counted_only_where_there_are_any(client: httpx.Client) -> None:
    asked = {"edition": "second", "seats": [{}, {}, {}], "options": {"disputes": {"pauses": 1}}}
    found = problem(client.post("/v1/games", json=asked), 422, "unfit-options")
    assert found["errors"][0]["pointer"] == "/options/disputes/pauses"


def test_a_third_idle_pause_is_the_last(client: httpx.Client) -> None:
    table = Table.open(client, options={"disputes": {"pause": True}})
    paused = []
    for number in range(1, 6):
        table.post("disputes", table.seats[2], ASK)
        paused.append(table.get(f"disputes/{number}", table.seats[0]).json()["dispute"]["pauses"])
        table.post(f"disputes/{number}/withdrawal", table.seats[2])
    assert paused == [True, True, True, False, False]


def test_what_was_refused_at_the_desk_the_referee_reads_in_the_trace(table: Table) -> None:
    table.post("disputes", table.seats[0], ASK)
    problem(table.post("disputes", table.seats[0], ASK), 409, "dispute-open")
    problem(table.post("disputes/1/ruling", table.referee, rewind(1)), 422, "unfit-span")

    def tried(token: str) -> list[str]:
        steps = table.get("trace", token).json()["steps"]
        return [one["did"] for step in steps for one in step["refused"]]

    assert tried(table.referee) == ["Dispute commit 1", "Rule on dispute 1, play goes back to commit 1: So be it."]
    assert tried(table.seats[0]) == ["Dispute commit 1"]
    assert tried(table.seats[1]) == []
    assert "Dispute commit 1" in table.get("trace", table.referee, Accept="text/markdown").text
