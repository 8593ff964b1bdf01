"""Screens at the table: pages of a real browser, with all that they were sent, asked and complained about."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jsonschema
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, WebSocket

from openapi.writer.write import FILE
from service.http.pages import docs_files, table_files
from tests.support.chromium import LIVING_ROOM, inaccessible
from tests.support.gaps import report

DOCS = Path(__file__).parents[2] / "docs"
PATIENCE = 10_000
"""Milliseconds that a page may take to show what is expected."""
REFUSED = re.compile(r"Failed to load resource: the server responded with a status of 4\d\d ")
"""What Chromium says of every answer that is a problem."""
UNTRUSTED = re.compile("The Cross-Origin-Opener-Policy header has been ignored")
"""What it says of every page that comes by plain http from elsewhere."""
GIVEN_UP = re.compile("WebSocket connection to .* failed: WebSocket is closed before the connection is established")
"""What it says where a page goes elsewhere while it connects."""
BROKEN = re.compile(r"Failed to load resource: net::ERR_|WebSocket connection to .* failed")
"""What it says where a connection breaks."""


@cache
def contract() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def operations() -> Sequence[tuple[re.Pattern[str], str, dict[str, Any]]]:
    """Paths as patterns, those without parameters first; methods; operations."""
    found = []
    for path in sorted(contract()["paths"], key=lambda one: one.count("{")):
        pattern = re.compile("/".join("[^/]+" if part[:1] == "{" else re.escape(part) for part in path.split("/")))
        found += [(pattern, method.upper(), one) for method, one in contract()["paths"][path].items()]
    return found


@cache
def served() -> frozenset[str]:
    return frozenset([*table_files(), *docs_files()])


def exporting(name: str) -> str:
    """The file of the table that exports a name, whatever module has it."""
    pattern = re.compile(rf"^(?:import[^;]*;)*export const\{{[^}}]*\b{name}\b")
    return next(path for path, file in table_files().items() if pattern.search(file.body.decode()))


def strange(request: Request) -> str:
    """What the contract does not know of a request; nothing if it knows all."""
    address = urlsplit(request.url)
    if address.scheme == "data":
        return ""
    if request.method == "GET" and address.path in served():
        return f"a query for a file: {request.url}" if address.query else ""
    call = f"{request.method} {address.path}"
    operation = next(
        (one for path, method, one in operations() if method == request.method and path.fullmatch(address.path)), None
    )
    if operation is None:
        return f"{call} is not in the contract"
    named = {one["name"] for one in operation.get("parameters", [])}
    if unknown := {name for name, _ in parse_qsl(address.query)} - named:
        return f"{call} takes no {', '.join(sorted(unknown))}"
    if unknown := {name for name in request.headers if name in ("idempotency-key", "if-match")} - {
        name.lower() for name in named
    }:
        return f"{call} takes no header {', '.join(sorted(unknown))}"
    media = operation.get("requestBody", {}).get("content", {})
    kind = request.headers.get("content-type", "")
    if request.post_data_buffer and kind not in media:
        return f"{call} takes no {kind}"
    if kind == "application/json":
        schema = {**media[kind]["schema"], "components": contract()["components"]}
        wrong = jsonschema.Draft202012Validator(schema).iter_errors(request.post_data_json)
        return next((f"{call}: {one.message}" for one in wrong), "")
    return ""


class Screen:
    """A device at the table: a browser of its own, as far as pages can tell."""

    keeps_pictures = False

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context = context
        self.address = address
        self.breaks = False
        """Whether the test breaks connections."""
        self.requests: list[Request] = []
        self.complaints: list[str] = []
        self._responses: list[Response] = []
        self._frames: list[str] = []
        context.set_default_timeout(PATIENCE)
        context.on("request", self._request)
        context.on("response", self._response)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("page", lambda page: page.on("websocket", self._socket))
        self.page: Page = context.new_page()

    def _request(self, request: Request) -> None:
        self.requests.append(request)

    def _response(self, response: Response) -> None:
        self._responses.append(response)

    def _console(self, message: ConsoleMessage) -> None:
        expected = (
            REFUSED.match(message.text)
            or GIVEN_UP.match(message.text)
            or (self.breaks and BROKEN.search(message.text))
            or (LIVING_ROOM in self.address and UNTRUSTED.match(message.text))
        )
        if message.type in ("error", "warning") and not expected:
            self.complaints.append(message.text)

    def _socket(self, socket: WebSocket) -> None:
        if not re.fullmatch(r"/v1/games/[a-z2-7]{20}/socket", urlsplit(socket.url).path):
            self.complaints.append(f"a socket at {socket.url}")
        socket.on("framereceived", lambda frame: self._frames.append(str(frame)))
        socket.on("framesent", lambda frame: self.complaints.append(f"a frame was sent: {frame!r}"))

    def open(self, fragment: str = "", page: Page | None = None) -> None:
        """Go to an address of the page, as somebody who types it in or follows a link."""
        (page or self.page).goto(f"{self.address}/{fragment and '#'}{fragment}")

    def sit(self, game: str, token: str) -> None:
        """Take a place, as on another device."""
        self.open(f"/g/{game}/as/{token}")
        self.shows("table")

    def shows(self, part: str, *, version: int | None = None, link: str = "live") -> None:
        """Wait until the page shows a part, at a version if one is given."""
        at = "" if version is None else f'[data-version="{version}"]'
        linked = f'[data-link="{link}"]' if link else ""
        self.page.locator(f'main[data-part="{part}"]{at}{linked}').wait_for()

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds that no element of the page shows."""
        for _ in range(0, PATIENCE, 20):
            if holds():
                return
            self.page.wait_for_timeout(20)
        pytest.fail("it never held")

    def press(self, name: str) -> None:
        """Press the button of this name, once what was pressed before is done."""
        self.page.locator("main:not([aria-busy=true])").wait_for(state="attached")
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def stored(self) -> dict[str, str]:
        """What the browser keeps for the page."""
        found: dict[str, str] = self.page.evaluate("() => ({...localStorage})")
        return found

    def told(self) -> str:
        """All that the page was sent: files, answers, frames of sockets. An answer that it gave up while it came has no body to look at."""
        whole = [one for one in self._responses if one.status not in (204, 304) and one.request.failure is None]
        bodies = [one.text() for one in whole]
        return "\n".join([*bodies, *self._frames])

    def faults(self) -> list[str]:
        """Complaints of the browser, violations of the policy among them, and requests that the contract does not know."""
        return [*self.complaints, *filter(None, map(strange, self.requests))]

    def inaccessible(self) -> list[str]:
        """What is wrong with the page as it is now for those who see, hear or move otherwise."""
        return inaccessible(self.page)

    def picture(self, name: str) -> int:
        """Take a picture, and keep it in docs/ if the run is to write pictures anew; how many bytes it has."""
        taken = io.BytesIO()
        Image.open(io.BytesIO(self.page.screenshot())).save(taken, "WEBP", quality=80, method=6)
        if self.keeps_pictures:
            (DOCS / f"{name}.webp").write_bytes(taken.getvalue())
        return len(taken.getvalue())


@contextmanager
def screen(browser: Browser, address: str, **device: Any) -> Iterator[Screen]:  # noqa: ANN401 -- as `new_context` takes it
    """A new device; in the end it must have nothing to complain about."""
    context = browser.new_context(**device)
    try:
        made = Screen(context, address)
        yield made
        report(made.faults())
    finally:
        context.close()


WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SIDEWAYS = {**PHONE, "viewport": {"width": 740, "height": 360}}
DARK = {"color_scheme": "dark"}
