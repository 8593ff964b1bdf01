"""Audits for a running service: each in a process of its own, so that no game waits for one and none can do harm here."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from collections import OrderedDict

import msgspec

from service.audit.verdict import Progress, Verdict, quietly

COMMAND = (sys.executable, "-m", "service.cli", "verify", "--json", "--progress", "-")
"""The same that anybody can run; it reads the export from its standard input."""

KEPT = 16
"""Verdicts that are remembered."""

_verdict = msgspec.json.Decoder(Verdict)


class NoVerdict(Exception):
    """The audit came to no end. The message says why."""


class Auditor:
    """Runs audits, one at a time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turn = asyncio.Semaphore(1)
        self._latest: OrderedDict[bytes, Verdict] = OrderedDict()
        """By the digest of what was audited: a retry needs no second audit."""

    async def audit(self, body: bytes, progress: Progress = quietly) -> Verdict:
        """Audit an export.

        Args:
            body: as it was exported.
            progress: is told now and then how many commits were checked.

        Raises:
            NoVerdict: it took too long, or its process failed.
        """
        digest = hashlib.sha256(body).digest()
        async with self._turn:
            if digest not in self._latest:
                self._latest[digest] = await self._run(body, progress)
                while len(self._latest) > KEPT:
                    self._latest.popitem(last=False)
            return self._latest[digest]

    async def _run(self, body: bytes, progress: Progress) -> Verdict:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
        try:
            async with asyncio.timeout(self._seconds):
                out, _, _ = await asyncio.gather(
                    _read(process.stdout), _follow(process.stderr, progress), _feed(process, body)
                )
                await process.wait()
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


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    return b"" if stream is None else await stream.read()


async def _follow(stream: asyncio.StreamReader | None, progress: Progress) -> None:
    """Pass on what `omenlog verify --progress` says."""
    while stream is not None and (line := await stream.readline()):
        number = line.partition(b" ")[0]
        if number.isdigit():
            progress(int(number))


async def _feed(process: asyncio.subprocess.Process, body: bytes) -> None:
    """Hand over the export; whoever stops reading has said why."""
    if process.stdin is None:
        return
    try:
        process.stdin.write(body)
        await process.stdin.drain()
        process.stdin.close()
    except (BrokenPipeError, ConnectionResetError):
        return
