"""Which files of the service run: every call of a Python function from `begin` to `end`, in all threads."""

from __future__ import annotations

import asyncio
import dis
import sys
import threading
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Self

ROOT = Path(__file__).parents[2]
SERVICE = f"{ROOT}/service/"


@cache
def _entry(code: CodeType) -> int:
    """Where a call begins. Of a coroutine that goes on behind an `await` the profiler says that it is called, too, but there it stands further on."""
    return next(one.offset for one in dis.get_instructions(code) if one.opname == "RESUME")


class Tracing:
    """Notes files below `service/` whose functions are called, by the task of the event loop that calls them.

    Threads that run already when the block begins are not watched.
    """

    def __init__(self) -> None:
        self._on = False
        self._found: dict[object, dict[str, None]] = {}

    def __enter__(self) -> Self:
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def begin(self) -> None:
        self._found = {}
        self._on = True

    def end(self) -> list[str]:
        """All files, whoever called."""
        self._on = False
        return list({file: None for files in self._found.values() for file in files})

    def end_of_tasks_that_ran(self, file: str) -> list[str]:
        """The files of those tasks alone in which one of them is this."""
        self._on = False
        return list({one: None for files in self._found.values() if file in files for one in files})

    def _called(self, frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if not self._on or event != "call" or not name.startswith(SERVICE) or frame.f_lasti != _entry(frame.f_code):
            return
        try:
            task: object = asyncio.current_task()
        except RuntimeError:  # a thread
            task = threading.get_ident()
        self._found.setdefault(task, {}).setdefault(name[len(str(ROOT)) + 1 :])
