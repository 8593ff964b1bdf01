"""What comes in at a table: lines that are typed, and word from the service that there is news."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Callable

import httpx

from service.cli.places import Place

AGAIN = 1.0
"""Seconds until a service that is away is asked again."""
QUIET = 60.0
"""Seconds without a sign of life after which a stream is taken for dead."""


class Lines:
    """Lines that the player types, and word from elsewhere that there is news: whichever comes first."""

    def __init__(self, source: int) -> None:
        """Read from this file descriptor."""
        self._source = source
        self._typed = b""
        self._ended = False
        self._woken, self._waker = os.pipe()
        self.live = os.isatty(source)
        """Somebody sits there: what is typed is read at any time. Of a pipe a line is read when a choice is asked for."""

    def wake(self) -> None:
        """Say that there is news; called from other threads."""
        os.write(self._waker, b".")

    def next(self, seconds: float, *, asked: bool) -> str | None:
        """The next line, or None when there is news instead, or nothing for so many seconds.

        Args:
            seconds: to wait.
            asked: whether the player is to choose now.

        Raises:
            EOFError: the input has ended, and a choice is asked for.
        """
        reading = asked or self.live
        if reading and b"\n" in self._typed:
            line, _, self._typed = self._typed.partition(b"\n")
            return line.decode(errors="replace").strip()
        if reading and self._ended:
            if asked:
                raise EOFError
            reading = False
        found, _, _ = select.select([self._woken, *([self._source] if reading else [])], [], [], seconds)
        if self._woken in found:
            os.read(self._woken, 4096)
            return None
        if self._source in found:
            more = os.read(self._source, 4096)
            self._ended = not more
            self._typed += more or (b"\n" if self._typed else b"")
            return self.next(0.0, asked=asked)
        return None


class Ear(threading.Thread):
    """Follows the game's stream and says whenever something came: what it was is asked for by whoever heard it."""

    def __init__(self, place: Place, wake: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._place = place
        self._wake = wake
        self._after = 0

    def run(self) -> None:
        """Follow until the game or the token has ended."""
        while self._listen():
            time.sleep(AGAIN)

    def _listen(self) -> bool:
        """One connection; returns whether there may be another."""
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {self._place.token}"}
        path = f"{self._place.url}/v1/games/{self._place.game}/events"
        try:
            timeout = httpx.Timeout(10.0, read=QUIET)
            with httpx.stream("GET", path, params={"after": self._after}, headers=headers, timeout=timeout) as answer:
                if answer.status_code != httpx.codes.OK:
                    self._wake()
                    return answer.status_code not in (httpx.codes.NO_CONTENT, httpx.codes.UNAUTHORIZED)
                for line in answer.iter_lines():
                    if line.startswith("id: "):
                        self._after = int(line.removeprefix("id: "))
                    elif line.startswith("data: "):
                        self._wake()
        except (httpx.HTTPError, ValueError):
            pass
        self._wake()
        return True
