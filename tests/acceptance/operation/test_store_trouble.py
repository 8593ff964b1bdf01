"""A full disk, a damaged file: the caller is told, nothing is half-done, the rest goes on."""

import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from openapi.writer.outside import Fixed
from service.store.port import StoreDamaged, StoreUnavailable
from tests.acceptance.driving import OPENING, Table, problem, serving, settings


def step(table: Table) -> httpx.Response:
    token = table.awaited()
    return table.command(token, table.listed(token)[-1], Idempotency_Key=f"step-{table.version()}")


def until_full(table: Table) -> int:
    """Do commands until one is refused; returns the version then."""
    while (answer := step(table)).status_code == 201:
        pass
    problem(answer, 507, "store-full")
    return table.version()


def test_when_the_store_is_full_commands_are_refused_and_reads_go_on(tmp_path: Path) -> None:
    limits = {"store_max_bytes": 600_000, "snapshot_every": 10_000}
    with (
        serving(settings(tmp_path / "log.db", **limits)) as address,
        httpx.Client(base_url=address, timeout=20) as client,
    ):
        tables = [Table.open(client)]
        assert client.get("/health/ready").status_code == 200
        while (answer := client.post("/v1/games", json=OPENING)).status_code == 201:
            tables.append(Table(client, answer.json()))
        problem(answer, 507, "store-full")
        table = tables[0]
        version = until_full(table)
        assert table.version() == version, "nothing was stored"
        problem(step(table), 507, "store-full")
        for one in tables:
            assert one.get("view", one.seats[0]).status_code == 200
        assert client.get("/health/live").status_code == 200
        problem(client.get("/health/ready"), 507, "store-full")


def test_a_damaged_database_is_not_served(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    store.write_bytes(b"SQLite format 3\x00" + b"nonsense" * 1000)
    with pytest.raises(StoreDamaged, match=r"log\.db"), serving(settings(store)):
        pass
    with pytest.raises(StoreUnavailable, match=r"log\.db"), serving(settings(store / "a-folder" / "log.db")):
        pass


def test_a_damaged_game_is_told_apart_and_the_others_go_on(tmp_path: Path) -> None:
    store = tmp_path / "log.db"
    with serving(settings(store)) as address, httpx.Client(base_url=address, timeout=20) as client:
        broken, sound = Table.open(client), Table.open(client)
        broken.play(5)
    with closing(sqlite3.connect(store)) as db, db:
        db.execute("UPDATE commits SET body = substr(body, 1, 60) WHERE game = ? AND number = 8", (broken.id,))
    with serving(settings(store), Fixed("again")) as address, httpx.Client(base_url=address, timeout=20) as client:
        broken.client = sound.client = client
        problem(broken.get("view", broken.seats[0]), 500, "damaged-log")
        problem(broken.get("events", broken.seats[0]), 500, "damaged-log")
        problem(broken.command(broken.seats[0], {"type": "end-turn", "decision": "turn-1"}), 500, "damaged-log")
        assert client.get(broken.path).status_code == 200, "its public facts are still there"
        sound.play(3)
