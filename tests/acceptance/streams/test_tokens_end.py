"""When a token ends, its sockets and streams are closed at once, even where nothing happens in the game; heartbeats here are an hour apart."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from openapi.writer.outside import Fixed
from tests.acceptance.driving import Table, bearer, serving, settings
from tests.acceptance.games.test_what_if import sandbox
from tests.acceptance.streams.test_socket import joined, rest, take
from tests.support.shared_stores import empty_store

QUIET = {"heartbeat": 3600.0}
SOON = 5.0
"""Seconds within which all must be over: a glance of another process at the file takes a quarter of one."""


@contextmanager
def two(store: str) -> Iterator[tuple[str, str]]:
    """Two services over one store."""
    with serving(settings(store, **QUIET)) as one, serving(settings(store, **QUIET), Fixed("other")) as other:
        yield one, other


def ends(address: str, table: Table, token: str, end: Callable[[], object]) -> None:
    """Follow by a stream and a socket, let the token end, and see that both are told so, and soon."""
    told: list[str] = []
    begun = threading.Event()

    def follow() -> None:
        headers = {**bearer(token), "Accept": "text/event-stream", "Last-Event-ID": str(table.version())}
        with httpx.stream("GET", f"{address}{table.path}/events", headers=headers, timeout=SOON) as answer:
            assert answer.status_code == 200
            begun.set()
            told.extend(line for line in answer.iter_lines() if line)

    reader = threading.Thread(target=follow)
    with joined(address, table, token, f"?after={table.version()}") as socket:
        take(socket, "hello")
        reader.start()
        assert begun.wait(SOON)
        time.sleep(0.5)  # until all is quiet
        since = time.monotonic()
        end()
        frames, code, _ = rest(socket)
        reader.join(SOON)
        assert time.monotonic() - since < SOON
    assert (frames[-1]["reason"], code) == ("token-ended", 4401)
    assert '"reason":"token-ended"' in told[-1]


@pytest.mark.parametrize("kind", ["memory", "sqlite", "redis"])
def test_a_token_that_is_rotated_ends(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    with (
        serving(settings(empty_store(kind, request, tmp_path), **QUIET)) as address,
        httpx.Client(base_url=address) as client,
    ):
        table = Table.open(client)
        for number, token in enumerate((*table.seats, table.referee, table.spectator)):
            name = [*(f"seat-{seat}" for seat in range(3)), "referee", "spectator-1"][number]
            ends(address, table, token, lambda: table.post(f"tokens/{name}/rotate", token))  # noqa: B023 -- called at once


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_a_token_that_another_process_ends(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    with two(empty_store(kind, request, tmp_path)) as (one, other), httpx.Client(base_url=one) as client:
        table = Table.open(client)
        rotate = f"{other}{table.path}/tokens/seat-0/rotate"
        ends(one, table, table.seats[0], lambda: httpx.post(rotate, headers=bearer(table.seats[0])))
        replace = f"{other}{table.path}/seats/1/replace"
        ends(one, table, table.seats[1], lambda: httpx.post(replace, headers=bearer(table.host)))


def test_a_token_that_expires_ends_by_itself() -> None:
    class Slow(Fixed):
        """A clock that stands until it is told to go on."""

        time = "2026-01-01T00:00:00.000Z"

        def now(self) -> str:
            return self.time

    clock = Slow()
    with (
        serving(settings("memory:", token_lifetime=2, **QUIET), clock) as address,
        httpx.Client(base_url=address) as client,
    ):
        table = Table.open(client)

        def pass_by() -> None:
            clock.time = "2026-01-01T00:00:03.000Z"

        ends(address, table, table.seats[0], pass_by)


def test_a_sandbox_that_is_removed_ends_its_tokens(tmp_path: Path) -> None:
    clock = Fixed()
    chosen = settings(tmp_path / "log.db", fork_lifetime=600, fork_sweep=0.2, **QUIET)
    with serving(chosen, clock) as address, httpx.Client(base_url=address) as client:
        table = Table.open(client)
        fork = sandbox(table, table.seats[0])
        ends(address, fork, fork.seats[1], lambda: clock.leap(700))
