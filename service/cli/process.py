"""The service as a process of its own, for a demonstration: started on a free port, stopped when it is done."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

import rich_click as click

LISTENS = re.compile(r"listens on (http://\S+)")
GRACE = 10.0
"""Seconds that the process is given to stop by itself."""
LOG = "service.log"


class ServiceProcess:
    """`omenlog serve` on a free port, as a context manager."""

    def __init__(self, data: Path, port: int = 0) -> None:
        """Serve games kept in this folder; what the service logs goes to `service.log` in it.

        Args:
            data: the folder.
            port: to listen on; 0: a free one.
        """
        self._data = data
        self._port = port
        self.url = ""

    def __enter__(self) -> Self:
        """Start it, and wait until it listens.

        Raises:
            click.ClickException: it stopped before it did; the end of its log is shown.
            OSError: the folder can't be made or written.
        """
        self._data.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "service.cli", "serve", "--host", "127.0.0.1", "--port", str(self._port)]
        with (self._data / LOG).open("w") as log:
            self._process = subprocess.Popen(  # noqa: S603 -- our own program, with arguments of our own making
                [*command, "--data", str(self._data)],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={"OMENLOG_LOG_LEVEL": "warning", **os.environ},
            )
        for line in self._process.stdout or ():
            found = LISTENS.search(line)
            if found:
                self.url = found[1]
                return self
        self._process.wait()
        told = (self._data / LOG).read_text().strip()
        raise click.ClickException(f"the service did not start:\n{told[-2000:]}")

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it; what it has acknowledged is on the disk."""
        self._process.terminate()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def kill(self) -> None:
        """Stop it at once (SIGKILL), as a crash would."""
        self._process.kill()
        self._process.wait()
