"""Debian's Chromium, driven by Playwright."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from tests.node import installed

CHROMIUM = Path("/usr/bin/chromium")
LIVING_ROOM = "living-room.test"
"""A host that browsers trust less than this machine: plain http elsewhere."""
ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--no-default-browser-check",
    f"--host-resolver-rules=MAP {LIVING_ROOM} 127.0.0.1",
)
LOOKS: Mapping[Literal["light", "dark"], object] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}
"""What axe-core is asked, by scheme: the same page by night differs in its colors alone."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser. While it runs, Playwright's event loop is that of this thread."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False, args=ARGUMENTS)
        yield found
        found.close()


def inaccessible(page: Page) -> list[str]:
    """What axe-core finds wrong with a page as it is now, or what sticks out of it: light and dark, wide and narrow."""
    page.evaluate((installed() / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    before = page.viewport_size
    found: list[str] = []
    for width, height in ((1280, 800), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme, asked in LOOKS.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no color on its way to another
            wrong = page.evaluate("async (asked) => (await axe.run(asked)).violations", asked)
            found += [f"{scheme}, {width}: {one['help']}: {one['nodes'][0]['html'][:200]}" for one in wrong]
        if page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{width}: the page is wider than the screen")
    page.emulate_media(color_scheme="null", reduced_motion="null")
    if before:
        page.set_viewport_size(before)
    return found
