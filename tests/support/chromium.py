"""Debian's Chromium, driven by Playwright."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

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


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser. While it runs, Playwright's event loop is that of this thread."""
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False, args=ARGUMENTS)
        yield found
        found.close()
