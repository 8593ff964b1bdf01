"""The referee's desk: disputes from a line of the log to the ruling, and what each screen was told on the way."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.acceptance.driving import Table
from tests.table.conftest import MakeScreen
from tests.table.screens import PHONE, Screen, contract

PREPARED: dict[str, Any] = {"first_seat": 0, "tiles": ["charred-room", "attic"], "omen": ["ring"]}
CLAIM = "<img src=x onerror=alert(1)> **The Ring** is mine &amp; {{7*7}}"
AMEND: dict[str, Any] = {
    "outcome": "amend",
    "you": 1,
    "do": [{"gain": {"trait": "might"}}],
    "reasons": "One Might too few.",
}


@pytest.fixture
def table(client: httpx.Client) -> Table:
    """Commit 6 discovers a room and draws an omen; what was tried after it was refused."""
    table = Table.open(
        client,
        seats=[{"name": "Ann", "character": "ox-bellows"}, {"name": "Ben", "character": "zoe-ingstrom"}, {}],
        setup=PREPARED,
    )
    assert table.command(table.seats[0], {"type": "explore", "decision": "turn-1", "door": "east"}).status_code == 201
    assert table.command(table.seats[0], {"type": "move", "decision": "turn-1", "to": "attic"}).status_code == 409
    return table


def disputed(table: Table, seat: int = 1) -> str:
    """A dispute about commit 6; where it is ruled on."""
    opened = table.post("disputes", table.seats[seat], {"from": 6, "to": 6, "claim": CLAIM})
    assert opened.status_code == 201, opened.text
    return f"disputes/{opened.headers['location'].rpartition('/')[2]}/ruling"


def at_desk(screen: Screen, table: Table, token: str) -> Locator:
    screen.sit(table.id, token)
    screen.open(f"/g/{table.id}/desk")
    screen.shows("desk")
    found = screen.page.locator(".desk")
    found.locator(".trace li").first.wait_for(state="attached")
    return found


def foretells_where_cards_go(referee: Screen) -> None:
    referee.press("+ Card")
    said = "Then a card of the event deck is drawn; what follows can't be shown beforehand."
    referee.page.locator(".would").get_by_text(said).wait_for()
    change = referee.page.get_by_label("Step 1", exact=True)
    for does, becomes in (
        ("Take from its holder", "Ring: with Zoe Ingstrom (before: with Ox Bellows)"),
        ("Put down", "Ring: on the floor in the Charred Room (before: with Ox Bellows)"),
        ("Discard", "Ring: discarded (before: with Ox Bellows)"),
    ):
        change.select_option(does)
        referee.page.locator(".would").get_by_text(becomes).first.wait_for()
    referee.press("Remove step 1")


def test_from_two_clicks_in_the_log_to_a_ruling(screens: MakeScreen, table: Table) -> None:
    seat, referee, other = screens(), screens(), screens()
    seat.sit(table.id, table.seats[1])
    seat.page.locator(".tabs button", has_text="Log").click()
    seat.press("Dispute commit 6")
    seat.page.locator("textarea:focus").press_sequentially(CLAIM)
    seat.press("Send")
    seat.shows("table", version=7)

    referee.sit(table.id, table.referee)
    link = referee.page.get_by_role("link", name=re.compile("^Desk"))
    expect(link).to_have_text("Desk1")
    link.click()
    referee.shows("desk", version=7)
    desk = referee.page.locator(".desk")
    expect(desk.locator(".case blockquote")).to_have_text(CLAIM)
    step = desk.locator('.trace [data-number="6"]')
    step.get_by_text("there is no way from the Charred Room to the Attic").wait_for()
    step.get_by_text("Legal then: 4").click()
    step.get_by_text("Explore through the west door (1 space)").wait_for()
    desk.get_by_label("Cite commit 6").check()
    step.get_by_label("Cite 2E-DOOR-001").check()
    referee.press("Submit as evidence")
    referee.shows("desk", version=8)
    expect(desk.locator(".given")).to_contain_text("Commit 6")
    desk.locator(".given").get_by_label("Cite 2E-DOOR-001").check()

    desk.get_by_label("Amend", exact=True).check()
    desk.get_by_role("textbox", name="Reasons").fill(AMEND["reasons"])
    referee.press("+ Other, as JSON")
    text = desk.get_by_label("The step, in the words of content files")
    rule = desk.get_by_role("button", name="Make this ruling")
    for written, wrong in (
        ('{"gain"', "That is not valid JSON."),
        ('{"gain": {"trait": "luck"}}', "gain/trait: `luck` is not"),
    ):
        text.fill(written)
        desk.locator(".step .wrong", has_text=wrong).wait_for()
    desk.locator(".would").get_by_text("what is wrong stands beside its field").wait_for()
    expect(rule).to_be_disabled()
    assert referee.inaccessible() == []
    referee.press("Remove step 1")
    foretells_where_cards_go(referee)
    referee.press("+ Trait")
    desk.get_by_text("Might of Zoe Ingstrom: 4 (3 before)").first.wait_for()
    assert table.version() == 8, "tried, and nothing has changed"
    rule.click()
    referee.shows("desk", version=9)

    found = at_desk(other, table, table.seats[0])
    found.get_by_text("Ruled by the referee: amended.").wait_for()
    found.get_by_text("The reasons were told to others.").wait_for()
    found.get_by_text("press the flag beside a line").wait_for()
    for secret in ("onerror=alert", AMEND["reasons"]):
        assert secret not in other.told()
    found = at_desk(seat, table, table.seats[1])
    for words in (AMEND["reasons"], "Rule: 2E-DOOR-001", CLAIM):
        found.get_by_text(words).first.wait_for()
    assert found.get_by_role("button", name="Make this ruling").count() == 0
    assert seat.page.locator("img").count() + referee.page.locator("img").count() == 0


def test_a_rewind_says_what_it_undoes_and_can_do_it_again(screens: MakeScreen, table: Table) -> None:
    before = table.version() - 1
    assert table.post(disputed(table), table.referee, AMEND).status_code == 201
    disputed(table)
    seat, referee = screens(), screens()
    seat.sit(table.id, table.seats[0])
    desk = at_desk(referee, table, table.referee)
    desk.get_by_label("Through the eyes of").select_option("seat:1")
    expect(desk.get_by_text("there is no way from the Charred Room")).to_have_count(0)
    referee.press("One commit earlier")
    desk.get_by_role("heading", name=f"After commit {before}").wait_for()
    expect(desk.locator('.house [data-key="room/charred-room"]')).to_have_count(0)
    held = desk.locator(".holdings")
    expect(held).to_contain_text("Ox Bellows (Ann) · Might 5 · Speed 4 · Sanity 3 · Knowledge 3")
    expect(held).not_to_contain_text("Ring")
    referee.press("One commit later")
    expect(held).to_contain_text("Knowledge 3 · Ring")

    desk.get_by_label("Go back").check()
    assert desk.get_by_label("Play goes on from commit").input_value() == str(before)
    desk.get_by_label("Play goes on from commit").fill("2")
    desk.locator(".ruling > .wrong", has_text="the game had not started at commit 2").wait_for()
    desk.get_by_label("Play goes on from commit").fill(str(before))
    desk.get_by_text("This undoes the amendment of dispute 1.").wait_for()
    desk.get_by_text("Charred Room is gone from the house").first.wait_for()
    desk.locator(".would").get_by_text("Might of Zoe Ingstrom").first.wait_for()
    desk.get_by_label("Apply the amendment of dispute 1 again: Amended for Zoe Ingstrom").check()
    expect(desk.locator(".would").get_by_text("Might of Zoe Ingstrom")).to_have_count(0)
    desk.get_by_label("Make it a precedent, which holds from now on").check()
    desk.get_by_role("textbox", name="Reasons").fill("The door was shut.")
    for number in (1, 2):
        desk.get_by_role("button", name=f"Dispute {number}: ").click()
    expect(desk.get_by_role("textbox", name="Reasons")).to_have_value("The door was shut.")
    assert table.command(table.seats[0], {"type": "end-turn", "decision": "turn-1"}).status_code == 201
    referee.shows("desk", version=table.version())
    desk.get_by_role("button", name="Make this ruling").click()
    desk.get_by_text("Ruled by the referee: play went back to commit 5.").wait_for()
    again = "It applied the amendment of dispute 1 again: Amended for Zoe Ingstrom: "
    desk.get_by_text(again).wait_for()
    saw = desk.locator("details", has_text="Ben")
    saw.locator("summary").click()
    saw.get_by_text("Charred Room").first.wait_for()
    saw.get_by_role("button", name="Commit 6").click()
    expect(desk.get_by_label("Through the eyes of")).to_have_value("seat:1")
    desk.get_by_role("heading", name="After commit 6").wait_for()

    seat.shows("table", version=table.version())
    seat.page.locator(".banner", has_text="The door was shut.").wait_for()
    desk.get_by_text("Reopen", exact=True).first.click()
    desk.locator("details").get_by_role("textbox", name="Reasons").fill("The other door counts.")
    desk.locator("details").get_by_role("button", name="Reopen").click()
    desk.get_by_text("Reopened: The other door counts.").wait_for()
    desk.get_by_text("Before it was reopened").wait_for()


def test_what_if_opens_a_sandbox_that_says_so(screens: MakeScreen, table: Table) -> None:
    disputed(table)
    referee = screens(**PHONE)
    desk = at_desk(referee, table, table.referee)
    desk.locator(".tabs button", has_text="Board").click()
    with referee.page.context.expect_page() as opened:
        referee.press("Open a sandbox from commit 6 in a new tab")
    sandbox = opened.value
    sandbox.get_by_text("A sandbox from commit 6 on: nothing here changes the real game.").wait_for()
    assert sandbox.evaluate("() => window.opener === null")
    sandbox.locator(".hotseat").get_by_role("button", name="Ox Bellows").click()
    sandbox.locator(".tabs button", has_text="Actions").click()
    board = sandbox.locator(".table > .board").bounding_box()
    assert board
    assert board["height"] > 210, "a phone says only once what it is"
    sandbox.get_by_role("button", name="End the turn", exact=True).click()
    sandbox.locator('main[data-version="2"]').wait_for()
    assert table.version() == 7
    for tab in ("Board", "Trace"):
        desk.locator(".tabs button", has_text=tab).click()
        assert not referee.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")


def test_an_amendment_takes_no_more_steps_than_the_service_does(screen: Screen, table: Table) -> None:
    disputed(table)
    desk = at_desk(screen, table, table.referee)
    desk.get_by_label("Amend", exact=True).check()
    schema = contract()["components"]["schemas"]["AskRuling"]["properties"]["do"]
    for _ in range(schema["maxItems"]):
        screen.press("+ Trait")
    desk.get_by_text("An amendment has at most 20 steps.").wait_for()
    expect(desk.get_by_role("button", name="+ Trait")).to_have_count(0)
    screen.press("Remove step 20")
    screen.page.get_by_role("button", name="+ Trait").wait_for()


def test_whoever_only_watches_learns_who_disputes_and_who_rules(screen: Screen, table: Table) -> None:
    desk = at_desk(screen, table, table.spectator)
    desk.get_by_text("What players disputed, and what came of it.").wait_for()
    desk.get_by_text("Nothing has been disputed.").wait_for()
    disputed(table)
    desk.get_by_text("Only the referee and the player who disputed it can read the claim.").wait_for()
    assert desk.locator("form").count() == 0
    desk.locator("[aria-haspopup=dialog]").first.click()
    screen.page.get_by_role("dialog").get_by_role("button", name="Close").click()


def test_a_ruling_that_is_being_written_is_not_lost(screens: MakeScreen, table: Table) -> None:
    path = disputed(table)
    disputed(table, 2)
    desk = at_desk(screens(), table, table.referee)
    desk.locator(".disputes button", has_text="Dispute 1").click()
    reasons = desk.get_by_role("textbox", name="Reasons")
    reasons.fill("The way was open.")
    desk.locator(".disputes button", has_text="Dispute 2").click()
    expect(reasons).to_have_value("")
    desk.locator(".disputes button", has_text="Dispute 1").click()
    expect(reasons).to_have_value("The way was open.")
    assert table.post(path, table.referee, AMEND).status_code == 201
    told = desk.get_by_text("Somebody else has ruled.")
    told.wait_for()
    assert "The way was open." in told.inner_text()


def test_what_is_being_written_outlives_a_reload_and_no_other_role_reads_it(screen: Screen, table: Table) -> None:
    disputed(table)
    desk = at_desk(screen, table, table.referee)
    desk.get_by_label("Amend", exact=True).check()
    screen.press("+ Trait")
    screen.page.get_by_role("textbox", name="Reasons").fill("One.\n\nTwo.")
    desk.get_by_role("textbox", name="Note").fill("See there.")
    screen.page.reload()
    expect(desk.get_by_role("textbox", name="Reasons")).to_have_value("One.\n\nTwo.")
    expect(desk.get_by_role("textbox", name="Note")).to_have_value("See there.")
    expect(desk.locator(".step legend")).to_have_text("Step 1 · Trait")
    screen.sit(table.id, table.seats[1])
    screen.open(f"/g/{table.id}/desk")
    screen.shows("desk")
    expect(desk.get_by_role("textbox", name="Note")).to_have_value("")
    desk = at_desk(screen, table, table.referee)
    desk.get_by_text("Might of Zoe Ingstrom: 4 (3 before)").first.wait_for()
    desk.get_by_role("button", name="Make this ruling").click()
    desk.locator(".verdict").get_by_text("Amended for Zoe Ingstrom: gain 1 Might.").wait_for()
    expect(desk.locator(".verdict")).to_contain_text("One.\n\nTwo.", use_inner_text=True)
    assert not any("ruling" in key for key in screen.page.evaluate("() => Object.keys(sessionStorage)"))


def test_players_who_share_a_screen_do_not_read_each_others_claims(screens: MakeScreen, client: httpx.Client) -> None:
    table = Table.open(client, seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cleo"}], setup=PREPARED)
    shared = screens()
    for token in table.seats:
        shared.sit(table.id, token)
    text = shared.page.get_by_role("textbox", name="What is wrong?")

    def disputes(player: str) -> None:
        shared.press(f"I am {player}")
        shared.page.locator(".tabs button", has_text="Log").click()
        shared.press("Dispute commit 5")

    disputes("Cleo")
    text.fill("The Ring is mine.")
    shared.page.reload()
    disputes("Cleo")
    expect(text).to_have_value("The Ring is mine.")
    shared.press("Pass to Ann")
    disputes("Ann")
    expect(text).to_have_value("")


def test_who_has_an_open_dispute_is_told_before_writing_another(screen: Screen, table: Table) -> None:
    disputed(table)
    screen.sit(table.id, table.seats[1])
    screen.page.locator(".tabs button", has_text="Log").click()
    screen.press("Dispute commit 5")
    told = screen.page.locator(".claim")
    expect(told).to_contain_text("You already have an open dispute: withdraw it to open another.")
    expect(told).to_be_focused()
    assert told.get_by_role("textbox").count() == 0
    told.get_by_role("link", name="Disputes").click()
    screen.shows("desk")
    screen.press("Withdraw the dispute")
    screen.page.get_by_role("button", name="Withdraw the dispute").last.click()
    screen.shows("desk", version=8)


def test_what_players_write_keeps_its_lines_and_turns_nothing_round(screen: Screen, table: Table) -> None:
    turned, lines = "\u202eevil \u2067", "One.\n\nTwo."
    opened = table.post("disputes", table.seats[1], {"from": 6, "to": 6, "claim": turned + lines})
    assert opened.status_code == 201, opened.text
    assert table.post("disputes/1/evidence", table.seats[1], {"note": turned}).status_code == 201
    assert table.post("messages", table.seats[1], {"to": "table", "text": turned}).status_code == 201
    desk = at_desk(screen, table, table.referee)
    expect(desk.locator("blockquote").first).to_contain_text(lines, use_inner_text=True)
    style = "all => all.map(one => [getComputedStyle(one).unicodeBidi, getComputedStyle(one).display])"
    assert desk.locator("blockquote").evaluate_all(style) == [["plaintext", "block"]] * 2
    screen.page.get_by_role("link", name="To the table").click()
    screen.page.locator(".tabs button", has_text="Talk").click()
    message = screen.page.locator(".messages p:not(.small)")
    expect(message).to_have_text(turned)
    assert message.evaluate_all(style) == [["plaintext", "block"]]


def test_whoever_is_asked_to_agree_reads_what_would_be_done_and_why(screen: Screen, table: Table) -> None:
    asked = {"from": 6, "to": 6, "claim": CLAIM, "addressed": "table"}
    assert table.post("disputes", table.seats[1], asked).status_code == 201
    proposed = table.post("disputes/1/ruling", table.seats[1], {**AMEND, "precedent": True})
    assert proposed.status_code == 201, proposed.text
    told = at_desk(screen, table, table.seats[0]).locator(".case .aside")
    expect(told).to_contain_text("Zoe Ingstrom (Ben) proposes: amend.")
    expect(told).to_contain_text("Amended for Zoe Ingstrom: gain 1 Might.")
    expect(told).to_contain_text("Make it a precedent")
    expect(told).to_contain_text("Reasons: One Might too few.")
