"""An account's stream: all games of one player or integrator at once, exact after any break."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.driving import Table, bearer, problem, serving, settings
from tests.acceptance.streams.test_events import LIVE, commits, frames

NDJSON = {"Accept": "application/x-ndjson"}
EVENTS = "/v1/account/events"


class Account:
    """An account, as its holder uses it."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client
        answer = client.post("/v1/accounts")
        assert answer.status_code == 201, answer.text
        self.id: str = answer.json()["id"]
        self.key: str = answer.json()["key"]

    def bind(self, table: Table, name: str, token: str) -> httpx.Response:
        return self.client.put(f"{table.path}/tokens/{name}/account", json={"key": self.key}, headers=bearer(token))

    def get(self, query: str = "", **headers: str) -> httpx.Response:
        return self.client.get(f"{EVENTS}{query}", headers={**bearer(self.key), **headers})

    def shown(self) -> list[dict[str, Any]]:
        """The tokens that are bound to it."""
        found: list[dict[str, Any]] = self.client.get("/v1/account", headers=bearer(self.key)).json()["tokens"]
        return found

    def pages(self, limit: int, after: str = "") -> tuple[list[dict[str, Any]], str]:
        """All events behind a cursor, page by page, and the cursor behind them."""
        found: list[dict[str, Any]] = []
        while True:
            page = self.get(f"?limit={limit}&after={after}").json()
            assert len(page["events"]) <= limit
            found += page["events"]
            after = page["next"]
            if not page["more"]:
                return found, after


def told(table: Table, token: str, name: str) -> list[dict[str, Any]]:
    """What a token is told of its game, as an account that it is bound to is told it, without the cursors."""
    return [{"recipient": name, **event} for event in table.get("events", token).json()["events"]]


def bare(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in event.items() if name != "cursor"} for event in events]


def of(events: list[dict[str, Any]], table: Table, name: str) -> list[dict[str, Any]]:
    return [event for event in bare(events) if (event["source"], event["recipient"]) == (table.path, name)]


@pytest.fixture
def account(client: httpx.Client) -> Account:
    return Account(client)


def test_an_account_is_told_all_that_its_tokens_are_told_and_nothing_else(
    client: httpx.Client, account: Account
) -> None:
    first, second = Table.open(client), Table.open(client)
    for table in (first, second):
        table.play(6)
    assert account.bind(first, "seat-0", first.seats[0]).json() == {
        "game": first.id,
        "token": "seat-0",
        "role": "seat:0",
    }
    account.bind(first, "seat-1", first.seats[1])
    account.bind(second, "referee", second.referee)
    events, _ = account.pages(4)
    assert of(events, first, "seat-0") == told(first, first.seats[0], "seat-0")
    assert of(events, first, "seat-1") == told(first, first.seats[1], "seat-1")
    assert of(events, second, "referee") == told(second, second.referee, "referee")
    assert len(events) == 2 * first.version() + second.version()
    lines = account.get(**NDJSON).text.splitlines()
    assert bare(sorted(map(json.loads, lines), key=_where)) == bare(sorted(events, key=_where))


def test_an_account_is_told_the_sentences_of_each_of_its_roles_in_every_form(
    client: httpx.Client, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.follow.accounts.NARRATORS", 1)
    first, second = Table.open(client), Table.open(client)
    first.play(6)
    account.bind(first, "seat-0", first.seats[0])
    account.bind(first, "seat-1", first.seats[1])
    account.bind(second, "referee", second.referee)
    expected = [
        {"recipient": name, **event}
        for table, name, token in (
            (first, "seat-0", first.seats[0]),
            (first, "seat-1", first.seats[1]),
            (second, "referee", second.referee),
        )
        for event in table.get("events?sentences=true", token).json()["events"]
    ]
    lines = [json.loads(line) for line in account.get("?sentences=true", **NDJSON).text.splitlines()]
    assert sorted(bare(lines), key=_where) == sorted(expected, key=_where)
    paged, after, more = list[dict[str, Any]](), "", True
    while more:
        page = account.get(f"?sentences=true&limit=4&after={after}").json()
        paged, after, more = paged + page["events"], page["next"], page["more"]
    assert sorted(bare(paged), key=_where) == sorted(expected, key=_where)
    with client.stream("GET", f"{EVENTS}?sentences=true", headers={**bearer(account.key), **LIVE}) as answer:
        streamed = commits(frames(answer.iter_lines()), len(expected))
    told_live = bare([json.loads(frame["data"]) for frame in streamed])
    assert sorted(told_live, key=_where) == sorted(expected, key=_where)
    problem(account.get("?sentences=perhaps"), 400, "invalid-parameter")


def _where(event: dict[str, Any]) -> tuple[str, str, int]:
    return event["source"], event["recipient"], int(event["id"])


def test_each_event_s_cursor_goes_on_exactly_behind_it(client: httpx.Client, account: Account) -> None:
    tables = [Table.open(client) for _ in range(3)]
    for table in tables:
        account.bind(table, "host", table.host)
    events, last = account.pages(5)
    for number, event in enumerate(events):
        rest, _ = account.pages(100, event["cursor"])
        assert sorted(map(_where, events[: number + 1] + rest)) == sorted(map(_where, events))
    assert account.get(f"?after={last}").json() == {"events": [], "next": last, "more": False}


def test_the_live_stream_brings_every_game_and_is_resumed_without_loss_or_repeats(
    address: str, client: httpx.Client, account: Account
) -> None:
    tables = [Table.open(client) for _ in range(3)]
    for table in tables[:2]:
        account.bind(table, "spectator-1", table.spectator)
    seen: list[tuple[str, int]] = []
    last = ""
    for turn in range(4):
        tables[turn % 2].play(2, seed=turn)
        expected = sum(table.version() for table in tables[: 3 if turn == 3 else 2]) - len(seen)
        headers = {**bearer(account.key), **LIVE, "Last-Event-ID": last}
        with (
            httpx.Client(base_url=address, timeout=20) as follower,
            follower.stream("GET", EVENTS, headers=headers) as answer,
        ):
            stream = frames(answer.iter_lines())
            found = commits(stream, expected - 1)  # the connection breaks with something on its way
            if turn == 2:
                account.bind(tables[2], "spectator-1", tables[2].spectator)
                found += commits(stream, 2)
            tables[turn % 2].play(1, seed=turn)
            found += commits(stream, 1)
        for frame in found:
            event = json.loads(frame["data"])
            assert frame["id"] == event["cursor"]
            seen.append((event["source"], int(event["id"])))
            last = frame["id"]
    rest, _ = account.pages(100, last)
    seen += [(event["source"], int(event["id"])) for event in rest]
    for table in tables:
        numbers = [number for source, number in seen if source == table.path]
        assert numbers == list(range(1, table.version() + 1)), "each game in its order, each commit once"


def test_a_cursor_holds_after_a_restart_and_is_no_use_to_another_account(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db")
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        table, other, account = Table.open(client), Table.open(client), Account(client)
        account.bind(table, "seat-0", table.seats[0])
        before, cursor = account.pages(100)
        table.play(3)
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        account.client = table.client = other.client = client
        account.bind(other, "seat-0", other.seats[0])
        events, _ = account.pages(2, cursor)
        assert bare(before) + of(events, table, "seat-0") == told(table, table.seats[0], "seat-0")
        assert of(events, other, "seat-0") == told(other, other.seats[0], "seat-0")
        for wrong in ("x", cursor[:-2], cursor + "AAAA", "7", "A" * 40):
            problem(account.get(f"?after={wrong}"), 400, "invalid-cursor")
            problem(account.get(**LIVE, **{"Last-Event-ID": wrong}), 400, "invalid-cursor")


def test_another_account_s_cursor_is_refused(client: httpx.Client, table: Table, account: Account) -> None:
    account.bind(table, "host", table.host)
    _, cursor = account.pages(100)
    problem(Account(client).get(f"?after={cursor}"), 400, "invalid-cursor")


def test_a_binding_outlives_rotation_and_ends_with_the_token_or_by_request(table: Table, account: Account) -> None:
    account.bind(table, "seat-0", table.seats[0])
    rotated = table.post("tokens/seat-0/rotate", table.seats[0]).json()["token"]["secret"]
    assert [one["token"] for one in account.shown()] == ["seat-0"]
    assert len(account.pages(100)[0]) == table.version()
    replaced = table.post("seats/0/replace", table.host)
    assert replaced.status_code == 201, replaced.text
    assert account.shown() == [], "whoever takes the seat over is nobody's but their own"
    assert account.pages(100)[0] == []
    assert table.get("view", rotated).status_code == 401
    account.bind(table, "seat-1", table.seats[1])
    undone = table.client.delete(f"{table.path}/tokens/seat-1/account", headers=bearer(table.seats[1]))
    assert undone.status_code == 204
    assert account.shown() == []
    assert account.pages(100)[0] == []


def test_only_who_has_both_token_and_key_can_bind(client: httpx.Client, table: Table, account: Account) -> None:
    problem(account.bind(table, "seat-1", table.seats[0]), 403, "forbidden")
    problem(account.bind(table, "seat-0", "nothing"), 401, "unauthorized")
    stranger = Account(client)
    stranger.key = "account_guessed"
    problem(stranger.bind(table, "seat-0", table.seats[0]), 403, "forbidden")
    problem(client.get(EVENTS, headers=bearer(table.seats[0])), 401, "unauthorized")
    problem(client.get("/v1/account", headers=bearer(table.host)), 401, "unauthorized")
    problem(table.get("view", account.key), 403, "forbidden")
    problem(table.get("view", stranger.key), 401, "unauthorized")
    problem(client.get(EVENTS), 401, "unauthorized")


def test_a_game_is_opened_with_its_tokens_bound_to_an_account(client: httpx.Client, account: Account) -> None:
    hotseat = Table.open(client, account=account.key)
    invited = client.post("/v1/games", json={"edition": "second", "seats": [{}, {}, {}], "account": account.key}).json()

    everybody = ["host", "referee", "seat-0", "seat-1", "seat-2", "spectator-1"]
    bound = [(one["game"], one["token"]) for one in account.shown()]
    assert bound == [*((hotseat.id, token) for token in everybody), (invited["game"]["id"], "host")]
    events, _ = account.pages(100)
    assert of(events, hotseat, "seat-1") == told(hotseat, hotseat.seats[1], "seat-1")
    assert "account" not in invited["game"]


def test_a_retried_opening_binds_nothing_twice_and_a_full_account_does_not_refuse_it(tmp_path: Path) -> None:
    with (
        serving(settings(tmp_path / "log.db", tokens_per_account=6)) as address,
        httpx.Client(base_url=address) as client,
    ):
        account = Account(client)
        asked = {"edition": "second", "seats": [{}, {}, {}], "hotseat": True, "account": account.key}
        safely = {"Idempotency-Key": "0123456789abcdef"}
        first, again = (client.post("/v1/games", json=asked, headers=safely) for _ in range(2))
        assert (again.status_code, again.json()) == (first.status_code, first.json())
        assert len(account.shown()) == 6

        games = client.get("/v1/games").json()
        full = client.post("/v1/games", json={**asked, "hotseat": False})
        assert problem(full, 409, "account-full")["errors"][0]["pointer"] == "/account"
        unknown = client.post("/v1/games", json={**asked, "account": "omen_guessed"})
        assert problem(unknown, 422, "unknown-account")["errors"][0]["pointer"] == "/account"
        assert client.get("/v1/games").json() == games
        assert len(account.shown()) == 6


READS = ["view", "decisions", "decisions?wait=1", "brief", "board.svg", "diff?from=5", "trace", "reminders", "post"]


@pytest.mark.parametrize("what", READS)
def test_an_account_reads_a_game_as_its_token_does(table: Table, account: Account, what: str) -> None:
    account.bind(table, "seat-0", table.seats[0])
    with_token, with_key = table.get(what, table.seats[0]), table.get(what, account.key)
    assert with_key.status_code == 200, with_key.text
    assert (with_key.content, with_key.headers["etag"]) == (with_token.content, with_token.headers["etag"])


def test_an_account_with_several_roles_chooses_one_of_them(table: Table, account: Account) -> None:
    account.bind(table, "host", table.host)
    account.bind(table, "spectator-1", table.spectator)
    assert table.get("view", account.key).content == table.get("view", table.spectator).content  # they see the same
    account.bind(table, "seat-0", table.seats[0])
    account.bind(table, "seat-2", table.seats[2])

    asked = problem(table.get("view", account.key), 400, "several-roles")
    assert asked["errors"] == [{"pointer": "as", "detail": "One of seat:0, seat:2, spectator."}]
    for role, token in (("seat:0", table.seats[0]), ("seat:2", table.seats[2]), ("spectator", table.spectator)):
        assert table.get(f"view?as={role}", account.key).json() == table.get("view", token).json()
    for other in ("seat:1", "referee"):
        denied = problem(table.get(f"view?as={other}", account.key), 403, "forbidden")
        assert "seat:0, seat:2, spectator" in denied["detail"]
    problem(table.get("view?as=seat:9", account.key), 400, "invalid-parameter")

    account.bind(table, "referee", table.referee)
    assert table.get("view?as=seat:1", account.key).json() == table.get("view", table.seats[1]).json()


def test_an_account_only_reads_and_only_while_its_token_is_bound_and_holds(table: Table, account: Account) -> None:
    account.bind(table, "seat-0", table.seats[0])
    problem(table.post("commands", account.key, table.listed(table.awaited())[0]), 401, "unauthorized")
    problem(table.post("forks", account.key, {}), 401, "unauthorized")
    problem(account.client.get("/v1/games/aaaaaaaaaaaaaaaaaaaa/view", headers=bearer(account.key)), 403, "forbidden")
    rotated = table.post("tokens/seat-0/rotate", table.seats[0]).json()["token"]["secret"]
    assert table.get("view", account.key).json() == table.get("view", rotated).json()
    table.client.delete(f"{table.path}/tokens/seat-0/account", headers=bearer(rotated))
    problem(table.get("view", account.key), 403, "forbidden")


def test_streams_and_tokens_of_an_account_are_limited_and_a_stop_is_told(tmp_path: Path) -> None:
    chosen = settings(tmp_path / "log.db", tokens_per_account=1, streams_per_token=1, heartbeat=0.1)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table, account = Table.open(client), Account(client)
        account.bind(table, "host", table.host)
        problem(account.bind(table, "seat-0", table.seats[0]), 409, "account-full")
        assert account.bind(table, "host", table.host).status_code == 200
        follower = httpx.Client(base_url=address, timeout=20)
        request = follower.build_request("GET", EVENTS, headers={**bearer(account.key), **LIVE})
        answer = follower.send(request, stream=True)
        stream = frames(answer.iter_lines())
        last = commits(stream, table.version())[-1]["id"]
        assert next(stream) == {"comment": ""}
        problem(account.get(**LIVE), 429, "too-many-streams")
    ends = [frame for frame in stream if frame.get("event") == "end"]
    assert [json.loads(frame["data"]) for frame in ends] == [{"reason": "stopping", "cursor": last}]
    follower.close()
