"""The service and its workers in processes of their own, which can be killed and come back under their addresses."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.support.forked import Omenlog
from tests.support.redis import free_port

PATIENCE = 60.0
"""Seconds that a process may take to start or to end."""
SPAWNED = b"spawn_main"
"""Stands in the command line of a worker, and of nothing else that `omenlog work` starts."""


class Program:
    """A program of ours, with a session of its own, so that all that it has started can be killed with it."""

    def __init__(self, variables: Mapping[str, str], log: Path, *command: str) -> None:
        """Started by `start`; what it says goes to the log.

        Args:
            variables: settings, each without its `OMENLOG_`.
            log: a file, which is added to.
            command: of `omenlog`.
        """
        self.log = log
        self._command = command
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("OMENLOG_")},
            **{f"OMENLOG_{name.upper()}": value for name, value in variables.items()},
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        self._process: Omenlog | None = None

    async def start(self) -> None:
        """Answers once it says that it works."""
        said = self.log.with_suffix(".out")
        self._process = await asyncio.to_thread(
            Omenlog, self._environment, self._command, os.devnull, str(said), errors=str(self.log)
        )
        async with asyncio.timeout(PATIENCE):
            while not said.read_text().endswith("\n"):  # noqa: ASYNC110 -- a file tells nobody
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        """`kill -9`, also to what it has started."""
        await self._kill(os.killpg)

    async def kill_alone(self) -> None:
        """`kill -9`; what it has started ends by itself, as it notices."""
        await self._kill(os.kill)

    async def _kill(self, kill: Callable[[int, signal.Signals], None]) -> None:
        """Until nothing of it is left: before, its port is taken."""
        if self._process is not None:
            left = self.children()
            with contextlib.suppress(ProcessLookupError):
                kill(self._process.pid, signal.SIGKILL)
            await asyncio.to_thread(self._process.ended, PATIENCE)
            self._process = None
            async with asyncio.timeout(PATIENCE):
                while any(map(alive, left)):  # noqa: ASYNC110 -- nobody else is told
                    await asyncio.sleep(0.02)

    def children(self) -> list[int]:
        """The pids of the processes that it has started and that live, ordered."""
        return [] if self._process is None else children(self._process.pid)


def alive(pid: int) -> bool:
    """Whether a process runs, and is more than an entry that nobody has read: as long as any of its threads does, it holds what it has opened."""
    with contextlib.suppress(OSError):
        threads = Path(f"/proc/{pid}/task").glob("*/stat")
        return any(one.read_text().rpartition(")")[2].split()[0] != "Z" for one in threads)
    return False


def children(pid: int) -> list[int]:
    """The pids of the processes that a process has started and that live, ordered."""
    with contextlib.suppress(OSError):
        return sorted(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
    return []


class Api(Program):
    """A process that serves a store."""

    def __init__(self, store: str, log: Path, **settings: str) -> None:
        self.port = free_port()
        chosen = {
            "store": store,
            "packs": "second-edition",
            "port": str(self.port),
            "log_level": "critical",
            "snapshot_every": "7",
            "token_rate": "0",
            "anonymous_rate": "0",
            "open_games_per_address": "0",
            "accounts_per_address": "0",
            "heartbeat": "1",
        }
        super().__init__({**chosen, **settings}, log, "serve")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class Work(Program):
    """`omenlog work`: a process that sweeps and keeps workers alive."""

    def __init__(self, store: str, log: Path, *, workers: int, **settings: str) -> None:
        chosen = {"store": store, "packs": "second-edition", "log_level": "critical"}
        super().__init__({**chosen, **settings}, log, "work", "--workers", str(workers))

    def workers(self) -> list[int]:
        """The pids of its workers, ordered."""
        return [pid for pid in self.children() if SPAWNED in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
