"""The lobby: games are opened, joined, shared on one screen, taken elsewhere, imported, as a group does it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Route, expect

from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, serving, settings
from tests.acceptance.packs.writing import haunt_file
from tests.table.conftest import MakeScreen
from tests.table.screens import DARK, PHONE, Screen

HOSTILE = "<img src=x onerror=alert(1)>'\"&amp;"
SEATED = "The door is open"


def game_of(screen: Screen) -> str:
    found = re.search(r"/g/([a-z2-7]{20})", screen.page.url)
    assert found, screen.page.url
    return found[1]


def invites(screen: Screen) -> dict[str, str]:
    found: dict[str, str] = json.loads(screen.stored().get(f"omenlog:invites:{game_of(screen)}", "{}"))
    return found


def open_game(screen: Screen, *names: str, explorers: Sequence[str] = (), advanced: str = "") -> str:
    """Fill in the form at the front door, for one screen if there are explorers; gives the game."""
    screen.open()
    screen.page.get_by_role("button", name="Open the game").wait_for()
    if explorers:
        screen.page.get_by_label("We all play on this one screen").check()
    for seat, name in enumerate(names):
        screen.page.get_by_label(f"Name for seat {seat}").fill(name)
    for seat, explorer in enumerate(explorers):
        screen.page.get_by_label(f"Explorer for seat {seat}").select_option(explorer)
    if advanced:
        screen.page.get_by_text("Advanced").click()
        screen.page.get_by_label("More of the request, as JSON").fill(advanced)
    screen.press("Open the game")
    screen.page.get_by_role("heading", name=SEATED).wait_for()
    return game_of(screen)


def invited(screen: Screen, game: str, place: str, invite: str) -> None:
    screen.open(f"/g/{game}/join/{place}/{invite}")
    screen.page.get_by_role("heading", name="You are invited").wait_for()


def text(screen: Screen) -> str:
    return screen.page.locator("main").inner_text()


def test_a_game_is_opened_joined_on_three_screens_and_begun(screens: MakeScreen) -> None:
    laptop, phone, tablet = screens(), screens(**PHONE, **DARK), screens()
    game = open_game(laptop, "Ada", HOSTILE, "")
    assert laptop.page.get_by_role("button", name="Begin the game").is_disabled()
    assert f"as soon as they are here: Ada, {HOSTILE}, Seat 2" in text(laptop)
    assert laptop.inaccessible() == []
    links = invites(laptop)
    assert list(links) == ["seat-0", "seat-1", "seat-2", "referee", "spectator-1"]

    laptop.page.get_by_text("Link for Ada", exact=True).click()
    shown = laptop.page.get_by_label("Link to copy").first.input_value()
    assert shown == f"{laptop.address}/#/g/{game}/join/seat-0/{links['seat-0']}"
    laptop.page.get_by_role("button", name="Show the QR code").first.click()
    laptop.page.get_by_role("img", name="QR code: Ada").wait_for()
    laptop.page.get_by_role("button", name="Take this place here").first.click()
    laptop.page.get_by_text("Ox Bellows").click()
    laptop.press("Take this seat")
    laptop.page.get_by_text("Ada (you)").wait_for()

    invited(phone, game, "seat-1", links["seat-1"])
    assert phone.page.url == f"{phone.address}/#/g/{game}/join/seat-1", "the invite leaves the address at once"
    explorers = phone.page.get_by_role("radio")
    explorers.nth(1).wait_for()
    assert explorers.count() == 11, "chance and twelve explorers, without Ox Bellows and the other side of his card"
    assert phone.inaccessible() == []
    drawn = phone.page.get_by_label("Your part of the dice").input_value()
    assert len(drawn) == 24
    phone.press("Draw again")
    assert phone.page.get_by_label("Your part of the dice").input_value() != drawn
    phone.page.get_by_label("Your part of the dice").fill("no spaces")
    phone.press("Take this seat")
    phone.page.get_by_text("Letters, digits and").wait_for()
    phone.page.get_by_label("Your part of the dice").fill("rabbit")
    phone.page.get_by_label("Your name").fill("ada")
    phone.press("Take this seat")
    phone.page.get_by_text("Seat 0 has a name that looks the same: choose another.").wait_for()
    phone.page.get_by_label("Your name").fill(HOSTILE)
    phone.press("Take this seat")
    phone.page.get_by_role("heading", name=SEATED).wait_for()
    assert phone.page.url == f"{phone.address}/#/g/{game}"
    assert "Whoever opened the game begins it" in text(phone)

    invited(tablet, game, "seat-2", links["seat-2"])
    tablet.press("Take this seat")
    laptop.page.get_by_text("Everybody is here.").wait_for()
    assert set(invites(laptop)) == {"referee", "spectator-1"}, "used ones are dropped"
    laptop.press("Begin the game")
    for screen in (laptop, phone, tablet):
        screen.shows("table")
        stored = screen.stored()
        assert [one for one in stored if "request" in one or "link" in one] == []
        assert not re.search("omen_", screen.page.url)


def test_each_edition_is_offered_by_its_name_and_with_its_pack_where_several_are_played_by_it(
    screens: MakeScreen, outside: Fixed, tmp_path: Path
) -> None:
    both = ["Second edition", "By post, with a moderator"]
    screen = screens()
    screen.open()
    expect(screen.page.get_by_label("Edition").locator("option")).to_have_text(both)
    packs = f"second-edition,{haunt_file(tmp_path)}"
    with serving(settings("memory:", packs=packs), outside) as address:
        screen = screens(address)
        screen.open()
        titles = ["Betrayal at House on the Hill, second edition", "Our Bell"]
        labels = [f"{edition}: {title}" for title in titles for edition in both]
        expect(screen.page.get_by_label("Edition").locator("option")).to_have_text(labels)
        screen.page.get_by_label("Edition").select_option(label=labels[-1])
        screen.press("Open the game")
        screen.page.get_by_role("heading", name=SEATED).wait_for()
        found = httpx.get(f"{address}/v1/games/{game_of(screen)}").json()
        assert (found["edition"], found["pack"], found["randomness"]) == ("play-by-post", "our-bell", "seeded")
        screen.page.get_by_text("Link for the co-moderator", exact=True).wait_for()  # whoever rolls the dice


def test_what_is_wrong_with_a_game_is_said_at_its_field(screen: Screen) -> None:
    screen.open()
    screen.page.get_by_role("button", name="Open the game").wait_for()
    for number in (1, 2):
        screen.page.get_by_label(f"Name for seat {number - 1}").fill("Ada")
    screen.press("Open the game")
    field = screen.page.get_by_label("Name for seat 1")
    screen.page.locator('[name="name-1"][aria-invalid="true"]').wait_for()
    described = field.get_attribute("aria-describedby") or ""
    assert screen.page.locator(f'[id="{described}"]').inner_text() == "Seat 0 has that name: choose another."
    field.fill("Ben")
    screen.page.get_by_text("Advanced").click()
    advanced = screen.page.get_by_label("More of the request, as JSON")
    advanced.fill('{\n  "options": {\n    "turn_limit" 4\n  }\n}')
    screen.page.get_by_text("Line 3, column 18").wait_for()
    advanced.fill('{"options": {"haunt": "no-such-haunt"}}')
    screen.page.get_by_text("This fits the contract.").wait_for()
    advanced.fill('{\n  "options": {\n    "turn_limit": "40"\n  }\n}')
    screen.page.get_by_text("Line 3, column 19: /options/turn_limit: expected: integer").wait_for()
    advanced.fill('{"options": {"turn_limits": 40}}')
    screen.page.get_by_text("/options/turn_limits: there is no such field").wait_for()
    advanced.fill('{"options": {"haunt": "no-such-haunt"}}')
    screen.press("Open the game")
    screen.page.get_by_text("/options/haunt: There is no haunt no-such-haunt.").wait_for()
    assert screen.inaccessible() == []
    advanced.fill('{"options": {"turn_limit": 40}}')
    screen.page.get_by_label("Haunt").select_option(label="The Bell Below")
    screen.page.get_by_label("Time for each decision").select_option(label="1 day")
    screen.press("Open the game")
    screen.page.get_by_role("heading", name=SEATED).wait_for()
    asked = json.loads(
        [one for one in screen.requests if one.method == "POST" and one.url.endswith("/games")][-1].post_data or ""
    )
    assert asked["options"] == {"haunt": "the-bell-below", "deadline": {"seconds": 86400}, "turn_limit": 40}
    assert asked["seats"] == [{"name": "Ada"}, {"name": "Ben"}, {}]


def test_an_answer_that_is_lost_loses_neither_game_nor_seat(screens: MakeScreen) -> None:
    """Pages are closed before their requests are answered; the next pages send them again under their keys."""
    host, guest = screens(), screens()
    host.breaks = guest.breaks = True
    host.open()
    host.page.get_by_role("button", name="Open the game").wait_for()
    with losing(host, "**/v1/games"):
        host.press("Open the game")
    host.page.get_by_role("button", name="Seat 0, Seat 1, Seat 2").click()
    host.page.get_by_role("heading", name=SEATED).wait_for()
    link = invites(host)["seat-1"]
    game = game_of(host)

    invited(guest, game, "seat-1", link)
    with losing(guest, "**/claim"):
        guest.press("Take this seat")
    guest.page.get_by_role("heading", name=SEATED).wait_for()
    assert "Seat 1 (you)" in text(guest)
    host.page.get_by_text("Waiting for 2 more players.").wait_for()


def test_what_the_service_could_not_answer_is_tried_again_or_dropped(screen: Screen) -> None:
    fault = {"type": "about:blank", "title": "Internal error", "status": 500, "detail": "Oh.", "code": "internal"}
    screen.breaks = True
    screen.page.route("**/v1/games", lambda route: route.fulfill(status=500, json=fault))
    screen.open()
    said = screen.page.get_by_text("The service has not said whether")
    screen.press("Open the game")
    said.wait_for()
    screen.page.reload()
    screen.press("Drop it")
    screen.page.reload()
    screen.press("Open the game")
    said.wait_for()
    assert len([one for one in screen.stored() if "request" in one]) == 1, "the first one was dropped"
    screen.page.unroute_all()
    screen.press("Try again")
    screen.page.get_by_role("button", name="Seat 0, Seat 1, Seat 2").wait_for()
    assert said.count() == 0
    screen.complaints = [one for one in screen.complaints if "status of 500" not in one]


def test_a_claim_is_not_sent_again_with_another_invite_of_its_seat(screen: Screen, client: httpx.Client) -> None:
    opened = client.post("/v1/games", json={"edition": "second", "seats": [{}, {}, {}]}).json()
    game, invite = opened["game"]["id"], opened["invites"]["seats"][1]["secret"]
    screen.open()
    left = {"key": "0" * 32, "body": {"name": "Somebody else", "invite": "omen_" + "x" * 43}}
    keep = "([name, left]) => localStorage.setItem(name, JSON.stringify(left))"
    screen.page.evaluate(keep, [f"omenlog:request:{game}/join/seat-1/{left['key']}", left])
    invited(screen, game, "seat-1", invite)
    screen.page.get_by_role("button", name="Take this seat").wait_for()
    assert [one.url for one in screen.requests if one.url.endswith("/claim")] == []


@contextmanager
def losing(screen: Screen, where: str) -> Iterator[None]:
    """Answers are lost on their way, until the page is loaded anew."""
    reached: list[str] = []
    is_over = False

    def lose(route: Route) -> None:
        if is_over:
            route.continue_()
            return
        if not reached:
            route.fetch()
        reached.append(route.request.url)
        route.abort()

    screen.page.route(where, lose)
    yield
    screen.until(lambda: reached)
    is_over = True
    screen.page.reload()


def test_an_invite_that_is_no_good_leads_to_a_page_that_says_what_to_do(
    screens: MakeScreen, client: httpx.Client
) -> None:
    opened = client.post("/v1/games", json={"edition": "second", "seats": [{}, {}, {}]}).json()
    game, referee = opened["game"]["id"], opened["invites"]["referee"]["secret"]
    first, second = screens(), screens()
    invited(first, game, "referee", referee)
    assert "settles disputes" in text(first)
    first.press("Come in")
    first.page.get_by_role("heading", name=SEATED).wait_for()
    second.open(f"/g/{game}/join/referee/{referee}")
    second.page.get_by_role("heading", name="This invite is no longer valid").wait_for()
    assert referee not in str(second.stored())
    third = screens()
    third.page.route("**/invites", lambda route: route.abort())  # so that only the claim tells
    third.breaks = True
    invited(third, game, "referee", referee)
    third.press("Come in")
    third.page.get_by_role("heading", name="This invite is no longer valid").wait_for()
    assert referee not in str(third.stored())
    assert second.page.get_by_role("textbox", name="Link to your place").is_visible()
    second.open(f"/g/{'a' * 20}/join/seat-1/{referee}")
    second.page.get_by_role("heading", name="This link does not work").wait_for()


def test_one_screen_for_all_is_covered_when_it_is_passed_on(screen: Screen) -> None:
    open_game(screen, "Ada", "Ben", "Cleo", explorers=["ox-bellows", "zoe-ingstrom", "jenny-leclerc"])
    screen.press("Begin the game")
    screen.page.get_by_role("heading", name="The screen is covered").wait_for()
    assert screen.page.locator(".table").count() == 0, "nothing of the table is below the cover"
    assert screen.inaccessible() == []
    awaited = screen.page.locator(".cover .main").inner_text().removeprefix("I am ")
    other = next(one for one in ("Ada", "Ben", "Cleo") if one != awaited)
    screen.press(f"I am {other}")
    screen.shows("table")
    screen.page.get_by_text(f"This is what {other} sees. {awaited} has to decide.").wait_for()
    screen.press(f"Pass to {awaited}")
    screen.page.get_by_text(f"({awaited}). Everybody else, look away.").wait_for()
    assert screen.page.locator(".table").count() == 0
    assert other not in screen.page.locator(".cover h1, .cover p").all_inner_texts()
    screen.press(f"I am {awaited}")
    screen.page.get_by_text(f"This is what {awaited} sees.").wait_for()
    screen.page.locator("[aria-haspopup=dialog]").first.click()
    screen.page.get_by_role("dialog").wait_for()
    screen.page.go_back()
    screen.page.get_by_role("button", name="Ada, Ben, Cleo").click()
    screen.press("Dispute commit 5")
    assert screen.page.get_by_role("dialog").count() == 0, "whoever comes next has not asked for that rule"
    screen.page.locator("textarea:focus").press_sequentially("I was not asked.")
    screen.press("Send")
    screen.page.get_by_role("link", name="Disputes").wait_for()
    screen.press("Pass to somebody else")
    screen.page.get_by_text("Who has the screen?").wait_for()
    screen.press("I am the referee")
    screen.page.get_by_text("This is what the referee sees.").wait_for()
    screen.page.get_by_role("link", name="Desk").wait_for()
    screen.page.reload()
    screen.page.get_by_text(re.compile(rf"Pass the screen to .+ \({awaited}\)")).wait_for()


def test_a_place_is_renewed_and_comes_back_by_its_link(screens: MakeScreen) -> None:
    laptop, phone = screens(), screens(**PHONE)
    open_game(laptop, "Ada")
    laptop.press("Show the link to my place")
    old = laptop.page.get_by_label("Link to copy").last.input_value()
    laptop.press("Renew my link")
    laptop.page.locator(".confirm").get_by_role("button", name="Renew my link").click()
    laptop.page.get_by_text("Renewed:").wait_for()
    new = laptop.page.get_by_label("Link to copy").last.input_value()
    assert new != old
    phone.page.goto(old)
    phone.page.get_by_role("heading", name="This link does not work").wait_for()
    phone.page.goto(new)
    phone.page.get_by_role("heading", name=SEATED).wait_for()
    assert phone.page.url == f"{phone.address}/#/g/{game_of(laptop)}"
    assert phone.page.get_by_role("button", name="Begin the game").is_visible(), "it is the host's place"


def test_games_with_your_turn_come_first_and_are_managed_and_forgotten(screen: Screen, client: httpx.Client) -> None:
    opened = client.post("/v1/games", json={"edition": "second", "seats": [{"name": "Ada"}, {}, {}]}).json()
    game = opened["game"]["id"]
    claims = [
        client.post(f"/v1/games/{game}/seats/{seat}/claim", json={"invite": one["secret"]}).json()
        for seat, one in enumerate(opened["invites"]["seats"])
    ]
    host = opened["tokens"]["host"]["secret"]
    assert client.post(f"/v1/games/{game}/start", headers={"Authorization": f"Bearer {host}"}).status_code == 201
    bearer = {"Authorization": f"Bearer {host}"}
    seat = client.get(f"/v1/games/{game}/decisions", headers=bearer).json()["waiting"][0]["seat"]
    for token in (claims[seat]["token"]["secret"], host):
        screen.sit(game, token)
    screen.open()
    screen.page.get_by_text("Your turn").wait_for()
    assert screen.inaccessible() == []

    screen.press("Links and players")
    screen.press("Replace Seat 1")
    screen.page.locator(".confirm").get_by_role("button", name="Replace Seat 1").click()
    screen.page.get_by_text("Seat 1: not used yet").wait_for()
    assert "spectators: 0 of 20 used" in text(screen)
    assert screen.page.locator("details[open] summary", has_text="Link for Seat 1").is_visible(), (
        "the new link is shown"
    )
    shown = screen.page.get_by_label("Link to copy").first.input_value()
    invite = shown.rpartition("/")[2]
    claimed = client.post(f"/v1/games/{game}/seats/1/claim", json={"invite": invite, "name": "Eve"})
    assert claimed.status_code == 201
    screen.page.reload()
    screen.press("Links and players")
    screen.page.get_by_role("button", name="Replace Eve").wait_for()
    assert screen.page.get_by_text("Link for Seat 1").count() == 0, "it is used"

    screen.press("Close the game")
    screen.page.locator(".confirm").get_by_role("button", name="Close the game").click()
    screen.page.get_by_text("Finished games (1)").click()
    screen.page.get_by_text("Abandoned").wait_for()
    screen.press("Forget")
    screen.page.locator(".confirm").get_by_role("button", name="Forget").click()
    screen.page.get_by_text("You have no games here yet.").wait_for()
    assert json.loads(screen.stored()["omenlog:places"]) == []


def test_an_invite_that_is_open_in_two_tabs_leads_both_to_the_seat(screen: Screen) -> None:
    game = open_game(screen, "Ada", "Ben", "Cleo")
    invite = invites(screen)["seat-1"]
    other = screen.context.new_page()
    for page in (screen.page, other):
        screen.open(f"/g/{game}/join/seat-1/{invite}", page)
        page.get_by_role("button", name="Take this seat").wait_for()
    for page in (screen.page, other):
        page.get_by_role("button", name="Take this seat").click()
        page.get_by_text("Ben (you)").wait_for()


def test_who_was_replaced_comes_back_by_a_new_invite(screen: Screen, client: httpx.Client) -> None:
    table = Table.gather(client, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}])
    screen.sit(table.id, table.seats[1])
    title = table.get("view", table.host).json()["explorers"][1]["title"]
    invite = table.post("seats/1/replace", table.host).json()["invite"]["secret"]
    screen.page.get_by_role("heading", name="Your place has been closed here").wait_for()
    screen.page.get_by_label("Link to your place").fill(f"{screen.address}/#/g/{table.id}/join/seat-1/{invite}")
    screen.press("Open")
    screen.page.get_by_text(f"You take over {title}.").wait_for()
    assert screen.page.get_by_text("You have this place already.").count() == 0
    screen.page.get_by_label("Your name").fill("Eve")
    screen.press("Take this seat")
    screen.shows("table")
    screen.page.locator(".strip").get_by_text("(Eve)").wait_for()


def test_a_player_who_is_replaced_before_the_game_begins_leaves_explorer_and_dice(
    screens: MakeScreen,
) -> None:
    host, guest = screens(), screens()
    game = open_game(host, "Ada", "Ben", "Cleo")
    invited(guest, game, "seat-1", invites(host)["seat-1"])
    guest.page.get_by_label("Ox Bellows").check()
    guest.press("Take this seat")
    guest.page.get_by_text("Ben (you)").wait_for()
    host.press("Replace Ben")
    host.page.locator(".confirm").get_by_role("button", name="Replace Ben").click()
    link = host.page.locator("details[open]").get_by_label("Link to copy")
    link.wait_for()
    other = screens()
    other.page.goto(link.input_value())
    other.page.get_by_text("You take over Ox Bellows.").wait_for()
    assert other.page.get_by_role("radio").count() == 0
    other.page.get_by_label("Your name").fill("Eve")
    other.press("Take this seat")
    other.page.get_by_text("Eve (you)").wait_for()


def test_an_invite_that_was_used_elsewhere_is_offered_no_longer(screens: MakeScreen) -> None:
    host, guest = screens(), screens()
    game = open_game(host, "Ada", "Ben", "Cleo")
    invited(guest, game, "referee", invites(host)["referee"])
    guest.press("Come in")
    guest.page.get_by_role("heading", name=SEATED).wait_for()
    host.page.reload()
    host.page.get_by_text("the referee: used").wait_for()
    host.page.get_by_text("Link for the referee").wait_for(state="detached")
    assert "referee" not in invites(host)


def test_the_host_makes_a_link_anew_in_another_browser_and_the_first_one_offers_it_no_longer(
    screens: MakeScreen,
) -> None:
    laptop, phone, guest = screens(), screens(**PHONE), screens()
    game = open_game(laptop, "Ada", "Ben", "Cleo")
    host = next(one["token"] for one in json.loads(laptop.stored()["omenlog:places"]) if one["role"] == "host")
    phone.open(f"/g/{game}/as/{host}")
    phone.page.get_by_text("No unused link is kept in this browser.").wait_for()
    phone.press("New link for Ben")
    phone.press("New link for Ben")
    link = phone.page.locator("details[open]").get_by_label("Link to copy")
    link.wait_for()
    assert phone.inaccessible() == []

    laptop.page.get_by_text("Link for Ben", exact=True).click()
    laptop.page.get_by_text("That link no longer works").wait_for()
    laptop.page.get_by_text("Link for Ben", exact=True).wait_for(state="detached")
    assert set(invites(laptop)) == {"seat-0", "seat-2", "referee", "spectator-1"}

    guest.page.goto(link.input_value())
    guest.press("Take this seat")
    guest.page.get_by_text("Ben (you)").wait_for()
    for screen in (laptop, phone):
        screen.page.get_by_role("button", name="Replace Ben").wait_for()
        screen.page.get_by_text("Ben: used").wait_for()
        screen.page.get_by_role("button", name="New link for Ben").wait_for(state="detached")
    assert guest.page.get_by_role("button", name="New link").count() == 0, "that is for the host and the referee"
    laptop.page.get_by_text("Link for Ada", exact=True).click()
    laptop.press("New link for Ada")
    before = invites(laptop)["seat-0"]
    laptop.page.locator(".confirm").get_by_role("button", name="New link for Ada").click()
    laptop.until(lambda: invites(laptop)["seat-0"] != before)
    expect(laptop.page.locator("details[open]").get_by_label("Link to copy")).to_have_value(
        re.compile(re.escape(invites(laptop)["seat-0"]))
    )


def test_a_place_that_was_closed_leaves_the_card_of_a_game_to_one_that_holds(
    screen: Screen, client: httpx.Client
) -> None:
    open_game(screen, "Ada", "Ben", "Cleo")
    game = game_of(screen)
    screen.open(f"/g/{game}/join/seat-1/{invites(screen)['seat-1']}")
    screen.press("Take this seat")
    screen.page.get_by_text("Ben (you)").wait_for()
    token = next(one["token"] for one in json.loads(screen.stored()["omenlog:places"]) if one["role"] == "seat:1")
    rotated = client.post(f"/v1/games/{game}/tokens/seat-1/rotate", headers={"Authorization": f"Bearer {token}"})
    assert rotated.status_code == 201
    screen.page.get_by_role("heading", name="Your place has been closed here").wait_for()
    screen.page.get_by_role("link", name="To the lobby").click()
    screen.page.get_by_role("button", name="Ada, Ben, Cleo").click()
    screen.page.get_by_role("heading", name=SEATED).wait_for()
    assert screen.page.get_by_role("button", name="Begin the game").is_visible(), "it is the host's place"


def test_who_is_awaited_is_named_as_far_as_one_may_know(screen: Screen, client: httpx.Client) -> None:
    """No haunt of the packs has monsters before its hidden traitor is revealed; one from elsewhere may."""
    table = Table.open(client)

    def hide(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["waiting"] = [
            {**one, "seat": None, **extra} for one in told["waiting"] for extra in ({"unnamed": True}, {})
        ]
        route.fulfill(response=answer, json=told)

    screen.page.route("**/decisions", hide)
    screen.sit(table.id, table.spectator)
    screen.open()
    screen.page.get_by_text("Waiting for the hidden traitor, the moderator").wait_for()


def test_a_game_is_imported_from_its_file_or_refused_in_words(
    screens: MakeScreen, client: httpx.Client, tmp_path: Path
) -> None:
    table = Table.open(client)
    table.play(3)
    assert table.post("close", table.host).status_code == 201
    file, broken = tmp_path / "game.ndjson", tmp_path / "broken.ndjson"
    file.write_bytes(table.get("export", table.referee).content)
    broken.write_bytes(b"{}")
    with serving(settings("memory:", token_rate=0, anonymous_rate=0), Fixed("elsewhere")) as elsewhere:
        screen = screens(elsewhere)
        screen.open()
        screen.page.get_by_text("Import a finished game").click()
        screen.page.get_by_label("File of an exported game").set_input_files(broken)
        screen.press("Import")
        screen.page.get_by_text("This can't be imported").wait_for()
        screen.breaks = True
        screen.page.route("**/import", lambda route: route.abort())
        screen.page.get_by_label("File of an exported game").set_input_files(file)
        screen.press("Import")
        screen.page.get_by_text("No answer came.").wait_for()
        screen.page.unroute_all()
        screen.page.reload()
        screen.page.get_by_text("This page was closed while game.ndjson was on its way.").wait_for()
        screen.page.get_by_label("File of an exported game").set_input_files(file)
        screen.press("Import")
        screen.press("Look at the game")
        screen.shows("table", link="over")
        assert screen.page.url.endswith(f"/#/g/{table.id}")


def test_who_comes_meanwhile_is_seen_and_a_place_that_holds_is_used(screen: Screen, client: httpx.Client) -> None:
    opened = client.post("/v1/games", json={"edition": "second", "seats": [{"name": "Ada"}, {}, {}]}).json()
    game = opened["game"]["id"]
    ada, link, other = [one["secret"] for one in opened["invites"]["seats"]]
    screen.page.clock.install()
    invited(screen, game, "seat-1", link)
    explorers = screen.page.get_by_role("radio")
    explorers.nth(12).wait_for()
    claims = [client.post(f"/v1/games/{game}/seats/0/claim", json={"invite": ada, "character": "ox-bellows"})]
    screen.page.clock.fast_forward(5000)
    explorers.nth(11).wait_for(state="detached")
    take = screen.page.get_by_role("button", name="Take this seat")
    color = "one => getComputedStyle(one).backgroundColor"
    before = take.evaluate(color)
    take.hover()
    assert take.evaluate(color) == before, "its letters are for this colour"
    take.click()
    screen.page.get_by_role("heading", name=SEATED).wait_for()
    assert "Invite the others" not in text(screen), "only who opened the game has links"
    screen.open(f"/g/{game}/join/seat-1/{link}")
    screen.page.get_by_role("heading", name=SEATED).wait_for()

    claims.append(client.post(f"/v1/games/{game}/seats/2/claim", json={"invite": other}))
    assert [one.status_code for one in claims] == [201, 201]
    bearer = {"Authorization": f"Bearer {opened['tokens']['host']['secret']}"}
    assert client.post(f"/v1/games/{game}/start", headers=bearer).status_code == 201
    screen.shows("table")
    fresh = client.post(f"/v1/games/{game}/seats/0/replace", headers=bearer).json()["invite"]["secret"]
    client.post(f"/v1/games/{game}/seats/0/claim", json={"invite": fresh, "name": "Eve"}).raise_for_status()
    screen.page.locator(".strip").get_by_text("Eve").wait_for()

    watch = {"invite": opened["invites"]["spectators"][0]["secret"]}
    spectator = client.post(f"/v1/games/{game}/spectators", json=watch).json()["token"]["secret"]
    screen.sit(game, spectator)
    client.post(f"/v1/games/{game}/seats/1/replace", headers=bearer).raise_for_status()
    screen.open()
    screen.page.get_by_text("Waiting for").wait_for()
    assert "closed" not in text(screen)
