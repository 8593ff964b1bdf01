"""Precedents of many games: who finds which, by rule and page by page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.driving import Table, bearer, problem, serving, settings
from tests.acceptance.streams.test_accounts import Account

URL = "/v1/precedents"
MOVE, TURN = "2E-MOVE-001", "2E-TURN-001"
PUBLIC = {"listed": True, "public_record": True, "turn_limit": 1}


def rule(table: Table, reasons: str, *rules: str, precedent: bool = True) -> None:
    """Seat 1 disputes, and the referee rules."""
    asked = {"from": 5, "to": 5, "claim": "No."}
    opened = table.post("disputes", table.seats[1], asked)
    assert opened.status_code == 201, opened.text
    ruling = {"outcome": "stands", "reasons": reasons, "rules": list(rules), "precedent": precedent}
    ruled = table.post(
        f"{opened.headers['location'].rpartition('/v1/games/' + table.id + '/')[2]}/ruling", table.referee, ruling
    )
    assert ruled.status_code == 201, ruled.text


def found(client: httpx.Client, token: str = "", query: str = "") -> list[str]:
    """The reasons of all precedents, page by page."""
    reasons: list[str] = []
    page = asked(client, token, query)
    while True:
        reasons += [one["reasons"] for one in page["precedents"]]
        if page["next"] is None:
            return reasons
        page = asked(client, token, f"{query}&after={page['next']}")


def asked(client: httpx.Client, token: str = "", query: str = "") -> dict[str, Any]:
    answer = client.get(f"{URL}?{query}", headers=bearer(token) if token else {})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "private, no-store"
    page: dict[str, Any] = answer.json()
    return page


def finish(table: Table) -> None:
    """Play until the turn limit ends the game."""
    table.play(60)
    assert table.client.get(table.path).json()["status"] == "finished"


def test_everybody_in_a_game_finds_its_precedents_and_nobody_else_does(client: httpx.Client) -> None:
    mine, other = Table.open(client), Table.open(client)
    rule(mine, "Doors count once.", MOVE)
    rule(mine, "Only here and now.", MOVE, precedent=False)
    rule(mine, "Ask first.", TURN, MOVE)
    rule(other, "Elsewhere.", MOVE)
    for token in (*mine.seats, mine.referee, mine.spectator, mine.host):
        assert found(client, token) == ["Doors count once.", "Ask first."]
        assert found(client, token, f"rule={TURN}") == ["Ask first."]
        assert found(client, token, "rule=2E-DOOR-001") == []
    assert found(client, other.seats[0]) == ["Elsewhere."]
    one = asked(client, mine.spectator)["precedents"][0]
    desk = mine.get("view", mine.spectator).json()["desk"]["precedents"][0]
    assert one == {**desk, "game": mine.id, "edition": "second", "outcome": "stands"}
    assert found(client) == []


def test_an_account_finds_those_of_all_its_games_page_by_page(client: httpx.Client) -> None:
    account, tables = Account(client), sorted((Table.open(client) for _ in range(3)), key=lambda table: table.id)
    for number, table in enumerate(tables):
        for again in range(2):
            rule(table, f"{number}.{again}", MOVE)
    account.bind(tables[2], "spectator-1", tables[2].spectator)
    account.bind(tables[0], "seat-1", tables[0].seats[1])
    account.bind(tables[0], "seat-2", tables[0].seats[2])
    assert found(client, account.key) == ["0.0", "0.1", "2.0", "2.1"]
    for limit in (1, 2, 3):
        assert found(client, account.key, f"limit={limit}") == ["0.0", "0.1", "2.0", "2.1"]
        assert len(asked(client, account.key, f"limit={limit}")["precedents"]) == limit
    first = asked(client, account.key, "limit=1")
    for name, token in (("seat-1", tables[0].seats[1]), ("seat-2", tables[0].seats[2])):
        assert client.delete(f"{tables[0].path}/tokens/{name}/account", headers=bearer(token)).is_success
    rest = asked(client, account.key, f"after={first['next']}")
    assert [one["reasons"] for one in rest["precedents"]] == ["2.0", "2.1"], (
        "the page ended in a game that is bound no more"
    )


def test_anybody_finds_those_of_games_whose_record_is_public(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(settings(tmp_path / "log.db")) as address, httpx.Client(base_url=address, timeout=60) as client:
        games = [
            Table.open(client, options={**PUBLIC, **changed})
            for changed in ({}, {"listed": False}, {}, {"public_record": False}, {"disclosure": "never"})
        ]
        for number, table in enumerate(games):
            rule(table, f"game {number}", MOVE)
        assert found(client) == [], "they are still played"
        for table in games:
            finish(table)
        for query in ("", "limit=1", f"rule={MOVE}"):
            assert found(client, query=query) == ["game 0", "game 2"]
        assert found(client, games[1].seats[0]) == ["game 1", "game 0", "game 2"], "the caller's own come first"
        assert found(client, games[2].seats[0], "limit=2") == ["game 2", "game 0"], "each once"
        monkeypatch.setattr("service.games.desk.precedents.LOOKED_AT", 1)
        assert found(client) == ["game 0", "game 2"]
        assert found(client, games[1].seats[0]) == ["game 1", "game 0", "game 2"]


def test_a_delayed_spectator_finds_a_precedent_no_sooner_than_its_view_shows_it(client: httpx.Client) -> None:
    table = Table.open(client, options={"spectator_delay": 2})
    rule(table, "Late.", MOVE)
    account = Account(client)
    account.bind(table, "spectator-1", table.spectator)
    shown = [one["reasons"] for one in table.get("view", table.spectator).json()["desk"]["precedents"]]
    assert found(client, table.spectator) == found(client, account.key) == shown
    assert found(client, table.seats[0]) == ["Late."]
    account.bind(table, "seat-0", table.seats[0])
    assert found(client, account.key) == ["Late."]


def test_what_is_asked_wrongly_is_refused(client: httpx.Client) -> None:
    table = Table.open(client)
    for name in ("2E-MOVE-999", "nothing"):
        refused = problem(client.get(f"{URL}?rule={name}", headers=bearer(table.referee)), 422, "unknown-rule")
        assert refused["errors"][0]["pointer"] == "rule"
    assert found(client, table.referee, "rule=3E-MOVE-001") == [], "a rule of the other edition is one all the same"
    problem(client.get(f"{URL}?after=x"), 400, "invalid-parameter")
    problem(client.get(f"{URL}?after={table.id}:1"), 404, "not-found")
    assert asked(client, table.referee, f"after=own:{table.id}:1")["precedents"] == []
    for token in ("omen_" + "a" * 43, "nonsense"):
        problem(client.get(URL, headers=bearer(token)), 401, "unauthorized")
    problem(client.get(f"{URL}?limit=0"), 400, "invalid-parameter")


def test_a_precedent_is_found_until_its_dispute_is_ruled_otherwise(client: httpx.Client) -> None:
    table = Table.open(client)
    rule(table, "So it is.", MOVE)
    assert table.post("disputes/1/reopening", table.referee, {"reasons": "It was not."}).status_code == 201
    assert found(client, table.spectator) == ["So it is."]
    again = {"outcome": "stands", "reasons": "Only here.", "rules": [MOVE]}
    assert table.post("disputes/1/ruling", table.referee, again).status_code == 201
    assert found(client, table.spectator) == []
