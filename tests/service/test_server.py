"""The server: where it listens, whom it believes, how it stops."""

import asyncio
import queue
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from service.server import Server, prepare
from tests.acceptance.driving import OPENING, PATIENCE, problem, serving, settings


async def test_an_address_in_use_is_told_before_anything_is_opened(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        chosen = settings(tmp_path / "log.db", port=taken.getsockname()[1])
        with pytest.raises(OSError, match=str(taken.getsockname()[1])):
            await prepare(chosen)
    assert not (tmp_path / "log.db").exists()


async def test_a_free_port_is_taken_and_told() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    server = await prepare(settings("memory:"), ready=told.put_nowait)
    running = asyncio.create_task(server.serve())
    address = await told.get()
    assert server.listening.proto == socket.IPPROTO_TCP, "without it asyncio leaves Nagle's delay on: 40 ms an answer"
    async with httpx.AsyncClient(base_url=address) as client:
        assert (await client.get("/health/live")).json() == {"status": "live"}
    server.should_exit = True
    await running


@pytest.mark.parametrize("early", [True, False])
async def test_told_to_stop_while_it_starts_it_ends_and_leaves_nobody_searching(tmp_path: Path, early: bool) -> None:  # noqa: FBT001 -- a column of the table
    """Before it has begun to start, or when it is about to accept requests: what looks for webhooks and orders ends as well."""
    servers: list[Server] = []

    def stop(_: str) -> None:
        servers[0].should_exit = True

    before = asyncio.all_tasks()
    servers.append(await prepare(settings(tmp_path / "log.db"), ready=stop))
    servers[0].should_exit = early
    async with asyncio.timeout(PATIENCE):
        await servers[0].serve()
    assert asyncio.all_tasks() == before


def test_a_test_that_gives_up_on_a_server_leaves_none_behind(tmp_path: Path) -> None:
    """It was told to stop before it could hear of it: then it must not go on, or pytest would never end."""
    before = threading.enumerate()
    with pytest.raises(queue.Empty), serving(settings(tmp_path / "log.db"), patience=0.0):
        pass
    assert not [one for one in threading.enumerate() if one not in before]


@pytest.mark.parametrize("trusted, limited", [("", True), ("127.0.0.1", False)])
def test_only_a_trusted_proxy_can_say_who_is_calling(trusted: str, limited: bool) -> None:  # noqa: FBT001 -- a column of the table
    """Else whoever wants more requests than an address may send would just invent addresses."""
    chosen = settings("memory:", trusted_proxies=trusted, anonymous_rate=1, anonymous_burst=2)
    with serving(chosen) as address, httpx.Client(base_url=address) as client:
        answers = [
            client.post("/v1/games", json=OPENING, headers={"X-Forwarded-For": f"10.0.0.{number}"})
            for number in range(4)
        ]
        if limited:
            problem(answers[-1], 429, "too-many-requests")
        else:
            assert [one.status_code for one in answers] == [201] * 4


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_and_the_log_is_put_away(tmp_path: Path, how: signal.Signals) -> None:
    code = (
        "import sys\nfrom service.server import serve\nfrom service.settings import Settings\n"
        "serve(Settings(store=sys.argv[1], packs='second-edition', port=0, log_level='critical'),"
        " ready=lambda url: print(url, flush=True))\n"
    )
    command = [sys.executable, "-c", code, f"sqlite:///{tmp_path}/log.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        opened = httpx.post(f"{address}/v1/games", json=OPENING).json()
        token = opened["tokens"]["spectators"][0]["secret"]
        path = f"{address}/v1/games/{opened['game']['id']}/events"
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        with httpx.stream("GET", path, headers=headers, timeout=20) as answer:
            lines = answer.iter_lines()
            next(lines)
            running.send_signal(how)
            list(lines)
        running.wait(20)
    assert not (tmp_path / "log.db-wal").exists(), "everything is in the one file"
