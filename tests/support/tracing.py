"""Which files of the service run: every call of a Python function between `begin` and `end`, in all threads."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[2]
SERVICE = f"{ROOT}/service/"


class Tracing:
    """Notes the files of `service/` whose functions are called, in the order in which each is called first."""

    def __init__(self) -> None:
        self._found: dict[str, None] | None = None

    def install(self) -> None:
        """Watch this thread, and those that begin from now on."""
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def uninstall(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def begin(self) -> None:
        self._found = {}

    def end(self) -> list[str]:
        found, self._found = self._found or {}, None
        return list(found)

    def _called(self, frame: FrameType, event: str, _argument: object) -> None:
        found, name = self._found, frame.f_code.co_filename
        if event == "call" and found is not None and name.startswith(SERVICE):
            found.setdefault(name[len(str(ROOT)) + 1 :])
