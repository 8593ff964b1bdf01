"""What those meet who have no token of a game: whether they may open one, which games they find, and what they are told of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.bootstrap import open_service
from service.settings import BadSetting, Settings
from tests.acceptance.driving import OPENING, Table, bearer, problem, serving, settings
from tests.cli.invoking import omenlog

KEY = "sesame-open-4711"
NAMED = [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cleo"}]
NDJSON = "application/x-ndjson"


@pytest.fixture
def fresh() -> Iterator[httpx.Client]:
    """A service of its own, so that the list holds what the test opened and no more."""
    with serving(settings("memory:")) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


# -- the opening key ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def closed() -> Iterator[httpx.Client]:
    """A service on which only those who have its key open games."""
    with serving(settings("memory:", opening_key=KEY)) as address, httpx.Client(base_url=address, timeout=20) as client:
        yield client


def opening(client: httpx.Client, authorization: str | None) -> httpx.Response:
    return client.post("/v1/games", json=OPENING, headers={"Authorization": authorization} if authorization else {})


def test_with_an_opening_key_only_who_sends_it_opens_games(closed: httpx.Client) -> None:
    opened = opening(closed, f"Bearer {KEY}")
    assert opened.status_code == 201, opened.text
    token = opened.json()["tokens"]["host"]["secret"]
    answers = []
    for other in (
        None,
        "",
        f"Basic {KEY}",
        KEY,
        "Bearer",
        f"Bearer {KEY}x",
        f"Bearer {KEY[:-1]}",
        f"Bearer {token}",
    ):
        refused = opening(closed, other)
        problem(refused, 401, "unauthorized")
        assert refused.headers["www-authenticate"] == "Bearer"
        answers.append(refused.content)
    assert len(set(answers)) == 1, "nothing tells how near one came"
    assert opening(closed, f"bearer {KEY}").status_code == 201, "the scheme's case means nothing"


def test_the_key_is_asked_for_before_the_body_is_looked_at(closed: httpx.Client) -> None:
    problem(closed.post("/v1/games", content=b"{", headers={"Content-Type": "application/json"}), 401, "unauthorized")
    problem(closed.post("/v1/games/import", content=b"{"), 401, "unauthorized")


def test_with_an_opening_key_only_who_sends_it_imports_games(closed: httpx.Client) -> None:
    problem(
        closed.post("/v1/games/import", content=b"no export\n", headers={"Content-Type": NDJSON}), 401, "unauthorized"
    )
    sent = {"Content-Type": NDJSON, **bearer(KEY)}
    problem(closed.post("/v1/games/import", content=b"no export\n", headers=sent), 422, "unfit-export")


def test_who_has_an_invite_or_a_token_needs_no_opening_key(closed: httpx.Client) -> None:
    asked = {**OPENING, "hotseat": False, "seats": [{}, {}, {}]}
    opened = closed.post("/v1/games", json=asked, headers=bearer(KEY)).json()
    path, invite = f"/v1/games/{opened['game']['id']}", opened["invites"]["seats"][0]["secret"]
    claimed = closed.post(f"{path}/seats/0/claim", json={"invite": invite})
    assert claimed.status_code == 201
    assert closed.get(f"{path}/view", headers=bearer(claimed.json()["token"]["secret"])).status_code == 200


async def test_an_opening_key_must_fit_into_a_header() -> None:
    for key in ("two words", "Schlüssel", "tab\t"):
        with pytest.raises(BadSetting, match="OMENLOG_OPENING_KEY"):
            await open_service(Settings(store="memory:", opening_key=key))


def test_the_settings_do_not_show_the_opening_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMENLOG_OPENING_KEY", KEY)
    told = omenlog("settings").output
    assert "OMENLOG_OPENING_KEY" in told
    assert KEY not in told


def test_the_command_line_imports_with_the_opening_key_of_its_environment(
    closed: httpx.Client, client: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.open(client, options={"turn_limit": 1})
    assert table.post("close", table.host).status_code == 201
    file = tmp_path / "game.ndjson"
    file.write_bytes(table.get("export", table.host).content)
    assert "401 unauthorized" in omenlog("import", str(file), "--url", str(closed.base_url)).output
    monkeypatch.setenv("OMENLOG_OPENING_KEY", KEY)
    assert f"imported game {table.id}" in omenlog("import", str(file), "--url", str(closed.base_url)).output


# -- the list -----------------------------------------------------------------------------------------------------------


def listed(client: httpx.Client, limit: int = 100, **asked: str) -> list[str]:
    """The ids on all pages."""
    found: list[str] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        answer = client.get(
            "/v1/games", params={"limit": limit, **asked, **({"after": page["next"]} if page["next"] else {})}
        )
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["games"]) <= limit
        found += [one["id"] for one in page["games"]]
    return found


def test_only_what_its_maker_listed_is_listed(fresh: httpx.Client) -> None:
    Table.open(fresh)
    mine = [Table.open(fresh, options={"listed": True}).id for _ in range(2)]
    Table.open(fresh, options={"listed": False})
    assert listed(fresh) == mine
    assert fresh.get(f"/v1/games/{mine[0]}").json()["options"] == {"listed": True}


def test_the_list_is_told_by_status_and_in_either_order_page_by_page(fresh: httpx.Client) -> None:
    tables = [Table.open(fresh, start=number % 2 == 0, options={"listed": True}) for number in range(7)]
    started = [one.id for one in tables[::2]]
    waiting = [one.id for one in tables[1::2]]
    everything = [one.id for one in tables]
    for limit in (1, 2, 3, 7, 100):
        assert listed(fresh, limit) == listed(fresh, limit, order="oldest") == everything
        assert listed(fresh, limit, order="newest") == everything[::-1]
        assert listed(fresh, limit, status="open", order="newest") == waiting[::-1]
        assert listed(fresh, limit, status="started") == started
        assert listed(fresh, limit, status="finished") == []
    assert tables[2].post("close", tables[2].host).status_code == 201
    assert listed(fresh, status="abandoned") == [tables[2].id]
    assert listed(fresh, status="started") == [one for one in started if one != tables[2].id]
    for wrong in ({"status": "paused"}, {"order": "best"}):
        problem(fresh.get("/v1/games", params=wrong), 400, "invalid-parameter")


def test_a_page_that_found_few_games_is_not_the_last(fresh: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.games.catalogue.LOOKED_AT", 2)
    tables = [Table.open(fresh, start=False, options={"listed": True}) for _ in range(6)]
    for one in tables[:4]:
        one.post("start", one.host)
    first = fresh.get("/v1/games", params={"status": "open"}).json()
    assert (first["games"], first["next"]) == ([], tables[1].id)
    assert listed(fresh, status="open") == [one.id for one in tables[4:]]


def test_the_list_does_not_tell_that_a_game_exists_that_is_not_listed(fresh: httpx.Client) -> None:
    hidden = Table.open(fresh)
    unlisted = fresh.get("/v1/games", params={"after": hidden.id})
    nowhere = fresh.get("/v1/games", params={"after": "a" * 20})
    problem(unlisted, 404, "not-found")
    assert unlisted.content == nowhere.content


def test_what_another_process_opened_is_listed_too(addresses: list[str]) -> None:
    with (
        httpx.Client(base_url=addresses[0], timeout=20) as one,
        httpx.Client(base_url=addresses[1], timeout=20) as other,
    ):
        for _ in range(2):
            made = Table.open(one, options={"listed": True}).id
            assert made in listed(other)
            assert listed(one, order="newest") == listed(other, order="newest") == listed(one)[::-1]


# -- names --------------------------------------------------------------------------------------------------------------


def test_no_stranger_is_told_a_players_name(fresh: httpx.Client) -> None:
    table = Table.open(fresh, seats=NAMED, options={"listed": True})
    other = Table.open(fresh, seats=[{"name": "Dee"}, {}, {}], options={"listed": True, "spectator_delay": 2})
    strangers = [{}, bearer(other.host), bearer(other.seats[0]), bearer("omen_" + "x" * 43), bearer("nonsense")]
    for headers in strangers:
        facts = fresh.get(table.path, headers=headers)
        assert facts.status_code == 200
        assert [one["name"] for one in facts.json()["seats"]] == [""] * 3
        games = {one["id"]: one for one in fresh.get("/v1/games", headers=headers).json()["games"]}
        assert [one["name"] for one in games[table.id]["seats"]] == [""] * 3
        for what in (
            "view",
            "decisions",
            "post",
            "board.svg",
            "events",
            "export",
            "trace",
            "messages",
            "heads",
            "diff?from=1",
        ):
            told = fresh.get(f"{table.path}/{what}", headers=headers)
            assert told.status_code in (401, 403) or what == "heads"
            assert not any(name in told.text for name in ("Ann", "Bo", "Cleo"))
    for token in (table.host, table.referee, table.spectator, *table.seats):
        facts = fresh.get(table.path, headers=bearer(token)).json()
        assert [one["name"] for one in facts["seats"]] == ["Ann", "Bo", "Cleo"]
        games = {one["id"]: one for one in fresh.get("/v1/games", headers=bearer(token)).json()["games"]}
        assert [one["name"] for one in games[table.id]["seats"]] == ["Ann", "Bo", "Cleo"]
        assert [one["name"] for one in games[other.id]["seats"]] == [""] * 3


def test_a_token_that_ended_is_a_strangers(fresh: httpx.Client) -> None:
    table = Table.open(fresh, seats=NAMED)
    assert table.post("tokens/seat-0/rotate", table.seats[0]).status_code == 201
    assert "Ann" not in fresh.get(table.path, headers=bearer(table.seats[0])).text
    assert "Ann" in fresh.get(table.path, headers=bearer(table.seats[1])).text
