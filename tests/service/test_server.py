"""The server: where it listens, whom it believes, how it stops."""

import asyncio
import contextlib
import json
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from service.homes import Boxes
from service.limits import POLICIES
from service.server import Member, Server, listen, prepare
from service.shared import Shared
from tests.acceptance.driving import OPENING, PATIENCE, Table, problem, serving, settings
from tests.acceptance.streams.test_socket import joined, take


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


async def test_ctrl_c_once_more_closes_the_store_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    servers: list[Server] = []

    def stop(_: str) -> None:
        servers[0].should_exit = servers[0].force_exit = True

    servers.append(await prepare(settings(tmp_path / "log.db"), ready=stop))
    async with asyncio.timeout(PATIENCE):
        await servers[0].serve()
    assert not (tmp_path / "log.db-wal").exists()
    assert "Traceback" not in caplog.text


async def test_a_worker_tells_that_it_lives_also_after_its_clock_was_set_back(tmp_path: Path) -> None:
    beats: list[float] = []
    with listen(chosen := settings(tmp_path / "log.db")) as listening, closing(Boxes(1)) as boxes:
        member = Member(listening, boxes.of(0), Shared(len(POLICIES)), {}, lambda: beats.append(time.time()))
        server = await prepare(chosen, member=member)
        server.last_notified = time.time() + 86_400
        await server.on_tick(0)
        server.should_exit = True
        await server.serve()
    assert beats


# -- deadlines ----------------------------------------------------------------------------------------------------------

HEADERS = b"POST /v1/games HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"
BODY = json.dumps(OPENING).encode()


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as found:
        yield found


def trickle(connection: socket.socket, sent: bytes, pause: float = 0.05) -> bytes:
    """Send byte by byte, until the other side has closed; gives what it said."""
    heard = b""
    for place in range(len(sent)):
        try:
            connection.sendall(sent[place : place + 1])
        except OSError:
            break
        time.sleep(pause)
    with contextlib.suppress(OSError):
        while more := connection.recv(65_536):
            heard += more
    return heard


@pytest.fixture(scope="module")
def hasty() -> Iterator[str]:
    """A service with no time for the slow."""
    with serving(settings("memory:", header_timeout=0.5, body_timeout=0.5)) as address:
        yield address


def check_refused(heard: bytes, status: int, code: str) -> None:
    """Check that the application's place was taken by an answer like its own, which says how the address stands, too."""
    head, _, body = heard.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first.split()[:2] == ["HTTP/1.1", str(status)]
    headers = dict(line.split(": ", 1) for line in lines)
    assert headers["content-type"] == "application/problem+json"
    assert headers["ratelimit-policy"].startswith('"address";q=')
    assert headers["ratelimit"].startswith('"address";r=')
    assert re.fullmatch(r"[0-9a-f]{16}", headers["x-request-id"])
    assert json.loads(body)["code"] == code


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00", b"GET / HTTP/x", b"GET / HTTP/1.1\r\nno header\r\n\r\n"])
def test_what_is_not_http_is_told_so(hasty: str, sent: bytes) -> None:
    with connected(hasty) as connection:
        connection.sendall(sent + b"\r\n\r\n")
        heard = b""
        while more := connection.recv(65_536):
            heard += more
    check_refused(heard, 400, "invalid-request")


def test_rubbish_behind_a_whole_request_does_not_take_its_answer(hasty: str) -> None:
    """The game is opened, and whoever opened it is told so; then the connection is closed."""
    with connected(hasty) as connection:
        connection.sendall(HEADERS + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY + b"GARBAGE\r\n\r\n")
        heard = b""
        while more := connection.recv(65_536):
            heard += more
    assert heard.startswith(b"HTTP/1.1 201 ")
    assert heard.count(b"HTTP/1.1 ") == 1


def test_headers_that_come_drop_by_drop_are_cut_off(hasty: str) -> None:
    with connected(hasty) as connection:
        since = time.monotonic()
        heard = trickle(connection, HEADERS + b"X: " + b"x" * 100)
        assert time.monotonic() - since < 9
    check_refused(heard, 408, "request-timeout")


def test_a_body_that_comes_drop_by_drop_is_cut_off(hasty: str) -> None:
    with connected(hasty) as connection:
        connection.sendall(HEADERS + b"Content-Length: %d\r\n\r\n" % len(BODY))
        heard = trickle(connection, BODY[:-1])
    check_refused(heard, 408, "request-timeout")
    with httpx.Client(base_url=hasty) as client:
        assert client.get("/health/live").status_code == 200


def test_a_body_that_goes_on_drop_by_drop_after_its_answer_is_cut_off(hasty: str) -> None:
    with connected(hasty) as connection:
        connection.sendall(HEADERS + b"Content-Length: 1000000000\r\n\r\n" + b" " * 100_000)
        since = time.monotonic()
        heard = trickle(connection, b" " * 200)
        assert time.monotonic() - since < 9
    assert heard.startswith(b"HTTP/1.1 413 ")


def test_requests_sent_at_once_are_answered_in_their_order(hasty: str) -> None:
    with connected(hasty) as connection:
        connection.sendall(
            b"GET /health/live HTTP/1.1\r\nHost: here\r\n\r\nHEAD /v1/nothing HTTP/1.1\r\nHost: here\r\n\r\n" * 3
        )
        heard = trickle(connection, b"")
    assert re.findall(rb"HTTP/1.1 (\d+) ", heard) == [b"200", b"404"] * 3


@pytest.mark.parametrize("sent", [b"", b"\r\n" * 5])
def test_a_connection_that_says_nothing_is_closed_without_a_word(hasty: str, sent: bytes) -> None:
    with connected(hasty) as connection:
        connection.sendall(sent)
        assert connection.recv(100) == b""


def test_a_connection_that_is_kept_has_the_same_deadlines_again(hasty: str) -> None:
    request = HEADERS + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY
    with connected(hasty) as connection:
        for _ in range(3):
            connection.sendall(request)
            time.sleep(0.3)
            assert connection.recv(65_536).startswith(b"HTTP/1.1 201 ")
        since = time.monotonic()
        assert trickle(connection, b"\r\n" * 100) == b""
        assert time.monotonic() - since < 9, "blank lines keep it open no longer"


def test_a_large_body_that_comes_fast_enough_has_the_time_that_it_takes() -> None:
    chosen = settings("memory:", body_timeout=0.3, body_limit=1 << 20)
    body = b" " * (1 << 17) + BODY
    with serving(chosen) as address, connected(address) as connection:
        connection.sendall(HEADERS + b"Content-Length: %d\r\n\r\n" % len(body))
        for place in range(0, len(body), 1 << 14):
            connection.sendall(body[place : place + (1 << 14)])
            time.sleep(0.1)  # 160 KiB a second
        assert connection.recv(100).startswith(b"HTTP/1.1 201 ")


def test_streams_and_sockets_have_no_deadline(hasty: str) -> None:
    with httpx.Client(base_url=hasty) as client:
        table = Table.open(client)
        with joined(hasty, table, table.seats[0]) as connection:
            take(connection, "event", 5)
            time.sleep(1.5)
            connection.send(json.dumps({"type": "ping", "id": "p"}))
            assert take(connection, "pong")[0]["id"] == "p"
