"""The table on which a game is played: by mouse, by keyboard and by touch; refusals, talk, and what people call themselves."""

from __future__ import annotations

import random
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Route, expect

from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.table.conftest import MakeScreen
from tests.table.screens import DARK, PHONE, SIDEWAYS, Screen

MOST = 120 * 1024
"""Bytes of a picture at most."""
HOSTILE = "<img src=x onerror=alert(1)>'\"&amp;"
RECORDED = """
  window.rung = 0;
  window.told = [];
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.rung += 1;
    return make.call(this);
  };
  window.Notification = class extends Notification {
    constructor(title, options) {
      super(title, options);
      window.told.push(options.body);
    }
  };
"""
"""Notes what is heard and told."""
PREPARED: dict[str, Any] = {"first_seat": 0, "tiles": ["charred-room", "attic"], "omen": ["ring"]}


def buttons(screen: Screen) -> Locator:
    return screen.page.locator(".deeds .commands button:enabled:not(.odds)")


def at(screen: Screen, key: str) -> Locator:
    return screen.page.locator(f'.house [data-key="{key}"]')


def panel(screen: Screen, name: str) -> None:
    screen.page.locator(".tabs button", has_text=name).click()


@pytest.fixture
def haunted(client: httpx.Client) -> Table:
    """A haunt was revealed, and both sides read their books; the referee answers for the dice from here on."""
    table = Table.open(
        client,
        seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}],
        options={"haunt": "the-long-fever"},
        setup=PREPARED,
        randomness={"source": "tape", "answers": [{"faces": [0] * 6}]},
    )
    for command in (
        {"type": "explore", "decision": "turn-1", "door": "east"},
        {"type": "end-turn", "decision": "turn-1"},
    ):
        answer = table.command(table.seats[0], command)
        assert answer.status_code == 201, answer.text
    return table


# -- what can be done ---------------------------------------------------------------------------------------------------


def test_all_that_is_listed_is_a_button_of_that_name_and_is_done_by_a_click(screen: Screen, table: Table) -> None:
    token = table.awaited()
    screen.sit(table.id, token)
    buttons(screen).first.wait_for()
    expect(screen.page).to_have_title("Your turn · Omenlog")
    yours = table.get("decisions", token).json()["yours"]
    labels = [one["label"] for decision in yours for one in decision["commands"]]
    assert labels
    for label in labels:
        assert screen.page.locator(".deeds").get_by_role("button", name=label, exact=True).count() == 1
    version = table.version()
    screen.press("End the turn")
    screen.shows("table", version=version + 1)
    screen.page.locator(".log").get_by_text(re.compile("ends the turn")).wait_for()
    expect(screen.page).to_have_title("Omenlog")  # set after the board is painted
    screen.page.get_by_role("heading", level=1, name=re.compile("^Waiting for ")).wait_for()


def test_a_room_is_entered_by_a_click_on_it_and_one_that_is_not_offered_says_why(
    screen: Screen, client: httpx.Client
) -> None:
    table = Table.open(client, setup=PREPARED)
    screen.sit(table.id, table.seats[0])
    version = table.version()
    at(screen, "room/grand-staircase").click()
    refusal = screen.page.locator(".house .detail")
    refusal.get_by_text("there is no way from the Entrance Hall to the Grand Staircase").wait_for()
    refusal.get_by_role("button", name="Rule: Passing doors").click()
    dialog = screen.page.get_by_role("dialog", name="Passing doors")
    dialog.get_by_text("where a door of the first meets a door of the second").wait_for()
    dialog.get_by_role("button", name="Close").click()
    assert table.version() == version, "asked, not done"
    screen.page.keyboard.press("Escape")
    at(screen, "room/foyer").click()
    screen.shows("table", version=version + 1)
    screen.page.locator(".log").get_by_text(re.compile("goes to the Foyer")).wait_for()


def test_a_refusal_is_said_beside_its_button_with_the_rule(screens: MakeScreen, table: Table) -> None:
    """A page may offer what the service refuses: if it is older than the service, or somebody tampers with it."""
    screen = screens()

    def twist(route: Route) -> None:
        route.continue_(post_data={**(route.request.post_data_json or {}), "type": "move", "to": "grand-staircase"})

    screen.page.route("**/commands?*", twist)
    screen.sit(table.id, table.awaited())
    version = table.version()
    screen.press("Move to the Foyer (1 space)")
    said = screen.page.locator(
        "li", has=screen.page.get_by_role("button", name="Move to the Foyer (1 space)")
    ).get_by_role("alert")
    said.get_by_text("there is no way").wait_for()
    said.get_by_role("button", name="Rule: Passing doors").wait_for()
    assert buttons(screen).count() > 1, "and one goes on"
    assert table.version() == version


def test_dice_lie_on_the_table_with_the_faces_of_the_event(screen: Screen, client: httpx.Client) -> None:
    table = Table.open(client, setup=PREPARED)
    screen.sit(table.id, table.seats[0])
    screen.press("Explore through the east door (1 space)")
    screen.press("End the turn")
    screen.page.locator(".tray .roll").first.wait_for()
    events = table.get("events", table.seats[0]).json()["events"]
    rolled = [one for event in events for one in event["data"]["events"] if one["type"] == "DiceRolled"][-1]
    dice = screen.page.locator(".tray .roll").last
    assert dice.locator(".face").count() == len(rolled["faces"])
    assert dice.locator("circle").count() == sum(rolled["faces"])
    assert dice.inner_text().endswith(f": {rolled['total']}")
    for _ in range(2):  # one ends the fall, the next one clears the table
        screen.page.locator(".head h1").click()
    dice.wait_for(state="detached")


def test_nothing_moves_for_those_who_want_no_motion_and_nothing_falls_for_long(
    screens: MakeScreen, table: Table
) -> None:
    screen = screens(reduced_motion="reduce")
    screen.sit(table.id, table.seats[0])
    screen.page.locator(".tray").wait_for(state="attached")
    how_long = """() => {
      const one = document.createElement("span");
      one.className = "fall";
      document.querySelector(".tray").className = "tray";
      document.querySelector(".tray").append(one);
      const found = getComputedStyle(one).animationDuration;
      one.remove();
      return parseFloat(found) * (found.endsWith("ms") ? 1 : 1000);
    }"""
    assert screen.page.evaluate(how_long) == 0
    screen.page.emulate_media(reduced_motion="no-preference")
    assert 0 < screen.page.evaluate(how_long) <= 600


# -- a haunt ------------------------------------------------------------------------------------------------------------


def test_the_first_round_of_a_haunt_by_keyboard_alone(screens: MakeScreen, haunted: Table) -> None:
    """Who was at a button that is gone is at what is asked next: each command is a few steps of Tab away."""
    screen = screens()
    screen.sit(haunted.id, haunted.seats[0])
    tables = iter(range(60))
    while haunted.get("view", haunted.seats[0]).json()["haunt"]["round"] < 2:
        assert next(tables, None) is not None, "the round does not end"
        token = haunted.awaited()
        if token != haunted.seats[0]:
            haunted.play(1, haunted.version())
            continue
        version = haunted.version()
        screen.shows("table", version=version)
        buttons(screen).first.wait_for()
        wanted = "Ready" if screen.page.get_by_role("button", name="Ready", exact=True).count() else "End the turn"
        for _ in range(150):
            now = screen.page.evaluate(
                "() => document.activeElement.closest('.deeds .commands') ? document.activeElement.innerText : ''"
            )
            if now == wanted or (now and not screen.page.get_by_role("button", name=wanted, exact=True).count()):
                break
            screen.page.keyboard.press("Tab")
        screen.page.keyboard.press("Enter")
        screen.page.locator(f'main:not([data-version="{version}"])').wait_for()
    screen.shows("table", version=haunted.version())


def test_the_first_round_of_a_haunt_on_a_phone(screens: MakeScreen, haunted: Table) -> None:
    screen = screens(**PHONE)
    seat = 0
    screen.sit(haunted.id, haunted.seats[seat])
    panel(screen, "Book")
    title = haunted.get("view", haunted.seats[seat]).json()["haunt"]["title"]
    screen.page.get_by_role("heading", name=title).wait_for()
    panel(screen, "Explorers")
    screen.page.locator(".reminder").wait_for()
    turns = iter(range(60))
    while haunted.get("view", haunted.seats[seat]).json()["haunt"]["round"] < 2:
        assert next(turns, None) is not None, "the round does not end"
        if haunted.awaited() != haunted.seats[seat]:
            haunted.play(1, haunted.version())
            continue
        version = haunted.version()
        screen.shows("table", version=version)
        panel(screen, "Actions")
        end = screen.page.get_by_role("button", name="End the turn", exact=True)
        (end if end.count() else buttons(screen).first).tap()
        screen.page.locator(f'main:not([data-version="{version}"])').wait_for()
    assert not screen.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")


# -- at hand ------------------------------------------------------------------------------------------------------------


def test_names_and_messages_are_shown_as_they_were_typed(screens: MakeScreen, client: httpx.Client) -> None:
    name = "<img src=x onerror=alert(1)> & Co"
    table = Table.open(client, seats=[{"name": name}, {}, {}])
    first, referee = screens(), screens()
    referee.sit(table.id, table.referee)
    referee.page.locator(".tabs").wait_for()
    first.sit(table.id, table.seats[0])
    panel(first, "Talk")
    first.page.get_by_label("Text").first.fill(f"{name} {{{{7*7}}}}")
    first.press("Send")
    first.page.locator(".messages li").get_by_text("{{7*7}}").wait_for()
    referee.page.locator(".tabs .count", has_text="1").wait_for()
    panel(referee, "Talk")
    said = referee.page.locator(".messages li")
    said.get_by_text(f"{name} {{{{7*7}}}}").wait_for()
    assert said.count() == 1
    assert f"({name}) to the table" in said.inner_text()
    panel(referee, "Explorers")
    assert name in referee.page.locator(".strip").inner_text()
    assert referee.page.locator("img").count() == 0


def test_nobody_is_offered_a_side_to_write_to_where_a_traitor_is_hidden(screen: Screen, client: httpx.Client) -> None:
    table = Table.open(client, options={"haunt": "the-hollow-guest"})
    for seed in range(100):
        if table.get("view", table.referee).json()["haunt"]:
            break
        table.play(5, seed)
    else:
        raise AssertionError("no haunt began")
    screen.sit(table.id, table.seats[0])
    panel(screen, "Talk")
    expect(screen.page.locator(".write option")).to_have_text(["the table", "the referee"])


def test_who_clicks_twice_says_it_once(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[0])
    panel(screen, "Talk")
    screen.page.get_by_label("Text").first.fill("Shall we?")
    screen.page.get_by_role("button", name="Send").dblclick()
    screen.page.locator(".messages li").get_by_text("Shall we?").wait_for()
    screen.page.get_by_label("Text").first.fill("Let's.")
    screen.press("Send")
    screen.page.locator(".messages li").get_by_text("Let's.").wait_for()
    told = table.get("messages", table.seats[0]).json()["messages"]
    assert [one["text"] for one in told] == ["Shall we?", "Let's."]


def test_blanks_alone_are_not_sent_and_the_field_asks_for_a_text(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[0])
    panel(screen, "Talk")
    text = screen.page.get_by_label("Text").first
    text.press_sequentially(" \n\u200d")
    screen.press("Send")
    expect(text).to_be_focused()
    expect(text).to_have_value("")
    assert text.evaluate("field => field.validity.valueMissing")
    assert table.get("messages", table.seats[0]).json()["messages"] == []


def test_who_opens_a_sandbox_by_two_clicks_opens_one(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.referee)
    screen.open(f"/g/{table.id}/desk")
    screen.shows("desk")
    made: list[str] = []
    screen.page.on(
        "request", lambda one: made.append(one.url) if one.method == "POST" and "/forks" in one.url else None
    )
    screen.page.get_by_role("button", name="Open a sandbox from commit").dblclick()
    screen.page.get_by_role("link", name=re.compile("sandbox")).first.wait_for()
    assert len(made) == 1


def test_who_comes_and_goes_is_told_and_not_by_color_alone(screen: Screen, client: httpx.Client) -> None:
    table = Table.gather(client)
    screen.sit(table.id, table.seats[0])
    sign = screen.page.locator(".strip li").nth(1).get_by_role("img")
    signs = []
    live = {**bearer(table.seats[1]), "Accept": "text/event-stream"}
    with client.stream("GET", f"{table.path}/events", headers=live):
        screen.page.locator(".strip li").nth(1).get_by_role("img", name="here now").wait_for()
        signs.append(sign.inner_text())
    screen.page.locator(".strip li").nth(1).get_by_role("img", name="away").wait_for()
    assert [*signs, sign.inner_text()] == ["● ", "○ "]


def test_a_rewind_is_said_with_its_reasons_until_that_is_noted_in_any_tab(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[0])
    screen.open(f"/g/{table.id}", other := screen.context.new_page())
    first = table.version()
    table.play(2)
    table.post("disputes", table.seats[1], {"from": first + 1, "to": first + 2, "claim": "No."})
    ruling = {"outcome": "rewind", "to": first, "reasons": "The <b>door</b> was locked."}
    assert table.post("disputes/1/ruling", table.referee, ruling).status_code == 201
    for page in (screen.page, other):
        said = page.locator(".rewound")
        said.get_by_text(f"The referee rules on dispute 1: play goes back to commit {first}.").wait_for()
        assert "The <b>door</b> was locked." in said.inner_text()
    screen.page.reload()
    screen.press("Understood")
    for page in (screen.page, other):
        page.locator(".rewound").wait_for(state="detached")
    screen.page.reload()
    screen.page.locator(".log > li").last.wait_for()
    assert screen.page.locator(".rewound").count() == 0


def test_the_log_tells_no_bookkeeping_and_each_text_once_in_a_turn(screen: Screen, table: Table) -> None:
    table.play(36)
    screen.sit(table.id, table.seats[0])
    steps = table.get("trace", table.seats[0]).json()["steps"][-40:]
    screen.page.locator(f'.log [data-number="{steps[0]["number"]}"]').wait_for()
    texts = [(one["turn"], spoke["text"]) for one in steps for spoke in one["spoke"] if spoke["text"]]
    assert len(texts) > len(set(texts))
    assert screen.page.locator(".log blockquote").count() == len(set(texts))
    notes = [it["words"] for one in steps for it in one["happened"] if it["kind"] == "note"]
    told = screen.page.locator(".log").inner_text()
    assert notes
    assert not any(one in told for one in notes)


def test_the_log_marks_what_is_new_since_one_last_looked(screen: Screen, table: Table) -> None:
    token = table.seats[0]
    screen.sit(table.id, token)
    looked = table.version()
    screen.page.locator(".log > li").first.wait_for()
    screen.page.goto("about:blank")
    table.play(2)
    screen.open(f"/g/{table.id}")
    screen.shows("table", version=looked + 2)
    marked = screen.page.locator(".log > li", has=screen.page.get_by_text("Since you last looked"))
    assert marked.get_attribute("data-number") == str(looked + 1)
    changes = table.get(f"diff?from={looked}&to={looked + 2}", token).json()["changes"]
    marked.get_by_text("Since you last looked").click()
    marked.locator(".since li").first.wait_for()
    assert marked.locator(".since li").all_inner_texts() == [one["text"] for one in changes if one["text"]]


def test_a_command_is_taken_back(screen: Screen, table: Table) -> None:
    token = table.awaited()
    screen.sit(table.id, token)
    version = table.version()
    screen.press("Move to the Foyer (1 space)")
    screen.shows("table", version=version + 1)
    label = table.get("decisions", token).json()["take_back"]["label"]
    screen.press(label)
    screen.shows("table", version=version + 2)
    view = table.get("view", token).json()
    assert next(one["room"] for one in view["explorers"] if one["seat"] == view["you"]) == "entrance-hall"
    assert screen.page.locator(".rewound").count() == 0, "what one takes back oneself is no news"


def test_who_took_back_what_is_said_to_others(screens: MakeScreen, client: httpx.Client) -> None:
    table = Table.gather(client, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}], setup=PREPARED)
    other = screens()
    other.sit(table.id, table.seats[1])
    table.command(table.seats[0], {"type": "move", "decision": "turn-1", "to": "foyer"})
    version = table.version()
    table.command(table.seats[0], {"type": "take-back", "decision": "take-back", "to": version - 1})
    said = other.page.locator(".rewound")
    said.get_by_text(re.compile(rf"takes back commit {version}\. .+: room Foyer → Entrance Hall\.")).wait_for()
    other.press("Understood")
    said.wait_for(state="detached")


def test_a_phone_on_its_side_shows_the_house_beside_all_that_can_be_done(
    screens: MakeScreen, client: httpx.Client
) -> None:
    table = Table.open(client, setup=PREPARED)
    screen = screens(**SIDEWAYS)
    screen.sit(table.id, table.seats[0])
    assert buttons(screen).count() > 1
    for one in buttons(screen).all():
        expect(one).to_be_in_viewport(ratio=1)
    box = screen.page.locator(".table > .board").bounding_box()
    assert box
    assert box["height"] > 200
    screen.open(f"/g/{table.id}/at/1")
    screen.shows("replay")
    board = screen.page.locator(".table > .board").bounding_box()
    assert board
    assert board["height"] > 120
    expect(screen.page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)


def test_letters_of_twice_the_size_leave_all_that_can_be_done_within_reach(screens: MakeScreen, table: Table) -> None:
    screen = screens(**{**PHONE, "is_mobile": False})  # where a mouse has a wheel
    screen.sit(table.id, table.awaited())
    last = screen.page.get_by_role("button", name="End the turn", exact=True)
    last.wait_for()
    screen.page.evaluate("() => { document.documentElement.style.fontSize = '200%' }")
    for x, y in ((180, 30), (180, 600)):  # the page, then what can be done
        screen.page.mouse.move(x, y)
        screen.page.mouse.wheel(0, 2000)
    expect(last).to_be_in_viewport(ratio=1)
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert screen.page.locator(".tabs button").evaluate_all(wide) == [], "none lies on another"


def test_orders_are_left_step_by_step_and_refused_in_words(screen: Screen, client: httpx.Client) -> None:
    table = Table.open(client, setup=PREPARED)
    screen.sit(table.id, table.seats[1])
    panel(screen, "Talk")
    screen.page.get_by_text("Standing orders").click()
    step = screen.page.get_by_role("combobox", name="Step")
    offered = list(client.get(table.path).json()["orders"])
    expect(step.locator("option")).to_have_count(len(offered))
    assert step.locator("option").evaluate_all("all => all.map((one) => one.value)") == offered
    screen.page.locator('details [name="to"]').select_option(label="Foyer")
    screen.page.get_by_text("Only if").click()
    screen.page.get_by_label("At least: Speed").fill("1")
    screen.press("Add this step")
    step.select_option("attack")
    screen.page.get_by_role("combobox", name="Target").select_option(index=0)
    screen.press("Add this step")
    step.select_option("end-turn")
    screen.press("Add this step")
    screen.press("Remove step 2")
    screen.press("Leave these orders")
    screen.page.get_by_text("They wait for your turn.").wait_for()
    left = table.get("seats/1/orders", table.seats[1]).json()["steps"]
    assert [one["command"]["type"] for one in left] == ["move", "end-turn"]
    explorers = [one["title"] for one in table.get("view", table.seats[1]).json()["explorers"]]
    for kind, label, options in (
        ("trade", "With", explorers),
        ("attack", "Target", explorers),
        ("explore", "door", ["north", "east", "south", "west"]),
    ):
        step.select_option(kind)
        field = screen.page.get_by_role("combobox", name=label, exact=True)
        expect(field.locator("option")).to_have_text(options)
    expect(screen.page.locator('details [name="monster"]')).to_have_count(0)
    assert (left[0]["command"]["to"], left[0]["when"]["at_least"]) == ("foyer", {"speed": 1})
    screen.page.get_by_text("As JSON").last.click()
    screen.page.get_by_label("As JSON").fill('[{"command": {"type": "move", "decision": "turn", "to": "no-room"}}]')
    screen.press("Leave these orders")
    screen.page.get_by_text("/steps/0/command/to no room `no-room`").wait_for()


def test_orders_that_are_typed_are_kept_until_they_can_be_read(screen: Screen, client: httpx.Client) -> None:
    table = Table.open(client, setup=PREPARED)
    screen.sit(table.id, table.seats[1])
    panel(screen, "Talk")
    screen.page.get_by_text("Standing orders").click()
    screen.page.get_by_text("As JSON").last.click()
    text = screen.page.get_by_label("As JSON")
    typed = '[\n  {"command": {"type": "end-turn" "decision": "turn"}}\n]'
    text.fill(typed)
    screen.page.get_by_text("Line 2, column 35").wait_for()
    add, leave = (screen.page.get_by_role("button", name=one) for one in ("Add this step", "Leave these orders"))
    expect(add).to_be_disabled()
    expect(leave).to_be_disabled()
    expect(text).to_have_value(typed)
    text.fill('[{"command": {"type": "move", "decision": "turn", "to": 7}}]')
    screen.page.get_by_text("Line 1, column 57: /0/command/to: expected: string").wait_for()
    text.fill(typed.replace('" "', '", "'))
    screen.page.get_by_role("combobox", name="Step").select_option("flip-coin")
    options = screen.page.locator('[name="options"]')
    options.fill("heads")
    add.click()
    expect(screen.page.locator("label", has=options).get_by_text("at least 2")).to_be_visible()
    options.fill('["heads", "tails"]')
    add.click()
    expect(screen.page.get_by_role("button", name="Remove step 2")).to_be_visible()
    leave.click()
    screen.page.get_by_text("They wait for your turn.").wait_for()
    left = table.get("seats/1/orders", table.seats[1]).json()["steps"]
    assert [one["command"]["type"] for one in left] == ["end-turn", "flip-coin"]
    assert screen.inaccessible() == []


def test_a_turn_rings_and_notifies_for_those_who_switched_that_on(screen: Screen, client: httpx.Client) -> None:
    table = Table.open(client, setup=PREPARED)
    screen.context.grant_permissions(["notifications"], origin=screen.address)
    screen.context.add_init_script(RECORDED)
    screen.sit(table.id, table.seats[1])
    for name in ("Sound on my turn", "Notify me on my turn"):
        screen.press(name)
        screen.page.get_by_role("button", name=name, pressed=True).wait_for()
    tried = screen.page.evaluate("rung")
    assert tried > 0, "whoever switches the sound on hears it"
    screen.page.evaluate("() => { Object.defineProperty(document, 'hidden', {value: true}); }")
    assert table.command(table.seats[0], {"type": "end-turn", "decision": "turn-1"}).status_code == 201
    screen.page.get_by_role("heading", level=1, name="Your turn").wait_for()
    assert screen.page.evaluate("[rung, told]") == [2 * tried, ["Your turn"]]
    screen.page.reload()
    for name in ("Sound on my turn", "Notify me on my turn"):
        screen.page.get_by_role("button", name=name, pressed=True).click()
        screen.page.get_by_role("button", name=name, pressed=False).wait_for()
    kept = [value for name, value in screen.stored().items() if "setting" in name]
    assert kept == ['"off"', '"off"']


def test_odds_a_coin_and_a_ruling_are_at_hand_and_texts_stay_texts(screen: Screen, table: Table) -> None:
    screen.sit(table.id, table.seats[0])
    panel(screen, "Explorers")
    screen.press("Might")
    asked = table.post("odds", table.seats[0], {"of": "trait", "who": 0, "trait": "might"}).json()["roll"]["totals"]
    screen.page.locator(".bars li").first.wait_for()
    assert screen.page.locator(".bars li").count() == len(asked)
    assert screen.page.locator(".bars li").first.inner_text() == "0 or more: 100 %"
    panel(screen, "Talk")
    screen.page.get_by_text("Flip a coin").click()
    for name in ("Heads", "Tails"):
        screen.page.get_by_label(name).fill(f"{name} {HOSTILE}")
    version = table.version()
    screen.press("Flip")
    screen.shows("table", version=version + 1)
    screen.page.get_by_text("Propose a ruling").first.click()
    screen.page.locator("details[open] textarea").first.fill(f"Ruled {HOSTILE}")
    screen.page.get_by_role("button", name="Propose a ruling").click()
    screen.page.get_by_text(f"Proposed: Ruled {HOSTILE}").wait_for()
    panel(screen, "Log")
    log = screen.page.locator(".log")
    log.get_by_text(f"s {HOSTILE}").first.wait_for()  # heads or tails
    log.get_by_text(f"Ruled {HOSTILE}").first.wait_for()
    assert screen.page.locator("img").count() == 0


def test_damage_of_many_ways_is_divided_point_by_point(screens: MakeScreen) -> None:
    """General damage, which all four traits may take: more ways than buttons are made for. What was divided outlives a look elsewhere."""
    outside = Fixed("general damage")
    with (
        serving(settings("memory:", packs="third-edition"), outside) as address,
        httpx.Client(base_url=address, timeout=20) as client,
    ):
        table = Table.open(
            client,
            edition="third",
            options={"scenario": "cursed"},
            setup={"first_seat": 0},
            randomness={"source": "moderator"},
        )
        token = table.seats[0]

        def answer(**told: object) -> None:
            asked = table.get("decisions", table.referee).json()["yours"][0]["id"]
            done = table.command(table.referee, {"type": "answer-chance", "decision": asked, **told})
            assert done.status_code == 201, done.text

        answer(pick="ground")
        assert table.command(token, {"type": "explore", "decision": "turn-1", "door": "east"}).status_code == 201
        answer(pick="dining-room")
        answer(pick="ground")
        answer(pick="brain-food")
        dice = table.get("decisions", table.referee).json()["yours"][0]["families"][0]["fields"][0]["dice"]
        answer(faces=[0] * dice)

        screen = screens(address, **PHONE)
        screen.sit(table.id, token)
        screen.page.get_by_text("10 ways, one by one").wait_for()
        done = screen.page.get_by_role("button", name="Do it")
        for taken, name in enumerate(("More Sanity", "More Might", "Less Might", "More Sanity")):
            screen.page.locator(".family").get_by_text(f"{(0, 1, 2, 1)[taken]} of 2 points divided").wait_for()
            assert done.is_disabled() == (taken != 2)
            screen.press(name)
        assert screen.page.get_by_role("button", name="More Speed").is_disabled(), "there is nothing left to divide"
        assert screen.inaccessible() == []
        panel(screen, "Explorers")
        screen.page.locator(".people").wait_for()
        panel(screen, "Actions")
        screen.page.get_by_text("2 of 2 points divided").wait_for()
        version = table.version()
        done.click()
        screen.shows("table", version=version + 1)
        asked = table.get("trace", token).json()["steps"][-1]["command"]
        assert {name: points for name, points in asked["points"].items() if points} == {"sanity": 2}


def test_what_a_later_service_asks_is_shown_by_its_words(screen: Screen, table: Table) -> None:
    """A kind of decision and a shape of field that this page has never heard of."""
    command = {"type": "seance", "decision": "seance-1"}
    example = {**command, "type": "join-hands"}
    family = {"label": "Join hands", "fixed": example, "fields": [{"shape": "circle"}], "count": 20, "example": example}
    seance = {
        "id": "seance-1",
        "kind": "seance",
        "about": "seance",
        "text": "Hold a seance",
        "offer": None,
        "entry": None,
        "count": 21,
        "commands": [{"label": "Light the candles", "command": command, "at": [{"kind": "table"}]}],
        "families": [family],
    }

    def ask_more(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["decisions"]["yours"].append(seance)
        route.fulfill(response=answer, json=told)

    screen.page.route("**/screen**", ask_more)
    screen.sit(table.id, table.awaited())
    asked = screen.page.locator(".decision", has=screen.page.get_by_role("heading", name="Hold a seance"))
    expect(asked.get_by_role("button", name="Light the candles", exact=True)).to_be_enabled()
    asked.get_by_text("Join hands").wait_for()
    expect(asked.get_by_label("As JSON")).to_have_value(re.compile('"type": "join-hands"'))


def test_cards_are_offered_by_a_form(screen: Screen, client: httpx.Client) -> None:
    table = Table.open(client, setup=PREPARED, randomness={"source": "tape", "answers": [{"faces": [2] * 6}]})
    for command in ({"type": "explore", "door": "east"}, *3 * [{"type": "end-turn"}]):
        token = table.awaited()
        decision = table.get("view", token).json()["turn"]["decision"]
        assert table.command(token, {**command, "decision": decision}).status_code == 201
    screen.sit(table.id, table.seats[0])
    screen.press("Move to the Entrance Hall (1 space)")
    form = screen.page.locator("details.family", has_text="You give").first
    form.locator("summary").click()
    form.get_by_label("Ring").check()
    form.get_by_role("button", name="Do it").click()
    screen.page.get_by_role("heading", level=1, name=re.compile("^Waiting for ")).wait_for()
    offer = table.get("decisions", table.awaited()).json()["yours"][0]["offer"]
    assert (offer["gives"], offer["wants"]) == (["ring"], [])


def test_each_role_has_a_table_of_its_own(screens: MakeScreen, table: Table) -> None:
    table.play(12)
    for token, says in (
        (table.referee, "You have nothing to decide now."),
        (table.spectator, "You watch, live"),
    ):
        screen = screens()
        screen.sit(table.id, token)
        for name in ("Explorers", "Book", "Talk", "Log"):
            panel(screen, name)
        screen.page.get_by_text(says, exact=True).wait_for()


# -- what it looks like -------------------------------------------------------------------------------------------------


def test_the_table_is_accessible_with_each_panel(screen: Screen, haunted: Table) -> None:
    screen.sit(haunted.id, haunted.seats[0])
    found = []
    for name in ("Explorers", "Book", "Talk", "Log"):
        panel(screen, name)
        screen.page.locator(".panel > *").wait_for()
        found += [f"{name}: {one}" for one in screen.inaccessible()]
    assert found == []


def test_a_haunt_is_clear_by_day_on_a_laptop_and_by_night_on_a_phone(screens: MakeScreen, client: httpx.Client) -> None:
    """The README shows these pictures; `./dev test tests/table --pictures` takes them anew."""
    table = Table.open(
        client,
        seats=[
            {"name": "Ann", "character": "ox-bellows"},
            {"name": "Ben", "character": "zoe-ingstrom"},
            {"name": "Cleo", "character": "jenny-leclerc"},
        ],
        options={"haunt": "the-gnawing-tide"},
    )
    chooser, begun = random.Random(4), False
    for _ in range(200):
        token = table.awaited()
        options = table.listed(token)
        wanted = [one for kind in ("explore", "end-turn") for one in options if one["type"] == kind]
        posted = table.command(token, wanted[0] if wanted else chooser.choice(options))
        assert posted.status_code == 201, posted.text
        begun = begun or "HauntBegun" in posted.text
        if begun and table.get("view", token).json()["haunt"]["round"] == 2:
            break
    laptop, phone = screens(), screens(**PHONE, **DARK)
    for screen, token in ((laptop, table.awaited()), (phone, table.seats[1])):
        screen.sit(table.id, token)
        screen.shows("table", version=table.version())
    laptop.page.get_by_text("The Gnawing Tide").first.wait_for()
    buttons(laptop).first.wait_for()
    panel(laptop, "Log")
    panel(phone, "Explorers")
    phone.page.get_by_role("heading", name="Zoe Ingstrom (Ben)").wait_for()
    assert laptop.picture("table") < MOST
    assert phone.picture("table-phone") < MOST


def test_from_a_click_to_what_came_of_it_is_quick(screen: Screen, table: Table) -> None:
    """Loosely: `./dev bench` measures it on a quiet machine."""
    token = table.awaited()
    screen.sit(table.id, token)
    buttons(screen).first.wait_for()
    version = table.version()
    took = screen.page.evaluate(
        """async (after) => {
          const main = document.getElementById("main");
          const begun = performance.now();
          document.querySelector(".deeds .commands button:enabled").click();
          while (Number(main.dataset.version) < after) await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          return performance.now() - begun;
        }""",
        version + 1,
    )
    assert took < 2000
