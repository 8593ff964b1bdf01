"""`/docs`: the contract in a browser, read and tried."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Locator, expect

from tests.acceptance.driving import Table, problem
from tests.node import DOCS, vendor_viewer
from tests.table.conftest import MakeScreen
from tests.table.screens import PATIENCE, PHONE, Screen
from tests.table.test_files import linked


def opened(screen: Screen, operation: Locator, status: str = "200") -> None:
    operation.get_by_role("button", name="Execute").wait_for(timeout=3 * PATIENCE)
    operation.locator(f"tr.response[data-code='{status}'] .model-example").first.wait_for()


def test_the_contract_is_read_and_a_call_is_tried_with_a_token(screen: Screen, table: Table) -> None:
    page = screen.page
    page.goto(f"{screen.address}/docs#/play/getView")
    operation = page.locator("#operations-play-getView")
    opened(screen, operation)
    assert operation.get_by_text("See the house, the explorers and everything else").is_visible()
    page.get_by_role("button", name="Authorize", exact=True).first.click()
    token = page.locator(".auth-container").filter(has_text="A token of one game.")
    token.locator("input").fill(table.seats[1])
    token.locator("button[type=submit]").click()
    token.get_by_role("button", name="Close").click()
    operation.get_by_placeholder("game").fill(table.id)
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .response").first
    answer.wait_for()
    assert answer.locator(".response-col_status").inner_text().startswith("200")
    assert '"role": "seat:1"' in answer.locator(".highlight-code").inner_text()
    asked = [one for one in screen.requests if urlsplit(one.url).path == f"/v1/games/{table.id}/view"]
    assert [one.headers["authorization"] for one in asked] == [f"Bearer {table.seats[1]}"]
    assert {urlsplit(one.url).netloc for one in screen.requests if not one.url.startswith("data:")} == {
        urlsplit(screen.address).netloc
    }
    assert table.seats[1] not in str(screen.stored())


VIEWERS_OWN = (
    "Heading levels should only increase by one",
    "Interactive controls must not be nested",
    "All page content",
)
"""What axe-core finds in the viewer's own markup, which no style mends."""


def test_on_a_phone_a_game_is_opened_as_the_contract_shows_it_and_a_file_is_chosen(screens: MakeScreen) -> None:
    screen = screens(**PHONE)
    page = screen.page
    page.goto(f"{screen.address}/docs")
    page.locator("#operations-tag-games").click()
    faults = screen.inaccessible()
    assert [one for one in faults if not any(known in one for known in VIEWERS_OWN)] == []
    opening = page.locator("#operations-games-openGame")
    opening.locator(".opblock-summary-control").click()
    opened(screen, opening, "201")
    expect(opening.locator("textarea")).to_have_value(re.compile('"pack": "second-edition"'))
    assert not page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
    opening.get_by_role("button", name="Execute").click()
    expect(opening.locator(".live-responses-table .response-col_status").last).to_contain_text("201")
    page.locator("#operations-tag-proof").click()
    importing = page.locator("#operations-proof-importGame")
    importing.locator(".opblock-summary-control").click()
    importing.locator("input[type=file]").wait_for()


def test_calls_with_the_largest_answers_open_too(screen: Screen) -> None:
    """The viewer's own resolver takes minutes for them."""
    page = screen.page
    page.goto(f"{screen.address}/docs#/events/getEvents")
    opened(screen, page.locator("#operations-events-getEvents"))


def test_the_viewer_comes_from_the_service_under_a_strict_policy(client: httpx.Client) -> None:
    page = client.get("/docs")
    assert {"/docs/docs.js", "/docs/docs.css", "/docs/vendor/swagger-ui.js", "/docs/vendor/swagger-ui.css"} <= set(
        linked(page.text)
    )
    assert not re.search(r"<style|<script(?![^>]* src=)|\son\w+=|style=", page.text)
    for path in ("/docs", "/docs/docs.js", "/docs/vendor/swagger-ui.js", "/docs/vendor/swagger-ui.css"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        again = client.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/docs/", "/docs/index.html", "/docs/vendor/LICENSES", "/docs/vendor/..%2fdocs.js", "/docsify"]
)
def test_there_is_nothing_else_below_docs(client: httpx.Client, path: str) -> None:
    problem(client.get(path), 404, "not-found")


def test_the_viewer_is_what_the_lock_file_has(tmp_path: Path) -> None:
    vendor_viewer(tmp_path)
    made = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert made == {file.name: file.read_bytes() for file in (DOCS / "vendor").iterdir()}, (
        "./dev vendor writes them anew"
    )
    assert b"Apache License" in made["LICENSES"]
