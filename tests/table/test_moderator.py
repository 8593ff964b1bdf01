"""The moderator's panel: real dice and cards, a die roller's line, the co-moderator, the status post; and those who only watch."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Route, expect

from tests.acceptance.driving import Table
from tests.support.chromium import LIVING_ROOM
from tests.table.conftest import MakeScreen
from tests.table.screens import PHONE, Screen

EXPLORE = {"type": "explore", "decision": "turn-1", "door": "east"}


def moderated(client: httpx.Client, **asked: Any) -> Table:  # noqa: ANN401 -- as the service takes it
    """By post, with a die roller; Ann begins."""
    setup = {"first_seat": 0}
    seats = [{"name": "Ann", "character": "brandon-jaspers"}, {"name": "Ben"}, {"name": "Cleo"}]
    randomness = {"source": "moderator"}
    return Table.open(client, edition="play-by-post", seats=seats, randomness=randomness, setup=setup, **asked)


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """Ann has gone through a door: the next tile is to be turned up."""
    made = moderated(client)
    assert made.command(made.seats[0], EXPLORE).status_code == 201
    return made


def moderate(screen: Screen, table: Table) -> Locator:
    screen.open(f"/g/{table.id}/as/{table.referee}")
    screen.shows("moderator", version=table.version())
    return screen.page.get_by_role("region", name="Moderator's panel")


def draw(table: Table, *picks: str) -> None:
    """The moderator tells what turns up, through the API."""
    for pick in picks:
        decision = table.get("decisions", table.referee).json()["yours"][0]["id"]
        answer = table.command(table.referee, {"type": "answer-chance", "decision": decision, "pick": pick})
        assert answer.status_code == 201, answer.text


def test_a_moderator_types_letters_and_taps_faces_and_the_players_see_what_turned_up(
    screens: MakeScreen, table: Table
) -> None:
    moderator, player = screens(), screens()
    panel = moderate(moderator, table)
    player.sit(table.id, table.seats[0])
    letters = panel.get_by_label("Type letters of its name")
    listed = table.get("decisions", table.referee).json()["yours"][0]["commands"]
    assert panel.locator(".commands button").all_inner_texts() == [one["label"] for one in listed]
    letters.fill("ro")
    assert 1 < panel.locator(".commands button").count() < len(listed)
    letters.fill("CHAP")
    panel.get_by_text("Enter takes Chapel").wait_for()
    letters.press("Enter")
    player.page.locator('.house [data-key="room/chapel"]').wait_for()

    panel.get_by_role("heading", name="Turn up a card of the event deck").wait_for()
    for typed in ("jonahs", "Jonah\u2019s t"):
        letters.fill(typed)
        panel.get_by_text("Enter takes Jonah's Turn").wait_for()
    letters.fill("visi bloo")
    panel.get_by_role("button", name="Bloody Vision", exact=True).click()
    panel.get_by_role("heading", name="Roll 4d3-4 for a trait: Sanity of Brandon Jaspers, Bloody Vision").wait_for()
    panel.get_by_text("The first 64 ways, one by one").wait_for()  # of 81
    send = panel.get_by_role("button", name="Enter this roll")
    for face in (3, 1, 1, 2):
        panel.get_by_role("button", name=f"A die shows {face}", exact=True).click()
    assert panel.get_by_role("button", name="A die shows 2", exact=True).is_disabled()
    panel.get_by_role("button", name="Take back the last die").click()
    panel.get_by_text("3 of 4 dice, total 2").wait_for()
    panel.get_by_role("button", name="A die shows 3", exact=True).click()
    panel.get_by_text("4 of 4 dice, total 4").wait_for()
    assert panel.get_by_label("Or as a die roller wrote it").input_value() == "3 1 1 3"
    send.click()
    dice = player.page.locator(".tray .roll").last
    dice.get_by_text(": 4", exact=False).wait_for()
    assert dice.locator("circle").count() == 4
    assert dice.locator(".face").count() == 4
    assert "Angry Being" in moderator.told()
    assert "Angry Being" not in player.told(), "what else could have turned up is the moderator's to know"


def tab_to(screen: Screen, name: str) -> None:
    """Go on by Tab to the control of this name."""
    focused = screen.page.locator(":focus")
    for _ in range(60):
        if name in focused.all_inner_texts():
            return
        screen.page.keyboard.press("Tab")
    pytest.fail(f"Tab does not lead to {name}")


def test_a_moderated_round_up_to_the_haunt_by_keyboard_alone(screens: MakeScreen, client: httpx.Client) -> None:
    """The focus is at what is asked: whoever has the dice and cards types on. Number keys are dice at the dice alone."""
    seats = [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}]
    options, randomness = {"haunt": "the-bell-below"}, {"source": "moderator"}
    table = Table.open(client, seats=seats, options=options, randomness=randomness, setup={"first_seat": 0})
    moderator, ann = screens(), screens()
    panel = moderate(moderator, table)
    ann.sit(table.id, table.seats[0])
    keys = moderator.page.keyboard

    def asked(what: str) -> None:
        panel.get_by_role("heading", name=what, exact=True).wait_for()
        expect(panel.get_by_role("group", name=what, exact=True).locator(":focus")).to_be_visible()

    def say(what: str, letters: str) -> None:
        asked(what)
        keys.type(letters)
        keys.press("Enter")

    def do(label: str) -> None:
        ann.page.locator(".deeds").get_by_role("button", name=label, exact=True).wait_for()
        tab_to(ann, label)
        ann.page.keyboard.press("Enter")

    expect(moderator.page).to_have_title("Look at the back of the next tile · Omenlog")
    say("Look at the back of the next tile", "ground")  # which other backs show, too
    do("Explore through the east door (1 space)")
    say("Turn up the next tile", "din")
    do("Place it east of the Entrance Hall, doors south and west, window east")
    say("Look at the back of the next tile", "ground and upper")
    say("Turn up a card of the omen deck", "bite")
    say("Roll 4 dice for the attack of an event: Father Rhinehardt, Bite", "0000")

    asked("Roll 4 dice for the defense: Might of Brandon Jaspers, Bite")
    line = panel.get_by_label("Or as a die roller wrote it")
    keys.press("Shift+Tab")
    keys.type("12")
    keys.press("Tab")
    keys.type("93014")
    expect(line).to_have_value("0 1")
    keys.press("Backspace")
    panel.get_by_text("1 of 4 dice, total 0").wait_for()
    moderator.page.reload()
    expect(line).to_have_value("0")  # a reload loses nothing
    line.focus()
    keys.press("End")
    keys.type(" 2 1 0 = 3")
    keys.press("Enter")
    do("End the turn")
    say("Roll 6 dice for the haunt: Brandon Jaspers", "000000")
    moderator.page.locator(".tray").get_by_text("The Bell Below").wait_for()
    do("Ready")
    moderator.page.get_by_role(
        "heading", level=1, name=re.compile("^Waiting for Darrin.* Get ready for the haunt$")
    ).wait_for()
    kept: list[str] = moderator.page.evaluate("() => Object.keys(sessionStorage)")
    assert not any("answer-chance" in key for key in kept), "what was sent is no draft any more"


def test_a_die_rollers_line_with_a_wrong_total_is_refused_beside_it(screen: Screen, table: Table) -> None:
    draw(table, "chapel", "bloody-vision")
    panel = moderate(screen, table)
    version = table.version()
    line = panel.get_by_label("Or as a die roller wrote it")
    line.fill("4d3-4: 3, 1, 1, 3 = 5")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    screen.page.route("**/commands?*", hold)
    send = panel.get_by_role("button", name="Enter this roll")
    send.press("Enter")
    expect(send).to_be_disabled()
    screen.until(lambda: held)
    held.pop().continue_()
    refusal = panel.locator("#line-refused")
    refusal.get_by_text("4d3-4 with 3, 1, 1, 3 is 4, not 5").wait_for()
    expect(send).to_be_focused()
    screen.page.unroute("**/commands?*")
    refusal.get_by_role("button", name=re.compile("^Rule: ")).wait_for()
    assert line.get_attribute("aria-invalid") == "true"
    assert panel.get_by_role("alert").filter(has_text="is 4, not 5").count() == 1, "said once"
    assert table.version() == version
    assert screen.inaccessible() == []
    line.fill("3 1 1 = 2")
    expect(line).not_to_have_attribute("aria-invalid", "true")
    line.press("Enter")
    refusal.get_by_text("has 4 results, not 3").wait_for()
    line.fill("4d3-4: 9 9 9 9 = 32")
    refusal.get_by_text("4 dice show 1 to 3 each").wait_for()
    line.press("Enter")
    line.fill("4d3-4: 3, 1, 1, 3 = 4")
    line.press("Enter")
    screen.shows("moderator", version=version + 1)


def test_players_tell_what_they_hold_on_a_phone_by_keys_alone(screens: MakeScreen, client: httpx.Client) -> None:
    """Whoever rolls or draws says what turned up, and the next player confirms it."""
    table = Table.open(client, randomness={"source": "table"}, setup={"first_seat": 0})

    asked_for: list[str] = []

    def say(**answer: object) -> None:
        for body in ({"type": "answer-chance", **answer}, {"type": "choose", "option": "yes"}):
            token = table.awaited()
            asked = table.get("decisions", token).json()["yours"][0]
            asked_for.append(asked["text"])
            done = table.command(token, {**body, "decision": asked["id"]})
            assert done.status_code == 201, done.text

    say(pick="ground")
    assert asked_for[-1] == "Confirm what was said: the back of the next tile shows ground"
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    screen = screens(**PHONE)
    screen.sit(table.id, table.seats[0])
    keys = screen.page.keyboard
    screen.page.get_by_label("Type letters of its name").focus()
    keys.type("ball")
    keys.press("Enter")
    confirming = screen.page.get_by_role("heading", level=1, name=re.compile("Confirm what was said: Ballroom"))
    confirming.wait_for()
    decision = table.get("decisions", table.seats[1]).json()["yours"][0]["id"]
    assert table.command(table.seats[1], {"type": "choose", "option": "yes", "decision": decision}).status_code == 201
    while (asked := table.get("decisions", table.referee).json()["waiting"][0])["about"] != "dice:trait":
        say(pick={"card:event": "bloody-vision", "tile-back": "ground"}[asked["about"]])
    whose = re.compile("dice for a trait: Sanity of .+, Bloody Vision$")
    screen.page.get_by_role("heading", level=1, name=whose).wait_for()
    assert whose.search(asked["text"])
    assert asked["text"] in table.get("post", table.seats[1]).text
    screen.page.get_by_role("button", name="A die shows 0", exact=True).focus()
    for key in (
        "Enter",
        "Tab",
        "Space",
        "Tab",
        "Enter",
        "Tab",
        "Enter",
        "Shift+Tab",
        "Enter",
        "Shift+Tab",
        "Shift+Tab",
        "Enter",
    ):
        keys.press(key)
    screen.page.get_by_text("4 of 4 dice, total 3").wait_for()
    keys.press("Enter")  # the focus is at the button that sends it
    screen.page.get_by_role(
        "heading", level=1, name=re.compile("Confirm what was said: the dice show 0 1 2 0")
    ).wait_for()


def test_a_co_moderator_comes_by_link_and_answers(screens: MakeScreen, client: httpx.Client) -> None:
    """Whoever opens a game for a moderator has the link; here they moderate themselves."""
    host, guest = screens(), screens(**PHONE)
    host.open()
    host.page.get_by_role("button", name="Open the game").wait_for()
    host.page.get_by_label("Dice and cards").select_option("moderator")
    host.press("Open the game")
    host.page.get_by_text("Nobody rolls and draws yet").wait_for()
    host.page.get_by_text("Link for the referee", exact=True).click()
    game = host.page.url.rpartition("/")[2]
    links = json.loads(host.stored()[f"omenlog:invites:{game}"])
    for seat in range(3):
        invite = {"invite": links[f"seat-{seat}"]}
        assert client.post(f"/v1/games/{game}/seats/{seat}/claim", json=invite).status_code == 201
    host.page.locator("details[open]").get_by_role("button", name="Take this place here").click()
    host.press("Come in")
    host.press("Begin the game")
    host.shows("moderator")
    assert host.page.get_by_text("Nobody rolls and draws yet").count() == 0
    panel = host.page.get_by_role("region", name="Moderator's panel")
    expect(panel.get_by_label("Type letters of its name")).to_be_focused()  # the room with its button is gone
    panel.get_by_text("Co-moderator, links and players").click()
    panel.get_by_text("Link for the co-moderator", exact=True).click()
    panel.locator("details details[open]").get_by_role("button", name="Show the QR code").click()
    panel.get_by_role("img", name="QR code").wait_for()
    link = panel.locator("details details[open]").get_by_label("Link to copy").input_value()
    assert f"/join/co-referee/{links['co-referee']}" in link
    assert panel.get_by_role("button", name="Copy", exact=True).first.is_visible()
    host.page.locator(".tabs button", has_text="Explorers").click()
    expect(host.page.get_by_role("heading", name="Invite the others")).to_have_count(1)
    assert host.inaccessible() == []

    guest.open(link.rpartition("#")[2])
    guest.press("Come in")
    guest.shows("moderator")
    guest.press("ground")
    host.page.get_by_role("heading", level=1, name=re.compile("^Waiting for ")).wait_for()


def test_a_referee_who_opened_nothing_makes_the_link_of_the_co_moderator_anew(
    screens: MakeScreen, client: httpx.Client
) -> None:
    """The API shows invites once: this browser has never had the link, and the one before ends."""
    table = Table.gather(client, edition="play-by-post", randomness={"source": "moderator"}, co_referee=True)
    old = table.opened["invites"]["co_referee"]["secret"]
    referee, guest = screens(), screens(**PHONE)
    panel = moderate(referee, table)
    panel.get_by_text("Co-moderator, links and players").click()
    panel.get_by_text("No unused link is kept in this browser.").wait_for()
    assert panel.get_by_text("the referee: used", exact=True).is_visible()
    assert panel.get_by_role("button", name="New link for the referee").count() == 0, "that place is taken"
    new = panel.get_by_role("button", name="New link for the co-moderator")
    new.click()
    panel.get_by_text("The old link stops working.").wait_for()
    new.click()
    opened = panel.locator("details details[open]")
    opened.get_by_role("button", name="Show the QR code").click()
    opened.get_by_role("img", name="QR code: the co-moderator").wait_for()
    link = opened.get_by_label("Link to copy").input_value()
    assert referee.inaccessible() == []

    guest.open(f"/g/{table.id}/join/co-referee/{old}")
    guest.page.get_by_role("heading", name="This invite is no longer valid").wait_for()
    guest.open(link.rpartition("#")[2])
    guest.press("Come in")
    guest.shows("moderator")
    panel.get_by_text("Co-moderator, links and players").click()
    panel.get_by_text("Co-moderator, links and players").click()
    panel.get_by_text("the co-moderator: used").wait_for()
    panel.get_by_text("Link for the co-moderator").wait_for(state="detached")
    referee.until(lambda: f"omenlog:invites:{table.id}" not in referee.stored())


def test_the_status_post_and_who_is_awaited_since_when(screens: MakeScreen, address: str, client: httpx.Client) -> None:
    table = moderated(client, options={"deadline": {"seconds": 86400}})
    screen = screens(address.replace("127.0.0.1", LIVING_ROOM), timezone_id="UTC", locale="en-GB")
    panel = moderate(screen, table)
    [awaited] = table.get("decisions?since=true", table.referee).json()["waiting"]
    said = panel.locator(".awaited li")
    assert "Brandon Jaspers (Ann)" in said.inner_text()
    assert [one.get_attribute("datetime") for one in said.locator("time").all()] == [awaited["since"], awaited["due"]]
    assert said.locator("time").all_inner_texts() == ["since 1 Jan 2026, 00:00", "until 2 Jan 2026, 00:00"]

    panel.get_by_text("Status post").click()
    text = panel.get_by_label("The post to copy")
    for kind in ("markdown", "bbcode"):
        panel.get_by_label("For a forum that takes").select_option(kind)
        post = table.get(f"post?format={kind}", table.referee).text
        expect(text).to_have_value(post.rstrip("\n") + "\n")
    text.focus()
    chosen = screen.page.evaluate("() => document.activeElement.selectionEnd - document.activeElement.selectionStart")
    assert chosen == len(text.input_value())
    assert panel.get_by_role("button", name="Copy").count() == 0, "there is no clipboard by plain http"
    assert table.command(table.seats[0], EXPLORE).status_code == 201
    expect(text).to_have_value(re.compile("Turn up the next tile"))
    expect(said).to_contain_text("the moderator")
    last = screen.page.locator(f'.log > li[data-number="{table.version()}"]')
    expect(last).to_be_in_viewport()  # the post has left the log less room


@pytest.fixture
def printed(client: httpx.Client) -> Table:
    """The haunt is in a book that the service does not have."""
    table = Table.open(
        client,
        options={"haunt": "external"},
        setup={"first_seat": 0, "tiles": ["charred-room", "attic"], "omen": ["ring"]},
        randomness={"source": "moderator"},
    )
    for command in (EXPLORE, {"type": "end-turn", "decision": "turn-1"}):
        while (asked := table.get("decisions", table.referee).json())["yours"]:
            assert table.command(table.referee, asked["yours"][0]["commands"][0]["command"]).status_code == 201
        assert table.command(table.seats[0], command).status_code == 201
    while (asked := table.get("decisions", table.referee).json())["yours"]:
        assert table.command(table.referee, asked["yours"][0]["commands"][0]["command"]).status_code == 201
    return table


def test_a_printed_book_is_entered_by_a_form_and_nobody_else_is_told_of_it(screens: MakeScreen, printed: Table) -> None:
    table = printed
    traitor = table.get("view", table.referee).json()["haunt"]["traitor"]
    moderator, hero = screens(), screens(**PHONE)
    panel = moderate(moderator, table)
    hero.sit(table.id, table.seats[next(seat for seat in range(3) if seat != traitor)])
    panel.get_by_text("Enter from the printed book").click()
    panel.get_by_label("From which book").select_option("traitor")
    panel.get_by_label("Title").fill("The lamp")
    panel.get_by_label("Text", exact=True).fill("<b>It must not be lit.</b>")
    panel.get_by_role("button", name="Enter it").click()
    panel.get_by_text("It was entered.").wait_for()
    assert "<b>It must not be lit.</b>" in table.get("view", table.seats[traitor]).text

    panel.get_by_label("What it says").select_option("Something to count")
    panel.get_by_label("Title").fill("Lamps lit")
    panel.get_by_label("At most").fill("3")
    panel.get_by_role("button", name="Enter it").click()
    hero.page.get_by_text("Lamps lit: 0/3").wait_for()

    kinds = panel.get_by_label("What it says")
    kinds.select_option("Anything else, as JSON")
    json_text = panel.get_by_label("As JSON", exact=True)
    json_text.fill("{")
    panel.get_by_role("button", name="Enter it").click()
    panel.get_by_text("That is not valid JSON.").wait_for()
    json_text.fill('{"do": [{"move": {"to": "cript"}}]}')
    panel.get_by_role("button", name="Enter it").click()
    panel.get_by_role("alert").get_by_text("/entry/do/0/move/to no tile `cript`: did you mean `crypt`?").wait_for()
    assert json_text.input_value().startswith('{"do"'), "to be mended"
    assert moderator.inaccessible() == []
    assert "not be lit" not in hero.told()
    assert "did you mean" not in hero.told()


@pytest.mark.parametrize(
    "kind, fields, room, entry",
    [
        ("When this side wins", {"Text": "Light them all."}, "", {"goal": "Light them all."}),
        (
            "A token",
            {"Title": "A lamp"},
            "Foyer",
            {
                "tokens": [{"id": "a-lamp", "title": "A lamp"}],
                "do": [{"place-token": {"token": "a-lamp", "at": "foyer"}}],
            },
        ),
        (
            "A monster",
            {"Title": "Shade", "Speed": "3", "Might": "4"},
            "",
            {"monsters": {"shade": {"title": "Shade", "speed": 3, "might": 4}}},
        ),
        (
            "A monster",
            {"Title": "Wolf cub", "Speed": "5", "How many": "2"},
            "Foyer",
            {
                "monsters": {"wolf-cub": {"title": "Wolf cub", "speed": 5, "attacks": False}},
                "do": [{"place-monster": {"kind": "wolf-cub", "at": "foyer", "count": 2}}],
            },
        ),
    ],
)
def test_what_stands_in_a_printed_book_has_a_form(
    screen: Screen, printed: Table, kind: str, fields: dict[str, str], room: str, entry: dict[str, Any]
) -> None:
    panel, version = moderate(screen, printed), printed.version()
    panel.get_by_text("Enter from the printed book").click()
    panel.get_by_label("What it says").select_option(kind)
    for name, value in fields.items():
        panel.get_by_label(name, exact=True).fill(value)
    if room:
        panel.get_by_label("Put into").select_option(room)
    panel.get_by_role("button", name="Enter it").click()
    screen.shows("moderator", version=version + 1)
    told = printed.get("trace", printed.referee).json()["steps"][-1]["command"]["entry"]
    assert {name: value for name, value in told.items() if value} == entry


@pytest.mark.parametrize(
    "options, says",
    [
        (
            {"spectator_delay": 3, "spectator_delay_seconds": 5400},
            "You watch the game 3 steps, and at least 90 minutes behind the players.",
        ),
        ({}, "You watch, live"),
    ],
)
def test_a_spectator_has_the_table_without_decisions_and_reads_how_far_it_lags(
    screens: MakeScreen, client: httpx.Client, options: dict[str, Any], says: str
) -> None:
    table = Table.open(client, options=options, setup={"first_seat": 0})
    screen = screens(**PHONE)
    screen.sit(table.id, table.spectator)
    screen.page.locator(".head").get_by_text(says, exact=True).wait_for()
    assert screen.page.locator("form, .deeds").count() == 0
    assert screen.page.get_by_role("button", name="Actions").count() == 0
    assert not options or screen.inaccessible() == []
    shown = table.get("view", table.spectator).json()["version"]
    table.play(2)
    assert (shown == table.get("view", table.spectator).json()["version"]) == bool(options)
