"""What those meet who have no token of a game: whether they may open one, which games they find, and what they are told of them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from domain.facts.refusal import Refused
from openapi.writer.outside import Fixed
from service.audit.verdict import Outcome, audit
from service.bootstrap import Service, open_service
from service.games.lobby.catalogue import opener
from service.identity import Caller
from service.log.exported import parse_export
from service.log.facts import OPENER
from service.log.requests import ClaimSeat, Join, OpenGame, SeatWish
from service.problems import ProblemError
from service.settings import BadSetting, Settings
from service.store.port import GameRecord
from tests.acceptance.driving import OPENING, Table, bearer, problem, serving, settings
from tests.acceptance.streams.test_socket import joined
from tests.cli.invoking import omenlog
from tests.support import forked
from tests.support.running import open_game, service_on
from tests.support.shared_stores import empty_store

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
    monkeypatch.setattr("service.games.lobby.catalogue.LOOKED_AT", 2)
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


# -- what has not begun -------------------------------------------------------------------------------------------------


def test_an_address_opens_only_so_many_games_that_do_not_begin() -> None:
    chosen = settings("memory:", open_games_per_address=3, trusted_proxies="127.0.0.1")
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:

        def opened(where: str, **headers: str) -> httpx.Response:
            return client.post("/v1/games", json=OPENING, headers={"X-Forwarded-For": where, **headers})

        key = {"Idempotency-Key": "a-key-that-nobody-guesses"}
        mine = [opened("10.0.0.1", **(key if number == 1 else {})) for number in range(3)]
        assert [one.status_code for one in mine] == [201] * 3
        refused = opened("10.0.0.1")
        problem(refused, 429, "too-many-games")
        assert int(refused.headers["retry-after"]) == refused.json()["retry_after"]
        assert opened("10.0.0.1", **key).content == mine[1].content, "a retry takes no place"
        assert opened("10.0.0.2").status_code == 201, "another address has places of its own"
        table = Table(client, mine[0].json())
        assert table.post("start", table.host).status_code == 201
        assert opened("10.0.0.1").status_code == 201, "one has begun"
        problem(opened("10.0.0.1"), 429, "too-many-games")
        table = Table(client, mine[2].json())
        assert table.post("close", table.host).status_code == 201
        assert opened("10.0.0.1").status_code == 201, "one was closed"
        assert [opened(f"2001:db8::{number}").status_code for number in range(4)] == [201, 201, 201, 429]
        assert opened("2001:db8:0:1::1").status_code == 201, "another network"


async def test_many_at_once_do_not_get_more_places() -> None:
    with serving(settings("memory:", open_games_per_address=3)) as address:
        async with httpx.AsyncClient(base_url=address, timeout=20) as client:
            answers = await asyncio.gather(*(client.post("/v1/games", json=OPENING) for _ in range(9)))
    assert sorted(one.status_code for one in answers) == [201] * 3 + [429] * 6


def test_a_token_opens_only_so_many_games_that_do_not_begin() -> None:
    chosen = settings("memory:", open_games_per_token=2, trusted_proxies="127.0.0.1")
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        account = client.post("/v1/accounts").json()["key"]
        game = Table.open(client).host
        for shown in (account, game):
            codes = []
            for number in range(3):
                headers = {**bearer(shown), "X-Forwarded-For": f"10.0.1.{number}"}
                codes.append(client.post("/v1/games", json=OPENING, headers=headers).status_code)
            assert codes == [201, 201, 429], "however many addresses it comes from"
        assert client.post("/v1/games", json=OPENING, headers=bearer("omen_" + "x" * 43)).status_code == 201


def test_an_address_opens_so_many_accounts_in_a_day() -> None:
    chosen = settings("memory:", accounts_per_address=3, trusted_proxies="127.0.0.1", anonymous_rate=10_000)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:

        def opened(by: str) -> httpx.Response:
            return client.post("/v1/accounts", headers={"X-Forwarded-For": by})

        first = opened("10.0.0.1")
        assert first.headers["ratelimit-policy"] == '"accounts";q=3;w=86400'
        assert first.headers["ratelimit"].startswith('"accounts";r=2;')
        assert [opened("10.0.0.1").status_code for _ in range(3)] == [201, 201, 429]
        refused = opened("10.0.0.1")
        problem(refused, 429, "too-many-requests")
        assert 28_700 < int(refused.headers["retry-after"]) <= 28_800, "a third of a day"
        assert opened("10.0.0.2").status_code == 201
        network = [opened(f"2001:db8::{number}").status_code for number in range(4)]
        assert network == [201, 201, 201, 429], "a network of IPv6 counts as one"
        key = bearer(first.json()["key"])
        assert client.get("/v1/account", headers={**key, "X-Forwarded-For": "10.0.0.1"}).status_code == 200


def test_accounts_bring_no_more_games() -> None:
    """The quota of an address holds whatever is shown, so many accounts open as many games as none."""
    with (
        serving(settings("memory:", open_games_per_address=3)) as address,
        httpx.Client(base_url=address, timeout=20) as client,
    ):
        codes = []
        for _ in range(5):
            account = client.post("/v1/accounts").json()["key"]
            codes.append(client.post("/v1/games", json=OPENING, headers=bearer(account)).status_code)
        assert codes == [201, 201, 201, 429, 429]


def test_whoever_has_a_store_without_the_opening_key_finds_no_address_in_it() -> None:
    known = opener("10.0.0.1", None, KEY)
    assert known == opener("10.0.0.1", None, KEY)
    assert known not in (opener("10.0.0.1", None), opener("10.0.0.1", None, f"{KEY}x"), opener("10.0.0.2", None, KEY))
    plain = hashlib.sha256(b"10.0.0.1").hexdigest()
    assert plain not in (*known.values(), *opener("10.0.0.1", None).values())


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis"])
async def test_the_quota_holds_after_a_restart_and_at_another_process(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = "memory:" if kind == "memory" else empty_store(kind, request, tmp_path)
    who = opener("10.0.0.1", b"token")
    asked = OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True)
    one = await service_on(store, open_games_per_address=2)
    first = (await one.opening.open(asked, "", b"", who)).answer.game.id
    assert await one.store.get_texts(first, OPENER) == who
    assert "10.0.0.1" not in str(who)
    other = one if kind == "memory" else await service_on(store, salt="other", open_games_per_address=2)
    await other.opening.open(asked, "", b"", who)
    for service in (one, other):
        with pytest.raises(ProblemError, match="have not begun"):
            await service.opening.open(asked, "", b"", who)
    await one.life.start(Caller(first, "host", "host"), "", b"")
    assert await one.store.get_texts(first, OPENER) == {}, "it matters no more who opened it"
    await other.opening.open(asked, "", b"", who)
    for service in [one] if other is one else [one, other]:
        await service.close()


FORTNIGHT = 1_209_600


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis"])
async def test_a_game_that_nobody_starts_is_abandoned_and_stays(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    store = "memory:" if kind == "memory" else empty_store(kind, request, tmp_path)
    service = await service_on(store, open_games_per_address=2)
    clock = cast("Fixed", service.attendant._outside)  # noqa: SLF001 -- the clock that all of it reads
    who = opener("10.0.0.1", None)
    asked = OpenGame(edition="second", seats=[SeatWish(name="Ann"), SeatWish(), SeatWish()])
    made = (await service.opening.open(asked, "", b"", who)).answer
    running = await open_game(service)
    clock.leap(FORTNIGHT - 600)
    young = (await service.opening.open(asked, "", b"", who)).answer
    await service.attendant.sweep()
    assert await statuses(service, made.game.id, young.game.id, running) == ["open", "open", "started"]
    clock.leap(700)
    await service.attendant.sweep()
    assert await statuses(service, made.game.id, young.game.id, running) == ["abandoned", "open", "started"]
    game = made.game.id
    shown = await service.reading.game(game, Caller(game, "host", "host"))
    assert (shown.version, shown.because) == (2, "Nobody started the game within 14 days.")
    assert shown.seats[0].name == "Ann", "nothing is deleted"
    for claiming in (
        service.life.claim(game, 0, ClaimSeat(invite=made.invites.seats[0].secret), "", b""),
        service.life.start(Caller(game, "host", "host"), "", b""),
    ):
        with pytest.raises(Refused, match="Nobody started the game within 14 days") as refused:
            await claiming
        assert refused.value.problem == "game-over"
    assert made.invites.referee is not None
    for place, invite in (("spectator", made.invites.spectators[0]), ("referee", made.invites.referee)):
        with pytest.raises(ProblemError, match="Nobody started the game within 14 days"):
            await service.life.join(game, place, Join(invite=invite.secret), "")
    export = parse_export(await service.exporting.whole(game))
    assert audit(export).outcome is Outcome.EXACT
    await service.opening.open(asked, "", b"", who)
    await service.close()


async def statuses(service: Service, *games: str) -> list[str]:
    return [(await service.reading.game(game)).status for game in games]


async def test_a_game_that_is_started_in_the_last_moment_is_not_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    service = await service_on(open_lifetime=60)
    asked = OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True)
    game = (await service.opening.open(asked, "", b"")).answer.game.id
    cast("Fixed", service.attendant._outside).leap(70)  # noqa: SLF001 -- as above
    await service.tables.live(game)
    look = service.store.get_game

    async def raced(name: str) -> GameRecord | None:
        found = await look(name)
        monkeypatch.setattr(service.store, "get_game", look)
        await service.life.start(Caller(game, "host", "host"), "", b"")
        return found

    monkeypatch.setattr(service.store, "get_game", raced)
    await service.attendant.look(game)
    assert await statuses(service, game) == ["started"]


async def test_without_a_lifetime_games_wait_for_ever() -> None:
    service = await service_on(open_lifetime=0)
    asked = OpenGame(edition="second", seats=[SeatWish()] * 3, hotseat=True)
    game = (await service.opening.open(asked, "", b"")).answer.game.id
    cast("Fixed", service.attendant._outside).leap(2 * FORTNIGHT)  # noqa: SLF001 -- as above
    await service.attendant.sweep()
    assert await statuses(service, game) == ["open"]


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


# -- public records -----------------------------------------------------------------------------------------------------


def finished(client: httpx.Client, **options: object) -> Table:
    """A game that has come to its end, after one turn."""
    table = Table.open(client, options={"turn_limit": 1, **options})
    table.play(60)
    assert client.get(table.path).json()["status"] == "finished"
    return table


def test_anybody_exports_a_public_record(fresh: httpx.Client) -> None:
    table = finished(fresh, public_record=True)
    other = Table.open(fresh)
    mine = table.get("export", table.seats[0])
    for headers in ({}, bearer(other.host), bearer("omen_" + "x" * 43)):
        answer = fresh.get(f"{table.path}/export", headers=headers)
        assert answer.status_code == 200, answer.text
        assert answer.content == mine.content
        assert answer.headers["etag"] == mine.headers["etag"]
    assert audit(parse_export(mine.content)).outcome is Outcome.EXACT
    for what in ("view", "events", "trace"):
        problem(fresh.get(f"{table.path}/{what}"), 401, "unauthorized")


def test_no_stranger_exports_what_is_not_finished_disclosed_and_public(fresh: httpx.Client) -> None:
    going = Table.open(fresh, options={"public_record": True})
    closed = Table.open(fresh, options={"public_record": True})
    assert closed.post("close", closed.host).status_code == 201
    others = (finished(fresh), finished(fresh, public_record=True, disclosure="never"), going, closed)
    nowhere = fresh.get(f"/v1/games/{'a' * 20}/export")
    for table in others:
        answer = fresh.get(f"{table.path}/export")
        problem(answer, 401, "unauthorized")
        assert answer.content == nowhere.content
        problem(fresh.get(f"{table.path}/export", headers=bearer(finished(fresh).host)), 403, "forbidden")
        assert table.get("export", table.seats[0]).status_code == 200


# -- logs ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["info", "debug"])
def test_no_log_holds_a_query_string(level: str, tmp_path: Path) -> None:
    with (
        forked.serving(tmp_path, store="memory:", log_level=level, log_requests="true") as (address, log),
        httpx.Client(base_url=address, timeout=20) as client,
    ):
        table = Table.open(client)
        for what in ("view", "events", "nothing", "socket"):
            for token in (table.host, "x"):
                table.get(f"{what}?after=0&note=my-secret-note", token)
        client.get("/v1/games?after=my-secret-note")
        client.post("/v1/games?note=my-secret-note", content=b"{")
        for token in (table.host, "x"):
            with (
                contextlib.suppress(InvalidStatus),
                joined(address, table, token, "?after=0&note=my-secret-note"),
            ):
                pass
    told = log.read_text()
    assert "/view" in told
    assert "/socket" in told
    assert "my-secret-note" not in told
