"""`omenlog serve --workers`: several processes under one address, of which clients notice nothing, whichever is killed."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import re
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, RemoteDisconnected
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.sync.client import ClientConnection, connect

from service.audit.verdict import Outcome
from service.homes import AWAY
from service.workers import PREFIX
from tests.acceptance.driving import PATIENCE, Table, bearer, problem, version_of
from tests.acceptance.operation.test_durability import Walker, check_walker
from tests.acceptance.operation.test_observing import told
from tests.acceptance.streams.test_socket import joined, refusal, rest, take, url
from tests.bench.load import frame, upgrade
from tests.support.forked import Omenlog, at_terminal
from tests.support.processes import alive, children
from tests.support.redis import free_port, server, wait_until

SOON = 3.0
"""Seconds within which a killed worker serves again."""
SSE = {"Accept": "text/event-stream"}
COUNTED = ("_total", "_bucket", "_count", "_sum")
"""Ends of the names of series that only grow."""
PING = '{"type":"ping","id":"here"}'


@dataclass
class Crew:
    """A service with workers."""

    url: str
    process: Omenlog
    store: Path
    errors: Path

    def workers(self) -> list[int]:
        return children(self.process.pid)

    def folder(self) -> Path:
        """Where its workers leave files for each other."""
        for one in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                if (held := one.readlink()).name.startswith(PREFIX) and held.is_dir():
                    return held
        raise AssertionError(f"{self.process.pid} holds no folder")

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask over a connection of its own, which any worker may take."""
        return httpx.get(f"{self.url}{path}", headers=headers, timeout=PATIENCE)

    def series(self) -> dict[tuple[str, ...], float]:
        """All that is counted, without what goes up and down."""
        with httpx.Client(base_url=self.url) as client:
            return {one: value for one, value in told(client).items() if one[0].endswith(COUNTED)}

    def counted(self) -> dict[str, float]:
        """Requests answered, by worker."""
        found: dict[str, float] = {}
        for (name, *labels), value in self.series().items():
            if name == "omenlog_requests_total":
                worker = next(one.partition("=")[2] for one in labels if one.startswith("worker="))
                found[worker] = found.get(worker, 0) + value
        return found


@contextmanager
def crew(folder: Path, *, workers: int = 2, port: int = 0, **settings: str) -> Iterator[Crew]:
    """A service with workers, which is killed in the end if it hasn't ended; what it says when it can't start is what the test says."""
    chosen = {"packs": "second-edition", "port": str(port), "workers": str(workers), "log_level": "warning"}
    chosen |= {"store": f"sqlite:///{folder}/log.db", "heartbeat": "1", "anonymous_rate": "0", "token_rate": "0"}
    env = {**os.environ, **{f"OMENLOG_{name.upper()}": value for name, value in {**chosen, **settings}.items()}}
    said, errors = folder / "said.txt", folder / "errors.txt"
    process = Omenlog(env, ("serve",), os.devnull, str(said), errors=str(errors))
    pid = process.pid
    try:
        wait_until(lambda: said.read_text().endswith("\n") or process.is_over(), "a service that listens")
        assert f", {workers} workers)" in said.read_text(), errors.read_text()
        yield Crew(said.read_text().split()[3], process, folder / "log.db", errors)
    finally:
        left = children(pid)
        for one in (pid, *left):
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    with crew(tmp_path_factory.mktemp("crew"), streams_per_token="3") as found:
        yield found


def at_sockets(client: httpx.Client) -> dict[str, float]:
    """WebSockets opened, by worker."""
    opened = {"route=/v1/games/{game}/socket", "status=101"}
    return {labels[-1]: value for labels, value in told(client).items() if opened <= set(labels)}


def grown(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    return {worker: value - before.get(worker, 0) for worker, value in after.items() if value != before.get(worker, 0)}


def test_all_sockets_of_a_game_are_at_one_worker_and_games_are_at_both(serving: Crew) -> None:
    homes: set[str] = set()
    with ExitStack() as stack:
        client = stack.enter_context(httpx.Client(base_url=serving.url, timeout=PATIENCE))
        for _ in range(8):
            table, before = Table.open(client), at_sockets(client)
            tokens = (*table.seats, table.referee, table.host)
            connections = [stack.enter_context(joined(serving.url, table, token)) for token in tokens]
            for connection in connections:
                take(connection, "event", 5)
            found = grown(before, at_sockets(client))
            assert list(found.values()) == [5]
            homes |= set(found)
            table.play(1)
            for connection in connections:
                assert take(connection, "event")[0]["cursor"] == table.version()
    assert len(homes) == 2


def test_who_asks_for_a_game_over_a_new_connection_is_answered_by_the_worker_at_home(serving: Crew) -> None:
    homes: set[str] = set()
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        for _ in range(8):
            table, before = Table.open(client), at_lists(client)
            for token in table.seats:
                assert serving.get(f"{table.path}/decisions", **bearer(token)).status_code == 200
            found = grown(before, at_lists(client))
            assert list(found.values()) == [len(table.seats)]
            homes |= set(found)
    assert len(homes) == 2


def at_lists(client: httpx.Client) -> dict[str, float]:
    """Lists of decisions that were answered, by worker."""
    asked = {"route=/v1/games/{game}/decisions", "status=200"}
    return {labels[-1]: value for labels, value in told(client).items() if asked <= set(labels)}


def test_what_a_request_for_a_socket_says_goes_with_it_to_the_worker_at_home(tmp_path: Path) -> None:
    """Of four games' sockets, opened over connections of their own, about half are handed on."""
    chosen: dict[str, Any] = {"anonymous_rate": "1", "anonymous_burst": "2", "streams_per_token": "2"}
    with (
        crew(tmp_path, trusted_proxies="127.0.0.1", **chosen) as serving,
        httpx.Client(base_url=serving.url, timeout=PATIENCE) as client,
    ):
        for number in range(4):
            client.headers["X-Forwarded-For"] = f"192.0.2.{number}"
            table = Table.open(client)
            asked = {**bearer(table.seats[0]), "X-Request-Id": f"mine-{number}"}
            with connect(url(serving.url, table), additional_headers=asked, open_timeout=PATIENCE) as connection:
                assert connection.response is not None
                assert connection.response.headers["x-request-id"] == f"mine-{number}"
                assert take(connection, "hello")[0]["request"] == f"mine-{number}"
                with serving_stream(serving, table, table.seats[0]) as lines:
                    next(lines)
                    assert refusal(serving.url, table, **asked)[0] == 429, "two streams, whichever workers have them"
            by = {"X-Forwarded-For": f"198.51.100.{number}"}
            refused = [refusal(serving.url, table, **by)[0] for _ in range(8)]
            assert refused[:2] == [401, 401], "an address has a bucket of its own"
            assert 429 in refused, "and one alone"


def test_a_connection_that_has_asked_for_other_things_becomes_a_socket_and_nothing_sent_is_lost(serving: Crew) -> None:
    host, _, port = serving.url.removeprefix("http://").partition(":")
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        tables = [Table.open(client) for _ in range(4)]
    for table in tables:
        with socket.create_connection((host, int(port)), PATIENCE) as raw:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.sendall(b"GET /health/live HTTP/1.1\r\nHost: there\r\n\r\n")
            heard = read_until(raw, b"}")
            assert heard.startswith(b"HTTP/1.1 200 ")
            raw.sendall(upgrade(f"{table.path}/socket?events=false", table.seats[0]))
            for number in range(50):  # without waiting for the handshake; what comes in one with the request is lost
                raw.sendall(frame(b'{"type":"ping","id":"%d"}' % number))
                time.sleep(0.001)
            heard = read_until(raw, b'"pong","id":"49"')
            assert heard.startswith(b"HTTP/1.1 101 ")
            answered = [int(one) for one in re.findall(rb'"pong","id":"(\d+)"', heard)]
            assert answered == list(range(answered[0], 50))


def read_until(raw: socket.socket, last: bytes) -> bytes:
    heard = b""
    while last not in heard:
        more = raw.recv(65_536)
        assert more, heard
        heard += more
    return heard


def test_who_is_at_a_killed_worker_plays_on_at_the_next_one_within_three_seconds(tmp_path: Path) -> None:
    """Whoever accepts the connection: it waits for the worker at home in the game."""
    took: list[float] = []
    with crew(tmp_path) as serving, httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        tables = [Table.open(client) for _ in range(4)]
        while len(took) < 2 or min(took) >= SOON:
            assert len(took) < 6, took
            with ExitStack() as stack:
                seats = [stack.enter_context(joined(serving.url, one, one.seats[0])) for one in tables]
                os.kill(serving.workers()[len(took) % 2], signal.SIGKILL)
                killed = time.monotonic()
                thrown_out = 0
                for table, seat in zip(tables, seats, strict=True):
                    with contextlib.suppress(ConnectionClosed):
                        seat.send(PING)
                        take(seat, "pong")
                        continue
                    thrown_out += 1
                    stack.enter_context(back(serving, table)).send(PING)
                took.append(time.monotonic() - killed)
            assert 0 < thrown_out < 4, "games are at both"
            wait_until(lambda: len(serving.workers()) == 2, "both workers")
        before, table = at_sockets(client), Table.open(client)
        with ExitStack() as stack:
            for token in table.seats:
                take(stack.enter_context(joined(serving.url, table, token)), "hello")
            assert list(grown(before, at_sockets(client)).values()) == [len(table.seats)]


@contextmanager
def back(serving: Crew, table: Table, patience: float = PATIENCE) -> Iterator[ClientConnection]:
    """A seat's socket, asked for until it is had: who accepts a connection may be killed, or hang."""
    end = time.monotonic() + PATIENCE
    with ExitStack() as stack:
        asked = functools.partial(connect, url(serving.url, table), additional_headers=bearer(table.seats[0]))
        connection = None
        while connection is None:
            try:
                connection = stack.enter_context(asked(open_timeout=patience))
            except (OSError, InvalidMessage):
                assert time.monotonic() < end, "nobody serves it"
        take(connection, "hello")
        yield connection


def test_while_the_worker_at_home_in_a_game_hangs_another_serves_its_sockets(tmp_path: Path) -> None:
    with crew(tmp_path) as serving, httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        tables = [Table.open(client) for _ in range(4)]
        stopped = serving.workers()[0]
        os.kill(stopped, signal.SIGSTOP)
        time.sleep(AWAY)
        for table in tables:
            with back(serving, table, patience=1.0) as seat:
                seat.send(PING)
                assert take(seat, "pong")
        os.kill(stopped, signal.SIGCONT)


def test_every_worker_serves_every_game_and_requests_are_counted_by_worker(serving: Crew) -> None:
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        table = Table.open(client)
    for _ in range(8):  # each over a connection of its own, which stays where it is as it was used before
        with httpx.Client(base_url=serving.url, timeout=PATIENCE) as table.client:
            table.client.get("/health/live")
            table.play(1)
            version = table.version()
            assert version_of(serving.get(f"{table.path}/view", **bearer(table.referee))) == version
    before = serving.counted()
    answers = [serving.get("/v1/games") for _ in range(30)]
    after = serving.counted()
    assert {one.status_code for one in answers} == {200}
    assert len({one.headers["x-request-id"] for one in answers}) == 30, "no two workers give the same"
    assert len(after) == 2, "both answer"
    assert sum(after.values()) == sum(before.values()) + 31, (
        "thirty, and the look before: whoever is asked knows of all"
    )


def test_what_one_worker_does_is_told_to_those_who_follow_at_another_at_once(serving: Crew) -> None:
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        table = Table.open(client)
        lags: list[float] = []
        for _ in range(6):
            with (
                serving_stream(serving, table) as lines,
                httpx.Client(base_url=serving.url, timeout=PATIENCE) as table.client,
            ):
                table.client.get("/health/live")  # so that it stays at whichever worker has accepted it
                version = table.version()
                while not any(line == f"id: {version}" for line in lines):
                    pass
                table.play(1)
                done = time.monotonic()
                while not any(line == f"id: {version + 1}" for line in lines):
                    pass
                lags.append(time.monotonic() - done)
    assert sorted(lags)[2] < 0.2, f"somebody at the table would see it: {lags}"


@contextmanager
def serving_stream(serving: Crew, table: Table, token: str = "") -> Iterator[Iterator[str]]:
    """The lines of a stream, over a connection of its own."""
    path = f"{serving.url}{table.path}/events"
    with httpx.stream("GET", path, headers={**bearer(token or table.referee), **SSE}, timeout=PATIENCE) as answer:
        if answer.status_code == 429:
            answer.read()
        assert answer.status_code == 200, answer.text
        yield answer.iter_lines()


def test_a_verification_is_shown_by_whichever_worker_is_asked(serving: Crew) -> None:
    with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
        table = Table.open(client)
        table.play(5)
        asked = table.post("verifications", table.referee).json()
    path = f"{table.path}/verifications/{asked['id']}"
    shown = [serving.get(path, **bearer(table.referee)) for _ in range(8)]
    assert [one.status_code for one in shown] == [200] * 8
    wait_until(lambda: serving.get(path, **bearer(table.referee)).json()["status"] == "done", "the verdict")
    verdicts = {serving.get(path, **bearer(table.referee)).json()["outcome"] for _ in range(8)}
    assert verdicts == {Outcome.UNVERIFIED.value}, "the seed is still secret"


def test_a_token_has_so_many_streams_at_all_workers_together_and_those_of_a_killed_one_again(tmp_path: Path) -> None:
    with crew(tmp_path, streams_per_token="4", spectator_streams_per_game="6") as serving, ExitStack() as streams:
        with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
            table = Table.open(client)
        for _ in range(4):
            streams.enter_context(serving_stream(serving, table))
        for _ in range(6):
            problem(serving.get(f"{table.path}/events", **bearer(table.referee), **SSE), 429, "too-many-streams")
        for pid in serving.workers():
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: _opens(serving, table), "a place for another stream")
        for _ in range(4):
            streams.enter_context(serving_stream(serving, table))
        problem(serving.get(f"{table.path}/events", **bearer(table.referee), **SSE), 429, "too-many-streams")


def _opens(serving: Crew, table: Table) -> bool:
    with contextlib.suppress(httpx.TransportError, AssertionError), serving_stream(serving, table):
        return True
    return False


def test_an_address_has_so_many_requests_at_all_workers_together(tmp_path: Path) -> None:
    with crew(tmp_path, anonymous_rate="1", anonymous_burst="30") as serving:
        began = time.monotonic()
        answers = [serving.get("/v1/games") for _ in range(60)]
        fine = sum(one.status_code == 200 for one in answers)
        assert 30 <= fine <= 31 + (time.monotonic() - began)
        assert {one.status_code for one in answers} == {200, 429}
        left = [int(one.headers["ratelimit"].split("r=")[1].split(";")[0]) for one in answers[:10]]
        assert left == sorted(left, reverse=True), "one bucket, whichever worker says so"


def test_a_killed_worker_serves_again_within_three_seconds(tmp_path: Path) -> None:
    """Each time it is replaced; one that isn't disturbed by other work on the machine is as quick."""
    took: list[float] = []
    with crew(tmp_path) as serving:
        while len(took) < 2 or min(took) >= SOON:
            assert len(took) < 8, took
            before, counted = serving.workers(), serving.series()
            victim = before[len(took) % 2]
            os.kill(victim, signal.SIGKILL)
            killed = time.monotonic()
            wait_until(lambda: len(set(serving.workers()) - {victim}) == 2, "another worker")  # noqa: B023 -- at once
            answers = [serving.get("/v1/games").status_code for _ in range(16)]
            took.append(time.monotonic() - killed)
            assert answers == [200] * 16
            now = serving.series()
            assert [one for one, value in counted.items() if now.get(one, 0.0) < value] == [], "counts only grow"
        assert serving.errors.read_text().count("another is started") == len(took)


def test_nothing_acknowledged_is_lost_or_done_twice_when_workers_and_their_parent_are_killed_under_load(
    tmp_path: Path,
) -> None:
    """Whoever gets no answer sends again, under its key, to whichever worker takes the connection."""
    port, walkers, left = free_port(), list[Walker](), tmp_path

    def walk(walker: Walker, url: str) -> None:
        while not walker.enough:
            walker.run(url)
            time.sleep(0.02)

    threads: list[threading.Thread] = []
    for kill_parent in (True, False):
        (folder := tmp_path / str(kill_parent)).mkdir()
        with crew(folder, port=port, store=f"sqlite:///{tmp_path}/log.db", snapshot_every="7") as serving:
            if not walkers:
                with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
                    walkers = [Walker(client) for _ in range(3)]
                threads = [threading.Thread(target=walk, args=(one, serving.url), daemon=True) for one in walkers]
                for thread in threads:
                    thread.start()
            for number in range(3):
                wanted = sum(one.steps for one in walkers) + 25
                wait_until(lambda: sum(one.steps for one in walkers) >= wanted, "more steps")  # noqa: B023 -- at once
                wait_until(lambda: len(serving.workers()) == 2, "both workers")
                os.kill(serving.workers()[number % 2], signal.SIGKILL)
            workers = serving.workers()
            if kill_parent:
                left = serving.folder()
                os.kill(serving.process.pid, signal.SIGKILL)
                wait_until(lambda: not any(map(alive, workers)), "the end of the workers")  # noqa: B023 -- at once
                os.utime(left, (0, 0))  # as if it were long ago
                continue
            assert serving.folder().exists()
            assert not left.exists(), "what the killed one left is cleared away"
            for walker in walkers:
                walker.enough = True
            for thread in threads:
                thread.join()
            with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
                for walker in walkers:
                    walker.table.client = client
                    check_walker(walker)


def test_told_to_stop_all_streams_end_with_a_word_and_nobody_is_left(tmp_path: Path) -> None:
    with crew(tmp_path) as serving:
        with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
            table = Table.open(client)
            version = table.version()
        workers = serving.workers()
        with ExitStack() as stack:
            streams = [stack.enter_context(serving_stream(serving, table)) for _ in range(6)]
            for lines in streams:
                next(lines)
            sockets = [stack.enter_context(joined(serving.url, table, table.host)) for _ in range(4)]
            os.kill(serving.process.pid, signal.SIGTERM)
            ends = [[line for line in lines if line.startswith("data: ")][-1] for lines in streams]
            assert {rest(one)[1:] for one in sockets} == {(1001, f"stopping; go on after {version}")}
        assert {json.loads(end.removeprefix("data: "))["reason"] for end in ends} == {"stopping"}
        assert serving.process.ended(PATIENCE) == -signal.SIGTERM, (
            "it ends by the signal, after it has finished its work"
        )
        assert not any(map(alive, workers))
        assert not Path(f"{serving.store}-wal").exists(), "everything is in the one file"


def test_told_to_stop_it_answers_all_whose_connections_it_has_taken(tmp_path: Path) -> None:
    """Each connects anew for each request, about half of which are handed on, until nobody listens any more."""
    with crew(tmp_path) as serving:
        with httpx.Client(base_url=serving.url, timeout=PATIENCE) as client:
            tables = [Table.open(client) for _ in range(8)]
        address = httpx.URL(serving.url)

        def ask(table: Table) -> int:
            """Ask again and again; how often. Raises `RemoteDisconnected` for a connection that was closed without an answer."""
            for number in itertools.count():
                connection = HTTPConnection(address.host, address.port or 80, timeout=PATIENCE)
                with contextlib.closing(connection):
                    try:
                        connection.request("GET", f"{table.path}/view", headers=bearer(table.referee))
                        assert connection.getresponse().status == 200
                    except RemoteDisconnected:
                        raise
                    except ConnectionError:  # it was never taken
                        return number
            raise AssertionError

        with ThreadPoolExecutor(len(tables)) as pool:
            asking = [pool.submit(ask, table) for table in tables]
            time.sleep(0.5)
            os.kill(serving.process.pid, signal.SIGTERM)
            assert all(one.result(PATIENCE) for one in asking)
        assert serving.process.ended(PATIENCE) == -signal.SIGTERM


def test_who_is_told_to_come_back_when_workers_are_replaced_is_at_one_with_all_others_of_the_game(
    tmp_path: Path,
) -> None:
    with (
        crew(tmp_path) as serving,
        httpx.Client(base_url=serving.url, timeout=PATIENCE) as client,
        ExitStack() as stack,
    ):
        table = Table.open(client)
        version = table.version()
        seats = [stack.enter_context(joined(serving.url, table, token)) for token in table.seats]
        before = at_sockets(client)
        os.kill(serving.process.pid, signal.SIGHUP)

        def come_back(seat: ClientConnection, token: str) -> ClientConnection:
            assert rest(seat)[1:] == (1001, f"stopping; go on after {version}")
            return stack.enter_context(joined(serving.url, table, token, f"?after={version}"))

        with ThreadPoolExecutor(len(seats)) as pool:
            again = list(pool.map(come_back, seats, table.seats))
        assert list(grown(before, at_sockets(client)).values()) == [len(seats)]
        table.play(1)
        assert [take(seat, "event")[0]["cursor"] for seat in again] == [version + 1] * len(seats)


def test_hangup_replaces_all_workers_one_by_one_and_nobody_notices(tmp_path: Path) -> None:
    """Neither who comes anew for each request nor who keeps a connection, which each worker says it closes before it does."""
    with crew(tmp_path) as serving:
        failed, over = list[str](), threading.Event()

        def ask(*, keep: bool) -> None:
            address = serving.url.removeprefix("http://")
            with contextlib.closing(HTTPConnection(address, timeout=PATIENCE)) as connection:
                while not over.is_set():
                    try:
                        connection.request("GET", "/v1/games")  # it connects again only where it was told of the end
                        if (answer := connection.getresponse()).status != 200:
                            failed.append(answer.reason)
                        answer.read()
                        if not keep:
                            connection.close()
                    except (HTTPException, OSError) as error:
                        failed.append(repr(error))
                        connection.close()

        asking = [threading.Thread(target=ask, kwargs={"keep": keep}) for keep in (True, True, True, False)]
        for one in asking:
            one.start()
        counted = sum(serving.counted().values())
        for _ in range(3):
            before = serving.workers()
            os.kill(serving.process.pid, signal.SIGHUP)
            wait_until(lambda: replaced(serving, before), "others")  # noqa: B023 -- at once
        over.set()
        for one in asking:
            one.join()
        assert failed == []
        assert sum(serving.counted().values()) > counted, "and counts go on"
        assert serving.errors.read_text() == ""


def test_hangup_reads_packs_and_those_with_a_mistake_stay_as_they_were_for_all_workers_to_come(tmp_path: Path) -> None:
    """Whatever becomes of their files, a worker can be replaced."""
    for name in ("mine", "yours"):
        write_pack(tmp_path / name, name, "Before")
    with crew(tmp_path, packs=f"second-edition,{tmp_path}/mine,{tmp_path}/yours") as serving:
        for name, title in (("mine", "After"), ("yours", "In another's place"), ("", "Gone")):
            if name:
                write_pack(tmp_path / "mine", name, title)
            else:
                shutil.rmtree(tmp_path / "mine")
            before = serving.workers()
            os.kill(serving.process.pid, signal.SIGHUP)
            wait_until(lambda: replaced(serving, before), "others")  # noqa: B023 -- at once
            os.kill(serving.workers()[0], signal.SIGKILL)
            wait_until(lambda: len(serving.workers()) == 2, "another worker")
            packs = [serving.get("/v1/packs").json()["packs"] for _ in range(8)]
            assert {tuple(one["title"] for one in found[1:]) for found in packs} == {("After", "Before")}
        assert serving.errors.read_text().count("is offered as it was before") == 2
        assert "could not start" not in serving.errors.read_text()


def write_pack(folder: Path, name: str, title: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(f"id: {name}\ntitle: {title}\nextends: second-edition\n", encoding="utf-8")


def replaced(serving: Crew, before: list[int]) -> bool:
    """Whether two others work instead of those before."""
    return len(set(serving.workers()) - set(before)) == 2 and not any(map(alive, before))


def test_told_to_stop_while_it_replaces_workers_it_leaves_nobody(tmp_path: Path) -> None:
    with crew(tmp_path) as serving:
        pid = serving.process.pid
        os.kill(pid, signal.SIGHUP)
        os.kill(pid, signal.SIGTERM)
        assert serving.process.ended(PATIENCE) == -signal.SIGTERM
        assert of_session(pid) == []
        assert serving.errors.read_text() == ""


def of_session(pid: int) -> list[int]:
    """The processes of a session that live, also those whose parents have ended."""
    numbers = [int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal()]
    found = []
    for one in numbers:
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(one) == pid and alive(one):
                found.append(one)
    return found


def test_a_worker_that_hangs_is_replaced_and_those_that_were_stopped_with_their_parent_are_not(tmp_path: Path) -> None:
    with crew(tmp_path, worker_timeout="3") as serving:
        before = serving.workers()
        for how, pause in (
            (signal.SIGSTOP, 5.0),
            (signal.SIGCONT, 2.0),
        ):  # as by Ctrl-Z and `fg`, or a container that pauses
            for pid in (serving.process.pid, *before):
                os.kill(pid, how)
            time.sleep(pause)
        assert serving.workers() == before
        os.kill(before[0], signal.SIGSTOP)
        wait_until(lambda: len(set(serving.workers()) - {before[0]}) == 2, "another worker")
        assert [serving.get("/v1/games").status_code for _ in range(16)] == [200] * 16
        assert serving.errors.read_text().count("does not answer and is killed") == 1


def test_ctrl_c_once_more_does_not_wait(tmp_path: Path) -> None:
    with crew(tmp_path, shutdown="100") as serving:
        os.kill(hung := serving.workers()[0], signal.SIGSTOP)
        os.kill(serving.process.pid, signal.SIGINT)
        time.sleep(0.5)
        assert not serving.process.is_over()
        os.kill(serving.process.pid, signal.SIGINT)
        assert serving.process.ended(PATIENCE / 2) == 0
        assert not alive(hung)


def test_workers_that_can_not_start_are_tried_again_ever_more_seldom(tmp_path: Path) -> None:
    with server(tmp_path / "redis") as running, crew(tmp_path, store=running.url) as serving:
        running.kill()
        os.kill(serving.workers()[0], signal.SIGKILL)
        for seconds in (2, 4):
            wait_until(lambda: f"tries in {seconds} s: {running.url}" in serving.errors.read_text(), "another try")  # noqa: B023 -- at once
        assert serving.errors.read_text().count("could not start") == 2
        running.start()
        wait_until(lambda: len(serving.workers()) == 2, "both workers")
        wait_until(lambda: all(serving.get("/v1/games").status_code == 200 for _ in range(8)), "answers")


def test_all_end_with_the_terminal_at_which_they_were_started(tmp_path: Path) -> None:
    """For who closes it a hangup is no wish for other workers."""
    chosen = {"packs": "second-edition", "workers": "2", "port": "0", "store": f"sqlite:///{tmp_path}/log.db"}
    env = {**os.environ, **{f"OMENLOG_{name.upper()}": value for name, value in chosen.items()}}
    process, screen = at_terminal(env, "serve")
    said = b""
    while b"Ctrl-C stops it." not in said:
        said += os.read(screen, 4096)
    workers = children(process.pid)
    os.close(screen)
    assert process.ended(PATIENCE) == -signal.SIGHUP
    assert len(workers) == 2
    assert not any(map(alive, workers))


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"workers": "0"}, "OMENLOG_WORKERS=0 (--workers): write a number from 1 to 64"),
        ({"workers": "65"}, "write a number from 1 to 64"),
        ({"workers": "many"}, "write a number from 1 to 64, or `auto`"),
        ({"store": "memory:"}, "A store in memory allows one worker"),
        ({"port": "taken"}, "already in use"),
        ({"host": "no-such-host.invalid"}, "no-such-host.invalid:0: there is no such host"),
        ({"log_level": "loud"}, "OMENLOG_LOG_LEVEL=loud: write one of `critical`, `error`"),
        ({"store": "redis://127.0.0.1:1/0"}, "redis://127.0.0.1:1/0: Redis can't be reached"),
        ({"store": "redis://127.0.0.1:1/games"}, "invalid Redis address (a database is a number)"),
        ({"store": "sqlite:///{folder}/rubbish"}, "the file isn't a database"),
        ({"packs": "no-such-pack"}, "OMENLOG_PACKS: no pack no-such-pack"),
    ],
)
def test_what_can_not_start_is_told_in_a_sentence_and_nothing_is_left(
    tmp_path: Path, settings: dict[str, str], words: str
) -> None:
    (tmp_path / "rubbish").write_text("This is no database at all. " * 400)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        chosen = {"packs": "second-edition", "workers": "2", "port": "0", "store": f"sqlite:///{tmp_path}/log.db"}
        chosen |= {name: value.format(folder=tmp_path) for name, value in settings.items()}
        if chosen["port"] == "taken":
            chosen["port"] = str(taken.getsockname()[1])
        env = {**os.environ, **{f"OMENLOG_{name.upper()}": value for name, value in chosen.items()}}
        said, errors = tmp_path / "said.txt", tmp_path / "errors.txt"
        process = Omenlog(env, ("serve",), os.devnull, str(said), errors=str(errors))
        pid = process.pid
        assert process.ended(PATIENCE) == 2
    assert of_session(pid) == []
    assert said.read_text() == ""
    complaint = " ".join(errors.read_text().replace("│", " ").split())
    assert words in complaint
    assert complaint.count("─ Error ─") == 1
    assert "Traceback" not in complaint
    assert not (tmp_path / "log.db").exists()
