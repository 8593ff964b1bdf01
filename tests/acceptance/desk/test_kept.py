"""What the desk knows survives where games are put: an archive, another store, a backup, a file that is imported; and it can be erased."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from openapi.writer.outside import Fixed
from service.audit.verdict import Outcome, audit
from service.log.exported import read_export
from tests.acceptance.desk.busy import REASONS, TEXTS, busy, everything
from tests.acceptance.driving import Table, serving, settings
from tests.acceptance.proof.test_verifications import verdict
from tests.cli.invoking import omenlog
from tests.support.shared_stores import empty_store

ROLES = ("referee", "seat:1")
"""Who has the most to lose."""


@contextmanager
def served(store: str, salt: str = "", **changes: object) -> Iterator[httpx.Client]:
    """A client of a service on this store."""
    with (
        serving(settings(store, token_rate=0, anonymous_rate=0, **changes), Fixed(salt)) as address,
        httpx.Client(base_url=address, timeout=20) as client,
    ):
        yield client


def played(client: httpx.Client, *, close: bool = True) -> Table:
    """A game with a busy desk, which is over unless it should go on."""
    table = Table.open(client, options={"spectator_delay": 3})
    busy(table)
    if close:
        assert table.post("close", table.host).status_code == 201
    return table


def told(table: Table, token: str) -> str:
    """All that a token reads of disputes."""
    return table.get("disputes", token).text


def refused(table: Table, token: str) -> int:
    """How many refused attempts a token's trace tells."""
    steps = table.get("trace?limit=1000", token).json()["steps"]
    return sum(len(step.get("refused", ())) for step in steps)


@pytest.mark.prove  # tests/cli/test_archive.py holds the rest of it
@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_an_archived_game_with_disputes_is_read_as_before(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, folder = empty_store(kind, request, tmp_path), tmp_path / "archive"
    monkeypatch.setenv("OMENLOG_STORE", store)
    with served(store, archive=str(folder), snapshot_every=10) as client:
        table = played(client)
        before = everything(table)
        assert "moved 1 game" in omenlog("archive", str(folder)).output
    with served(store, "again", archive=str(folder)) as client:
        table.client = client
        assert everything(table) == before
        assert (refused(table, table.referee), refused(table, table.seats[0])) == (2, 1)
        fork = table.post("forks", table.seats[0], {"at": 20})
        assert fork.status_code == 201, fork.text
        odds = table.post("odds?at=20", table.seats[0], {"of": "dice", "dice": 3})
        assert odds.status_code == 200, odds.text
        assert verdict(table, table.referee)["outcome"] == "EXACT"
        file = tmp_path / "game.ndjson"
        file.write_bytes(table.get("export", table.spectator).content)
        assert "EXACT" in omenlog("verify", str(file)).output
    with served("memory:", "another") as client:
        headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "0123456789abcdef0123456789abcdef"}
        brought = client.post("/v1/games/import", content=file.read_bytes(), headers=headers)
        assert brought.status_code == 201, brought.text
        spectator = brought.json()["tokens"]["spectators"][0]["secret"]
        table.client = client
        table.referee = table.spectator = spectator
        again = everything(table, ("spectator",))
        assert {key[1:] for key, found in again.items() if found != before[key]} == {("", ""), ("disputes", "")}
        assert REASONS in told(table, spectator), "texts of claims stay where they were written"


@pytest.mark.prove  # tests/cli/test_erase.py holds the rest of it
@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_claims_and_notes_are_erased_and_nothing_else_changes(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = empty_store(kind, request, tmp_path)
    monkeypatch.setenv("OMENLOG_STORE", store)
    with served(store) as client:
        table = played(client, close=False)
        before = everything(table)
        assert all(text in told(table, table.referee) for text in TEXTS)
        kept = json.loads(told(table, table.referee))["disputes"]
        assert "4 claims and notes" in omenlog("erase", table.id, "--seat", "1").output
        assert {text for text in TEXTS if text in told(table, table.referee)} == {TEXTS[0], TEXTS[2]}
        assert "2 claims and notes of disputes, 2 refused attempts" in omenlog("erase", table.id).output
        after = everything(table)
        changed = {
            (role, what.partition("?")[0])
            for role, what, form in before
            if before[role, what, form] != after[role, what, form]
        }
        assert {what for _, what in changed} == {"disputes", "disputes/2", "trace"}
        assert {role for role, what in changed if what == "trace"} == {"referee", "seat:0", "seat:2"}, (
            "who was refused something"
        )
        assert not any(text.encode() in body for _, body in after.values() for text in TEXTS)
        for one, other in zip(kept, json.loads(told(table, table.referee))["disputes"], strict=True):
            assert other == {**one, "texts": []}, "all digests stay"
        table.play(3)
        assert table.post("close", table.host).status_code == 201
        assert audit(read_export(table.get("export", table.referee).content.splitlines())).outcome is Outcome.EXACT


def test_disputes_and_refusals_go_wherever_a_store_goes(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a file to Redis, from there into a backup, and back out of it."""
    file, redis, restored = (
        f"sqlite:///{tmp_path}/log.db",
        empty_store("redis", request, tmp_path),
        empty_store("redis", request, tmp_path),
    )
    with served(file) as client:
        table = played(client, close=False)
        before = everything(table, ROLES)
    moved = omenlog("migrate", file, redis)
    assert "Refused attempts copied now: 2." in moved.output
    assert "Refused attempts" not in omenlog("migrate", file, redis).output, "once"
    monkeypatch.setenv("OMENLOG_STORE", redis)
    assert omenlog("backup", str(tmp_path / "copy.db")).exit_code == 0
    monkeypatch.setenv("OMENLOG_STORE", restored)
    assert omenlog("restore", str(tmp_path / "copy.db")).exit_code == 0
    with served(restored) as client:
        table.client = client
        assert everything(table, ROLES) == before
        assert refused(table, table.referee) == 2
        table.play(3)
        assert table.post("close", table.host).status_code == 201
