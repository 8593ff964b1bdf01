"""The service in processes of its own, which can be killed and come back under their addresses."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from tests.support.redis import free_port

SERVE = """
import sys
from service.server import serve
from service.settings import Settings
serve(Settings(store=sys.argv[1], packs="second-edition", port=int(sys.argv[2]), log_level="critical", snapshot_every=7,
               token_rate=0, anonymous_rate=0, heartbeat=1),
      ready=lambda address: print(address, flush=True))
"""
PATIENCE = 60.0
"""Seconds that a process may take to start."""


class Api:
    """A process that serves a store."""

    def __init__(self, store: str, log: Path) -> None:
        """Started by `start`; what it says goes to the log."""
        self.store = store
        self.log = log
        self.port = free_port()
        self._process: Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Answers once it accepts requests."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        arguments = ["-c", SERVE, self.store, str(self.port)]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, stdout=PIPE, stderr=log, env=environment
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            assert await self._process.stdout.readline(), f"the service did not start: see {self.log}"

    async def kill(self) -> None:
        """`kill -9`."""
        if self._process is not None:
            self._process.kill()
            await self._process.wait()
            self._process = None
