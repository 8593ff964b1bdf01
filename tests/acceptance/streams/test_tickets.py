"""Tickets: what a browser uses where it can't send its token."""

import json
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.acceptance.driving import OPENING, Table, bearer, problem, serving, settings
from tests.acceptance.streams.test_events import LIVE
from tests.acceptance.streams.test_socket import take, url
from tests.support import forked


def ticket(table: Table, token: str) -> str:
    answer = table.post("tickets", token)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["ticket"]
    return found


def test_a_ticket_opens_the_streams_of_its_game_as_its_role(address: str, table: Table) -> None:
    made = table.post("tickets", table.seats[1]).json()
    assert made["role"] == "seat:1"
    query = f"?ticket={made['ticket']}"
    own = table.get("events", table.seats[1]).json()
    assert table.client.get(f"{table.path}/events{query}").json() == own
    table.post("close", table.host)
    streamed = table.client.get(f"{table.path}/events{query}&after=2", headers=LIVE).text
    assert json.dumps(own["events"][-1], separators=(",", ":")) in streamed
    with connect(url(address, table, query)) as connection:
        (hello,) = take(connection, "hello")
        assert hello["role"] == "seat:1"


def test_a_ticket_is_good_for_nothing_else(table: Table) -> None:
    shown = ticket(table, table.seats[0])
    query = f"?ticket={shown}"
    for what in ("view", "decisions", "export"):
        problem(table.client.get(f"{table.path}/{what}{query}"), 400, "invalid-parameter")
        assert table.get(what, shown).status_code == 401
    problem(table.client.post(f"{table.path}/tickets{query}"), 400, "invalid-parameter")
    problem(table.client.post(f"{table.path}/commands{query}", json={}), 400, "invalid-parameter")
    other = Table.open(table.client, start=False)
    problem(table.client.get(f"{other.path}/events{query}"), 401, "unauthorized")
    problem(table.client.get(f"/v1/games/aaaaaaaaaaaaaaaaaaaa/events{query}"), 401, "unauthorized")
    problem(table.post("tickets", other.host), 403, "forbidden")


def test_a_ticket_that_was_tampered_with_or_is_too_old_or_whose_token_ended_opens_nothing(
    tmp_path: Path,
) -> None:
    """The clock of these tests goes on by a second whenever it is asked."""
    chosen = settings(tmp_path / "log.db", ticket_lifetime=30)
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)

        def status(shown: str) -> int:
            return client.get(f"{table.path}/events?ticket={shown}").status_code

        shown = ticket(table, table.seats[0])
        assert status(shown) == 200
        head, second, seal = shown.split(".")
        forged = (
            f"{head}.{int(second) + 1000}.{seal}",
            f"ticket_referee.{second}.{seal}",
            f"{head}.{second}.{'A' * 43}",
            f"{head}.{second}",
            "ticket_",
        )
        assert [status(one) for one in forged] == [401] * 5
        assert {status(shown) for _ in range(40)} == {200, 401}
        fresh = ticket(table, table.seats[0])
        assert status(fresh) == 200
        table.post("tokens/seat-0/rotate", table.seats[0])
        assert status(fresh) == 401


@pytest.mark.parametrize("level", ["info", "debug"])
def test_no_log_shows_a_ticket(tmp_path: Path, level: str) -> None:
    """At any level, for connections that are accepted and for those that are not."""
    with (
        forked.serving(tmp_path, store="memory:", log_level=level) as (address, logged),
        httpx.Client(base_url=address) as client,
    ):
        table = Table(client, client.post("/v1/games", json=OPENING).json())
        shown = ticket(table, table.spectator)
        with connect(url(address, table, f"?ticket={shown}")) as connection:
            take(connection, "hello")
        with pytest.raises(InvalidStatus), connect(url(address, table, f"?ticket={shown}x")):
            pass
        assert client.get(f"{table.path}/events?ticket={shown}").status_code == 200
        assert client.get(f"{table.path}/events?ticket={shown}x", headers=bearer("x")).status_code == 401
    text = logged.read_text()
    assert "/socket" in text, "the connections were logged"
    assert "ticket" not in text, "no query string is"
    assert shown.rpartition(".")[2] not in text
    assert shown.split(".")[1] not in text
