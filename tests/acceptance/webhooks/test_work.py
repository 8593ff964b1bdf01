"""Webhooks by jobs: the service queues, `omenlog work` delivers; whatever is killed, nothing is lost and the order holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import httpx
import pytest
import rq

from service.outside import Machine
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.cli.invoking import omenlog
from tests.support.processes import alive
from tests.support.receiving import Receiver, Reply, receiving
from tests.support.redis import Server, server, wait_until
from tests.support.shared_stores import empty_store

VARIABLES = {
    "OMENLOG_PACKS": "second-edition",
    "OMENLOG_WEBHOOK_PRIVATE": "1",
    "OMENLOG_WEBHOOK_TIMEOUT": "3",
    "OMENLOG_WEBHOOK_SWEEP": "0.1",
    "OMENLOG_WEBHOOK_RETRIES": "0.05,0.05,0.05",
}


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("jobs") / "redis") as running:
        yield running


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


@pytest.fixture
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the games are."""
    return empty_store(getattr(request, "param", "sqlite"), request, tmp_path)


@pytest.fixture
def client(store: str, redis_server: Server) -> Iterator[httpx.Client]:
    """Of a service that has jobs done."""
    with redis_server.client() as redis:
        redis.flushall()
    chosen = settings(store, jobs=redis_server.url, webhook_private=True, webhook_timeout=0.6, token_rate=0)
    with serving(chosen, Machine()) as address, httpx.Client(base_url=address, timeout=20) as found:
        yield found


@contextmanager
def working(store: str, jobs: str, workers: int = 1) -> Iterator[subprocess.Popen[str]]:
    """`omenlog work`, once it has said that it works."""
    variables = {**os.environ, **VARIABLES, "OMENLOG_STORE": store, "OMENLOG_JOBS": jobs}
    command = [sys.executable, "-m", "service.cli", "work", "--workers", str(workers)]
    with subprocess.Popen(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            assert running.stdout is not None
            said = running.stdout.readline()
            assert "take jobs from" in said, said
            # What is said later is of no interest, but must not fill the pipe.
            threading.Thread(target=running.stdout.read, daemon=True).start()
            yield running
        finally:
            running.kill()


def crew(redis_server: Server) -> list[int]:
    """The pids of the workers that have told Redis of themselves."""
    with redis_server.client() as redis:
        return [int(one.pid) for one in rq.Worker.all(connection=redis) if one.pid and alive(int(one.pid))]


def subscribe(table: Table, url: str, **asked: Any) -> dict[str, Any]:  # noqa: ANN401 -- JSON
    answer = table.client.post("/v1/subscriptions", json={"url": url, **asked}, headers=bearer(table.seats[0]))
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def in_order(receiver: Receiver) -> list[int]:
    """What was taken, immediate repetitions left out: at least once, and nothing overtakes."""
    return [number for number, _ in groupby(receiver.numbers())]


@pytest.mark.parametrize(
    "store, rounds",
    [
        ("redis", 1),
        pytest.param("sqlite", 10, marks=pytest.mark.prove),
        pytest.param("cluster", 5, marks=pytest.mark.prove),
    ],
    indirect=["store"],
)
def test_workers_that_are_killed_at_any_moment_lose_nothing(
    client: httpx.Client, redis_server: Server, receiver: Receiver, store: str, rounds: int
) -> None:
    """SIGKILL to all of them while a message is under way, time and again; in the end the queue itself is emptied too."""
    table = Table.open(client)
    subscribe(table, receiver.url, after=0)
    with working(store, redis_server.url):
        for round_ in range(rounds):
            wait_until(lambda: crew(redis_server), "a worker")
            reached = len(receiver.got)
            receiver.answering = lambda _: Reply(wait=0.2)
            table.play(3, seed=round_)
            receiver.wait(lambda reached=reached: len(receiver.got) > reached)  # type: ignore[misc]  # bound now
            for pid in crew(redis_server):
                os.kill(pid, signal.SIGKILL)
        with redis_server.client() as redis:
            redis.flushall()
        receiver.answering = lambda _: Reply()
        version = table.version()
        receiver.wait(lambda: version in receiver.numbers())
    assert in_order(receiver) == list(range(1, version + 1))
    ids = {got.number: got.id for got in receiver.got}
    assert all(got.id == ids[got.number] for got in receiver.got), "what comes again has the same id"


def test_what_happens_while_nobody_works_is_delivered_later(
    client: httpx.Client, redis_server: Server, receiver: Receiver, store: str
) -> None:
    """The service plays on while the queue's Redis is down; workers need neither its memory nor the jobs in it."""
    table = Table.open(client)
    subscribe(table, receiver.url, after=0)
    redis_server.kill()
    try:
        table.play(4)
        version = table.version()
    finally:
        redis_server.start()
    with working(store, redis_server.url) as running:
        receiver.wait_for(version)
        redis_server.kill()
        table.play(2)
        redis_server.start()
        receiver.wait_for(version + 2)
        assert running.poll() is None
    assert in_order(receiver) == list(range(1, version + 3))


def test_told_to_stop_it_ends_what_it_has_begun_and_leaves_nobody_behind(
    client: httpx.Client, redis_server: Server, receiver: Receiver, store: str
) -> None:
    table = Table.open(client)
    receiver.answering = lambda _: Reply(wait=0.3)
    made = subscribe(table, receiver.url)["subscription"]
    with working(store, redis_server.url, workers=2) as running:
        wait_until(lambda: len(crew(redis_server)) == 2, "two workers")
        pids = crew(redis_server)
        table.play(3)
        receiver.wait(lambda: len(receiver.got) == 1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=10) == 0
        assert not any(alive(pid) for pid in pids)
    assert len(receiver.got) == 1
    shown = client.get(f"/v1/subscriptions/{made['id']}", headers=bearer(table.seats[0])).json()
    assert (shown["cursor"], shown["delivered"]) == (made["cursor"] + 1, 1), "and what it ended it has written down"


def test_workers_end_with_their_parent(client: httpx.Client, redis_server: Server, store: str) -> None:
    with working(store, redis_server.url) as running:
        wait_until(lambda: crew(redis_server), "a worker")
        (pid,) = crew(redis_server)
        running.kill()
        wait_until(lambda: not alive(pid), "the end of the worker")


@pytest.mark.parametrize(
    "variables, words",
    [
        ({}, "OMENLOG_JOBS is not set"),
        ({"OMENLOG_JOBS": "redis://:secret@127.0.0.1:9/0"}, "redis://127.0.0.1:9/0 (OMENLOG_JOBS) does not answer"),
        ({"OMENLOG_JOBS": "http://127.0.0.1:6379"}, "write redis://"),
        ({"OMENLOG_JOBS": "redis://127.0.0.1:9/0", "OMENLOG_STORE": "memory:"}, "memory of another process"),
        ({"OMENLOG_JOBS": "redis://127.0.0.1:9/0", "OMENLOG_WEBHOOK_RETRIES": "soon"}, "OMENLOG_WEBHOOK_RETRIES=soon"),
    ],
)
def test_what_is_missing_is_told_in_a_sentence(
    variables: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    ended = omenlog("work")
    assert ended.exit_code == 1
    assert words in " ".join(ended.output.replace("│", " ").split())
    assert "secret" not in ended.output
