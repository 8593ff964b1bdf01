"""Audits for a running service: each in a process of its own, so that no game waits for one and none can do harm here."""

from __future__ import annotations

import asyncio
import os
import sys

import msgspec

from service.audit import Verdict

COMMAND = (sys.executable, "-m", "service.cli", "verify", "--json", "-")
"""The same that anybody can run; it reads the export from its standard input."""

_verdict = msgspec.json.Decoder(Verdict)


class NoVerdict(Exception):
    """The audit came to no end. The message says why."""


class Auditor:
    """Runs audits, one at a time."""

    def __init__(self, seconds: float) -> None:
        """Give each so many seconds."""
        self._seconds = seconds
        self._turn = asyncio.Semaphore(1)

    async def audit(self, body: bytes) -> Verdict:
        """Audit an export.

        Raises:
            NoVerdict: it took too long, or its process failed.
        """
        async with self._turn:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            process = await asyncio.create_subprocess_exec(
                *COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=environment,
            )
            try:
                async with asyncio.timeout(self._seconds):
                    out, _ = await process.communicate(body)
            except TimeoutError:
                raise NoVerdict(f"auditing it took longer than {self._seconds:g} s") from None
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        try:
            return _verdict.decode(out)
        except msgspec.DecodeError:
            raise NoVerdict("its audit failed") from None
