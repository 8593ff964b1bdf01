"""The replay: any moment of a game, reached in every way, through the eyes of any role that may be looked as, and of no other."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Request, Route, expect

from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.support.altering import MOVED, put, walked_for_nothing
from tests.table.conftest import MakeScreen
from tests.table.screens import PHONE, Screen

COMMANDS = 50
"""After these a haunt has begun, and somebody has died: if the rules roll differently one day, another seed does it."""
KINDS = {"HauntBegun": "The haunt begins", "DisputeOpened": "Dispute", "ExplorerDied": "Death"}


@pytest.fixture(scope="module")
def running(client: httpx.Client, outside: Fixed) -> Table:
    """Played into its haunt; a seat disputes how it began."""
    outside.restart("replay1")
    setup = {"first_seat": 0, "omen": ["ring"], "tiles": ["charred-room", "attic"]}
    table = Table.open(client, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}], setup=setup)
    table.play(COMMANDS)
    claim = {"from": 5, "to": 6, "claim": "That was no door."}
    assert table.post("disputes", table.seats[1], claim).status_code == 201
    return table


@pytest.fixture(scope="module")
def over(client: httpx.Client, outside: Fixed) -> Table:
    """A game that was closed, and so disclosed."""
    outside.restart("over")
    table = Table.open(client, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}])
    table.play(8)
    assert table.post("close", table.host).status_code == 201
    return table


def commits(table: Table, token: str) -> Sequence[dict[str, Any]]:
    found: list[dict[str, Any]] = [one["data"] for one in table.get("events?limit=1000", token).json()["events"]]
    return found


def turns(table: Table, token: str, seat: int | None = None) -> Sequence[int]:
    """The commits at which turns begin: all, or those of a seat."""
    return [
        one["number"]
        for one in commits(table, token)
        for event in one["events"]
        if event["type"] == "TurnStarted"
        and (seat is None or (event["seat"] == seat and not event.get("monsters", False)))
    ]


def watch(screen: Screen, table: Table, token: str, at: int, link: str = "live") -> Locator:
    """Sit down, and look at a moment; its controls."""
    screen.sit(table.id, token) if link == "live" else screen.open(f"/g/{table.id}/as/{token}")
    screen.shows("table", link=link)
    screen.open(f"/g/{table.id}/at/{at}")
    screen.shows("replay", version=at, link=link)
    return screen.page.locator(".line")


def panel(screen: Screen, name: str) -> Locator:
    screen.page.locator(".tabs button", has_text=name).click()
    return screen.page.locator(".panel > *")


# -- ways to a moment ---------------------------------------------------------------------------------------------------


def test_what_happened_is_marked_by_name_and_each_mark_leads_there(screen: Screen, running: Table) -> None:
    token = running.seats[0]
    line = watch(screen, running, token, 1)
    expected = []
    for one in commits(running, token):
        for event in one["events"]:
            if event["type"] == "TurnStarted":
                expected.append(f"Turn {event['number']}, commit {one['number']}")
            elif event["type"] == "CardDrawn" and event["deck"] == "omen":
                expected.append(f"Omen drawn, commit {one['number']}")
            elif event["type"] in KINDS:
                expected.append(f"{KINDS[event['type']]}, commit {one['number']}")
    for kind in ("Turn", "Omen drawn", *KINDS.values()):
        assert any(one.startswith(kind) for one in expected), kind
    line.get_by_role("button", name=expected[-1]).wait_for()
    marks = line.locator(".marks [aria-label]")
    assert sorted(set(marks.evaluate_all("all => all.map((one) => one.ariaLabel)"))) == sorted(set(expected))
    haunt = next(one for one in expected if one.startswith("The haunt begins"))
    line.get_by_role("button", name=haunt).click()
    screen.shows("replay", version=int(haunt.rpartition(" ")[2]))


def test_marks_that_are_close_to_each_other_stand_apart_on_a_phone(screens: MakeScreen, client: httpx.Client) -> None:
    table = Table.open(client)
    table.play(12)
    for number in range(1, 7):
        claim = {"from": 5, "to": 6, "claim": "That was no door."}
        assert table.post("disputes", table.seats[number % 3], claim).status_code == 201
        ruling = {"outcome": "stands", "reasons": "It was."}
        assert table.post(f"disputes/{number}/ruling", table.referee, ruling).status_code == 201
    screen = screens(**PHONE)
    line = watch(screen, table, table.seats[0], 1)
    marks = line.locator(".marks button")
    expect(line.get_by_role("button", name="Dispute")).to_have_count(6)
    boxes = [found for one in marks.all() if (found := one.bounding_box())]
    for one, other in itertools.combinations(boxes, 2):
        apart = abs(one["x"] - other["x"]) >= one["width"] - 0.5 or abs(one["y"] - other["y"]) >= one["height"] - 0.5
        assert apart, (one, other)
    assert all(0 <= one["x"] <= 360 - one["width"] for one in boxes)


def test_a_role_that_is_refused_leaves_the_address(screen: Screen, running: Table) -> None:
    watch(screen, running, running.seats[0], 20)
    screen.open(f"/g/{running.id}/at/21/seat:1")
    screen.page.locator(".line").get_by_role("alert").get_by_text(re.compile(".")).wait_for()
    screen.page.wait_for_url(f"**/#/g/{running.id}/at/21")


def test_who_goes_elsewhere_at_once_is_not_called_back_by_a_step(screen: Screen, running: Table) -> None:
    watch(screen, running, running.seats[0], 20)
    held: list[Route] = []
    over: list[Request] = []

    def hold(route: Route) -> None:
        held.append(route)

    def end(request: Request) -> None:
        over.append(request)

    screen.page.on("requestfinished", end)
    screen.page.on("requestfailed", end)

    def step_and_leave(at: int, leave: Callable[[], None]) -> None:
        """What the step asks for comes when the page is elsewhere."""
        screen.page.route(f"**/view?at={at}*", hold)
        field = screen.page.get_by_label("Number of a commit")
        field.fill(str(at))
        with screen.page.expect_request(f"**/view?at={at}*") as asked:
            field.press("Enter")
        leave()
        held.pop().continue_()
        screen.until(lambda: asked.value in over)
        screen.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")

    def to_now() -> None:
        screen.page.get_by_role("link", name="Back to now").click()
        screen.shows("table", version=running.version())

    step_and_leave(40, to_now)
    assert screen.page.url.endswith(f"/g/{running.id}")
    screen.open(f"/g/{running.id}/at/20")
    screen.shows("replay", version=20)
    step_and_leave(45, lambda: screen.open(f"/g/{running.id}/at/30"))
    screen.shows("replay", version=30)
    assert screen.page.url.endswith("/at/30")


def test_who_took_over_a_seat_is_not_named_before(screen: Screen, client: httpx.Client) -> None:
    table = Table.gather(client, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}])
    table.play(2)
    before = table.version()
    invite = table.post("seats/1/replace", table.host).json()["invite"]["secret"]
    client.post(f"{table.path}/seats/1/claim", json={"invite": invite, "name": "Eve"}).raise_for_status()
    assert client.get(table.path, headers=bearer(table.host)).json()["seats"][1]["named_at"] == before + 2
    assert client.get(table.path).json()["seats"][1]["named_at"] == 0, "strangers are told no names"
    watch(screen, table, table.seats[0], before)
    strip = screen.page.locator(".strip")
    strip.get_by_text("(Ann)").wait_for()
    assert strip.get_by_text("(Eve)").count() == 0
    screen.page.get_by_role("slider", name="Commit").fill(str(before + 2))
    strip.get_by_text("(Eve)").wait_for()


def test_slider_keys_and_buttons_step_by_commit_by_turn_and_by_own_turn(screen: Screen, running: Table) -> None:
    token, last = running.seats[1], running.version()
    line = watch(screen, running, token, 20)
    all_turns, own = turns(running, token), turns(running, token, 1)
    line.get_by_role("img").first.wait_for()
    slider = line.get_by_role("slider", name="Commit")
    slider.fill("30")
    screen.shows("replay", version=30)
    assert re.fullmatch(rf"Commit 30 of {last}, turn \d+", slider.get_attribute("aria-valuetext") or "")
    key = screen.page.keyboard.press
    ways: Sequence[tuple[Callable[[], None], int]] = (
        (lambda: key("ArrowRight"), 31),
        (lambda: screen.press("To the next commit"), 32),
        (lambda: key("ArrowLeft"), 31),
        (lambda: key("Shift+ArrowRight"), min(one for one in all_turns if one > 31)),
        (lambda: screen.press("To the previous turn"), max(one for one in all_turns if one <= 31)),
        (lambda: screen.press("On to my turn"), min(one for one in own if one > 31)),
        (lambda: screen.press("Back to my turn"), max(one for one in own if one <= 31)),
    )
    for press, expected in ways:
        press()
        screen.shows("replay", version=expected)
    slider.fill(str(last))
    screen.page.wait_for_url(f"**/#/g/{running.id}/at/{last}")
    screen.shows("replay", version=last)
    assert line.get_by_role("button", name="To the next commit").is_disabled()
    screen.page.get_by_role("link", name="Back to now").click()
    screen.shows("table", version=last)
    screen.page.go_back()
    screen.shows("replay", version=last)


def test_it_plays_at_the_speed_that_is_chosen_until_somebody_stops_it(screen: Screen, running: Table) -> None:
    clock, main = screen.page.clock, screen.page.locator("main")
    clock.install()
    line = watch(screen, running, running.referee, 10)
    clock.pause_at(screen.page.evaluate("() => Date.now() + 1000"))
    speed = line.get_by_label("Speed")
    assert speed.get_by_role("option").count() == 3
    screen.press("Play")
    clock.run_for(800)
    expect(main).to_have_attribute("data-version", "10")
    clock.run_for(200)
    expect(main).to_have_attribute("data-version", "11")
    speed.select_option("fast")
    for version in (12, 13):
        clock.run_for(400)
        expect(main).to_have_attribute("data-version", str(version))
    gliding = "house => house.getAnimations({subtree: true}).filter(one => one.playState === 'running').length"
    assert screen.page.locator(".house").evaluate(gliding) == 0, "nothing glides in the past"
    screen.press("Pause")
    line.get_by_role("button", name="Play").wait_for()
    clock.run_for(2000)
    expect(main).to_have_attribute("data-version", "13")


def test_a_number_is_typed_and_one_that_is_no_commit_is_told(screen: Screen, running: Table) -> None:
    last = running.version()
    line = watch(screen, running, running.seats[2], 5)
    field = line.get_by_label("Number of a commit")
    field.fill("12")
    field.press("Enter")
    screen.shows("replay", version=12)
    for wrong in ("0", "99999", "twelve"):
        field.fill(wrong)
        screen.press("Go")
        said = f"There is no commit “{wrong}”: this game has commits 1 to {last}."
        line.get_by_role("alert").get_by_text(said).wait_for()
        screen.shows("replay", version=12)
    screen.open(f"/g/{running.id}/at/99999")
    screen.page.wait_for_url(f"**/#/g/{running.id}/at/12")
    for wrong, nearest in (("0", 1), ("99999", last)):
        screen.open(f"/g/{running.id}")
        screen.shows("table")
        screen.open(f"/g/{running.id}/at/{wrong}")
        screen.shows("replay", version=nearest)
        line.get_by_role("alert").get_by_text(f"There is no commit “{wrong}”").wait_for()
    screen.open(f"/g/{running.id}/at/twelve")
    screen.page.get_by_role("heading", name="There is nothing at this address").wait_for()


def test_a_line_of_the_log_leads_to_its_moment_and_the_sentences_there_open_their_rules(
    screen: Screen, running: Table
) -> None:
    screen.sit(running.id, running.seats[0])
    panel(screen, "Log")
    screen.page.locator(".log .moment").last.wait_for()
    screen.page.get_by_role("link", name="To this moment, commit 30").click()
    screen.shows("replay", version=30)
    log = screen.page.locator(".log > li")
    log.last.get_by_text(re.compile(".")).first.wait_for()
    assert log.last.get_attribute("data-number") == "30"
    before = screen.page.locator(".log > li", has=screen.page.locator("p.sentence button")).nth(-3)
    there = before.get_attribute("data-number")
    before.locator("p.sentence button").first.click()
    screen.shows("replay", version=int(there or 0))
    screen.page.locator(f'.log > li:last-child[data-number="{there}"]').wait_for()
    log.last.locator("p.sentence button[aria-haspopup]").first.click()
    screen.page.get_by_role("dialog").get_by_role("button", name="Close").click()


# -- whose eyes ---------------------------------------------------------------------------------------------------------


def test_the_referee_looks_through_all_eyes_and_a_link_brings_nobody_more_than_their_own(
    screens: MakeScreen, running: Table
) -> None:
    screen = screens()
    last = running.version()
    line = watch(screen, running, running.referee, last)
    eyes = line.get_by_label("Through the eyes of")
    assert eyes.get_by_role("option").evaluate_all("all => all.map((one) => one.value)") == [
        "",
        "seat:0",
        "seat:1",
        "seat:2",
        "spectator",
    ]
    people = panel(screen, "Explorers")
    for seat, name in enumerate(("Ann", "Ben", "Cleo")):
        eyes.select_option(f"seat:{seat}")
        people.locator(".own h2").get_by_text(f"({name})").wait_for()
    eyes.select_option("spectator")
    people.locator(".own").wait_for(state="detached")
    eyes.select_option("seat:2")
    panel(screen, "Share")
    link = screen.page.get_by_label("Link to copy")
    link.wait_for()
    assert link.input_value() == f"{screen.address}/#/g/{running.id}/at/{last}/seat:2"

    other = screens(**PHONE)
    other.sit(running.id, running.seats[0])
    other.page.goto(link.input_value())
    other.shows("replay", version=last)
    other.page.locator(".line").get_by_role("alert").get_by_text("Only the referee may look as another role").wait_for()
    panel(other, "Explorers").locator(".own h2").get_by_text("(Ann)").wait_for()
    assert other.page.get_by_label("Through the eyes of").count() == 0
    stranger = screens()
    stranger.page.goto(link.input_value())
    stranger.page.get_by_role("heading", name="You have no place at this table on this device").wait_for()


def test_what_a_role_learned_later_is_not_on_screen_and_what_it_never_learned_never_sent(
    screen: Screen, running: Table
) -> None:
    told = commits(running, running.referee)
    begins = next(one for one in told for event in one["events"] if event["type"] == "HauntBegun")["number"]
    now = running.get("view", running.referee).json()
    hero = next(one["seat"] for one in now["explorers"] if one["side"] == "heroes")
    token = running.seats[hero]
    before, after = (running.get(f"view{at}", token).json() for at in (f"?at={begins - 1}", ""))
    known = {one["title"] for one in before["rooms"]} | {one["title"] for one in before["cards"].values()}
    later = {one["title"] for one in after["rooms"]} | {one["title"] for one in after["cards"].values()}
    watch(screen, running, token, running.version())
    screen.page.locator(".line").get_by_role("slider").fill(str(begins - 1))
    screen.shows("replay", version=begins - 1)
    assert later - known
    for name in ("Log", "Explorers", "Book", "Changes"):
        shown = panel(screen, name)
        shown.wait_for()
        text = screen.page.locator("main").inner_text() + screen.page.locator("main").inner_html()
        assert [one for one in sorted(later - known) if re.search(rf"\b{re.escape(one)}\b", text)] == []
        assert after["haunt"]["title"] not in text
    secret = [text for text in secrets(running) if text not in str(running.get("book", token).json())]
    assert secret
    sent = screen.told()
    assert [one for one in secret if one in sent] == []


def secrets(table: Table) -> Sequence[str]:
    """What the traitor's side alone reads in its book."""
    books = table.get("book", table.referee).json()["books"]
    return [one["goal"] for one in books if not one["shared"]]


def test_after_the_end_everybody_looks_through_all_eyes_and_comes_from_the_lobby(screen: Screen, over: Table) -> None:
    screen.open(f"/g/{over.id}/as/{over.seats[1]}")
    screen.shows("table", link="over")
    screen.open()
    screen.page.get_by_text("Finished games (1)").click()
    screen.page.get_by_role("link", name="Replay").click()
    screen.shows("replay", version=over.version(), link="over")
    eyes = screen.page.get_by_label("Through the eyes of")
    eyes.select_option("seat:0")
    panel(screen, "Explorers").locator(".own h2").get_by_text("Ann").wait_for()
    screen.open(f"/g/{over.id}/desk")
    whose: Sequence[str | re.Pattern[str]] = [
        "my own eyes",
        "the referee",
        re.compile("Ann"),
        re.compile("Cleo"),
        "spectator",
    ]
    expect(eyes.get_by_role("option")).to_have_text(whose)


# -- differences, proofs -----------------------------------------------------------------------------------------------


def test_what_changed_between_two_moments_is_said_in_words(screen: Screen, running: Table) -> None:
    token = running.seats[0]
    watch(screen, running, token, 40)
    changes = panel(screen, "Changes")
    field = changes.get_by_label("Changes since commit")
    field.fill("10")
    changes.get_by_role("heading", name="From commit 10 to commit 40").wait_for()
    changes.locator("li").first.wait_for()
    answer = running.get("diff?from=10&to=40", token).json()
    assert changes.locator("li").all_inner_texts() == [one["text"] for one in answer["changes"] if one["text"]]
    for wrong in ("40", "x"):
        field.fill(wrong)
        changes.get_by_role("alert").get_by_text("Choose a commit before the one on screen, 40.").wait_for()
        assert changes.locator("li").count() == 0


def test_the_file_is_saved_and_the_game_is_verified_with_its_verdict(screens: MakeScreen, over: Table) -> None:
    screen = screens()
    watch(screen, over, over.seats[0], 3, link="over")
    files = panel(screen, "Share")
    with screen.page.expect_download() as saved:
        screen.press("Download")
    assert saved.value.suggested_filename == f"{over.id}.ndjson"
    assert saved.value.path().read_bytes() == over.get("export", over.seats[0]).content
    screen.press("Verify")
    files.get_by_text("EXACT Every commit, decision and die is as the rules decide it.").wait_for()
    files.get_by_text(f"{over.version()} of {over.version()} commits checked").wait_for()


def test_who_may_not_have_it_verified_is_told_so(screen: Screen, running: Table) -> None:
    watch(screen, running, running.spectator, 3)
    files = panel(screen, "Share")
    screen.press("Verify")
    said = running.post("verifications", running.spectator).json()["detail"]
    files.get_by_role("status").get_by_text(said).wait_for()


def test_a_sandbox_is_offered_only_to_those_who_could_play_in_it(screen: Screen, running: Table) -> None:
    screen.sit(running.id, running.spectator)
    screen.open(f"/g/{running.id}/desk")
    screen.shows("desk")
    screen.page.locator(".desk .holdings").wait_for()
    assert screen.page.get_by_text("What if?").count() == 0


def test_a_seat_is_told_before_it_opens_a_sandbox_for_whom_nobody_decides_there(
    screens: MakeScreen, running: Table
) -> None:
    begun = next(
        one["number"]
        for one in commits(running, running.referee)
        for event in one["events"]
        if event["type"] == "HauntBegun"
    )
    seat, referee = screens(), screens()
    for screen, token in ((seat, running.seats[1]), (referee, running.referee)):
        screen.sit(running.id, token)
        screen.open(f"/g/{running.id}/desk")
        screen.shows("desk")
        screen.page.locator(".desk .holdings").wait_for()
        offer = screen.page.locator(".what-if")
        for number in range(6, begun):
            expect(offer).to_have_text(f"What if? Open a sandbox from commit {number} in a new tab")
            screen.press("One commit later")
        said = "for all but the side whose book you have not read"
        expect(offer.get_by_role("button", name=f"commit {begun} ")).to_be_visible()
        expect(offer.get_by_text(said)).to_have_count(0 if token == running.referee else 1)
        assert screen.inaccessible() == []
    tried = (running.post("forks", running.seats[1], {"at": at}) for at in range(running.version(), begun, -1))
    made = next(one for one in tried if one.status_code == 201)  # others are half-done
    assert 0 < len(made.json()["tokens"]["seats"]) < 3, "as it says"


def test_a_verdict_shows_the_events_that_differ(screens: MakeScreen, tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    with serving(settings(store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        while MOVED not in (body := table.get("export", table.referee).content):
            walk = next(one for one in table.listed(table.awaited()) if one["type"] == "move")
            assert table.command(table.awaited(), walk).status_code == 201
        put(store, table.id, walked_for_nothing(body.splitlines()))
        screen = screens(address=address)
        watch(screen, table, table.referee, 3)
        files = panel(screen, "Share")
        screen.press("Verify")
        files.get_by_text("DIVERGED").wait_for()
        expect(files.locator("pre").first).to_contain_text('"spent":0')
        expect(files.locator("pre").last).to_contain_text('"spent":1')
        assert files.inner_text().count('"spent":0') == 1, "said once"
        assert screen.inaccessible() == []


def test_the_replay_is_accessible(screen: Screen, running: Table) -> None:
    watch(screen, running, running.seats[0], 45)
    screen.page.locator(".marks button").first.wait_for()
    found = []
    for name in ("Log", "Changes", "Share"):
        panel(screen, name).wait_for()
        found += [f"{name}: {one}" for one in screen.inaccessible()]
    assert found == []
