"""Redis servers for tests: real ones, each in a folder of its own, stopped in the end."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis

SERVER = "redis-server"
DURABLE = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
PATIENCE = 90.0
"""Seconds that a server or a cluster may take to start."""
SLOTS = 1 << 14


class Server:
    """One server, which can be killed and started again on the same folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """Of its process, while it runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        assert shutil.which(SERVER), "redis-server is missing: ./dev test installs it, or apt-get install redis-server"
        self.folder.mkdir(parents=True, exist_ok=True)
        where = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--logfile", "log")
        self._process = subprocess.Popen([SERVER, *where, "--unixsocket", "s", *(self.options or DURABLE)])
        wait_until(self._answers, f"{self.folder}/log")

    def kill(self) -> None:
        """`kill -9`."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def client(self) -> Any:  # noqa: ANN401 -- much of redis-py has no types
        """A client to look into it, which is to be closed."""
        return redis.Redis(host="127.0.0.1", port=self.port, protocol=2)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
        with contextlib.closing(self.client()) as client:
            return bool(client.ping())


@contextmanager
def server(folder: Path, *options: str) -> Iterator[Server]:
    """A durable server, unless options say otherwise."""
    running = Server(folder, *options)
    try:
        running.start()
        yield running
    finally:
        running.kill()


@contextmanager
def cluster(folder: Path, masters: int = 3) -> Iterator[list[Server]]:
    """A cluster of masters without replicas."""
    servers = []
    for number in range(masters):
        bus = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--cluster-node-timeout", "500")
        servers.append(Server(folder / str(number), *DURABLE, *bus))
    try:
        for one in servers:
            one.start()
        _join(servers)
        yield servers
    finally:
        for one in servers:
            one.kill()


def _join(servers: list[Server]) -> None:
    """What `redis-cli --cluster create` does, without its seconds of waiting."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(contextlib.closing(one.client())) for one in servers]
        for number, client in enumerate(clients):
            first, behind = (SLOTS * at // len(servers) for at in (number, number + 1))
            client.execute_command("CLUSTER", "ADDSLOTSRANGE", first, behind - 1)
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
        bus = servers[0].options[servers[0].options.index("--cluster-port") + 1]
        for client in clients[1:]:
            client.execute_command("CLUSTER", "MEET", "127.0.0.1", servers[0].port, bus)

        def joined() -> bool:
            return all(
                b"cluster_state:ok" in info and b"cluster_known_nodes:%d" % len(servers) in info
                for info in (client.execute_command("CLUSTER", "INFO") for client in clients)
            )

        wait_until(joined, "the cluster")


def wait_until(true: object, what: str) -> None:
    """Waits until a function without arguments answers true and raises nothing of the network."""
    assert callable(true)
    end = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(redis.RedisError, OSError):
            if true():
                return
        assert time.monotonic() < end, f"not ready after {PATIENCE} s: {what}"
        time.sleep(0.02)


def free_port() -> int:
    """A port below those that the system hands out itself, lest a connection takes it before the server does."""
    while True:
        port = 10_000 + secrets.randbelow(22_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
