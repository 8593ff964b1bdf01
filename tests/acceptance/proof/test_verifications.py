"""Audits as jobs: who may ask, what each is told, and that neither an altered log nor a killed worker passes for EXACT."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.acceptance.driving import Table, bearer, problem, serving, settings
from tests.acceptance.webhooks.test_work import crew, working
from tests.support.altering import decided_by_an_older_revision, put, walked_for_nothing
from tests.support.forging import Lines
from tests.support.redis import Server, server, wait_until

WALKS = 12


def ask(table: Table, token: str) -> dict[str, Any]:
    answer = table.post("verifications", token)
    assert answer.status_code == 202, answer.text
    assert answer.headers["Location"] == f"{table.path}/verifications/{answer.json()['id']}"
    found: dict[str, Any] = answer.json()
    return found


def verdict(table: Table, token: str) -> dict[str, Any]:
    """Asked for, and waited for."""
    name = ask(table, token)["id"]
    end = time.monotonic() + 120
    while time.monotonic() < end:
        found: dict[str, Any] = table.get(f"verifications/{name}", token).json()
        if found["status"] in ("done", "failed"):
            return found
        time.sleep(0.05)
    raise AssertionError("no verdict")


def altered(store: Path, table: Table, change: Callable[[Lines], Lines]) -> None:
    """Somebody writes another game into the file."""
    put(store, table.path.rpartition("/")[2], change(table.get("export", table.referee).content.splitlines()))


def walks(table: Table) -> None:
    """Every game begins with a walk."""
    token = table.awaited()
    move = next(one for one in table.listed(token) if one["type"] == "move")
    assert table.command(token, move).status_code == 201
    table.play(WALKS)


def test_seats_and_the_referee_have_a_game_audited_while_it_goes_on(table: Table) -> None:
    walks(table)
    told = [verdict(table, token) for token in (table.seats[1], table.referee)]
    for found in told:
        assert (found["status"], found["outcome"], found["checked"]) == ("done", "UNVERIFIED", table.version())
    assert told[0]["because"] == "", "a seat is told no more than the outcome"
    assert "seed is not disclosed" in told[1]["because"]
    for token in (table.spectator, table.host):
        problem(table.post("verifications", token), 403, "forbidden")
    problem(table.get("verifications/4711", table.referee), 404, "not-found")
    problem(table.get("verifications/first", table.referee), 400, "invalid-parameter")


def test_once_it_is_disclosed_everybody_is_told_all(table: Table) -> None:
    walks(table)
    table.post("close", table.host)
    found = verdict(table, table.spectator)
    assert (found["outcome"], found["commit"], found["because"]) == ("EXACT", None, "")
    assert found["dice"].startswith("EXACT: ")
    other = Table.open(table.client)
    problem(table.client.post(f"{other.path}/verifications", headers=bearer(table.seats[0])), 403, "forbidden")


def test_an_altered_log_diverges_and_who_may_know_sees_the_events_side_by_side(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    chosen = settings(store)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        walks(table)
        altered(store, table, walked_for_nothing)
        found = verdict(table, table.referee)
        assert (found["outcome"], found["commit"], found["checked"]) == ("DIVERGED", 6, 5)
        assert found["differs"]["event"] == 1
        assert '"spent":0' in found["differs"]["recorded"]
        assert '"spent":1' in found["differs"]["decided"]
        told = verdict(table, table.seats[0])
        assert (told["outcome"], told["commit"], told["because"], told["differs"]) == ("DIVERGED", 6, "", None)


def test_a_game_of_an_older_revision_is_played_on_read_exported_and_shows_what_would_differ(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    chosen = settings(store, snapshot_every=1_000)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        walks(table)
        altered(store, table, decided_by_an_older_revision)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table.client = client
        before = table.version()
        table.play(3)
        found = verdict(table, table.referee)
        assert (found["outcome"], found["commit"], found["checked"]) == ("UNVERIFIED", None, before + 3)
        assert "revision" in found["because"]
        assert '"spent":0' in found["differs"]["recorded"]
        assert '"spent":1' in found["differs"]["decided"]
        assert table.get("view?at=6", table.seats[0]).status_code == 200
        assert len(table.get("export", table.referee).content.splitlines()) == before + 4


# -- by workers -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("jobs") / "redis") as running:
        yield running


@pytest.mark.parametrize("kills", [0, pytest.param(2, marks=pytest.mark.prove)])
def test_workers_audit_and_one_that_is_killed_only_delays_it(
    tmp_path: Path, redis_server: Server, monkeypatch: pytest.MonkeyPatch, kills: int
) -> None:
    store = f"sqlite:///{tmp_path / 'log.db'}"
    chosen = settings(store, jobs=redis_server.url)
    with serving(chosen) as address, httpx.Client(base_url=address, timeout=20) as client:
        table = Table.open(client)
        walks(table)
        name = ask(table, table.referee)["id"]
        assert table.get(f"verifications/{name}", table.referee).json()["status"] == "queued"
        with working(store, redis_server.url):
            found = verdict(table, table.referee)
            assert (found["outcome"], found["checked"]) == ("UNVERIFIED", table.version())

            monkeypatch.setattr("service.audit.jobs.SILENT", 3.0)
            for _ in range(kills):
                wait_until(lambda: crew(redis_server), "a worker")
                table.play(1)
                ask(table, table.referee)
                for pid in crew(redis_server):
                    os.kill(pid, signal.SIGKILL)
                found = verdict(table, table.referee)
                while (
                    found["status"] == "failed"
                ):  # lost with its worker, which is said after a while; asked for again, it is done
                    assert "ask again" in found["because"]
                    found = verdict(table, table.referee)
                assert (found["status"], found["checked"]) == ("done", table.version())
        redis_server.kill()
        try:
            answer = problem(table.post("verifications", table.referee), 503, "jobs-unavailable")
            assert "queue" in answer["detail"]
        finally:
            redis_server.start()
