"""What holds for every part of the page: addresses, secrets, the link, and what to do where something went wrong."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from openapi.writer.outside import Fixed
from service.cli.play.demo import ServiceProcess
from service.cli.play.invites import Invite
from service.http.gather import DECLARED, WORD
from tests.acceptance.driving import Table, serving, settings
from tests.node import TABLE, VENDOR
from tests.support.chromium import LIVING_ROOM
from tests.table.conftest import MakeScreen
from tests.table.screens import PHONE, Screen

NOWHERE = "a" * 20
HEARTBEAT = 2
"""Seconds between the signs of life of a service that is killed."""
WRONG = "omen_" + "x" * 43


def says(screen: Screen, title: str) -> None:
    screen.page.get_by_role("heading", level=1, name=title).wait_for()


def places(screen: Screen) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(screen.stored().get("omenlog:places", "[]"))
    return found


def test_no_module_has_a_name_at_its_top_that_the_browser_gives_to_all(screen: Screen) -> None:
    """Modules stand in one scope when they are sent, where `open` of one would be `open` of all."""
    modules = [file.read_text(encoding="utf-8") for file in TABLE.rglob("*.js") if file.parent != VENDOR]
    names = {name for code in modules for those in DECLARED.findall(code) for name in WORD.findall(those)}
    screen.open("/")
    given = screen.page.evaluate(
        "() => { const found = []; for (let one = window; one; one = Object.getPrototypeOf(one)) "
        "found.push(...Object.getOwnPropertyNames(one)); return found; }"
    )
    assert {"open", "Notification", "addEventListener"} <= set(given)
    assert names & set(given) == set()


# -- addresses and secrets ----------------------------------------------------------------------------------------------


def test_a_place_from_another_device_is_kept_and_its_token_leaves_the_address(screen: Screen, table: Table) -> None:
    screen.open(f"/g/{table.id}/as/{table.seats[1]}")
    screen.shows("table", version=table.version())
    assert screen.page.url == f"{screen.address}/#/g/{table.id}"
    assert [(one["role"], one["token"]) for one in places(screen)] == [("seat:1", table.seats[1])]
    screen.page.reload()
    screen.shows("table")
    assert [one for one in screen.stored() if "link" in one] == [], "the secret is kept once"
    for used in ("as", "join/seat-1"):
        screen.open(f"/g/{table.id}/{used}")  # loaded anew while its secret was being used
        screen.shows("table")
        assert screen.page.url == f"{screen.address}/#/g/{table.id}"


def test_a_token_that_does_not_hold_leaves_the_place_that_is_kept(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[1])
    screen.open(f"/g/{table.id}/as/{WRONG}")
    says(screen, "This link does not work")
    assert "Authorization" not in screen.page.locator("main").inner_text()
    assert WRONG not in screen.page.url + str(screen.stored())
    screen.open(f"/g/{table.id}")
    screen.shows("table")
    assert [one["token"] for one in places(screen)] == [table.seats[1]]


def test_an_invite_leaves_the_address_at_once_and_outlives_a_reload(screen: Screen, client: httpx.Client) -> None:
    opened = client.post("/v1/games", json={"edition": "second", "seats": [{}, {}, {}]}).json()
    game, invite = opened["game"]["id"], opened["invites"]["seats"][1]["secret"]
    screen.open(f"/g/{game}/join/seat-1/{invite}")
    take = screen.page.get_by_role("button", name="Take this seat")
    take.wait_for()
    assert screen.page.url == f"{screen.address}/#/g/{game}/join/seat-1"
    screen.page.reload()
    take.wait_for()
    assert invite in str(screen.stored())


def test_an_invite_that_a_terminal_printed_opens_here(screen: Screen, table: Table) -> None:
    printed = str(Invite(url=screen.address, game=table.id, place="1", secret=WRONG))
    for link in (printed, printed.replace("seat-1", "1")):
        screen.page.goto(link)
        screen.shows("lobby", link="")
        assert screen.page.url == f"{screen.address}/#/g/{table.id}/join/seat-1"


def test_an_unknown_address_is_said_and_leads_to_the_lobby(screen: Screen) -> None:
    escaped = f"/g/{NOWHERE}/as/{WRONG.replace('_', '%5F')}"
    for fragment in (
        escaped,
        "/nothing",
        "/g/short",
        f"/g/{NOWHERE}/join/seat-9/{WRONG}",
        f"/g/{NOWHERE}/at/x",
        "/g/<b>",
    ):
        screen.open(fragment)
        says(screen, "There is nothing at this address")
        assert WRONG[-8:] not in screen.page.url, "nor does a secret stay in it"
        screen.page.get_by_role("link", name="To the lobby").click()
        screen.shows("lobby", link="")


def test_a_table_where_one_has_no_place_says_how_to_get_one_and_takes_a_link(screen: Screen, table: Table) -> None:
    screen.open(f"/g/{table.id}")
    says(screen, "You have no place at this table on this device")
    entry = screen.page.get_by_label("Link to your place")
    entry.fill("see you at eight")
    screen.press("Open")
    screen.page.get_by_role("alert").get_by_text("not a link to this table").wait_for()
    entry.fill(f"Game #2: here it is, https://elsewhere.example/#/g/{table.id}/as/{table.seats[2]}. See you!")
    screen.press("Open")
    screen.shows("table")


def test_a_token_that_was_rotated_elsewhere_is_said_with_the_way_back(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[0])
    answer = table.post("tokens/seat-0/rotate", table.seats[0])
    assert answer.status_code == 201
    says(screen, "Your place has been closed here")
    screen.page.get_by_text("The connection is lost.").wait_for(state="detached")
    screen.open(f"/g/{table.id}/as/{answer.json()['token']['secret']}")
    screen.shows("table")


def test_a_game_that_is_gone_is_said_and_can_be_forgotten(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[0])
    screen.page.evaluate(
        "(nowhere) => localStorage.setItem('omenlog:places', localStorage.getItem('omenlog:places').replace(/[a-z2-7]{20}/, nowhere))",
        NOWHERE,
    )
    screen.open(f"/g/{NOWHERE}")
    screen.page.reload()
    says(screen, "There is no such game")
    screen.press("Forget this place")
    screen.shows("lobby", link="")
    assert places(screen) == []


def test_two_tabs_agree(screen: Screen, table: Table) -> None:
    token = table.awaited()
    screen.sit(table.id, token)
    other = screen.context.new_page()
    screen.open(f"/g/{table.id}", other)
    version = table.version()
    screen.page.locator(".commands button:enabled").first.click()
    other.locator(f'main[data-version="{version + 1}"]').wait_for()
    screen.page.evaluate("() => localStorage.clear()")
    other.evaluate("() => localStorage.setItem('omenlog:places', '[]')")
    screen.page.get_by_role("heading", name="You have no place at this table on this device").wait_for()


def test_a_phone_in_a_living_room_plays_by_plain_http(screens: MakeScreen, address: str, table: Table) -> None:
    """Browsers withhold much of what pages can do there."""
    screen = screens(address.replace("127.0.0.1", LIVING_ROOM), **PHONE)
    screen.sit(table.id, table.awaited())
    assert screen.page.evaluate("() => [isSecureContext, typeof crypto.randomUUID]") == [False, "undefined"]
    screen.page.get_by_role("button", name="Sound on my turn").wait_for()
    assert screen.page.get_by_role("button", name="Notify me on my turn").count() == 0
    version = table.version()
    screen.page.locator(".commands button").first.click()
    screen.shows("table", version=version + 1)


# -- the link -----------------------------------------------------------------------------------------------------------


@contextmanager
def restartable(store: Path) -> Iterator[tuple[str, Any]]:
    """A service on a port that stays the same; gives its address, and what starts it again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    chosen = settings(store, port=port, token_rate=0, anonymous_rate=0, heartbeat=1)
    count = iter(range(9))
    yield f"http://127.0.0.1:{port}", lambda: serving(chosen, Fixed(f"start {next(count)}"))


def test_the_service_stops_and_starts_again(screens: MakeScreen, tmp_path: Path) -> None:
    """It is said, the board stays, controls wait, and what happened meanwhile is there once."""
    with restartable(tmp_path / "log.db") as (address, start), httpx.Client(base_url=address, timeout=20) as client:
        with start():
            table = Table.open(client)
            screen = screens(address)
            screen.breaks = True
            screen.sit(table.id, table.awaited())
            version = table.version()
        screen.shows("table", version=version, link="lost")
        screen.page.get_by_text("The connection is lost.").wait_for()
        buttons = screen.page.locator(".commands button")
        assert buttons.count() > 1
        assert all(one.is_disabled() for one in buttons.all())
        with start():
            table.play(2)
            screen.shows("table", version=table.version())
            screen.page.get_by_text("The connection is lost.").wait_for(state="detached")
            numbers = [one["number"] for one in table.get("trace", table.host).json()["steps"]]
            assert screen.page.locator(".log > li").count() == len(numbers)


def test_a_part_first_opened_without_a_connection_comes_once_it_is_back(screens: MakeScreen, tmp_path: Path) -> None:
    """Nobody has to press *Try again*, whichever end the connection broke at."""
    with restartable(tmp_path / "log.db") as (address, start), httpx.Client(base_url=address, timeout=20) as client:
        with start():
            table = Table.open(client)
            screen = screens(address)
            screen.breaks = True
            screen.sit(table.id, table.referee)
        screen.page.get_by_role("link", name=re.compile("^Desk")).click()
        says(screen, "Part of the page did not load")
        screen.page.get_by_text("It comes by itself once the connection is back").wait_for()
        with start():
            screen.shows("desk", version=table.version())
            screen.page.locator(".desk").wait_for()
            screen.page.context.set_offline(True)
            screen.page.evaluate("() => { location.hash = '#/' }")
            says(screen, "Part of the page did not load")
            screen.page.context.set_offline(False)
            screen.page.get_by_role("button", name="Open the game").wait_for()


@pytest.mark.parametrize("is_done", [False, True], ids=["before it came", "before it was answered"])
def test_the_service_is_killed_while_a_command_is_on_its_way(
    screens: MakeScreen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_done: bool
) -> None:
    """Nothing is lost, and nothing is done twice: the command is sent again under its key, and the page goes on at its cursor."""
    monkeypatch.setenv("OMENLOG_HEARTBEAT", str(HEARTBEAT))
    keys: list[str] = []
    connected: list[str] = []
    with ServiceProcess(tmp_path, packs="second-edition") as killed:
        with httpx.Client(base_url=killed.url, timeout=20) as client:
            table = Table.open(client, setup={"first_seat": 0})
            before = table.version()
        screen = screens(killed.url)
        screen.breaks = True
        screen.page.on("websocket", lambda socket: connected.append(socket.url))
        screen.sit(table.id, table.seats[0])

        def kill(route: Route) -> None:
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) > 1:
                route.continue_()
                return
            if is_done:
                route.fetch()
            killed.kill()
            route.abort()

        screen.page.route("**/commands?*", kill)
        log = screen.page.locator(".log > li")
        expect(log).to_have_count(before)
        screen.press("Move to the Foyer (1 space)")
        screen.page.locator('main[data-link="lost"]').wait_for(timeout=2000 * HEARTBEAT)
        screen.page.get_by_text("The connection is lost. You can read the board").wait_for()
        buttons = screen.page.locator(".deeds .commands button")
        assert buttons.count() > 1
        assert all(one.is_disabled() for one in buttons.all())
        # The Foyer, or the room that was left for it, if that was told before the kill.
        expect(screen.page.locator('.house [data-key^="room/"][aria-disabled]')).not_to_have_count(0)
        screen.page.locator(".tabs button", has_text="Explorers").click()
        screen.page.get_by_role("heading", name="Stacks").wait_for()
        screen.page.locator(".tabs button", has_text="Log").click()
        log.nth(before - 1).wait_for()
    with (
        ServiceProcess(tmp_path, int(killed.url.rpartition(":")[2]), "second-edition") as again,
        httpx.Client(base_url=again.url, timeout=20) as client,
    ):
        screen.shows("table", version=before + 1)
        expect(log).to_have_count(before + 1)
        expect(log.last).to_contain_text("goes to the Foyer")
        cursor = int(parse_qs(urlsplit(connected[-1]).query)["after"][0])
        assert cursor in (before, before + is_done), "what was done may have been told before the kill"
        table.client = client
        assert table.version() == before + 1, "it happened once"
        assert len(keys) > 1
        assert len(set(keys)) == 1
        screen.until(lambda: not any("request" in one for one in screen.stored()))
        screen.page.get_by_text("The connection is lost.").wait_for(state="detached")


def test_a_silent_connection_is_said_to_be_lost_within_two_heartbeats(screens: MakeScreen, table: Table) -> None:
    """Nothing closes it: a proxy that has forgotten it, a phone that has left the house."""
    screen = screens()
    sockets: list[WebSocketRoute] = []

    def be_silent(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if len(sockets) == 1:
            socket.connect_to_server().on_message(lambda frame: socket.send(frame) if '"hello"' in str(frame) else None)

    screen.page.route_web_socket(re.compile("/socket"), be_silent)
    screen.open(f"/g/{table.id}/as/{table.seats[0]}")
    screen.shows("table")
    begun = time.monotonic()
    screen.shows("table", link="lost")
    assert 1 < time.monotonic() - begun < 4, "twice a heartbeat of one second, and what a busy machine takes"


def test_a_game_that_is_over_stays_on_screen_and_waits_for_nothing(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.spectator)
    assert table.post("close", table.host).status_code == 201
    screen.shows("table", version=table.version(), link="over")
    screen.page.reload()
    screen.shows("table", version=table.version(), link="over")


def test_a_command_whose_answer_is_lost_is_sent_again_and_done_once(screens: MakeScreen, table: Table) -> None:
    screen = screens()
    screen.breaks = True
    screen.sit(table.id, table.awaited())
    before = table.version()
    keys: list[str] = []

    def lose_first(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        answer = route.fetch()
        if len(keys) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    screen.page.route("**/commands?*", lose_first)
    with screen.page.expect_response("**/commands?*"):  # the first has none
        screen.page.locator(".commands button").first.click()
    screen.shows("table", version=before + 1)
    screen.until(lambda: len(keys) == 2 and not any("request" in one for one in screen.stored()))
    assert len(set(keys)) == 1
    assert table.version() == before + 1
    assert screen.page.get_by_role("alert").inner_text() == ""


def test_a_command_left_by_a_page_that_was_closed_is_sent_again_by_the_next(screens: MakeScreen, table: Table) -> None:
    screen = screens()
    screen.breaks = True
    token = table.awaited()
    screen.sit(table.id, token)
    before = table.version()
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.method)
        route.abort()

    screen.page.route("**/commands?*", lose)
    screen.page.locator(".commands button").first.click()
    screen.until(lambda: asked)
    screen.page.unroute_all()
    screen.page.reload()
    screen.shows("table", version=before + 1)


def test_a_command_that_a_gateway_swallows_is_sent_again_when_its_player_returns(
    screens: MakeScreen, table: Table
) -> None:
    screen = screens()
    screen.breaks = True
    screen.sit(table.id, table.awaited())
    before = table.version()
    keys: list[str] = []

    def swallow(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        route.fulfill(status=502, content_type="text/html", body="<h1>Bad gateway</h1>")

    screen.page.route("**/commands?*", swallow)
    screen.page.locator(".commands button").first.click()
    screen.page.locator(".commands button:disabled").first.wait_for()
    screen.open("/")
    screen.page.locator("main[data-part=lobby]").wait_for()
    screen.page.unroute_all()
    with screen.page.expect_request("**/commands?*") as sent:
        screen.open(f"/g/{table.id}")
    assert sent.value.headers["idempotency-key"] in keys
    screen.shows("table", version=before + 1)
    assert len(set(keys)) == 1
    screen.complaints = [one for one in screen.complaints if "status of 502" not in one]


def test_requests_that_are_never_answered_are_sent_again_and_done_once(screens: MakeScreen, table: Table) -> None:
    """A connection that died without a word: neither a command nor another's screen after it waits for it forever."""
    screen, other = screens(), screens()
    for one, token in ((screen, table.awaited()), (other, table.spectator)):
        one.breaks = True
        one.page.add_init_script(
            "const later = setTimeout; window.setTimeout = (what, ms) => later(what, ms >= 10_000 ? ms / 5 : ms);"
        )
        one.sit(table.id, token)
    before = table.version()
    keys: list[str] = []
    screens_asked: list[str] = []

    def forget_command(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()  # it is done, and nobody is told
        else:
            route.continue_()

    def forget_screen(route: Route) -> None:
        screens_asked.append(route.request.url)
        if len(screens_asked) > 1:
            route.continue_()

    screen.page.route("**/commands?*", forget_command)
    other.page.route("**/screen?*", forget_screen)
    screen.page.locator(".commands button").first.click()
    for one in (screen, other):
        one.shows("table", version=before + 1)
    screen.page.locator(".commands button:enabled").first.wait_for()
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert len(screens_asked) > 1
    assert table.version() == before + 1


def test_a_click_asks_once_and_is_answered_with_the_board(screens: MakeScreen, table: Table) -> None:
    """The board comes with the answer; that somebody else was quicker meanwhile is found out by one more request."""
    screen = screens()
    screen.sit(table.id, table.awaited())
    screen.until(lambda: any(one.url.endswith("/messages") for one in screen.requests))
    before = table.version()
    asked: list[str] = []
    screen.page.on("request", lambda one: asked.append(one.url))
    screen.page.locator(".commands button").first.click()
    screen.shows("table", version=before + 1)
    screen.page.locator(f'.log [data-number="{before + 1}"]').wait_for()
    assert [one.rpartition("/")[2] for one in asked] == ["commands?screen=true"]

    def follow_up(route: Route) -> None:
        answer = route.fetch()
        table.play(1)
        screen.until(lambda: table.version() == before + 3)
        route.fulfill(response=answer)

    screen.page.route("**/commands?*", follow_up)
    screen.page.locator(".commands button").first.click()
    screen.shows("table", version=before + 3)
    for number in (before + 2, before + 3):
        assert screen.page.locator(f'.log [data-number="{number}"]').count() == 1


def test_a_stale_command_is_refused_and_the_board_moves_on(screens: MakeScreen, table: Table) -> None:
    """Two devices in one place: the second click is about a board that is no more, and is not repeated."""
    token = table.awaited()
    first, second = screens(), screens()
    for one in (first, second):
        one.sit(table.id, token)
    version = table.version()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    second.page.route("**/commands?*", hold)
    second.page.locator(".commands button").first.click()
    first.page.locator(".commands button").first.click()
    first.shows("table", version=version + 1)
    second.shows("table", version=version + 1)
    held[0].continue_()
    second.page.locator(".commands button:enabled").first.wait_for()
    assert table.version() == version + 1
    said = second.page.get_by_role("alert").inner_text()
    assert f"version {version + 1}" in said


def test_the_service_or_a_proxy_asks_to_wait_and_is_waited_for(screens: MakeScreen, table: Table) -> None:
    screen = screens()
    asked: list[str] = []

    def limit(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 4:
            route.continue_()
            return
        status, code = ((429, "too-many-requests"), (503, "busy"), (502, ""), (502, ""))[len(asked) - 1]
        if not code:
            route.fulfill(status=status, content_type="text/html", body="<h1>Bad gateway</h1>")
            return
        problem = {"type": f"/v1/problems/{code}", "title": f"Said {status}", "status": status, "detail": "Wait."}
        body = json.dumps({**problem, "code": code, "retry_after": 1})
        route.fulfill(status=status, content_type="application/problem+json", body=body)

    screen.page.route("**/screen", limit)
    screen.open(f"/g/{table.id}/as/{table.seats[0]}")
    screen.page.get_by_text("Said 429").wait_for()
    screen.page.get_by_text("Said 503").wait_for()
    screen.page.get_by_text("The service does not answer.").wait_for()  # that was a proxy, which knows no better
    screen.shows("table")
    assert len(asked) == 5
    screen.complaints = [one for one in screen.complaints if "status of 50" not in one]


# -- what the tests themselves would notice ------------------------------------------------------------------------------

FAULTY = """async () => {
  document.body.setAttribute("style", "color: red");
  try { document.body.innerHTML = "<p>"; } catch { document.title = "refused"; }
  await fetch("/v1/nothing", {method: "POST", body: "{}", headers: {"Content-Type": "application/json"}});
  await fetch("/v1/games?page=2");
  await fetch("/v1/games", {method: "POST", body: '{"seats": 3}', headers: {"Content-Type": "application/json"}});
}"""


def test_a_screen_notices_what_the_policy_and_the_contract_forbid(screen: Screen) -> None:
    screen.open()
    screen.page.evaluate(FAULTY)
    assert screen.page.title() == "refused"
    told = "\n".join(screen.faults())
    assert "inline style" in told
    assert "TrustedHTML" in told
    assert "POST /v1/nothing is not in the contract" in told
    assert "GET /v1/games takes no page" in told
    assert "POST /v1/games: " in told
    screen.complaints.clear()
    screen.requests.clear()


# -- what it looks like -------------------------------------------------------------------------------------------------


def test_pages_that_say_what_went_wrong_are_accessible(screen: Screen) -> None:
    screen.open(f"/g/{NOWHERE}")
    says(screen, "You have no place at this table on this device")
    assert screen.inaccessible() == []
